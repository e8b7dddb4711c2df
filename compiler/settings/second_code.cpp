#include "compiler/settings/second_code.hpp"

#include <atomic>

namespace hostcl::compiler {

namespace {

std::atomic<bool> expected_in_process = true;

} // namespace

void expect_second_code(bool expected) {
  expected_in_process = expected;
}

bool is_second_code_expected() {
  return expected_in_process.load(std::memory_order_relaxed);
}

} // namespace hostcl::compiler
