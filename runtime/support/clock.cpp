#include "runtime/support/clock.hpp"

#include <ctime>

namespace hostcl::runtime {

namespace {

std::uint64_t nanoseconds(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t read(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return nanoseconds(time);
}

} // namespace

std::uint64_t now_ns() {
  return read(CLOCK_MONOTONIC);
}
std::uint64_t resolution_ns() {
  timespec time{0, 1};
  clock_getres(CLOCK_MONOTONIC, &time);
  return nanoseconds(time);
}
std::uint64_t coarse_ns() {
  return read(CLOCK_MONOTONIC_COARSE);
}
std::uint64_t thread_ns() {
  return read(CLOCK_THREAD_CPUTIME_ID);
}

} // namespace hostcl::runtime
