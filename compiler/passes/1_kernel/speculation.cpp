#include "compiler/passes/1_kernel/speculation.hpp"

#include "compiler/ir/kernel_shape.hpp"

#include "llvm/IR/Function.h"

namespace hostcl::compiler {

using namespace llvm;

Expected<bool> parse_speculation(StringRef text) {
  if (text == "on") return true;
  if (text == "off") return false;
  return createStringError("the parameter of speculation is '" + text + "'; it must be on or off");
}

PreservedAnalyses SpeculationPass::run(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  if (is_on_)
    function.removeFnAttr(Attribute::SanitizeThread);
  else
    function.addFnAttr(Attribute::SanitizeThread);
  return PreservedAnalyses::all(); // no analysis depends on the attribute
}

} // namespace hostcl::compiler
