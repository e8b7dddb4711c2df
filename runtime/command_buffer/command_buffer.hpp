#pragma once

// Command buffers (cl_khr_command_buffer, OpenCL 3.0 API, 5.17): lists of commands that are recorded once and
// enqueued any number of times.

#include "runtime/command_buffer/mutable_command.hpp"
#include "runtime/command_buffer/recording.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/queue/queue.hpp"

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace hostcl::runtime {

/// A command buffer. The application owns it. Runs use its Recording, so it may be released or updated while
/// they run. Any thread may call its methods.
class CommandBuffer
    : public HandleObject<_cl_command_buffer_khr, Kind::command_buffer, CL_INVALID_COMMAND_BUFFER_KHR> {
public:
  struct Properties {
    cl_command_buffer_flags_khr flags = 0;
    cl_mutable_dispatch_asserts_khr asserts = 0;
    std::vector<cl_command_buffer_properties_khr> list; ///< the list as given, with the 0 at the end
  };
  /// @param queues at least one; all belong to one context
  CommandBuffer(std::vector<Ref<Queue>> queues, Properties properties);
  ~CommandBuffer();

  /// Properties of the queues that a command buffer may be enqueued in.
  static constexpr cl_command_queue_properties supported_queue_properties =
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

  Context& context() const { return queues_.front()->context(); }
  const std::vector<Ref<Queue>>& queues() const { return queues_; }
  const Properties& properties() const { return properties_; }
  bool is_mutable() const { return properties_.flags & CL_COMMAND_BUFFER_MUTABLE_KHR; }
  /// Whether the application asserts that no update adds work-groups to a launch.
  bool asserts_groups() const;
  cl_command_buffer_state_khr state() const;

  /// The index of a queue in queues(). NULL stands for the only queue. Errors: CL_INVALID_COMMAND_QUEUE,
  /// CL_INVALID_CONTEXT.
  Result<cl_uint> queue_number(cl_command_queue handle) const;
  /// CL_INVALID_OPERATION if commands can no longer be recorded.
  Status check_recording() const;
  /// CL_INVALID_OPERATION if it cannot be enqueued.
  Status check_executable() const;
  /// CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if a sync point does not exist.
  Status check_waits(cl_uint count, const cl_sync_point_khr* points) const;

  /// Records a command. @param sync_point set to the sync point of the command, unless null
  Status record(cl_uint queue, std::span<const cl_sync_point_khr> waits, Recording::Step step,
                cl_sync_point_khr* sync_point);
  Status record_barrier(cl_uint queue, std::span<const cl_sync_point_khr> waits,
                        cl_sync_point_khr* sync_point);
  /// Records a launch that the application gets a handle for. @param command its place is set here
  Status record(cl_uint queue, std::span<const cl_sync_point_khr> waits, Recording::Step step,
                cl_sync_point_khr* sync_point, Ref<MutableCommand> command, cl_mutable_command_khr* handle);

  /// clFinalizeCommandBufferKHR(): has machine code made for all launches.
  Status finalize();
  /// clEnqueueCommandBufferKHR(). @param queues one for each queue of the command buffer
  Status enqueue(std::span<const Ref<Queue>> queues, WaitList waits, cl_event* event);

  /// clUpdateMutableCommandsKHR(): makes all of the changes, or none. The command buffer must be mutable.
  Status update(std::span<const MutableDispatchConfig* const> configs);
  /// clRemapCommandBufferKHR(). @param queues any number of queues of the context; they replace the queues of
  /// the command buffer in turn
  Result<Ref<CommandBuffer>> remapped(std::vector<Ref<Queue>> queues,
                                      std::span<const cl_mutable_command_khr> handles,
                                      cl_mutable_command_khr* new_handles);

  /// The command of a handle: CL_INVALID_MUTABLE_COMMAND_KHR if it is not in this command buffer.
  Result<MutableCommand&> command(cl_mutable_command_khr handle) const;
  /// The sizes and arguments of a command after the last update.
  DispatchState state_of(const MutableCommand& command) const;

  Status info(cl_command_buffer_info_khr name, Answer answer) const;

private:
  Status check_stage() const;
  /// Enqueues a segment of a recording as one command of its queue.
  static Status enqueue_segment(Queue& queue, const Ref<Recording>& recording, std::size_t segment,
                                WaitList waits, cl_event* event, Event* made = nullptr,
                                Ref<Event> whole = {});
  Status enqueue_several(std::span<const Ref<Queue>> queues, const Ref<Recording>& recording, WaitList waits,
                         Event& whole);
  static Status enqueue_after(Event& gate, std::span<const Ref<Queue>> queues,
                              const Ref<Recording>& recording, WaitList waits, Event& whole);
  static Result<Recording::Step> step_for(const Recording::Step& step, Queue& queue);

  std::vector<Ref<Queue>> queues_;
  Properties properties_;
  mutable std::mutex mutex_; ///< guards the members below, and the states of the mutable commands
  /// While launches are compiled, the state of the API is still `recording`, but no command can be recorded:
  /// `closed`.
  enum class Stage { recording, closed, finalized } stage_ = Stage::recording;
  Ref<Recording> recording_;
  std::vector<MutableCommand*> commands_; ///< commands with handles; each holds the application's reference
};

} // namespace hostcl::runtime
