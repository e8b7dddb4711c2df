#include "compiler/passes/images/image_values.hpp"

#include "compiler/abi/image.hpp"
#include "compiler/passes/marks.hpp"
#include "compiler/passes/spaces.hpp"
#include "compiler/settings/checks.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

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

/// Values of this type lie in memory as well, where each takes the place of its number. Events of asynchronous copies are
/// such for checks alone, which look at them (passes/checks/collectives.hpp); otherwise they go (address-space-queries).
bool is_queue_or_event(const Type* type) {
  return is_opaque(type, "spirv.Queue") || is_opaque(type, "spirv.DeviceEvent") ||
         (has_checks() && is_opaque(type, "spirv.Event"));
}

Type* plain(Type* type) {
  LLVMContext& context = type->getContext();
  if (is_image(type)) return PointerType::get(context, constant_space);
  if (is_sampler(type) || is_queue_or_event(type)) return Type::getInt64Ty(context);
  if (auto* array = dyn_cast<ArrayType>(type))
    return ArrayType::get(plain(array->getElementType()), array->getNumElements());
  auto* structure = dyn_cast<StructType>(type);
  if (!structure || structure->isOpaque()) return type;
  SmallVector<Type*, 8> elements;
  for (Type* element : structure->elements())
    elements.push_back(plain(element));
  return equal(elements, structure->elements()) ? type
                                                : StructType::get(context, elements, structure->isPacked());
}

FunctionType* plain(FunctionType* type) {
  SmallVector<Type*, 8> parameters;
  for (Type* parameter : type->params())
    parameters.push_back(plain(parameter));
  return FunctionType::get(plain(type->getReturnType()), parameters, type->isVarArg());
}

/// Whether it gives the plain value of its image or sampler.
bool is_image_conversion(const Function& function) {
  const StringRef name = function.getName();
  return function.isDeclaration() && (name.starts_with("_Z14__hostcl_image") || name == "__hostcl_sampler");
}

/// The same for queues and events, in both directions.
constexpr StringRef enqueue_conversions[] = {"__hostcl_queue_bits", "__hostcl_event_bits",
                                             "__hostcl_queue_of", "__hostcl_event_of"};

bool is_conversion(const Function& function) {
  return is_image_conversion(function) ||
         (function.isDeclaration() && is_contained(enqueue_conversions, function.getName()));
}

/// Marks the functions that ask for the plain values of their parameters: those of the library.
void mark_image_call(Function& function) {
  std::string parameters(function.arg_size(), '-');
  for (const Argument& argument : function.args())
    parameters[argument.getArgNo()] = is_image(argument.getType())     ? 'i'
                                      : is_sampler(argument.getType()) ? 's'
                                                                       : '-';
  function.addFnAttr(marks::image_call, parameters);
  function.addFnAttr(Attribute::NoInline);
  function.removeFnAttr(Attribute::AlwaysInline);
}

void mark_image_calls(Module& module) {
  for (const Function& conversion : module) {
    if (!is_image_conversion(conversion)) continue;
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
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) {
    address->setSourceElementType(plain(address->getSourceElementType()));
    address->setResultElementType(plain(address->getResultElementType()));
  }
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
  const bool takes_images = any_of(function.getFunctionType()->params(),
                                   [](Type* type) { return is_image(type) || is_sampler(type); });
  if (made->getCallingConv() == CallingConv::SPIR_KERNEL && takes_images)
    made->addFnAttr(marks::takes_images);
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

/// Every image and sampler comes from a parameter or a function; queues and events may come from memory.
bool has_opaque_values(Function& function) {
  return plain(function.getFunctionType()) != function.getFunctionType() ||
         any_of(instructions(function),
                [](const Instruction& instruction) { return is_queue_or_event(instruction.getType()); });
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
  if (none_of(module.functions(), has_opaque_values)) return PreservedAnalyses::all();
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
