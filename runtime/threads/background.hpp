#pragma once

// The driver's own threads: background threads run commands of queues, the flusher flushes commands that the
// application has enqueued but neither flushed nor waited for, compiler threads compile kernels before they are needed,
// and one thread runs tasks that have a time. These threads are started when they are first needed, their number is
// bounded, and they are detached. This layer knows nothing of queues and kernels: a task is a function that its owner
// posts.

#include "runtime/threads/flusher_sleep.hpp"
#include "runtime/threads/parallel.hpp"

#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace hostcl::runtime {

/// A task for a background thread. A command queue has a task that runs the commands which the queue has published
/// (runtime/queue/queue.hpp). The owner keeps the task alive until it has run.
class BackgroundTask {
public:
  /// Called on a background thread, once for each call of Background::post().
  using Run = void (*)(BackgroundTask&);

  BackgroundTask(Priority priority, Run run) : priority_(priority), run_(run) {}
  BackgroundTask(const BackgroundTask&) = delete;

  Priority priority() const { return priority_; }

protected:
  ~BackgroundTask() = default;

private:
  friend class Background;
  Priority priority_;
  Run run_;
  BackgroundTask* next_posted_ = nullptr; ///< guarded by Background::mutex_
};

/// The background threads, the flusher and the compiler threads of a process. There is one object for each
/// process; all methods may be called from any thread.
class Background {
public:
  /// The object of this process, made by the first call and never destroyed. A child of fork() gets an object
  /// of its own, without the parent's threads.
  static Background& instance();

  /// Has a background thread run the task. The task must not be posted already, and must stay alive until it has run.
  void post(BackgroundTask& task) noexcept;
  /// Whether more tasks are posted than threads are idle, and the first task has this priority or a higher one.
  bool has_others_waiting(Priority priority) const {
    return waiting_.load(std::memory_order_relaxed) >= static_cast<int>(priority);
  }

  /// Why a kernel is compiled. Compilations with a smaller value run first.
  enum class Reason {
    /// Code for a launch that waits for earlier commands. Each of the machine's threads may run one such compilation.
    launched,
    tier1, ///< tier 1 code for a kernel whose launches take long
    ahead, ///< code for a kernel that may be launched later; must not take a processor from a launch
  };
  /// Has a compiler thread run the task later. The task is dropped if the machine has one thread and the reason is not
  /// `tier1`, if the process cannot compile, if the reason is `ahead` and many compilations wait already
  /// (most_waiting), or if no thread or memory is available. The task may use the compiler, and throw std::bad_alloc,
  /// but nothing else.
  void compile(Reason reason, std::function<void()> task) noexcept;

  /// Has one thread for all such tasks run the task at this time, or later if the thread is in another task. Tasks with
  /// the same time run in the order of the calls. A child of fork() does not run its parent's tasks.
  /// @returns false if the thread cannot be started; the task is not run then
  /// @throws std::bad_alloc
  bool run_at(std::chrono::steady_clock::time_point time, std::function<void()> task);

  /// Functions that know the queues of the process. The layer of the queues passes them to set_queues().
  struct Queues {
    bool (*any_unpublished)(); ///< whether the application has enqueued commands and not flushed them
    void (*publish)();         ///< flushes these commands, so that background threads run them
    void (*before_fork)();     ///< acquires the queues' locks, on the thread that forks
    void (*after_fork)();      ///< releases the queues' locks in the parent
    void (*begin_anew)();      ///< in the child: keeps queues without commands, invalidates all other queues
  };
  static void set_queues(const Queues& queues);
  /// Flushes the unflushed commands of all queues.
  void publish_all();

  /// False in a child of fork() if another thread of the parent was still compiling when fork() stopped
  /// waiting for it. The child must not call the compiler then, because locks of LLVM may be held by a thread
  /// that the child does not have.
  bool can_compile() const { return can_compile_; }
  static constexpr const char* no_compiler =
      "this process has lost its compiler, because another thread was compiling when it was forked";

  /// Blocks during the pause after a call of exit() (exit_pause). Called before the callback of an asynchronous build.
  void wait_during_exit();

  /// Exists while the calling thread compiles; may be nested. fork() waits, for three seconds at most, until no other
  /// thread compiles, because no thread of the child would release the compiler's locks, LLVM's among them. In turn, a
  /// thread that wants to compile waits until fork() has returned.
  class Compiling {
  public:
    Compiling() {
      if (depth_++ == 0) instance().begin_compiling();
    }
    ~Compiling() {
      if (--depth_ == 0) instance().end_compiling();
    }
    Compiling(const Compiling&) = delete;

  private:
    friend Background;
    static inline constinit thread_local unsigned depth_ = 0;
  };

  /// Wakes the flusher, which flushes the queues and calls relieve() within about a millisecond. Called after commands
  /// have been enqueued without a flush, and when a posted task has to wait for a thread.
  void note_activity() {
    if (flusher_.note_activity()) wake_flusher();
  }

  /// Called by a thread that is about to block until another thread has done something. The thread must not block
  /// before the flusher exists, because the flusher starts the background threads that are missing. If the process may
  /// not start the flusher, this function tries again each millisecond, until `is_over` returns true.
  template <std::predicate Over>
  void await_flusher(Over is_over) {
    while (!flusher_.is_started() && !is_over())
      if (!wake_flusher()) std::this_thread::sleep_for(flush_period);
  }

private:
  /// The flusher's period.
  static constexpr std::chrono::milliseconds flush_period{1};
  Background();
  void thread_main();
  void flusher_main();
  void add_compiler();
  void compiler_main();
  void timer_main();
  void note_stopped();
  void begin_compiling();
  void end_compiling();
  static unsigned compiling_here() { return Compiling::depth_ > 0; }
  void before_fork();
  void after_fork();
  static void begin_anew();
  static void at_exit(int status, void*);
  void pause_for_exit();
  bool wait_during_exit(std::unique_lock<std::mutex>& guard);
  bool wake_flusher();
  bool start(void (Background::*main)()) noexcept;
  void add_thread(unsigned limit);
  void note_waiting();
  void relieve();
  void await_task(std::unique_lock<std::mutex>& guard);
  static bool any_unpublished();

  std::mutex mutex_; ///< guards the list of posted tasks, and all members down to forks_
  std::condition_variable posted_;
  /// Head of the list, which is ordered by priority, and by the time of post() within a priority.
  BackgroundTask* first_posted_ = nullptr;
  std::atomic<unsigned> posted_count_{0}; ///< a thread that watches (await_task()) reads it without the mutex
  unsigned threads_ = 0;
  unsigned idle_ = 0;     ///< threads that wait for a task, or will do so before they run anything else
  unsigned watching_ = 0; ///< idle threads that spin for a task before they sleep; at most one
  unsigned running_ = 0; ///< threads that run commands; a thread that compiles for its command does not count
  unsigned usual_threads_;       ///< above this number, only relieve() starts another background thread
  std::uint64_t taken_ = 0;      ///< number of tasks that have been taken since the start
  std::uint64_t taken_then_ = 0; ///< taken_ when the flusher last called relieve()
  std::atomic<int> waiting_{-1}; ///< priority of the first posted task if posted_count_ > idle_; else -1
  bool exiting_ = false;
  /// End of the pause in which no command begins; valid if exiting_.
  std::chrono::steady_clock::time_point pause_end_;
  std::condition_variable stopped_; ///< signalled when running_ decreases while exiting_
  /// Threads in the compiler; a child of fork() reads it without the mutex.
  std::atomic<unsigned> compiling_{0};
  unsigned forks_ = 0; ///< calls of fork() that wait for the compiler or are in the system call
  std::condition_variable compiled_, forked_; ///< signalled when compiling_ decreases; when forks_ is 0 again
  bool can_compile_ = true;

  struct Compilation {
    Reason reason;
    std::function<void()> task;
  };
  std::mutex compilers_mutex_; ///< guards the members down to awaits_quiet_
  std::deque<Compilation> compilations_;
  std::condition_variable added_; ///< signalled when a compilation has been added
  unsigned compilers_ = 0; ///< compiler threads; a thread ends when it finds no compilation that it may run
  unsigned ahead_ = 0;     ///< compiler threads that compile ahead of a launch
  bool awaits_quiet_ = false; ///< whether a compiler thread waits until it may compile ahead of a launch

  std::mutex timed_mutex_; ///< guards the members down to has_timer_
  std::multimap<std::chrono::steady_clock::time_point, std::function<void()>> timed_;
  std::condition_variable timed_added_; ///< signalled when a task has been added
  bool has_timer_ = false;              ///< whether the thread of run_at() has been started

  /// The flusher sleeps after this number of periods of a millisecond in which nothing was enqueued.
  static constexpr unsigned quiet_periods = 100;
  FlusherSleep flusher_{quiet_periods};
};

} // namespace hostcl::runtime
