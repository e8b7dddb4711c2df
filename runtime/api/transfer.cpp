// Commands on buffers: read, write, copy, fill, map (OpenCL 3.0 API, 5.2.2 to 5.2.4).
// Declared in runtime/api/api.hpp.

#include "runtime/queue/transfer.hpp"
#include "runtime/api/api.hpp"
#include "runtime/api/destination.hpp"
#include "runtime/memory/buffer.hpp"
#include "runtime/queue/queue.hpp"

namespace hostcl::runtime {

namespace {

Status check_range(const Buffer& buffer, std::size_t offset, std::size_t size, const char* what) {
  if (offset > buffer.size() || size > buffer.size() - offset)
    return fail(CL_INVALID_VALUE, what, " ", offset, " + size ", size, " is beyond the buffer's ",
                buffer.size(), " bytes");
  return {};
}

Status transfer(ToQueue destination, cl_mem handle, HostAccess access, std::size_t offset, std::size_t size,
                void* host) {
  TRY(destination.resolve());
  TRY(Buffer & buffer, memory_for<Buffer>(destination.queue(), handle));
  TRY(destination.check_waits());
  TRY(check_range(buffer, offset, size, "offset"));
  if (!host) return fail(CL_INVALID_VALUE, "ptr is NULL");
  TRY(validate::host_access(buffer, access));
  const bool reads = access == HostAccess::read;
  void* const in_buffer = buffer.data() + offset;
  return destination.take<CopyWork>(reads ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER,
                                    transfer_estimate(size), reads ? host : in_buffer,
                                    reads ? in_buffer : host, size, Keep{Ref<Memory>(buffer)});
}

Status transfer_rect(ToQueue destination, cl_mem handle, HostAccess access, const RectArguments& buffer_rect,
                     const RectArguments& host_rect, void* host) {
  TRY(destination.resolve());
  TRY(Buffer & buffer, memory_for<Buffer>(destination.queue(), handle));
  TRY(destination.check_waits());
  TRY(Rect in_buffer, validate::rect(buffer_rect, buffer.size()));
  TRY(Rect in_host, validate::rect(host_rect));
  if (!host) return fail(CL_INVALID_VALUE, "ptr is NULL");
  TRY(validate::in_address_space(host, in_host));
  TRY(validate::host_access(buffer, access));
  const cl_command_type type =
      access == HostAccess::read ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT;
  return take_host_copy(destination, type, access, buffer, in_buffer, host, in_host);
}

bool same_storage(const Memory& a, const Memory& b) {
  return &a.storage() == &b.storage();
}

} // namespace

Status enqueue_read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void* host, cl_uint count, const cl_event* waits, cl_event* event) {
  return transfer(ToQueue(queue, count, waits, event, blocking), buffer, HostAccess::read, offset, size,
                  host);
}

Status enqueue_write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void* host, cl_uint count, const cl_event* waits,
                            cl_event* event) {
  return transfer(ToQueue(queue, count, waits, event, blocking), buffer, HostAccess::write, offset, size,
                  const_cast<void*>(host));
}

Status enqueue_read_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                size_t host_slice_pitch, void* host, cl_uint count, const cl_event* waits,
                                cl_event* event) {
  return transfer_rect(ToQueue(queue, count, waits, event, blocking), buffer, HostAccess::read,
                       {"buffer_", buffer_origin, region, buffer_row_pitch, buffer_slice_pitch},
                       {"host_", host_origin, region, host_row_pitch, host_slice_pitch}, host);
}

Status enqueue_write_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                 const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                 size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                 size_t host_slice_pitch, const void* host, cl_uint count,
                                 const cl_event* waits, cl_event* event) {
  return transfer_rect(ToQueue(queue, count, waits, event, blocking), buffer, HostAccess::write,
                       {"buffer_", buffer_origin, region, buffer_row_pitch, buffer_slice_pitch},
                       {"host_", host_origin, region, host_row_pitch, host_slice_pitch},
                       const_cast<void*>(host));
}

namespace {

template <class Destination>
Status copy_buffer(Destination destination, cl_mem source_handle, cl_mem target_handle,
                   std::size_t source_offset, std::size_t target_offset, std::size_t size) {
  TRY(destination.resolve());
  TRY(Buffer & source, memory_for<Buffer>(destination.queue(), source_handle));
  TRY(Buffer & target, memory_for<Buffer>(destination.queue(), target_handle));
  TRY(destination.check_waits());
  TRY(check_range(source, source_offset, size, "src_offset"));
  TRY(check_range(target, target_offset, size, "dst_offset"));
  TRY(validate::is_mutable(target));
  const std::byte* from = source.data() + source_offset;
  std::byte* to = target.data() + target_offset;
  if (same_storage(source, target) && from < to + size && to < from + size)
    return fail(CL_MEM_COPY_OVERLAP, "the ", size, " bytes at src_offset ", source_offset,
                " and those at dst_offset ", target_offset, " overlap");
  return destination.template take<CopyWork>(CL_COMMAND_COPY_BUFFER, transfer_estimate(size), to, from, size,
                                             Keep{Ref<Memory>(source), Ref<Memory>(target)});
}

template <class Destination>
Status copy_buffer_rect(Destination destination, cl_mem source_handle, cl_mem target_handle,
                        const RectArguments& source_rect, const RectArguments& target_rect) {
  TRY(destination.resolve());
  TRY(Buffer & source, memory_for<Buffer>(destination.queue(), source_handle));
  TRY(Buffer & target, memory_for<Buffer>(destination.queue(), target_handle));
  TRY(destination.check_waits());
  TRY(Rect from, validate::rect(source_rect, source.size()));
  TRY(Rect to, validate::rect(target_rect, target.size()));
  if (&source == &target && (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch))
    return fail(CL_INVALID_VALUE,
                "src_buffer and dst_buffer are the same, so their pitches must be equal: src_row_pitch is ",
                from.row_pitch, " and dst_row_pitch ", to.row_pitch, ", src_slice_pitch is ",
                from.slice_pitch, " and dst_slice_pitch ", to.slice_pitch);
  TRY(validate::is_mutable(target));
  if (same_storage(source, target) && overlap(from.moved(source.offset()), to.moved(target.offset())))
    return fail(CL_MEM_COPY_OVERLAP, "the regions at src_origin and dst_origin overlap");
  return take_copy(destination, CL_COMMAND_COPY_BUFFER_RECT, target, to, source, from);
}

template <class Destination>
Status fill_buffer(Destination destination, cl_mem handle, const void* pattern, std::size_t pattern_bytes,
                   std::size_t offset, std::size_t size) {
  TRY(destination.resolve());
  TRY(Buffer & buffer, memory_for<Buffer>(destination.queue(), handle));
  TRY(destination.check_waits());
  TRY(check_range(buffer, offset, size, "offset"));
  TRY(validate::fill_pattern(pattern, pattern_bytes));
  if (offset % pattern_bytes || size % pattern_bytes)
    return fail(CL_INVALID_VALUE, "offset ", offset, " or size ", size,
                " is not a multiple of the pattern's ", pattern_bytes, " bytes");
  TRY(validate::is_mutable(buffer));
  return destination.template take<FillWork>(CL_COMMAND_FILL_BUFFER, transfer_estimate(size),
                                             buffer.data() + offset, pattern, pattern_bytes, size,
                                             Keep{Ref<Memory>(buffer)});
}

} // namespace

Status enqueue_copy_buffer(cl_command_queue queue, cl_mem source, cl_mem target, size_t source_offset,
                           size_t target_offset, size_t size, cl_uint count, const cl_event* waits,
                           cl_event* event) {
  return copy_buffer(ToQueue(queue, count, waits, event), source, target, source_offset, target_offset, size);
}

Status command_copy_buffer(cl_command_buffer_khr buffer, cl_command_queue queue,
                           const cl_command_properties_khr* properties, cl_mem source, cl_mem target,
                           size_t source_offset, size_t target_offset, size_t size, cl_uint count,
                           const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                           cl_mutable_command_khr* handle) {
  return copy_buffer(ToCommandBuffer(buffer, queue, properties, count, waits, sync_point, handle), source,
                     target, source_offset, target_offset, size);
}

Status enqueue_copy_buffer_rect(cl_command_queue queue, cl_mem source, cl_mem target,
                                const size_t* source_origin, const size_t* target_origin,
                                const size_t* region, size_t source_row_pitch, size_t source_slice_pitch,
                                size_t target_row_pitch, size_t target_slice_pitch, cl_uint count,
                                const cl_event* waits, cl_event* event) {
  return copy_buffer_rect(ToQueue(queue, count, waits, event), source, target,
                          {"src_", source_origin, region, source_row_pitch, source_slice_pitch},
                          {"dst_", target_origin, region, target_row_pitch, target_slice_pitch});
}

Status command_copy_buffer_rect(cl_command_buffer_khr buffer, cl_command_queue queue,
                                const cl_command_properties_khr* properties, cl_mem source, cl_mem target,
                                const size_t* source_origin, const size_t* target_origin,
                                const size_t* region, size_t source_row_pitch, size_t source_slice_pitch,
                                size_t target_row_pitch, size_t target_slice_pitch, cl_uint count,
                                const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                                cl_mutable_command_khr* handle) {
  return copy_buffer_rect(ToCommandBuffer(buffer, queue, properties, count, waits, sync_point, handle),
                          source, target,
                          {"src_", source_origin, region, source_row_pitch, source_slice_pitch},
                          {"dst_", target_origin, region, target_row_pitch, target_slice_pitch});
}

Status enqueue_fill_buffer(cl_command_queue queue, cl_mem target, const void* pattern, size_t pattern_bytes,
                           size_t offset, size_t size, cl_uint count, const cl_event* waits,
                           cl_event* event) {
  return fill_buffer(ToQueue(queue, count, waits, event), target, pattern, pattern_bytes, offset, size);
}

Status command_fill_buffer(cl_command_buffer_khr buffer, cl_command_queue queue,
                           const cl_command_properties_khr* properties, cl_mem target, const void* pattern,
                           size_t pattern_bytes, size_t offset, size_t size, cl_uint count,
                           const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                           cl_mutable_command_khr* handle) {
  return fill_buffer(ToCommandBuffer(buffer, queue, properties, count, waits, sync_point, handle), target,
                     pattern, pattern_bytes, offset, size);
}

Result<void*> enqueue_map_buffer(cl_command_queue queue_handle, cl_mem handle, cl_bool blocking,
                                 cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                 const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Buffer & buffer, memory_for<Buffer>(queue, handle));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  TRY(check_range(buffer, offset, size, "offset"));
  if (size == 0) return fail(CL_INVALID_VALUE, "size is 0; it must be at least 1");
  TRY(validate::map_flags(flags));
  TRY(validate::map_access(buffer, flags));
  return submit_map(
      queue, {.type = CL_COMMAND_MAP_BUFFER, .waits = list, .event = event, .blocking = blocking != CL_FALSE},
      buffer, Rect::row(offset, size), flags);
}

} // namespace hostcl::runtime
