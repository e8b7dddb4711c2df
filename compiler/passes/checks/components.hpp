#pragma once

// Narrows accesses to components of vectors to the components that the source accesses. clang loads the whole vector
// for a component, and to write a component, it loads the vector and stores all components. For checks of races and
// initialisation, these additional accesses would be wrong findings.
//
//   before:  %old = load <4 x float>, ptr addrspace(1) %p         v[i].yz = ...
//            %new = shufflevector %old, %values, <0, 4, 5, 3>
//            store <4 x float> %new, ptr addrspace(1) %p
//
//   after:   %y = getelementptr i8, ptr addrspace(1) %p, i64 4
//            %parts = shufflevector %new, poison, <1, 2>
//            store <2 x float> %parts, ptr addrspace(1) %y
//
// Vectors in private memory are not changed, so that they can be kept in registers. Neither are loads of the first
// three of four components, which is how clang loads a vector of three.
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
