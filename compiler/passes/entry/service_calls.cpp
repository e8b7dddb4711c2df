#include "compiler/passes/entry/service_calls.hpp"

#include "compiler/abi.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <cstddef>

namespace hostcl::compiler {

using namespace llvm;

namespace {

struct Row {
  StringRef name;     ///< of the function in kernel IR
  std::size_t offset; ///< of the member of abi::Services
};

constexpr Row rows[] = {
    {"__hostcl_printf", offsetof(abi::Services, print)},
};

/// A pointer in a structure that does not change while the launch runs.
LoadInst* load_pointer(IRBuilder<>& builder, Value* structure, std::size_t offset, const char* name) {
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), structure, offset);
  LoadInst* load = builder.CreateLoad(builder.getPtrTy(), address, name);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

void lower(CallInst& call, Argument& launch, std::size_t service_offset) {
  IRBuilder<> builder(&call);
  Value* services = load_pointer(builder, &launch, offsetof(abi::Launch, services), "services");
  Value* context = load_pointer(builder, services, offsetof(abi::Services, context), "context");
  Value* service = load_pointer(builder, services, service_offset, "service");
  SmallVector<Value*, 4> arguments{context};
  append_range(arguments, call.args());
  SmallVector<Type*, 4> types;
  for (const Value* argument : arguments)
    types.push_back(argument->getType());
  CallInst* replacement =
      builder.CreateCall(FunctionType::get(call.getType(), types, false), service, arguments);
  replacement->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(replacement);
  call.eraseFromParent();
}

} // namespace

void lower_service_calls(Argument& launch) {
  Function& entry = *launch.getParent();
  for (const Row& row : rows)
    if (Function* function = entry.getParent()->getFunction(row.name))
      for (User* user : make_early_inc_range(function->users()))
        if (auto* call = dyn_cast<CallInst>(user); call && call->getFunction() == &entry)
          lower(*call, launch, row.offset);
}

} // namespace hostcl::compiler
