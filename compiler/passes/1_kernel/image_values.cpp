// Lowers images and samplers from opaque target types to plain values: an image becomes the address of its abi::Image,
// in constant memory, a sampler becomes an abi::Sampler (i64). Device queues and events become i64, also in arrays and
// structures. The library's image functions get the attribute hostcl.image_call, which tells image-calls the kinds of
// their parameters ('i' image, 's' sampler, '-' anything else).
//
//   before:  define <4 x float> @read(target("spirv.Image", ...) %i, target("spirv.Sampler") %s, <2 x i32> %c) {
//              %image = call ptr addrspace(2) @_Z14__hostcl_image14ocl_image2d_ro(target("spirv.Image", ...) %i)
//              %sampler = call i64 @__hostcl_sampler(target("spirv.Sampler") %s)
//   after:   define <4 x float> @read(ptr addrspace(2) %i, i64 %s, <2 x i32> %c) noinline "hostcl.image_call"="is-" {
//              ; %i and %s in place of %image and %sampler
//
// Runs on a kernel's module as soon as the library is linked, because LLVM's optimisations know nothing of the opaque
// types. `opaque-values` does the same for pipes.
//
// Test: tests/passes/1_kernel/image_values.ll

#include "compiler/passes/passes.hpp"

#include "compiler/abi/image.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/settings/switches.hpp"

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

/// Replaces opaque types by plain ones, also inside other types.
struct PlainTypes {
  /// Whether events of asynchronous copies become integers: only if checks are on, which use the events
  /// (passes/checks/source/collectives.cpp). Otherwise address-space-queries removes the events.
  bool has_events;

  /// Whether the type becomes an i64, also in memory.
  bool is_queue_or_event(const Type* type) const {
    return is_opaque(type, "spirv.Queue") || is_opaque(type, "spirv.DeviceEvent") ||
           (has_events && is_opaque(type, "spirv.Event"));
  }

  Type* operator()(Type* type) const {
    LLVMContext& context = type->getContext();
    if (is_image(type)) return PointerType::get(context, constant_space);
    if (is_sampler(type) || is_queue_or_event(type)) return Type::getInt64Ty(context);
    if (auto* array = dyn_cast<ArrayType>(type))
      return ArrayType::get((*this)(array->getElementType()), array->getNumElements());
    auto* structure = dyn_cast<StructType>(type);
    if (!structure || structure->isOpaque()) return type;
    SmallVector<Type*, 8> elements;
    for (Type* element : structure->elements())
      elements.push_back((*this)(element));
    return equal(elements, structure->elements()) ? type
                                                  : StructType::get(context, elements, structure->isPacked());
  }

  FunctionType* operator()(FunctionType* type) const {
    SmallVector<Type*, 8> parameters;
    for (Type* parameter : type->params())
      parameters.push_back((*this)(parameter));
    return FunctionType::get((*this)(type->getReturnType()), parameters, type->isVarArg());
  }
};

/// Whether the function converts an image or a sampler to its plain value.
bool is_image_conversion(const Function& function) {
  const StringRef name = function.getName();
  return function.isDeclaration() && (name.starts_with("_Z14__hostcl_image") || name == "__hostcl_sampler");
}

/// Functions that convert queues and events to plain values, and plain values to queues and events.
constexpr StringRef enqueue_conversions[] = {"__hostcl_queue_bits", "__hostcl_event_bits",
                                             "__hostcl_queue_of", "__hostcl_event_of"};

bool is_conversion(const Function& function) {
  return is_image_conversion(function) ||
         (function.isDeclaration() && is_contained(enqueue_conversions, function.getName()));
}

/// Adds the attribute hostcl.image_call to a function that converts its parameters to plain values; only functions of
/// the library do.
void mark_image_call(Function& function) {
  std::string parameters(function.arg_size(), '-');
  for (const Argument& argument : function.args())
    parameters[argument.getArgNo()] = is_image(argument.getType())     ? 'i'
                                      : is_sampler(argument.getType()) ? 's'
                                                                       : '-';
  function.addFnAttr(metadata::image_call, parameters);
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

/// Changes the types of the instruction's result and operands to plain types.
void make_plain(Instruction& instruction, const PlainTypes& plain) {
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

/// Declares that an image parameter points to a valid descriptor, so that loads from it may be speculated.
void describe_image(Argument& image) {
  AttrBuilder attributes(image.getContext());
  attributes.addAttribute(Attribute::NoUndef);
  attributes.addAlignmentAttr(Align(alignof(abi::Image)));
  attributes.addDereferenceableAttr(sizeof(abi::Image));
  image.addAttrs(attributes);
}

/// Gives the function its plain type, under the same name.
void make_plain(Function& function, const PlainTypes& plain) {
  Function* made = Function::Create(plain(function.getFunctionType()), function.getLinkage(),
                                    function.getAddressSpace(), "", function.getParent());
  made->copyAttributesFrom(&function);
  made->copyMetadata(&function, 0);
  made->setComdat(function.getComdat());
  made->takeName(&function);
  const bool takes_images = any_of(function.getFunctionType()->params(),
                                   [](Type* type) { return is_image(type) || is_sampler(type); });
  if (made->getCallingConv() == CallingConv::SPIR_KERNEL && takes_images)
    made->addFnAttr(metadata::takes_images);
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

/// Removes the calls of a conversion: its operand is a plain value already.
void drop_conversion(Function& conversion) {
  for (User* user : make_early_inc_range(conversion.users()))
    if (auto* call = dyn_cast<CallBase>(user)) {
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
}

/// Whether the function has opaque values. Every image and sampler is a parameter or a result of some function; queues
/// and events may also be loaded.
bool has_opaque_values(Function& function, const PlainTypes& plain) {
  return plain(function.getFunctionType()) != function.getFunctionType() ||
         any_of(instructions(function), [&](const Instruction& instruction) {
           return plain.is_queue_or_event(instruction.getType());
         });
}

/// Lowers samplers that the program declares by an initialiser. Their level of detail is not limited.
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

PreservedAnalyses image_values_pass(Module& module, ModuleAnalysisManager&, const Switches& switches) {
  const PlainTypes plain{.has_events = switches.has_checks()};
  if (none_of(module.functions(), [&](Function& function) { return has_opaque_values(function, plain); }))
    return PreservedAnalyses::all();
  mark_image_calls(module);
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      make_plain(instruction, plain);
  for (Function& function : make_early_inc_range(module))
    if (plain(function.getFunctionType()) != function.getFunctionType()) make_plain(function, plain);
  for (Function& function : make_early_inc_range(module)) {
    if (is_conversion(function)) drop_conversion(function);
    if (function.getName() == literal_sampler) lower_literals(function);
    if (function.isDeclaration() && function.use_empty()) function.eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
