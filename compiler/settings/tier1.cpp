#include "compiler/settings/tier1.hpp"

#include <atomic>

namespace hostcl::compiler {

namespace {

std::atomic<bool> expected_in_process = true;

} // namespace

void expect_tier1(bool expected) {
  expected_in_process = expected;
}

bool is_tier1_expected() {
  return expected_in_process.load(std::memory_order_relaxed);
}

} // namespace hostcl::compiler
