#pragma once

// Guarded work: work that may crash. A fault in guarded work ends the work instead of the process, and
// another thread can ask the work to end. Memory that the work has allocated is leaked, and destructors of
// its frames do not run.

#include "compiler/isolation/cancellation_request.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>

#include <pthread.h>

namespace hostcl::compiler {

/// Installs the driver's signal handlers for faults, if the application's handlers come first. Faults outside
/// of guarded work are passed on to the application's handlers. Only called before a compilation, so that
/// applications which never compile have only their own handlers.
void install_fault_handlers();

/// Why guarded work has ended early.
struct Failure {
  char reason[160] = "";
};

/// The thread that does guarded work, and the cancellation request of another thread. Created by the thread that waits
/// for the work.
class GuardedThread {
public:
  GuardedThread() = default;
  GuardedThread(const GuardedThread&) = delete;
  ~GuardedThread();

  /// Called by the thread itself before any guarded work. Handlers of faults will run on the alternate stack.
  /// @param guard inaccessible memory below the thread's stack. If the stack overflows in a function that
  /// must not be left, a part of the guard becomes accessible.
  void enter(void* signal_stack, std::size_t signal_bytes, void* guard, std::size_t guard_bytes);
  static void leave();

  /// Asks the thread to end its work: its next allocation throws an exception.
  /// @param reason a constant string
  void stop(const char* reason);
  /// Ends the thread's work at once, even between allocations, provided that the thread is in a LongStep.
  void interrupt(pthread_t thread) const;
  /// Whether the CPU time that bound_own_time() has given the work is used up.
  /// @param now CPU time of the thread
  bool is_over_own_time(std::chrono::nanoseconds now) const { return now.count() >= end_ns_.load(); }
  /// Whether the thread waits for a HeldLock, or for other work (WaitingElsewhere).
  bool waits() const { return waits_; }
  /// Whether a fault was caught. If so, the thread's stack must not be used again.
  bool has_crashed() const { return crashed_; }

private:
  friend struct Handling;
  friend bool guarded(llvm::function_ref<void()> work, Failure& failure);
  friend void throw_if_cancelled();
  friend const char* cancellation_reason();
  friend void note_lack_of_memory() noexcept;
  friend void bound_own_time(std::chrono::nanoseconds time);
  friend class HeldLock;
  friend class WaitingElsewhere;

  /// Sets the protection of the upper half of the guard, which the stack may overflow into in a function that
  /// must not be left.
  bool protect_upper_guard(int protection) const;
  /// The reason why the work had failed before it crashed, if there is one.
  const char* cause() const;
  /// Removes the cancellation request, because it has been fulfilled. @returns its reason, or null
  const char* take_cancellation_request();

  /// The reason of a cancellation request that has not been fulfilled by an exception yet.
  std::atomic<const char*> reason_{nullptr};
  std::atomic<const char*> interruption_{nullptr};
  std::atomic<std::int64_t> end_ns_{std::numeric_limits<std::int64_t>::max()}; ///< in CPU time of the thread
  std::atomic<bool> waits_{false};
  char* guard_ = nullptr;
  std::size_t guard_bytes_ = 0;
  bool crashed_ = false, lacks_memory_ = false;
};

/// Limits the CPU time that the calling thread, which must be a GuardedThread, may use from now on; 0 means
/// no limit.
void bound_own_time(std::chrono::nanoseconds time);

/// Calls `work`, which must not throw, on a GuardedThread. @returns false if it has ended early
bool guarded(llvm::function_ref<void()> work, Failure& failure);

/// A scope in which the calling thread holds no locks of the driver except HeldLocks, so that interrupt() may
/// end the thread's work.
class LongStep {
public:
  enum class Kind { compiler, program_code };
  explicit LongStep(Kind kind = Kind::compiler);
  ~LongStep();
  LongStep(const LongStep&) = delete;

private:
  int before_;
};

/// A scope in which the calling thread waits for work that has a resource budget of its own, so that the wait
/// does not count against this thread's budget.
class WaitingElsewhere {
public:
  WaitingElsewhere();
  ~WaitingElsewhere();
  WaitingElsewhere(const WaitingElsewhere&) = delete;
};

/// Holds a mutex while code of LLVM runs. The mutex is released even if the work ends early and the
/// destructor does not run.
class HeldLock {
public:
  explicit HeldLock(std::mutex& mutex) : HeldLock(mutex, true) {}
  HeldLock(std::mutex& mutex, bool wait);
  ~HeldLock();
  HeldLock(const HeldLock&) = delete;
  explicit operator bool() const { return holds_; }

private:
  friend bool guarded(llvm::function_ref<void()> work, Failure& failure);
  std::mutex& mutex_;
  HeldLock* outer_ = nullptr;
  bool holds_;
};

} // namespace hostcl::compiler
