#include "compiler/passes/vectorise/control/spin.hpp"

#include "compiler/passes/vectorise/control/canonical.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the operation leaves memory as it is, or as its last execution left it.
bool changes_nothing_when_repeated(const AtomicRMWInst& atomic, const Loop& loop) {
  switch (atomic.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
    return isa<Constant>(atomic.getValOperand()) && cast<Constant>(atomic.getValOperand())->isZeroValue();
  default:
    return loop.isLoopInvariant(atomic.getValOperand());
  }
}

bool waits(const Instruction& instruction, const Loop& loop) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->isVolatile() || load->isAtomic();
  if (const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction))
    return changes_nothing_when_repeated(*atomic, loop);
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return loop.isLoopInvariant(exchange->getCompareOperand());
  return false;
}

/// Adds the conditions inside the loop that decide from which predecessor control comes to a block: those of
/// the blocks between it and its immediate dominator.
void add_deciding(const BasicBlock& block, const Loop& loop, const DominatorTree& dominators,
                  SmallVectorImpl<const Value*>& conditions) {
  const BasicBlock* start = dominators.getNode(&block)->getIDom()->getBlock();
  SmallVector<const BasicBlock*, 16> open(predecessors(&block));
  SmallPtrSet<const BasicBlock*, 16> seen{&block};
  while (!open.empty()) {
    const BasicBlock* from = open.pop_back_val();
    if (!loop.contains(from) || !seen.insert(from).second) continue;
    if (const Value* condition = deciding_value(*from)) conditions.push_back(condition);
    if (from != start) open.append(pred_begin(from), pred_end(from));
  }
}

/// The first waiting access inside the loop that `condition` depends on.
const Instruction* find_in_slice(const Value* condition, const Loop& loop, const DominatorTree& dominators) {
  SmallVector<const Value*, 16> open{condition};
  SmallPtrSet<const Value*, 16> seen;
  while (!open.empty()) {
    const auto* instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (waits(*instruction, loop)) return instruction;
    // The result of an access does not come from its operands.
    if (instruction->mayReadFromMemory()) continue;
    open.append(instruction->op_begin(), instruction->op_end());
    const BasicBlock& block = *instruction->getParent();
    if (isa<PHINode>(instruction) && &block != loop.getHeader()) add_deciding(block, loop, dominators, open);
  }
  return nullptr;
}

} // namespace

const Instruction* find_spinning_access(const LoopInfo& loops, const DominatorTree& dominators) {
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    SmallVector<BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (const BasicBlock* block : exiting)
      if (const Value* condition = deciding_value(*block))
        if (const Instruction* access = find_in_slice(condition, *loop, dominators)) return access;
  }
  return nullptr;
}

} // namespace hostcl::compiler
