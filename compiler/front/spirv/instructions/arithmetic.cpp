// Reads arithmetic instructions and instructions that work on bits.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/composites.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;
using Binary = llvm::Instruction::BinaryOps;

bool is_shift(Binary operation) {
  return operation == Binary::Shl || operation == Binary::LShr || operation == Binary::AShr;
}

/// Changes a remainder that has the sign of the dividend to one that has the sign of the divisor.
Value* with_sign_of_divisor(IRBuilder<>& ir, Value* remainder, Value* divisor) {
  const bool is_float = remainder->getType()->isFPOrFPVectorTy();
  Constant* zero = Constant::getNullValue(remainder->getType());
  Value *differs, *is_left;
  if (is_float) {
    differs = ir.CreateXor(ir.CreateFCmpOLT(remainder, zero), ir.CreateFCmpOLT(divisor, zero));
    is_left = ir.CreateFCmpONE(remainder, zero);
  } else {
    differs = ir.CreateICmpSLT(ir.CreateXor(remainder, divisor), zero);
    is_left = ir.CreateICmpNE(remainder, zero);
  }
  Value* sum = is_float ? ir.CreateFAdd(remainder, divisor) : ir.CreateAdd(remainder, divisor);
  return ir.CreateSelect(ir.CreateAnd(differs, is_left), sum, remainder);
}

/// Returns the remainder with the sign of the dividend. If both operands are constants, LLVM computes it;
/// otherwise the library's fmod() is called, as the CPU has no instruction for it.
Value* float_remainder(Reader& r, const Type& type, Value* a, Value* b) {
  if (isa<Constant>(a) && isa<Constant>(b)) return r.ir().CreateFRem(a, b);
  return call_library(r, "fmod", type.ir, {argument({a, &type}), argument({b, &type})});
}

} // namespace

Value* decorated(Reader& r, Id result, Value* value) {
  auto* instruction = dyn_cast<llvm::Instruction>(value);
  if (!instruction) return value;
  if (isa<OverflowingBinaryOperator>(instruction)) {
    if (r.decorations.has(result, spv::DecorationNoSignedWrap)) instruction->setHasNoSignedWrap();
    if (r.decorations.has(result, spv::DecorationNoUnsignedWrap)) instruction->setHasNoUnsignedWrap();
  }
  if (isa<FPMathOperator>(instruction)) instruction->setFastMathFlags(r.fast_math(result, *instruction));
  return value;
}

Value* read_binary(Reader& r, const Type& type, Operands in, Binary operation) {
  const bool is_float = operation == Binary::FAdd || operation == Binary::FSub || operation == Binary::FMul ||
                        operation == Binary::FDiv || operation == Binary::FRem;
  require(type, is_float ? Kind::floating : Kind::integer);
  Value* a = r.of_type(in.id(), type);
  if (!is_shift(operation)) {
    Value* b = r.of_type(in.id(), type);
    if (operation == Binary::FDiv)
      if (const auto mode = rounding_of(r, type, in.result())) return rounded_quotient(r, type, *mode, a, b);
    return decorated(r, in.result(),
                     operation == Binary::FRem ? float_remainder(r, type, a, b)
                                               : r.ir().CreateBinOp(operation, a, b));
  }
  // The shift amount and the base may have different widths.
  const TypedValue amount = r.integer(in.id());
  if (!has_shape_of(*amount.type, type))
    refuse("the base and the shift amount have different numbers of components");
  Value* shift = r.ir().CreateZExtOrTrunc(amount.value, type.ir);
  return decorated(r, in.result(), r.ir().CreateBinOp(operation, a, shift));
}

/// Reads OpSMod and OpFMod, whose result has the sign of the divisor.
Value* read_modulo(Reader& r, const Type& type, Operands in) {
  const bool is_float = in.op() == spv::OpFMod;
  require(type, is_float ? Kind::floating : Kind::integer);
  Value *a = r.of_type(in.id(), type), *b = r.of_type(in.id(), type);
  return with_sign_of_divisor(r.ir(), is_float ? float_remainder(r, type, a, b) : r.ir().CreateSRem(a, b), b);
}

Value* read_negate(Reader& r, const Type& type, Operands in) {
  const bool is_float = in.op() == spv::OpFNegate;
  Value* a = r.of_kind(in.id(), is_float ? Kind::floating : Kind::integer).value;
  return decorated(r, in.result(), is_float ? r.ir().CreateFNeg(a) : r.ir().CreateNeg(a));
}

Value* read_fused(Reader& r, const Type& type, Operands in) { // SPV_KHR_fma
  require(type, Kind::floating);
  SmallVector<Argument, 3> arguments;
  for (unsigned i = 0; i < 3; ++i)
    arguments.push_back(argument({r.of_type(in.id(), type), &type}));
  return call_library(r, "fma", type.ir, arguments);
}

/// @param kind of the operand
Value* read_not(Reader& r, const Type&, Operands in, Kind kind) {
  return r.ir().CreateNot(r.of_kind(in.id(), kind).value);
}

/// Reads OpIAddCarry, OpISubBorrow, OpUMulExtended and OpSMulExtended, whose result is a structure of the low
/// and the high part.
Value* read_extended(Reader& r, const Type& type, Operands in) {
  const TypedValue a = r.integer(in.id());
  Value* b = r.of_type(in.id(), *a.type);
  if (!type.is(Kind::structure) || type.members.size() != 2 || type.members[0]->ir != a.type->ir ||
      type.members[1]->ir != a.type->ir)
    refuse("the result is not a structure of two integers of the operands' type");
  IRBuilder<>& ir = r.ir();
  if (in.op() == spv::OpIAddCarry) {
    Value* sum = ir.CreateAdd(a.value, b);
    return together(r, type, {sum, ir.CreateZExt(ir.CreateICmpULT(sum, a.value), a.type->ir)});
  }
  if (in.op() == spv::OpISubBorrow) {
    Value* difference = ir.CreateSub(a.value, b);
    return together(r, type, {difference, ir.CreateZExt(ir.CreateICmpULT(a.value, b), a.type->ir)});
  }
  llvm::Type* wide = a.type->ir->getExtendedType();
  auto widen = [&](Value* value) { return ir.CreateIntCast(value, wide, in.op() == spv::OpSMulExtended); };
  Value* product = ir.CreateMul(widen(a.value), widen(b));
  Value* low = ir.CreateTrunc(product, a.type->ir);
  Value* high = ir.CreateTrunc(ir.CreateLShr(product, a.type->ir->getScalarSizeInBits()), a.type->ir);
  return together(r, type, {low, high});
}

Value* read_dot(Reader& r, const Type& type, Operands in) {
  const TypedValue a = r.floating(in.id());
  Value* b = r.of_type(in.id(), *a.type);
  if (!a.type->is(Kind::vector)) refuse("the operands are not vectors");
  IRBuilder<>& ir = r.ir();
  // Adds the products as the library's dot() does: each product and sum is rounded once if the CPU can do so.
  Value* sum = ir.CreateFMul(extract(r, a.value, 0), extract(r, b, 0));
  for (unsigned i = 1; i < a.type->count; ++i)
    sum = ir.CreateIntrinsic(Intrinsic::fmuladd, {type.ir}, {extract(r, a.value, i), extract(r, b, i), sum});
  return sum;
}

Value* read_vector_times_scalar(Reader& r, const Type& type, Operands in) {
  if (!type.is(Kind::vector) || !type.element->is(Kind::floating))
    refuse("the result is not a vector of floating-point numbers");
  Value* vector = r.of_type(in.id(), type);
  Value* scalar = r.of_type(in.id(), *type.element);
  return decorated(r, in.result(), r.ir().CreateFMul(vector, r.ir().CreateVectorSplat(type.count, scalar)));
}

/// Bit n of the table is the result for bits of the three operands that form the number n: bit 0 of n is the bit of the
/// first operand, bit 2 the bit of the third.
Value* read_bitwise_function(Reader& r, const Type& type, Operands in) {
  require(type, Kind::integer);
  Value* operands[3];
  for (Value*& operand : operands)
    operand = r.of_type(in.id(), type);
  const std::uint64_t table = r.constant_number(in.id());
  if (table > 255) refuse("the index of the bitwise function is larger than 255");
  Value* result = Constant::getNullValue(type.ir);
  for (unsigned n = 0; n < 8; ++n) {
    if (!(table >> n & 1)) continue;
    Value* term = Constant::getAllOnesValue(type.ir);
    for (unsigned bit = 0; bit < 3; ++bit)
      term = r.ir().CreateAnd(term, n >> bit & 1 ? operands[bit] : r.ir().CreateNot(operands[bit]));
    result = r.ir().CreateOr(result, term);
  }
  return result;
}

Value* read_bit_intrinsic(Reader& r, const Type& type, Operands in,
                          Intrinsic::IndependentIntrinsics intrinsic) {
  const TypedValue a = r.integer(in.id());
  if (!type.scalar().is(Kind::integer) || !has_shape_of(type, *a.type))
    refuse("the result is not an integer with the operand's number of components");
  return r.ir().CreateZExtOrTrunc(r.ir().CreateUnaryIntrinsic(intrinsic, a.value), type.ir);
}

namespace {

/// Returns a mask of the `count` lowest bits. `count` may be 0 and may be the number of all bits; it is
/// unsigned.
Value* mask_of_bits(IRBuilder<>& ir, Value* count, llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  Value* all = Constant::getAllOnesValue(type);
  Value* is_empty = ir.CreateICmpEQ(count, Constant::getNullValue(type));
  Value* shift = ir.CreateSub(ConstantInt::get(type, bits), count);
  Value* safe = ir.CreateSelect(is_empty, Constant::getNullValue(type), shift);
  return ir.CreateSelect(is_empty, Constant::getNullValue(type), ir.CreateLShr(all, safe));
}

/// Converts the operand Offset or Count to the type of the base.
Value* bit_number(Reader& r, Id id, const Type& type) {
  Value* number = r.number(id, type.ir->getScalarSizeInBits());
  return type.is(Kind::vector) ? r.ir().CreateVectorSplat(type.count, number) : number;
}

} // namespace

Value* read_bit_field_insert(Reader& r, const Type& type, Operands in) {
  require(type, Kind::integer);
  Value *base = r.of_type(in.id(), type), *insert = r.of_type(in.id(), type);
  Value* offset = bit_number(r, in.id(), type);
  Value* count = bit_number(r, in.id(), type);
  IRBuilder<>& ir = r.ir();
  // If the count is 0, the offset may be the number of all bits, and a shift by that amount is poison. In
  // this case nothing is inserted.
  Value* is_empty = ir.CreateICmpEQ(count, Constant::getNullValue(type.ir));
  offset = ir.CreateSelect(is_empty, Constant::getNullValue(type.ir), offset);
  Value* mask = ir.CreateShl(mask_of_bits(ir, count, type.ir), offset);
  Value* inserted = ir.CreateAnd(ir.CreateShl(insert, offset), mask);
  return ir.CreateOr(ir.CreateAnd(base, ir.CreateNot(mask)), inserted);
}

Value* read_bit_field_extract(Reader& r, const Type& type, Operands in) {
  require(type, Kind::integer);
  Value* base = r.of_type(in.id(), type);
  Value* offset = bit_number(r, in.id(), type);
  Value* count = bit_number(r, in.id(), type);
  IRBuilder<>& ir = r.ir();
  Value* zero = Constant::getNullValue(type.ir);
  Value* is_empty = ir.CreateICmpEQ(count, zero);
  // Shifts the field to the top and back down. How far it must be shifted up depends on the upper end of the
  // field.
  Value* bits = ConstantInt::get(type.ir, type.ir->getScalarSizeInBits());
  Value* up = ir.CreateSelect(is_empty, zero, ir.CreateSub(ir.CreateSub(bits, offset), count));
  Value* down = ir.CreateSelect(is_empty, zero, ir.CreateSub(bits, count));
  Value* top = ir.CreateShl(base, up);
  Value* field = in.op() == spv::OpBitFieldSExtract ? ir.CreateAShr(top, down) : ir.CreateLShr(top, down);
  return ir.CreateSelect(is_empty, zero, field);
}

Value* read_arithmetic_fence(Reader& r, const Type& type, Operands in) { // SPV_EXT_arithmetic_fence
  require(type, Kind::floating);
  return r.ir().CreateUnaryIntrinsic(Intrinsic::arithmetic_fence, r.of_type(in.id(), type));
}

// ---- Dot products: SPV_KHR_integer_dot_product, SPV_VALVE_mixed_float_dot_product

namespace {

/// Returns a vector operand. It may be packed in an integer of 32 bits.
Value* components(Reader& r, Value* value, bool is_packed) {
  if (!is_packed) return value;
  return r.ir().CreateBitCast(value, FixedVectorType::get(r.ir().getInt8Ty(), 4));
}

/// Returns the sum of the components of a vector.
Value* sum(IRBuilder<>& ir, Value* vector) {
  Value* total = ir.CreateExtractElement(vector, std::uint64_t(0));
  for (std::uint64_t i = 1; i < cast<FixedVectorType>(vector->getType())->getNumElements(); ++i)
    total = ir.CreateAdd(total, ir.CreateExtractElement(vector, i));
  return total;
}

} // namespace

/// The products and their sum have the result type. The accumulator is added last, with saturation.
/// @param a_sign 's' if the components of the first vector are signed, 'u' if they are unsigned
Value* read_integer_dot(Reader& r, const Type& type, Operands in, char a_sign, char b_sign,
                        bool accumulates) {
  const TypedValue a = r.integer(in.id()), b = r.integer(in.id());
  require_scalar(type, Kind::integer);
  if (a.type->ir != b.type->ir) refuse("the vectors are of different types");
  Value* accumulator = accumulates ? r.of_type(in.id(), type) : nullptr;
  const bool is_packed = !a.type->is(Kind::vector);
  if (is_packed &&
      (in.word() != spv::PackedVectorFormatPackedVectorFormat4x8Bit || !a.value->getType()->isIntegerTy(32)))
    refuse("a packed vector is not a 32-bit integer of four components");
  IRBuilder<>& ir = r.ir();
  Value *x = components(r, a.value, is_packed), *y = components(r, b.value, is_packed);
  llvm::Type* wide = x->getType()->getWithNewType(type.ir);
  if (type.ir->getIntegerBitWidth() < x->getType()->getScalarSizeInBits())
    refuse("the result is narrower than the components");
  Value* total = sum(
      ir, ir.CreateMul(ir.CreateIntCast(x, wide, a_sign == 's'), ir.CreateIntCast(y, wide, b_sign == 's')));
  const bool is_signed = a_sign == 's' || b_sign == 's';
  if (accumulator)
    total =
        ir.CreateBinaryIntrinsic(is_signed ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, total, accumulator);
  return total;
}

/// The products and sums are floats, to which the accumulator is added last. Their sum is rounded to the result type.
Value* read_mixed_dot(Reader& r, const Type& type, Operands in) {
  const TypedValue a = r.operand(in.id()), b = r.operand(in.id());
  const Type& component = a.type->scalar();
  const auto is_float8 = [](const Type& type) { return type.is(Kind::e4m3) || type.is(Kind::e5m2); };
  const bool has_bytes = in.op() == opcodes::OpFDot4MixAcc32VALVE,
             is_wide = in.op() != opcodes::OpFDot2MixAcc16VALVE;
  const bool is_16bit = component.ir->isHalfTy() || component.is(Kind::bfloat);
  if (!a.type->is(Kind::vector) || a.type->count != (has_bytes ? 4 : 2) ||
      !(has_bytes ? is_float8(component) : is_16bit))
    refuse(Twine("the first operand is not a vector of ") +
           (has_bytes ? "four float8 numbers" : "two halves, or of two bfloat16 numbers"));
  const bool may_multiply = has_bytes ? is_float8(b.type->scalar()) : b.type->scalar().is(component.kind);
  if (b.type->ir != a.type->ir || !may_multiply) refuse("the vectors are of different types");
  const Type& floats = r.floats_like(*a.type);
  const Type& wanted = is_wide ? floats.scalar() : component;
  if (type.kind != wanted.kind || type.ir != wanted.ir)
    refuse(is_wide ? "the result is not a float" : "the result is not of the type of the components");
  IRBuilder<>& ir = r.ir();
  const auto as_floats = [&](const TypedValue& value) {
    return ir.CreateFPCast(r.as_floats(value).value,
                           value.type->is(Kind::vector) ? floats.ir : floats.scalar().ir);
  };
  Value* x = as_floats(a);
  Value* products = ir.CreateFMul(x, as_floats(b));
  Value* total = ir.CreateExtractElement(products, std::uint64_t(0));
  for (std::uint64_t i = 1; i < a.type->count; ++i)
    total = ir.CreateFAdd(total, ir.CreateExtractElement(products, i));
  total = ir.CreateFAdd(total, as_floats({r.of_type(in.id(), type), &type}));
  if (!type.is(Kind::bfloat)) return ir.CreateFPCast(total, type.ir);
  return short_float_of(r, type, {total, &floats.scalar()}, false, [&] { return total; }, {});
}

} // namespace hostcl::compiler::spirv
