// Reads the instructions of SPV_KHR_integer_dot_product and SPV_VALVE_mixed_float_dot_product.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

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
  const TypedValue a = r.operand(in.id());
  const Type& component = a.type->scalar();
  const bool is_half = component.ir->isHalfTy(), is_wide = in.op() == opcodes::OpFDot2MixAcc32VALVE;
  if (!a.type->is(Kind::vector) || a.type->count != 2 || !(is_half || component.is(Kind::bfloat)))
    refuse("the first operand is not a vector of two halves, or of two bfloat16 numbers");
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
  Value* products = ir.CreateFMul(x, as_floats({r.of_type(in.id(), *a.type), a.type}));
  Value* total = ir.CreateFAdd(ir.CreateExtractElement(products, std::uint64_t(0)),
                               ir.CreateExtractElement(products, 1));
  total = ir.CreateFAdd(total, as_floats({r.of_type(in.id(), type), &type}));
  if (!type.is(Kind::bfloat)) return ir.CreateFPCast(total, type.ir);
  return bfloat_of(r, {total, &floats.scalar()}, floats.scalar(), [&] { return total; }, {});
}

} // namespace hostcl::compiler::spirv
