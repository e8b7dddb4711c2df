#include "compiler/passes/2_vector/memory/lane_offsets.hpp"

#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/memory/affine_tests.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::int64_t largest_span = 4096;

/// Uniform addends are split at multiples of this value: the lower part is added to the distances, so that the base
/// stays aligned and bit operations on the base and on the distances remain independent.
std::int64_t window_size(const Emission& e) {
  return 2 * std::int64_t{e.width};
}

/// The smallest power of two above all distances.
std::uint64_t reach(const LaneOffsets::Span& span) {
  return PowerOf2Ceil(static_cast<std::uint64_t>(span.high) + 1);
}

bool is_sum(const Instruction& operation) {
  const auto* either = dyn_cast<PossiblyDisjointInst>(&operation);
  return operation.getOpcode() == Instruction::Add || (either && either->isDisjoint());
}

std::optional<LaneOffsets::Span> within_limits(LaneOffsets::Span span) {
  if (span.low < -largest_span || span.high > largest_span) return std::nullopt;
  return span;
}

LaneOffsets::Span shifted_up(const Emission& e, LaneOffsets::Span span) {
  if (span.low < 0) span = {0, span.high - span.low + window_size(e), span.mixed};
  return span;
}

/// The factor of a multiplication or shift by a constant, or 0.
std::int64_t factor_of(const Instruction& operation) {
  const auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (!constant || constant->getValue().ugt(largest_span)) return 0;
  const auto value = static_cast<std::int64_t>(constant->getZExtValue());
  if (operation.getOpcode() == Instruction::Mul) return value;
  return operation.getOpcode() == Instruction::Shl && value < 12 ? std::int64_t{1} << value : 0;
}

} // namespace

// ---- Spans, found without writing code

std::optional<LaneOffsets::Span> LaneOffsets::span(const Value* value) {
  Shape shape = e_.shape(value);
  if (shape.is_uniform()) return Span{};
  if (shape.is_affine()) {
    if (std::abs(shape.stride()) > largest_span) return std::nullopt;
    const std::int64_t last = shape.stride() * (std::int64_t{e_.width} - 1);
    return within_limits({std::min<std::int64_t>(last, 0), std::max<std::int64_t>(last, 0), false,
                          static_cast<std::uint64_t>(std::abs(shape.stride()))});
  }
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return std::nullopt;
  if (auto known = spans_.find(value); known != spans_.end()) return known->second;
  spans_[value] = std::nullopt; // ends the recursion
  auto found = compute(*instruction);
  return spans_[value] = found ? within_limits(*found) : std::nullopt;
}

std::optional<LaneOffsets::Span> LaneOffsets::compute(const Instruction& instruction) {
  if (isa<GetElementPtrInst>(instruction)) {
    const auto address = linear_sum_of(instruction);
    return address ? span_of_address(*address) : std::nullopt;
  }
  if (!instruction.getType()->isIntegerTy() || instruction.getType()->getIntegerBitWidth() < 32 ||
      instruction.getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  switch (instruction.getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
    if (!instruction.getOperand(0)->getType()->isIntegerTy(32)) return std::nullopt;
    if (auto inner = span(instruction.getOperand(0))) return shifted_up(e_, *inner);
    return std::nullopt;
  case Instruction::Trunc:
    return span(instruction.getOperand(0));
  default:
    return instruction.isBinaryOp() ? span_of_binary(instruction) : std::nullopt;
  }
}

std::optional<LaneOffsets::Span> LaneOffsets::span_of_binary(const Instruction& operation) {
  auto left = span(operation.getOperand(0)), right = span(operation.getOperand(1));
  if (!left || !right) return std::nullopt;
  if (operation.isCommutative() && e_.shape(operation.getOperand(0)).is_uniform()) std::swap(left, right);
  const bool uniform = right->is_uniform();
  const bool mixed = left->mixed || right->mixed || !uniform;
  if (is_sum(operation))
    return Span{left->low + right->low, left->high + (uniform ? window_size(e_) - 1 : right->high), mixed};
  switch (operation.getOpcode()) {
  case Instruction::Sub:
    return Span{left->low - right->high, left->high - right->low, mixed};
  case Instruction::Mul:
  case Instruction::Shl:
    if (const std::int64_t factor = factor_of(operation))
      return Span{left->low * factor, left->high * factor, mixed};
    return std::nullopt;
  case Instruction::And:
  case Instruction::LShr:
    return uniform && left->low >= 0 ? std::optional(Span{0, left->high, mixed}) : std::nullopt;
  case Instruction::Or:
  case Instruction::Xor:
    if (!uniform || left->low < 0) return std::nullopt;
    return Span{0, static_cast<std::int64_t>(reach(*left)) - 1, true};
  default:
    return std::nullopt;
  }
}

std::optional<LaneOffsets::Span> LaneOffsets::span_of_address(const LinearSum& address) {
  Span result;
  for (const LinearPart& part : address.parts) {
    const auto of_part = span(part.value);
    if (!of_part) return std::nullopt;
    if (e_.shape(part.value).is_uniform()) continue;
    if (part.factor > largest_span) return std::nullopt;
    const bool is_base = &part == address.parts.begin();
    const auto within = within_limits(
        {result.low + of_part->low * part.factor, result.high + of_part->high * part.factor,
         result.mixed || of_part->mixed,
         is_base ? of_part->unit : std::gcd(result.unit, static_cast<std::uint64_t>(part.factor))});
    if (!within) return std::nullopt;
    result = *within;
  }
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

Value* LaneOffsets::times(Value* distances, std::uint64_t factor) {
  return e_.build.CreateMul(distances, ConstantInt::get(distances->getType(), factor));
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

BaseAndOffsets LaneOffsets::write_new(Instruction& instruction) {
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return write_address(*address);
  if (isa<ZExtInst, SExtInst>(instruction)) return write_extension(instruction);
  if (isa<TruncInst>(instruction)) {
    BaseAndOffsets wide = write(instruction.getOperand(0));
    return {e_.build.CreateTrunc(wide.base, instruction.getType()), wide.distances, wide.holds};
  }
  return write_binary(instruction);
}

BaseAndOffsets LaneOffsets::write_binary(Instruction& operation) {
  auto& build = e_.build;
  Value *first = operation.getOperand(0), *second = operation.getOperand(1);
  if (operation.isCommutative() && e_.shape(first).is_uniform()) std::swap(first, second);
  const bool uniform = e_.shape(second).is_uniform();
  BaseAndOffsets left = write(first);
  if (is_sum(operation) && uniform) return write_sum(left, e_.scalar(second));
  if (uniform && (operation.isBitwiseLogicOp() || operation.getOpcode() == Instruction::LShr))
    return write_bits(cast<BinaryOperator>(operation).getOpcode(), left, e_.scalar(second),
                      reach(known_span(first)));
  BaseAndOffsets right = write(second);
  const auto opcode = is_sum(operation) ? Instruction::Add : cast<BinaryOperator>(operation).getOpcode();
  Value* base = build.CreateBinOp(opcode, left.base, right.base);
  if (const std::int64_t factor = factor_of(operation))
    return {base, times(left.distances, static_cast<std::uint64_t>(factor)), left.holds};
  return {base, build.CreateBinOp(opcode, left.distances, right.distances),
          build.CreateAnd(left.holds, right.holds)};
}

BaseAndOffsets LaneOffsets::write_sum(BaseAndOffsets left, Value* uniform) {
  const auto below = static_cast<std::uint64_t>(window_size(e_) - 1);
  Type* type = uniform->getType();
  Value* high = e_.build.CreateAnd(uniform, ConstantInt::get(type, ~below));
  Value* low = e_.build.CreateAnd(uniform, ConstantInt::get(type, below));
  return {e_.build.CreateAdd(left.base, high), e_.build.CreateAdd(left.distances, lanes_of(low)), left.holds};
}

/// Applies a bit operation to base and distances separately. That is right if the base is a multiple of `reach`, so
/// that base and distances have no bits in common; the result's `holds` tests it.
BaseAndOffsets LaneOffsets::write_bits(Instruction::BinaryOps opcode, BaseAndOffsets pattern, Value* uniform,
                                       std::uint64_t reach) {
  auto& build = e_.build;
  Type* type = uniform->getType();
  Constant *below = ConstantInt::get(type, reach - 1), *above = ConstantInt::get(type, ~(reach - 1));
  Value* holds = build.CreateAnd(pattern.holds, build.CreateIsNull(build.CreateAnd(pattern.base, below)));
  if (opcode == Instruction::LShr) {
    Value* amount = build.CreateBinaryIntrinsic(Intrinsic::umin, uniform, ConstantInt::get(type, 31));
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

BaseAndOffsets LaneOffsets::write_address(GetElementPtrInst& address) {
  auto& build = e_.build;
  BaseAndOffsets result = write(address.getPointerOperand());
  SmallVector<Value*, 4> indices;
  for (gep_type_iterator step = gep_type_begin(address), end = gep_type_end(address); step != end; ++step) {
    BaseAndOffsets index = write(step.getOperand());
    indices.push_back(index.base);
    if (e_.shape(step.getOperand()).is_uniform()) continue;
    const std::uint64_t size = step.getSequentialElementStride(e_.layout).getFixedValue();
    result.distances = build.CreateAdd(result.distances, times(index.distances, size));
    result.holds = build.CreateAnd(result.holds, index.holds);
  }
  result.base = build.CreateGEP(address.getSourceElementType(), result.base, indices);
  return result;
}

} // namespace hostcl::compiler
