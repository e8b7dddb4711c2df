#pragma once

// In place of the driver's lock, in models of the code that uses it.

#include "tests/order/model.hpp"

namespace hostcl::runtime {

inline void spin_hint() {}

using Lock = model::Mutex;

template <auto get, void (*forget)() = [] {}>
bool held_over_fork() noexcept {
  return true;
}

} // namespace hostcl::runtime
