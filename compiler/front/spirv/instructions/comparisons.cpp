// Reads comparisons, tests for classes of numbers, logical operations and selections.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/arithmetic.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"

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

void read_logical(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  if (!type.scalar().is(Kind::boolean)) refuse("the result is not a boolean");
  Value *a = r.of_type(in.id(), type), *b = r.of_type(in.id(), type);
  switch (in.op()) {
  case spv::OpLogicalAnd:
    return r.define(result, type, r.ir().CreateAnd(a, b));
  case spv::OpLogicalOr:
    return r.define(result, type, r.ir().CreateOr(a, b));
  case spv::OpLogicalEqual:
    return r.define(result, type, r.ir().CreateNot(r.ir().CreateXor(a, b)));
  default: // OpLogicalNotEqual
    return r.define(result, type, r.ir().CreateXor(a, b));
  }
}

void read_comparison(Reader& r, Operands in, CmpInst::Predicate predicate) {
  const auto [type, result] = read_result(r, in);
  const Id a_id = in.id();
  const bool is_float = CmpInst::isFPPredicate(predicate);
  const TypedValue a = is_float ? r.floating(a_id) : r.operand(a_id);
  Value* b = r.of_type(in.id(), *a.type);
  Value* value = r.ir().CreateCmp(predicate, as_compared(r.ir(), a, is_float),
                                  as_compared(r.ir(), {b, a.type}, is_float));
  decorate_number(r, result, value);
  r.define(result, type, value);
}

void read_number_class(Reader& r, Operands in, FPClassTest numbers) {
  const auto [type, result] = read_result(r, in);
  const TypedValue a = r.floating(in.id());
  r.define(result, type, r.ir().createIsFPClass(a.value, numbers));
}

/// The sign is read from the bits, because the classes of numbers do not tell the sign of a NaN.
void read_sign_bit(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue a = r.floating(in.id());
  Value* bits = as_compared(r.ir(), a, /*as_float=*/false);
  r.define(result, type, r.ir().CreateICmpSLT(bits, Constant::getNullValue(bits->getType())));
}

void read_select(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue condition = r.boolean(in.id());
  Value *a = r.of_type(in.id(), type), *b = r.of_type(in.id(), type);
  if (condition.type->is(Kind::vector) && (!type.is(Kind::vector) || condition.type->count != type.count))
    refuse("the condition has another number of components than the result");
  r.define(result, type, r.ir().CreateSelect(condition.value, a, b));
}

/// Reads OpAny and OpAll. The specification requires a vector of booleans as the operand. LLVM's SPIR-V back
/// end also writes these instructions for OpenCL C's any() and all() with a vector of integers or a single
/// integer; an element is then true if its most significant bit is set.
void read_reduction_of_booleans(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const Id id = in.id();
  TypedValue vector = r.operand(id);
  if (vector.type->scalar().is(Kind::integer))
    vector.value = r.ir().CreateICmpSLT(vector.value, Constant::getNullValue(vector.type->ir));
  else if (!r.boolean(id).type->is(Kind::vector))
    refuse("the operand is not a vector");
  if (vector.type->is(Kind::vector))
    vector.value =
        in.op() == spv::OpAny ? r.ir().CreateOrReduce(vector.value) : r.ir().CreateAndReduce(vector.value);
  r.define(result, type, vector.value);
}

} // namespace hostcl::compiler::spirv
