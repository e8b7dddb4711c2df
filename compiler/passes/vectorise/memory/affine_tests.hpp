#pragma once

// Tests at run time of values whose shape is checked (Shape::checked): of what they depend on, no extension wraps
// between lanes, and no minimum or maximum is another value than that of the lane.
// Tests: tests/passes/vectorise/memory/vectorise_clamped.ll, vectorise_index_overflow.ll

#include "llvm/ADT/DenseMap.h"

#include <cstdint>

namespace llvm {
class CastInst;
class Instruction;
class MinMaxIntrinsic;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

/// Whether first + lane * stride stays in the range of its type, for all lanes.
llvm::Value* stays_in_range(Emission& e, llvm::Value* first, std::int64_t stride, bool is_signed);

class AffineTests {
public:
  explicit AffineTests(Emission& e) : e_(e) {}

  /// Whether a value of checked shape is affine at run time.
  llvm::Value* is_affine_now(llvm::Value* old);

private:
  llvm::Value* does_not_wrap(llvm::CastInst& extension);
  llvm::Value* is_not_clamped(llvm::MinMaxIntrinsic& clamp);

  Emission& e_;
  llvm::DenseMap<const llvm::Instruction*, llvm::Value*> known_;
};

} // namespace hostcl::compiler
