#pragma once

// Work that may crash. A fault in guarded work ends the work and not the process; so does a wish of another thread.
// What the work had allocated is lost, and its destructors do not run.

#include "compiler/isolation/stop.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>

#include <pthread.h>

namespace hostcl::compiler {

/// Has signals of faults come here first, unless they do already. Those that are not guarded work's go on to the
/// handlers that the application has, or had. Applications that never compile anything keep theirs alone.
void install_fault_handlers();

/// Why guarded work came to its end early.
struct Failure {
  char reason[160] = "";
};

/// The thread that does guarded work, and whether another one wants it to end. Made by the thread that waits.
class GuardedThread {
public:
  GuardedThread() = default;
  GuardedThread(const GuardedThread&) = delete;
  ~GuardedThread();

  /// Called by the thread itself, before any guarded work: faults use an alternate stack.
  /// @param guard below the thread's stack: inaccessible memory, of which a part becomes accessible when the stack
  /// overflows inside a function that must come to its end
  void enter(void* signal_stack, std::size_t signal_bytes, void* guard, std::size_t guard_bytes);
  static void leave();

  /// Asks the thread to end its work: by an exception at its next allocation.
  /// @param reason a constant
  void stop(const char* reason);
  /// Ends its work wherever it is, if that is a LongStep.
  void interrupt(pthread_t thread) const;
  /// Whether the time that the thread gave its work is over.
  /// @param now the thread's own clock
  bool is_over_own_time(std::chrono::nanoseconds now) const { return now.count() >= end_ns_.load(); }
  /// Whether it waits for a HeldLock, or elsewhere.
  bool waits() const { return waits_; }
  /// Whether a fault was caught: its stack must not be used again.
  bool has_crashed() const { return crashed_; }

private:
  friend struct Handling;
  friend bool guarded(llvm::function_ref<void()> work, Failure& failure);
  friend void throw_if_stopped();
  friend const char* why_stopped();
  friend void note_lack_of_memory() noexcept;
  friend void bound_own_time(std::chrono::nanoseconds time);
  friend class HeldLock;
  friend class WaitingElsewhere;

  /// Protects the guard's upper half, which the stack grows into in a function that must come to its end.
  bool protect_upper_guard(int protection) const;
  /// What made the work fail before it crashed, if anything did.
  const char* cause() const;
  /// Forgets the wish to stop, which has been granted. @returns its reason, or null
  const char* grant_stop();

  std::atomic<const char*> reason_{nullptr}; ///< of a wish to stop that no exception has granted
  std::atomic<const char*> interruption_{nullptr};
  std::atomic<std::int64_t> end_ns_{std::numeric_limits<std::int64_t>::max()}; ///< by the thread's own clock
  std::atomic<bool> waits_{false};
  char* guard_ = nullptr;
  std::size_t guard_bytes_ = 0;
  bool crashed_ = false, lacks_memory_ = false;
};

/// Gives this thread, which is a GuardedThread, so much of the processor's time from now on. 0: as much as it takes.
void bound_own_time(std::chrono::nanoseconds time);

/// Calls `work`, which throws nothing, on a GuardedThread. @returns false if it came to its end early
bool guarded(llvm::function_ref<void()> work, Failure& failure);

/// While one lives, the thread holds none of the driver's locks but HeldLocks: interrupt() may end the work.
class LongStep {
public:
  enum class Kind { compiler, program_code };
  explicit LongStep(Kind kind = Kind::compiler);
  ~LongStep();
  LongStep(const LongStep&) = delete;

private:
  int before_;
};

/// While one lives, this thread waits for work that has bounds of its own.
class WaitingElsewhere {
public:
  WaitingElsewhere();
  ~WaitingElsewhere();
  WaitingElsewhere(const WaitingElsewhere&) = delete;
};

/// Holds a mutex while code of LLVM runs; if that gives up, it is released.
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
