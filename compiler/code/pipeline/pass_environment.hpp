#pragma once

// The environment of LLVM's new pass manager for one module: analyses, the host's cost model, and hostcl's
// passes by name.

#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Passes/PassBuilder.h"

namespace hostcl::compiler {

class PassEnvironment {
public:
  /// @param machine may be null: passes then know no particular target.
  explicit PassEnvironment(llvm::TargetMachine* machine);
  /// Prints the time of each pass, where llvm::TimePassesIsEnabled.
  ~PassEnvironment() { times_.print(); }

  /// Runs a textual pipeline in `opt`'s syntax, in which hostcl's passes have the names of
  /// compiler/passes/passes.def.
  llvm::Error run(llvm::Module& module, llvm::StringRef pipeline);

  /// Drops all analyses, after a change to the module that no pass made.
  void forget_analyses();

private:
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::TimePassesHandler times_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

} // namespace hostcl::compiler
