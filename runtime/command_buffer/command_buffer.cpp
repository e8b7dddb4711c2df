#include "runtime/command_buffer/command_buffer.hpp"

#include "runtime/launch/launch_geometry.hpp"
#include "runtime/queue/kernel_work.hpp"
#include "runtime/queue/transfer.hpp"

#include <algorithm>
#include <unordered_map>

namespace hostcl::runtime {

CommandBuffer::CommandBuffer(std::vector<Ref<Queue>> queues, Properties properties)
    : HandleObject(destroy_object<CommandBuffer>),
      queues_(std::move(queues)),
      properties_(std::move(properties)),
      recording_(Ref<Recording>::adopt(new Recording(queues_.size()))) {}

CommandBuffer::~CommandBuffer() {
  for (MutableCommand* command : commands_) {
    command->drop_application_reference();
    command->release();
  }
}

bool CommandBuffer::asserts_groups() const {
  return properties_.asserts & CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
}

cl_command_buffer_state_khr CommandBuffer::state() const {
  std::scoped_lock guard(mutex_);
  if (stage_ != Stage::finalized) return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
  return recording_->is_complete() ? CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR
                                   : CL_COMMAND_BUFFER_STATE_FINALIZED_KHR;
}

// ---- Recording

Result<cl_uint> CommandBuffer::queue_number(cl_command_queue handle) const {
  if (!handle && queues_.size() == 1) return 0u;
  if (!handle)
    return fail(CL_INVALID_COMMAND_QUEUE, "command_queue is NULL; it must name one of the command buffer's ",
                queues_.size(), " queues");
  for (cl_uint i = 0; i < queues_.size(); ++i)
    if (queues_[i]->handle() == handle) return i;
  TRY(Queue & queue, object_cast<Queue>(handle));
  if (&queue.context() != &context())
    return fail(CL_INVALID_CONTEXT, "command_queue and the command buffer belong to different contexts");
  return fail(CL_INVALID_COMMAND_QUEUE, "command_queue is not one of the queues of the command buffer");
}

Status CommandBuffer::check_recording() const {
  std::scoped_lock guard(mutex_);
  if (stage_ == Stage::recording) return {};
  return fail(CL_INVALID_OPERATION, "the command buffer has been finalized");
}

/// check_executable() with the lock held.
Status CommandBuffer::check_stage() const {
  if (stage_ != Stage::finalized)
    return fail(CL_INVALID_OPERATION,
                "the command buffer has not been finalized (clFinalizeCommandBufferKHR)");
  if (!recording_->is_complete())
    return fail(CL_INVALID_OPERATION, "the command buffer is not executable: a recorded launch has arguments "
                                      "that have not been set (clUpdateMutableCommandsKHR)");
  return {};
}

Status CommandBuffer::check_executable() const {
  std::scoped_lock guard(mutex_);
  return check_stage();
}

Status CommandBuffer::check_waits(cl_uint count, const cl_sync_point_khr* points) const {
  if (!count != !points)
    return fail(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "num_sync_points_in_wait_list is ", count,
                " and sync_point_wait_list is ", static_cast<const void*>(points),
                "; either both or none must be given");
  std::scoped_lock guard(mutex_);
  const cl_sync_point_khr last = recording_->last_point();
  for (cl_uint i = 0; i < count; ++i)
    if (points[i] == 0 || points[i] > last)
      return fail(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "sync_point_wait_list[", i, "] is ", points[i],
                  ", which is not a sync point of the command buffer's ", last, " commands");
  return {};
}

namespace {

/// Sync points are 32-bit numbers, one for each command. Fails if all numbers are used.
Status check_room(const Recording& recording) {
  if (recording.last_point() != ~cl_sync_point_khr{0}) return {};
  return fail(CL_OUT_OF_RESOURCES, "the command buffer has ", recording.last_point(),
              " commands, which is the most");
}

} // namespace

Status CommandBuffer::record(cl_uint queue, std::span<const cl_sync_point_khr> waits, Recording::Step step,
                             cl_sync_point_khr* sync_point) {
  return record(queue, waits, std::move(step), sync_point, {}, nullptr);
}

Status CommandBuffer::record(cl_uint queue, std::span<const cl_sync_point_khr> waits, Recording::Step step,
                             cl_sync_point_khr* sync_point, Ref<MutableCommand> command,
                             cl_mutable_command_khr* handle) {
  std::scoped_lock guard(mutex_);
  if (stage_ != Stage::recording)
    return fail(CL_INVALID_OPERATION, "another thread has finalized the command buffer");
  TRY(check_room(*recording_));
  if (command) commands_.push_back(command.get());
  try {
    const Recording::Place place = recording_->add(queue, waits, std::move(step));
    if (command) command->set_place(place);
  } catch (...) {
    if (command) commands_.pop_back();
    throw;
  }
  if (command) *handle = expose(std::move(command));
  if (sync_point) *sync_point = recording_->last_point();
  return {};
}

Status CommandBuffer::record_barrier(cl_uint queue, std::span<const cl_sync_point_khr> waits,
                                     cl_sync_point_khr* sync_point) {
  std::scoped_lock guard(mutex_);
  if (stage_ != Stage::recording)
    return fail(CL_INVALID_OPERATION, "another thread has finalized the command buffer");
  TRY(check_room(*recording_));
  recording_->add_barrier(queue, waits);
  if (sync_point) *sync_point = recording_->last_point();
  return {};
}

Status CommandBuffer::finalize() {
  {
    std::scoped_lock guard(mutex_);
    if (stage_ != Stage::recording)
      return fail(CL_INVALID_OPERATION, "the command buffer has been finalized already");
    stage_ = Stage::closed;
  }
  // Without the lock, because the application's callback is called for a kernel that cannot be compiled. No
  // other thread changes the recording in this stage.
  cl_int status = CL_SUCCESS;
  const auto& segments = recording_->segments();
  try {
    for (std::size_t i = 0; i < segments.size() && status == CL_SUCCESS; ++i)
      status = recording_->prepare(i, *queues_[segments[i].queue]);
  } catch (...) { // out of memory
    std::scoped_lock guard(mutex_);
    stage_ = Stage::recording;
    throw;
  }
  std::scoped_lock guard(mutex_);
  stage_ = status == CL_SUCCESS ? Stage::finalized : Stage::recording;
  if (status == CL_SUCCESS) return {};
  return fail(status, "a recorded kernel cannot be compiled; HOSTCL_LOG=error says why");
}

// ---- Enqueueing

Status CommandBuffer::enqueue_segment(Queue& queue, const Ref<Recording>& recording, std::size_t segment,
                                      WaitList waits, cl_event* event, Event* made, Ref<Event> whole) {
  const bool enqueues = recording->segments()[segment].enqueues;
  // A thread that waits for another event must not begin a launch of a kernel that enqueues kernels (see
  // clEnqueueNDRangeKernel() in runtime/api/kernel.cpp), and so must not begin a segment with such a launch. An unknown
  // estimate has this effect.
  const std::uint64_t estimate =
      enqueues && !queue.is_in_order() ? Queue::unknown : recording->estimate(segment);
  return queue.submit<ReplayWork>({.type = CL_COMMAND_COMMAND_BUFFER_KHR,
                                   .waits = waits,
                                   .event = event,
                                   .made = made,
                                   .estimate = estimate},
                                  recording, segment, std::move(whole),
                                  enqueues ? queue.context().device_queues().default_for(queue.device())
                                           : Ref<DeviceQueue>());
}

Status CommandBuffer::enqueue(std::span<const Ref<Queue>> queues, WaitList waits, cl_event* event) {
  Ref<Recording> recording;
  {
    std::scoped_lock guard(mutex_);
    TRY(check_stage());
    recording = recording_;
  }
  const auto& segments = recording->segments();
  if (queues.size() == 1 && segments.empty())
    return queues[0]->submit<EmptyWork>(
        {.type = CL_COMMAND_COMMAND_BUFFER_KHR, .waits = waits, .event = event});
  if (queues.size() == 1 && segments.size() == 1)
    return enqueue_segment(*queues[0], recording, 0, waits, event);
  const Event::SeveralQueues several{
      .are_several = queues.size() > 1,
      .profiled = std::ranges::any_of(queues, [](const auto& queue) { return queue->is_profiled(); })};
  const Ref<Event> whole = make_object<Event>(*queues[0], CL_COMMAND_COMMAND_BUFFER_KHR, several);
  TRY(enqueue_several(queues, recording, waits, *whole));
  if (event) *event = expose(Ref<Event>(*whole));
  return {};
}

namespace {

void CL_CALLBACK tell_running(cl_event, cl_int status, void* whole) {
  const auto event = Ref<Event>::adopt(static_cast<Event*>(whole));
  if (status >= CL_COMPLETE) event->advance(CL_RUNNING);
}

/// The last command of a command buffer whose segments are commands of their own.
class EndWork final : public Work {
public:
  explicit EndWork(std::vector<Ref<Event>> parts) : parts_(std::move(parts)) {}
  cl_int run(Queue&) override { return CL_COMPLETE; }
  void append_parts(std::vector<Ref<Event>>& parts) const override {
    parts.insert(parts.end(), parts_.begin(), parts_.end());
  }

private:
  std::vector<Ref<Event>> parts_; ///< events of the segments
};

/// Advances the event of the whole command buffer to CL_RUNNING as soon as the event of the given segment is
/// CL_RUNNING.
void runs_with(Event& whole, Event& part) {
  Ref<Event> reference(whole);
  part.add_callback(CL_RUNNING, tell_running, reference.get());
  reference.detach();
}

} // namespace

/// Enqueues each segment as a command of its queue, and a last command whose event is that of the whole command buffer.
/// No segment begins before all of them have been enqueued: if there is no memory for one segment, the segments before
/// it end with an error.
Status CommandBuffer::enqueue_several(std::span<const Ref<Queue>> queues, const Ref<Recording>& recording,
                                      WaitList waits, Event& whole) {
  const Ref<Event> gate = make_object<Event>(context());
  try {
    if (Status status = enqueue_after(*gate, queues, recording, waits, whole); !status.ok()) {
      gate->set_user_status(CL_OUT_OF_RESOURCES);
      return status;
    }
  } catch (...) {
    gate->set_user_status(CL_OUT_OF_HOST_MEMORY);
    throw;
  }
  gate->set_user_status(CL_COMPLETE);
  // A later call for one queue would not flush the others.
  for (const Ref<Queue>& queue : queues)
    queue->flush();
  return {};
}

Status CommandBuffer::enqueue_after(Event& gate, std::span<const Ref<Queue>> queues,
                                    const Ref<Recording>& recording, WaitList waits, Event& whole) {
  std::vector<Ref<Event>> parts;
  std::vector<cl_event> awaited;
  const auto begin_list = [&] {
    awaited.assign(waits.events, waits.events + waits.count);
    awaited.push_back(gate.handle());
  };
  const auto list = [&] { return WaitList{awaited.data(), static_cast<cl_uint>(awaited.size())}; };
  for (std::size_t i = 0; const Recording::Segment& segment : recording->segments()) {
    begin_list();
    for (std::uint32_t before : segment.after)
      awaited.push_back(parts[before]->handle());
    Queue& queue = *queues[segment.queue];
    Event& part = *parts.emplace_back(make_object<Event>(queue, CL_COMMAND_COMMAND_BUFFER_KHR));
    TRY(enqueue_segment(queue, recording, i++, list(), nullptr, &part, Ref<Event>(whole)));
    if (segment.after.empty()) runs_with(whole, part); // the other segments run after these
  }
  begin_list();
  for (const Ref<Event>& part : parts)
    awaited.push_back(part->handle());
  return queues[0]->submit<EndWork>({.type = CL_COMMAND_COMMAND_BUFFER_KHR, .waits = list(), .made = &whole},
                                    std::move(parts));
}

// ---- Updates

Result<MutableCommand&> CommandBuffer::command(cl_mutable_command_khr handle) const {
  TRY(MutableCommand & command, object_cast<MutableCommand>(handle));
  if (&command.buffer() == this) return command;
  return fail(CL_INVALID_MUTABLE_COMMAND_KHR, "mutable command ", static_cast<const void*>(handle),
              " belongs to another command buffer");
}

DispatchState CommandBuffer::state_of(const MutableCommand& command) const {
  std::scoped_lock guard(mutex_);
  return command.state();
}

Status CommandBuffer::update(std::span<const MutableDispatchConfig* const> configs) {
  struct Change {
    MutableCommand* command;
    DispatchState state;
    Recording::Step step;
  };
  // Declared before the lock is acquired, so that what the update replaces is released after the lock.
  Ref<Recording> replaced;
  std::vector<Change> changes;
  std::scoped_lock guard(mutex_);
  if (stage_ != Stage::finalized)
    return fail(CL_INVALID_OPERATION,
                "the command buffer has not been finalized (clFinalizeCommandBufferKHR)");
  std::unordered_map<MutableCommand*, std::size_t> change_of;
  for (const MutableDispatchConfig* config : configs) {
    TRY(MutableCommand & target, command(config->command));
    const auto [known, is_new] = change_of.try_emplace(&target, changes.size());
    if (is_new) changes.push_back({&target, target.state(), {}});
    Change& change = changes[known->second];
    TRY(change.state, target.changed(change.state, *config));
  }
  for (Change& change : changes) {
    const MutableCommand& command = *change.command;
    const bool same_arguments = change.state.arguments.get() == command.state().arguments.get();
    const RecordedLaunch* before = same_arguments ? recording_->at(command.place()).launch : nullptr;
    TRY(change.step, command.step(change.state, before));
  }
  if (recording_->is_shared())
    replaced = std::exchange(recording_, Ref<Recording>::adopt(new Recording(*recording_)));
  for (Change& change : changes) {
    change.step = recording_->replace(change.command->place(), std::move(change.step));
    change.command->set_state(change.state);
  }
  return {};
}

// ---- Remapping

/// The step for another queue, which may belong to another device.
Result<Recording::Step> CommandBuffer::step_for(const Recording::Step& step, Queue& queue) {
  if (!step.launch) {
    const auto memory = step.work ? step.work->memory() : std::span<const Ref<Memory>>();
    for (const Ref<Memory>& object : memory)
      if (object) TRY(validate::usable_on(queue.device(), *object));
    return step;
  }
  const RecordedLaunch& launch = *step.launch;
  const LaunchRecord& record = launch.record();
  TRY(const Kernel::Code& code, code_for(queue, launch.kernel()));
  TRY(record.check_memory(queue.device()));
  const abi::NDRange& was = record.range();
  TRY(abi::NDRange range,
      checked_nd_range(queue.device(), launch.kernel(), record.local_bytes(), code.uniform_groups,
                       was.work_dim, was.global_offset, was.global_size,
                       launch.chooses_local() ? nullptr : was.local_size));
  auto remapped = std::make_shared<RecordedLaunch>(launch, code, range, launch.chooses_local());
  return Recording::Step{remapped, remapped.get()};
}

Result<Ref<CommandBuffer>> CommandBuffer::remapped(std::vector<Ref<Queue>> queues,
                                                   std::span<const cl_mutable_command_khr> handles,
                                                   cl_mutable_command_khr* new_handles) {
  // Commands of one queue stay in one queue, because they depend on each other.
  std::vector<cl_uint> new_queues;
  for (std::size_t i = 0; i < queues_.size(); ++i)
    new_queues.push_back(static_cast<cl_uint>(i % queues.size()));
  const Ref<CommandBuffer> made = make_object<CommandBuffer>(std::move(queues), properties_);
  std::vector<Ref<MutableCommand>> commands;
  std::unordered_map<const MutableCommand*, std::size_t> number_of;
  std::scoped_lock guard(mutex_);
  if (stage_ == Stage::closed)
    return fail(CL_INVALID_OPERATION, "another thread is finalizing the command buffer");
  made->stage_ = stage_;
  made->recording_ = Ref<Recording>::adopt(new Recording(*recording_, new_queues, made->queues_.size()));
  const auto& segments = made->recording_->segments();
  for (std::uint32_t i = 0; i < segments.size(); ++i)
    for (std::uint32_t j = 0; j < segments[i].steps.size(); ++j) {
      TRY(Recording::Step step, step_for(segments[i].steps[j], *made->queues_[segments[i].queue]));
      made->recording_->replace({i, j}, std::move(step));
    }
  for (cl_mutable_command_khr handle : handles) {
    TRY(MutableCommand & original, command(handle));
    const auto [known, is_new] = number_of.try_emplace(&original, commands.size());
    if (is_new) commands.push_back(make_object<MutableCommand>(original, *made, new_queues));
  }
  made->commands_.reserve(commands.size());
  for (Ref<MutableCommand>& command : commands) {
    made->commands_.push_back(command.get());
    expose(std::move(command));
  }
  for (cl_mutable_command_khr handle : handles)
    *new_handles++ = made->commands_[number_of[static_cast<MutableCommand*>(handle)]]->handle();
  return made;
}

// ---- Queries

namespace {

using C = Rows<CommandBuffer>;
std::size_t queue_count(const CommandBuffer& buffer) {
  return buffer.queues().size();
}
std::vector<cl_command_queue> queue_list(const CommandBuffer& buffer) {
  std::vector<cl_command_queue> handles;
  for (const Ref<Queue>& queue : buffer.queues())
    handles.push_back(queue->handle());
  return handles;
}
const std::vector<cl_command_buffer_properties_khr>& property_list(const CommandBuffer& buffer) {
  return buffer.properties().list;
}
cl_context context_of(const CommandBuffer& buffer) {
  return buffer.context().handle();
}

constexpr Row<CommandBuffer> rows[] = {
    C::value<cl_uint, queue_count>(CL_COMMAND_BUFFER_NUM_QUEUES_KHR),
    C::array<queue_list>(CL_COMMAND_BUFFER_QUEUES_KHR),
    C::value<cl_uint, &CommandBuffer::reference_count>(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR),
    C::value<cl_command_buffer_state_khr, &CommandBuffer::state>(CL_COMMAND_BUFFER_STATE_KHR),
    C::array<property_list>(CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR),
    C::value<cl_context, context_of>(CL_COMMAND_BUFFER_CONTEXT_KHR),
};

} // namespace

Status CommandBuffer::info(cl_command_buffer_info_khr name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
