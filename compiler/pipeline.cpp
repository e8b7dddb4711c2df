#include "compiler/pipeline.hpp"

#include "compiler/machine_code.hpp"
#include "compiler/pass_environment.hpp"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// A step in the syntax of `opt`. hostcl's own passes are in compiler/passes/, with the names of its
/// registry.
struct Step {
  const char* name;
  const char* passes;
};

constexpr Step prepare_steps[] = {
    // Everything becomes one function: what barriers and work-item functions mean depends on the kernel
    // around them.
    {"inline", "always-inline,globaldce"},
    {"simplify",
     "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,infer-generic-space,instcombine<no-verify-"
     "fixpoint>,"
     "simplifycfg,loop-mssa(loop-rotate,licm),gvn,instcombine<no-verify-fixpoint>,simplifycfg,adce)"},
};

constexpr Step optimise_steps[] = {
    {"optimise", "function(sroa<modify-cfg>,early-cse<memssa>,instcombine,simplifycfg)"},
};

Error run_steps(ArrayRef<Step> steps, PassEnvironment& environment, llvm::Module& module,
                StepObserver observer) {
  for (const Step& step : steps) {
    if (Error error = environment.run(module, step.passes)) return error;
    observer(step.name, module);
  }
  return Error::success();
}

/// Marks all functions but the kernel and those that must stay calls.
void request_inlining(llvm::Module& module, const Function& kernel) {
  for (Function& function : module) {
    if (function.isDeclaration() || &function == &kernel || function.hasFnAttribute(Attribute::NoInline))
      continue;
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}

} // namespace

Expected<PipelineResult> run_pipeline(KernelModule& kernel, TargetMachine& machine, const Variant& variant,
                                      StepObserver observer) {
  PassEnvironment environment(&machine);
  request_inlining(*kernel.module, *kernel.kernel);
  if (Error error = run_steps(prepare_steps, environment, *kernel.module, observer)) return std::move(error);
  return createStringError("pipeline under construction");
}

} // namespace hostcl::compiler
