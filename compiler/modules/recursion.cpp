#include "compiler/modules/recursion.hpp"

#include "compiler/modules/indirect_calls.hpp"
#include "compiler/modules/library_link.hpp"
#include "compiler/passes/entry/service_calls.hpp"
#include "compiler/passes/intrinsics.hpp"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <vector>

namespace hostcl::compiler {

using namespace llvm;

namespace {

std::vector<std::string> recursive_functions(llvm::Module& module) {
  std::vector<std::string> names;
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (const CallGraphNode* node : *component)
        if (const Function* function = node->getFunction();
            function && !function->getName().starts_with(pointer_call_name))
          names.push_back(function->getName().str());
  return names;
}

/// The name of a function in the source: clang moves a kernel's code to a function with another name.
std::string source_name_of(StringRef name) {
  name.consume_front("__clang_ocl_kern_imp_");
  return demangle(name.str());
}

bool needs_kernel(Function* root) {
  SetVector<Function*> reached;
  reached.insert(root);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (intrinsic_of(*reached[i]) || is_service(*reached[i])) return true;
    for (Instruction& instruction : instructions(*reached[i]))
      for (Value* operand : instruction.operands())
        if (auto* callee = dyn_cast<Function>(operand->stripPointerCasts())) reached.insert(callee);
  }
  return false;
}

} // namespace

bool report_recursion(llvm::Module& module, std::string& log) {
  std::vector<std::string> names = recursive_functions(module);
  if (names.empty()) return true;
  std::unique_ptr<llvm::Module> copy = CloneModule(module);
  if (Error error = link_builtins(*copy)) {
    log += "error: " + toString(std::move(error)) + "\n";
    return false;
  }
  bool good = true;
  for (const std::string& name : names) {
    Function* function = copy->getFunction(name);
    if (!function || !needs_kernel(function)) continue;
    log += "error: function '" + source_name_of(name) +
           "' calls itself and uses a barrier, a pipe or a work-item function; OpenCL C does not support "
           "recursion\n";
    good = false;
  }
  return good;
}

} // namespace hostcl::compiler
