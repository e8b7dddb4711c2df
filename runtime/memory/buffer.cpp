#include "runtime/memory/buffer.hpp"

#include "runtime/memory/copies.hpp"
#include "runtime/memory/device_addresses.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hostcl::runtime {

namespace {

/// Buffers without initial contents are zeroed up to this size. FFmpeg's tonemap_opencl relies on it for its
/// small tables of counters and indices: with other drivers, such memory is new and therefore zero.
constexpr std::size_t most_cleared_bytes = 64 << 10;

} // namespace

Buffer::Buffer(Context& context, cl_mem_flags flags, std::size_t size, MemoryProperties properties)
    : Memory(destroy_object<Buffer>, context, CL_MEM_OBJECT_BUFFER, flags, size, std::move(properties.list)),
      has_device_address_(properties.device_address) {}

Buffer::~Buffer() {
  if (has_device_address_ && (owns_data() || external())) DeviceAddresses::instance().remove(*this);
}

Result<Ref<Buffer>> Buffer::create(Context& context, cl_mem_flags flags, std::size_t size, void* host_pointer,
                                   MemoryProperties properties) {
  ExternalMemory external;
  if (properties.external) {
    TRY(external, ExternalMemory::map(*properties.external, flags, size, 0, CL_INVALID_BUFFER_SIZE));
  }
  Ref<Buffer> buffer = make_object<Buffer>(context, flags, size, std::move(properties));
  if (external) {
    if (buffer->has_device_address_) DeviceAddresses::instance().add(*buffer, external.data());
    buffer->use(std::move(external));
    return buffer;
  }
  if (flags & CL_MEM_USE_HOST_PTR) buffer->use(host_pointer);
  if (buffer->data()) return buffer;
  TRY(buffer->allocate());
  if (buffer->has_device_address_) DeviceAddresses::instance().add(*buffer, buffer->data());
  if (host_pointer)
    copy_bytes(context.first_device().workers(), buffer->data(), host_pointer, size);
  else if (size <= most_cleared_bytes && !context.fill())
    std::memset(buffer->data(), 0, size);
  return buffer;
}

Ref<Buffer> Buffer::create_within(Buffer& parent, cl_mem_flags flags, std::size_t origin, std::size_t size) {
  Ref<Buffer> buffer = make_object<Buffer>(parent.context(), flags, size,
                                           MemoryProperties{{}, parent.has_device_address_, {}});
  buffer->share(parent, origin);
  return buffer;
}

namespace validate {

namespace {

/// For cl_intel_mem_force_host_memory: memory of the application has to consist of whole cache lines.
Status whole_cache_lines(std::size_t size, const void* host_pointer) {
  const std::size_t line = caches().line_bytes;
  if (std::bit_cast<std::uintptr_t>(host_pointer) % line)
    return fail(CL_INVALID_HOST_PTR, "host_ptr ", host_pointer, " is not a multiple of ", line,
                ", as CL_MEM_FORCE_HOST_MEMORY_INTEL with CL_MEM_USE_HOST_PTR asks for");
  if (size % line)
    return fail(CL_INVALID_BUFFER_SIZE, "size ", size, " is not a multiple of ", line,
                ", as CL_MEM_FORCE_HOST_MEMORY_INTEL with CL_MEM_USE_HOST_PTR asks for");
  return {};
}

} // namespace

Status buffer(const Context& context, const MemoryProperties& properties, cl_mem_flags flags,
              std::size_t size, const void* host_pointer) {
  // CL_MEM_FORCE_HOST_MEMORY_INTEL has no effect, because all memory is the host's.
  TRY(memory_flags(flags & ~cl_mem_flags{CL_MEM_FORCE_HOST_MEMORY_INTEL}));
  TRY(external_flags(flags, properties.external.has_value()));
  TRY(initial_contents(flags, properties.external.has_value()));
  if (size == 0) return fail(CL_INVALID_BUFFER_SIZE, "size is 0; it must be at least 1");
  if (const std::uint64_t limit = context.most(&Device::max_allocation_bytes); size > limit)
    return fail(CL_INVALID_BUFFER_SIZE, "size ", size, " is above CL_DEVICE_MAX_MEM_ALLOC_SIZE, ", limit);
  bool wants_pointer = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  if (wants_pointer != (host_pointer != nullptr))
    return fail(CL_INVALID_HOST_PTR, "host_ptr is ", host_pointer, "; it must ",
                wants_pointer ? "be given, as" : "be NULL, as neither", " CL_MEM_USE_HOST_PTR ",
                wants_pointer ? "or" : "nor", " CL_MEM_COPY_HOST_PTR is in flags");
  if (const std::size_t there = bytes_of_allocation(host_pointer); wants_pointer && size > there)
    return fail(CL_INVALID_BUFFER_SIZE, "size ", size, " is beyond the allocation's ", there,
                " bytes at host_ptr");
  if ((flags & CL_MEM_FORCE_HOST_MEMORY_INTEL) && (flags & CL_MEM_USE_HOST_PTR))
    return whole_cache_lines(size, host_pointer);
  return {};
}

} // namespace validate

} // namespace hostcl::runtime
