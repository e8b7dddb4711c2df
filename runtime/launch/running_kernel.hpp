#pragma once

// The kernel that a thread runs: for what it asks of the host, and for the report when it goes wrong.

#include "compiler/compiler.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

struct TrapExit;

/// Bytes that the kernel of one launch has printed (HOSTCL_PRINTF_SIZE).
using PrintedBytes = std::atomic<std::uint64_t>;

/// A range of groups while it runs, and all that is known of its place in the launch. Signal handlers read it.
struct RunningKernel {
  const compiler::KernelSignature* signature;
  const compiler::KernelCode* code;
  const abi::Launch* launch;
  const std::byte* arguments; ///< as abi::Entry takes them
  std::uint64_t first_group, last_group;
  PrintedBytes* printed;
  TrapExit* trap_exit = nullptr; ///< null while no work-item can trap
};

/// The calling thread's kernel, or null.
const RunningKernel* running_kernel();

/// While it lives, the calling thread runs `kernel`.
class RunsKernel {
public:
  explicit RunsKernel(const RunningKernel& kernel);
  ~RunsKernel();
  RunsKernel(const RunsKernel&) = delete;

private:
  const RunningKernel* outer_;
};

} // namespace hostcl::runtime
