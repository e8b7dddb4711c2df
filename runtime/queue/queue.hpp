#pragma once

// Command queues on the host. A queue has a list of its incomplete commands in the order in which they were enqueued,
// and a second list of the commands that are ready, that is, wait for nothing. A thread that blocks on the queue runs
// ready commands itself. Otherwise background threads (background.hpp) run them once the commands are *published*.
// Commands are published when the application flushes the queue, when a thread waits for them, when they are worth
// waking a thread, when a thread already runs commands of this in-order queue, or by the flusher.

#include "runtime/context/context.hpp"
#include "runtime/object/device.hpp"
#include "runtime/object/object.hpp"
#include "runtime/queue/command.hpp"
#include "runtime/queue/event.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/threads/background.hpp"
#include "runtime/threads/wake_ups.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace hostcl::runtime {

/// A command queue. The application owns it by handles, and the queue holds a reference to itself while it has
/// commands. All methods may be called from any thread. Invariant: if the first ready command is published, then a
/// thread runs commands of this queue, or has been woken to do so, or the queue is posted to the background threads.
/// ensure_progress() restores the invariant.
class Queue : public HandleObject<_cl_command_queue, Kind::queue, CL_INVALID_COMMAND_QUEUE> {
public:
  Queue(Context& context, Device& device, cl_command_queue_properties properties, Priority priority,
        std::vector<cl_queue_properties> property_list);
  ~Queue();

  Context& context() const { return *context_; }
  Device& device() const { return *device_; }
  Priority priority() const { return priority_; }
  /// The threads that kernels and copies of this queue are spread over.
  Workers& workers() const { return device_->workers(priority_); }
  cl_command_queue_properties properties() const { return properties_.load(std::memory_order_relaxed); }
  const std::vector<cl_queue_properties>& property_list() const { return property_list_; }
  bool is_in_order() const { return !(properties() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  bool is_profiled() const { return properties() & CL_QUEUE_PROFILING_ENABLE; }
  /// clSetCommandQueueProperty of OpenCL 1.0. The queue must be empty.
  void set_properties(cl_command_queue_properties properties) { properties_ = properties; }

  /// The order of a command relative to other commands of the queue: with `after_all`, the command waits for all
  /// commands before it; with `barrier`, all commands after it wait for the command. In an in-order queue, each command
  /// waits for all commands before it.
  enum class Ordering { normal, after_all, barrier, barrier_after_all };

  /// The parameters of an enqueue call that do not depend on the kind of command.
  struct Submission {
    cl_command_type type;
    WaitList waits;
    cl_event* event = nullptr;
    Event* made = nullptr; ///< the command's event, if the caller has already made one
    bool blocking = false;
    Ordering ordering = Ordering::normal;
    /// Expected nanoseconds; with `unknown`, a background thread may begin at once.
    std::uint64_t estimate = 0;
  };
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};

  /// Enqueues a command with the work W(args...). If W has a method is_valid() and it returns false, nothing is
  /// enqueued and W::error() is returned. A blocking submission returns when the command is complete. It fails if the
  /// command failed, or if an earlier command that is ordered before it failed and no call has reported it.
  template <class W, class... Args>
  Status submit(const Submission& submission, Args&&... args) {
    Command* command = allocate();
    try {
      [[maybe_unused]] W& work = command->emplace<W>(std::forward<Args>(args)...);
      if constexpr (requires { work.is_valid(); })
        if (!work.is_valid()) [[unlikely]] {
          Error error = work.error();
          recycle(command);
          return error;
        }
    } catch (...) {
      recycle(command);
      throw;
    }
    return submit(command, submission);
  }

  /// Flushes all queues of the process. Called by the flusher, and by threads that wait for a command, which
  /// may depend on commands of any queue.
  static void publish_all();
  /// Blocks until all commands in the queues of a context are complete.
  static void finish_all(const Context& context);

  /// clFlush(): publishes all commands so far, and advances their events to CL_SUBMITTED.
  void flush();
  /// Blocks until all commands so far are complete.
  void drain();
  /// clFinish(): the same as drain(). Fails with the error of a command that failed, unless the application
  /// has been told of that failure already.
  Status finish();
  /// Blocks until the event is done. The event must be that of a command of this queue.
  void wait_for(Event& event);

  /// clCancelCommandsIMG(): ends the event of a command of this queue with CL_CANCELLED_IMG, unless the command has
  /// begun. The command stays in the queue until its turn comes, but does not run. A launch in a guest process is ended.
  void cancel(Event& event);

  /// Clears the recorded error of the queue, because the application has just been told of a failure. An unreported
  /// error of another command is cleared as well.
  void forget_failure();

  /// Called by a thread that is about to wait for a user event. If a callback of a command that this thread runs is
  /// about to wait, the command is completed first, so that later commands need not wait for the user event as well. A
  /// command whose work is still running (a native kernel) is completed only if the awaited event depends on it.
  static void end_own_commands(Event& awaited);

  /// Runs `block`, which blocks, for a calling thread whose stack is short or has been used up by nested callbacks:
  /// commands and callbacks that run while `block` waits need stack. A new thread runs `block`, and the calling thread
  /// waits for it. If no thread can be started, the calling thread runs `block` on another stack. The new thread takes
  /// over the calling thread's batches, and first calls the callbacks that the calling thread has deferred.
  static void on_new_stack(const std::function<void()>& block);

  /// Called when an event that the command waits for is done.
  void dependency_done(Command& command, const Event& event) noexcept;

  /// Whether the queue has commands that background threads may not run yet.
  bool has_unpublished() const { return has_unpublished_.load(std::memory_order_relaxed); }

  void released_by_application() { flush(); }
  Status info(cl_command_queue_info name, Answer answer) const;

private:
  /// What a blocked thread waits for: the event if there is one, otherwise all commands up to `sequence`.
  struct Waiter {
    std::uint64_t sequence;
    Event* event;
    Waiter* next = nullptr;
  };

  /// The queue as a task of the background threads.
  struct Posted final : BackgroundTask {
    explicit Posted(Queue& queue);
    Queue& queue;
  };
  struct Batch;
  class Known;

  /// Work that takes this many nanoseconds is worth waking a background thread for.
  static constexpr std::uint64_t background_threshold = 30'000;
  /// Replaces background_threshold if the application usually waits for its commands right after it has enqueued them.
  static constexpr std::uint64_t awaited_threshold = 200'000;

  // fork.cpp
  static bool lock_until(Lock& lock, std::chrono::steady_clock::time_point deadline);
  bool has_only_ended() const;
  void hold(std::chrono::steady_clock::time_point deadline);
  void let_go();
  bool begin_anew();

  void join_known();
  void leave_known();
  Command* allocate();
  void recycle(Command* command);
  Status submit(Command* command, const Submission& submission);
  Status wait_for_submitted(std::uint64_t sequence, Ref<Event> event, const Submission& submission);
  std::uint64_t link(Command& command, const Submission& submission);
  void resolve_waits(Command& command, const WaitList& waits);
  void block_until(Waiter waiter);
  void block(Waiter& waiter);
  void note_failure(const Command& command, cl_int status);
  Status take_failure();
  /// end_own_commands() for a thread that is about to wait for commands of `queue`, or for the event of the waiter.
  static void end_own_commands(const Queue* queue, const Waiter& waiter);
  void end_own_command(Batch& batch);
  static bool waits_for(const Queue* queue, const Waiter& waiter, Command& own);
  static bool is_awaited(const Queue* queue, const Waiter& waiter, Command& command,
                         std::vector<Command*>& later);
  static Batch*& innermost_batch();

  // The following are called with lock_ held:
  void append(Command& command);
  bool should_publish();
  void note_wait();
  bool may_run(const Command& command) const;
  void push_ready(Command& command);
  std::vector<Ref<Event>> newly_submitted() const;
  Command* ready_for(const Waiter& waiter) const;
  void take_ready(Command& command);
  bool is_satisfied(const Waiter& waiter) const;
  void wake_waiters();
  void ensure_progress() noexcept;
  void unlink(Command* first, Command* last);
  void recycle_all(Command* first);
  void sleep(std::unique_lock<Lock>& guard, Waiter& waiter);
  /// Runs ready commands on a background thread until there are none, or until a task of the same or a higher
  /// priority waits for a thread.
  void run_in_background();
  /// Runs a ready command. If the command is in order, runs in the same batch the commands after it that wait only for
  /// their predecessors, up to the sequence number `last_sequence` and up to 20 µs of estimated work.
  void run_command(Command* first, std::uint64_t last_sequence);
  Command* end_of_batch(Command& first, std::uint64_t last_sequence) const;
  void run_batch(Batch& batch);
  void execute(Batch& batch);
  void start(Batch& batch);
  void perform(Batch& batch);
  void work_checked(Batch& batch);

  Ref<Context> context_;
  Ref<Device> device_;
  std::atomic<cl_command_queue_properties> properties_;
  Priority priority_;
  std::vector<cl_queue_properties> property_list_;

  Lock lock_; ///< guards the members down to posted_
  Command* head_ = nullptr;
  Command* tail_ = nullptr;
  Command* ready_head_ = nullptr;
  Command* ready_tail_ = nullptr;
  Command* free_ = nullptr;
  std::size_t free_count_ = 0;
  Waiter* waiters_ = nullptr;
  std::uint64_t last_sequence_ = 0;
  std::uint64_t published_ = 0;    ///< commands up to this sequence number are published
  std::uint64_t newest_event_ = 0; ///< the last command that has an event
  std::uint64_t submitted_ = 0;    ///< events up to this sequence number have been advanced to CL_SUBMITTED
  std::uint64_t pending_estimate_ = 0; ///< nanoseconds of unpublished commands
  /// now_ns() when pending_estimate_ exceeded background_threshold, if no thread has waited since; else 0.
  std::uint64_t long_since_ = 0;
  unsigned waits_at_once_ = 0; ///< times in a row that a thread waited within at_once_ns after long_since_
  unsigned executors_ = 0;     ///< threads that run commands of this queue
  /// The last barrier if it is incomplete; it waits for the barrier before it.
  Command* newest_barrier_ = nullptr;
  bool posted_ = false; ///< whether the queue is in the list of the background threads

  /// A free command for the next allocate(), which need not take the lock then; link() sets it from free_.
  std::atomic<Command*> spare_{nullptr};
  std::atomic<bool> has_unpublished_{false};
  std::atomic<cl_int> failure_{CL_SUCCESS}; ///< error of a command that the application has not been told of
  /// Whether a barrier separates the failed command from commands enqueued from now on.
  std::atomic<bool> failure_is_ordered_{false};
  WakeUps
      wake_ups_; ///< of threads that sleep in sleep(), so that they look for work or for their condition again

  bool is_held_ = false; ///< whether the thread that forks holds lock_; no other thread reads this
  Posted task_;

  // Links of the list of Known, guarded by the lock of Known.
  Queue* next_known_ = nullptr;
  Queue* previous_known_ = nullptr;
};

} // namespace hostcl::runtime
