#pragma once

// Versions a loop over rows (work-items along y of a group) for the case that all rows pass the bounds checks that the
// kernel makes of the row's number, and unswitches branches that are the same for all rows:
//
//   for each y of the group                           if (start + 0 < n && start + size - 1 < n)   ; one test for all
//     if (start + y < n) for k: sum += ...       =>     for each y of the group: for k: sum += ...
//                                                      else
//                                                        the loop as it was
//
// In the version without guards, unroll-and-jam can run several rows together (unroll_and_jam.cpp). Nearly all groups
// lie within the bounds that kernels test. A guard is an inequality between an induction variable with step 1 and a
// loop-invariant value. It holds for all rows if it holds for the first and the last one and the variable does not wrap
// in between, which is tested as well. Branches on loop-invariant conditions are handled in the same way, such as the
// branch around an inner loop that may have no iterations.
// Tests: tests/passes/5_loops/unroll_and_jam_guards.ll

#include "llvm/IR/PassManager.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace hostcl::compiler {

struct LoopNest;

/// Passes that unswitch loop-invariant conditions of the loops for which `is_wanted` holds, such as the test whether the
/// inner loop has any iterations, and bring loops into LLVM's simplified form.
using IsWanted = bool (*)(llvm::Loop& rows);
llvm::FunctionPassManager deciding_before_rows(IsWanted is_wanted);

/// Versions a loop over rows: the loop itself becomes the version without guards, a copy keeps the guards. The loop
/// must have no values that are used after it, and be in LLVM's simplified form. @returns whether the loop has guards
bool decide_guards_before(const LoopNest& nest, llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
                          llvm::ScalarEvolution& evolution);

} // namespace hostcl::compiler
