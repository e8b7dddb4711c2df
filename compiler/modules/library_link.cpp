#include "compiler/modules/library_link.hpp"

#include "compiler/ir/metadata.hpp"

#include "builtins/library.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/IRMover.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Prefix of the names of relaxed variants, before the mangled name of the built-in.
constexpr StringRef relaxed_prefix = "fast.";

using Wanted = MapVector<const builtins::Unit*, SmallVector<std::string, 8>>;

const builtins::Unit* find(StringRef name) {
  return builtins::find({name.data(), name.size()});
}

/// Renames declarations of built-ins to their relaxed variants, if these exist.
void relax(Module& module) {
  for (Function& function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    std::string name = (relaxed_prefix + function.getName()).str();
    if (find(name)) function.setName(name);
  }
}

Wanted missing_functions(const Module& module) {
  Wanted wanted;
  for (const Function& function : module)
    if (function.isDeclaration() && !function.use_empty() && !function.isIntrinsic())
      if (const builtins::Unit* unit = find(function.getName()))
        wanted[unit].push_back(function.getName().str());
  return wanted;
}

Error link_from(IRMover& mover, const builtins::Unit& unit, ArrayRef<std::string> names) {
  Module& target = mover.getModule();
  StringRef bytes(reinterpret_cast<const char*>(unit.bitcode.data()), unit.bitcode.size());
  auto source = getLazyBitcodeModule(MemoryBufferRef(bytes, unit.name), target.getContext(),
                                     /*ShouldLazyLoadMetadata=*/true);
  if (!source) return source.takeError();
  SmallVector<GlobalValue*, 8> values;
  for (const std::string& name : names)
    values.push_back((*source)->getNamedValue(name));
  // With a function, the functions and tables that it refers to in its own unit are linked as well.
  auto add_referenced = [](GlobalValue& value, IRMover::ValueAdder add) { add(value); };
  return mover.move(std::move(*source), values, add_referenced, /*IsPerformingImport=*/false);
}

/// Linking is by name only: if a program declares a built-in with a wrong type, calls would be undefined
/// behaviour.
Error check_calls(const Module& module) {
  for (const Function& function : module)
    for (const User* user : function.users())
      if (const auto* call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &function &&
                                                       call->getFunctionType() != function.getFunctionType())
        return createStringError("'" + function.getName() +
                                 "' is called with another type than it has in the built-in library");
  return Error::success();
}

} // namespace

Error link_builtins(Module& module) {
  if (module.getModuleFlag(metadata::relaxed_math)) relax(module);
  SmallPtrSet<const Function*, 32> own;
  for (const Function& function : module)
    if (!function.isDeclaration()) own.insert(&function);

  IRMover mover(module);
  for (Wanted wanted = missing_functions(module); !wanted.empty(); wanted = missing_functions(module))
    for (const auto& [unit, names] : wanted)
      if (Error error = link_from(mover, *unit, names)) return error;

  if (Error error = check_calls(module)) return error;
  for (Function& function : module)
    if (!function.isDeclaration() && !own.contains(&function))
      function.setLinkage(GlobalValue::InternalLinkage);
  return Error::success();
}

} // namespace hostcl::compiler
