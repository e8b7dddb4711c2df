#include "compiler/pass_environment.hpp"

#include "compiler/passes/registry.hpp"

#include "llvm/Target/TargetMachine.h"

namespace hostcl::compiler {

using namespace llvm;

PassEnvironment::PassEnvironment(TargetMachine* machine)
    : builder_(machine, PipelineTuningOptions(), std::nullopt, &callbacks_) {
  times_.registerCallbacks(callbacks_);
  register_passes(builder_);
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
}

Error PassEnvironment::run(llvm::Module& module, StringRef pipeline) {
  ModulePassManager passes;
  if (Error error = builder_.parsePassPipeline(passes, pipeline)) return error;
  passes.run(module, modules_);
  return Error::success();
}

void PassEnvironment::forget_analyses() {
  loops_.clear();
  components_.clear();
  functions_.clear();
  modules_.clear();
}

} // namespace hostcl::compiler
