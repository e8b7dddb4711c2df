#pragma once

// The kernel that a thread runs. Host callbacks and reports of crashes and traps use it.

#include "compiler/compiler.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

class Device;
class Fibers;
struct TrapExit;

/// The number of bytes that the kernel of one launch has printed (see HOSTCL_PRINTF_SIZE).
using PrintedBytes = std::atomic<std::uint64_t>;

/// A range of work-groups while a thread runs it. It lives on that thread's stack. Signal handlers of the
/// thread read it.
struct RunningKernel {
  const compiler::KernelSignature* signature;
  const compiler::KernelCode* code;
  const abi::Launch* launch;
  const Device* device;       ///< of the launch
  const std::byte* arguments; ///< the argument block that abi::Entry got
  std::uint64_t first_group, last_group;
  PrintedBytes* printed;
  TrapExit* trap_exit = nullptr; ///< null if no work-item of the kernel can trap
  Fibers* fibers = nullptr;      ///< null if the groups cannot wait for each other
};

/// The range that the calling thread runs, or null.
const RunningKernel* running_kernel();

/// While an object of this class exists, the calling thread runs `kernel`.
class RunsKernel {
public:
  explicit RunsKernel(const RunningKernel& kernel);
  ~RunsKernel();
  RunsKernel(const RunsKernel&) = delete;

private:
  const RunningKernel* outer_;
};

} // namespace hostcl::runtime
