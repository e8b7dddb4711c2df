#include "compiler/modules/undefined_symbols.hpp"

#include "builtins/library.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/maths_instructions.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/passes/1_kernel/lower_traps.hpp"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_undefined(const Function& function) {
  return function.isDeclaration() && !is_provided(function);
}

std::string message(Attribute location, StringRef kind, StringRef name) {
  const std::string place = location.isStringAttribute() ? (location.getValueAsString() + ": ").str() : "";
  return (place + "error: undefined " + kind + " '" + demangle(name.str()) + "'").str();
}

} // namespace

bool is_provided(const Function& function) {
  StringRef name = function.getName();
  return function.isIntrinsic() || intrinsic_of(function) || maths_instruction_of(function) ||
         is_trap(function) || name == "printf" || name == "__translate_sampler_initializer" ||
         builtins::find({name.data(), name.size()});
}

bool leaves_undefined(const llvm::Module& module) {
  return any_of(module.functions(), is_undefined) ||
         any_of(module.globals(), [](const GlobalVariable& variable) { return variable.isDeclaration(); });
}

void note_declarations(llvm::Module& module, function_ref<std::string(StringRef)> location) {
  auto note = [&](auto& symbol, auto add) {
    if (std::string where = location(symbol.getName()); !where.empty()) add(where);
  };
  for (Function& function : module)
    if (is_undefined(function))
      note(function, [&](StringRef where) { function.addFnAttr(metadata::declared, where); });
  for (GlobalVariable& variable : module.globals())
    if (variable.isDeclaration())
      note(variable, [&](StringRef where) { variable.addAttribute(metadata::declared, where); });
}

bool report_undefined(const llvm::Module& module, std::string& log) {
  const std::size_t before = log.size();
  for (const Function& function : module)
    if (is_undefined(function) && !function.use_empty())
      log += message(function.getFnAttribute(metadata::declared), "function", function.getName()) + "\n";
  for (const GlobalVariable& variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty())
      log += message(variable.getAttribute(metadata::declared), "variable", variable.getName()) + "\n";
  return log.size() == before;
}

} // namespace hostcl::compiler
