#include "compiler/passes/2_vector/memory/lane_offsets.hpp"

#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/memory/affine_tests.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned largest_span = 4096;

/// Uniform addends are split at multiples of this value: the lower part is added to the distances, so that the base
/// stays aligned and bit operations on the base and on the distances remain independent.
std::int64_t window_size(const Emission& e) {
  return 2 * std::int64_t{e.width};
}

/// The smallest power of two above all distances.
std::uint64_t reach(const LaneOffsets::Span& span) {
  return PowerOf2Ceil(static_cast<std::uint64_t>(span.high) + 1);
}

bool is_addition(const Instruction& operation) {
  const auto* either = dyn_cast<PossiblyDisjointInst>(&operation);
  return operation.getOpcode() == Instruction::Add || (either && either->isDisjoint());
}

bool is_bit_operation(const Instruction& operation) {
  return (operation.isBitwiseLogicOp() && !is_addition(operation)) ||
         operation.getOpcode() == Instruction::LShr;
}

std::optional<LaneOffsets::Span> within_limits(LaneOffsets::Span span) {
  if (span.low < -std::int64_t{largest_span} || span.high > largest_span) return std::nullopt;
  return span;
}

LaneOffsets::Span shifted_up(const Emission& e, LaneOffsets::Span span) {
  if (span.low < 0) span = {0, span.high - span.low + window_size(e), span.mixed};
  return span;
}

} // namespace

// ---- Spans, found without writing code

std::optional<LaneOffsets::Span> LaneOffsets::span(const Value* value) {
  Shape shape = e_.shape(value);
  if (shape.is_uniform()) return Span{};
  if (shape.is_affine()) {
    if (AbsoluteValue(shape.stride()) > largest_span) return std::nullopt;
    const std::int64_t last = shape.stride() * (std::int64_t{e_.width} - 1);
    return within_limits({std::min<std::int64_t>(last, 0), std::max<std::int64_t>(last, 0), false,
                          AbsoluteValue(shape.stride())});
  }
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return std::nullopt;
  if (auto known = spans_.find(value); known != spans_.end()) return known->second;
  spans_[value] = std::nullopt; // ends the recursion
  auto found = compute(*instruction);
  return spans_[value] = found ? within_limits(*found) : std::nullopt;
}

std::optional<LaneOffsets::Span> LaneOffsets::compute(const Instruction& operation) {
  if (!isa<GetElementPtrInst, TruncInst, ZExtInst, SExtInst, BinaryOperator>(operation)) return std::nullopt;
  const Type* type = operation.getType();
  if (!type->isPointerTy() && (!type->isIntegerTy() || type->getIntegerBitWidth() < 32)) return std::nullopt;
  if (is_bit_operation(operation)) return span_of_bits(operation);
  const auto sum = linear_sum_of(operation);
  return sum ? span_of_sum(operation, *sum) : std::nullopt;
}

/// The span of a bit operation on a varying and a uniform value.
std::optional<LaneOffsets::Span> LaneOffsets::span_of_bits(const Instruction& operation) {
  const bool swaps = operation.isCommutative() && e_.shape(operation.getOperand(0)).is_uniform();
  const auto left = span(operation.getOperand(swaps));
  if (!left || left->low < 0 || !e_.shape(operation.getOperand(!swaps)).is_uniform()) return std::nullopt;
  const bool sets = operation.getOpcode() == Instruction::Or || operation.getOpcode() == Instruction::Xor;
  if (sets) return Span{0, static_cast<std::int64_t>(reach(*left)) - 1, true};
  return Span{0, left->high, left->mixed};
}

std::optional<LaneOffsets::Span> LaneOffsets::span_of_sum(const Instruction& operation,
                                                          const LinearSum& sum) {
  // Lanes that index their own copies of a private array do not permute a row.
  const bool is_address = operation.getType()->isPointerTy();
  Span result;
  unsigned varying = 0;
  for (const LinearPart& part : sum.parts) {
    if (e_.shape(part.value).is_uniform()) continue;
    ++varying;
    auto inner = span(part.value);
    if (!inner || AbsoluteValue(part.factor) > largest_span) return std::nullopt;
    if (part.extension != Extension::none) {
      if (!isa<CastInst>(operation) || !part.value->getType()->isIntegerTy(32)) return std::nullopt;
      inner = shifted_up(e_, *inner);
    }
    const std::int64_t one = inner->low * part.factor, other = inner->high * part.factor;
    const bool is_base = part.value->getType()->isPointerTy();
    const auto unit = is_base ? inner->unit : AbsoluteValue(part.factor);
    result = {result.low + std::min(one, other), result.high + std::max(one, other),
              result.mixed || inner->mixed || (varying > 1 && !is_address), std::gcd(result.unit, unit)};
  }
  if (is_addition(operation) && varying < 2) result.high += window_size(e_) - 1;
  return result;
}

// ---- Writing code

Value* LaneOffsets::lanes_of(std::int64_t stride) {
  return e_.ramp(e_.build.getInt32(0), stride);
}

/// The same distance for all lanes. Only the low 32 bits of the uniform value are used: it is either small, or its high
/// bits do not matter.
Value* LaneOffsets::lanes_of(Value* uniform) {
  return e_.build.CreateVectorSplat(e_.width, e_.build.CreateZExtOrTrunc(uniform, e_.build.getInt32Ty()));
}

/// The span of a value that is part of an address with a span.
LaneOffsets::Span LaneOffsets::known_span(const Value* value) {
  return span(value).value_or(Span{});
}

BaseAndOffsets LaneOffsets::write_address_of(Value* pointer, const Span& span) {
  written_.clear(); // values written for another address may not dominate this one
  return normalised(write(pointer), span);
}

BaseAndOffsets LaneOffsets::write(Value* value) {
  Shape shape = e_.shape(value);
  Value* always = e_.build.getTrue();
  if (shape.is_uniform()) return {e_.scalar(value), lanes_of(std::int64_t{0}), always};
  if (shape.is_affine())
    return {e_.scalar(value), lanes_of(shape.stride()),
            shape.is_checked() ? affine_.is_affine_now(value) : always};
  if (auto known = written_.find(value); known != written_.end()) return known->second;
  BaseAndOffsets pattern = write_new(*cast<Instruction>(value));
  written_[value] = pattern;
  return pattern;
}

BaseAndOffsets LaneOffsets::write_new(Instruction& operation) {
  if (isa<ZExtInst, SExtInst>(operation)) return write_extension(operation);
  Value *first = operation.getOperand(0), *second = operation.getOperand(operation.getNumOperands() - 1);
  if (operation.isCommutative() && e_.shape(first).is_uniform()) std::swap(first, second);
  if (is_bit_operation(operation))
    return write_bits(cast<BinaryOperator>(operation).getOpcode(), first, second);
  if (is_addition(operation) && e_.shape(second).is_uniform())
    return write_split_sum(write(first), e_.scalar(second));
  return write_sum(operation);
}

/// Decomposes a linear operation: the result's base is the operation on the operands' bases, and its distances are the
/// sum of the operands' distances, each multiplied by the operand's factor.
BaseAndOffsets LaneOffsets::write_sum(const Instruction& operation) {
  auto& build = e_.build;
  SmallVector<Value*, 4> bases;
  for (Value* operand : operation.operands())
    bases.push_back(write(operand).base);
  BaseAndOffsets result{nullptr, lanes_of(std::int64_t{0}), build.getTrue()};
  if (is_addition(operation)) { // also for `or disjoint`: bases need not be disjoint
    result.base = build.CreateAdd(bases[0], bases[1]);
  } else {
    Instruction* base = operation.clone();
    base->dropPoisonGeneratingFlags();
    for (auto [use, value] : zip(base->operands(), bases))
      use = value;
    result.base = build.Insert(base);
  }
  const LinearSum sum =
      linear_sum_of(operation).value_or(LinearSum()); // it has one, like all values with spans
  for (const LinearPart& part : sum.parts) {
    if (e_.shape(part.value).is_uniform()) continue;
    const BaseAndOffsets inner = write(const_cast<Value*>(part.value));
    Value* factor = ConstantInt::get(inner.distances->getType(), AbsoluteValue(part.factor));
    result.distances = build.CreateBinOp(part.factor < 0 ? Instruction::Sub : Instruction::Add,
                                         result.distances, build.CreateMul(inner.distances, factor));
    result.holds = build.CreateAnd(result.holds, inner.holds);
  }
  return result;
}

/// The sum of a varying and a uniform value. The low bits of the uniform value, modulo the window's size, are added to
/// the distances, and the high bits to the base.
BaseAndOffsets LaneOffsets::write_split_sum(BaseAndOffsets left, Value* uniform) {
  const auto below = static_cast<std::uint64_t>(window_size(e_) - 1);
  Type* type = uniform->getType();
  Value* high = e_.build.CreateAnd(uniform, ConstantInt::get(type, ~below));
  Value* low = e_.build.CreateAnd(uniform, ConstantInt::get(type, below));
  return {e_.build.CreateAdd(left.base, high), e_.build.CreateAdd(left.distances, lanes_of(low)), left.holds};
}

/// Applies a bit operation to base and distances separately. This is right if the base is a multiple of the span's
/// reach, so that base and distances have no bits in common; the result's `holds` tests this.
BaseAndOffsets LaneOffsets::write_bits(Instruction::BinaryOps opcode, Value* value, Value* other) {
  auto& build = e_.build;
  const BaseAndOffsets pattern = write(value);
  Value* uniform = e_.scalar(other);
  const std::uint64_t mask = reach(known_span(value)) - 1;
  Constant *below = ConstantInt::get(uniform->getType(), mask),
           *above = ConstantInt::get(uniform->getType(), ~mask);
  Value* holds = build.CreateAnd(pattern.holds, build.CreateIsNull(build.CreateAnd(pattern.base, below)));
  if (opcode == Instruction::LShr) {
    Value* amount =
        build.CreateBinaryIntrinsic(Intrinsic::umin, uniform, ConstantInt::get(uniform->getType(), 31));
    return {build.CreateLShr(pattern.base, uniform), build.CreateLShr(pattern.distances, lanes_of(amount)),
            holds};
  }
  return {build.CreateBinOp(opcode, pattern.base, build.CreateAnd(uniform, above)),
          build.CreateBinOp(opcode, pattern.distances, lanes_of(build.CreateAnd(uniform, below))), holds};
}

BaseAndOffsets LaneOffsets::normalised(BaseAndOffsets pattern, const Span& span) {
  if (span.low >= 0) return pattern;
  auto& build = e_.build;
  Value* least = build.CreateIntMinReduce(pattern.distances, true);
  least = build.CreateAnd(least, build.getInt32(static_cast<std::uint32_t>(-window_size(e_))));
  Value* distances = build.CreateSub(pattern.distances, build.CreateVectorSplat(e_.width, least));
  const bool is_pointer = pattern.base->getType()->isPointerTy();
  Value* offset = build.CreateSExt(least, is_pointer ? build.getInt64Ty() : pattern.base->getType());
  Value* base = is_pointer ? build.CreateGEP(build.getInt8Ty(), pattern.base, offset)
                           : build.CreateAdd(pattern.base, offset);
  return {base, distances, pattern.holds};
}

/// Extends base and distances. `holds` tests that the base plus the largest possible distance does not wrap.
BaseAndOffsets LaneOffsets::write_extension(Instruction& extension) {
  auto& build = e_.build;
  Value* operand = extension.getOperand(0);
  const Span inner = known_span(operand);
  BaseAndOffsets pattern = normalised(write(operand), inner);
  const bool is_signed = isa<SExtInst>(extension);
  const APInt largest = (is_signed ? APInt::getSignedMaxValue(32) : APInt::getMaxValue(32)) -
                        static_cast<std::uint64_t>(shifted_up(e_, inner).high);
  Value* fits = build.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, pattern.base,
                                 build.getInt(largest));
  Value* base = build.CreateCast(cast<CastInst>(extension).getOpcode(), pattern.base, extension.getType());
  return {base, pattern.distances, build.CreateAnd(pattern.holds, fits)};
}

} // namespace hostcl::compiler
