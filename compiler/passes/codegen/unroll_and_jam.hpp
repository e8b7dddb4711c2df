#pragma once

// Rows of a work-group that read the same vectors run their inner loops together:
//
//   for each y of the group                  for each four y of the group
//     for k: sum += a[y][k] * b[k][0..15] =>   for k: b = b[k][0..15]; sum0 += a[y][k] * b; sum1 += ...
//     c[y][0..15] = sum                        c[y][0..15] = sum0; c[y+1][0..15] = sum1; ...
//
// so that each vector is loaded once for all of them, and their sums do not wait for each other. Work-items
// between two barriers may run in any order, so this needs no proof but that the loop is one over work-items
// (`marks::items`), that they have no private memory, which rows share, and no atomics, and that a row leaves
// nothing to the next one. Tests of the row's number, as of `if (y < height)`, are decided for all rows of a group at once
// (row_guards.hpp).
//
// Gains on an Emerald Rapids Xeon: sgemm_naive 2.4, smaller products of matrices 2.8 times as fast; a matrix times its own
// transpose, whose rows share gathers, 4.
//
// In: the function of a range of groups, for this machine, after loops have been simplified.
// Tests: tests/passes/codegen/unroll_and_jam*.ll

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// The address or addresses that a vector is loaded from, with or without a mask; null for other instructions.
const llvm::Value* vector_source(const llvm::Instruction& instruction);

/// The bytes of vectors that an iteration of `inner` loads from addresses that all iterations of `outer` share.
unsigned shared_bytes(const llvm::Loop& outer, const llvm::Loop& inner);

/// Passes that move tests which all work-items of such a loop share in front of it, and give loops LLVM's simplified form.
using IsWanted = bool (*)(const llvm::Loop& rows);
llvm::FunctionPassManager deciding_before_rows(IsWanted is_wanted);

struct UnrollAndJamPass : llvm::PassInfoMixin<UnrollAndJamPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler
