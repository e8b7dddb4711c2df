// Formats that are floats with fewer bits: bfloat16, the upper half of a float, which is the type of SPV_KHR_bfloat16 and
// the 16-bit integers of SPV_INTEL_bfloat16_conversion; and the floats of SPV_INTEL_tensor_float32_conversion. Declared in compiler/front/spirv/reader.hpp and
// compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"

#include "llvm/Support/SaveAndRestore.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Rounds floats to numbers without the lowest `dropped` bits: to the nearest even number. Returns them above bits that do
/// not count. A NaN stays a NaN, whatever its lowest bits are.
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

/// Returns whether a float can represent each value of the type.
bool fits_float(const Type& scalar) {
  const unsigned bits = scalar.ir->getScalarSizeInBits();
  return scalar.is(Kind::floating) ? bits <= 32 : bits <= 16;
}

} // namespace

TypedValue Reader::as_floats(const TypedValue& value) {
  if (!value.type->scalar().is(Kind::bfloat)) return value;
  return {floats_of(ir(), value.value), &floats_like(*value.type)};
}

Value* Reader::in_floats(const Type& type, function_ref<Value*(const Type&)> make) {
  if (!bfloat_arithmetic) return make(type);
  const bool is_rounded = type.scalar().is(Kind::bfloat);
  const SaveAndRestore guard(reads_bfloats_as_floats_, true);
  Value* made = make(is_rounded ? floats_like(type) : type);
  return is_rounded ? upper_halves(ir(), made) : made;
}

Value* bfloat_of(Reader& r, const TypedValue& number, const Type& floats, function_ref<Value*()> towards_zero,
                 function_ref<Value*(Value*)> back) {
  IRBuilder<>& ir = r.ir();
  Value* made = towards_zero();
  if (fits_float(number.type->scalar())) return upper_halves(ir, made);
  // The number does not fit a float, so it is rounded twice. The first rounding is to odd, so that the second
  // one does not see a tie where the number has none.
  Value* again = back(made);
  Value* differs = number.type->scalar().is(Kind::floating) ? ir.CreateFCmpUNE(again, number.value)
                                                            : ir.CreateICmpNE(again, number.value);
  llvm::Type* words = floats.ir->getWithNewType(ir.getInt32Ty());
  Value* odd = ir.CreateOr(ir.CreateBitCast(made, words), ir.CreateZExt(differs, words));
  return upper_halves(ir, ir.CreateBitCast(odd, floats.ir));
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
