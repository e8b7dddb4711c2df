// Part of queue.hpp: which command runs next, how it runs, and what becomes of the object.

#include "runtime/checks/commands.hpp"
#include "runtime/object/deferred_releases.hpp"
#include "runtime/profile/profile.hpp"
#include "runtime/queue/command_name.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/support/application_code.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/stack.hpp"
#include "runtime/threads/background.hpp"
#include "runtime/threads/start_thread.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <unordered_set>

namespace hostcl::runtime {

namespace {

/// Short commands run as one batch if their estimates add up to no more nanoseconds than this.
constexpr std::uint64_t batch_estimate = 20'000;
/// Recycled commands that a queue keeps for later commands.
constexpr std::size_t max_free_commands = 4096;

/// @returns the event status for the exception that is being handled, which the command's work has thrown
[[gnu::cold]] cl_int status_of_exception(const Command& command) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    log(LogLevel::error, "command '", name_of(command), "' failed when it ran: out of memory");
    return CL_OUT_OF_HOST_MEMORY;
  } catch (const std::exception& error) {
    log(LogLevel::error, "command '", name_of(command), "' failed when it ran: ", error.what());
  } catch (...) { // a native kernel may throw anything
    log(LogLevel::error, "command '", name_of(command),
        "' failed when it ran, with an exception of unknown type");
  }
  return CL_OUT_OF_RESOURCES;
}

/// @returns the result of the step, or the status for the exception that it throws
template <class Step>
[[gnu::always_inline]] inline cl_int status_of(const Command& command, Step step) {
  try {
    return step();
  } catch (...) {
    return status_of_exception(command);
  }
}

void begin_span(timeline::Span& span, const Queue& queue, const Command& command) {
  span.begin(timeline::Category::command, name_of(command));
  span.argument("queue", reinterpret_cast<std::uintptr_t>(&queue));
  span.argument("sequence", command.sequence);
  command.work->describe(span);
}

/// The error with which the command ends without running; CL_SUCCESS if it may run.
[[gnu::always_inline]] inline cl_int failure_of(const Command& command, const Context& context) {
  if (context.is_terminated()) [[unlikely]]
    return CL_CONTEXT_TERMINATED_KHR;
  if (const Event* event = command.event.get(); event && event->status() < 0)
    return event->status(); // cancelled
  return command.failure;
}

} // namespace

// ---- What runs next

bool Queue::is_satisfied(const Waiter& waiter) const {
  if (waiter.event) return waiter.event->is_done();
  return !head_ || head_->sequence > waiter.sequence;
}

/// The command that a blocked thread should run now, or null.
Command* Queue::ready_for(const Waiter& waiter) const {
  if (waiter.event && !is_in_order()) {
    if (waiter.event->command()->is_ready) return waiter.event->command();
    // The event need not depend on any other ready command, so the thread only begins one that is expected to
    // be short.
    bool helps = ready_head_ && ready_head_->sequence <= waiter.sequence &&
                 ready_head_->estimate <= background_threshold;
    return helps ? ready_head_ : nullptr;
  }
  Command* command = ready_head_;
  while (command && command->sequence > waiter.sequence)
    command = command->next_ready;
  return command;
}

// Called by a thread that has made a command ready, has published commands, or stops running commands. If there is a
// ready command and no thread is about to run it, this function wakes a blocked thread that may run it or, if the first
// ready command is published, posts the queue to the background threads.
void Queue::ensure_progress() noexcept {
  if (!ready_head_) return;
  if (executors_ && is_in_order()) return; // the thread that runs commands will run the next one as well
  for (Waiter* w = waiters_; w; w = w->next)
    if (!is_satisfied(*w) && ready_for(*w)) {
      wake_ups_.wake_all();
      return;
    }
  if (!posted_ && ready_head_->sequence <= published_) {
    posted_ = true;
    retain(); // released by run_in_background()
    Background::instance().post(task_);
  }
}

/// Removes a command from the list of ready commands.
void Queue::take_ready(Command& command) {
  (command.previous_ready ? command.previous_ready->next_ready : ready_head_) = command.next_ready;
  (command.next_ready ? command.next_ready->previous_ready : ready_tail_) = command.previous_ready;
  command.is_ready = false;
}

// ---- Running

/// Consecutive commands that one thread runs without taking the queue's lock in between. The object lives on
/// the stack of that thread.
struct Queue::Batch {
  /// The state of the current command. In each of these states, callbacks or other code of the application
  /// may be called.
  enum class Stage {
    submitted, ///< the callbacks for CL_SUBMITTED are called
    prepared,  ///< the callbacks for CL_RUNNING are called; the work may begin
    working,   ///< the command's work runs
    done       ///< the work's resources are released, and the callbacks for its end are called
  };

  Command *first, *current, *last;
  /// The batch that the thread was already running: one of its callbacks or works makes a blocking call, and this call
  /// runs the new batch. Null if there is none.
  Batch* outer;
  Stage stage = Stage::submitted;
  cl_int status = CL_COMPLETE; ///< of the current command, valid once it is done
  /// Whether end_own_command() has removed the batch from the queue. If so, the current command is the last one of the
  /// batch.
  bool is_unlinked = false;
  /// References of launches without an event, which the application cannot see end before the batch ends.
  DeferredReleases releases = {};
};

/// The innermost batch that the calling thread runs; null if there is none.
Queue::Batch*& Queue::innermost_batch() {
  static constinit thread_local Batch* batch = nullptr;
  return batch;
}

// The last command of a batch that begins with `first`. Short commands that follow each other run as a batch,
// because a thread that enqueues would have to wait if the lock were taken for each of them.
Command* Queue::end_of_batch(Command& first, std::uint64_t last_sequence) const {
  Command* last = &first;
  std::uint64_t estimate = first.estimate;
  for (Command* next = first.next; next && next->needs_head && next->blockers == 0; next = next->next) {
    estimate = saturating_sum(estimate, next->estimate);
    if (estimate > batch_estimate || next->sequence > last_sequence || next->is_barrier || last->is_barrier)
      break;
    last = next;
  }
  return last;
}

// The functions from here to run_command() are inlined into it: the shortest commands take less time than a
// few calls.

[[gnu::always_inline]] inline void Queue::run_batch(Batch& batch) {
  std::optional<ThreadBinding> binding;
  if (auto processors = workers().callers_processors(); !processors.empty()) binding.emplace(processors);
  for (;; batch.current = batch.current->next) {
    execute(batch);
    if (batch.current == batch.last) return; // end_own_command() may have set it in a callback
  }
}

[[gnu::always_inline]] inline void Queue::execute(Batch& batch) {
  timeline::Span span;
  if (timeline::is_on()) [[unlikely]]
    begin_span(span, *this, *batch.current);
  std::optional<profile::CommandTimer> timer;
  if (profile::is_on() && batch.current->type != CL_COMMAND_NDRANGE_KERNEL) [[unlikely]]
    timer.emplace(type_name_of(*batch.current));
  batch.stage = Batch::Stage::submitted;
  // A callback, also that of clEnqueueSVMFree(), may wait for what the release of an object causes.
  if (batch.current->event || batch.current->type != CL_COMMAND_NDRANGE_KERNEL) batch.releases.release_all();
  if (Event* event = batch.current->event.get()) event->advance(CL_SUBMITTED);
  // If a callback blocked, end_own_command() has run the command already.
  if (batch.stage == Batch::Stage::submitted) start(batch);
}

/// Prepares the current command's work, and runs it.
[[gnu::always_inline]] inline void Queue::start(Batch& batch) {
  Command& command = *batch.current;
  batch.stage = Batch::Stage::working;
  batch.status = failure_of(command, *context_);
  if (batch.status == CL_SUCCESS)
    batch.status = status_of(command, [&] { return command.work->prepare(*this); });
  if (Event* event = command.event.get(); event && batch.status == CL_SUCCESS) {
    batch.stage = Batch::Stage::prepared;
    event->advance(CL_RUNNING);
    // A callback blocked, and the command has run: see execute().
    if (batch.stage != Batch::Stage::prepared) return;
    batch.status = std::min(event->status(), CL_SUCCESS); // an error if the command was cancelled
  }
  perform(batch);
}

[[gnu::noinline, gnu::cold]] void Queue::work_checked(Batch& batch) {
  Command& command = *batch.current;
  const checks::RunningCommand running(command.number);
  if (batch.status == CL_SUCCESS) batch.status = status_of(command, [&] { return command.work->run(*this); });
}

/// Runs the current command's work if nothing has failed so far, and advances the command's event.
[[gnu::always_inline]] inline void Queue::perform(Batch& batch) {
  Command& command = *batch.current;
  // The event is only removed from the command in recycle_all(), because flush() reads it under the lock.
  Event* event = command.event.get();
  batch.stage = Batch::Stage::working;
  if (command.number) [[unlikely]]
    work_checked(batch);
  else if (batch.status == CL_SUCCESS)
    batch.status = status_of(command, [&] { return command.work->run(*this); });
  if (context_->is_terminated()) [[unlikely]]
    batch.status = CL_CONTEXT_TERMINATED_KHR;
  const cl_int status = batch.status;
  batch.stage = Batch::Stage::done;
  if (event) event->note_end(command.work->own_end());
  std::string_view failed;
  if (status < 0) [[unlikely]] {
    failed = type_name_of(command);
    note_failure(command, status); // before destroy_work(): it may call callbacks that wait for the command
  }
  command.destroy_work();
  if (event) {
    batch.releases.release_all();
    event->advance(status);
  }
  if (status < 0 && !is_asked_for(status)) [[unlikely]]
    context_->notify("command '", failed, "' ended with error ", status);
}

/// Removes consecutive commands from the queue. Commands that waited for them may run from now on.
[[gnu::always_inline]] inline void Queue::unlink(Command* first, Command* last) {
  bool was_head = head_ == first;
  (first->previous ? first->previous->next : head_) = last->next;
  (last->next ? last->next->previous : tail_) = first->previous;
  if (first->is_barrier) {
    if (first->needs_head && failure_.load(std::memory_order_relaxed) != CL_SUCCESS)
      failure_is_ordered_.store(true, std::memory_order_relaxed);
    if (newest_barrier_ == first) newest_barrier_ = nullptr;
    for (Command* c = last->next; c; c = c->next) {
      // A command that needs to be the head of the queue becomes ready below, once it is the head.
      if (--c->blockers == 0 && !c->needs_head) push_ready(*c);
      if (c->is_barrier) break; // commands after a barrier wait for that barrier only
    }
  }
  if (was_head && head_ && head_->needs_head && may_run(*head_)) push_ready(*head_);
  wake_waiters();
  last->next = nullptr;
  if (!head_) release(); // never the last reference: the running thread has one
}

Command* Queue::allocate() {
  if (Command* command = spare_.exchange(nullptr, std::memory_order_acquire)) return command;
  {
    std::scoped_lock guard(lock_);
    if (free_) {
      --free_count_;
      return std::exchange(free_, free_->next);
    }
  }
  return new Command;
}

void Queue::recycle(Command* command) {
  const CancellationDelay uncancelled; // the end of an object may call callbacks and close files
  command->destroy_work();
  command->event = {};
  std::scoped_lock guard(lock_);
  command->next = std::exchange(free_, command);
  ++free_count_;
}

[[gnu::always_inline]] inline void Queue::recycle_all(Command* first) {
  while (first) {
    Command* next = first->next;
    // This cannot destroy the queue: the running thread holds a reference to the queue, and the queue one to
    // its context.
    first->event = {};
    if (free_count_ < max_free_commands) {
      first->next = std::exchange(free_, first);
      ++free_count_;
    } else {
      delete first;
    }
    first = next;
  }
}

/// Runs a batch. Called with the lock held; the lock is released while the commands run.
void Queue::run_command(Command* first, std::uint64_t last_sequence) {
  Command* last = first->needs_head ? end_of_batch(*first, last_sequence) : first;
  ++executors_;
  ensure_progress(); // the other ready commands of an out-of-order queue
  lock_.unlock();
  Batch*& innermost = innermost_batch();
  Batch batch{first, first, last, innermost};
  innermost = &batch;
  run_batch(batch);
  batch.releases.release_all();
  innermost = batch.outer;
  lock_.lock();
  if (!batch.is_unlinked) {
    --executors_;
    unlink(batch.first, batch.last);
  }
  recycle_all(batch.first);
}

void Queue::run_in_background() {
  const Ref<Queue> self = Ref<Queue>::adopt(this); // from ensure_progress()
  std::scoped_lock guard(lock_);
  posted_ = false;
  while (Command* command = ready_head_) {
    take_ready(*command);
    run_command(command, ~std::uint64_t{0});
    if (Background::instance().has_others_waiting(priority_)) break;
  }
  ensure_progress();
}

// ---- Blocking calls in callbacks and in the work of commands

void Queue::end_own_commands(Event& awaited) {
  end_own_commands(nullptr, {0, &awaited});
}

[[gnu::cold]] void Queue::end_own_commands(const Queue* queue, const Waiter& waiter) {
  for (Batch* batch = innermost_batch(); batch; batch = batch->outer)
    if (!batch->is_unlinked &&
        (batch->stage != Batch::Stage::working || waits_for(queue, waiter, *batch->current)))
      batch->current->queue->end_own_command(*batch);
}

/// Completes the current command of a batch of this thread; the batch ends with this command. If the command's work is
/// still running, the command counts as complete from now on.
[[gnu::cold]] void Queue::end_own_command(Batch& batch) {
  Event* event = batch.current->event.get();
  switch (batch.stage) {
  case Batch::Stage::submitted:
    start(batch);
    break;
  case Batch::Stage::prepared:
    perform(batch);
    break;
  case Batch::Stage::working:
    log(LogLevel::error, "command '", name_of(*batch.current),
        "' makes a blocking call that waits for the command itself; to avoid a deadlock, it counts as "
        "complete from now on");
    if (event) event->advance(CL_COMPLETE);
    break;
  case Batch::Stage::done:
    if (event) event->advance(batch.status);
    break;
  }
  batch.releases.release_all();
  std::scoped_lock guard(lock_);
  if (std::exchange(batch.is_unlinked, true)) return; // a callback that was called above has done so
  batch.last = batch.current;
  --executors_;
  unlink(batch.first, batch.last);
  ensure_progress();
}

/// Whether the waiter waits for `own`, a command of this thread whose work is still running, or for a command that
/// waits for `own`. If so, the wait cannot end unless `own` counts as complete.
[[gnu::cold]] bool Queue::waits_for(const Queue* queue, const Waiter& waiter, Command& own) {
  std::vector<Command*> pending;
  if (is_awaited(queue, waiter, own, pending)) return true;
  std::unordered_set<Command*> seen;
  while (!pending.empty()) {
    Command* command = pending.back();
    pending.pop_back();
    if (seen.insert(command).second && is_awaited(queue, waiter, *command, pending)) return true;
  }
  return false;
}

/// Whether the waiter waits for the command. If not, appends to `later` the commands that wait for the
/// command.
[[gnu::cold]] bool Queue::is_awaited(const Queue* queue, const Waiter& waiter, Command& command,
                                     std::vector<Command*>& later) {
  std::vector<Command*> next;
  if (command.event) next = command.event->dependants();
  if (command.work) command.work->append_dependants(next);
  std::scoped_lock guard(command.queue->lock_);
  if (!command.sequence) return false; // another thread is enqueueing it
  if (waiter.event ? command.event.get() == waiter.event
                   : command.queue == queue && command.sequence <= waiter.sequence)
    return true;
  later.insert(later.end(), next.begin(), next.end());
  for (Command* c = command.next; c; c = c->next) {
    if (!command.is_barrier && !c->needs_head) continue;
    // If nothing can wait for a command, the search need not continue from it: it is left out.
    if (!c->event && !c->is_barrier && c->type != CL_COMMAND_SEMAPHORE_SIGNAL_KHR) continue;
    later.push_back(c);
    if (c->is_barrier || !command.is_barrier) break; // commands after a barrier wait for that barrier only
  }
  return false;
}

[[gnu::cold]] void Queue::on_new_stack(const std::function<void()>& block) {
  Batch* const batches = innermost_batch();
  const Event::Deferred deferred = Event::take_deferred();
  std::exception_ptr failure;
  auto go_on = [&] {
    innermost_batch() = batches;
    const auto depth = std::exchange(ApplicationCode::depth(), {}); // this may be the calling thread
    try {
      Event::call_deferred(deferred);
      block();
    } catch (...) {
      failure = std::current_exception();
    }
    ApplicationCode::depth() = depth;
  };
  if (const auto thread = start_thread(go_on))
    pthread_join(*thread, nullptr);
  else if (!call_on_new_stack(0, go_on))
    go_on(); // neither a thread nor a stack is available, so `block` runs on the rest of this stack
  if (failure) std::rethrow_exception(failure);
}

} // namespace hostcl::runtime
