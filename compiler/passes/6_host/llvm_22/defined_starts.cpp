// Works around a fault of LLVM 22's loop vectoriser (llvm/llvm-project#62565, open): replaces poison and undef as start
// of a recurrence by 0. A start may be poison if the first iteration does not use the recurrence. If iterations select
// between the recurrence and another value, and the remaining iterations are vectorised as well, the vectoriser
// compares the result of the first loop with the start, to find out whether any iteration has selected. The comparison
// with poison makes the whole result poison:
//
//   before:  %x = phi i32 [ poison, %entry ], [ %next, %loop ]
//            %next = select i1 %c, i32 %m, i32 %x
//   after:   %x = phi i32 [ 0, %entry ], [ %next, %loop ]
//
// In: kernels that were not vectorised, before LLVM's vectorisers. Out: no phi of a loop's header has a start that is
// poison or undef.
// When the run FAULT of tests/passes/6_host/llvm_22/defined_starts_fault.ll fails, LLVM is mended: the pass may go.

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
