#pragma once

// Writes loops over the chunks of a work-group, in the form that later passes handle best: counted from zero, with the
// test at the end (no group is empty), and with nuw and nsw on all additions.

#include "compiler/ir/kernel_shape.hpp"

namespace llvm {
class BasicBlock;
class BranchInst;
class MDNode;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// A loop with an empty body. `body` has no terminator; the caller fills it and ends it with a branch to `latch`.
struct CountedLoop {
  llvm::Value* counter;   ///< i64 induction variable, from 0 on
  llvm::BasicBlock* body; ///< contains the phi of `counter`
  llvm::BasicBlock* latch;
  llvm::BasicBlock* after; ///< empty
};

/// Makes a loop that runs `count` >= 1 times, entered at the end of `before`, which has no terminator.
CountedLoop counted_loop(llvm::BasicBlock* before, llvm::Value* count, const char* name);

/// Makes a counted loop over the chunks or rows of a group: `counter` is incremented or, if KernelShape::reversed,
/// decremented.
CountedLoop group_loop(llvm::BasicBlock* before, llvm::Value* count, const char* name,
                       const KernelShape& shape);

/// The sizes of the group, computed once per group.
struct GroupExtent {
  llvm::Value* size[3];  ///< i64: work-items, by dimension
  llvm::Value* step;     ///< i64: work-items from one chunk to the next along x
  llvm::Value* chunks_x; ///< i64: chunks along x
};
GroupExtent group_extent(llvm::BasicBlock* at_end_of, const KernelShape& shape);

/// The largest number of chunks that a group of the launch has.
llvm::Value* enqueued_chunks(llvm::BasicBlock* at_end_of, const KernelShape& shape);

/// The loops over y and z. There is no loop for dimensions that the kernel does not have.
struct RowLoops {
  llvm::Value* y;
  llvm::Value* z;
  llvm::Value* first_chunk; ///< number of the row's first chunk
  llvm::BasicBlock* body;   ///< runs once for each row; to be filled, without terminator
  llvm::BasicBlock* latch;  ///< the row's code branches to it; null without a loop
  llvm::BasicBlock* after;  ///< follows the loops; null without a loop
};
RowLoops row_loops(llvm::BasicBlock* before, const GroupExtent& extent, const KernelShape& shape);

/// Adds metadata to the loop that ends at `latch`: mustprogress, that it is a loop over work-items (metadata::items), and
/// that the accesses of `access_group`, unless it is null, are independent between iterations
/// (llvm.loop.parallel_accesses).
void set_loop_metadata(llvm::BasicBlock* latch, llvm::MDNode* access_group);

} // namespace hostcl::compiler
