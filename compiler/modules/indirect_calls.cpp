#include "compiler/modules/indirect_calls.hpp"

#include "compiler/ir/metadata.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/passes/1_kernel/lower_traps.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <xxhash.h>

#include <set>
#include <vector>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Functions by number: those with one type, or all of a program.
using Functions = MapVector<std::uint64_t, Function*>;

/// The instruction as a call through a pointer, or null. A direct call with another type than the function's
/// counts as one.
CallInst* call_through_pointer(Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  return call && !call->isInlineAsm() && !call->getCalledFunction() ? call : nullptr;
}

/// Whether a constant is only used in LLVM's own lists, such as llvm.global_ctors and llvm.used.
bool is_of_list(const User& user) {
  if (const auto* variable = dyn_cast<GlobalVariable>(&user)) return variable->getName().starts_with("llvm.");
  return isa<Constant>(user) && all_of(user.users(), [](const User* each) { return is_of_list(*each); });
}

/// Whether the use needs the function's address. Direct calls and LLVM's lists do not. Addresses of block
/// kernels are replaced elsewhere (kernel_module.cpp).
bool is_address(const Use& use) {
  const auto* call = dyn_cast<CallBase>(use.getUser());
  return !(call && call->isCallee(&use) && call->getCalledFunction()) && !is_of_list(*use.getUser());
}

bool is_address_taken(const Function& function) {
  return !function.hasFnAttribute(metadata::block_kernel) && any_of(function.uses(), is_address);
}

/// Makes the numbers of functions. The number of a function with external linkage depends on its name only:
/// if a program gets a pointer in memory from another program that has the same function, the pointer is
/// valid. A number is not an address.
class Numbers {
public:
  explicit Numbers(const llvm::Module& module) {
    const std::vector<std::byte> bitcode = write_bitcode(module);
    of_program_ = XXH3_64bits(bitcode.data(), bitcode.size());
  }

  std::uint64_t next(const Function& function) {
    constexpr std::uint64_t kind = 0x4843, bits = 48;
    const StringRef name = function.getName();
    const std::uint64_t seed = function.hasLocalLinkage() ? of_program_ : 0;
    std::uint64_t number = XXH3_64bits_withSeed(name.data(), name.size(), seed) >> (64 - bits);
    while (!seen_.insert(number).second)
      number = (number + 1) % (std::uint64_t(1) << bits);
    return kind << bits | number;
  }

private:
  std::uint64_t of_program_;
  std::set<std::uint64_t> seen_;
};

/// Numbers the functions whose address is taken, and replaces the addresses by the numbers.
Functions number_functions(llvm::Module& module) {
  Functions found;
  std::vector<Function*> taken;
  for (Function& function : module)
    if (is_address_taken(function)) taken.push_back(&function);
  if (taken.empty()) return found;
  Numbers numbers(module);
  Type* i64 = Type::getInt64Ty(module.getContext());
  for (Function* function : taken) {
    const std::uint64_t number = numbers.next(*function);
    found[number] = function;
    Constant* address = ConstantExpr::getIntToPtr(ConstantInt::get(i64, number), function->getType());
    function->replaceUsesWithIf(address, [](const Use& use) { return is_address(use); });
  }
  return found;
}

/// Writes a function that calls the function whose number is the first parameter.
Function* write_pointer_call(llvm::Module& module, FunctionType* type, const Functions& functions) {
  LLVMContext& context = module.getContext();
  SmallVector<Type*, 8> parameters{Type::getInt64Ty(context)};
  append_range(parameters, type->params());
  Function* made = Function::Create(FunctionType::get(type->getReturnType(), parameters, false),
                                    GlobalValue::InternalLinkage, pointer_call_name, module);
  made->setCallingConv(CallingConv::SPIR_FUNC);
  made->addFnAttr(Attribute::Convergent);
  made->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(context, "", made));
  BasicBlock* none = BasicBlock::Create(context, "none", made);
  SwitchInst* choice = builder.CreateSwitch(made->getArg(0), none);
  SmallVector<Value*, 8> arguments;
  for (Argument& argument : drop_begin(made->args()))
    arguments.push_back(&argument);
  for (const auto& [number, function] : functions) {
    if (function->getFunctionType() != type || function->getCallingConv() == CallingConv::SPIR_KERNEL)
      continue;
    BasicBlock* block = BasicBlock::Create(context, function->getName(), made);
    choice->addCase(builder.getInt64(number), block);
    builder.SetInsertPoint(block);
    CallInst* call = builder.CreateCall(function, arguments);
    call->setCallingConv(function->getCallingConv());
    call->addFnAttr(Attribute::Convergent);
    if (type->getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(call);
  }
  builder.SetInsertPoint(none);
  builder.CreateCall(module.getOrInsertFunction(no_function_name, builder.getVoidTy()));
  builder.CreateUnreachable();
  return made;
}

void replace(CallInst& call, Function& by) {
  IRBuilder<> builder(&call);
  SmallVector<Value*, 8> arguments{builder.CreatePtrToInt(call.getCalledOperand(), builder.getInt64Ty())};
  append_range(arguments, call.args());
  CallInst* made = builder.CreateCall(&by, arguments);
  made->setCallingConv(by.getCallingConv());
  made->addFnAttr(Attribute::Convergent);
  made->addFnAttr(Attribute::NoUnwind);
  call.replaceAllUsesWith(made);
  made->takeName(&call);
  call.eraseFromParent();
}

} // namespace

bool has_function_pointers(const llvm::Module& module) {
  return any_of(module, [](const Function& function) {
    return is_address_taken(function) || any_of(instructions(function), [](const Instruction& each) {
             return call_through_pointer(const_cast<Instruction&>(each)) != nullptr;
           });
  });
}

void lower_function_pointers(llvm::Module& module) {
  const Functions functions = number_functions(module);
  std::vector<CallInst*> calls;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (CallInst* call = call_through_pointer(instruction)) calls.push_back(call);
  DenseMap<FunctionType*, Function*> by_type;
  for (CallInst* call : calls) {
    Function*& function = by_type[call->getFunctionType()];
    if (!function) function = write_pointer_call(module, call->getFunctionType(), functions);
    replace(*call, *function);
  }
}

} // namespace hostcl::compiler
