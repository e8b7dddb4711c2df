// cl_khr_unified_svm 0.9: types of shared virtual memory with documented capabilities. All of them are memory
// of the host. Declared in runtime/api/api.hpp.

#include "runtime/api/api.hpp"
#include "runtime/memory/svm.hpp"
#include "runtime/support/pages.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace hostcl::runtime {

namespace {

Result<Ref<Device>> device_of(const Context& context, cl_device_id handle) {
  if (!handle) return Ref<Device>();
  TRY(Device & device, object_cast<Device>(handle));
  if (!context.has(device))
    return fail(CL_INVALID_DEVICE, "device ", handle, " is not a device of the context");
  return Ref<Device>(device);
}

/// The values of a list of allocation properties.
struct SvmProperties {
  Ref<Device> device;
  cl_svm_alloc_access_flags_khr access = 0;
  std::size_t alignment = 0;
  std::optional<int> dma_buf;   ///< CL_SVM_ALLOC_EXTERNAL_MEMORY_DMA_BUF_IMG
  std::byte* address = nullptr; ///< CL_SVM_ALLOC_EXTERNAL_MEMORY_DMA_BUF_VIRTUAL_ADDRESS_IMG
  /// The list as given, with the 0 at the end; empty if it was NULL.
  std::vector<cl_svm_alloc_properties_khr> list;
};

Status check_access(cl_svm_alloc_access_flags_khr flags) {
  constexpr cl_svm_alloc_access_flags_khr known =
      CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR |
      CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;
  if (flags & ~known)
    return fail(CL_INVALID_PROPERTY, "CL_SVM_ALLOC_ACCESS_FLAGS_KHR is 0x", std::hex, flags,
                ", which has unknown bits");
  return {};
}

Status check_alignment(std::size_t alignment) {
  if (alignment && (!std::has_single_bit(alignment) || alignment > Device::base_address_alignment))
    return fail(CL_INVALID_PROPERTY, "CL_SVM_ALLOC_ALIGNMENT_KHR is ", alignment,
                "; it must be a power of two up to ", Device::base_address_alignment);
  return {};
}

Status check_address(std::uintptr_t address) {
  if (!address || address % page_bytes())
    return fail(CL_INVALID_PROPERTY, "CL_SVM_ALLOC_EXTERNAL_MEMORY_DMA_BUF_VIRTUAL_ADDRESS_IMG is 0x",
                std::hex, address, "; it must not be 0, and must be a multiple of the size of a page, 0x",
                page_bytes());
  return {};
}

/// Checks the properties of external memory against the others.
Status check_external(const SvmProperties& properties) {
  if (properties.dma_buf.has_value() != (properties.address != nullptr))
    return fail(CL_INVALID_PROPERTY,
                "properties have one of CL_SVM_ALLOC_EXTERNAL_MEMORY_DMA_BUF_IMG and "
                "CL_SVM_ALLOC_EXTERNAL_MEMORY_DMA_BUF_VIRTUAL_ADDRESS_IMG; both are needed");
  return {};
}

Status read_property(const Context& context, SvmProperties& read, cl_svm_alloc_properties_khr name,
                     cl_svm_alloc_properties_khr value) {
  switch (name) {
  case CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR: {
    TRY(read.device, device_of(context, reinterpret_cast<cl_device_id>(value)));
    return {};
  }
  case CL_SVM_ALLOC_ACCESS_FLAGS_KHR:
    read.access = value;
    return check_access(value);
  case CL_SVM_ALLOC_ALIGNMENT_KHR:
    read.alignment = value;
    return check_alignment(value);
  case CL_SVM_ALLOC_EXTERNAL_MEMORY_DMA_BUF_IMG: {
    TRY(read.dma_buf, descriptor_of(name, value));
    return {};
  }
  case CL_SVM_ALLOC_EXTERNAL_MEMORY_DMA_BUF_VIRTUAL_ADDRESS_IMG:
    read.address = reinterpret_cast<std::byte*>(value);
    return check_address(value);
  default:
    return fail(CL_INVALID_PROPERTY, "property 0x", std::hex, name, " is not known");
  }
}

Result<SvmProperties> checked_properties(const Context& context, const cl_svm_alloc_properties_khr* list) {
  SvmProperties read;
  if (!list) return read;
  for (; *list; list += 2) {
    for (std::size_t i = 0; i < read.list.size(); i += 2)
      if (read.list[i] == *list)
        return fail(CL_INVALID_PROPERTY, "property 0x", std::hex, *list, " is given twice");
    TRY(read_property(context, read, list[0], list[1]));
    read.list.insert(read.list.end(), {list[0], list[1]});
  }
  read.list.push_back(0);
  TRY(check_external(read));
  return read;
}

/// Imports a dma-buf (cl_img_unified_svm_external_memory_dma_buf).
Result<void*> import(int dma_buf, const SvmProperties& properties, std::size_t bytes,
                     Allocations::Traits traits) {
  constexpr cl_svm_alloc_access_flags_khr never_written =
      CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;
  TRY(Allocations::instance().import(properties.address, dma_buf, bytes,
                                     (properties.access & never_written) != never_written,
                                     std::move(traits)));
  return properties.address;
}

} // namespace

Result<void*> svm_alloc_with_properties(cl_context handle, const cl_svm_alloc_properties_khr* list,
                                        cl_uint type_index, size_t size) {
  TRY(Context & context, usable_context(handle));
  if (type_index >= svm_capabilities().size())
    return fail(CL_INVALID_VALUE, "svm_type_index is ", type_index, "; there are ", svm_capabilities().size(),
                " types (CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR)");
  TRY(SvmProperties properties, checked_properties(context, list));
  if (!properties.device && !(svm_capabilities()[type_index] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR))
    return fail(CL_INVALID_DEVICE, "svm_type_index is ", type_index,
                "; this type needs a device, given by CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR");
  const std::uint64_t most = context.max_allocation_bytes(properties.device.get());
  if (size > most)
    return fail(CL_INVALID_BUFFER_SIZE, "size ", size, " is above CL_DEVICE_MAX_MEM_ALLOC_SIZE, ", most);
  if (!size) return nullptr;
  Allocations::Traits traits{.kind = AllocationKind{static_cast<int>(type_index)},
                             .context = Ref<Context>(context),
                             .device = std::move(properties.device),
                             .flags = properties.access,
                             .properties = std::move(properties.list)};
  if (const auto dma_buf = properties.dma_buf) return import(*dma_buf, properties, size, std::move(traits));
  void* memory = Allocations::instance().allocate(size, Device::base_address_alignment, std::move(traits));
  if (!memory) return fail(CL_OUT_OF_RESOURCES, "cannot allocate ", size, " bytes");
  return memory;
}

Status svm_free_with_properties(cl_context handle, const cl_svm_free_properties_khr* properties,
                                cl_svm_free_flags_khr flags, void* pointer) {
  TRY(Context & context, object_cast<Context>(handle));
  if (properties && *properties)
    return fail(CL_INVALID_PROPERTY, "property 0x", std::hex, *properties,
                " is not known; the call takes none");
  if (flags) return fail(CL_INVALID_VALUE, "flags is 0x", std::hex, flags, "; it must be 0");
  if (pointer && !Allocations::instance().free(context, pointer, AllocationApi::svm))
    return fail(CL_INVALID_VALUE, pointer, " is not an SVM allocation of this context");
  return {};
}

// ---- Queries

namespace {

using Allocation = Allocations::Allocation;
using A = Rows<Allocation>;

/// The index of the allocation's type; CL_UINT_MAX for a pointer to no allocation.
cl_uint type_index_of(const Allocation& allocation) {
  return allocation.first ? static_cast<cl_uint>(allocation.traits.kind) : CL_UINT_MAX;
}
cl_svm_capabilities_khr capabilities_of(const Allocation& allocation) {
  return allocation.first ? svm_capabilities()[type_index_of(allocation)] : 0;
}
const std::vector<cl_svm_alloc_properties_khr>& properties_of(const Allocation& allocation) {
  return allocation.traits.properties;
}
cl_svm_alloc_access_flags_khr access_of(const Allocation& allocation) {
  return allocation.traits.api == AllocationApi::svm ? allocation.traits.flags : 0;
}
cl_device_id device_handle_of(const Allocation& allocation) {
  return allocation.traits.device ? allocation.traits.device->handle() : nullptr;
}

constexpr Row<Allocation> rows[] = {
    A::value<cl_uint, type_index_of>(CL_SVM_INFO_TYPE_INDEX_KHR),
    A::value<cl_svm_capabilities_khr, capabilities_of>(CL_SVM_INFO_CAPABILITIES_KHR),
    A::array<properties_of>(CL_SVM_INFO_PROPERTIES_KHR),
    A::value<cl_svm_alloc_access_flags_khr, access_of>(CL_SVM_INFO_ACCESS_FLAGS_KHR),
    A::value<void*, &Allocation::first>(CL_SVM_INFO_BASE_PTR_KHR),
    A::value<std::size_t, &Allocation::bytes>(CL_SVM_INFO_SIZE_KHR),
    A::value<cl_device_id, device_handle_of>(CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR),
};

/// Whether a type of memory has more of the desired capabilities than the best type so far.
bool offers_more(cl_svm_capabilities_khr offered, cl_svm_capabilities_khr before,
                 cl_svm_capabilities_khr desired) {
  return std::popcount(offered & desired) > std::popcount(before & desired);
}

} // namespace

Status get_svm_pointer_info(cl_context handle, cl_device_id device_handle, const void* pointer,
                            cl_svm_pointer_info_khr name, size_t size, void* value, size_t* size_ret) {
  TRY(Context & context, object_cast<Context>(handle));
  // The device is only checked, because all devices have the same capabilities.
  TRY(device_of(context, device_handle));
  Allocation allocation = Allocations::instance().find(pointer);
  if (allocation.traits.context.get() != &context) allocation = {};
  return answer_query(rows, allocation, name, Answer(size, value, size_ret));
}

Status get_svm_suggested_type_index(cl_context handle, cl_svm_capabilities_khr required,
                                    cl_svm_capabilities_khr desired,
                                    const cl_svm_alloc_properties_khr* properties, size_t size,
                                    cl_uint* type_index) {
  TRY(Context & context, object_cast<Context>(handle));
  TRY(const SvmProperties checked, checked_properties(context, properties));
  if (!type_index) return fail(CL_INVALID_VALUE, "suggested_svm_type_index is NULL");
  *type_index = CL_UINT_MAX;
  if (size > context.max_allocation_bytes(checked.device.get())) return {};
  for (cl_uint i = 0; i < svm_capabilities().size(); ++i)
    if ((svm_capabilities()[i] & required) == required &&
        (*type_index == CL_UINT_MAX ||
         offers_more(svm_capabilities()[i], svm_capabilities()[*type_index], desired)))
      *type_index = i;
  return {};
}

} // namespace hostcl::runtime
