#pragma once

// Parts of a test that need a process of their own. The test's process never uses OpenCL itself.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace test {

/// Waits for a child. @returns its exit status, 128 + a signal that ended it, or 124 if it hung and was killed
inline int ending_of(pid_t child, std::chrono::seconds patience = std::chrono::seconds(120)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) != child) {
    if (std::chrono::steady_clock::now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return 124;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// What the function returns in a child that has just been forked; it ends by _exit().
template <class Function>
int in_child(Function function) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child != 0) return ending_of(child);
  int result = 1;
  try {
    result = function();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "failed: %s\n", error.what());
  }
  std::fflush(nullptr);
  _exit(result);
}

} // namespace test
