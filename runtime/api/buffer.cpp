// Creation of buffers (OpenCL 3.0 API, 5.2.1). Declared in runtime/api/api.hpp.

#include "runtime/memory/buffer.hpp"
#include "runtime/api/api.hpp"
#include "runtime/memory/pages.hpp"

#include <algorithm>

#include <fcntl.h>

namespace hostcl::runtime {

namespace {

/// The type of memory that clImportMemoryARM imports: CL_IMPORT_TYPE_HOST_ARM or CL_IMPORT_TYPE_DMA_BUF_ARM.
Result<cl_import_properties_arm> import_type(const cl_import_properties_arm* list) {
  cl_import_properties_arm type = CL_IMPORT_TYPE_HOST_ARM;
  for (; list && *list; list += 2) {
    const auto name = list[0], value = list[1];
    switch (name) {
    case CL_IMPORT_TYPE_ARM:
      if (value != CL_IMPORT_TYPE_HOST_ARM && value != CL_IMPORT_TYPE_DMA_BUF_ARM)
        return fail(CL_INVALID_PROPERTY, "CL_IMPORT_TYPE_ARM is 0x", std::hex, value,
                    "; it must be CL_IMPORT_TYPE_HOST_ARM or CL_IMPORT_TYPE_DMA_BUF_ARM");
      type = value;
      break;
    case CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM: // no effect, because the device is the host
      break;
    default:
      return fail(CL_INVALID_PROPERTY, "import property 0x", std::hex, name, " is not supported");
    }
  }
  return type;
}

Result<cl_mem> import_host_memory(Context& context, cl_mem_flags flags, void* memory, size_t size) {
  flags |= CL_MEM_USE_HOST_PTR;
  TRY(validate::buffer(context, {}, flags, size, memory));
  if (!is_mapped(memory, size))
    return fail(CL_INVALID_OPERATION, "not all of the ", size, " bytes at ", memory, " are mapped");
  TRY(Ref<Buffer> buffer, Buffer::create(context, flags, size, memory, {}));
  return expose(std::move(buffer));
}

/// Imports a copy of the descriptor: the application keeps its own.
Result<cl_mem> import_dma_buf(Context& context, cl_mem_flags flags, int descriptor, size_t size) {
  FileDescriptor own(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  if (!own)
    return fail(CL_INVALID_OPERATION, "memory points to ", descriptor,
                "; it must be an open file descriptor");
  MemoryProperties properties;
  properties.external = {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, own.get(), context.devices()};
  TRY(validate::buffer(context, properties, flags, size, nullptr));
  TRY(Ref<Buffer> buffer, Buffer::create(context, flags, size, nullptr, std::move(properties)));
  own.detach(); // the buffer owns it now
  return expose(std::move(buffer));
}

} // namespace

Result<cl_mem> create_buffer(cl_context handle, cl_mem_flags flags, size_t size, void* host_pointer) {
  return create_buffer_with_properties(handle, nullptr, flags, size, host_pointer);
}

Result<cl_mem> create_buffer_with_properties(cl_context handle, const cl_mem_properties* properties,
                                             cl_mem_flags flags, size_t size, void* host_pointer) {
  TRY(Context & context, usable_context(handle));
  TRY(MemoryProperties checked, MemoryProperties::checked(context, properties, true));
  TRY(validate::buffer(context, checked, flags, size, host_pointer));
  TRY(Ref<Buffer> buffer, Buffer::create(context, flags, size, host_pointer, std::move(checked)));
  return expose(std::move(buffer));
}

Result<cl_mem> create_buffer_with_properties_intel(cl_context handle, const cl_mem_properties* properties,
                                                   cl_mem_flags flags, size_t size, void* host_pointer) {
  TRY(Context & context, usable_context(handle));
  // This function is older than the error code CL_INVALID_PROPERTY.
  if (auto checked = MemoryProperties::checked(context, properties, true); !checked.ok())
    return fail(CL_INVALID_VALUE, std::move(checked).error().sentence());
  return create_buffer_with_properties(handle, properties, flags, size, host_pointer);
}

Result<cl_mem> import_memory_arm(cl_context handle, cl_mem_flags flags,
                                 const cl_import_properties_arm* properties, void* memory, size_t size) {
  TRY(Context & context, usable_context(handle));
  if (!Device::shares_all_memory())
    return fail(CL_INVALID_OPERATION,
                "memory cannot be imported, because kernels run in another process (HOSTCL_GUEST)");
  if (const cl_mem_flags others = flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " has 0x", others,
                "; CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR do not apply to imported memory");
  flags &= ~cl_mem_flags{CL_MEM_USE_HOST_PTR}; // has no effect
  TRY(const cl_import_properties_arm type, import_type(properties));
  if (!memory) return fail(CL_INVALID_VALUE, "memory is NULL");
  if (type == CL_IMPORT_TYPE_HOST_ARM) return import_host_memory(context, flags, memory, size);
  return import_dma_buf(context, flags, *static_cast<const int*>(memory), size);
}

Result<cl_mem> create_sub_buffer(cl_mem handle, cl_mem_flags flags, cl_buffer_create_type type,
                                 const void* info) {
  TRY(Buffer & parent, object_cast<Buffer>(handle));
  TRY(parent.context().check_not_terminated());
  if (parent.parent())
    return fail(CL_INVALID_MEM_OBJECT,
                "buffer is a sub-buffer; a sub-buffer cannot have sub-buffers of its own");
  TRY(cl_mem_flags all_flags, validate::flags_within(parent, flags));
  if (type != CL_BUFFER_CREATE_TYPE_REGION)
    return fail(CL_INVALID_VALUE, "buffer_create_type is 0x", std::hex, type,
                "; it must be CL_BUFFER_CREATE_TYPE_REGION");
  if (!info) return fail(CL_INVALID_VALUE, "buffer_create_info is NULL");
  const auto& region = *static_cast<const cl_buffer_region*>(info);
  if (region.origin > parent.size() || region.size > parent.size() - region.origin)
    return fail(CL_INVALID_VALUE, "origin ", region.origin, " + size ", region.size,
                " is beyond the buffer's ", parent.size(), " bytes");
  if (region.size == 0)
    return fail(CL_INVALID_BUFFER_SIZE, "buffer_create_info->size is 0; it must be at least 1");
  const auto& devices = parent.context().devices();
  const auto is_aligned = [&](const auto& device) {
    return region.origin % (device->limits().base_address_bits / 8) == 0;
  };
  if (std::ranges::none_of(devices, is_aligned))
    return fail(CL_MISALIGNED_SUB_BUFFER_OFFSET, "origin ", region.origin, " is not a multiple of ",
                devices.front()->limits().base_address_bits / 8, " bytes (CL_DEVICE_MEM_BASE_ADDR_ALIGN)");
  return expose(Buffer::create_within(parent, all_flags, region.origin, region.size));
}

} // namespace hostcl::runtime
