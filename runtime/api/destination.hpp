#pragma once

// Where a command goes after a function of the API has checked its arguments: into a queue or into a command
// buffer. So clEnqueueCopyBuffer and clCommandCopyBufferKHR share one function template, whose parameter is
// the destination.

#include "runtime/command_buffer/command_buffer.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/queue/transfer.hpp"

#include <memory>
#include <span>

namespace hostcl::runtime {

/// A queue, and the last arguments of an enqueue call.
class ToQueue {
public:
  ToQueue(cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event,
          cl_bool blocking = CL_FALSE)
      : handle_(queue), waits_{waits, count}, event_(event), blocking_(blocking != CL_FALSE) {}

  /// Looks the queue up; called before all other functions. CL_INVALID_COMMAND_QUEUE.
  Status resolve() {
    TRY(Queue & queue, object_cast<Queue>(handle_));
    queue_ = &queue;
    return {};
  }
  Queue& queue() const { return *queue_; }
  Context& context() const { return queue_->context(); }
  /// CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT.
  Status check_waits() {
    TRY(waits_, WaitList::checked(context(), waits_.count, waits_.events));
    return {};
  }
  /// Enqueues a command with the work W(args...). @param estimate expected nanoseconds
  template <class W, class... Args>
  Status take(cl_command_type type, std::uint64_t estimate, Args&&... args) const {
    return queue_->submit<W>(
        {.type = type, .waits = waits_, .event = event_, .blocking = blocking_, .estimate = estimate},
        std::forward<Args>(args)...);
  }

private:
  cl_command_queue handle_;
  WaitList waits_;
  cl_event* event_;
  bool blocking_;
  Queue* queue_ = nullptr;
};

/// A command buffer, and the first and last arguments of a recording call.
class ToCommandBuffer {
public:
  ToCommandBuffer(cl_command_buffer_khr buffer, cl_command_queue queue,
                  const cl_command_properties_khr* properties, cl_uint count, const cl_sync_point_khr* waits,
                  cl_sync_point_khr* sync_point, cl_mutable_command_khr* command)
      : handle_(buffer),
        queue_handle_(queue),
        properties_(properties),
        waits_(waits),
        count_(count),
        sync_point_(sync_point),
        command_(command) {}

  /// Looks command buffer and queue up; called before all other functions. CL_INVALID_COMMAND_BUFFER_KHR,
  /// CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_OPERATION, CL_INVALID_VALUE.
  Status resolve();
  /// The same for a launch, which may have properties and a handle.
  Status resolve_launch();
  CommandBuffer& buffer() const { return *buffer_; }
  Queue& queue() const { return *buffer_->queues()[number_]; }
  Context& context() const { return buffer_->context(); }
  /// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR.
  Status check_waits() const { return buffer_->check_waits(count_, waits_); }
  template <class W, class... Args>
  Status take(cl_command_type, std::uint64_t, Args&&... args) const {
    return buffer_->record(number_, waits(), {std::make_shared<W>(std::forward<Args>(args)...)}, sync_point_);
  }
  Status take_barrier() const { return buffer_->record_barrier(number_, waits(), sync_point_); }
  /// Records a launch whose sizes and arguments have been checked.
  /// @param local_size null if the application gave none
  Status take_launch(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& range,
                     const std::size_t* local_size, DispatchProperties properties) const;

private:
  std::span<const cl_sync_point_khr> waits() const { return {waits_, count_}; }

  cl_command_buffer_khr handle_;
  cl_command_queue queue_handle_;
  const cl_command_properties_khr* properties_;
  const cl_sync_point_khr* waits_;
  cl_uint count_;
  cl_sync_point_khr* sync_point_;
  cl_mutable_command_khr* command_;
  CommandBuffer* buffer_ = nullptr;
  cl_uint number_ = 0; ///< index of the queue
};

/// Copies a rectangle of one memory object to a rectangle of another memory object, or of the same memory object.
template <class Destination>
Status take_copy(const Destination& destination, cl_command_type type, Memory& to, const Rect& to_rect,
                 Memory& from, const Rect& from_rect) {
  return destination.template take<CopyRectWork>(type, transfer_estimate(from_rect.bytes()), to.data(),
                                                 to_rect, from.data(), from_rect,
                                                 Keep{Ref<Memory>(from), Ref<Memory>(to)});
}

/// Enqueues a copy from a rectangle of a memory object to a rectangle in memory of the host (HostAccess::read), or in the
/// other direction (HostAccess::write), in which case the command only reads the memory of the host.
inline Status take_host_copy(const ToQueue& destination, cl_command_type type, HostAccess access,
                             Memory& memory, const Rect& in_memory, void* host, const Rect& in_host) {
  const std::uint64_t estimate = transfer_estimate(in_memory.bytes());
  auto* const host_bytes = static_cast<std::byte*>(host);
  if (access == HostAccess::read)
    return destination.take<CopyRectWork>(type, estimate, host_bytes, in_host, memory.data(), in_memory,
                                          Keep{Ref<Memory>(memory)});
  return destination.take<CopyRectWork>(type, estimate, memory.data(), in_memory, host_bytes, in_host,
                                        Keep{Ref<Memory>(memory)});
}

} // namespace hostcl::runtime
