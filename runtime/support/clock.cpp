#include "runtime/support/clock.hpp"

#include <ctime>

namespace hostcl::runtime {

std::uint64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
}

} // namespace hostcl::runtime
