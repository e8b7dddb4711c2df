#pragma once

// Threads that run tasks of queues, and the flusher, which has work published that an application enqueued and
// neither flushed nor waited for, and threads that compile ahead of need. Made when first needed, bounded in number,
// never joined. What the tasks do is the business of those who post them.

#include "runtime/threads/parallel.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include <pthread.h>

namespace hostcl::runtime {

/// A thread of the driver's own (compiler/isolation/own_threads.hpp), which the caller joins or detaches; none where the process
/// can have no more threads, or has no memory for one.
std::optional<pthread_t> start_thread(std::function<void()> main) noexcept;

/// What background threads run, as far as they have to know it: a queue whose commands are published.
class BackgroundTask {
public:
  /// Called on a background thread, once for each time that the task was posted.
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

class Background {
public:
  /// Never destroyed. A child of fork() has its own, without the parent's threads.
  static Background& instance();

  /// Asks a background thread to run the task, which is not posted now and lives until it runs.
  void post(BackgroundTask& task);
  /// Whether a task of this priority or a higher one waits, and no thread is about to take it.
  bool has_others_waiting(Priority priority) const {
    return waiting_.load(std::memory_order_relaxed) >= static_cast<int>(priority);
  }

  /// The reason to compile, in descending order of priority.
  enum class Wish {
    launched, ///< code for a launch that waits for others: all cores take part when many kernels are new
    better,   ///< better code for a launch that takes long
    ahead,    ///< code for a kernel that may be launched: no launch may lose a processor to it
  };
  /// Has a task run by a thread of its own, at some time. It may use the compiler, and throws std::bad_alloc at most.
  void compile(Wish wish, std::function<void()> task) noexcept;

  /// The queues of the process, which those who make them know.
  struct Queues {
    bool (*any_unpublished)(); ///< whether calls of the application have enqueued work and not flushed it
    void (*publish)();         ///< posts it
    void (*before_fork)();     ///< takes the queues' locks, on the thread that forks
    void (*after_fork)();      ///< gives them back in the parent
    void (*begin_anew)();      ///< takes over, in the child, the queues that it may use
  };
  static void set_queues(const Queues& queues);
  void publish_all();

  /// False in a child of fork() if another thread of the parent was compiling for so long that fork() did not
  /// wait for its end: locks of LLVM may be held for ever.
  bool can_compile() const { return can_compile_; }
  static constexpr const char* no_compiler =
      "this process has lost its compiler, because another thread was compiling when it was forked";

  /// Waits if exit() has just begun. Called by the driver's threads before code of the application runs.
  void wait_during_exit();

  /// Exists while a thread compiles. fork() waits for its end: no thread of the child would release the
  /// compiler's locks, LLVM's among them, or finish its work. Compiling waits for fork() in turn.
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

  /// Notes that commands were enqueued that no call has flushed, so that the flusher looks within a
  /// millisecond.
  void note_activity() {
    if (!recent_activity_.load(std::memory_order_relaxed))
      recent_activity_.store(true, std::memory_order_relaxed);
    // Pairs with the fence in flusher_main(): either it sees the queue's unpublished commands or this sees
    // that it went to sleep.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!flusher_awake_.load(std::memory_order_relaxed)) wake_flusher();
  }

private:
  Background();
  void thread_main();
  void flusher_main();
  void compiler_main();
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
  void wake_flusher();
  bool start(void (Background::*main)());
  void add_thread(unsigned limit);
  void note_waiting();
  void relieve();
  void await_task(std::unique_lock<std::mutex>& guard);
  static bool any_unpublished();

  std::mutex mutex_; ///< guards the list of posted tasks and the counts up to forks_
  std::condition_variable posted_;
  BackgroundTask* first_posted_ =
      nullptr; ///< of the highest priority, and of those the one that has waited longest
  std::atomic<unsigned> posted_count_{0}; ///< read without the mutex by a thread that watches
  unsigned threads_ = 0;
  unsigned idle_ = 0;            ///< threads that wait for a task or are about to
  unsigned watching_ = 0;        ///< those of them that look for one before they sleep: one at most
  unsigned running_ = 0;         ///< threads that run commands and are not in the compiler
  unsigned usual_threads_;       ///< there are more only while these are all in long commands
  std::uint64_t taken_ = 0;      ///< tasks in all
  std::uint64_t taken_then_ = 0; ///< when the flusher looked
  std::atomic<int> waiting_{-1}; ///< priority of the first posted task if threads are too few; else -1
  bool exiting_ = false;
  std::chrono::steady_clock::time_point pause_end_; ///< if exiting
  std::condition_variable stopped_;                 ///< running_ is less
  std::atomic<unsigned> compiling_{0};              ///< threads; a child of fork() reads it without the mutex
  unsigned forks_ = 0; ///< calls that are under way or wait until no other thread compiles
  std::condition_variable compiled_, forked_; ///< compiling_, forks_ is less
  bool can_compile_ = true;

  struct Compilation {
    Wish wish;
    std::function<void()> task;
  };
  std::mutex compilers_mutex_; ///< guards the following
  std::deque<Compilation> compilations_;
  std::condition_variable added_; ///< a compilation
  unsigned compilers_ = 0;        ///< threads, which end when there is nothing left
  unsigned ahead_ = 0;            ///< those of them that compile ahead, or wait until there is room for it

  std::mutex flusher_mutex_;
  std::condition_variable flusher_wake_;
  bool flusher_started_ = false;
  std::atomic<bool> flusher_awake_{false};
  std::atomic<bool> recent_activity_{false};
};

} // namespace hostcl::runtime
