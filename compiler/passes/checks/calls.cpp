#include "compiler/passes/checks/calls.hpp"

#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

CalledName called_name(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration()) return {};
  StringRef rest = callee->getName();
  unsigned length = 0;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length) || length > rest.size()) return {};
  CalledName name{rest.take_front(length), rest.drop_front(length)};
  rest = name.parameters;
  unsigned lanes;
  if (rest.consume_front("Dv") && !rest.consumeInteger(10, lanes)) rest.consume_front("_");
  if (!rest.empty()) name.element = rest.front();
  return name;
}

StringRef called_function(const Value& value) {
  const auto* call = dyn_cast<CallBase>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : StringRef();
}

CallInst* call_function(IRBuilder<>& builder, const Twine& name, Type* result, ArrayRef<Value*> operands) {
  SmallVector<Type*, 8> types;
  for (const Value* operand : operands)
    types.push_back(operand->getType());
  Module& module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module.getOrInsertFunction(name.str(), FunctionType::get(result, types, false)),
                            operands);
}

CallInst* call_host(IRBuilder<>& builder, const Twine& name, Type* result, ArrayRef<Value*> operands,
                    MemoryEffects effects) {
  CallInst* call = call_function(builder, name, result, operands);
  auto* function = cast<Function>(call->getCalledOperand());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setMemoryEffects(effects);
  return call;
}

CallInst* call_intrinsic(IRBuilder<>& builder, Intrinsic intrinsic, std::size_t operand, const Twine& name) {
  return builder.CreateCall(declare_intrinsic(*builder.GetInsertBlock()->getModule(), intrinsic),
                            {builder.getInt32(static_cast<unsigned>(operand))}, name);
}

} // namespace hostcl::compiler
