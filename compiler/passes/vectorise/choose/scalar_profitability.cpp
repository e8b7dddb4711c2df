#include "compiler/passes/vectorise/choose/scalar_profitability.hpp"

#include "compiler/heuristics.hpp"
#include "compiler/passes/vectorise/emission.hpp"
#include "compiler/passes/vectorise/memory/likely_strides.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned fewest_rows = 2;       ///< that a loop reads, to be worth the scalar form
constexpr unsigned fewest_parts = 4;      ///< of records that are worth the scalar form
constexpr unsigned work_per_part = 4;     ///< other operations that make up for a gather or scatter
constexpr unsigned work_per_scatter = 12; ///< the same, where they are slow
constexpr unsigned work_per_gather = 3;
constexpr unsigned work_per_narrow_gather = 6; ///< of bytes or 16-bit numbers, which are gathered as words
constexpr std::int64_t near = 4; ///< elements between lanes that wide accesses bridge, see access.cpp

bool is_far_apart(const Instruction& access, const Shapes& shapes) {
  Shape shape = shapes.of(getLoadStorePointerOperand(&access));
  if (!shape.is_affine()) return false;
  Type* type = getLoadStoreType(&access);
  auto size = static_cast<std::int64_t>(access.getDataLayout().getTypeStoreSize(type).getFixedValue());
  return type->isVectorTy() ? shape.stride != size : std::abs(shape.stride) > near * size;
}

/// Whether each iteration of the loop reads the number after the previous iteration's, from each lane's own
/// row.
bool reads_own_row(const Instruction& instruction, const Loop& loop) {
  const auto* load = dyn_cast<LoadInst>(&instruction);
  const auto* address = load ? dyn_cast<GetElementPtrInst>(load->getPointerOperand()) : nullptr;
  if (!address || address->getNumIndices() != 1) return false;
  const Value* index = address->getOperand(1);
  while (const auto* cast = dyn_cast<CastInst>(index))
    index = cast->getOperand(0);
  const auto* counter = dyn_cast<PHINode>(index);
  if (!counter || counter->getParent() != loop.getHeader()) return false;
  Value* next = counter->getIncomingValueForBlock(loop.getLoopLatch());
  return match(next, PatternMatch::m_c_Add(PatternMatch::m_Specific(counter), PatternMatch::m_One()));
}

bool is_walk(const Loop& loop, const Shapes& shapes) {
  if (!loop.isInnermost() || !shapes.diverges(&loop)) return false;
  unsigned rows = 0, work = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const bool varies = shapes.of(&instruction).is_varying();
      if (instruction.mayWriteToMemory()) return false;
      if (isa<LoadInst>(instruction))
        rows += varies && reads_own_row(instruction, loop);
      else
        work += varies && !isa<PHINode, CastInst, GetElementPtrInst>(instruction);
    }
  return rows >= fewest_rows && work <= rows * work_per_part;
}

/// Whether lanes access separate places that are not known to be neighbours. Local memory does not count:
/// values exchanged there come from vectors and go to vectors.
bool is_apart(const Instruction& access, const Shapes& shapes, LikelyStrides& likely) {
  constexpr unsigned local_space = 3;
  const Value* address = getLoadStorePointerOperand(&access);
  if (address->getType()->getPointerAddressSpace() == local_space) return false;
  if (!shapes.of(address).is_varying()) return is_far_apart(access, shapes);
  LikelyStrides::Stride stride = likely.of(address);
  Type* type = getLoadStoreType(&access);
  auto size = static_cast<std::int64_t>(access.getDataLayout().getTypeStoreSize(type).getFixedValue());
  return !stride || (*stride != 0 && std::abs(*stride) > near * size);
}

/// The number of simple operations that cost as much as this one.
unsigned work_of(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::PHI:
  case Instruction::GetElementPtr:
    return 0;
  case Instruction::FDiv:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::Call:
    return 8;
  default:
    return instruction.isCast() ? 0 : 1;
  }
}

/// Whether the next value of `phi` depends on a load whose address depends on the phi.
bool goes_through_load(const PHINode& phi, const Loop& loop) {
  SmallPtrSet<const Value*, 16> of_phi{&phi}, of_load;
  for (const Instruction& instruction : *loop.getHeader()) {
    auto uses = [&](const SmallPtrSetImpl<const Value*>& values) {
      return any_of(instruction.operands(), [&](const Use& operand) { return values.contains(operand); });
    };
    if (isa<PHINode>(instruction) || !uses(of_phi)) continue;
    of_phi.insert(&instruction);
    if (isa<LoadInst>(instruction) || uses(of_load)) of_load.insert(&instruction);
  }
  return of_load.contains(phi.getIncomingValueForBlock(loop.getLoopLatch()));
}

/// Whether each iteration of a loop waits for the load of the previous one: lanes wait together.
bool waits_for_loads(const LoopInfo& loops, const Shapes& shapes) {
  return any_of(loops.getLoopsInPreorder(), [&](const Loop* loop) {
    return loop->getNumBlocks() == 1 && !shapes.diverges(loop) &&
           any_of(loop->getHeader()->phis(),
                  [&](const PHINode& phi) { return goes_through_load(phi, *loop); });
  });
}

} // namespace

bool mostly_scattered_access(const Function& kernel, const LoopInfo& loops, const Shapes& shapes,
                             unsigned width) {
  if (!is_on(Heuristic::scattered_access) || waits_for_loads(loops, shapes)) return false;
  LikelyStrides likely(shapes, kernel.getDataLayout(), width);
  std::uint64_t scatters = 0, gathers = 0, narrow_gathers = 0, work = 0;
  for (const Instruction& instruction : instructions(kernel)) {
    if (instruction.isAtomic()) return false; // the places that an atomic hands out lie together
    const std::uint64_t often = std::uint64_t{1}
                                << (3 * std::min(loops.getLoopDepth(instruction.getParent()), 4u));
    if (isa<LoadInst, StoreInst>(instruction) && is_apart(instruction, shapes, likely)) {
      Type* type = getLoadStoreType(&instruction);
      const bool is_narrow = type->getScalarSizeInBits() <= 16;
      (isa<StoreInst>(instruction) ? scatters
       : is_narrow                 ? narrow_gathers
                                   : gathers) += often * Emission::elements(type);
    } else if (isa<StoreInst>(instruction) || shapes.of(&instruction).is_varying()) {
      work += often * work_of(instruction) * Emission::elements(instruction.getType());
    }
  }
  return scatters + narrow_gathers != 0 && work < scatters * work_per_scatter + gathers * work_per_gather +
                                                      narrow_gathers * work_per_narrow_gather;
}

bool walks_rows(const LoopInfo& loops, const Shapes& shapes) {
  return is_on(Heuristic::walked_rows) &&
         any_of(loops.getLoopsInPreorder(), [&](const Loop* loop) { return is_walk(*loop, shapes); });
}

bool moves_records(const Function& kernel, const LoopInfo& loops, const Shapes& shapes) {
  if (!is_on(Heuristic::records) || !loops.empty()) return false;
  unsigned parts = 0, work = 0;
  for (const Instruction& instruction : instructions(kernel)) {
    if (isa<LoadInst, StoreInst>(instruction)) {
      if (is_far_apart(instruction, shapes)) parts += Emission::elements(getLoadStoreType(&instruction));
    } else if (shapes.of(&instruction).is_varying()) {
      work += Emission::elements(instruction.getType());
    }
  }
  return parts >= fewest_parts && work <= parts * work_per_part;
}

} // namespace hostcl::compiler
