#include "runtime/queue/queue.hpp"

#include "runtime/checks/commands.hpp"
#include "runtime/faults/faults.hpp"
#include "runtime/queue/new_command.hpp"
#include "runtime/support/application_code.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/enabled_checks.hpp"
#include "runtime/support/stack.hpp"
#include "runtime/threads/background.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace hostcl::runtime {

Queue::Posted::Posted(Queue& of)
    : BackgroundTask(of.priority(),
                     [](BackgroundTask& task) { static_cast<Posted&>(task).queue.run_in_background(); }),
      queue(of) {}

Queue::Queue(Context& context, Device& device, cl_command_queue_properties properties, Priority priority,
             std::vector<cl_queue_properties> property_list)
    : HandleObject(destroy_object<Queue>),
      context_(Ref<Context>(context)),
      device_(Ref<Device>(device)),
      properties_(properties),
      priority_(priority),
      property_list_(std::move(property_list)),
      task_(*this) {
  join_known();
}

Queue::~Queue() {
  leave_known();
  checks::forget_queue(this);
  delete spare_.load(std::memory_order_relaxed);
  while (free_)
    delete std::exchange(free_, free_->next);
}

// ---- Enqueueing

Status Queue::submit(Command* command, const Submission& submission) {
  Ref<Event> event, awaited;
  bool in_order = is_in_order();
  try {
    // A blocking call needs an event to see that its wait list failed, to wait for its command in an
    // out-of-order queue, and to tell a check that the host knows of the command's end.
    if (submission.made)
      event = Ref<Event>(*submission.made);
    else if (submission.event ||
             (submission.blocking && (submission.waits.count || !in_order || checks::has_checks())))
      event = make_object<Event>(*this, submission.type);
    command->queue = this;
    command->sequence = 0;
    command->type = submission.type;
    command->estimate = submission.estimate;
    if (submission.blocking) awaited = event;
    command->event = std::move(event);
    command->begin(faults::take_later_error());
    command->needs_head = in_order || submission.ordering == Ordering::after_all ||
                          submission.ordering == Ordering::barrier_after_all;
    command->is_barrier = !in_order && (submission.ordering == Ordering::barrier ||
                                        submission.ordering == Ordering::barrier_after_all);
    // One more blocker, removed by link(): until then the command must not become ready.
    command->blockers = submission.waits.count + 1;
    resolve_waits(*command, submission.waits);
  } catch (...) {
    recycle(command);
    throw;
  }
  if (checks::is_checked(compiler::Check::commands)) [[unlikely]]
    note_new_command(*this, *command, submission);
  if (submission.event) *submission.event = expose(command->event);

  // Once the command is in the queue, another thread may run it and release the queue. link() does not access the queue
  // after it has released the lock, which the other thread takes first.
  const Ref<Queue> self = submission.blocking ? Ref<Queue>(*this) : Ref<Queue>();
  const std::uint64_t sequence = link(*command, submission);
  if (submission.blocking) return wait_for_submitted(sequence, std::move(awaited), submission);
  return {};
}

std::uint64_t Queue::link(Command& command, const Submission& submission) {
  std::uint64_t sequence;
  bool is_first_unpublished;
  {
    std::scoped_lock guard(lock_);
    append(command);
    if (free_ && !spare_.load(std::memory_order_relaxed)) {
      --free_count_;
      spare_.store(std::exchange(free_, free_->next), std::memory_order_release);
    }
    sequence = command.sequence;
    if (--command.blockers == 0 && may_run(command)) push_ready(command);
    // The caller of a blocking function runs the command itself, in wait_for_submitted().
    if (submission.blocking) return sequence;
    pending_estimate_ = saturating_sum(pending_estimate_, submission.estimate);
    if (should_publish() || (command.needs_head && executors_)) {
      pending_estimate_ = 0;
      published_ = sequence;
    }
    // The flusher stays awake while has_unpublished() holds.
    is_first_unpublished = published_ < sequence && !has_unpublished();
    if (is_first_unpublished) has_unpublished_.store(true, std::memory_order_relaxed);
    ensure_progress();
  }
  if (is_first_unpublished) Background::instance().note_activity();
  return sequence;
}

namespace {

/// If the application waits within this time after its commands have become worth a thread, then the waiting
/// thread begins to run them earlier than a background thread that has to wake up.
constexpr std::uint64_t at_once_ns = 50'000;
/// Times in a row that the application has to do so before the queue relies on it.
constexpr unsigned usual_waits = 3;

} // namespace

/// Whether a background thread should begin to run the commands that have been enqueued and not flushed.
bool Queue::should_publish() {
  if (pending_estimate_ <= background_threshold) return false;
  const std::uint64_t now = now_ns();
  if (long_since_ == 0)
    long_since_ = now;
  else if (now - long_since_ > at_once_ns)
    waits_at_once_ = 0;
  return waits_at_once_ < usual_waits || pending_estimate_ > awaited_threshold;
}

/// Called by a thread that waits for commands of this queue.
void Queue::note_wait() {
  const std::uint64_t since = std::exchange(long_since_, 0);
  if (since == 0) return;
  waits_at_once_ = now_ns() - since <= at_once_ns ? std::min(waits_at_once_ + 1, usual_waits) : 0;
}

void Queue::resolve_waits(Command& command, const WaitList& waits) {
  cl_uint registered = 0;
  try {
    for (; registered < waits.count; ++registered) {
      Event& event = waits[registered];
      if (!event.add_dependant(command)) dependency_done(command, event);
    }
  } catch (...) {
    cl_uint blockers = waits.count + 1 - registered;
    while (registered--)
      blockers += waits[registered].remove_dependant(command);
    // An event that no longer lists the command has called dependency_done(), or is about to. Wait for these
    // calls, since they access the command.
    auto all_told = [&] {
      std::scoped_lock guard(lock_);
      return command.blockers == blockers;
    };
    while (!all_told())
      std::this_thread::yield();
    throw;
  }
}

void Queue::append(Command& command) {
  if (!head_) retain(); // the queue must not be destroyed while it has commands
  command.sequence = ++last_sequence_;
  if (command.event) {
    command.event->set_command(&command, command.sequence);
    newest_event_ = command.sequence;
  }
  command.next = nullptr;
  command.previous = tail_;
  (tail_ ? tail_->next : head_) = &command;
  tail_ = &command;
  if (newest_barrier_) ++command.blockers;
  if (command.is_barrier) newest_barrier_ = &command;
}

// ---- What may run

bool Queue::may_run(const Command& command) const {
  return command.blockers == 0 && (!command.needs_head || head_ == &command);
}

void Queue::push_ready(Command& command) {
  command.is_ready = true;
  command.next_ready = nullptr;
  command.previous_ready = ready_tail_;
  (ready_tail_ ? ready_tail_->next_ready : ready_head_) = &command;
  ready_tail_ = &command;
}

void Queue::dependency_done(Command& command, const Event& event) noexcept {
  std::scoped_lock guard(lock_);
  if (const cl_int status = event.status(); status < 0) {
    if (status == CL_CANCELLED_IMG)
      command.failure = CL_CANCELLED_IMG;
    else if (command.failure == CL_SUCCESS)
      command.failure = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    command.is_aborted &= event.is_aborted();
  }
  if (--command.blockers == 0 && may_run(command)) {
    push_ready(command);
    ensure_progress();
  }
}

// ---- Flushing

/// The events of commands that have been enqueued since the last flush, the latest first.
std::vector<Ref<Event>> Queue::newly_submitted() const {
  std::vector<Ref<Event>> events;
  if (newest_event_ <= submitted_) return events;
  try {
    for (Command* c = tail_; c && c->sequence > submitted_; c = c->previous)
      if (c->event) events.push_back(c->event);
  } catch (const std::bad_alloc&) {
    return events; // the other events pass CL_SUBMITTED when their commands run
  }
  return events;
}

void Queue::flush() {
  std::vector<Ref<Event>> submitted;
  {
    std::scoped_lock guard(lock_);
    published_ = last_sequence_;
    pending_estimate_ = 0;
    has_unpublished_.store(false, std::memory_order_relaxed);
    submitted = newly_submitted();
    submitted_ = last_sequence_;
    ensure_progress();
  }
  for (auto event = submitted.rbegin(); event != submitted.rend(); ++event)
    (*event)->advance(CL_SUBMITTED);
}

// ---- Waiting

void Queue::drain() {
  block_until({~std::uint64_t{0}, nullptr}); // block_until() finds the last sequence number
}

Status Queue::finish() {
  drain();
  if (checks::is_checked(compiler::Check::commands)) [[unlikely]]
    checks::host_knows_ends_of(this);
  TRY(context_->check_not_terminated());
  return take_failure();
}

void Queue::wait_for(Event& event) {
  if (!event.is_done()) block_until({event.sequence(), &event});
}

Status Queue::wait_for_submitted(std::uint64_t sequence, Ref<Event> event, const Submission& submission) {
  block_until({sequence, event.get()});
  if (event) checks::host_knows(event->number(), event->status());
  const bool has_failed = event && event->status() < 0;
  Status result = context_->check_not_terminated();
  if (result.ok() && !has_failed && failure_.load(std::memory_order_relaxed) == CL_SUCCESS) [[likely]]
    return result;
  if (!result.ok()) {
    forget_failure();
  } else if (has_failed) {
    forget_failure();
    result = fail(event->status(), "the command did not complete: status ", event->status());
  } else if (is_in_order() || failure_is_ordered_.load(std::memory_order_relaxed)) {
    result = take_failure();
  }
  if (!result.ok() && submission.event) {
    // A call that fails returns no event.
    *submission.event = nullptr;
    event->drop_application_reference();
    event->release();
  }
  return result;
}

void Queue::wake_waiters() {
  for (Waiter* w = waiters_; w; w = w->next)
    if (is_satisfied(*w)) {
      wake_ups_.wake_all();
      return;
    }
}

void Queue::block_until(Waiter waiter) {
  const bool is_short = lacks_stack();
  if (!ApplicationCode::is_running() && !is_short) [[likely]]
    return block(waiter);
  {
    std::scoped_lock guard(lock_);
    waiter.sequence = std::min(waiter.sequence, last_sequence_);
    if (!waiter.event && is_satisfied(waiter)) return;
  }
  const auto block_for_application = [&] {
    end_own_commands(this, waiter);
    block(waiter);
  };
  if (ApplicationCode::is_deep() || is_short)
    on_new_stack(block_for_application);
  else
    block_for_application();
}

void Queue::block(Waiter& waiter) {
  Ref<Queue> self(*this);
  std::unique_lock guard(lock_);
  waiter.sequence = std::min(waiter.sequence, last_sequence_);
  if (!waiter.event && is_satisfied(waiter)) return;
  note_wait();
  published_ = std::max(published_, waiter.sequence);
  if (published_ == last_sequence_) {
    pending_estimate_ = 0;
    has_unpublished_.store(false, std::memory_order_relaxed);
  }
  bool published_others = false;
  while (!is_satisfied(waiter)) {
    if (Command* command = ready_for(waiter)) {
      take_ready(*command);
      run_command(command, waiter.sequence);
      continue;
    }
    if (!std::exchange(published_others, true)) {
      // The awaited commands may wait for unflushed commands of other queues.
      guard.unlock();
      Background::instance().publish_all();
      guard.lock();
      continue;
    }
    ensure_progress(); // another thread has to run the commands that ready_for() does not give to this thread
    sleep(guard, waiter);
  }
  ensure_progress();
}

void Queue::sleep(std::unique_lock<Lock>& guard, Waiter& waiter) {
  waiter.next = std::exchange(waiters_, &waiter);
  const std::uint32_t number = wake_ups_.number();
  guard.unlock();
  Background::instance().await_flusher([&] { return wake_ups_.number() != number; });
  wake_ups_.sleep(number);
  guard.lock();
  Waiter** link = &waiters_;
  while (*link != &waiter)
    link = &(*link)->next;
  *link = waiter.next;
}

} // namespace hostcl::runtime
