#pragma once

// Command queues. A queue is a list of incomplete commands in the order of their enqueueing; commands that
// may run are in a second list. Any thread that blocks on the queue runs ready commands itself; otherwise
// background threads do (background.hpp) once the commands are published: flushed, or known to be long.

#include "runtime/context/context.hpp"
#include "runtime/object/device.hpp"
#include "runtime/object/object.hpp"
#include "runtime/queue/command.hpp"
#include "runtime/queue/event.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/threads/background.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace hostcl::runtime {

class Queue : public HandleObject<_cl_command_queue, Kind::queue, CL_INVALID_COMMAND_QUEUE> {
public:
  Queue(Context& context, Device& device, cl_command_queue_properties properties, Priority priority,
        std::vector<cl_queue_properties> property_list);
  ~Queue();

  Context& context() const { return *context_; }
  Device& device() const { return *device_; }
  Priority priority() const { return priority_; }
  /// The threads that work for its commands.
  Workers& workers() const { return device_->workers(priority_); }
  cl_command_queue_properties properties() const { return properties_.load(std::memory_order_relaxed); }
  const std::vector<cl_queue_properties>& property_list() const { return property_list_; }
  bool is_in_order() const { return !(properties() & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  bool is_profiled() const { return properties() & CL_QUEUE_PROFILING_ENABLE; }
  /// clSetCommandQueueProperty of OpenCL 1.0, for an empty queue.
  void set_properties(cl_command_queue_properties properties) { properties_ = properties; }

  /// The order of a command with respect to those before and after it.
  enum class Ordering { normal, after_all, barrier, barrier_after_all };

  struct Submission {
    cl_command_type type;
    WaitList waits;
    cl_event* event = nullptr;
    Event* made = nullptr; ///< the command's event, where the caller has made one
    bool blocking = false;
    Ordering ordering = Ordering::normal;
    std::uint64_t estimate = 0; ///< nanoseconds; `unknown` starts the work in the background at once
  };
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};

  /// Enqueues work W(args...), unless it can tell whether it is valid and is not. A blocking submission
  /// returns when the work is done, with the error of a failed wait list.
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

  /// Flushes all queues: for the flusher, and for threads that wait for commands of any queue.
  static void publish_all();
  /// Waits for the commands in the queues of a context.
  static void finish_all(const Context& context);

  void flush();
  /// Blocks until all commands so far are done.
  void drain();
  /// The same. Errors: that of a command that failed, unless the application has been told of it.
  Status finish();
  /// Blocks until the event, which is of a command of this queue, is done.
  void wait_for(Event& event);

  /// Notes that the application has been told that a command failed: no call of this queue reports it again.
  void forget_failure();

  /// For a thread that is about to wait for a user event, perhaps in a callback of a command that it runs:
  /// that command ends first and holds up no others from now on.
  static void end_own_commands(Event& awaited);

  /// Blocks on a thread of its own on behalf of this one, whose stack is short or used by nested application code: the commands
  /// and callbacks that `block` runs find an empty stack, and this thread's commands as their own. Calls back
  /// what this thread has put off before.
  static void on_new_stack(const std::function<void()>& block);

  /// One of the events that the command waits for is done.
  void dependency_done(Command& command, const Event& event);

  /// Whether there are commands that no background thread may take yet.
  bool has_unpublished() const { return has_unpublished_.load(std::memory_order_relaxed); }

  void released_by_application() { flush(); }
  Status info(cl_command_queue_info name, Answer answer) const;

private:
  /// The condition that a blocked thread waits for: all commands up to `sequence` are complete, and the event
  /// if there is one.
  struct Waiter {
    std::uint64_t sequence;
    Event* event;
    Waiter* next = nullptr;
  };

  /// The queue as background threads know it.
  struct Posted final : BackgroundTask {
    explicit Posted(Queue& queue);
    Queue& queue;
  };
  struct Batch;
  class Known;

  /// Work of this many nanoseconds is worth waking a background thread for.
  static constexpr std::uint64_t background_threshold = 30'000;
  /// The same where the application usually comes to wait for the work at once.
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
  /// The same for a thread that is about to wait for commands of `queue`.
  static void end_own_commands(const Queue* queue, const Waiter& waiter);
  void end_own_command(Batch& batch);
  static bool waits_for(const Queue* queue, const Waiter& waiter, Command& own);
  static bool is_awaited(const Queue* queue, const Waiter& waiter, Command& command,
                         std::vector<Command*>& later);
  static Batch*& innermost_batch();

  // Under lock_:
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
  void ensure_progress();
  void unlink(Command* first, Command* last);
  void recycle_all(Command* first);
  void sleep(std::unique_lock<Lock>& guard, Waiter& waiter);
  /// Runs ready commands until there are none, or another queue has waited for its turn; for background
  /// threads.
  void run_in_background();
  /// Runs a ready command, and short ones after it up to `last_sequence` that become ready with it.
  void run_command(Command* first, std::uint64_t last_sequence);
  Command* end_of_batch(Command& first, std::uint64_t last_sequence) const;
  void run_batch(Batch& batch);
  void execute(Batch& batch);
  void start(Batch& batch);
  void perform(Batch& batch);
  void work_checked(Batch& batch);
  void begin_span(timeline::Span& span, const Command& command) const;

  Ref<Context> context_;
  Ref<Device> device_;
  std::atomic<cl_command_queue_properties> properties_;
  Priority priority_;
  std::vector<cl_queue_properties> property_list_;

  Lock lock_; ///< guards all below
  Command* head_ = nullptr;
  Command* tail_ = nullptr;
  Command* ready_head_ = nullptr;
  Command* ready_tail_ = nullptr;
  Command* free_ = nullptr;
  std::size_t free_count_ = 0;
  Waiter* waiters_ = nullptr;
  std::uint64_t last_sequence_ = 0;
  std::uint64_t published_ = 0;        ///< background threads may run commands up to this one
  std::uint64_t submitted_ = 0;        ///< events up to this one have been told that they are submitted
  std::uint64_t pending_estimate_ = 0; ///< nanoseconds of unpublished commands
  std::uint64_t long_since_ = 0; ///< now_ns() when they were worth a thread, if no thread has waited since
  unsigned waits_at_once_ = 0;   ///< times in a row that a thread waited for them at once
  unsigned executors_ = 0;       ///< threads that run commands of this queue
  Command* newest_barrier_ = nullptr; ///< if it is not complete; it waits for the one before it
  bool posted_ = false;               ///< in the list of the background threads

  std::atomic<bool> has_unpublished_{false};
  std::atomic<cl_int> failure_{CL_SUCCESS};     ///< of a command, which the application has not been told of
  std::atomic<bool> failure_is_ordered_{false}; ///< a barrier separates it from commands enqueued from now on
  std::atomic<std::uint32_t> generation_{0};    ///< changes when a sleeping thread should look again

  bool is_held_ = false; ///< lock_ is, by the thread that forks, which alone reads this
  Posted task_;

  // The list of Known, guarded by its lock.
  Queue* next_known_ = nullptr;
  Queue* previous_known_ = nullptr;
};

} // namespace hostcl::runtime
