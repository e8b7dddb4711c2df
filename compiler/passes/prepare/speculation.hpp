#pragma once

// Between `speculation<off>` and `speculation<on>` LLVM's passes leave loads of kernels under their conditions: a
// work-item that need not read what others write would read it while they write, and its value be taken for theirs.
// The attribute of LLVM's thread sanitizer is how they are told.
//
//   speculation<off>:  define spir_kernel void @k()   =>   define spir_kernel void @k() sanitize_thread
//
// Test: tests/passes/prepare/speculation.ll

#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace hostcl::compiler {

/// Reads "on" and "off".
llvm::Expected<bool> parse_speculation(llvm::StringRef text);

class SpeculationPass : public llvm::PassInfoMixin<SpeculationPass> {
public:
  explicit SpeculationPass(bool is_on) : is_on_(is_on) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }

private:
  bool is_on_;
};

} // namespace hostcl::compiler
