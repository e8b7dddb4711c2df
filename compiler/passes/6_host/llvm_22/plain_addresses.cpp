#include "compiler/passes/6_host/llvm_22/plain_addresses.hpp"

#include "compiler/passes/passes.hpp"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr StringRef prefix = "__hostcl_addresses.";

} // namespace

Function* declare_addresses(Module& module, Type* pointers) {
  auto* vector = cast<FixedVectorType>(pointers);
  Type* numbers = FixedVectorType::get(Type::getInt64Ty(module.getContext()), vector->getNumElements());
  const std::string name =
      (prefix + "v" + Twine(vector->getNumElements()) + "p" + Twine(vector->getPointerAddressSpace())).str();
  auto* function = cast<Function>(
      module.getOrInsertFunction(name, FunctionType::get(numbers, {pointers}, false)).getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  function->addFnAttr(Attribute::Speculatable);
  return function;
}

PreservedAnalyses plain_addresses_pass(Module& module, ModuleAnalysisManager&) {
  bool changed = false;
  for (Function& function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(prefix)) continue;
    for (User* user : make_early_inc_range(function.users())) {
      auto* call = cast<CallInst>(user);
      ReplaceInstWithInst(call, new PtrToIntInst(call->getArgOperand(0), call->getType()));
    }
    function.eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hostcl::compiler
