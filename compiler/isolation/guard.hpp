#pragma once

// Guarded work: work that may crash. A fault in guarded work ends the work instead of the process, and another thread
// can end the work. In all cases the work is left by a jump: destructors of its frames do not run, its memory is
// leaked, and locks of LLVM that it holds are never released.

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <semaphore>

#include <pthread.h>

namespace hostcl::compiler {

/// Installs the driver's signal handlers for faults, if the application's handlers come first. Faults outside
/// of guarded work are passed on to the application's handlers. Only called before a compilation, so that
/// applications which never compile have only their own handlers.
void install_fault_handlers();

/// Why guarded work was left.
struct Failure {
  char reason[1024] = "";
};

/// The thread that does guarded work, and how the thread that waits for the work ends it. Created by the waiting
/// thread.
class GuardedThread {
public:
  GuardedThread() = default;
  GuardedThread(const GuardedThread&) = delete;

  /// Called by the thread itself before any guarded work. Handlers of faults will run on the alternate stack.
  /// @param guard inaccessible memory below the thread's stack. If the stack overflows in a function of a shared
  /// library, which may hold a lock, a part of the guard becomes accessible until the work is left.
  void enter(void* signal_stack, std::size_t signal_bytes, void* guard, std::size_t guard_bytes);
  /// Called by the thread itself after its guarded work.
  void leave();

  /// Waits for the end of the work. @returns whether the work has ended within the time
  bool wait(std::chrono::milliseconds time) { return end_.try_acquire_for(time); }
  /// Asks the thread to end its work. The work is left if, at this moment, the thread is in a LongStep and runs code of
  /// the driver or generated code. So the caller must repeat the call until the work has ended.
  /// @param reason a constant string; null withdraws an earlier request
  /// @param anywhere whether the work is also left in a function of a shared library; for a thread that has slept for
  /// long
  void interrupt(pthread_t thread, const char* reason, bool anywhere = false);
  /// Whether the CPU time that bound_own_time() has given the work is used up.
  /// @param now CPU time of the thread
  bool is_over_own_time(std::chrono::nanoseconds now) const { return now.count() >= end_ns_.load(); }
  /// Whether the thread waits for a HeldLock, or for other work (WaitingElsewhere).
  bool waits() const { return waits_; }
  /// Whether guarded work of the thread was left. If so, the thread's stack must not be used again, because LLVM may
  /// still have addresses of objects on this stack.
  bool was_left() const { return was_left_; }

private:
  friend struct Handling;
  friend bool guarded(llvm::function_ref<void()> work, Failure& failure);
  friend const char* cancellation_reason();
  friend void bound_own_time(std::chrono::nanoseconds time);
  friend void leave_for_memory();
  friend class WaitingElsewhere;

  bool protect_guard(std::size_t begin, int protection) const;

  std::atomic<const char*> reason_{nullptr};
  std::atomic<bool> anywhere_{false}, waits_{false};
  std::atomic<std::int64_t> end_ns_{std::numeric_limits<std::int64_t>::max()}; ///< in CPU time of the thread
  std::binary_semaphore end_{0};
  char* guard_ = nullptr;
  std::size_t guard_bytes_ = 0;
  bool was_left_ = false, has_overflowed_ = false, lacks_memory_ = false;
};

/// Limits the CPU time that the calling thread, which must be a GuardedThread, may use from now on; 0 means
/// no limit.
void bound_own_time(std::chrono::nanoseconds time);

/// Why this thread has been asked to end its work; null if it has not.
const char* cancellation_reason();

/// Calls `work`, which must not throw, on a GuardedThread. @returns false if the work was left
bool guarded(llvm::function_ref<void()> work, Failure& failure);

/// Leaves the guarded work of this thread, as a fault would. Returns if the thread does no guarded work.
/// @param reason the function copies this text
void leave_guarded_work(const char* reason);

/// Called if an allocation has failed. Leaves the guarded work of this thread if the thread is in a LongStep of the
/// compiler. Otherwise it returns, and the caller throws an exception; a fault that follows is reported as a lack of
/// memory.
void leave_for_memory();

/// A scope in which the calling thread holds no locks of the driver except HeldLocks, so that the thread's work may be
/// left.
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

/// Holds a mutex while code of LLVM runs. The mutex is released even if the work is left and the destructor does not
/// run.
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
