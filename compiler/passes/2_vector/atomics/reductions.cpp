#include "compiler/passes/2_vector/atomics/reductions.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/IR/Constants.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hostcl::compiler {

using namespace llvm;

Value* only_active(Emission& e, RecurKind combine, Value* values) {
  return e.build.CreateSelect(e.mask, values, neutral_value(combine, values->getType()));
}

Value* combine_values(Emission& e, RecurKind combine, Value* left, Value* right) {
  if (RecurrenceDescriptor::isMinMaxRecurrenceKind(combine))
    return createMinMaxOp(e.build, combine, left, right);
  return e.build.CreateBinOp(Instruction::BinaryOps(RecurrenceDescriptor::getOpcode(combine)), left, right);
}

/// Combines the lower half of the vector with the upper half until one lane is left. LLVM's code generator recognises
/// this form as a reduction.
Value* reduce_lanes(Emission& e, RecurKind combine, Value* values) {
  for (unsigned half = e.width / 2; half != 0; half /= 2) {
    auto low = to_vector<32>(seq(0, static_cast<int>(half)));
    auto high = to_vector<32>(seq(static_cast<int>(half), static_cast<int>(2 * half)));
    values = combine_values(e, combine, e.build.CreateShuffleVector(values, low),
                            e.build.CreateShuffleVector(values, high));
  }
  return e.build.CreateExtractElement(values, std::uint64_t{0});
}

Value* moved_up(Emission& e, Value* values, Value* low, unsigned distance) {
  SmallVector<int, 64> lanes;
  for (unsigned lane = 0; lane < e.width; ++lane)
    lanes.push_back(static_cast<int>(lane < distance ? e.width : lane - distance));
  return e.build.CreateShuffleVector(values, low, lanes);
}

/// Each step combines each lane with the lane `distance` before it (Hillis and Steele's scan).
Value* scan_lanes(Emission& e, RecurKind combine, Value* values, bool inclusive) {
  Value* nothing = neutral_value(combine, values->getType());
  if (!inclusive) values = moved_up(e, values, nothing, 1);
  for (unsigned distance = 1; distance < e.width; distance *= 2)
    values = combine_values(e, combine, moved_up(e, values, nothing, distance), values);
  return values;
}

} // namespace hostcl::compiler
