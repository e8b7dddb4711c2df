#pragma once

// The checks of the process (HOSTCL_CHECK). They need records of all objects and commands, so they are set once, when the
// platform opens. A context's settings may have fewer checks, but no others.

#include "compiler/settings/checks.hpp"

#include <atomic>

namespace hostcl::runtime::checks {

inline constinit std::atomic<compiler::Checks> enabled{};

// These two functions are inline, because each launch calls them several times.

inline bool is_checked(compiler::Check check) {
  return enabled.load(std::memory_order_relaxed).has(check);
}
inline bool has_checks() {
  return !enabled.load(std::memory_order_relaxed).empty();
}

} // namespace hostcl::runtime::checks
