#include "compiler/values/ranges.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned depth_limit = 8;
constexpr std::uint64_t largest_id = (std::uint64_t{1} << 31) - 1;

std::optional<std::uint64_t> bound_of_query(const Value& value, bool ids_fit) {
  const auto if_ids_fit = [&](std::uint64_t bound) {
    return ids_fit && dimension_of(cast<CallBase>(value)) == 0 ? std::optional(bound) : std::nullopt;
  };
  switch (called_intrinsic(value).value_or(Intrinsic::barrier)) {
  case Intrinsic::local_id:
  case Intrinsic::sub_group_lane:
    return abi::max_group_items - 1;
  case Intrinsic::local_size:
  case Intrinsic::enqueued_local_size:
  case Intrinsic::sub_group_width:
    return abi::max_group_items;
  case Intrinsic::group_id:
  case Intrinsic::global_offset:
    return if_ids_fit(largest_id);
  case Intrinsic::group_count:
  case Intrinsic::global_size:
    return if_ids_fit(largest_id + 1);
  default:
    return std::nullopt;
  }
}

/// 0 to `bound`, in `bits` bits.
ConstantRange up_to(std::uint64_t bound, unsigned bits) {
  return ConstantRange(APInt(64, 0), APInt(64, bound + 1)).zextOrTrunc(bits);
}

ConstantRange range_of(const Value& value, LinearForms& forms, bool ids_fit, unsigned depth = 0) {
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (const auto* constant = dyn_cast<ConstantInt>(&value)) return constant->getValue();
  if (const auto bound = bound_of_query(value, ids_fit)) return up_to(*bound, bits);
  const auto* operation = dyn_cast<Instruction>(&value);
  if (!operation) return ConstantRange::getFull(bits);
  if (ids_fit && forms.is_global_id(forms.of(value, *operation->getParent()))) return up_to(largest_id, bits);
  if (depth == depth_limit) return ConstantRange::getFull(bits);
  const auto of_operand = [&](unsigned i) {
    return range_of(*operation->getOperand(i), forms, ids_fit, depth + 1);
  };
  if (const auto* binary = dyn_cast<BinaryOperator>(operation)) {
    const auto* either = dyn_cast<PossiblyDisjointInst>(binary);
    const auto opcode = either && either->isDisjoint() ? Instruction::Add : binary->getOpcode();
    return of_operand(0).binaryOp(opcode, of_operand(1));
  }
  if (isa<TruncInst, ZExtInst, SExtInst>(operation))
    return of_operand(0).castOp(cast<CastInst>(operation)->getOpcode(), bits);
  return isa<FreezeInst>(operation) ? of_operand(0) : ConstantRange::getFull(bits);
}

/// The bits of the first lane's value that are known.
KnownBits first_lane(const Value& value, const RangeAssumptions& assumptions, unsigned depth = 0) {
  KnownBits known(value.getType()->getIntegerBitWidth());
  if (const auto* constant = dyn_cast<ConstantInt>(&value))
    return KnownBits::makeConstant(constant->getValue());
  if (is_call_of(value, Intrinsic::sub_group_lane)) known.setAllZero();
  if (is_call_of(value, Intrinsic::local_id) && dimension_of(cast<CallBase>(value)) == 0 &&
      !assumptions.partial_sub_groups)
    known.Zero.setLowBits(Log2_32(assumptions.width));
  const auto* operation = dyn_cast<Instruction>(&value);
  if (!operation || depth == depth_limit) return known;
  const auto of = [&](unsigned i) { return first_lane(*operation->getOperand(i), assumptions, depth + 1); };
  switch (operation->getOpcode()) {
  case Instruction::Add:
    return KnownBits::add(of(0), of(1));
  case Instruction::Sub:
    return KnownBits::sub(of(0), of(1));
  case Instruction::Mul:
    return KnownBits::mul(of(0), of(1));
  case Instruction::Shl:
    return KnownBits::shl(of(0), of(1));
  case Instruction::LShr:
    return KnownBits::lshr(of(0), of(1));
  case Instruction::And:
    return of(0) & of(1);
  case Instruction::Or:
    return of(0) | of(1);
  case Instruction::Xor:
    return of(0) ^ of(1);
  case Instruction::Trunc:
    return of(0).trunc(known.getBitWidth());
  case Instruction::ZExt:
    return of(0).zext(known.getBitWidth());
  case Instruction::SExt:
    return of(0).sext(known.getBitWidth());
  case Instruction::Freeze:
    return of(0);
  default:
    return known;
  }
}

} // namespace

ConstantRange Ranges::of(const Value& value) const {
  // Each query computes the forms anew, because the function may have changed. A global id takes few operations.
  constexpr unsigned most_depth = 2 * depth_limit;
  LinearForms forms(nullptr, Wrapping::counts, most_depth);
  return range_of(value, forms, assumptions_.ids_fit_31_bits);
}

std::uint64_t Ranges::upper_bound(const Value& value) const {
  if (!value.getType()->isIntegerTy() || value.getType()->getIntegerBitWidth() > 64) return unbounded;
  return of(value).getUnsignedMax().getZExtValue();
}

unsigned Ranges::zero_bits_of_first_lane(const Value& value) const {
  return value.getType()->isIntegerTy() ? first_lane(value, assumptions_).countMinTrailingZeros() : 0;
}

} // namespace hostcl::compiler
