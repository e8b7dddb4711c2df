#include "compiler/isolation/own_threads.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <initializer_list>

namespace hostcl {

namespace {

std::atomic<bool> forked{false};
const int fork_handler =
    pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });

std::atomic<void (*)(void*)> end_thread_data{nullptr}; ///< oneTBB's

} // namespace

bool in_forked_child() noexcept {
  (void)fork_handler;
  return forked.load(std::memory_order_relaxed);
}

SignalMask::SignalMask(const sigset_t& set) noexcept {
  static_assert(sizeof set >= sizeof blocked_);
  std::memcpy(&blocked_, &set, sizeof blocked_);
}

SignalMask SignalMask::of_this_thread() noexcept {
  sigset_t set;
  sigemptyset(&set);
  pthread_sigmask(SIG_SETMASK, nullptr, &set);
  return SignalMask(set);
}

SignalMask SignalMask::of_own_threads() noexcept {
  sigset_t set;
  sigfillset(&set);
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
    sigdelset(&set, own);
  return SignalMask(set);
}

SignalMask SignalMask::exchange() const noexcept {
  sigset_t set, before;
  sigemptyset(&set);
  sigemptyset(&before);
  std::memcpy(&set, &blocked_, sizeof blocked_);
  pthread_sigmask(SIG_SETMASK, &set, &before);
  return SignalMask(before);
}

} // namespace hostcl

int hcl_new_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*),
                   void* argument) noexcept {
  // A new thread has the mask of the one that starts it.
  const hostcl::SignalMask before = hostcl::SignalMask::of_own_threads().exchange();
  const int error = pthread_create(thread, attributes, main, argument);
  before.exchange();
  return error;
}

int hcl_new_thread_key(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  void (*none)(void*) = nullptr;
  if (!hostcl::end_thread_data.compare_exchange_strong(none, destructor)) return EAGAIN;
  return pthread_key_create(key, [](void* data) {
    if (!hostcl::in_forked_child()) hostcl::end_thread_data.load()(data);
  });
}
