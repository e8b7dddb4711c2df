// Reads constants and specialisation constants. Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/composites.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"

#include "llvm/IR/Constants.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

Constant* number(const Type& type, const APInt& value) {
  if (!type.is(Kind::floating)) return ConstantInt::get(type.ir, value);
  return ConstantFP::get(type.ir, APFloat(type.ir->getFltSemantics(), value));
}

Constant* composite(const Type& type, ArrayRef<Constant*> parts) {
  switch (type.kind) {
  case Kind::vector:
  case Kind::matrix:
    return ConstantVector::get(parts);
  case Kind::array:
    return ConstantArray::get(cast<ArrayType>(type.ir), parts);
  default:
    return ConstantStruct::get(cast<StructType>(type.ir), parts);
  }
}

} // namespace

Value* read_constant_bool(Reader& r, const Type& type, Operands in, bool value) {
  if (!type.is(Kind::boolean)) refuse("the result type is not OpTypeBool");
  if (in.op() == spv::OpSpecConstantTrue || in.op() == spv::OpSpecConstantFalse)
    value = r.specialisation(in.result()).value_or(value) != 0;
  return ConstantInt::get(type.ir, value);
}

Value* read_constant(Reader& r, const Type& type, Operands in) {
  if (!type.is(Kind::integer) && !type.is(Kind::floating) && !type.is_short_float())
    refuse("the result type is neither an integer nor a floating-point type");
  const unsigned width = type.ir->getScalarSizeInBits();
  APInt bits = in.integer(width);
  const auto given = in.op() == spv::OpSpecConstant ? r.specialisation(in.result()) : std::nullopt;
  if (given) bits = APInt(width, *given, /*isSigned=*/false, /*implicitTrunc=*/true);
  return number(type, bits);
}

Value* read_constant_replicate(Reader& r, const Type& type, Operands in) { // SPV_EXT_replicated_composites
  constexpr std::uint64_t max_parts = 1 << 20;
  const Id id = in.id();
  if (part_count(type) > max_parts)
    refuse("the result type has " + Twine(part_count(type)) +
           " members or elements; a replicated constant may have at most " + Twine(max_parts));
  SmallVector<Constant*, 16> parts;
  do { // runs once even for a type without parts, so that part_type() refuses it
    r.of_type(id, part_type(type, parts.size()));
    parts.push_back(r.constant(id));
  } while (parts.size() < part_count(type));
  return composite(type, parts);
}

Value* read_constant_composite(Reader& r, const Type& type, Operands in) {
  if (type.is(Kind::matrix)) {
    check_matrix_constituents(in);
    return read_constant_replicate(r, type, in);
  }
  SmallVector<Constant*, 16> parts;
  while (!in.empty()) {
    const Type& part = part_type(type, parts.size());
    const Id id = in.id();
    r.of_type(id, part);
    parts.push_back(r.constant(id));
  }
  if (parts.size() != part_count(type))
    refuse("there are fewer constituents than members or elements of the result type");
  if (!type.is(Kind::vector) && !type.is(Kind::array) && !type.is(Kind::structure))
    refuse("the result type is not a composite");
  return composite(type, parts);
}

Value* read_constant_data(Reader& r, const Type& type, Operands in) { // SPV_KHR_constant_data
  const auto* array = dyn_cast<ArrayType>(type.ir);
  if (!array || !ConstantDataSequential::isElementTypeCompatible(array->getElementType()))
    refuse("the result type is not an array of integers or floating-point numbers");
  const std::uint64_t number_bytes = array->getElementType()->getScalarSizeInBits() / 8;
  const std::uint64_t words = in.rest().size(), count = array->getNumElements();
  if (count > words * 4 || (count * number_bytes + 3) / 4 != words)
    refuse("the number of data words does not match the size of the result type");
  const StringRef bytes(reinterpret_cast<const char*>(in.rest().data()), count * number_bytes);
  return ConstantDataArray::getRaw(bytes, count, array->getElementType());
}

Value* read_constant_null(Reader& r, const Type& type, Operands in) {
  auto* target = dyn_cast<TargetExtType>(type.ir);
  if (target && !target->hasProperty(TargetExtType::HasZeroInit))
    refuse("values of that type cannot be null");
  if (isa<StructType>(type.ir) && cast<StructType>(type.ir)->isOpaque())
    refuse("values of that type cannot be null");
  return Constant::getNullValue(type.ir);
}

Value* read_undef(Reader&, const Type& type, Operands) {
  return UndefValue::get(type.ir);
}

Value* read_poison(Reader&, const Type& type, Operands) { // SPV_KHR_poison_freeze
  return PoisonValue::get(type.ir);
}

void read_constant_sampler(Reader& r, Operands in) {
  // The CLK_ADDRESS_* value for each addressing mode of SPIR-V: none, clamp to edge, clamp, repeat, mirrored
  // repeat.
  constexpr std::uint32_t modes[] = {0, 2, 4, 6, 8};
  constexpr std::uint32_t nearest = 0x10, linear = 0x20;
  const Type& type = read_result(r, in);
  const std::uint32_t mode = in.word(), is_normalised = in.word(), filter = in.word();
  if (!type.is(Kind::sampler)) refuse("the result type is not OpTypeSampler");
  if (mode >= std::size(modes)) refuse("the addressing mode " + Twine(mode) + " is unknown");
  if (filter > spv::SamplerFilterModeLinear) refuse("the filter mode " + Twine(filter) + " is unknown");
  const std::uint32_t bits =
      modes[mode] | (is_normalised != 0) | (filter == spv::SamplerFilterModeLinear ? linear : nearest);
  r.define_per_function(in.result(), type, [&r, &type, bits] {
    return r.call("__translate_sampler_initializer", type.ir, {r.ir().getInt32(bits)});
  });
}

/// Reads OpSpecConstantOp by the function for the operation (`make`). Its operands are constants, so its result folds
/// to a constant. If an operand is the address of a built-in variable, which is no constant in IR, each function of the
/// module computes the value for itself.
void read_spec_constant_op(Reader& r, Operands in) {
  const Type& type = read_result(r, in);
  const auto op = in.enumerant<spv::Op>();
  const InstructionRow* row = find_row(op);
  if (!row || !row->makes_constants)
    refuse("the opcode " + Twine(unsigned(op)) + " is not allowed in OpSpecConstantOp");
  const auto make = [&r, &type, row, operands = in.of(op)] { return row->make(r, type, operands); };
  try {
    r.define(in.result(), type, r.folded(make));
  } catch (const NeedsFunction&) {
    r.define_per_function(in.result(), type, make);
  }
}

} // namespace hostcl::compiler::spirv
