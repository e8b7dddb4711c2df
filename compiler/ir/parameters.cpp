#include "compiler/ir/parameters.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

Function& with_parameters(Function& function, ArrayRef<Type*> types) {
  SmallVector<Type*, 8> all(function.getFunctionType()->params());
  append_range(all, types);
  Function* extended =
      Function::Create(FunctionType::get(function.getReturnType(), all, false), function.getLinkage(),
                       function.getAddressSpace(), "", function.getParent());
  extended->takeName(&function);
  extended->copyAttributesFrom(&function);
  extended->copyMetadata(&function, 0);
  function.clearMetadata(); // debug information is of one function
  extended->splice(extended->begin(), &function);
  for (auto [old, made] : zip(function.args(), extended->args())) {
    made.takeName(&old);
    old.replaceAllUsesWith(&made);
  }
  return *extended;
}

CallInst& with_arguments(CallBase& call, Function& callee, ArrayRef<Value*> arguments) {
  SmallVector<Value*, 8> all(call.args());
  append_range(all, arguments);
  CallInst* made = IRBuilder<>(&call).CreateCall(&callee, all);
  made->setCallingConv(call.getCallingConv());
  made->setAttributes(call.getAttributes());
  made->copyMetadata(call);
  made->takeName(&call);
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
  return *made;
}

} // namespace hostcl::compiler
