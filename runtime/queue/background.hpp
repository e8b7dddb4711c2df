#pragma once

// Threads that run published commands, and the flusher, which publishes commands that an application enqueued
// and neither flushed nor waited for, and threads that compile kernels ahead of their launches. Made when
// first needed, bounded in number, never joined.

#include "compiler/abi.hpp"
#include "runtime/object/object.hpp"
#include "runtime/queue/parallel.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <pthread.h>

namespace hostcl::runtime {

class Context;
class LoadedKernel;
class Queue;

/// A thread of the driver's own (compiler/own_threads.hpp), which the caller joins or detaches; none where the process
/// can have no more threads, or has no memory for one.
std::optional<pthread_t> start_thread(std::function<void()> main) noexcept;

class Background {
public:
  /// Never destroyed. A child of fork() has its own, without the parent's threads.
  static Background& instance();

  /// Asks a background thread to run the queue's commands. Called under the queue's lock, which has set
  /// `posted_`; takes a reference.
  void post(Queue& queue);
  /// Whether a queue of this priority or a higher one waits, and no thread is about to take it.
  bool has_others_waiting(Priority priority) const {
    return waiting_.load(std::memory_order_relaxed) >= static_cast<int>(priority);
  }

  /// The reason to compile, in descending order of priority.
  enum class Wish {
    launched, ///< code for a launch that waits for others: all cores take part when many kernels are new
    better,   ///< better code for a launch that takes long
    ahead,    ///< code for a kernel that will probably be launched
  };
  /// Has machine code made by a thread of its own, at some time.
  /// @param launch not used by Wish::ahead
  void compile(Wish wish, LoadedKernel& kernel, const abi::NDRange& launch) noexcept;

  /// Has a kernel compiled that has not been launched, unless that was already done for many kernels that
  /// have not been launched either.
  void compile_ahead(LoadedKernel& kernel) noexcept;
  /// Notes that such a kernel was launched or is gone.
  void forget_ahead();

  /// Registers a queue. Every live queue is known, so that its commands can be published.
  void add(Queue& queue);
  void remove(Queue& queue);
  void publish_all();
  /// Waits for the commands in the queues of a context.
  void finish_all(const Context& context);

  /// False in a child of fork() if another thread of the parent was compiling for so long that fork() did not
  /// wait for its end: locks of LLVM may be held for ever.
  bool can_compile() const { return can_compile_; }
  static constexpr const char* no_compiler =
      "there is no compiler in this process, because another thread was compiling when it was forked";

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
  void take_over_queues(Background& parents);
  static void begin_anew();
  static void at_exit(int status, void*);
  void pause_for_exit();
  bool wait_during_exit(std::unique_lock<std::mutex>& guard);
  void wake_flusher();
  bool start(void (Background::*main)());
  void add_thread(unsigned limit);
  void note_waiting();
  void relieve();
  bool any_unpublished();
  template <class Predicate>
  std::vector<Ref<Queue>> queues_that(Predicate wanted);

  std::mutex mutex_; ///< guards the list of posted queues and the counts up to forks_
  std::condition_variable posted_;
  Queue* first_posted_ = nullptr; ///< of the highest priority, and of those the one that has waited longest
  unsigned posted_count_ = 0;
  unsigned threads_ = 0;
  unsigned idle_ = 0;            ///< threads that wait for a queue or are about to
  unsigned running_ = 0;         ///< threads that run commands and are not in the compiler
  unsigned usual_threads_;       ///< there are more only while these are all in long commands
  std::uint64_t taken_ = 0;      ///< queues in all
  std::uint64_t taken_then_ = 0; ///< when the flusher looked
  std::atomic<int> waiting_{-1}; ///< priority of the first posted queue if threads are too few; else -1
  bool exiting_ = false;
  std::chrono::steady_clock::time_point pause_end_; ///< if exiting
  std::condition_variable stopped_;                 ///< running_ is less
  std::atomic<unsigned> compiling_{0};              ///< threads; a child of fork() reads it without the mutex
  unsigned forks_ = 0; ///< calls that are under way or wait until no other thread compiles
  std::condition_variable compiled_, forked_; ///< compiling_, forks_ is less
  bool can_compile_ = true;

  struct Task {
    Wish wish;
    std::shared_ptr<LoadedKernel> kernel;
    abi::NDRange launch;
  };
  static void perform(const Task& task);
  std::mutex compilers_mutex_; ///< guards the two
  std::deque<Task> tasks_;
  std::atomic<int> unlaunched_{0}; ///< kernels compiled ahead, less those launched
  unsigned compilers_ = 0;         ///< threads, which end when there is nothing left

  Lock known_lock_; ///< guards the list of known queues
  Queue* known_ = nullptr;

  std::mutex flusher_mutex_;
  std::condition_variable flusher_wake_;
  bool flusher_started_ = false;
  std::atomic<bool> flusher_awake_{false};
  std::atomic<bool> recent_activity_{false};
};

} // namespace hostcl::runtime
