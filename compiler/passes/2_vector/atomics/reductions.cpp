#include "compiler/passes/2_vector/atomics/reductions.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler {

using namespace llvm;

Value* only_active(Emission& e, Combine combine, Value* values) {
  return e.build.CreateSelect(e.mask, values, neutral_value(combine, values->getType()));
}

Value* combine_values(Emission& e, Combine combine, Value* left, Value* right) {
  switch (combine) {
  case Combine::add:
    return e.build.CreateAdd(left, right);
  case Combine::mul:
    return e.build.CreateMul(left, right);
  case Combine::and_:
    return e.build.CreateAnd(left, right);
  case Combine::or_:
    return e.build.CreateOr(left, right);
  case Combine::xor_:
    return e.build.CreateXor(left, right);
  case Combine::smin:
    return e.build.CreateBinaryIntrinsic(Intrinsic::smin, left, right);
  case Combine::smax:
    return e.build.CreateBinaryIntrinsic(Intrinsic::smax, left, right);
  case Combine::umin:
    return e.build.CreateBinaryIntrinsic(Intrinsic::umin, left, right);
  case Combine::umax:
    return e.build.CreateBinaryIntrinsic(Intrinsic::umax, left, right);
  case Combine::fadd:
    return e.build.CreateFAdd(left, right);
  case Combine::fmul:
    return e.build.CreateFMul(left, right);
  case Combine::fmin:
    return e.build.CreateMinNum(left, right);
  case Combine::fmax:
    return e.build.CreateMaxNum(left, right);
  }
  return nullptr;
}

/// Combines the lower half of the vector with the upper half until one lane is left. LLVM's code generator recognises
/// this form as a reduction.
Value* reduce_lanes(Emission& e, Combine combine, Value* values) {
  for (unsigned half = e.width / 2; half != 0; half /= 2) {
    auto low = to_vector<32>(seq(0, static_cast<int>(half)));
    auto high = to_vector<32>(seq(static_cast<int>(half), static_cast<int>(2 * half)));
    values = combine_values(e, combine, e.build.CreateShuffleVector(values, low),
                            e.build.CreateShuffleVector(values, high));
  }
  return e.build.CreateExtractElement(values, std::uint64_t{0});
}

/// Each step combines each lane with the lane `distance` before it (Hillis and Steele's scan).
Value* scan_lanes(Emission& e, Combine combine, Value* values, bool inclusive) {
  Value* nothing = neutral_value(combine, values->getType());
  auto moved_up = [&](Value* from, unsigned distance) {
    SmallVector<int, 64> lanes;
    for (unsigned lane = 0; lane < e.width; ++lane)
      lanes.push_back(static_cast<int>(lane < distance ? e.width : lane - distance));
    return e.build.CreateShuffleVector(from, nothing, lanes);
  };
  if (!inclusive) values = moved_up(values, 1);
  for (unsigned distance = 1; distance < e.width; distance *= 2)
    values = combine_values(e, combine, moved_up(values, distance), values);
  return values;
}

} // namespace hostcl::compiler
