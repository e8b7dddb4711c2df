#include "compiler/passes/codegen/defined_starts.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

PreservedAnalyses DefinedStartsPass::run(Function& function, FunctionAnalysisManager& analyses) {
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
