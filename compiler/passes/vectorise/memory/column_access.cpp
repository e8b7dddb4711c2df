#include "compiler/passes/vectorise/memory/column_access.hpp"

#include "compiler/heuristics.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/vectorise/memory/item_strides.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool asks_for_rows(const Function& kernel) {
  return any_of(instructions(kernel), [](const Instruction& instruction) {
    return is_call_of(instruction, Intrinsic::local_id) && dimension_of(cast<CallBase>(instruction)) == 1;
  });
}

/// Whether consecutive work-items access neighbouring places, or load the same one.
bool is_together(const Instruction& access, ItemStrides& strides) {
  const auto stride = strides.of(*getLoadStorePointerOperand(&access));
  const TypeSize size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
  return (stride == 0 && isa<LoadInst>(access)) || stride == static_cast<std::int64_t>(size.getFixedValue());
}

} // namespace

bool reads_columns(const Function& kernel) {
  if (!is_on(Heuristic::columns) || !asks_for_rows(kernel)) return false;
  DominatorTree dominators(const_cast<Function&>(kernel));
  LoopInfo loops(dominators);
  ItemStrides along_x(loops, 0), along_y(loops, 1);
  unsigned apart_x = 0, apart_y = 0;
  for (const Instruction& instruction : instructions(kernel)) {
    if (instruction.isAtomic() || !isa<LoadInst, StoreInst>(instruction)) continue;
    constexpr unsigned private_space = 0;
    if (getLoadStorePointerOperand(&instruction)->getType()->getPointerAddressSpace() == private_space)
      continue;
    const unsigned often = 1U << (3 * std::min(loops.getLoopDepth(instruction.getParent()), 4U));
    apart_x += is_together(instruction, along_x) ? 0 : often;
    apart_y += is_together(instruction, along_y) ? 0 : often;
  }
  return apart_x > 2 * apart_y;
}

} // namespace hostcl::compiler
