#pragma once

// Declares the functions of passes.def. The source file of a pass begins with the description of the pass.

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct Switches;

#define MODULE_PASS(NAME, PASS)                                                                              \
  llvm::PreservedAnalyses PASS(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
#define SWITCHED_MODULE_PASS(NAME, PASS)                                                                     \
  llvm::PreservedAnalyses PASS(llvm::Module& module, llvm::ModuleAnalysisManager& analyses,                  \
                               const Switches& switches);
#define FUNCTION_PASS(NAME, PASS)                                                                            \
  llvm::PreservedAnalyses PASS(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
#define SWITCHED_FUNCTION_PASS(NAME, PASS)                                                                   \
  llvm::PreservedAnalyses PASS(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,            \
                               const Switches& switches);
#define HEURISTIC_PASS(NAME, HEURISTIC, PASS) FUNCTION_PASS(NAME, PASS)
#define PARAMETRISED_PASS(NAME, PARSE, PASS)
#include "compiler/passes/passes.def"

} // namespace hostcl::compiler
