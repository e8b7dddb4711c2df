#include "compiler/passes/analysis/group_start.hpp"

#include "compiler/passes/intrinsics.hpp"

#include "llvm/IR/InstrTypes.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_size_of_group(const Value& value) {
  return is_call_of(value, Intrinsic::enqueued_local_size) || is_call_of(value, Intrinsic::local_size);
}

} // namespace

std::optional<unsigned> dimension_of_start(const Value& value) {
  const auto* product = dyn_cast<BinaryOperator>(&value);
  if (!product || product->getOpcode() != Instruction::Mul) return std::nullopt;
  for (unsigned side = 0; side < 2; ++side) {
    const Value &group = *product->getOperand(side), &size = *product->getOperand(1 - side);
    if (!is_call_of(group, Intrinsic::group_id) || !is_size_of_group(size)) continue;
    const unsigned dimension = dimension_of(cast<CallBase>(group));
    if (dimension == dimension_of(cast<CallBase>(size))) return dimension;
  }
  return std::nullopt;
}

} // namespace hostcl::compiler
