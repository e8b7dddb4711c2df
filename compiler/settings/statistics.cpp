#include "compiler/settings/statistics.hpp"

#include <atomic>

namespace hostcl::compiler {

namespace {

std::atomic<bool> described_in_process = false;

} // namespace

void describe_kernels(bool described) {
  described_in_process = described;
}

bool are_kernels_described() {
  return described_in_process.load(std::memory_order_relaxed);
}

} // namespace hostcl::compiler
