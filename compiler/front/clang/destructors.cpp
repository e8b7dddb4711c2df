#include "compiler/front/clang/destructors.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <vector>

namespace hostcl::compiler {

using namespace llvm;

namespace {

// Prefix of clang's name for such a function, before the name of the object.
constexpr StringRef stub_prefix = "__dtor_";

/// An object, and clang's function that destroys it.
struct Destruction {
  Function* stub;
  GlobalVariable* object;
  /// Tells whether an object inside of a function was constructed; null for other objects.
  GlobalVariable* guard;
};

Destruction destruction_by(Function& stub) {
  llvm::Module& module = *stub.getParent();
  StringRef object = stub.getName().substr(stub_prefix.size());
  std::string guard = object.starts_with("_Z") ? ("_ZGV" + object.substr(2)).str() : std::string();
  return {&stub, module.getNamedGlobal(object), module.getNamedGlobal(guard)};
}

/// Passes the object to its destructor: clang passes null if the object's address space is not that of the
/// parameter.
void pass_object(const Destruction& destruction) {
  for (Instruction& instruction : destruction.stub->getEntryBlock()) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (!call || call->arg_size() != 1) continue;
    IRBuilder<> builder(call);
    Type* parameter = call->getFunctionType()->getParamType(0);
    call->setArgOperand(0, builder.CreateAddrSpaceCast(destruction.object, parameter));
  }
}

/// Removes the registrations from the module. @returns the registered destructions in the order of the source
std::vector<Destruction> take_registrations(Function& atexit) {
  std::vector<Destruction> found;
  for (Function& function : *atexit.getParent())
    for (BasicBlock& block : function)
      for (Instruction& instruction : make_early_inc_range(block)) {
        auto* call = dyn_cast<CallInst>(&instruction);
        if (!call || call->getCalledFunction() != &atexit || call->arg_size() != 1) continue;
        auto* stub = dyn_cast<Function>(call->getArgOperand(0));
        if (!stub || !stub->getName().starts_with(stub_prefix)) continue;
        Destruction destruction = destruction_by(*stub);
        if (!destruction.object) continue;
        found.push_back(destruction);
        call->replaceAllUsesWith(ConstantInt::get(call->getType(), 0));
        call->eraseFromParent();
      }
  return found;
}

/// Makes a kernel without arguments, which runs when the program is destroyed.
Function& make_kernel(llvm::Module& module) {
  auto* type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  auto* kernel = Function::Create(type, GlobalValue::InternalLinkage, "_GLOBAL__D_program", module);
  kernel->setCallingConv(CallingConv::SPIR_KERNEL);
  MDNode* none = MDNode::get(module.getContext(), {});
  for (const char* kind : {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                           "kernel_arg_base_type", "kernel_arg_type_qual"})
    kernel->setMetadata(kind, none);
  return *kernel;
}

void destroy(IRBuilder<>& builder, const Destruction& destruction) {
  if (!destruction.guard) {
    builder.CreateCall(destruction.stub)->setCallingConv(destruction.stub->getCallingConv());
    return;
  }
  Function* kernel = builder.GetInsertBlock()->getParent();
  BasicBlock* then = BasicBlock::Create(builder.getContext(), "constructed", kernel);
  BasicBlock* after = BasicBlock::Create(builder.getContext(), "next", kernel);
  Value* guard = builder.CreateLoad(builder.getInt8Ty(), destruction.guard);
  builder.CreateCondBr(builder.CreateIsNotNull(guard), then, after);
  builder.SetInsertPoint(then);
  builder.CreateCall(destruction.stub)->setCallingConv(destruction.stub->getCallingConv());
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

} // namespace

void collect_destructors(llvm::Module& module) {
  Function* atexit = module.getFunction("atexit");
  if (!atexit || !atexit->isDeclaration()) return;
  std::vector<Destruction> all = take_registrations(*atexit);
  if (all.empty()) return;
  if (atexit->use_empty()) atexit->eraseFromParent();

  Function& kernel = make_kernel(module);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &kernel));
  for (bool inside_function : {true, false})
    for (const Destruction& destruction : reverse(all)) {
      if ((destruction.guard != nullptr) != inside_function) continue;
      pass_object(destruction);
      destroy(builder, destruction);
    }
  builder.CreateRetVoid();
  appendToGlobalDtors(module, &kernel, /*Priority=*/65535);
}

} // namespace hostcl::compiler
