// Reads conversions between numbers, and between numbers and pointers.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

#include "llvm/Analysis/VectorUtils.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Returns the kind of numbers that a letter in instructions.inc stands for: f floating-point numbers, s
/// signed integers, u unsigned integers.
Kind kind_of(char letter) {
  return letter == 'f' ? Kind::floating : Kind::integer;
}

/// Calls the library's conversion, which can saturate and round. A matrix is converted in parts, because the library's
/// vectors have at most 16 elements.
Value* convert_by_library(Reader& r, const Type& type, const TypedValue& from, char from_kind, char to_kind,
                          bool saturates, const char* rounding) {
  if (type.is(Kind::matrix)) {
    constexpr unsigned length = 16;
    const Type &to_part = r.shorter(type, length), &from_part = r.shorter(*from.type, length);
    SmallVector<Value*> parts;
    for (unsigned at = 0; at < type.count; at += length) {
      Value* part = r.ir().CreateShuffleVector(from.value, createSequentialMask(at, length, 0));
      parts.push_back(
          convert_by_library(r, to_part, {part, &from_part}, from_kind, to_kind, saturates, rounding));
    }
    return concatenateVectors(r.ir(), parts);
  }
  const std::string name =
      "convert_" + type_name(type, to_kind != 'u') + (saturates ? "_sat" : "") + rounding;
  return call_library(r, name, type.ir, {argument(from, from_kind != 'u')});
}

Value* convert(IRBuilder<>& ir, const Type& type, Value* from, char from_kind, char to_kind) {
  return ir.CreateCast(CastInst::getCastOpcode(from, from_kind != 'u', type.ir, to_kind != 'u'), from,
                       type.ir);
}

} // namespace

Value* rounded_to_bfloat(Reader& r, const Type& type, const TypedValue& number, bool is_signed) {
  const Type& floats = r.floats_like(type);
  const char kind = number.type->scalar().is(Kind::floating) ? 'f' : is_signed ? 's' : 'u';
  const auto towards_zero = [&] {
    return number.type->ir == floats.ir ? number.value
                                        : convert_by_library(r, floats, number, kind, 'f', false, "_rtz");
  };
  return bfloat_of(r, number, floats, towards_zero,
                   [&](Value* made) { return convert(r.ir(), *number.type, made, 'f', kind); });
}

/// @param from_kind,to_kind letters as for kind_of()
Value* read_conversion(Reader& r, const Type& type, Operands in, char from_kind, char to_kind) {
  const TypedValue from = r.as_floats(r.operand(in.id()));
  const auto rounding = r.decorations.number(in.result(), spv::DecorationFPRoundingMode);
  const bool saturates = in.op() == spv::OpSatConvertSToU || in.op() == spv::OpSatConvertUToS ||
                         r.decorations.has(in.result(), spv::DecorationSaturatedConversion);
  const bool to_bfloat = type.scalar().is(Kind::bfloat);
  const Type& made = to_bfloat ? r.floats_like(type) : type;
  if (!from.type->scalar().is(kind_of(from_kind)) || !made.scalar().is(kind_of(to_kind)) ||
      !has_shape_of(made, *from.type))
    refuse("the operand or the result is not of the conversion's kind");
  if (to_bfloat) {
    if (rounding && *rounding != spv::FPRoundingModeRTE) refuse("bfloat16 is rounded to nearest even alone");
    return rounded_to_bfloat(r, type, from, from_kind == 's');
  }
  if (rounding || saturates)
    return convert_by_library(r, made, from, from_kind, to_kind, saturates,
                              rounding ? rounding_name(*rounding) : "");
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
  llvm::Type *source = from.type->ir, *target = type.ir;
  IRBuilder<>& ir = r.ir();
  if (source == target) return from.value;
  if (source->isPointerTy() && target->isPointerTy()) refuse("the pointers are of different address spaces");
  // Pointers have 64 bits, so they are converted through an integer of 64 bits.
  Value* value = source->isPtrOrPtrVectorTy()
                     ? ir.CreatePtrToInt(from.value, source->getWithNewType(ir.getInt64Ty()))
                     : from.value;
  llvm::Type* bits = target->isPtrOrPtrVectorTy() ? target->getWithNewType(ir.getInt64Ty()) : target;
  if ((type.is(Kind::matrix) || from.type->is(Kind::matrix)) && !has_shape_of(type, *from.type))
    refuse("the operand and the result are not matrices of the same rows, columns and use");
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
