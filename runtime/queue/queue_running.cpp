// Running commands.

#include "runtime/checks/commands.hpp"
#include "runtime/profile/profile.hpp"
#include "runtime/queue/command_name.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/support/application_code.hpp"
#include "runtime/support/log.hpp"
#include "runtime/threads/background.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <unordered_set>

namespace hostcl::runtime {

namespace {

/// Commands whose estimates add up to no more than this run as one batch.
constexpr std::uint64_t batch_estimate = 20'000;
/// Recycled commands that an idle queue keeps.
constexpr std::size_t max_free_commands = 256;

/// @returns the status that stands for the exception being handled, which the command's work has thrown
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

/// @returns the status of a step of the command's work
template <class Step>
[[gnu::always_inline]] inline cl_int status_of(const Command& command, Step step) {
  try {
    return step();
  } catch (...) {
    return status_of_exception(command);
  }
}

} // namespace

// ---- What runs next

bool Queue::is_satisfied(const Waiter& waiter) const {
  if (waiter.event) return waiter.event->is_done();
  return !head_ || head_->sequence > waiter.sequence;
}

/// The command that a blocked thread should run now.
Command* Queue::ready_for(const Waiter& waiter) const {
  if (waiter.event && !is_in_order()) {
    if (waiter.event->command()->is_ready) return waiter.event->command();
    // The event may not depend on another command: only one that will be over soon is begun.
    bool helps = ready_head_ && ready_head_->sequence <= waiter.sequence &&
                 ready_head_->estimate <= background_threshold;
    return helps ? ready_head_ : nullptr;
  }
  Command* command = ready_head_;
  while (command && command->sequence > waiter.sequence)
    command = command->next_ready;
  return command;
}

// A thread that makes a command ready, publishes, or stops running commands calls this: if there is a command
// that may run and no thread is about to run it, this wakes a blocked thread or a background thread.
void Queue::ensure_progress() {
  if (!ready_head_) return;
  if (executors_ && is_in_order()) return; // the executing thread goes on with it
  for (Waiter* w = waiters_; w; w = w->next)
    if (!is_satisfied(*w) && ready_for(*w)) {
      generation_.fetch_add(1, std::memory_order_release);
      generation_.notify_all();
      return;
    }
  if (!posted_ && ready_head_->sequence <= published_) {
    posted_ = true;
    retain(); // until it has run
    Background::instance().post(task_);
  }
}

/// Takes a command off the list of those that may run.
void Queue::take_ready(Command& command) {
  (command.previous_ready ? command.previous_ready->next_ready : ready_head_) = command.next_ready;
  (command.next_ready ? command.next_ready->previous_ready : ready_tail_) = command.previous_ready;
  command.is_ready = false;
}

// ---- Running

/// Commands that follow each other and are run by one thread, on whose stack this is.
struct Queue::Batch {
  /// The current command's state. The application's code may be called in each of these.
  enum class Stage {
    submitted, ///< calls back for CL_SUBMITTED
    prepared,  ///< calls back for CL_RUNNING; its work may begin
    working,
    done ///< releases its resources and calls back for the end
  };

  Command *first, *current, *last;
  Batch* outer; ///< of the same thread, which runs this one in a callback of that one or in its work
  Stage stage = Stage::submitted;
  cl_int status = CL_COMPLETE; ///< of the current command once it is done
  bool is_unlinked = false;    ///< the queue has gone on without it; the current command is its last one
};

/// The innermost batch that this thread runs.
Queue::Batch*& Queue::innermost_batch() {
  static constinit thread_local Batch* batch = nullptr;
  return batch;
}

// Short commands that follow each other run without the lock being taken for each: the thread that enqueues
// would wait for it.
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

// The smallest commands take less time than a few calls do, so these have their place in run_command().

[[gnu::always_inline]] inline void Queue::run_batch(Batch& batch) {
  std::optional<ThreadBinding> binding;
  if (auto processors = workers().callers_processors(); !processors.empty()) binding.emplace(processors);
  for (;; batch.current = batch.current->next) {
    execute(batch);
    if (batch.current == batch.last) return; // end() may have made it so
  }
}

void Queue::begin_span(timeline::Span& span, const Command& command) const {
  span.begin(timeline::Category::command, name_of(command));
  span.argument("queue", reinterpret_cast<std::uintptr_t>(this));
  span.argument("sequence", command.sequence);
  command.work->describe(span);
}

[[gnu::always_inline]] inline void Queue::execute(Batch& batch) {
  timeline::Span span;
  if (timeline::is_on()) [[unlikely]]
    begin_span(span, *batch.current);
  std::optional<profile::CommandTimer> timer;
  if (profile::is_on() && batch.current->type != CL_COMMAND_NDRANGE_KERNEL) [[unlikely]]
    timer.emplace(type_name_of(*batch.current));
  batch.stage = Batch::Stage::submitted;
  if (Event* event = batch.current->event.get()) event->advance(CL_SUBMITTED);
  // A callback that blocked has had the command run: end_own_command().
  if (batch.stage == Batch::Stage::submitted) start(batch);
}

/// Prepares the current command's work, and does it.
[[gnu::always_inline]] inline void Queue::start(Batch& batch) {
  Command& command = *batch.current;
  batch.stage = Batch::Stage::working;
  batch.status = command.failed_dependency ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                                           : status_of(command, [&] { return command.work->prepare(*this); });
  if (Event* event = command.event.get(); event && batch.status == CL_SUCCESS) {
    batch.stage = Batch::Stage::prepared;
    event->advance(CL_RUNNING);
    if (batch.stage != Batch::Stage::prepared) return; // as above
  }
  perform(batch);
}

[[gnu::noinline, gnu::cold]] void Queue::work_checked(Batch& batch) {
  Command& command = *batch.current;
  const checks::RunningCommand running(command.number);
  if (batch.status == CL_SUCCESS) batch.status = status_of(command, [&] { return command.work->run(*this); });
}

/// Does the current command's work if nothing has failed so far, and tells that it is done.
[[gnu::always_inline]] inline void Queue::perform(Batch& batch) {
  Command& command = *batch.current;
  // Stays in the command until that is recycled: flush() looks at it under the lock.
  Event* event = command.event.get();
  batch.stage = Batch::Stage::working;
  if (command.number) [[unlikely]]
    work_checked(batch);
  else if (batch.status == CL_SUCCESS)
    batch.status = status_of(command, [&] { return command.work->run(*this); });
  const cl_int status = batch.status;
  batch.stage = Batch::Stage::done;
  if (event) event->note_end(command.work->own_end());
  std::string_view failed;
  if (status < 0) [[unlikely]] {
    failed = type_name_of(command);
    note_failure(command, status); // first: callbacks of what the work releases may wait for the command
  }
  command.destroy_work();
  if (event) event->advance(status);
  if (status < 0) [[unlikely]]
    context_->notify("command '", failed, "' ended with error ", status);
}

/// Takes consecutive commands out of the queue, which goes on with those after them.
[[gnu::always_inline]] inline void Queue::unlink(Command* first, Command* last) {
  bool was_head = head_ == first;
  (first->previous ? first->previous->next : head_) = last->next;
  (last->next ? last->next->previous : tail_) = first->previous;
  if (first->is_barrier) {
    if (first->needs_head && failure_.load(std::memory_order_relaxed) != CL_SUCCESS)
      failure_is_ordered_.store(true, std::memory_order_relaxed);
    if (newest_barrier_ == first) newest_barrier_ = nullptr;
    for (Command* c = last->next; c; c = c->next) {
      // A command that needs the head becomes ready below, once it is the head.
      if (--c->blockers == 0 && !c->needs_head) push_ready(*c);
      if (c->is_barrier) break; // those after it wait for that one
    }
  }
  if (was_head && head_ && head_->needs_head && may_run(*head_)) push_ready(*head_);
  wake_waiters();
  last->next = nullptr;
  if (!head_) release(); // never the last reference: the running thread has one
}

[[gnu::always_inline]] inline void Queue::recycle_all(Command* first) {
  while (first) {
    Command* next = first->next;
    // Cannot destroy the queue: the running thread holds a reference to it, and the queue one to its context.
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

/// Called with the lock held, which is released meanwhile.
void Queue::run_command(Command* first, std::uint64_t last_sequence) {
  Command* last = first->needs_head ? end_of_batch(*first, last_sequence) : first;
  ++executors_;
  ensure_progress(); // the other ready commands of an out-of-order queue
  lock_.unlock();
  Batch*& innermost = innermost_batch();
  Batch batch{first, first, last, innermost};
  innermost = &batch;
  run_batch(batch);
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

/// Ends a batch of this thread with its current command, which counts as complete from now on.
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
  std::scoped_lock guard(lock_);
  if (std::exchange(batch.is_unlinked, true)) return; // by a callback of the above
  batch.last = batch.current;
  --executors_;
  unlink(batch.first, batch.last);
  ensure_progress();
}

/// Whether the waiter waits for a command of this thread, whose work is not done, or for one that waits for
/// that. None of these can end meanwhile.
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

/// Whether the waiter waits for the command. If not, appends the commands that wait for it.
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
    // What waits for another command waits for this one as well.
    if (!c->event && !c->is_barrier && c->type != CL_COMMAND_SEMAPHORE_SIGNAL_KHR) continue;
    later.push_back(c);
    if (c->is_barrier || !command.is_barrier) break; // those after it wait for that one, if for any
  }
  return false;
}

[[gnu::cold]] void Queue::on_new_stack(const std::function<void()>& block) {
  Batch* const batches = innermost_batch();
  const Event::Deferred deferred = Event::take_deferred();
  std::exception_ptr failure;
  const auto go_on = [&] {
    innermost_batch() = batches;
    try {
      Event::call_deferred(deferred);
      block();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  if (const auto thread = start_thread(go_on))
    pthread_join(*thread, nullptr);
  else
    go_on(); // the stack is all there is
  if (failure) std::rethrow_exception(failure);
}

} // namespace hostcl::runtime
