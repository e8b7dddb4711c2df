#pragma once

// Works around a bug of LLVM 22's InstCombine (fixed in 23: llvm/llvm-project#215453): it merges a masked load and a
// select by the same mask into one masked load at the place of the select, even if memory is written in between:
//
//   before:  %x = masked.load(p, mask, poison)         after:  %s = masked.load(p, mask, %y)
//            masked.store(%z, p, mask)                         masked.store(%z, p, mask)
//            %s = select mask, %x, %y
//
// (`after` shows what this pass does: it merges both at the place of the load.) If %y is defined only after the load,
// and memory may be written before the select, the pass adds a second use of the load, which makes InstCombine leave it
// alone and costs nothing:
//
//            %x = masked.load(p, mask, poison)
//            call void @llvm.fake.use(%x)
//
// In: any function. Out: no select that InstCombine could merge with a load across a write.
// Tests: tests/passes/codegen/selected_loads*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct SelectedLoadsPass : llvm::PassInfoMixin<SelectedLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
