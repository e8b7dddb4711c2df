#pragma once

// Tests of a row's number, decided once for all rows of a group:
//
//   for each y of the group                           if (start + 0 < n && start + size - 1 < n)   ; one test for all
//     if (start + y < n) for k: sum += ...       =>     for each y of the group: for k: sum += ...
//                                                      else
//                                                        the loop as it was
//
// so that the rows run together (unroll_and_jam.hpp): nearly all groups lie within the bounds that kernels test. A test
// is an inequality between a number that grows by one from row to row and one that is the same for all rows; in between
// the first and the last row it holds if it holds for both, unless the number wraps, which is tested as well. So are
// branches that are the same for all rows, such as the one around an inner loop that may have no rounds.
// Tests: tests/passes/codegen/unroll_and_jam_guards.ll

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace hostcl::compiler {

/// Makes a copy of a loop over rows for groups whose rows all pass their guards. The loop has one loop inside, leaves no
/// values, and is in LLVM's simplified form. @returns whether it has guards
bool decide_guards_before(llvm::Loop& rows, llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
                          llvm::ScalarEvolution& evolution);

} // namespace hostcl::compiler
