// Lowers opaque target types to plain ones, in all types of a kernel's module, because LLVM's optimisations know
// nothing of the opaque types. There are two passes:
//
// - `opaque-values` runs before the built-in library is linked, whose functions have plain parameters for pipes: a pipe
//   becomes the address of its abi::Pipe (address space 1), a reservation id becomes an i64.
// - `image-values` runs as soon as the library is linked: an image becomes the address of its abi::Image, in constant
//   memory, a sampler becomes an abi::Sampler (i64). Device queues and events become i64. The library's image functions
//   get the attribute hostcl.image_call, which tells image-calls the kinds of their parameters ('i' image, 's' sampler,
//   '-' anything else).
//
//   before:  %pair = type { target("spirv.ReserveId"), i32 }
//            @id = internal addrspace(3) global target("spirv.ReserveId") poison
//            define spir_kernel void @k(target("spirv.Pipe", 0) %p) {
//              %id = call target("spirv.ReserveId") @__reserve_read_pipe(target("spirv.Pipe", 0) %p, ...)
//   after:   %pair.plain = type { i64, i32 }
//            @id = internal addrspace(3) global i64 poison
//            define spir_kernel void @k(ptr addrspace(1) %p) {
//              %id = call i64 @__reserve_read_pipe(ptr addrspace(1) %p, ...)
//
//   before:  define <4 x float> @read(target("spirv.Image", ...) %i, target("spirv.Sampler") %s, <2 x i32> %c) {
//              %image = call ptr addrspace(2) @_Z14__hostcl_image14ocl_image2d_ro(target("spirv.Image", ...) %i)
//              %sampler = call i64 @__hostcl_sampler(target("spirv.Sampler") %s)
//   after:   define <4 x float> @read(ptr addrspace(2) %i, i64 %s, <2 x i32> %c) noinline "hostcl.image_call"="is-" {
//              ; %i and %s in place of %image and %sampler
//
// Tests: tests/passes/1_kernel/opaque_values.ll, image_values.ll

#include "compiler/passes/passes.hpp"

#include "compiler/abi/image.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/settings/switches.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <functional>
#include <utility>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Maps each type to the same type with opaque types replaced by plain ones.
class PlainTypes : public ValueMapTypeRemapper {
public:
  /// @param plain_value maps an opaque type to the type of its values, or to itself
  explicit PlainTypes(std::function<Type*(TargetExtType&)> plain_value)
      : plain_value_(std::move(plain_value)) {}

  Type* remapType(Type* type) override {
    if (!type->isAggregateType() && !type->isFunctionTy() && !type->isTargetExtTy()) return type;
    if (Type* known = known_.lookup(type)) return known;
    return known_[type] = plain(*type);
  }
  bool changes(Type* type) { return remapType(type) != type; }
  FunctionType* of(FunctionType* type) { return cast<FunctionType>(remapType(type)); }

private:
  Type* plain(Type& type) {
    if (auto* opaque = dyn_cast<TargetExtType>(&type)) return plain_value_(*opaque);
    SmallVector<Type*, 8> parts;
    for (Type* part : type.subtypes())
      parts.push_back(remapType(part));
    if (equal(parts, type.subtypes())) return &type;
    if (auto* array = dyn_cast<ArrayType>(&type)) return ArrayType::get(parts[0], array->getNumElements());
    if (auto* function = dyn_cast<FunctionType>(&type))
      return FunctionType::get(parts[0], ArrayRef(parts).drop_front(), function->isVarArg());
    auto& record = cast<StructType>(type);
    if (record.isLiteral()) return StructType::get(type.getContext(), parts, record.isPacked());
    return StructType::create(type.getContext(), parts, (record.getName() + ".plain").str(),
                              record.isPacked());
  }

  std::function<Type*(TargetExtType&)> plain_value_;
  DenseMap<Type*, Type*> known_;
};

/// The attributes with plain types in `byval`, `sret` and `byref`, which name the type that a parameter points to.
AttributeList plain_attributes(AttributeList attributes, unsigned parameters, LLVMContext& context,
                               PlainTypes& types) {
  for (unsigned i = 0; i < parameters; ++i)
    for (Attribute::AttrKind kind : {Attribute::ByVal, Attribute::StructRet, Attribute::ByRef})
      if (Type* type = attributes.getParamAttr(i, kind).getValueAsType(); type && types.changes(type))
        attributes = attributes.replaceAttributeTypeAtIndex(context, i + AttributeList::FirstArgIndex, kind,
                                                            types.remapType(type));
  return attributes;
}

/// Gives the variable its plain type, under the same name.
void make_plain(GlobalVariable& variable, ValueMapper& mapper, PlainTypes& types) {
  Constant* initial = variable.hasInitializer() ? mapper.mapConstant(*variable.getInitializer()) : nullptr;
  auto* made = new GlobalVariable(*variable.getParent(), types.remapType(variable.getValueType()),
                                  variable.isConstant(), variable.getLinkage(), initial, "", &variable,
                                  variable.getThreadLocalMode(), variable.getAddressSpace());
  made->copyAttributesFrom(&variable);
  made->takeName(&variable);
  variable.replaceAllUsesWith(made);
  variable.eraseFromParent();
}

/// Gives the function its plain type, under the same name.
void make_plain(Function& function, PlainTypes& types) {
  Function* made = Function::Create(types.of(function.getFunctionType()), function.getLinkage(),
                                    function.getAddressSpace(), "", function.getParent());
  made->copyAttributesFrom(&function);
  made->copyMetadata(&function, 0);
  made->setComdat(function.getComdat());
  made->takeName(&function);
  made->splice(made->begin(), &function);
  for (auto [before, after] : zip(function.args(), made->args())) {
    before.mutateType(after.getType());
    before.replaceAllUsesWith(&after);
    after.takeName(&before);
  }
  function.replaceAllUsesWith(made);
  function.eraseFromParent();
}

/// Whether the module has opaque values. Nearly all of them are parameters or results of functions; queues and events
/// may also be loaded.
bool has_opaque_values(Module& module, PlainTypes& types) {
  return any_of(module.functions(), [&](Function& function) {
    return types.changes(function.getFunctionType()) ||
           any_of(instructions(function), [&](Instruction& each) { return types.changes(each.getType()); });
  });
}

/// Whether the instruction may have opaque types, so that it must be mapped. Most instructions have none, and mapping
/// takes much longer than this test.
bool may_be_opaque(Instruction& instruction, PlainTypes& types) {
  const auto* address = dyn_cast<GetElementPtrInst>(&instruction);
  return isa<AllocaInst, CallBase>(instruction) || types.changes(instruction.getType()) ||
         (address && types.changes(address->getSourceElementType())) ||
         any_of(instruction.operand_values(), [&](const Value* operand) {
           return isa<ConstantExpr, ConstantAggregate>(operand) || types.changes(operand->getType());
         });
}

void make_plain(Module& module, PlainTypes& types) {
  ValueToValueMapTy values;
  ValueMapper mapper(values, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges, &types);
  for (GlobalVariable& variable : make_early_inc_range(module.globals()))
    if (types.changes(variable.getValueType())) make_plain(variable, mapper, types);
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (may_be_opaque(instruction, types)) mapper.remapInstruction(instruction);
  for (Function& function : make_early_inc_range(module)) {
    function.setAttributes(
        plain_attributes(function.getAttributes(), function.arg_size(), module.getContext(), types));
    if (types.changes(function.getFunctionType())) make_plain(function, types);
  }
}

Type* plain_pipe(TargetExtType& type) {
  if (type.getName() == "spirv.Pipe") return PointerType::get(type.getContext(), global_space);
  if (type.getName() == "spirv.ReserveId") return Type::getInt64Ty(type.getContext());
  return &type;
}

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

/// @param has_events whether events of asynchronous copies become integers: only if checks are on, which use the events
/// (passes/checks/source/collectives.cpp). Otherwise address-space-queries removes the events
Type* plain_image(TargetExtType& type, bool has_events) {
  if (is_image(&type)) return PointerType::get(type.getContext(), constant_space);
  const StringRef name = type.getName();
  const bool is_number = is_sampler(&type) || name == "spirv.Queue" || name == "spirv.DeviceEvent" ||
                         (has_events && name == "spirv.Event");
  if (is_number) return Type::getInt64Ty(type.getContext());
  return &type;
}

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

/// Declares that image parameters point to valid descriptors, so that loads from them may be speculated, and marks
/// kernels that take images or samplers.
void describe_images(Function& function) {
  AttrBuilder valid(function.getContext());
  valid.addAttribute(Attribute::NoUndef);
  valid.addAlignmentAttr(Align(alignof(abi::Image)));
  valid.addDereferenceableAttr(sizeof(abi::Image));
  for (Argument& argument : function.args()) {
    if (is_image(argument.getType())) argument.addAttrs(valid);
    if (function.getCallingConv() == CallingConv::SPIR_KERNEL &&
        (is_image(argument.getType()) || is_sampler(argument.getType())))
      function.addFnAttr(metadata::takes_images);
  }
}

void replace_calls(Function& function, function_ref<Value*(CallBase&)> by) {
  for (User* user : make_early_inc_range(function.users()))
    if (auto* call = dyn_cast<CallBase>(user)) {
      call->replaceAllUsesWith(by(*call));
      call->eraseFromParent();
    }
}

/// The value of a sampler that the program declares by an initialiser. Its level of detail is not limited.
Value* literal_sampler(CallBase& call) {
  constexpr abi::Sampler no_limit = abi::sampler_lod_unlimited << abi::sampler_lod_max_shift;
  IRBuilder<> builder(&call);
  Value* bits = builder.CreateZExt(call.getArgOperand(0), builder.getInt64Ty());
  return builder.CreateOr(bits, builder.getInt64(no_limit));
}

} // namespace

PreservedAnalyses opaque_values_pass(Module& module, ModuleAnalysisManager&) {
  PlainTypes types(plain_pipe);
  if (!has_opaque_values(module, types)) return PreservedAnalyses::all();
  make_plain(module, types);
  return PreservedAnalyses::none();
}

PreservedAnalyses image_values_pass(Module& module, ModuleAnalysisManager&, const Switches& switches) {
  PlainTypes types([&](TargetExtType& type) { return plain_image(type, switches.has_checks()); });
  if (!has_opaque_values(module, types)) return PreservedAnalyses::all();
  mark_image_calls(module);
  for_each(module.functions(), describe_images);
  make_plain(module, types);
  for (Function& function : make_early_inc_range(module)) {
    if (is_conversion(function))
      replace_calls(function, [](CallBase& call) { return call.getArgOperand(0); });
    if (function.getName() == "__translate_sampler_initializer") replace_calls(function, literal_sampler);
    if (function.isDeclaration() && function.use_empty()) function.eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
