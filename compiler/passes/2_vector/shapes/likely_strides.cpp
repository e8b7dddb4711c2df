#include "compiler/passes/2_vector/shapes/likely_strides.hpp"

#include "compiler/passes/1_kernel/guarded_division.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the lanes of a vector, with this stride, mostly fall into the same aligned interval of `size`.
bool mostly_within(std::int64_t stride, const APInt& size, unsigned width) {
  return stride == 0 || static_cast<std::uint64_t>(std::abs(stride)) < size.getLimitedValue() / (2ul * width);
}

} // namespace

LikelyStrides::LikelyStrides(const Shapes& shapes, unsigned width, const Switches& switches)
    : shapes_(shapes), width_(width), guesses_(switches.is_on(Heuristic::likely_strides)) {}

LikelyStrides::Stride LikelyStrides::of(const Value* value) {
  Shape shape = shapes_.of(value);
  if (shape.is_uniform()) return 0;
  if (shape.is_affine()) return shape.stride;
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!guesses_ || !instruction || !(value->getType()->isIntegerTy() || value->getType()->isPointerTy()))
    return std::nullopt;
  if (auto found = known_.find(value); found != known_.end()) return found->second;
  known_[value] = std::nullopt; // ends the recursion at phis
  Stride stride = compute(*instruction);
  return known_[value] = stride;
}

LikelyStrides::Stride LikelyStrides::compute(const Instruction& instruction) {
  if (const auto sum = linear_sum_of(instruction)) return of_sum(*sum);
  switch (instruction.getOpcode()) {
  case Instruction::PHI:
    return of_phi(instruction);
  case Instruction::Select:
    return of_either(instruction.getOperand(1), instruction.getOperand(2));
  case Instruction::ICmp:
    return of_comparison(instruction);
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return is_linear(instruction.getOperand(0)) ? Stride(1) : std::nullopt;
  case Instruction::Call:
    if (isa<MinMaxIntrinsic>(instruction))
      return of_either(instruction.getOperand(0), instruction.getOperand(1));
    return std::nullopt;
  default:
    return instruction.isBinaryOp() ? of_binary(instruction) : std::nullopt;
  }
}

/// The stride of a sum: each part's stride times the part's factor, added up. The guess is that a part which is sign-
/// or zero-extended does not wrap before its extension.
LikelyStrides::Stride LikelyStrides::of_sum(const LinearSum& sum) {
  std::int64_t total = 0;
  for (const LinearPart& part : sum.parts) {
    const Stride stride = of(part.value);
    if (!stride) return std::nullopt;
    total = wrapping_sum(total, wrapping_product(*stride, part.factor));
  }
  return total;
}

/// Whether a floating-point value is approximately linear in an integer whose likely stride is known and not 0. Besides
/// sums, products and quotients with uniform operands, the value may be rounded to an integer, or clamped to a uniform
/// border.
bool LikelyStrides::is_linear(const Value* number, unsigned depth) {
  constexpr unsigned most_steps = 16;
  const auto* instruction = dyn_cast<Instruction>(number);
  if (!instruction || depth == most_steps || shapes_.of(number).is_uniform()) return false;
  auto one_of = [&](const Value* left, const Value* right) {
    return (shapes_.of(right).is_uniform() && is_linear(left, depth + 1)) ||
           (shapes_.of(left).is_uniform() && is_linear(right, depth + 1));
  };
  switch (instruction->getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return of(instruction->getOperand(0)).value_or(0) != 0;
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return one_of(instruction->getOperand(0), instruction->getOperand(1));
  case Instruction::FDiv:
    return shapes_.of(instruction->getOperand(1)).is_uniform() &&
           is_linear(instruction->getOperand(0), depth + 1);
  case Instruction::Select:
    return one_of(instruction->getOperand(1), instruction->getOperand(2));
  case Instruction::Call:
    return is_linear_call(*instruction, depth);
  default:
    return false;
  }
}

bool LikelyStrides::is_linear_call(const Instruction& instruction, unsigned depth) {
  const auto& call = cast<CallBase>(instruction);
  auto is_uniform = [&](unsigned i) { return shapes_.of(call.getArgOperand(i)).is_uniform(); };
  auto linear = [&](unsigned i) { return is_linear(call.getArgOperand(i), depth + 1); };
  switch (call.getIntrinsicID()) {
  case Intrinsic::floor:
  case Intrinsic::rint:
  case Intrinsic::roundeven:
    return linear(0);
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return is_uniform(2) && ((is_uniform(0) && linear(1)) || (is_uniform(1) && linear(0)));
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return (is_uniform(0) && linear(1)) || (is_uniform(1) && linear(0));
  default:
    return false;
  }
}

/// The stride of a minimum, maximum or select: the common stride of both operands, or the stride of the operand that is
/// not uniform. The uniform operand is usually a border, so the guess is that lanes seldom choose it.
LikelyStrides::Stride LikelyStrides::of_either(const Value* left, const Value* right) {
  Stride a = of(left), b = of(right);
  if (!a || !b || *a == *b) return a && b ? a : std::nullopt;
  if (shapes_.of(left).is_uniform()) return b;
  return shapes_.of(right).is_uniform() ? a : std::nullopt;
}

/// A comparison of values with strides is likely uniform: the lanes of a vector seldom lie on both sides of a border.
LikelyStrides::Stride LikelyStrides::of_comparison(const Instruction& comparison) {
  return of(comparison.getOperand(0)) && of(comparison.getOperand(1)) ? Stride(0) : std::nullopt;
}

LikelyStrides::Stride LikelyStrides::of_binary(const Instruction& operation) {
  const Value* first = operation.getOperand(0);
  const Value* second = operation.isIntDivRem() ? programs_divisor(operation) : operation.getOperand(1);
  if (operation.isCommutative() && shapes_.of(first).is_uniform()) std::swap(first, second);
  const Stride left = of(first), right = of(second);
  if (!left || !right) return std::nullopt;
  const bool uniform = shapes_.of(second).is_uniform();
  const auto* constant = dyn_cast<ConstantInt>(second);
  switch (operation.getOpcode()) {
  case Instruction::Mul:
    return *left == 0 && *right == 0 ? Stride(0) : std::nullopt;
  case Instruction::Shl:
    return *left == 0 && uniform ? Stride(0) : std::nullopt;
  case Instruction::And:
  case Instruction::URem:
  case Instruction::SRem:
    return uniform && (!constant || mostly_within(*left, constant->getValue(), width_)) ? left : std::nullopt;
  case Instruction::UDiv:
  case Instruction::SDiv:
    return uniform && (!constant || mostly_within(*left, constant->getValue(), width_)) ? Stride(0)
                                                                                        : std::nullopt;
  case Instruction::LShr:
  case Instruction::AShr:
    if (!uniform || !constant || constant->uge(63)) return std::nullopt;
    return mostly_within(*left, APInt(64, 1).shl(constant->getValue()), width_) ? Stride(0) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The stride that all incoming values have. The stride of the incoming values so far is recorded as the phi's stride,
/// so that the recursion through a loop's back edge finds the stride of the start.
LikelyStrides::Stride LikelyStrides::of_phi(const Instruction& instruction) {
  const auto& phi = cast<PHINode>(instruction);
  Stride all;
  for (const Value* value : phi.incoming_values()) {
    if (isa<UndefValue>(value) || value == &phi) continue;
    Stride stride = of(value);
    if (!stride || (all && *all != *stride)) return std::nullopt;
    known_[&phi] = all = stride;
  }
  return all;
}

} // namespace hostcl::compiler
