// Works around a bug of LLVM 22's loop vectoriser: replaces poison and undef as start of a recurrence by 0. A start may
// be poison if the first iteration does not use the recurrence. If iterations select between the recurrence and another
// value, the vectoriser compares the result with the start to find out whether any iteration has selected, so the whole
// result becomes poison:
//
//   before:  %x = phi i32 [ poison, %entry ], [ %next, %loop ]
//            %next = select i1 %c, i32 %m, i32 %x
//   after:   %x = phi i32 [ 0, %entry ], [ %next, %loop ]
//
// In: kernels that were not vectorised, before LLVM's vectorisers. Test: tests/passes/codegen/defined_starts.ll

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

PreservedAnalyses defined_starts_pass(Function& function, FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (const Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    for (PHINode& value : loop->getHeader()->phis())
      for (Use& start : value.incoming_values()) {
        if (!isa<UndefValue>(start)) continue; // PoisonValue is a subclass
        start = Constant::getNullValue(value.getType());
        changed = true;
      }
  return all_but_values(changed);
}

} // namespace hostcl::compiler
