#include "compiler/passes/vectorise/spin.hpp"

#include "compiler/passes/vectorise/canonical.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
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

/// The first waiting access inside the loop that `condition` is computed from.
const Instruction* find_in_slice(const Value* condition, const Loop& loop) {
  SmallVector<const Value*, 16> open{condition};
  SmallPtrSet<const Value*, 16> seen;
  while (!open.empty()) {
    const auto* instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (waits(*instruction, loop)) return instruction;
    // What an access returns does not come from its operands.
    if (instruction->mayReadFromMemory()) continue;
    open.append(instruction->op_begin(), instruction->op_end());
  }
  return nullptr;
}

} // namespace

const Instruction* find_spinning_access(const LoopInfo& loops) {
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    SmallVector<BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (const BasicBlock* block : exiting) {
      const Value* decision = deciding_value(*block);
      if (!decision) continue;
      if (const Instruction* access = find_in_slice(decision, *loop)) return access;
    }
  }
  return nullptr;
}

} // namespace hostcl::compiler
