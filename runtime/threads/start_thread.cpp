#include "runtime/threads/start_thread.hpp"

#include "compiler/isolation/own_threads.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/support/log.hpp"
#include "runtime/threads/parallel.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace hostcl::runtime {

std::optional<pthread_t> start_thread(void* (*main)(void*), void* argument) noexcept {
  const CancellationDelay uncancelled; // log() is a cancellation point, and not all callers delay it
  pthread_t thread;
  int error = ENOMEM;
  if (argument) {
    std::scoped_lock others(thread_starts());
    error = hcl_new_thread(&thread, nullptr, main, argument);
  }
  if (error == 0) return thread;
  // Background::relieve() tries again each millisecond, so only the first failure is logged as a warning.
  static constinit std::atomic<bool> is_known{false};
  log(is_known.exchange(true) ? LogLevel::info : LogLevel::warn,
      "cannot start a background thread: ", std::strerror(error));
  return std::nullopt;
}

} // namespace hostcl::runtime
