#pragma once

// LLVM's new pass manager for one module: analyses, the host's cost model, and hostcl's passes by name.

#include "compiler/settings/switches.hpp"

#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Passes/PassBuilder.h"

namespace hostcl::compiler {

class PassEnvironment {
public:
  /// @param machine may be null; passes have no particular target then
  PassEnvironment(llvm::TargetMachine* machine, const Switches& switches);
  /// Prints the time of each pass if llvm::TimePassesIsEnabled is set.
  ~PassEnvironment() { times_.print(); }

  /// Runs a pipeline in the textual syntax of `opt`. The names of hostcl's passes are in
  /// compiler/passes/passes.def.
  llvm::Error run(llvm::Module& module, llvm::StringRef pipeline);

  /// Drops all analyses. Called after a change of the module that no pass has made.
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
