#include "compiler/code/program_variables.hpp"

#include "compiler/code/host_functions.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/modules/ir_module.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

void collect_referenced(const Constant& constant, SetVector<const GlobalVariable*>& found) {
  for (const Use& operand : constant.operands()) {
    if (const auto* variable = dyn_cast<GlobalVariable>(&operand))
      found.insert(variable);
    else if (const auto* nested = dyn_cast<Constant>(&operand))
      collect_referenced(*nested, found);
  }
}

/// The program's variables in global memory that have an initialiser, and all variables to which these
/// initialisers refer, directly or through other initialisers. LLVM's own variables (llvm.*) are left out.
SetVector<const GlobalVariable*> shared_variables(const llvm::Module& module) {
  SetVector<const GlobalVariable*> shared;
  for (const GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == global_space && variable.hasInitializer() &&
        !variable.getName().starts_with("llvm."))
      shared.insert(&variable);
  for (std::size_t i = 0; i < shared.size(); ++i)
    if (shared[i]->hasInitializer()) collect_referenced(*shared[i]->getInitializer(), shared);
  return shared;
}

/// The functions in llvm.global_ctors or llvm.global_dtors, in ascending order of priority.
std::vector<std::string> functions_in(const llvm::Module& module, StringRef list_name) {
  const GlobalVariable* list = module.getNamedGlobal(list_name);
  const auto* entries =
      list && list->hasInitializer() ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
  std::multimap<std::uint64_t, std::string> found; // functions of equal priority keep the order of the list
  for (unsigned i = 0; entries && i < entries->getNumOperands(); ++i) {
    const auto* entry = dyn_cast<ConstantStruct>(entries->getOperand(i));
    if (!entry) continue; // zeros instead of a function
    const auto* function = dyn_cast<Function>(entry->getOperand(1)->stripPointerCasts());
    if (function) found.emplace(cast<ConstantInt>(entry->getOperand(0))->getZExtValue(), function->getName());
  }
  std::vector<std::string> names;
  for (auto& [priority, name] : found)
    names.push_back(std::move(name));
  return names;
}

/// Machine code for a module that only defines the shared variables.
Expected<std::string> variables_object(const llvm::Module& module,
                                       const SetVector<const GlobalVariable*>& shared, const HostCpu& cpu) {
  ValueToValueMapTy map;
  std::unique_ptr<llvm::Module> copy = CloneModule(module, map, [&](const GlobalValue* value) {
    const auto* variable = dyn_cast<GlobalVariable>(value);
    return variable && shared.contains(variable);
  });
  auto writer = ObjectWriter::borrow(cpu);
  if (!writer) return writer.takeError();
  retarget_to_host(*copy, (*writer)->machine(), cpu);
  return (*writer)->write(*copy);
}

/// Renames impostors: variables of the program that have the name of a function which the code generator
/// calls, such as `memset`. In OpenCL C these names are ordinary identifiers. @returns whether there were any
/// impostors
bool rename_impostors(llvm::Module& module) {
  bool renamed = false;
  for (const HostFunction& function : host_functions()) {
    GlobalVariable* variable = module.getNamedGlobal(function.name);
    if (!variable) continue;
    variable->setName(Twine("program.") + function.name);
    renamed = true;
  }
  return renamed;
}

/// The variable's entry in the list of variables that the host can find by name. The name is that of the
/// SPIR-V decoration HostAccessINTEL, or else the symbol's name if other modules can see the symbol. Returns
/// nothing for variables that have neither name, or that are not in global memory.
std::optional<HostVariable> host_variable(const GlobalVariable& variable, const DataLayout& layout) {
  if (variable.getAddressSpace() != global_space) return std::nullopt;
  const Attribute name = variable.getAttribute(metadata::host_name);
  if (!name.isStringAttribute() && variable.hasLocalLinkage()) return std::nullopt;
  HostVariable found{.name =
                         std::string(name.isStringAttribute() ? name.getValueAsString() : variable.getName()),
                     .symbol = std::string(variable.getName()),
                     .bytes = layout.getTypeAllocSize(variable.getValueType())};
  unsigned access = 0;
  const Attribute allowed = variable.getAttribute(metadata::host_access);
  if (allowed.isStringAttribute() && !allowed.getValueAsString().getAsInteger(10, access))
    found.access = static_cast<HostAccess>(access);
  return found;
}

} // namespace

Expected<ProgramVariables> separate_variables(const compiler::Module& program, llvm::Module& module,
                                              const HostCpu& cpu) {
  ProgramVariables result{.program = nullptr,
                          .initialisers = functions_in(module, "llvm.global_ctors"),
                          .finalisers = functions_in(module, "llvm.global_dtors"),
                          .named = {},
                          .object = {}};
  const bool renamed = rename_impostors(module);
  SetVector<const GlobalVariable*> shared = shared_variables(module);
  if (shared.empty() && !renamed) return result;

  for (const GlobalVariable* variable : shared) {
    auto& writable = const_cast<GlobalVariable&>(*variable);
    if (!writable.hasName()) writable.setName("program.variable");
    if (auto named = host_variable(writable, module.getDataLayout()))
      result.named.push_back(std::move(*named));
    writable.setLinkage(GlobalValue::ExternalLinkage);
    writable.setVisibility(GlobalValue::DefaultVisibility);
    // Machine code may be farther from the variables than a displacement of 32 bits reaches. For a symbol
    // that is not dso_local, the address is loaded from a table.
    writable.setDSOLocal(false);
    const DataLayout& layout = module.getDataLayout();
    if (writable.getAddressSpace() == global_space)
      result.bytes = alignTo(result.bytes, layout.getPreferredAlign(variable)) +
                     layout.getTypeAllocSize(variable->getValueType());
  }
  if (Error error = variables_object(module, shared, cpu).moveInto(result.object)) return std::move(error);
  for (const GlobalVariable* variable : shared)
    const_cast<GlobalVariable&>(*variable).setInitializer(nullptr);
  result.program = std::make_shared<compiler::Module>(program.properties(), write_bitcode(module));
  return result;
}

} // namespace hostcl::compiler
