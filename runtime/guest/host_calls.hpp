#pragma once

// Answers the calls of the host that kernels of a guest process make (lane.hpp). All data of a call comes from machine
// code that may be hostile: it is copied once, its sizes are checked, and numbers of queues, events and kernels are
// valid only if they belong to the launch's context.

#include "runtime/guest/lane.hpp"
#include "runtime/guest/shared_memory.hpp"

#include <cstddef>
#include <span>

namespace hostcl::runtime::guest {

/// What becomes of the kernel after a call.
struct Answer {
  Turn turn = Turn::answered;   ///< answered or abandoned
  const char* reason = nullptr; ///< why the kernel has to be ended (compiler::CodeEnd); null if it need not
};

/// Memory to which addresses in calls may point.
struct CallMemory {
  const SharedMemory& data;             ///< kernels can write it, and answers are written to it
  std::span<const std::byte> constants; ///< kernels cannot write it
};

/// Answers the call on the calling thread, which runs the launch (running_kernel()).
Answer answer(CallMessage& message, const abi::Launch& launch, const CallMemory& memory);

} // namespace hostcl::runtime::guest
