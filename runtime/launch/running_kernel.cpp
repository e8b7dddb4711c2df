#include "runtime/launch/running_kernel.hpp"

#include <utility>

namespace hostcl::runtime {

namespace {

/// Initial-exec: signal handlers read the variable, and the memory of other thread-local variables may have
/// to be allocated at the first access.
[[gnu::tls_model("initial-exec")]] constinit thread_local const RunningKernel* running = nullptr;

} // namespace

const RunningKernel* running_kernel() {
  return running;
}

RunsKernel::RunsKernel(const RunningKernel& kernel) : outer_(std::exchange(running, &kernel)) {
  std::atomic_signal_fence(std::memory_order_release);
}

RunsKernel::~RunsKernel() {
  running = outer_;
}

} // namespace hostcl::runtime
