#include "runtime/launch/running_kernel.hpp"

#include <utility>

namespace hostcl::runtime {

namespace {

/// In the static part of thread-local memory, which signal handlers can read: the other one may have to be allocated.
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
