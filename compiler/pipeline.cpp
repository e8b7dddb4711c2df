#include "compiler/pipeline.hpp"

#include "compiler/machine_code.hpp"
#include "compiler/passes/registry.hpp"

#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Target/TargetMachine.h"

namespace hostcl::compiler {

using namespace llvm;

Expected<PipelineResult> run_pipeline(KernelModule& kernel, TargetMachine& machine, const Variant& variant,
                                      StepObserver observer) {
  return createStringError("pipeline under construction");
}

} // namespace hostcl::compiler
