// Reads conversions between numbers, and between numbers and pointers.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"
#include "compiler/ir/matrices.hpp"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

constexpr auto saturated_to_largest_float8 = static_cast<spv::Decoration>(4216); // of SPV_EXT_float8

/// Returns the kind of numbers that a letter in instructions.inc stands for: f floating-point numbers, s
/// signed integers, u unsigned integers.
Kind kind_of(char letter) {
  return letter == 'f' ? Kind::floating : Kind::integer;
}

/// Calls the library's conversion, which can saturate and round. A matrix is converted in parts, because the library
/// has no longer vectors.
Value* convert_by_library(Reader& r, const Type& type, TypedValue from, char from_kind, char to_kind,
                          bool saturates, const char* rounding) {
  if (type.is(Kind::matrix)) {
    const Type &to_part = r.shorter(type, longest_vector), &from_part = r.shorter(*from.type, longest_vector);
    SmallVector<Value*> parts;
    for (unsigned at = 0; at < type.count; at += longest_vector) {
      Value* part = r.ir().CreateShuffleVector(from.value, createSequentialMask(at, longest_vector, 0));
      parts.push_back(
          convert_by_library(r, to_part, {part, &from_part}, from_kind, to_kind, saturates, rounding));
    }
    return concatenateVectors(r.ir(), parts);
  }
  const std::string name =
      "convert_" + type_name(type, to_kind != 'u') + (saturates ? "_sat" : "") + rounding;
  return call_library(r, name, type.ir, {argument(from, from_kind != 'u')});
}

bool has_few_bits(const Type& type) {
  return type.scalar().is(Kind::integer) && type.scalar().ir->getIntegerBitWidth() < 8;
}

/// The nearest value that an integer of fewer bits has.
Value* saturated(IRBuilder<>& ir, Value* value, unsigned bits, bool is_signed) {
  const unsigned own = value->getType()->getScalarSizeInBits();
  const auto bounded = [&](Intrinsic::ID bound, const APInt& limit) {
    return ir.CreateBinaryIntrinsic(bound, value, ConstantInt::get(value->getType(), limit));
  };
  if (!is_signed) return bounded(Intrinsic::umin, APInt::getMaxValue(bits).zext(own));
  value = bounded(Intrinsic::smin, APInt::getSignedMaxValue(bits).sext(own));
  return bounded(Intrinsic::smax, APInt::getSignedMinValue(bits).sext(own));
}

/// Converts from or to integers of 4 bits (SPV_INTEL_int4) by the library's functions for 8 bits.
Value* convert_few_bits(Reader& r, const Type& type, TypedValue from, char from_kind, char to_kind,
                        bool saturates, const char* rounding) {
  IRBuilder<>& ir = r.ir();
  if (has_few_bits(*from.type)) {
    const Type& bytes = r.integers_like(*from.type, 8);
    from = {ir.CreateIntCast(from.value, bytes.ir, from_kind != 'u'), &bytes};
  }
  if (!has_few_bits(type)) return convert_by_library(r, type, from, from_kind, to_kind, saturates, rounding);
  Value* made =
      convert_by_library(r, r.integers_like(type, 8), from, from_kind, to_kind, saturates, rounding);
  if (saturates) made = saturated(ir, made, type.ir->getScalarSizeInBits(), to_kind != 'u');
  return ir.CreateTrunc(made, type.ir);
}

Value* convert(IRBuilder<>& ir, const Type& type, Value* from, char from_kind, char to_kind) {
  return ir.CreateCast(CastInst::getCastOpcode(from, from_kind != 'u', type.ir, to_kind != 'u'), from,
                       type.ir);
}

} // namespace

Value* rounded_to_bfloat(Reader& r, const Type& type, const TypedValue& number) {
  const Type& floats = r.floats_like(type);
  const auto towards_zero = [&] {
    return number.type->ir == floats.ir ? number.value
                                        : convert_by_library(r, floats, number, 'f', 'f', false, "_rtz");
  };
  return short_float_of(r, type, number, /*saturates=*/false, towards_zero,
                        [&](Value* made) { return convert(r.ir(), *number.type, made, 'f', 'f'); });
}

/// @param from_kind,to_kind letters as for kind_of()
Value* read_conversion(Reader& r, const Type& type, Operands in, char from_kind, char to_kind) {
  const TypedValue from = r.as_floats(r.operand(in.id()));
  const auto rounding = r.decorations.number(in.result(), spv::DecorationFPRoundingMode);
  const bool saturates = in.op() == spv::OpSatConvertSToU || in.op() == spv::OpSatConvertUToS ||
                         r.decorations.has(in.result(), spv::DecorationSaturatedConversion);
  const bool is_short = type.scalar().is_short_float();
  const Type& made = is_short ? r.floats_like(type) : type;
  if (!from.type->scalar().is(kind_of(from_kind)) || !made.scalar().is(kind_of(to_kind)) ||
      !has_shape_of(made, *from.type))
    refuse("the operand or the result is not of the conversion's kind");
  const auto by_library = [&](const char* mode) {
    const bool has_bytes = !has_few_bits(*from.type) && !has_few_bits(made);
    return (has_bytes ? convert_by_library : convert_few_bits)(r, made, from, from_kind, to_kind, saturates,
                                                               mode);
  };
  if (is_short) {
    if (rounding && *rounding != spv::FPRoundingModeRTE)
      refuse("bfloat16 and float8 can only be rounded to nearest even");
    const bool is_bounded = r.decorations.has(in.result(), saturated_to_largest_float8);
    return short_float_of(
        r, type, from, is_bounded, [&] { return by_library("_rtz"); },
        [&](Value* made_value) { return convert(r.ir(), *from.type, made_value, to_kind, from_kind); });
  }
  if (rounding || saturates) return by_library(rounding ? rounding_name(*rounding) : "");
  return convert(r.ir(), type, from.value, from_kind, to_kind);
}

/// Converts to half and back: the value is as precise as if it had been stored as a half.
Value* read_quantize(Reader& r, const Type& type, Operands in) {
  require(type, Kind::floating);
  Value* value = r.of_type(in.id(), type);
  llvm::Type* half = type.ir->getWithNewType(llvm::Type::getHalfTy(r.context()));
  return r.ir().CreateFPCast(r.ir().CreateFPCast(value, half), type.ir);
}

Value* read_bitcast(Reader& r, const Type& type, Operands in) {
  const TypedValue from = r.operand(in.id());
  if ((type.is(Kind::matrix) || from.type->is(Kind::matrix)) && !has_shape_of(type, *from.type))
    refuse("the operand and the result are not matrices of the same rows, columns and use");
  llvm::Type *source = from.type->ir, *target = type.ir;
  IRBuilder<>& ir = r.ir();
  if (source == target) return from.value;
  if (source->isPointerTy() && target->isPointerTy()) refuse("the pointers are of different address spaces");
  // Pointers have 64 bits, so they are converted through an integer of 64 bits.
  Value* value = source->isPtrOrPtrVectorTy()
                     ? ir.CreatePtrToInt(from.value, source->getWithNewType(ir.getInt64Ty()))
                     : from.value;
  llvm::Type* bits = target->isPtrOrPtrVectorTy() ? target->getWithNewType(ir.getInt64Ty()) : target;
  if (!CastInst::castIsValid(llvm::Instruction::BitCast, value->getType(), bits))
    refuse("the operand and the result have different sizes");
  value = ir.CreateBitCast(value, bits);
  return target->isPtrOrPtrVectorTy() ? ir.CreateIntToPtr(value, target) : value;
}

/// Reads conversions of a pointer to an integer, of an integer to a pointer, and between address spaces.
Value* read_pointer_cast(Reader& r, const Type& type, Operands in, CastInst::CastOps operation) {
  const TypedValue from = operation == CastInst::IntToPtr ? r.integer(in.id()) : r.pointers(in.id());
  require(type, operation == CastInst::PtrToInt ? Kind::integer : Kind::pointer);
  if (!has_shape_of(type, *from.type))
    refuse("the operand and the result have different numbers of components");
  return r.ir().CreateCast(operation, from.value, type.ir);
}

/// The result is a null pointer if the memory does not belong to the storage class.
Value* read_explicit_cast(Reader& r, const Type& type, Operands in) {
  const TypedValue from = r.pointer(in.id());
  require_scalar(type, Kind::pointer);
  const char* function = type.storage == spv::StorageClassCrossWorkgroup ? "__to_global"
                         : type.storage == spv::StorageClassWorkgroup    ? "__to_local"
                         : type.storage == spv::StorageClassFunction     ? "__to_private"
                                                                         : nullptr;
  if (!function) refuse("generic pointers cannot be converted to that storage class");
  return r.call(function, type.ir, {r.generic(from.value)});
}

} // namespace hostcl::compiler::spirv
