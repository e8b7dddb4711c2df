#pragma once

// Keeps LLVM's passes from speculating loads: between `speculation<off>` and `speculation<on>` a load of a kernel stays
// under the condition that guards it. Without this, a work-item could execute a load that its program does not execute,
// while another work-item writes the location. The race checks would report this load, and a later pass could use its
// value in place of the program's own load.
//
// The pass sets and removes the function attribute sanitize_thread, which LLVM's passes respect in this way.
//
//   speculation<off>:  define spir_kernel void @k()   =>   define spir_kernel void @k() sanitize_thread
//
// Test: tests/passes/1_kernel/speculation.ll

#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace hostcl::compiler {

/// Parses the pass's parameter: "on" or "off".
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
