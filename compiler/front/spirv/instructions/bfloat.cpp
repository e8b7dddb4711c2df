#include "compiler/front/spirv/instructions/bfloat.hpp"

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/instructions/newer_opcodes.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// Rounds floats to bfloat16 (the upper half of a float): to the nearest even value. A NaN stays a NaN,
/// whatever its lower half is.
Value* upper_halves(IRBuilder<>& ir, Value* floats) {
  llvm::Type* words = floats->getType()->getWithNewType(ir.getInt32Ty());
  auto number = [&](std::uint32_t value) { return ConstantInt::get(words, value); };
  Value* bits = ir.CreateBitCast(floats, words);
  Value* is_odd = ir.CreateAnd(ir.CreateLShr(bits, number(16)), number(1));
  Value* rounded = ir.CreateAdd(bits, ir.CreateAdd(is_odd, number(0x7fff)));
  Value* quiet = ir.CreateOr(bits, number(0x400000));
  Value* is_nan = ir.CreateFCmpUNO(floats, floats);
  Value* upper = ir.CreateLShr(ir.CreateSelect(is_nan, quiet, rounded), number(16));
  return ir.CreateTrunc(upper, words->getWithNewType(ir.getInt16Ty()));
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

TypedValue float_of_bfloat(Reader& r, const TypedValue& number) {
  return {floats_of(r.ir(), number.value), &r.floats_like(*number.type)};
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

void read_float_to_bfloat(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue from = r.floating(in.id());
  if (!type.scalar().is(Kind::integer) || type.ir->getScalarSizeInBits() != 16 ||
      !from.type->scalar().ir->isFloatTy() || !has_shape_of(type, *from.type))
    refuse("it does not convert a float to an integer of 16 bits");
  r.define(result, type, upper_halves(r.ir(), from.value));
}

void read_bfloat_to_float(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  const TypedValue from = r.integer(in.id());
  if (!type.scalar().is(Kind::floating) || !type.scalar().ir->isFloatTy() ||
      from.type->ir->getScalarSizeInBits() != 16 || !has_shape_of(type, *from.type))
    refuse("it does not convert an integer of 16 bits to a float");
  r.define(result, type, floats_of(r.ir(), from.value));
}

namespace {

// While an instruction computes with floats in place of bfloat16, these ids stand for the float types and
// operands. A module can only have such ids if it has about as many ids as are allowed.

Id id_of_floats(const Type& type) {
  return max_bound - 1 - static_cast<Id>(type.count);
}

Id id_of_operand(std::size_t index) {
  // Less than the ids for types: vectors have at most 16 components.
  return max_bound - 32 - static_cast<Id>(index);
}

bool is_arithmetic(spv::Op op) {
  using enum spv::Op;
  switch (op) {
  case OpFNegate:
  case OpFAdd:
  case OpFSub:
  case OpFMul:
  case OpFDiv:
  case OpFRem:
  case OpFMod:
  case OpVectorTimesScalar:
  case OpDot:
  case opcodes::OpFmaKHR:
  case opcodes::OpArithmeticFenceEXT:
  case OpExtInst:
    return true;
  default:
    return (op >= OpIsNan && op <= OpUnordered) || (op >= OpFOrdEqual && op <= OpFUnordGreaterThanEqual);
  }
}

/// Returns the letter of instructions.inc for each operand.
std::string letters(std::string_view pattern, std::size_t count) {
  std::string all;
  for (const char letter : pattern)
    if (letter != '?' && letter != '*') all += letter;
  all.resize(std::max(all.size(), count), all.empty() ? 'i' : all.back());
  return all;
}

} // namespace

bool Reader::computes_with_bfloats(const Instruction& instruction, std::string_view operands) const {
  if (!bfloat_arithmetic_ || !is_arithmetic(instruction.op) || instruction.operands.size() < 2) return false;
  const std::string kinds = letters(operands, instruction.operands.size());
  bool found = false;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Id id = instruction.operands[i];
    const Type* type = nullptr;
    if (kinds[i] == 'T') type = &this->type(id);
    if (auto value = values_.find(id); kinds[i] == 'i' && value != values_.end()) type = value->second.type;
    // Accesses only move numbers in memory, and an instruction without a result does not compute.
    if (type && (type->is(Kind::pointer) || type->is(Kind::nothing))) return false;
    found |= type && type->scalar().is(Kind::bfloat);
  }
  return found;
}

void Reader::read_in_floats(const Instruction& instruction, std::string_view operands,
                            function_ref<void(const Instruction&)> read) {
  const std::string kinds = letters(operands, instruction.operands.size());
  std::vector<std::uint32_t> words(instruction.operands.begin(), instruction.operands.end());
  const Type& type = this->type(words[0]);
  SmallVector<Id, 4> made_ids;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (kinds[i] == 'T' && type.scalar().is(Kind::bfloat)) {
      words[i] = id_of_floats(type);
      if (!is_type(words[i])) define_type(words[i], floats_like(type));
    } else if (auto found = values_.find(words[i]);
               kinds[i] == 'i' && found != values_.end() && found->second.type->scalar().is(Kind::bfloat)) {
      words[i] = id_of_operand(i);
      made_ids.push_back(words[i]);
      if (!values_.try_emplace(words[i], float_of_bfloat(*this, TypedValue(found->second))).second)
        refuse(described(words[i]) + " is taken");
    }
  }
  const Id result = words[1];
  const TypedValue made = taken(result, [&] { read({instruction.op, words}); });
  for (const Id id : made_ids)
    values_.erase(id);
  define(result, type, type.scalar().is(Kind::bfloat) ? upper_halves(ir(), made.value) : made.value);
}

} // namespace hostcl::compiler::spirv
