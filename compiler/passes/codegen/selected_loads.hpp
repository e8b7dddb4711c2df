#pragma once

// Keeps masked loads in front of stores to the memory that they read. LLVM's instcombine (22, mended in 23:
// llvm/llvm-project#215453) makes one instruction of a load and a select by the same mask, and puts it where
// the select was:
//
//   before:  %x = masked.load(p, mask, poison)         after:  %s = masked.load(p, mask, %y)
//            masked.store(%z, p, mask)                         masked.store(%z, p, mask)
//            %s = select mask, %x, %y
//
// Where %y is defined only later, and memory may be written between the two, the load gets a second use,
// which instcombine leaves alone and which costs nothing:
//
//            %x = masked.load(p, mask, poison)
//            call void @llvm.fake.use(%x)
//
// In: any function. Out: no select that instcombine could join with a load across a write.
// Tests: tests/passes/codegen/selected_loads*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct SelectedLoadsPass : llvm::PassInfoMixin<SelectedLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
