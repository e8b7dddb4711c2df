// Formats that are floats with fewer bits: bfloat16, the upper half of a float, which is the type of SPV_KHR_bfloat16
// and the 16-bit integers of SPV_INTEL_bfloat16_conversion; float8 (SPV_EXT_float8); and the floats of
// SPV_INTEL_tensor_float32_conversion. Declared in compiler/front/spirv/reader.hpp and
// compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/SaveAndRestore.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Rounds floats to the nearest number whose lowest `dropped` bits are 0, ties to even. The lowest bits of the result
/// are not cleared. A NaN stays a NaN, whatever its lowest bits are.
Value* rounded_words(IRBuilder<>& ir, Value* floats, unsigned dropped) {
  llvm::Type* words = floats->getType()->getWithNewType(ir.getInt32Ty());
  auto number = [&](std::uint32_t value) { return ConstantInt::get(words, value); };
  Value* bits = ir.CreateBitCast(floats, words);
  Value* is_odd = ir.CreateAnd(ir.CreateLShr(bits, number(dropped)), number(1));
  Value* rounded = ir.CreateAdd(bits, ir.CreateAdd(is_odd, number((1u << (dropped - 1)) - 1)));
  Value* quiet = ir.CreateOr(bits, number(0x400000));
  return ir.CreateSelect(ir.CreateFCmpUNO(floats, floats), quiet, rounded);
}

/// Rounds floats to bfloat16, the upper half of a float.
Value* upper_halves(IRBuilder<>& ir, Value* floats) {
  Value* words = rounded_words(ir, floats, 16);
  Value* upper = ir.CreateLShr(words, ConstantInt::get(words->getType(), 16));
  return ir.CreateTrunc(upper, words->getType()->getWithNewType(ir.getInt16Ty()));
}

/// Returns the floats that have the given upper halves.
Value* floats_of(IRBuilder<>& ir, Value* halves) {
  llvm::Type* words = halves->getType()->getWithNewType(ir.getInt32Ty());
  Value* bits = ir.CreateShl(ir.CreateZExt(halves, words), ConstantInt::get(words, 16));
  return ir.CreateBitCast(bits, words->getWithNewType(ir.getFloatTy()));
}

/// The bits of an E4M3 number, in the fields of a half, are the number divided by this power of two.
constexpr double e4m3_scale = 256;

/// Returns the floats that have these float8 numbers. The fraction of a number is the upper part of the fraction of a
/// half.
Value* floats_of_bytes(IRBuilder<>& ir, Value* bytes, bool is_e4m3) {
  llvm::Type* words = bytes->getType()->getWithNewType(ir.getInt16Ty());
  auto number = [&](std::uint16_t value) { return ConstantInt::get(words, value); };
  Value* upper = ir.CreateShl(ir.CreateZExt(bytes, words), number(8)); // the sign, and an exponent of E5M2
  llvm::Type *halves = words->getWithNewType(ir.getHalfTy()),
             *floats = words->getWithNewType(ir.getFloatTy());
  if (!is_e4m3) return ir.CreateFPExt(ir.CreateBitCast(upper, halves), floats);
  Value* magnitude = ir.CreateAnd(upper, number(0x7f00));
  Value* bits = ir.CreateOr(ir.CreateAnd(upper, number(0x8000)), ir.CreateLShr(magnitude, number(1)));
  Value* scaled = ir.CreateFPExt(ir.CreateBitCast(bits, halves), floats);
  return ir.CreateSelect(ir.CreateICmpEQ(magnitude, number(0x7f00)), ConstantFP::getNaN(floats),
                         ir.CreateFMul(scaled, ConstantFP::get(floats, e4m3_scale)));
}

/// Rounds floats to float8.
Value* bytes_of(Reader& r, const Type& type, Value* numbers, bool saturates) {
  IRBuilder<>& ir = r.ir();
  const bool is_e4m3 = type.scalar().is(Kind::e4m3);
  const Type& floats = r.floats_like(type);
  if (is_e4m3) numbers = ir.CreateFMul(numbers, ConstantFP::get(floats.ir, 1 / e4m3_scale));
  // To halves first, to odd, so that the second rounding does not see a tie where the number has none.
  llvm::Type* half = floats.ir->getWithNewType(ir.getHalfTy());
  const std::string name =
      "convert_half" + (type.is(Kind::vector) ? std::to_string(type.count) : "") + "_rtz";
  Value* truncated = call_library(r, name, half, {argument({numbers, &floats})});
  llvm::Type* words = half->getWithNewType(ir.getInt16Ty());
  auto number = [&](std::uint16_t value) { return ConstantInt::get(words, value); };
  Value* differs = ir.CreateFCmpONE(ir.CreateFPExt(truncated, floats.ir), numbers);
  Value* bits = ir.CreateOr(ir.CreateBitCast(truncated, words), ir.CreateZExt(differs, words));
  Value* magnitude = ir.CreateAnd(bits, number(0x7fff));
  const unsigned dropped = is_e4m3 ? 7 : 8;
  Value* is_odd = ir.CreateAnd(ir.CreateLShr(magnitude, number(dropped)), number(1));
  Value* rounded = ir.CreateAdd(magnitude, ir.CreateAdd(is_odd, number((1 << (dropped - 1)) - 1)));
  rounded = ir.CreateLShr(rounded, number(dropped));
  // A number that is too large becomes the NaN of E4M3 or the infinity of E5M2; with saturation, the largest finite
  // number.
  const unsigned first_too_large = is_e4m3 ? 0x7f : 0x7c;
  rounded = ir.CreateBinaryIntrinsic(Intrinsic::umin, rounded, number(first_too_large - saturates));
  rounded = ir.CreateSelect(ir.CreateFCmpUNO(numbers, numbers), number(0x7f), rounded);
  Value* sign = ir.CreateLShr(ir.CreateAnd(bits, number(0x8000)), number(8));
  return ir.CreateTrunc(ir.CreateOr(rounded, sign), type.ir);
}

/// Returns whether a float can represent each value of the type.
bool fits_float(const Type& scalar) {
  const unsigned bits = scalar.ir->getScalarSizeInBits();
  return scalar.is(Kind::floating) ? bits <= 32 : bits <= 16;
}

} // namespace

TypedValue Reader::as_floats(const TypedValue& value) {
  const Type& scalar = value.type->scalar();
  if (!scalar.is_short_float()) return value;
  return {scalar.is(Kind::bfloat) ? floats_of(ir(), value.value)
                                  : floats_of_bytes(ir(), value.value, scalar.is(Kind::e4m3)),
          &floats_like(*value.type)};
}

Value* Reader::in_floats(const Type& type, function_ref<Value*(const Type&)> make) {
  if (!bfloat_arithmetic) return make(type);
  const bool is_rounded = type.scalar().is(Kind::bfloat);
  const SaveAndRestore guard(reads_bfloats_as_floats_, true);
  Value* made = make(is_rounded ? floats_like(type) : type);
  return is_rounded ? upper_halves(ir(), made) : made;
}

Value* short_float_of(Reader& r, const Type& type, const TypedValue& number, bool saturates,
                      function_ref<Value*()> towards_zero, function_ref<Value*(Value*)> back) {
  IRBuilder<>& ir = r.ir();
  const auto rounded = [&](Value* floats) {
    return type.scalar().is(Kind::bfloat) ? upper_halves(ir, floats) : bytes_of(r, type, floats, saturates);
  };
  Value* made = towards_zero();
  if (fits_float(number.type->scalar())) return rounded(made);
  // The number does not fit a float, so it is rounded twice. The first rounding is to odd, so that the second
  // one does not see a tie where the number has none.
  Value* again = back(made);
  Value* differs = number.type->scalar().is(Kind::floating) ? ir.CreateFCmpUNE(again, number.value)
                                                            : ir.CreateICmpNE(again, number.value);
  llvm::Type* words = made->getType()->getWithNewType(ir.getInt32Ty());
  Value* odd = ir.CreateOr(ir.CreateBitCast(made, words), ir.CreateZExt(differs, words));
  return rounded(ir.CreateBitCast(odd, made->getType()));
}

Value* read_round_to_tensor_float(Reader& r, const Type& type, Operands in) {
  require(type, Kind::floating);
  if (!type.scalar().ir->isFloatTy()) refuse("the result is not a float or a vector of floats");
  Value* words = rounded_words(r.ir(), r.of_type(in.id(), type), 13);
  Value* kept = r.ir().CreateAnd(words, ConstantInt::get(words->getType(), ~0x1fffu));
  return r.ir().CreateBitCast(kept, type.ir);
}

Value* read_bfloat_multiply_add(Reader& r, const Type& type, Operands in) {
  const TypedValue a = r.operand(in.id());
  if (!a.type->is(Kind::bfloat)) refuse("the first operand is not a bfloat16 number");
  Value* b = r.as_floats({r.of_type(in.id(), *a.type), a.type}).value;
  Value* c = r.of_type(in.id(), type);
  if (!type.is(Kind::floating) || !type.ir->isFloatTy()) refuse("the result is not a float");
  // The product is exact.
  return r.ir().CreateFAdd(r.ir().CreateFMul(r.as_floats(a).value, b), c);
}

Value* read_float_to_bfloat(Reader& r, const Type& type, Operands in) {
  const TypedValue from = r.floating(in.id());
  if (!type.scalar().is(Kind::integer) || type.ir->getScalarSizeInBits() != 16 ||
      !from.type->scalar().ir->isFloatTy() || !has_shape_of(type, *from.type))
    refuse("it does not convert a float to an integer of 16 bits");
  return upper_halves(r.ir(), from.value);
}

Value* read_bfloat_to_float(Reader& r, const Type& type, Operands in) {
  const TypedValue from = r.integer(in.id());
  if (!type.scalar().is(Kind::floating) || !type.scalar().ir->isFloatTy() ||
      from.type->ir->getScalarSizeInBits() != 16 || !has_shape_of(type, *from.type))
    refuse("it does not convert an integer of 16 bits to a float");
  return floats_of(r.ir(), from.value);
}

} // namespace hostcl::compiler::spirv
