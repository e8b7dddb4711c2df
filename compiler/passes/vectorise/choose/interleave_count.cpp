#include "compiler/passes/vectorise/choose/interleave_count.hpp"

#include "compiler/code/variant.hpp"
#include "compiler/heuristics.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/vectorise/memory/item_strides.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/DataLayout.h"
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

Cost cost_of(const Instruction& instruction, unsigned integer_latency) {
  Type* type = instruction.getType()->getScalarType();
  if (isa<PHINode, CastInst>(instruction) || instruction.isTerminator()) return {0, 0};
  if (type->isIntegerTy(1) || instruction.getOpcode() == Instruction::FNeg) return {0, 0};
  if (instruction.getOpcode() == Instruction::FDiv) return {16, 16};
  if (type->isFloatingPointTy()) return {4, 1};
  return instruction.getOpcode() == Instruction::Mul ? Cost{10, 2} : Cost{integer_latency, 1};
}

unsigned elements_of(const Value& value) {
  const auto* vector = dyn_cast<FixedVectorType>(value.getType());
  return vector ? vector->getNumElements() : 1;
}

/// True for loops of arithmetic alone: those that wait for memory, or call functions, have other bounds.
bool is_arithmetic(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (instruction.mayReadOrWriteMemory() ||
          (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)))
        return false;
  return true;
}

/// Cycles from a loop's phi to the value that it has in the next iteration.
unsigned length_of_chain(const PHINode& phi, const Loop& loop, ArrayRef<BasicBlock*> order,
                         unsigned integer_latency) {
  DenseMap<const Value*, unsigned> depth{{&phi, 0}};
  for (const BasicBlock* block : order)
    for (const Instruction& instruction : *block) {
      if (&instruction == &phi || (isa<PHINode>(instruction) && block == loop.getHeader())) continue;
      int longest = -1;
      for (const Value* operand : instruction.operands())
        if (auto known = depth.find(operand); known != depth.end())
          longest = std::max(longest, static_cast<int>(known->second));
      if (longest >= 0)
        depth[&instruction] = static_cast<unsigned>(longest) + cost_of(instruction, integer_latency).latency;
    }
  return depth.lookup(phi.getIncomingValueForBlock(loop.getLoopLatch()));
}

/// Vectors needed to fill two vector units, given the latency of the chain in cycles and the work of an
/// iteration in cycles of one unit.
unsigned vectors_to_fill(unsigned chain, unsigned work) {
  return (2 * chain + work / 2) / work;
}

constexpr unsigned most_vectors = 4;
/// Registers that values carried round the loop may take.
constexpr unsigned carried_registers = 16;
constexpr unsigned most_phis = 16;

/// Whether the loop's branch is uniform, and each of its loads reads consecutive numbers or one number for
/// all work-items. The caches then give whole pages to the rows of several registers.
bool reads_rows(const Loop& loop, const LoopInfo& loops, unsigned dimension) {
  if (loop.getNumBlocks() != 1) return false;
  ItemStrides strides(loops, dimension);
  bool rows = false;
  for (const Instruction& instruction : *loop.getHeader()) {
    if (const auto* branch = dyn_cast<BranchInst>(&instruction))
      if (!branch->isConditional() || strides.of(*branch->getCondition()) != 0) return false;
    if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)) return false;
    if (!instruction.mayReadOrWriteMemory()) continue;
    const auto* load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isSimple()) return false;
    const auto stride = strides.of(*load->getPointerOperand());
    const TypeSize size = load->getDataLayout().getTypeStoreSize(load->getType());
    if (stride != 0 && stride != static_cast<std::int64_t>(size.getFixedValue())) return false;
    rows |= stride != 0 && !load->getType()->isVectorTy();
  }
  return rows;
}

/// As many vectors as leave all values that the loop carries in registers.
unsigned vectors_for_rows(const Loop& loop) {
  unsigned carried = 0;
  for (const PHINode& phi : loop.getHeader()->phis())
    carried += elements_of(phi);
  return std::bit_floor(std::clamp(carried_registers / std::max(carried, 1u), 1u, most_vectors));
}

unsigned vectors_for(const Loop& loop, const LoopInfo& loops, unsigned integer_latency, unsigned dimension) {
  if (!loop.getLoopLatch()) return 1;
  if (!is_arithmetic(loop)) return reads_rows(loop, loops, dimension) ? vectors_for_rows(loop) : 1;
  LoopBlocksRPO order(const_cast<Loop*>(&loop));
  order.perform(&loops);
  const SmallVector<BasicBlock*, 8> blocks(order.begin(), order.end());
  unsigned work = 0, carried = 0, chain = 0, phis = 0;
  for (const BasicBlock* block : blocks)
    for (const Instruction& instruction : *block)
      work += cost_of(instruction, integer_latency).work * elements_of(instruction);
  for (const PHINode& phi : loop.getHeader()->phis()) {
    if (++phis > most_phis) return 1;
    carried += elements_of(phi);
    chain = std::max(chain, length_of_chain(phi, loop, blocks, integer_latency));
  }
  if (work == 0 || carried == 0) return 1;
  const unsigned vectors =
      std::min({most_vectors, vectors_to_fill(chain, work), carried_registers / carried});
  return std::bit_floor(std::max(vectors, 1u));
}

/// Vectors in flight for a kernel without loops.
unsigned vectors_for_straight_code(const Function& kernel, unsigned integer_latency) {
  constexpr unsigned most_ahead = 400; ///< instructions that a processor looks ahead
  DenseMap<const Value*, unsigned> depth;
  unsigned work = 0, chain = 0;
  for (const BasicBlock* block : ReversePostOrderTraversal<const Function*>(&kernel))
    for (const Instruction& instruction : *block) {
      const Cost cost = cost_of(instruction, integer_latency);
      unsigned start = 0;
      for (const Value* operand : instruction.operands())
        start = std::max(start, depth.lookup(operand));
      depth[&instruction] = start + cost.latency;
      chain = std::max(chain, start + cost.latency);
      work += cost.work * elements_of(instruction);
    }
  if (work < most_ahead) return 1;
  return std::bit_floor(std::clamp(vectors_to_fill(chain, work), 1u, most_vectors));
}

/// The value that an address is computed from.
struct Origin {
  bool items = false, divided = false, memory = false;
};

void trace(const Value* value, Origin& origin, unsigned depth = 8) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return;
  if (auto kind = called_intrinsic(*instruction)) {
    origin.items |= kind == hostcl::compiler::Intrinsic::local_id;
    origin.memory |= kind == hostcl::compiler::Intrinsic::sub_group;
    return;
  }
  if (depth == 0 || !isa<BinaryOperator, CastInst, GetElementPtrInst, FreezeInst>(instruction)) {
    origin.memory = true;
    return;
  }
  const unsigned operation = instruction->getOpcode();
  origin.divided |= operation == Instruction::LShr || operation == Instruction::AShr ||
                    operation == Instruction::UDiv || operation == Instruction::SDiv;
  for (const Value* operand : instruction->operands())
    trace(operand, origin, depth - 1);
}

/// Lanes that one host atomic can serve, if their results are used: all where the address is uniform, those
/// of a word where work-items are bits; otherwise 0.
unsigned lanes_of_atomic(const Instruction& instruction, const Loop& loop) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
  if ((!update && !exchange) || instruction.use_empty() || instruction.isVolatile()) return 0;
  const Value* address = update ? update->getPointerOperand() : exchange->getPointerOperand();
  if (!loop.isLoopInvariant(address)) return 0;
  Origin origin;
  trace(address, origin);
  if (origin.memory || (origin.items && (exchange || !origin.divided))) return 0;
  return origin.items ? update->getType()->getScalarSizeInBits() : largest_width;
}

/// The load of a number of at most 16 bits that an address is computed from, with no other operands but loop
/// invariants.
const LoadInst* narrow_index(const Value* address, const Loop& loop, unsigned depth = 8) {
  const auto* instruction = dyn_cast<Instruction>(address);
  if (!instruction || depth == 0 || loop.isLoopInvariant(instruction)) return nullptr;
  if (const auto* load = dyn_cast<LoadInst>(instruction))
    return load->getType()->isIntegerTy() && load->getType()->getScalarSizeInBits() <= 16 ? load : nullptr;
  if (!isa<BinaryOperator, CastInst, GetElementPtrInst>(instruction)) return nullptr;
  const LoadInst* found = nullptr;
  for (const Value* operand : instruction->operands()) {
    if (loop.isLoopInvariant(operand)) continue;
    const LoadInst* load = narrow_index(operand, loop, depth - 1);
    if (!load || (found && load != found)) return nullptr;
    found = load;
  }
  return found;
}

/// Lanes whose indices fill a vector register, for an update of local memory that becomes plain instructions
/// lane by lane: vectors save time there by loading and unpacking whole registers of narrow numbers.
/// Otherwise 0.
unsigned lanes_of_update(const Instruction& instruction, const Loop& loop, unsigned lanes) {
  constexpr unsigned local_space = 3;
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  if (!update || !update->use_empty() || update->isVolatile() ||
      update->getPointerAddressSpace() != local_space)
    return 0;
  const LoadInst* index = narrow_index(update->getPointerOperand(), loop);
  return index ? lanes * 32 / index->getType()->getScalarSizeInBits() : 0;
}

/// Instructions beside an atomic, of which several registers each are worth it.
constexpr unsigned work_beside_atomic = 24;

/// Lanes that suit the atomics of a loop that does little else, or 0.
unsigned lanes_of_atomics(const Loop& loop, unsigned lanes) {
  unsigned least = largest_width, atomics = 0, work = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      if (const unsigned most =
              std::max(lanes_of_atomic(instruction, loop), lanes_of_update(instruction, loop, lanes))) {
        least = std::min(least, most);
        ++atomics;
      } else {
        work += !isa<PHINode, CastInst, ExtractValueInst>(instruction) && !instruction.isTerminator();
      }
    }
  return atomics != 0 && work <= atomics * work_beside_atomic ? least : 0;
}

/// Vectors in flight for loops that are bound by atomics: their iterations cost more than those of others. 0
/// if there are none.
unsigned vectors_for_atomics(const LoopInfo& loops, unsigned lanes) {
  unsigned most = 0;
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (const unsigned wish = loop->isInnermost() ? lanes_of_atomics(*loop, lanes) : 0)
      most = most == 0 ? wish : std::min(most, wish);
  return std::min(most_vectors, most / lanes);
}

} // namespace

unsigned interleave_count(const Function& kernel, unsigned lanes, unsigned integer_latency,
                          unsigned dimension) {
  if (!is_on(Heuristic::interleaving)) return 1;
  DominatorTree dominators(const_cast<Function&>(kernel));
  LoopInfo loops(dominators);
  if (const unsigned vectors = vectors_for_atomics(loops, lanes)) return vectors;
  if (loops.empty()) return vectors_for_straight_code(kernel, integer_latency);
  unsigned vectors = most_vectors;
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      vectors = std::min(vectors, vectors_for(*loop, loops, integer_latency, dimension));
  return vectors;
}

} // namespace hostcl::compiler
