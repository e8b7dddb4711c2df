// Part of queue.hpp: how commands are cancelled, and which failures the application is told of.

#include "runtime/queue/queue.hpp"

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace hostcl::runtime {

// ---- Cancellation

void Queue::cancel(Event& event) {
  Event::Change change;
  std::vector<Ref<Event>> parts;
  {
    std::scoped_lock guard(lock_);
    Command* const command = event.is_done() ? nullptr : event.command();
    const bool is_blocked = command && command->blockers > 0;
    if (is_blocked) command->work->append_parts(parts);
    change = event.change(CL_CANCELLED_IMG, CL_RUNNING);
    if (is_blocked && change.is_made) {
      // A user event may never be set, so the command must not wait for it any longer.
      context_->user_events().for_each([&](_cl_event& awaited) {
        while (static_cast<Event&>(awaited).remove_dependant(*command))
          --command->blockers;
      });
      if (may_run(*command)) {
        push_ready(*command);
        ensure_progress();
      }
    }
    wake_waiters();
  }
  if (!change.is_made) return end_running(event);
  event.tell(change);
  for (const Ref<Event>& part : parts)
    part->queue()->cancel(*part);
}

/// Ends a launch that runs in a guest process, with all others that run there. The command may not have reached the
/// guest yet, so this continues until it has ended.
void Queue::end_running(const Event& event) const {
  if (!context_->code_host() || event.type() != CL_COMMAND_NDRANGE_KERNEL) return;
  for (unsigned i = 0; event.status() == CL_RUNNING && i < 10'000; ++i) {
    context_->code_host()->stop("clCancelCommandsIMG");
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

// ---- Failures

void Queue::note_failure(const Command& command, cl_int status) {
  if (is_asked_for(status)) return;
  // The application has set a user event to an error, so it knows.
  if (command.failure && command.is_aborted) {
    if (Event* event = command.event.get()) event->set_aborted();
    return;
  }
  cl_int none = CL_SUCCESS;
  failure_.compare_exchange_strong(none, status, std::memory_order_relaxed);
}

void Queue::forget_failure() {
  failure_.store(CL_SUCCESS, std::memory_order_relaxed);
  failure_is_ordered_.store(false, std::memory_order_relaxed);
}

Status Queue::take_failure() {
  if (failure_.load(std::memory_order_relaxed) == CL_SUCCESS) return {};
  const cl_int status = failure_.exchange(CL_SUCCESS, std::memory_order_relaxed);
  failure_is_ordered_.store(false, std::memory_order_relaxed);
  if (status == CL_SUCCESS) return {}; // another thread took it
  return fail(status, "a command that was enqueued earlier ended with error ", status);
}

} // namespace hostcl::runtime
