// Commands on buffers: read, write, copy, fill, map, migrate (OpenCL 3.0 API, 5.2.2 to 5.2.4, 5.5.2, 5.5.3).

#include "runtime/queue/transfer.hpp"
#include "runtime/api/api.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/queue/queue.hpp"

namespace hostcl::runtime {

namespace {

Result<Memory&> buffer_for(const Queue& queue, cl_mem handle) {
  TRY(Memory & memory, object_cast<Memory>(handle));
  if (&memory.context() != &queue.context())
    return fail(CL_INVALID_CONTEXT, "buffer and command queue belong to different contexts");
  return memory;
}

Status check_range(const Memory& memory, std::size_t offset, std::size_t size, const char* what) {
  if (offset > memory.size() || size > memory.size() - offset)
    return fail(CL_INVALID_VALUE, what, " ", offset, " + size ", size, " is beyond the buffer's ",
                memory.size(), " bytes");
  return {};
}

enum class HostAccess { read, write };

Status check_host_access(const Memory& memory, HostAccess access) {
  cl_mem_flags excluded =
      CL_MEM_HOST_NO_ACCESS | (access == HostAccess::read ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY);
  if (memory.flags() & excluded)
    return fail(CL_INVALID_OPERATION, "the buffer was created without access for the host to ",
                access == HostAccess::read ? "read" : "write", " it");
  return {};
}

// A sub-buffer's origin has been checked against the only alignment there is, so
// CL_MISALIGNED_SUB_BUFFER_OFFSET cannot occur from here on.

Status transfer(cl_command_queue queue_handle, cl_mem handle, cl_bool blocking, std::size_t offset,
                std::size_t size, void* host, HostAccess access, cl_uint count, const cl_event* waits,
                cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Memory & memory, buffer_for(queue, handle));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  TRY(check_range(memory, offset, size, "offset"));
  if (!host) return fail(CL_INVALID_VALUE, "ptr is NULL");
  TRY(check_host_access(memory, access));
  bool reads = access == HostAccess::read;
  void* to = reads ? host : memory.data() + offset;
  const void* from = reads ? memory.data() + offset : host;
  return queue.submit<CopyWork>(
      {.type = static_cast<cl_command_type>(reads ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER),
       .waits = list,
       .event = event,
       .blocking = blocking != CL_FALSE,
       .estimate = transfer_estimate(size)},
      to, from, size, Keep{Ref<Memory>(memory)});
}

struct BoxesOfTransfer {
  BoxArguments buffer, host;
};

Status transfer_box(cl_command_queue queue_handle, cl_mem handle, cl_bool blocking,
                    const BoxesOfTransfer& boxes, void* host, HostAccess access, cl_uint count,
                    const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Memory & memory, buffer_for(queue, handle));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  TRY(Box in_buffer, validate::box(boxes.buffer, memory.size()));
  TRY(Box in_host, validate::box(boxes.host));
  if (!host) return fail(CL_INVALID_VALUE, "ptr is NULL");
  TRY(check_host_access(memory, access));
  auto* host_bytes = static_cast<std::byte*>(host);
  auto submit = [&](cl_command_type type, auto... arguments) {
    return queue.submit<CopyBoxWork>({.type = type,
                                      .waits = list,
                                      .event = event,
                                      .blocking = blocking != CL_FALSE,
                                      .estimate = transfer_estimate(in_buffer.bytes())},
                                     arguments..., Keep{Ref<Memory>(memory)});
  };
  if (access == HostAccess::read)
    return submit(CL_COMMAND_READ_BUFFER_RECT, host_bytes, in_host, memory.data(), in_buffer);
  return submit(CL_COMMAND_WRITE_BUFFER_RECT, memory.data(), in_buffer, host_bytes, in_host);
}

bool same_storage(const Memory& a, const Memory& b) {
  return &a.storage() == &b.storage();
}

} // namespace

Status enqueue_read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void* host, cl_uint count, const cl_event* waits, cl_event* event) {
  return transfer(queue, buffer, blocking, offset, size, host, HostAccess::read, count, waits, event);
}

Status enqueue_write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void* host, cl_uint count, const cl_event* waits,
                            cl_event* event) {
  return transfer(queue, buffer, blocking, offset, size, const_cast<void*>(host), HostAccess::write, count,
                  waits, event);
}

Status enqueue_read_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                size_t host_slice_pitch, void* host, cl_uint count, const cl_event* waits,
                                cl_event* event) {
  return transfer_box(queue, buffer, blocking,
                      {{"buffer_", buffer_origin, region, buffer_row_pitch, buffer_slice_pitch},
                       {"host_", host_origin, region, host_row_pitch, host_slice_pitch}},
                      host, HostAccess::read, count, waits, event);
}

Status enqueue_write_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                 const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                 size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
                                 size_t host_slice_pitch, const void* host, cl_uint count,
                                 const cl_event* waits, cl_event* event) {
  return transfer_box(queue, buffer, blocking,
                      {{"buffer_", buffer_origin, region, buffer_row_pitch, buffer_slice_pitch},
                       {"host_", host_origin, region, host_row_pitch, host_slice_pitch}},
                      const_cast<void*>(host), HostAccess::write, count, waits, event);
}

Status enqueue_copy_buffer(cl_command_queue queue_handle, cl_mem source_handle, cl_mem target_handle,
                           size_t source_offset, size_t target_offset, size_t size, cl_uint count,
                           const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Memory & source, buffer_for(queue, source_handle));
  TRY(Memory & target, buffer_for(queue, target_handle));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  TRY(check_range(source, source_offset, size, "src_offset"));
  TRY(check_range(target, target_offset, size, "dst_offset"));
  const std::byte* from = source.data() + source_offset;
  std::byte* to = target.data() + target_offset;
  if (same_storage(source, target) && from < to + size && to < from + size)
    return fail(CL_MEM_COPY_OVERLAP, size, " bytes from src_offset ", source_offset, " to dst_offset ",
                target_offset, " overlap");
  return queue.submit<CopyWork>(
      {.type = CL_COMMAND_COPY_BUFFER, .waits = list, .event = event, .estimate = transfer_estimate(size)},
      to, from, size, Keep{Ref<Memory>(source), Ref<Memory>(target)});
}

Status enqueue_copy_buffer_rect(cl_command_queue queue_handle, cl_mem source_handle, cl_mem target_handle,
                                const size_t* source_origin, const size_t* target_origin,
                                const size_t* region, size_t source_row_pitch, size_t source_slice_pitch,
                                size_t target_row_pitch, size_t target_slice_pitch, cl_uint count,
                                const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Memory & source, buffer_for(queue, source_handle));
  TRY(Memory & target, buffer_for(queue, target_handle));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  TRY(Box from,
      validate::box({"src_", source_origin, region, source_row_pitch, source_slice_pitch}, source.size()));
  TRY(Box to,
      validate::box({"dst_", target_origin, region, target_row_pitch, target_slice_pitch}, target.size()));
  if (&source == &target && (from.row_pitch != to.row_pitch || from.slice_pitch != to.slice_pitch))
    return fail(CL_INVALID_VALUE, "src_buffer and dst_buffer are the same, and src_row_pitch ",
                from.row_pitch, " is not dst_row_pitch ", to.row_pitch, " or src_slice_pitch ",
                from.slice_pitch, " is not dst_slice_pitch ", to.slice_pitch);
  if (same_storage(source, target) && overlap(from.moved(source.offset()), to.moved(target.offset())))
    return fail(CL_MEM_COPY_OVERLAP, "the region's bytes from src_origin and from dst_origin overlap");
  return queue.submit<CopyBoxWork>({.type = CL_COMMAND_COPY_BUFFER_RECT,
                                    .waits = list,
                                    .event = event,
                                    .estimate = transfer_estimate(from.bytes())},
                                   target.data(), to, source.data(), from,
                                   Keep{Ref<Memory>(source), Ref<Memory>(target)});
}

Status enqueue_fill_buffer(cl_command_queue queue_handle, cl_mem handle, const void* pattern,
                           size_t pattern_bytes, size_t offset, size_t size, cl_uint count,
                           const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Memory & memory, buffer_for(queue, handle));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  TRY(check_range(memory, offset, size, "offset"));
  TRY(validate::fill_pattern(pattern, pattern_bytes));
  if (offset % pattern_bytes || size % pattern_bytes)
    return fail(CL_INVALID_VALUE, "offset ", offset, " or size ", size, " is no multiple of the pattern's ",
                pattern_bytes, " bytes");
  return queue.submit<FillWork>(
      {.type = CL_COMMAND_FILL_BUFFER, .waits = list, .event = event, .estimate = transfer_estimate(size)},
      memory.data() + offset, pattern, pattern_bytes, size, Keep{Ref<Memory>(memory)});
}

namespace {

/// The memory is the host's already; the command only takes part in the order. The region counts as mapped
/// from the call on, and no longer if the command is not enqueued or fails.
class MapWork final : public Work {
public:
  /// @param number set to that of the region, for the caller
  MapWork(Memory& memory, std::size_t offset, std::size_t size, bool writes, std::uint64_t& number)
      : memory_(memory), offset_(offset), size_(size), number_(memory.map(offset, size, writes)) {
    number = number_;
  }
  ~MapWork() override {
    if (number_) memory_->revoke_map(number_);
  }
  MapWork(const MapWork&) = delete;

  bool is_valid() const { return number_ != 0; }
  Error error() const {
    return fail(CL_INVALID_OPERATION, size_, " bytes at offset ", offset_,
                " overlap a region that is mapped for writing as well");
  }
  cl_int run(Queue&) override {
    number_ = 0;
    return CL_COMPLETE;
  }

private:
  Ref<Memory> memory_;
  std::size_t offset_, size_;
  std::uint64_t number_; ///< of the region, until the command has succeeded
};

} // namespace

Result<void*> enqueue_map_buffer(cl_command_queue queue_handle, cl_mem handle, cl_bool blocking,
                                 cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                 const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Memory & memory, buffer_for(queue, handle));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  TRY(check_range(memory, offset, size, "offset"));
  if (size == 0) return fail(CL_INVALID_VALUE, "size is 0");
  TRY(validate::map_flags(flags));
  bool writes = flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
  if (flags & CL_MAP_READ) TRY(check_host_access(memory, HostAccess::read));
  if (writes) TRY(check_host_access(memory, HostAccess::write));
  void* address = memory.data() + offset;
  std::uint64_t number = 0;
  Status status = queue.submit<MapWork>(
      {.type = CL_COMMAND_MAP_BUFFER, .waits = list, .event = event, .blocking = blocking != CL_FALSE},
      memory, offset, size, writes, number);
  if (!status.ok()) {
    memory.revoke_map(number); // a blocking call also fails if a command before the map failed
    return std::move(status).error();
  }
  return address;
}

Status enqueue_unmap_mem_object(cl_command_queue queue_handle, cl_mem handle, void* mapped, cl_uint count,
                                const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Memory & memory, buffer_for(queue, handle));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  if (!memory.has_map(mapped))
    return fail(CL_INVALID_VALUE, "mapped_ptr ", mapped,
                " is not where a region of the memory object is mapped");
  TRY(queue.submit<EmptyWork>({.type = CL_COMMAND_UNMAP_MEM_OBJECT, .waits = list, .event = event},
                              std::vector{Ref<Memory>(memory)}));
  memory.unmap(mapped); // not before the command is enqueued, which may fail
  return {};
}

Status enqueue_migrate_mem_objects(cl_command_queue queue_handle, cl_uint memory_count, const cl_mem* handles,
                                   cl_mem_migration_flags flags, cl_uint count, const cl_event* waits,
                                   cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  if (!memory_count || !handles) return fail(CL_INVALID_VALUE, "num_mem_objects is 0 or mem_objects is NULL");
  std::vector<Ref<Memory>> keep;
  for (cl_uint i = 0; i < memory_count; ++i) {
    TRY(Memory & memory, buffer_for(queue, handles[i]));
    keep.push_back(Ref<Memory>(memory));
  }
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  if (flags & ~cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED})
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags, " have unknown bits");
  return queue.submit<EmptyWork>({.type = CL_COMMAND_MIGRATE_MEM_OBJECTS, .waits = list, .event = event},
                                 std::move(keep));
}

} // namespace hostcl::runtime
