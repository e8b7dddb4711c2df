// Reads SPV_KHR_expect_assume: hints and assumptions of the producer about values. Declared in
// compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

void read_assumption(Reader& r, Operands in) {
  const TypedValue condition = r.scalar_boolean(in.id());
  r.ir().CreateAssumption(condition.value);
}

/// LLVM accepts expected values for scalars only, so those of vectors are ignored.
Value* read_expectation(Reader& r, const Type& type, Operands in) {
  Value *value = r.of_type(in.id(), type), *expected = r.of_type(in.id(), type);
  if (!type.scalar().is(Type::Kind::integer) && !type.scalar().is(Type::Kind::boolean))
    refuse("the result is neither integer nor boolean");
  if (!type.is(Type::Kind::vector))
    value = r.ir().CreateIntrinsic(Intrinsic::expect, {type.ir}, {value, expected});
  return value;
}

} // namespace hostcl::compiler::spirv
