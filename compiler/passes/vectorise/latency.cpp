#include "compiler/passes/vectorise/latency.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <bit>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Cycles of an instruction on a wide vector unit, two of which work at the same time.
struct Cost {
  unsigned latency, work;
};

Cost cost_of(const Instruction& instruction) {
  Type* type = instruction.getType()->getScalarType();
  if (isa<PHINode, CastInst>(instruction) || instruction.isTerminator()) return {0, 0};
  if (type->isIntegerTy(1) || instruction.getOpcode() == Instruction::FNeg) return {0, 0};
  if (instruction.getOpcode() == Instruction::FDiv) return {16, 16};
  if (type->isFloatingPointTy()) return {4, 1};
  return instruction.getOpcode() == Instruction::Mul ? Cost{10, 2} : Cost{1, 1};
}

unsigned elements_of(const Value& value) {
  const auto* vector = dyn_cast<FixedVectorType>(value.getType());
  return vector ? vector->getNumElements() : 1;
}

/// Only arithmetic: what waits for memory, or is called, has other bounds.
bool is_arithmetic(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (instruction.mayReadOrWriteMemory() ||
          (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)))
        return false;
  return true;
}

/// Cycles from a loop's phi to the value that it has in the next iteration.
unsigned length_of_chain(const PHINode& phi, const Loop& loop, ArrayRef<BasicBlock*> order) {
  DenseMap<const Value*, unsigned> depth{{&phi, 0}};
  for (const BasicBlock* block : order)
    for (const Instruction& instruction : *block) {
      if (&instruction == &phi || (isa<PHINode>(instruction) && block == loop.getHeader())) continue;
      int longest = -1;
      for (const Value* operand : instruction.operands())
        if (auto known = depth.find(operand); known != depth.end())
          longest = std::max(longest, static_cast<int>(known->second));
      if (longest >= 0) depth[&instruction] = static_cast<unsigned>(longest) + cost_of(instruction).latency;
    }
  return depth.lookup(phi.getIncomingValueForBlock(loop.getLoopLatch()));
}

constexpr unsigned most_vectors = 4;
/// Registers that values carried round the loop may take.
constexpr unsigned carried_registers = 16;
constexpr unsigned most_phis = 16;

unsigned vectors_for(const Loop& loop, const LoopInfo& loops) {
  if (!loop.getLoopLatch() || !is_arithmetic(loop)) return 1;
  LoopBlocksRPO order(const_cast<Loop*>(&loop));
  order.perform(&loops);
  const SmallVector<BasicBlock*, 8> blocks(order.begin(), order.end());
  unsigned work = 0, carried = 0, chain = 0, phis = 0;
  for (const BasicBlock* block : blocks)
    for (const Instruction& instruction : *block)
      work += cost_of(instruction).work * elements_of(instruction);
  for (const PHINode& phi : loop.getHeader()->phis()) {
    if (++phis > most_phis) return 1;
    carried += elements_of(phi);
    chain = std::max(chain, length_of_chain(phi, loop, blocks));
  }
  if (work == 0 || carried == 0) return 1;
  const unsigned filling = (2 * chain + work / 2) / work;
  const unsigned vectors = std::min({most_vectors, filling, carried_registers / carried});
  return std::bit_floor(std::max(vectors, 1u));
}

} // namespace

unsigned vectors_in_flight(const Function& kernel) {
  DominatorTree dominators(const_cast<Function&>(kernel));
  LoopInfo loops(dominators);
  unsigned vectors = loops.empty() ? 1 : most_vectors;
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) vectors = std::min(vectors, vectors_for(*loop, loops));
  return vectors;
}

} // namespace hostcl::compiler
