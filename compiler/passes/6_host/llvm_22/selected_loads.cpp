// Works around a fault of LLVM 22's InstCombine (llvm/llvm-project#215453, fixed in LLVM 23): it merges a masked load
// and a select by the same mask into one masked load at the place of the select, even if memory is written in between:
//
//   before:  %x = masked.load(p, mask, poison)         after:  %s = masked.load(p, mask, %y)
//            masked.store(%z, p, mask)                         masked.store(%z, p, mask)
//            %s = select mask, %x, %y
//
// (`after` shows what this pass does: it merges both at the place of the load.) If %y is defined only after the load,
// and memory may be written before the select, the pass adds a second use of the load, which makes InstCombine leave
// the load alone and costs nothing:
//
//            %x = masked.load(p, mask, poison)
//            call void @llvm.fake.use(%x)
//
// In: any function, before InstCombine. Out: no select that InstCombine could merge with a load across a write.
// When the run FAULT of tests/passes/6_host/llvm_22/selected_loads_fault.ll fails, LLVM is mended: the pass may go.

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Operands of llvm.masked.load.
enum MaskedLoadOperand { load_mask = 1, load_otherwise = 2 };

/// Whether the select can be merged into the load: it selects by the load's mask, and its other value is available at
/// the load.
bool joins(IntrinsicInst& load, const SelectInst& select, const DominatorTree& dominators) {
  return load.hasOneUse() && select.getTrueValue() == &load &&
         select.getCondition() == load.getArgOperand(load_mask) &&
         dominators.dominates(select.getFalseValue(), &load);
}

bool may_write_between(const Instruction& load, const Instruction& select) {
  if (load.getParent() != select.getParent() || !load.comesBefore(&select)) return true;
  return any_of(make_range(load.getIterator(), select.getIterator()),
                [](const Instruction& instruction) { return instruction.mayWriteToMemory(); });
}

bool has_second_use(const Instruction& load) {
  return any_of(load.users(), [](const User* user) {
    return match(user, PatternMatch::m_Intrinsic<Intrinsic::fake_use>());
  });
}

/// Merges a vector select into the load, or gives the load a second use so that InstCombine does not merge them: for
/// the first select that needs either. @returns whether anything has changed
bool protect(IntrinsicInst& load, const DominatorTree& dominators) {
  for (User* user : load.users()) {
    auto* select = dyn_cast<SelectInst>(user);
    if (!select || !select->getCondition()->getType()->isVectorTy()) continue;
    if (joins(load, *select, dominators)) {
      load.setArgOperand(load_otherwise, select->getFalseValue());
      select->replaceAllUsesWith(&load);
      select->eraseFromParent();
      return true;
    }
    if (!may_write_between(load, *select) || has_second_use(load)) continue;
    Value* value = &load;
    IRBuilder<>(load.getNextNode()).CreateIntrinsic(Intrinsic::fake_use, value);
    return true;
  }
  return false;
}

} // namespace

PreservedAnalyses selected_loads_pass(Function& function, FunctionAnalysisManager& analyses) {
  const DominatorTree& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  bool changed = false;
  for (Instruction& instruction : instructions(function))
    if (auto* load = dyn_cast<IntrinsicInst>(&instruction);
        load && load->getIntrinsicID() == Intrinsic::masked_load)
      changed |= protect(*load, dominators);
  return all_but_values(changed);
}

} // namespace hostcl::compiler
