#pragma once

// Whether the buffers of a launch are disjoint. Machine code relies on it (abi::NDRange::buffers_disjoint): a
// launch with overlapping buffers that runs such code gives wrong results. So the answer is conservative: an
// argument whose memory is unknown overlaps with all others. So do pipes and counters, which are pointers for
// the compiler as well. Test: tests/kernels/launches/overlapping_buffers*.cpp

#include "runtime/program/kernel.hpp"

#include <cstddef>
#include <span>

namespace hostcl::runtime {

/// Whether the arguments are used by one launch now, or by later replays of a command buffer.
enum class Replay { never, later };

/// Whether the memory of each global or constant pointer of a launch is known, and no two of them share a
/// byte.
/// @param arguments of the kernel; the caller holds their buffers
/// @param block the arguments as abi::Entry takes them
bool buffers_are_disjoint(const compiler::KernelSignature& signature,
                          std::span<const Kernel::Argument> arguments, const std::byte* block, Replay replay);

} // namespace hostcl::runtime
