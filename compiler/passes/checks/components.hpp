#pragma once

// Accesses to components of a vector in memory are made accesses to these components alone, as the source has them: clang
// reads the whole vector for each, and to write one, it stores the others as they were. Only checks can tell.
//
//   before:  %old = load <4 x float>, ptr addrspace(1) %p         v[i].yz = ...
//            %new = shufflevector %old, %values, <0, 4, 5, 3>
//            store <4 x float> %new, ptr addrspace(1) %p
//
//   after:   %y = getelementptr i8, ptr addrspace(1) %p, i64 4
//            %parts = shufflevector %new, poison, <1, 2>
//            store <2 x float> %parts, ptr addrspace(1) %y
//
// Vectors in private memory stay, so that they can be kept in registers. So do reads of the first three of four components,
// which is how clang reads a vector of three.
//
// In:  code as the front end made it.
// Test: tests/passes/checks/own_components.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct OwnComponentsPass : llvm::PassInfoMixin<OwnComponentsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
