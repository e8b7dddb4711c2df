#pragma once

// The driver's own threads: their stacks, their floating-point environment, and their signal masks.
//
// The driver's threads block signals that are sent to the process, so that Linux delivers these signals to threads of the
// application. For example, an application that calls sigtimedwait() for SIGTERM blocks SIGTERM in all of its own threads;
// if a thread of the driver did not block SIGTERM too, that thread would receive the signal, and the process would end.
//
// The driver's threads do not block signals that their own instructions raise, as SIGSEGV. An application may repair a page
// in its handler of SIGSEGV, whichever thread touches the page, and Linux ends a process whose thread raises such a signal
// while the thread blocks it.

#include <csignal>
#include <cstddef>
#include <cstdint>

#include <pthread.h>

namespace hostcl {

/// The set of signals that a thread blocks.
class SignalMask {
public:
  /// The empty set.
  SignalMask() = default;
  static SignalMask of_this_thread() noexcept;
  /// The mask of the driver's threads: all signals except SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS
  /// and SIGABRT.
  static SignalMask of_own_threads() noexcept;

  /// Makes this the mask of the calling thread. @returns the mask before
  SignalMask exchange() const noexcept;

private:
  explicit SignalMask(const sigset_t& set) noexcept;
  std::uint64_t blocked_ = 0; ///< bit n is signal n + 1, as in a sigset_t
};

/// Thread attributes with a stack of at least a megabyte, because kernels spill registers. The process's
/// limit for stacks and the C library's default do not matter.
class OwnAttributes {
public:
  OwnAttributes() noexcept;
  ~OwnAttributes();
  OwnAttributes(const OwnAttributes&) = delete;
  /// Null if there was no memory to make them.
  const pthread_attr_t* get() const { return are_made_ ? &attributes_ : nullptr; }

private:
  pthread_attr_t attributes_;
  bool are_made_;
};

/// True in a child of fork(), in which the parent's threads do not exist.
bool in_forked_child() noexcept;

} // namespace hostcl

/// pthread_create() for all threads of the driver. They begin with SignalMask::of_own_threads() and the
/// default floating-point environment, and with OwnAttributes unless others are given. oneTBB's library
/// imports this function instead of pthread_create() (cmake/own_tbb.sed).
extern "C" [[gnu::visibility("default")]] int hcl_new_thread(pthread_t* thread,
                                                             const pthread_attr_t* attributes,
                                                             void* (*main)(void*), void* argument) noexcept;

/// pthread_key_create() for oneTBB, which may be called once. After fork(), oneTBB's data of the thread that
/// forked is not destroyed when that thread ends in the child, since the destructor would wait for workers
/// that only the parent has.
/// @returns EAGAIN for the second call
extern "C" [[gnu::visibility("default")]] int hcl_new_thread_key(pthread_key_t* key,
                                                                 void (*destructor)(void*)) noexcept;
