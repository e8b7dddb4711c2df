#include "compiler/passes/images/image_values.hpp"

#include "compiler/abi.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned constant_space = 2;
constexpr StringRef literal_sampler = "__translate_sampler_initializer";

bool is_opaque(const Type* type, StringRef name) {
  const auto* opaque = dyn_cast<TargetExtType>(type);
  return opaque && opaque->getName() == name;
}
bool is_image(const Type* type) {
  return is_opaque(type, "spirv.Image");
}
bool is_sampler(const Type* type) {
  return is_opaque(type, "spirv.Sampler");
}

Type* plain(Type* type) {
  if (is_image(type)) return PointerType::get(type->getContext(), constant_space);
  if (is_sampler(type)) return Type::getInt64Ty(type->getContext());
  return type;
}

FunctionType* plain(FunctionType* type) {
  SmallVector<Type*, 8> parameters;
  for (Type* parameter : type->params())
    parameters.push_back(plain(parameter));
  return FunctionType::get(plain(type->getReturnType()), parameters, type->isVarArg());
}

/// Whether it gives the plain value of its image or sampler.
bool is_conversion(const Function& function) {
  const StringRef name = function.getName();
  return function.isDeclaration() && (name.starts_with("_Z14__hostcl_image") || name == "__hostcl_sampler");
}

/// Marks the functions that ask for the plain values of their parameters: those of the library.
void mark_image_call(Function& function) {
  std::string parameters(function.arg_size(), '-');
  for (const Argument& argument : function.args())
    parameters[argument.getArgNo()] = is_image(argument.getType())     ? 'i'
                                      : is_sampler(argument.getType()) ? 's'
                                                                       : '-';
  function.addFnAttr(image_call_mark, parameters);
  function.addFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::AlwaysInline);
}

void mark_image_calls(Module& module) {
  for (const Function& conversion : module) {
    if (!is_conversion(conversion)) continue;
    for (const User* user : conversion.users())
      if (const auto* call = dyn_cast<CallBase>(user))
        mark_image_call(const_cast<Function&>(*call->getFunction()));
  }
}

/// Makes the values that the instruction has and uses plain ones.
void make_plain(Instruction& instruction) {
  for (Use& operand : instruction.operands())
    if (auto* constant = dyn_cast<Constant>(operand);
        constant && plain(constant->getType()) != constant->getType())
      operand = isa<PoisonValue>(constant) ? cast<Constant>(PoisonValue::get(plain(constant->getType())))
                                           : Constant::getNullValue(plain(constant->getType()));
  if (auto* variable = dyn_cast<AllocaInst>(&instruction))
    variable->setAllocatedType(plain(variable->getAllocatedType()));
  if (auto* call = dyn_cast<CallBase>(&instruction))
    call->mutateFunctionType(plain(call->getFunctionType()));
  else
    instruction.mutateType(plain(instruction.getType()));
}

/// Every image has a descriptor, which may be read whether an access happens or not.
void describe_image(Argument& image) {
  AttrBuilder attributes(image.getContext());
  attributes.addAttribute(Attribute::NoUndef);
  attributes.addAlignmentAttr(Align(alignof(abi::Image)));
  attributes.addDereferenceableAttr(sizeof(abi::Image));
  image.addAttrs(attributes);
}

/// Gives the function its plain type, under the same name.
void make_plain(Function& function) {
  Function* made = Function::Create(plain(function.getFunctionType()), function.getLinkage(),
                                    function.getAddressSpace(), "", function.getParent());
  made->copyAttributesFrom(&function);
  made->copyMetadata(&function, 0);
  made->setComdat(function.getComdat());
  made->takeName(&function);
  if (made->getCallingConv() == CallingConv::SPIR_KERNEL) made->addFnAttr(takes_images_mark);
  made->splice(made->begin(), &function);
  for (auto [before, after] : zip(function.args(), made->args())) {
    if (is_image(before.getType())) describe_image(after);
    before.mutateType(after.getType());
    before.replaceAllUsesWith(&after);
    after.takeName(&before);
  }
  function.replaceAllUsesWith(made);
  function.eraseFromParent();
}

/// The conversions of plain values change nothing.
void drop_conversion(Function& conversion) {
  for (User* user : make_early_inc_range(conversion.users()))
    if (auto* call = dyn_cast<CallBase>(user)) {
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
}

/// A sampler that the program writes as a number has no limits of the level of detail.
void lower_literals(Function& literal) {
  constexpr abi::Sampler no_limit = abi::sampler_lod_unlimited << abi::sampler_lod_max_shift;
  for (User* user : make_early_inc_range(literal.users()))
    if (auto* call = dyn_cast<CallBase>(user)) {
      IRBuilder<> builder(call);
      Value* bits = builder.CreateZExt(call->getArgOperand(0), builder.getInt64Ty());
      call->replaceAllUsesWith(builder.CreateOr(bits, builder.getInt64(no_limit)));
      call->eraseFromParent();
    }
}

} // namespace

PreservedAnalyses ImageValuesPass::run(Module& module, ModuleAnalysisManager&) {
  // Every image and sampler comes from a parameter or a function.
  if (none_of(module.functions(), [](const Function& function) {
        return plain(function.getFunctionType()) != function.getFunctionType();
      }))
    return PreservedAnalyses::all();
  mark_image_calls(module);
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      make_plain(instruction);
  for (Function& function : make_early_inc_range(module))
    if (plain(function.getFunctionType()) != function.getFunctionType()) make_plain(function);
  for (Function& function : make_early_inc_range(module)) {
    if (is_conversion(function)) drop_conversion(function);
    if (function.getName() == literal_sampler) lower_literals(function);
    if (function.isDeclaration() && function.use_empty()) function.eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
