#pragma once

// The loop of an entry function over the groups of its range.

#include "compiler/passes/entry/launch_reader.hpp"
#include "compiler/passes/kernel_shape.hpp"

namespace hostcl::compiler {

/// Coordinates of the group that an iteration of the loop runs.
struct GroupLoop {
  llvm::BasicBlock* body;  ///< to be filled, without terminator
  llvm::BasicBlock* latch; ///< where the group ends
  llvm::Value* id[3];
};

/// Makes the loop between two blocks: `start` has no terminator yet, `end` is where the range ends.
GroupLoop loop_over_groups(const KernelShape& shape, llvm::Function& entry, llvm::BasicBlock* start,
                           llvm::BasicBlock* end, LaunchReader& fields);

} // namespace hostcl::compiler
