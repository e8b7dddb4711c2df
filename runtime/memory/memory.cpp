#include "runtime/memory/memory.hpp"

#include "runtime/memory/device_addresses.hpp"
#include "runtime/memory/pages.hpp"
#include "runtime/memory/svm.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace hostcl::runtime {

namespace {

constexpr std::size_t page_bytes = 4096;

constexpr cl_mem_flags kernel_access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags host_access = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags host_storage = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

bool at_most_one(cl_mem_flags flags) {
  return (flags & (flags - 1)) == 0;
}

std::atomic<std::uint64_t> last_identity{0};

} // namespace

Memory::Memory(Context& context, cl_mem_flags flags, std::size_t size)
    : HandleObject(destroy_object<Memory>), context_(Ref<Context>(context)), flags_(flags), size_(size) {
  identity_.store(last_identity.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

Memory::~Memory() {
  destructor_callbacks_.call(handle()); // before the storage goes (OpenCL 3.0 API, 5.5.1)
  if (!owns_data_) return;
  if (has_device_address_) DeviceAddresses::instance().remove(*this);
  free_pages(data_);
  context_->unreserve_memory(size_);
}

Result<Ref<Memory>> Memory::buffer(Context& context, cl_mem_flags flags, std::size_t size, void* host_pointer,
                                   BufferProperties properties) {
  if (!(flags & kernel_access)) flags |= CL_MEM_READ_WRITE;
  Ref<Memory> memory = make_object<Memory>(context, flags, size);
  memory->properties_ = std::move(properties.list);
  memory->has_device_address_ = properties.device_address;
  if (flags & CL_MEM_USE_HOST_PTR) {
    memory->host_pointer_ = host_pointer;
    memory->data_ = static_cast<std::byte*>(host_pointer);
    memory->is_svm_ = Allocations::instance().find(host_pointer).traits.kind == AllocationKind::svm;
    return memory;
  }
  if (!context.reserve_memory(size))
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, size, " bytes are more than the device has left");
  memory->data_ = allocate_pages(size, page_bytes);
  if (!memory->data_) {
    context.unreserve_memory(size);
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "cannot allocate ", size, " bytes");
  }
  memory->owns_data_ = true;
  if (memory->has_device_address_) DeviceAddresses::instance().add(*memory);
  if (flags & CL_MEM_COPY_HOST_PTR)
    copy_bytes(context.first_device().workers(), memory->data_, host_pointer, size);
  return memory;
}

Ref<Memory> Memory::sub_buffer(Memory& parent, cl_mem_flags flags, std::size_t origin, std::size_t size) {
  Ref<Memory> memory = make_object<Memory>(parent.context(), flags, size);
  memory->parent_ = Ref<Memory>(parent);
  memory->offset_ = origin;
  memory->data_ = parent.data() + origin;
  if (parent.host_pointer()) memory->host_pointer_ = static_cast<std::byte*>(parent.host_pointer()) + origin;
  memory->is_svm_ = parent.is_svm();
  memory->has_device_address_ = parent.has_device_address_;
  return memory;
}

std::uint64_t Memory::map(std::size_t offset, std::size_t size, bool writes) {
  std::scoped_lock guard(lock_);
  auto conflicts = [&](const Mapping& other) {
    return writes && other.writes && offset < other.end && other.first < offset + size;
  };
  if (std::ranges::any_of(mappings_, conflicts)) return 0;
  mappings_.push_back({offset, offset + size, writes, ++last_map_});
  return last_map_;
}

void Memory::revoke_map(std::uint64_t number) {
  std::scoped_lock guard(lock_);
  std::erase_if(mappings_, [&](const Mapping& mapping) { return mapping.number == number; });
}

bool Memory::has_map(const void* address) const {
  std::scoped_lock guard(lock_);
  return std::ranges::any_of(mappings_, [&](const Mapping& m) { return data_ + m.first == address; });
}

void Memory::unmap(const void* address) {
  std::scoped_lock guard(lock_);
  auto begins = [&](const Mapping& mapping) { return data_ + mapping.first == address; };
  auto found = std::find_if(mappings_.rbegin(), mappings_.rend(), begins);
  if (found != mappings_.rend()) mappings_.erase(std::prev(found.base()));
}

bool Memory::clear(std::byte* first, std::size_t bytes) {
  if (parent_) return parent_->clear(first, bytes);
  if (!owns_data_ || !clear_pages(first, bytes, !was_cleared_)) return false;
  was_cleared_ = true;
  return true;
}

cl_uint Memory::map_count() const {
  std::scoped_lock guard(lock_);
  return static_cast<cl_uint>(mappings_.size());
}

namespace validate {

Status buffer_flags(cl_mem_flags flags) {
  constexpr cl_mem_flags known = kernel_access | host_access | host_storage;
  if (flags & ~known) return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " has unknown bits");
  if (!at_most_one(flags & kernel_access))
    return fail(CL_INVALID_VALUE, "flags names more than one of READ_WRITE, READ_ONLY and WRITE_ONLY");
  if (!at_most_one(flags & host_access))
    return fail(CL_INVALID_VALUE, "flags names more than one of the CL_MEM_HOST_* accesses");
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return fail(CL_INVALID_VALUE,
                "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR");
  return {};
}

Status buffer(const Context& context, cl_mem_flags flags, std::size_t size, const void* host_pointer) {
  TRY(buffer_flags(flags));
  if (size == 0) return fail(CL_INVALID_BUFFER_SIZE, "size is 0");
  std::uint64_t limit = 0;
  for (const auto& device : context.devices())
    limit = std::max(limit, device->max_allocation_bytes());
  if (size > limit)
    return fail(CL_INVALID_BUFFER_SIZE, "size ", size, " is above CL_DEVICE_MAX_MEM_ALLOC_SIZE, ", limit);
  bool wants_pointer = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  if (wants_pointer != (host_pointer != nullptr))
    return fail(CL_INVALID_HOST_PTR, "host_ptr is ", host_pointer, ", flags ",
                wants_pointer ? "need it" : "do not use it");
  if (wants_pointer) {
    auto allocation = Allocations::instance().find(host_pointer);
    auto offset =
        static_cast<const std::byte*>(host_pointer) - static_cast<const std::byte*>(allocation.first);
    if (allocation.first && size > allocation.bytes - static_cast<std::size_t>(offset))
      return fail(CL_INVALID_BUFFER_SIZE, "size ", size, " is beyond the allocation's ", allocation.bytes,
                  " bytes at host_ptr");
  }
  return {};
}

Result<cl_mem_flags> sub_buffer_flags(const Memory& parent, cl_mem_flags flags) {
  constexpr cl_mem_flags known = kernel_access | host_access;
  if (flags & ~known)
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " has bits that a sub-buffer cannot have");
  if (!at_most_one(flags & kernel_access) || !at_most_one(flags & host_access))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " contradict each other");
  cl_mem_flags of_parent = parent.flags();
  if (((of_parent & CL_MEM_WRITE_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) ||
      ((of_parent & CL_MEM_READ_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) ||
      ((of_parent & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY)) ||
      ((of_parent & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY)) ||
      ((of_parent & CL_MEM_HOST_NO_ACCESS) && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))))
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " allow more than the buffer's 0x", of_parent);
  if (!(flags & kernel_access)) flags |= of_parent & kernel_access;
  if (!(flags & host_access)) flags |= of_parent & host_access;
  return flags | (of_parent & host_storage);
}

} // namespace validate

namespace {

using M = Rows<Memory>;
cl_context context_of(const Memory& m) {
  return m.context().handle();
}
cl_mem parent_of(const Memory& m) {
  return m.parent() ? m.parent()->handle() : nullptr;
}
void* host_pointer_of(const Memory& m) {
  return m.host_pointer();
}

/// One address for each device; they are all the host's.
Status device_addresses(const Memory& m, Answer& answer) {
  if (!m.has_device_address())
    return fail(CL_INVALID_OPERATION,
                "the buffer was created without the property CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
  std::vector<cl_mem_device_address_ext> addresses(
      m.context().devices().size(),
      static_cast<cl_mem_device_address_ext>(reinterpret_cast<std::uintptr_t>(m.data())));
  return answer.array(std::span<const cl_mem_device_address_ext>(addresses));
}

constexpr Row<Memory> rows[] = {
    M::constant<cl_mem_object_type, CL_MEM_OBJECT_BUFFER>(CL_MEM_TYPE),
    M::value<cl_mem_flags, &Memory::flags>(CL_MEM_FLAGS),
    M::value<std::size_t, &Memory::size>(CL_MEM_SIZE),
    M::value<void*, host_pointer_of>(CL_MEM_HOST_PTR),
    M::value<cl_uint, &Memory::map_count>(CL_MEM_MAP_COUNT),
    M::value<cl_uint, &Memory::reference_count>(CL_MEM_REFERENCE_COUNT),
    M::value<cl_context, context_of>(CL_MEM_CONTEXT),
    M::value<cl_mem, parent_of>(CL_MEM_ASSOCIATED_MEMOBJECT),
    M::value<std::size_t, &Memory::offset>(CL_MEM_OFFSET),
    M::value<cl_bool, &Memory::is_svm>(CL_MEM_USES_SVM_POINTER),
    M::array<&Memory::properties>(CL_MEM_PROPERTIES),
    {CL_MEM_DEVICE_ADDRESS_EXT, device_addresses},
};

} // namespace

Status Memory::info(cl_mem_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
