#pragma once

// Writes the tests at run time for affine values whose shape is only valid under a condition (Confidence::checked): no
// extension in the value's computation wraps between lanes, and no minimum or maximum replaces the value by its border
// in any lane.
// Tests: tests/passes/2_vector/memory/vectorise_clamped.ll, vectorise_index_overflow.ll

#include "llvm/ADT/DenseMap.h"

#include <cstdint>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class Emission;

/// Writes the test that first + lane * stride does not wrap for any lane (i1).
llvm::Value* stays_in_range(Emission& e, llvm::Value* first, std::int64_t stride, bool is_signed);

/// The tests of one kernel. Each test is written once, after the value that it tests, and reused for all accesses.
class AffineTests {
public:
  explicit AffineTests(Emission& e) : e_(e) {}

  /// Writes the test that a value of checked shape is affine (i1).
  llvm::Value* is_affine_now(llvm::Value* old);

private:
  llvm::Value* condition_of(llvm::Instruction& instruction);

  Emission& e_;
  llvm::DenseMap<const llvm::Instruction*, llvm::Value*> known_;
};

} // namespace hostcl::compiler
