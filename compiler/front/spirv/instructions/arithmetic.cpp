// Reads arithmetic instructions and instructions that work on bits.

#include "compiler/front/spirv/instructions/arithmetic.hpp"

#include "compiler/front/spirv/instructions/bfloat.hpp"
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
  return r.call(MangledName("fmod").add(type).add(type).str(), type.ir, {a, b});
}

} // namespace

void check_result(const Type& type, bool is_float) {
  if (!type.scalar().is(is_float ? Kind::floating : Kind::integer))
    refuse(is_float ? "the result type is not a floating-point type"
                    : "the result type is not an integer type");
}

void decorate_number(Reader& r, Id result, Value* value) {
  auto* instruction = dyn_cast<llvm::Instruction>(value);
  if (!instruction) return;
  if (isa<OverflowingBinaryOperator>(instruction)) {
    if (r.decorations().has(result, spv::DecorationNoSignedWrap)) instruction->setHasNoSignedWrap();
    if (r.decorations().has(result, spv::DecorationNoUnsignedWrap)) instruction->setHasNoUnsignedWrap();
  }
  if (isa<FPMathOperator>(instruction)) instruction->setFastMathFlags(r.fast_math(result, *instruction));
}

void read_binary(Reader& r, Operands in, Binary operation) {
  const auto [type, result] = read_result(r, in);
  const bool is_float = operation == Binary::FAdd || operation == Binary::FSub || operation == Binary::FMul ||
                        operation == Binary::FDiv || operation == Binary::FRem;
  check_result(type, is_float);
  Value* a = r.of_type(in.id(), type);
  const Id b_id = in.id();
  // The width of the shift amount may differ from that of the base.
  Value* b = is_shift(operation) ? r.integer(b_id).value : r.of_type(b_id, type);
  if (b->getType() != a->getType()) {
    if (b->getType()->isVectorTy() != a->getType()->isVectorTy() ||
        (type.is(Kind::vector) && r.operand(b_id).type->count != type.count))
      refuse("the base and the shift amount have different numbers of components");
    b = r.ir().CreateZExtOrTrunc(b, a->getType());
  }
  Value* value =
      operation == Binary::FRem ? float_remainder(r, type, a, b) : r.ir().CreateBinOp(operation, a, b);
  decorate_number(r, result, value);
  r.define(result, type, value);
}

/// Reads OpSMod and OpFMod, whose result has the sign of the divisor.
void read_modulo(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const bool is_float = in.op() == spv::OpFMod;
  check_result(type, is_float);
  Value *a = r.of_type(in.id(), type), *b = r.of_type(in.id(), type);
  Value* remainder = is_float ? float_remainder(r, type, a, b) : r.ir().CreateSRem(a, b);
  r.define(result, type, with_sign_of_divisor(r.ir(), remainder, b));
}

void read_negate(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const Id operand = in.id();
  const bool is_float = in.op() == spv::OpFNegate;
  const TypedValue a = is_float ? r.floating(operand) : r.integer(operand);
  Value* value = is_float ? r.ir().CreateFNeg(a.value) : r.ir().CreateNeg(a.value);
  decorate_number(r, result, value);
  r.define(result, type, value);
}

void read_fused(Reader& r, Operands in) { // SPV_KHR_fma
  const auto [type, result] = read_result(r, in);
  if (!type.scalar().is(Kind::floating)) refuse("the result is not a floating-point number");
  Value *a = r.of_type(in.id(), type), *b = r.of_type(in.id(), type), *c = r.of_type(in.id(), type);
  r.define(result, type, r.call(MangledName("fma").add(type).add(type).add(type).str(), type.ir, {a, b, c}));
}

void read_not(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const Id operand = in.id();
  const TypedValue a = in.op() == spv::OpNot ? r.integer(operand) : r.boolean(operand);
  r.define(result, type, r.ir().CreateNot(a.value));
}

/// Reads OpIAddCarry, OpISubBorrow, OpUMulExtended and OpSMulExtended, whose result is a structure of the low
/// and the high part.
void read_extended(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue a = r.integer(in.id());
  Value* b = r.of_type(in.id(), *a.type);
  if (!type.is(Kind::structure) || type.members.size() != 2 || type.members[0]->ir != a.type->ir ||
      type.members[1]->ir != a.type->ir)
    refuse("the result is not a structure of two integers of the operands' type");
  IRBuilder<>& ir = r.ir();
  Value *low, *high;
  if (in.op() == spv::OpIAddCarry || in.op() == spv::OpISubBorrow) {
    const bool is_sum = in.op() == spv::OpIAddCarry;
    low = is_sum ? ir.CreateAdd(a.value, b) : ir.CreateSub(a.value, b);
    high = ir.CreateZExt(is_sum ? ir.CreateICmpULT(low, a.value) : ir.CreateICmpULT(a.value, b), a.type->ir);
  } else {
    const bool is_signed = in.op() == spv::OpSMulExtended;
    const unsigned bits = a.type->ir->getScalarSizeInBits();
    llvm::Type* wide = a.type->ir->getExtendedType();
    auto widen = [&](Value* value) {
      return is_signed ? ir.CreateSExt(value, wide) : ir.CreateZExt(value, wide);
    };
    Value* product = ir.CreateMul(widen(a.value), widen(b));
    low = ir.CreateTrunc(product, a.type->ir);
    high = ir.CreateTrunc(ir.CreateLShr(product, bits), a.type->ir);
  }
  Value* pair = ir.CreateInsertValue(PoisonValue::get(type.ir), low, 0);
  r.define(result, type, ir.CreateInsertValue(pair, high, 1));
}

void read_dot(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue a = r.floating(in.id());
  Value* b = r.of_type(in.id(), *a.type);
  if (!a.type->is(Kind::vector)) refuse("the operands are not vectors");
  IRBuilder<>& ir = r.ir();
  // Adds the products as the library's dot() does: each product and sum is rounded once if the CPU can do so.
  Value* sum = ir.CreateFMul(ir.CreateExtractElement(a.value, std::uint64_t(0)),
                             ir.CreateExtractElement(b, std::uint64_t(0)));
  for (std::uint64_t i = 1; i < a.type->count; ++i)
    sum = ir.CreateIntrinsic(Intrinsic::fmuladd, {type.ir},
                             {ir.CreateExtractElement(a.value, i), ir.CreateExtractElement(b, i), sum});
  r.define(result, type, sum);
}

void read_vector_times_scalar(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  if (!type.is(Kind::vector) || !type.element->is(Kind::floating))
    refuse("the result is not a vector of floating-point numbers");
  Value* vector = r.of_type(in.id(), type);
  Value* scalar = r.of_type(in.id(), *type.element);
  Value* product = r.ir().CreateFMul(vector, r.ir().CreateVectorSplat(type.count, scalar));
  decorate_number(r, result, product);
  r.define(result, type, product);
}

void read_bit_intrinsic(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue a = r.integer(in.id());
  if (!type.scalar().is(Kind::integer) || !has_shape_of(type, *a.type))
    refuse("the result is not an integer with the operand's number of components");
  Value* value = r.ir().CreateUnaryIntrinsic(
      in.op() == spv::OpBitReverse ? Intrinsic::bitreverse : Intrinsic::ctpop, a.value);
  r.define(result, type, r.ir().CreateZExtOrTrunc(value, type.ir));
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
  IRBuilder<>& ir = r.ir();
  Value* number = ir.CreateZExtOrTrunc(r.scalar_integer(id).value, type.scalar().ir);
  return type.is(Kind::vector) ? ir.CreateVectorSplat(type.count, number) : number;
}

} // namespace

void read_bit_field_insert(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  if (!type.scalar().is(Kind::integer)) refuse("the result is not an integer");
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
  r.define(result, type, ir.CreateOr(ir.CreateAnd(base, ir.CreateNot(mask)), inserted));
}

void read_bit_field_extract(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  if (!type.scalar().is(Kind::integer)) refuse("the result is not an integer");
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
  r.define(result, type, ir.CreateSelect(is_empty, zero, field));
}

void read_arithmetic_fence(Reader& r, Operands in) { // SPV_EXT_arithmetic_fence
  const auto [type, result] = read_result(r, in);
  if (!type.scalar().is(Kind::floating)) refuse("the result is not a floating-point number");
  r.define(result, type, r.ir().CreateUnaryIntrinsic(Intrinsic::arithmetic_fence, r.of_type(in.id(), type)));
}

} // namespace hostcl::compiler::spirv
