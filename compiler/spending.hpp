#pragma once

// What a compilation may take: time, memory, and the patience of those who wait for it.

#include <chrono>
#include <cstdint>
#include <ctime>

#include <sys/types.h>

namespace hostcl::compiler {

/// One compilation's, from now on. Used by the thread that waits for it.
class Spending {
public:
  using Clock = std::chrono::steady_clock;

  Spending();
  /// Why the thread has to end its work, a constant; or null.
  const char* excess(pid_t thread);

  /// A time for pthread_clockjoin_np().
  static timespec in(std::chrono::nanoseconds time);

private:
  bool takes_too_much_memory(pid_t thread) const;

  Clock::time_point begin_ = Clock::now();
  std::uint64_t resident_ = 0; ///< pages of the process when it began, once it takes long
  const char* excess_ = nullptr;
};

} // namespace hostcl::compiler
