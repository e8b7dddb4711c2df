// Reads comparisons, tests for classes of numbers, logical operations and selections, and what the producer
// assumes and expects of values.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/ir/sub_group_operation.hpp"

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Returns a comparison's operand in the type that `icmp` or `fcmp` takes: floating-point numbers that are
/// compared as integers are bitcast. SPIR-V producers also use integer comparisons for pointers and booleans,
/// and for floating-point numbers after an atomic exchange.
Value* as_compared(IRBuilder<>& ir, const TypedValue& operand, bool as_float) {
  const Type& scalar = operand.type->scalar();
  if (as_float || scalar.is(Kind::integer) || scalar.is(Kind::boolean) || scalar.is(Kind::pointer))
    return operand.value;
  if (!scalar.is(Kind::floating)) refuse("the operands are not scalars that can be compared");
  llvm::Type* bits = operand.type->ir->getWithNewType(ir.getIntNTy(operand.type->ir->getScalarSizeInBits()));
  return ir.CreateBitCast(operand.value, bits);
}

} // namespace

Value* read_logical(Reader& r, const Type& type, Operands in) {
  require(type, Kind::boolean);
  Value *a = r.of_type(in.id(), type), *b = r.of_type(in.id(), type);
  switch (in.op()) {
  case spv::OpLogicalAnd:
    return r.ir().CreateAnd(a, b);
  case spv::OpLogicalOr:
    return r.ir().CreateOr(a, b);
  case spv::OpLogicalEqual:
    return r.ir().CreateNot(r.ir().CreateXor(a, b));
  default: // OpLogicalNotEqual
    return r.ir().CreateXor(a, b);
  }
}

Value* read_comparison(Reader& r, const Type& type, Operands in, CmpInst::Predicate predicate) {
  const bool is_float = CmpInst::isFPPredicate(predicate);
  const TypedValue a = is_float ? r.floating(in.id()) : r.operand(in.id());
  Value* b = r.of_type(in.id(), *a.type);
  return decorated(r, in.result(),
                   r.ir().CreateCmp(predicate, as_compared(r.ir(), a, is_float),
                                    as_compared(r.ir(), {b, a.type}, is_float)));
}

Value* read_number_class(Reader& r, const Type&, Operands in, FPClassTest numbers) {
  return r.ir().createIsFPClass(r.floating(in.id()).value, numbers);
}

/// The sign is read from the bits, because the classes of numbers do not tell the sign of a NaN.
Value* read_sign_bit(Reader& r, const Type&, Operands in) {
  Value* bits = as_compared(r.ir(), r.floating(in.id()), /*as_float=*/false);
  return r.ir().CreateICmpSLT(bits, Constant::getNullValue(bits->getType()));
}

Value* read_select(Reader& r, const Type& type, Operands in) {
  const TypedValue condition = r.boolean(in.id());
  Value *a = r.of_type(in.id(), type), *b = r.of_type(in.id(), type);
  if (condition.type->is(Kind::vector) && !has_shape_of(*condition.type, type))
    refuse("the condition has another number of components than the result");
  Value* chooses = type.is(Kind::matrix) ? of_first_lane(r.ir(), condition.value) : condition.value;
  return r.ir().CreateSelect(chooses, a, b);
}

/// Reads OpAny and OpAll. The specification requires a vector of booleans as the operand. LLVM's SPIR-V back
/// end also writes these instructions for OpenCL C's any() and all() with a vector of integers or a single
/// integer; an element is then true if its most significant bit is set.
Value* read_reduction_of_booleans(Reader& r, const Type&, Operands in) {
  const Id id = in.id();
  TypedValue vector = r.operand(id);
  if (vector.type->scalar().is(Kind::integer))
    vector.value = r.ir().CreateICmpSLT(vector.value, Constant::getNullValue(vector.type->ir));
  else if (!r.boolean(id).type->is(Kind::vector))
    refuse("the operand is not a vector");
  if (!vector.type->is(Kind::vector)) return vector.value;
  return in.op() == spv::OpAny ? r.ir().CreateOrReduce(vector.value) : r.ir().CreateAndReduce(vector.value);
}

// SPV_KHR_expect_assume

void read_assumption(Reader& r, Operands in) {
  const TypedValue condition = r.scalar_boolean(in.id());
  r.ir().CreateAssumption(condition.value);
}

/// LLVM accepts expected values for scalars only, so expected vectors are ignored.
Value* read_expectation(Reader& r, const Type& type, Operands in) {
  Value *value = r.of_type(in.id(), type), *expected = r.of_type(in.id(), type);
  if (!type.scalar().is(Kind::integer) && !type.scalar().is(Kind::boolean))
    refuse("the result is neither integer nor boolean");
  if (!type.is(Kind::vector)) value = r.ir().CreateIntrinsic(Intrinsic::expect, {type.ir}, {value, expected});
  return value;
}

} // namespace hostcl::compiler::spirv
