#include "compiler/modules/recursion.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/modules/indirect_calls.hpp"
#include "compiler/modules/library_link.hpp"
#include "compiler/passes/1_kernel/lower_printf.hpp"
#include "compiler/passes/4_range/host_callbacks.hpp"

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

struct Recursive {
  std::string name;
  bool by_pointer; ///< whether the recursion is a call through a pointer that may point to the function
};

std::vector<Recursive> recursive_functions(llvm::Module& module) {
  const auto is_pointer_call = [](const CallGraphNode* node) {
    return node->getFunction() && node->getFunction()->getName().starts_with(pointer_call_name);
  };
  std::vector<Recursive> found;
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    if (!component.hasCycle()) continue;
    const bool by_pointer = any_of(*component, is_pointer_call);
    for (const CallGraphNode* node : *component)
      if (node->getFunction() && !is_pointer_call(node))
        found.push_back({node->getFunction()->getName().str(), by_pointer});
  }
  return found;
}

/// The name of a function in the source. clang moves a kernel's code to a function with another name, and
/// functions without linkage in SPIR-V modules have a prefix.
std::string source_name_of(StringRef name) {
  name.consume_front("__clang_ocl_kern_imp_") || name.consume_front("il.");
  return demangle(name.str());
}

bool needs_kernel(Function* root) {
  SetVector<Function*> reached;
  reached.insert(root);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (intrinsic_of(*reached[i]) || is_host_callback(*reached[i]) || is_printf(*reached[i])) return true;
    for (Instruction& instruction : instructions(*reached[i]))
      for (Value* operand : instruction.operands())
        if (auto* callee = dyn_cast<Function>(operand->stripPointerCasts())) reached.insert(callee);
  }
  return false;
}

} // namespace

bool report_recursion(llvm::Module& module, std::string& log) {
  const std::vector<Recursive> all = recursive_functions(module);
  if (all.empty()) return true;
  std::unique_ptr<llvm::Module> copy = CloneModule(module);
  if (Error error = link_builtins(*copy)) {
    log += "error: " + toString(std::move(error)) + "\n";
    return false;
  }
  bool good = true;
  for (const auto& [name, by_pointer] : all) {
    Function* function = copy->getFunction(name);
    if (!function || !needs_kernel(function)) continue;
    log +=
        "error: function '" + source_name_of(name) +
        (by_pointer ? "' may call itself through a pointer" : "' calls itself") +
        " and uses a barrier, a pipe, printf or a work-item function; OpenCL C does not support recursion\n";
    good = false;
  }
  return good;
}

} // namespace hostcl::compiler
