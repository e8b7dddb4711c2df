#include "compiler/ir/sub_group_operation.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/ErrorHandling.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

using Kind = SubGroupOperation::Kind;

/// The type that the end of a function's name stands for, or null.
Type* type_named(LLVMContext& context, StringRef suffix) {
  return StringSwitch<Type*>(suffix)
      .Case("i8", Type::getInt8Ty(context))
      .Case("i16", Type::getInt16Ty(context))
      .Case("i32", Type::getInt32Ty(context))
      .Case("i64", Type::getInt64Ty(context))
      .Case("f16", Type::getHalfTy(context))
      .Case("f32", Type::getFloatTy(context))
      .Case("f64", Type::getDoubleTy(context))
      .Default(nullptr);
}

std::optional<Combine> combine_named(StringRef name, const Type& type) {
  using Choice = StringSwitch<std::optional<Combine>>;
  if (type.isFloatingPointTy())
    return Choice(name)
        .Case("add", Combine::fadd)
        .Case("mul", Combine::fmul)
        .Case("min", Combine::fmin)
        .Case("max", Combine::fmax)
        .Default(std::nullopt);
  return Choice(name)
      .Case("add", Combine::add)
      .Case("mul", Combine::mul)
      .Case("min", Combine::smin)
      .Case("max", Combine::smax)
      .Case("umin", Combine::umin)
      .Case("umax", Combine::umax)
      .Case("and", Combine::and_)
      .Case("or", Combine::or_)
      .Case("xor", Combine::xor_)
      .Default(std::nullopt);
}

/// Operations on one type of value: "KIND_TYPE" or "KIND_COMBINE_TYPE".
std::optional<SubGroupOperation> operation_on_values(StringRef name, Type* type) {
  const auto [rest, suffix] = name.rsplit('_');
  if (type_named(type->getContext(), suffix) != type) return std::nullopt;
  if (rest == "shuffle") return SubGroupOperation{Kind::shuffle};
  if (rest == "broadcast") return SubGroupOperation{Kind::broadcast};
  if (rest == "first") return SubGroupOperation{Kind::first};
  const auto [kind_name, combine_name] = rest.rsplit('_');
  const auto kind = StringSwitch<std::optional<Kind>>(kind_name)
                        .Case("reduce", Kind::reduce)
                        .Case("scan_inclusive", Kind::scan_inclusive)
                        .Case("scan_exclusive", Kind::scan_exclusive)
                        .Default(std::nullopt);
  const auto combine = combine_named(combine_name, *type);
  return kind && combine ? std::optional(SubGroupOperation{*kind, *combine}) : std::nullopt;
}

} // namespace

Constant* neutral_value(Combine combine, Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (combine) {
  case Combine::add:
  case Combine::or_:
  case Combine::xor_:
  case Combine::umax:
    return Constant::getNullValue(type);
  case Combine::mul:
    return ConstantInt::get(type, 1);
  case Combine::and_:
  case Combine::umin:
    return Constant::getAllOnesValue(type);
  case Combine::smin:
    return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  case Combine::smax:
    return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  case Combine::fadd:
    return ConstantFP::getZero(type, /*Negative=*/true);
  case Combine::fmul:
    return ConstantFP::get(type, 1.0);
  case Combine::fmin:
  case Combine::fmax:
    return ConstantFP::getNaN(type);
  }
  return nullptr;
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

bool uses_sub_groups(const Function& kernel) {
  using enum hostcl::compiler::Intrinsic;
  return any_of(instructions(kernel), [](const Instruction& instruction) {
    const auto kind = called_intrinsic(instruction);
    return kind == sub_group || kind == sub_group_lane || kind == sub_group_width || kind == sub_group_stride;
  });
}

} // namespace hostcl::compiler
