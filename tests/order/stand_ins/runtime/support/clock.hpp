#pragma once

// In place of the driver's clock, in models of code that spins for a time: no time passes.

#include <cstdint>

namespace hostcl::runtime {

inline std::uint64_t now_ns() {
  static constinit std::uint64_t now = 0;
  return now += 1'000'000;
}
inline std::uint64_t thread_ns() {
  return 0;
}

} // namespace hostcl::runtime
