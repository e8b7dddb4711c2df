#pragma once

// Writes a copy of a region's code for one chunk.

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class GroupFrame;

/// The blocks between which a copy is written, and the chunk's ids.
struct ChunkCode {
  llvm::BasicBlock* before; ///< runs once, before the loop over chunks; has its terminator
  llvm::BasicBlock* head;   ///< the first block of the chunk's code; without terminator
  llvm::BasicBlock* latch;  ///< the copy branches to it at the chunk's end
  llvm::Value* local_id[3]; ///< of the chunk's first work-item
  llvm::Value* chunk;       ///< number of the chunk
  llvm::Value* mask;        ///< lanes that are work-items; null at width 1
};

void emit_region(unsigned region, const ChunkCode& code, GroupFrame& frame);

} // namespace hostcl::compiler
