#pragma once

// Writes one copy of a region's code, for one chunk.

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class GroupFrame;

/// The blocks that a copy is written between, and its work-items.
struct ChunkCode {
  llvm::BasicBlock* before; ///< runs once before the chunks; complete
  llvm::BasicBlock* head;   ///< runs first for the chunk; without terminator
  llvm::BasicBlock* latch;  ///< where the chunk ends
  llvm::Value* local_id[3]; ///< of the chunk's first work-item
  llvm::Value* chunk;       ///< number of the chunk
  llvm::Value* mask;        ///< lanes that are work-items; null at width 1
};

void emit_region(unsigned region, const ChunkCode& code, GroupFrame& frame);

} // namespace hostcl::compiler
