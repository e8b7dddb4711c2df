#include "runtime/queue/event.hpp"

#include "runtime/checks/commands.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/support/application_code.hpp"
#include "runtime/support/stack.hpp"
#include "runtime/threads/background.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace hostcl::runtime {

namespace {

void end_with_context(_cl_event& event) {
  static_cast<Event&>(event).advance(CL_CONTEXT_TERMINATED_KHR);
}

} // namespace

Event::Event(Queue& queue, cl_command_type type)
    : HandleObject(destroy_object<Event>),
      queue_(Ref<Queue>(queue)),
      type_(type),
      status_(CL_QUEUED),
      profiled_(queue.is_profiled()),
      place_(*this, end_with_context) {
  if (profiled_) times_.queued = now_ns();
}

Event::Event(Queue& queue, cl_command_type type, SeveralQueues queues) : Event(queue, type) {
  has_several_queues_ = queues.are_several;
  profiled_ = queues.profiled;
  if (profiled_) times_.queued = now_ns();
}

Event::Event(Context& context)
    : HandleObject(destroy_object<Event>),
      context_(Ref<Context>(context)),
      type_(CL_COMMAND_USER),
      status_(CL_SUBMITTED),
      profiled_(false),
      number_(checks::note_user_event()),
      place_(*this, end_with_context) {}

Event::~Event() = default;

Context& Event::context() const {
  return queue_ ? queue_->context() : *context_;
}

void Event::take_time(cl_int status) {
  if (!profiled_) return;
  std::uint64_t now = now_ns();
  // A command may skip a status: it may begin without having been flushed, or fail without having begun.
  if (!times_.submitted) times_.submitted = now;
  if (status <= CL_RUNNING && !times_.started) times_.started = now;
  if (status <= CL_COMPLETE && !times_.ended) times_.ended = times_.completed = now;
}

namespace {

/// If callbacks are nested this deep and an event reaches a status, the event's callbacks are deferred until
/// the nested callbacks have returned, or until one of them makes a blocking call. A chain of events may have
/// any length, but the stack is finite.
constexpr unsigned max_callback_depth = ApplicationCode::max_depth;

/// The events whose callbacks this thread has deferred.
constinit thread_local Event::Deferred deferred;

} // namespace

Event::Change Event::change(cl_int status, cl_int limit) {
  Change made;
  std::scoped_lock guard(lock_);
  if (status_.load(std::memory_order_relaxed) <= std::max(status, limit)) return made;
  take_time(status);
  status_.store(status, std::memory_order_release);
  made.is_made = true;
  made.has_callbacks = !callbacks_.empty();
  if (status <= CL_COMPLETE) made.dependants.swap(dependants_);
  return made;
}

void Event::tell(const Change& change) {
  for (Command* command : change.dependants)
    command->queue->dependency_done(*command, *this);
  if (is_user_event() && is_done()) status_.notify_all();
  if (change.has_callbacks) call_back();
}

// Allocates nothing: a command must be able to end when there is no memory.
void Event::advance(cl_int status) {
  if (const Change made = change(status); made.is_made) tell(made);
}

void Event::call_back() {
  const std::uint32_t delay_us = queue_ ? queue_->device().quirks().callback_delay_us : 0;
  if (delay_us != 0 && call_back_later(std::chrono::microseconds(delay_us))) return;
  call_back_now();
}

/// Calls the callbacks on another thread after the delay, as with a driver that learns late of the end of a command.
/// Commands and calls that wait for the event are not delayed.
/// @returns false if there is no memory or no thread for that
bool Event::call_back_later(std::chrono::microseconds delay) try {
  return Background::instance().run_at(std::chrono::steady_clock::now() + delay,
                                       [self = Ref<Event>(*this)] { self->call_back_now(); });
} catch (const std::bad_alloc&) {
  return false;
}

void Event::call_back_now() {
  const Ref<Event> self(*this); // a callback may release the application's reference
  unsigned& depth = ApplicationCode::depth().events;
  if (depth == max_callback_depth) {
    {
      std::scoped_lock guard(lock_);
      if (std::exchange(is_deferred_, true)) return; // it is in the list of this thread or another one
    }
    retain();
    (deferred.last ? deferred.last->next_deferred_ : deferred.first) = this;
    deferred.last = this;
    return;
  }
  ++depth;
  run_callbacks();
  if (depth == max_callback_depth) call_deferred();
  --depth;
}

Event::Deferred Event::take_deferred() {
  return std::exchange(deferred, {});
}

void Event::call_deferred(Deferred list) {
  deferred = list;
  call_deferred();
}

void Event::call_deferred() {
  while (deferred.first) {
    auto event = Ref<Event>::adopt(deferred.first);
    deferred.first = std::exchange(event->next_deferred_, nullptr);
    if (!deferred.first) deferred.last = nullptr;
    {
      std::scoped_lock guard(event->lock_);
      event->is_deferred_ = false;
    }
    event->run_callbacks();
  }
}

void Event::run_callbacks() {
  std::size_t position = 0;
  for (Registered reached; take_callback(position, reached);) {
    const ApplicationCode scope(reached.mask);
    const cl_int now = status();
    checks::host_knows(number_, now);
    reached.callback(handle(), now < 0 ? now : reached.type, reached.user_data);
  }
}

/// Takes the next callback whose status has been reached, at `position` or after it.
bool Event::take_callback(std::size_t& position, Registered& taken) {
  std::scoped_lock guard(lock_);
  const cl_int status = status_.load(std::memory_order_relaxed);
  while (position < callbacks_.size()) {
    Registered& next = callbacks_[position++];
    if (!next.callback || next.type < status) continue;
    taken = next;
    next.callback = nullptr;
    return true;
  }
  while (!callbacks_.empty() && !callbacks_.back().callback)
    callbacks_.pop_back();
  return false;
}

bool Event::set_user_status(cl_int status) {
  if (user_status_set_.exchange(true)) return false;
  if (status < 0) set_aborted();
  checks::note_user_event_set(number_);
  advance(status);
  return true;
}

void Event::add_callback(cl_int type, Callback callback, void* user_data) {
  {
    const SignalMask mask = SignalMask::of_this_thread();
    std::scoped_lock guard(lock_);
    callbacks_.push_back({type, callback, user_data, mask});
  }
  if (status() <= type)
    call_back();
  else if (queue_)
    queue_->flush();
}

bool Event::add_dependant(Command& command) {
  std::scoped_lock guard(lock_);
  if (status_.load(std::memory_order_relaxed) <= CL_COMPLETE) return false;
  dependants_.push_back(&command);
  return true;
}

std::vector<Command*> Event::dependants() {
  std::scoped_lock guard(lock_);
  return dependants_;
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
    checks::host_knows(number_, status());
    return;
  }
  if (is_done()) return;
  if (ApplicationCode::is_deep() || (ApplicationCode::is_running() && lacks_stack()))
    Queue::on_new_stack([this] { wait_for_user(); });
  else
    wait_for_user();
}

void Event::wait_for_user() {
  Queue::end_own_commands(*this);
  Background::instance().await_flusher([this] { return is_done(); });
  for (cl_int now = status(); now > CL_COMPLETE; now = status())
    status_.wait(now, std::memory_order_acquire);
}

cl_int Event::tell_status() const {
  cl_int now = status();
  if (now < 0 && queue_) queue_->forget_failure();
  return now;
}

namespace {

using E = Rows<Event>;
cl_context context_of(const Event& e) {
  return e.context().handle();
}
cl_command_queue queue_of(const Event& e) {
  return e.queue() && !e.has_several_queues() ? e.queue()->handle() : nullptr;
}
cl_int status_of(const Event& e) {
  cl_int status = e.tell_status();
  checks::host_knows(e.number(), status);
  // An application that polls the status expects the command to make progress.
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
    E::value<cl_ulong, time<&Event::Times::completed>>(CL_PROFILING_COMMAND_COMPLETE, "2.0"),
};

} // namespace

Status Event::info(cl_event_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

Status Event::profiling_info(cl_profiling_info name, Answer answer) const {
  if (is_user_event())
    return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "user events have no profiling information");
  if (!profiled_)
    return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the queue was created without CL_QUEUE_PROFILING_ENABLE");
  if (status() != CL_COMPLETE)
    return fail(CL_PROFILING_INFO_NOT_AVAILABLE, "the command's status is ", status(), ", not CL_COMPLETE");
  checks::host_knows(number_, CL_COMPLETE);
  return answer_query(profiling_rows, *this, name, answer);
}

Result<WaitList> WaitList::checked(const Context& context, cl_uint count, const cl_event* events) {
  TRY(context.check_not_terminated());
  if (!events != !count)
    return fail(CL_INVALID_EVENT_WAIT_LIST, "num_events_in_wait_list is ", count, " and event_wait_list is ",
                static_cast<const void*>(events), "; either both or none must be given");
  for (cl_uint i = 0; i < count; ++i) {
    auto event = object_cast<Event>(events[i]);
    if (!event.ok())
      return fail(CL_INVALID_EVENT_WAIT_LIST, "event ", i, ": ", std::move(event).error().sentence());
    if (&std::move(event).value().context() != &context)
      return fail(CL_INVALID_CONTEXT, "event ", i, " of the wait list belongs to another context");
  }
  return WaitList{events, count};
}

Result<WaitList> WaitList::good(const Context& context, cl_uint count, const cl_event* events) {
  TRY(WaitList list, checked(context, count, events));
  for (cl_uint i = 0; i < count; ++i)
    if (const cl_int status = list[i].status(); status < 0)
      return fail(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "event ", i,
                  " of the wait list has ended with error ", status);
  return list;
}

} // namespace hostcl::runtime
