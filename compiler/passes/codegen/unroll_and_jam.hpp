#pragma once

// Unroll and jam of the loop over rows of a work-group: rows that load the same vectors run their inner loops together.
//
//   for each y of the group                  for each four y of the group
//     for k: sum += a[y][k] * b[k][0..15] =>   for k: b = b[k][0..15]; sum0 += a[y][k] * b; sum1 += ...
//     c[y][0..15] = sum                        c[y][0..15] = sum0; c[y+1][0..15] = sum1; ...
//
// Each shared vector is loaded once for several rows, and the rows' sums are independent dependence chains. Work-items
// between two barriers may run in any order, so the pass needs no dependence analysis. It requires that the loop is one
// over work-items (metadata metadata::items), that the rows access no private memory, which they would share, that they
// have no atomics or calls, and that no value other than induction variables passes from one row to the next. Guards on
// the row's number, such as `if (y < height)`, are first decided for all rows of a group at once (row_guards.hpp). The
// transformation itself is LLVM's UnrollAndJamLoop().
//
// Gains on an Emerald Rapids Xeon: sgemm_naive 2.4, smaller products of matrices 2.8 times as fast; a matrix times its
// own transpose, whose rows share gathers, 4.
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

/// The pointer operand of a vector load, masked load or gather; null for other instructions.
const llvm::Value* vector_source(const llvm::Instruction& instruction);

/// The bytes that an iteration of `inner` loads as vectors from addresses that do not depend on the iteration of
/// `outer`.
unsigned shared_bytes(const llvm::Loop& outer, const llvm::Loop& inner);

/// Passes that unswitch loop-invariant conditions of the loops for which `is_wanted` holds, and bring loops into LLVM's
/// simplified form.
using IsWanted = bool (*)(const llvm::Loop& rows);
llvm::FunctionPassManager deciding_before_rows(IsWanted is_wanted);

} // namespace hostcl::compiler
