#pragma once

// Writing a file may raise SIGXFSZ (the process's limit for the size of files) or SIGPIPE. Both end a process
// that does not handle them. The driver's files and messages must not end the application's process.

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

#include <pthread.h>

namespace hostcl {

/// A scope in which writes of the calling thread that fail raise no signal. errno has the reason of the
/// failure.
class WriteSignalsBlocked {
public:
  WriteSignalsBlocked() {
    sigset_t set;
    sigemptyset(&set);
    for (int signal : signals)
      sigaddset(&set, signal);
    sigpending(&pending_before_);
    pthread_sigmask(SIG_BLOCK, &set, &blocked_before_);
  }
  ~WriteSignalsBlocked() {
    const int error = errno;
    for (int signal : signals)
      if (!sigismember(&pending_before_, signal)) take(signal);
    pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
    errno = error;
  }
  WriteSignalsBlocked(const WriteSignalsBlocked&) = delete;

private:
  static constexpr std::array<int, 2> signals = {SIGXFSZ, SIGPIPE};

  /// Removes a signal that a write of this thread has raised, and that is pending for the thread.
  static void take(int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    const timespec at_once{};
    while (sigtimedwait(&set, nullptr, &at_once) < 0 && errno == EINTR)
      ;
  }

  sigset_t pending_before_, blocked_before_;
};

} // namespace hostcl
