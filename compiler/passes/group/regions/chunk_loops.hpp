#pragma once

// Loops over the chunks of a work-group, in the form that later passes handle best: counted from zero, the
// test at the end (no group is empty), steps without wrap.

#include "compiler/passes/kernel_shape.hpp"

namespace llvm {
class BasicBlock;
class BranchInst;
class MDNode;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// A loop with an empty body. `body` has no terminator; the caller that fills it adds a branch to `latch` at
/// its end.
struct CountedLoop {
  llvm::Value* counter;   ///< i64, from 0 on
  llvm::BasicBlock* body; ///< of the loop, with the counter's phi
  llvm::BasicBlock* latch;
  llvm::BasicBlock* after; ///< empty
};

/// Makes a loop that runs `count` >= 1 times, entered at the end of `before`, which has no terminator.
CountedLoop counted_loop(llvm::BasicBlock* before, llvm::Value* count, const char* name);

/// The same, over the chunks or rows of a group: its counter runs as the kernel's shape says, forward or
/// backward.
CountedLoop group_loop(llvm::BasicBlock* before, llvm::Value* count, const char* name,
                       const KernelShape& shape);

/// Sizes of the group, computed once per group.
struct GroupExtent {
  llvm::Value* size[3];  ///< i64 work-items
  llvm::Value* step;     ///< i64 work-items from one chunk to the next
  llvm::Value* chunks_x; ///< chunks along x
};
GroupExtent group_extent(llvm::BasicBlock* at_end_of, const KernelShape& shape);

/// The largest number of chunks in a group.
llvm::Value* enqueued_chunks(llvm::BasicBlock* at_end_of, const KernelShape& shape);

/// The loops over y and z; a single iteration for dimensions that the kernel does not have.
struct RowLoops {
  llvm::Value* y;
  llvm::Value* z;
  llvm::Value* first_chunk; ///< number of the row's first chunk
  llvm::BasicBlock* body;   ///< to be filled, without terminator
  llvm::BasicBlock* latch;  ///< where the row ends; null: at `after`
  llvm::BasicBlock* after;  ///< null: nothing encloses the row
};
RowLoops row_loops(llvm::BasicBlock* before, const GroupExtent& extent, const KernelShape& shape);

/// Marks the loop that ends at `latch` as finite and as one over work-items, and its iterations as
/// independent in the accesses of `access_group` if there is one.
void set_loop_metadata(llvm::BasicBlock* latch, llvm::MDNode* access_group);

} // namespace hostcl::compiler
