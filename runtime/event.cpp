#include "runtime/event.hpp"

#include "runtime/queue.hpp"

#include <algorithm>
#include <ctime>
#include <mutex>

namespace hostcl::runtime {

std::uint64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
}

Event::Event(Queue& queue, cl_command_type type)
    : HandleObject(destroy_object<Event>),
      context_(Ref<Context>(queue.context())),
      queue_(Ref<Queue>(queue)),
      type_(type),
      status_(CL_QUEUED),
      profiled_(queue.is_profiled()) {
  if (profiled_) times_.queued = now_ns();
}

Event::Event(Context& context)
    : HandleObject(destroy_object<Event>),
      context_(Ref<Context>(context)),
      type_(CL_COMMAND_USER),
      status_(CL_SUBMITTED),
      profiled_(false) {}

Event::~Event() = default;

void Event::take_time(cl_int status) {
  if (!profiled_) return;
  std::uint64_t now = now_ns();
  // A command may skip states: it begins without having been flushed, or fails without having begun.
  if (!times_.submitted) times_.submitted = now;
  if (status <= CL_RUNNING && !times_.started) times_.started = now;
  if (status <= CL_COMPLETE && !times_.ended) times_.ended = now;
}

// Nothing here allocates: a command ends also where there is no memory.
void Event::advance(cl_int status) {
  bool has_callbacks;
  std::vector<Command*> dependants;
  {
    std::scoped_lock guard(lock_);
    if (status_.load(std::memory_order_relaxed) <= status) return;
    take_time(status);
    status_.store(status, std::memory_order_release);
    has_callbacks = !callbacks_.empty();
    if (status <= CL_COMPLETE) dependants.swap(dependants_);
  }
  for (Command* command : dependants)
    command->queue->dependency_done(*command, status);
  if (is_user_event() && status <= CL_COMPLETE) status_.notify_all();
  if (!has_callbacks) return;
  std::size_t position = 0;
  for (Registered reached; take_callback(status, position, reached);)
    reached.callback(handle(), status < 0 ? status : reached.type, reached.user_data);
}

/// Takes the next callback for this status or an earlier one off the list, from `position` on.
bool Event::take_callback(cl_int status, std::size_t& position, Registered& taken) {
  std::scoped_lock guard(lock_);
  while (position < callbacks_.size()) {
    Registered& next = callbacks_[position++];
    if (!next.callback || next.type < status) continue;
    taken = next;
    next.callback = nullptr;
    return true;
  }
  if (status <= CL_COMPLETE) callbacks_.clear(); // all have been taken
  return false;
}

bool Event::set_user_status(cl_int status) {
  if (user_status_set_.exchange(true)) return false;
  advance(status);
  return true;
}

void Event::add_callback(cl_int type, Callback callback, void* user_data) {
  {
    std::scoped_lock guard(lock_);
    if (status_.load(std::memory_order_relaxed) > type) {
      callbacks_.push_back({type, callback, user_data});
      callback = nullptr;
    }
  }
  if (callback) {
    cl_int now = status();
    callback(handle(), now < 0 ? now : type, user_data);
  } else if (queue_) {
    queue_->flush();
  }
}

bool Event::add_dependant(Command& command) {
  std::scoped_lock guard(lock_);
  if (status_.load(std::memory_order_relaxed) <= CL_COMPLETE) return false;
  dependants_.push_back(&command);
  return true;
}

bool Event::remove_dependant(Command& command) {
  std::scoped_lock guard(lock_);
  auto found = std::ranges::find(dependants_, &command);
  if (found == dependants_.end()) return false;
  dependants_.erase(found);
  return true;
}

void Event::wait() {
  if (queue_) {
    queue_->wait_for(*this);
    return;
  }
  for (cl_int now = status(); now > CL_COMPLETE; now = status())
    status_.wait(now, std::memory_order_acquire);
}

namespace {

using E = Rows<Event>;
cl_context context_of(const Event& e) {
  return e.context().handle();
}
cl_command_queue queue_of(const Event& e) {
  return e.queue() ? e.queue()->handle() : nullptr;
}
cl_int status_of(const Event& e) {
  cl_int status = e.status();
  // An application that polls waits for progress.
  if (status > CL_COMPLETE && e.queue()) e.queue()->flush();
  return status;
}

constexpr Row<Event> rows[] = {
    E::value<cl_command_queue, queue_of>(CL_EVENT_COMMAND_QUEUE),
    E::value<cl_context, context_of>(CL_EVENT_CONTEXT),
    E::value<cl_command_type, &Event::type>(CL_EVENT_COMMAND_TYPE),
    E::value<cl_int, status_of>(CL_EVENT_COMMAND_EXECUTION_STATUS),
    E::value<cl_uint, &Event::reference_count>(CL_EVENT_REFERENCE_COUNT),
};

template <auto member>
cl_ulong time(const Event& e) {
  return e.times().*member;
}

constexpr Row<Event> profiling_rows[] = {
    E::value<cl_ulong, time<&Event::Times::queued>>(CL_PROFILING_COMMAND_QUEUED),
    E::value<cl_ulong, time<&Event::Times::submitted>>(CL_PROFILING_COMMAND_SUBMIT),
    E::value<cl_ulong, time<&Event::Times::started>>(CL_PROFILING_COMMAND_START),
    E::value<cl_ulong, time<&Event::Times::ended>>(CL_PROFILING_COMMAND_END),
    // Kernels enqueue no kernels: complete when ended.
    E::value<cl_ulong, time<&Event::Times::ended>>(CL_PROFILING_COMMAND_COMPLETE),
};

} // namespace

Status Event::info(cl_event_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

Status Event::profiling_info(cl_profiling_info name, Answer answer) const {
  if (is_user_event()) return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "user events have no times");
  if (!profiled_)
    return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the queue was created without CL_QUEUE_PROFILING_ENABLE");
  if (status() != CL_COMPLETE)
    return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the command's status is ", status(), ", not CL_COMPLETE");
  return answer_query(profiling_rows, *this, name, answer);
}

Result<WaitList> WaitList::checked(const Context& context, cl_uint count, const cl_event* events) {
  if (!events != !count)
    return fail(CL_INVALID_EVENT_WAIT_LIST, "num_events_in_wait_list is ", count, " and event_wait_list is ",
                static_cast<const void*>(events));
  for (cl_uint i = 0; i < count; ++i) {
    auto event = object_cast<Event>(events[i]);
    if (!event.ok())
      return fail(CL_INVALID_EVENT_WAIT_LIST, "event ", i, ": ", std::move(event).error().sentence());
    if (&std::move(event).value().context() != &context)
      return fail(CL_INVALID_CONTEXT, "event ", i, " of the wait list belongs to another context");
  }
  return WaitList{events, count};
}

} // namespace hostcl::runtime
