#pragma once

// The driver's own threads: their stacks, their floating-point environment, and which signals they take. Signals of the
// process are for the application's threads: one that waits for SIGTERM with sigtimedwait() has it blocked in all of its own. Signals of a thread's own instructions
// are not: an application that mends a page in its handler of SIGSEGV expects that on any thread that touches the page,
// and a thread that blocks such a signal ends the process instead.

#include <csignal>
#include <cstddef>
#include <cstdint>

#include <pthread.h>

namespace hostcl {

/// Signals that a thread blocks.
class SignalMask {
public:
  /// None.
  SignalMask() = default;
  static SignalMask of_this_thread() noexcept;
  /// That of the driver's threads: all but SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS and SIGABRT.
  static SignalMask of_own_threads() noexcept;

  /// Gives it to the calling thread. @returns the mask before
  SignalMask exchange() const noexcept;

private:
  explicit SignalMask(const sigset_t& set) noexcept;
  std::uint64_t blocked_ = 0; ///< bit n is signal n + 1, as in a sigset_t
};

/// Attributes of a thread with a megabyte of stack at least, whatever the process's limit for stacks and the C library's
/// default are: kernels spill registers.
class OwnAttributes {
public:
  OwnAttributes() noexcept;
  ~OwnAttributes();
  OwnAttributes(const OwnAttributes&) = delete;
  /// Null where there is no memory for them.
  const pthread_attr_t* get() const { return are_made_ ? &attributes_ : nullptr; }

private:
  pthread_attr_t attributes_;
  bool are_made_;
};

/// True in a child of fork(), where the parent's threads do not exist.
bool in_forked_child() noexcept;

} // namespace hostcl

/// pthread_create() for all threads of the driver: they begin with SignalMask::of_own_threads() and the default
/// floating-point environment, and have OwnAttributes unless others are given. oneTBB's library imports it under this name
/// in place of pthread_create() (cmake/own_tbb.sed).
extern "C" [[gnu::visibility("default")]] int hcl_new_thread(pthread_t* thread,
                                                             const pthread_attr_t* attributes,
                                                             void* (*main)(void*), void* argument) noexcept;

/// pthread_key_create() for oneTBB, once: its data of the thread that forked stays as it is when that thread ends in the
/// child. oneTBB would wait there for workers that only the parent has. @returns EAGAIN the second time
extern "C" [[gnu::visibility("default")]] int hcl_new_thread_key(pthread_key_t* key,
                                                                 void (*destructor)(void*)) noexcept;
