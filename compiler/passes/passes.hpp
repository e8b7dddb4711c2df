#pragma once

// Declares the passes that are functions: one for each MODULE_PASS and FUNCTION_PASS of passes.def. The source file of a
// pass begins with its description.

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

#define MODULE_PASS(NAME, PASS)                                                                              \
  llvm::PreservedAnalyses PASS(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
#define FUNCTION_PASS(NAME, PASS)                                                                            \
  llvm::PreservedAnalyses PASS(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
#define MODULE_PASS_OBJECT(NAME, PASS)
#define FUNCTION_PASS_OBJECT(NAME, PASS)
#define PARAMETRISED_PASS(NAME, PARSE, PASS)
#define PRINTER(NAME, PRINT)
#include "compiler/passes/passes.def"

} // namespace hostcl::compiler
