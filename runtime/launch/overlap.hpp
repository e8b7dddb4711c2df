#pragma once

// Whether the buffers of a launch overlap. Machine code relies on it that they do not (abi::NDRange::buffers_apart), so
// nothing is guessed: an argument whose memory is not known overlaps with everything, and so do pipes and counters,
// which are pointers to the compiler as well.
// Test: tests/kernels/launches/overlapping_buffers*.cpp

#include "runtime/program/kernel.hpp"

#include <cstddef>
#include <span>

namespace hostcl::runtime {

/// Whether arguments are used now, or whenever the application replays them.
enum class Replay { never, later };

/// Whether the memory objects that the launch's pointers to global and constant memory are of are known, and no two of
/// them share memory.
/// @param arguments of the kernel, whose buffers are held
/// @param block the arguments as abi::Entry takes them
bool buffers_are_apart(const compiler::KernelSignature& signature,
                       std::span<const Kernel::Argument> arguments, const std::byte* block, Replay replay);

} // namespace hostcl::runtime
