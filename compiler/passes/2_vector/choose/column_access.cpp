#include "compiler/passes/2_vector/choose/column_access.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/2_vector/choose/costs.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// A scatter takes about as long as this many gathers.
constexpr double gathers_per_scatter = 3;

bool asks_for_rows(const Function& kernel) {
  return any_of(instructions(kernel), [](const Instruction& instruction) {
    return is_call_of(instruction, Intrinsic::local_id) && dimension_of(cast<CallBase>(instruction)) == 1;
  });
}

/// Whether the access is contiguous along the dimension, or a load that is uniform along it.
bool is_together(const Instruction& access, LinearForms& forms, unsigned dimension) {
  const auto stride = forms.of(*getLoadStorePointerOperand(&access), *access.getParent()).stride(dimension);
  const TypeSize size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
  return (stride == 0 && isa<LoadInst>(access)) || stride == static_cast<std::int64_t>(size.getFixedValue());
}

} // namespace

bool reads_columns(const Function& kernel, const Switches& switches) {
  if (!switches.is_on(Heuristic::columns) || !asks_for_rows(kernel)) return false;
  DominatorTree dominators(const_cast<Function&>(kernel));
  LoopInfo loops(dominators);
  LinearForms forms(&loops, Wrapping::ignored);
  const BlockFrequencies frequencies(kernel, loops);
  double scattered_x = 0, scattered_y = 0;
  for (const Instruction& instruction : instructions(kernel)) {
    if (instruction.isAtomic() || !isa<LoadInst, StoreInst>(instruction)) continue;
    if (getLoadStorePointerOperand(&instruction)->getType()->getPointerAddressSpace() == private_space)
      continue;
    const double often =
        frequencies.of(*instruction.getParent()) * (isa<StoreInst>(instruction) ? gathers_per_scatter : 1);
    scattered_x += is_together(instruction, forms, 0) ? 0 : often;
    scattered_y += is_together(instruction, forms, 1) ? 0 : often;
  }
  return scattered_x > 2 * scattered_y;
}

} // namespace hostcl::compiler
