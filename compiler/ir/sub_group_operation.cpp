#include "compiler/ir/sub_group_operation.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

using Kind = SubGroupOperation::Kind;

/// Removes the type's suffix from a function's name, such as "_i32". @returns false if the name has another suffix, or
/// there are no operations on the type
bool consume_type(StringRef& name, const Type& type) {
  if (type.isPointerTy()) return name.consume_back(("_p" + Twine(type.getPointerAddressSpace())).str());
  const bool real = type.isHalfTy() || type.isFloatTy() || type.isDoubleTy();
  const unsigned bits = type.getScalarSizeInBits();
  const bool known = real || (type.isIntegerTy() && is_contained({8U, 16U, 32U, 64U}, bits));
  return known && name.consume_back((Twine(real ? "_f" : "_i") + Twine(bits)).str());
}

/// The reduction of a name and a type; none if there is no such reduction.
RecurKind combine_named(StringRef name, const Type& type) {
  const bool real = type.isFloatingPointTy();
  auto integers_only = [&](RecurKind kind) { return real ? RecurKind::None : kind; };
  return StringSwitch<RecurKind>(name)
      .Case("add", real ? RecurKind::FAdd : RecurKind::Add)
      .Case("mul", real ? RecurKind::FMul : RecurKind::Mul)
      .Case("min", real ? RecurKind::FMinNum : RecurKind::SMin)
      .Case("max", real ? RecurKind::FMaxNum : RecurKind::SMax)
      .Case("umin", integers_only(RecurKind::UMin))
      .Case("umax", integers_only(RecurKind::UMax))
      .Case("and", integers_only(RecurKind::And))
      .Case("or", integers_only(RecurKind::Or))
      .Case("xor", integers_only(RecurKind::Xor))
      .Default(RecurKind::None);
}

/// Operations on one type of value: "KIND_TYPE" or "KIND_COMBINE_TYPE".
std::optional<SubGroupOperation> operation_on_values(StringRef name, Type* type) {
  if (!consume_type(name, *type)) return std::nullopt;
  if (name == "first") return SubGroupOperation{Kind::first};
  if (type->isPointerTy()) return std::nullopt;
  if (name == "shuffle") return SubGroupOperation{Kind::shuffle};
  if (name == "broadcast") return SubGroupOperation{Kind::broadcast};
  const auto [kind_name, combine_name] = name.rsplit('_');
  const auto kind = StringSwitch<std::optional<Kind>>(kind_name)
                        .Case("reduce", Kind::reduce)
                        .Case("scan_inclusive", Kind::scan_inclusive)
                        .Case("scan_exclusive", Kind::scan_exclusive)
                        .Default(std::nullopt);
  const RecurKind combine = combine_named(combine_name, *type);
  if (!kind || combine == RecurKind::None) return std::nullopt;
  return SubGroupOperation{*kind, combine};
}

} // namespace

Constant* neutral_value(RecurKind combine, Type* type) {
  if (auto* vector = dyn_cast<VectorType>(type)) // LLVM knows the identity elements of scalars only
    return ConstantVector::getSplat(vector->getElementCount(),
                                    neutral_value(combine, vector->getElementType()));
  if (combine == RecurKind::FMinNum || combine == RecurKind::FMaxNum) return ConstantFP::getNaN(type);
  return cast<Constant>(getRecurrenceIdentity(combine, type, FastMathFlags()));
}

std::optional<SubGroupOperation> sub_group_operation(const Function& function) {
  StringRef name = function.getName();
  if (!name.consume_front("__hostcl_sub_group_")) return std::nullopt;
  Type* type = function.getReturnType();
  if (name == "any" && type->isIntegerTy(1)) return SubGroupOperation{Kind::any};
  if (name == "all" && type->isIntegerTy(1)) return SubGroupOperation{Kind::all};
  if (name == "ballot" && type->isVectorTy()) return SubGroupOperation{Kind::ballot};
  return operation_on_values(name, type);
}

SubGroupOperation called_operation(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  const auto operation = callee ? sub_group_operation(*callee) : std::nullopt;
  if (!operation) reportFatalInternalError("a call that is not a sub-group operation");
  return *operation;
}

Value* of_first_lane(IRBuilderBase& build, Value* value) {
  if (isa<Constant>(value)) return value;
  Type* type = value->getType();
  if (type->isIntegerTy(1))
    return build.CreateTrunc(of_first_lane(build, build.CreateZExt(value, build.getInt8Ty())), type);
  const char* letter = type->isPointerTy() ? "p" : type->isIntegerTy() ? "i" : "f";
  const unsigned number = type->isPointerTy() ? type->getPointerAddressSpace() : type->getScalarSizeInBits();
  const std::string name = std::string("__hostcl_sub_group_first_") + letter + std::to_string(number);
  CallInst* call =
      build.CreateCall(build.GetInsertBlock()->getModule()->getOrInsertFunction(name, type, type), {value});
  call->getCalledFunction()->setCallingConv(CallingConv::SPIR_FUNC);
  call->getCalledFunction()->addFnAttr(Attribute::Convergent);
  call->setCallingConv(CallingConv::SPIR_FUNC);
  call->addFnAttr(Attribute::Convergent);
  return call;
}

bool uses_sub_groups(const Function& kernel) {
  using enum hostcl::compiler::Intrinsic;
  return any_of(instructions(kernel), [](const Instruction& instruction) {
    const auto kind = called_intrinsic(instruction);
    return kind == sub_group || kind == sub_group_lane || kind == sub_group_width || kind == sub_group_stride;
  });
}

} // namespace hostcl::compiler
