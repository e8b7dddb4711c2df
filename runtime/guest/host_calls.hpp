#pragma once

// The application's answers to host calls, which kernels of a guest process make (lane.hpp). All data of a host call
// comes from machine code that may be hostile. So the application copies the data once and checks all sizes in the
// copy, and numbers of queues, events and kernels are valid only if they belong to the launch's context.

#include "runtime/guest/lane.hpp"
#include "runtime/guest/shared_memory.hpp"

#include <cstddef>
#include <span>

namespace hostcl::runtime::guest {

/// What happens to the kernel after a host call.
struct Answer {
  Turn turn = Turn::answered;   ///< answered: the kernel goes on; abandoned: the guest leaves the kernel
  const char* reason = nullptr; ///< why the guest has to be ended (compiler::CodeEnd::reason), or null
};

/// Memory to which addresses in host calls may point.
struct CallMemory {
  const SharedMemory& data;             ///< kernels can write this memory; answers are written to it
  std::span<std::byte> variables;       ///< of programs; like `data`
  std::span<const std::byte> constants; ///< kernels cannot write this memory
};

/// Answers a host call. Called by the thread of the application that runs the launch (running_kernel()).
Answer answer(CallMessage& message, const abi::Launch& launch, const CallMemory& memory);

} // namespace hostcl::runtime::guest
