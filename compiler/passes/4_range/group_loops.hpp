#pragma once

// Writes the loop of an entry function over the groups of its range.

#include "compiler/ir/kernel_shape.hpp"
#include "compiler/passes/4_range/launch_reader.hpp"

namespace hostcl::compiler {

/// The loop, and the ids of the group that an iteration runs.
struct GroupLoop {
  llvm::BasicBlock* body;  ///< to be filled, without terminator
  llvm::BasicBlock* latch; ///< the body branches to it at its end
  llvm::Value* id[3];
};

/// Writes the loop between `start`, which has no terminator yet, and `end`.
GroupLoop loop_over_groups(const KernelShape& shape, llvm::Function& entry, llvm::BasicBlock* start,
                           llvm::BasicBlock* end, LaunchReader& fields);

} // namespace hostcl::compiler
