#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace hostcl::compiler {

/// A loop whose header has exactly two predecessors: one block outside of the loop (`before`), and one latch. Each phi
/// of the header then has one start value and one value for the next iteration.
struct SingleLatchLoop {
  llvm::BasicBlock *header, *before, *latch;

  static std::optional<SingleLatchLoop> of(const llvm::Loop& loop) {
    SingleLatchLoop blocks{loop.getHeader(), loop.getLoopPredecessor(), loop.getLoopLatch()};
    if (!blocks.before || !blocks.latch || !blocks.header->hasNPredecessors(2)) return std::nullopt;
    return blocks;
  }
  llvm::Value* start(const llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(before); }
  llvm::Value* next(const llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(latch); }
  llvm::PHINode* make_phi(llvm::Type* type, llvm::Value* start) const {
    llvm::PHINode* phi = llvm::PHINode::Create(type, 2, "", header->begin());
    phi->addIncoming(start, before);
    return phi;
  }
};

} // namespace hostcl::compiler
