#pragma once

// Finds branches that control a barrier. Their conditions are uniform by the specification (OpenCL C 3.0, 6.15.8),
// which requires that either all work-items of a group reach a barrier or none does. The vectoriser relies on it.
//
// The specification also requires that work-items reach a barrier in the same iterations of the source's loops, but the
// loops of a module need not be the source's. clang 15 with -O2 makes the second form of the first:
//
//   for (;;) { barrier(); if (g()) f(); }      for (;;) { do barrier(); while (!g()); f(); }
//
// Work-items may differ in g(), which leaves the inner loop. What holds in both forms is that all work-items reach the
// same barriers in the same order. So a branch controls a barrier only if its ways lead to different barriers first.
// Where work-items part and may meet one barrier in different iterations, a kernel is not vectorised.
// Tests: tests/passes/2_vector/control/vectorise_barrier_branches.ll, compiler/tests/shapes.cpp

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace llvm {
class BasicBlock;
class Instruction;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class ForwardGraph;

bool has_barrier(const llvm::BasicBlock& block);

/// Whether a path of at least one edge leads from `from` to a block for which `is_goal` is true. The path may contain
/// only blocks for which `may_pass` is true; `from` itself is not tested.
bool leads_to(const llvm::BasicBlock& from, llvm::function_ref<bool(const llvm::BasicBlock&)> is_goal,
              llvm::function_ref<bool(const llvm::BasicBlock&)> may_pass);

/// For each block of the graph, whether its branch controls a barrier. It does if work-items that diverge at the branch
/// cannot all reach the same barriers in the same order: because one of its ways always reaches a barrier, and no
/// barrier may be the first one on both ways.
std::vector<bool> branches_about_barriers(const ForwardGraph& graph, const llvm::LoopInfo& loops);

/// Returns a barrier that work-items may reach in different iterations of a loop, or null if there is none.
/// @param diverges whether work-items may part at the end of a block of the graph
const llvm::Instruction* find_parted_barrier(const ForwardGraph& graph, const llvm::LoopInfo& loops,
                                             llvm::function_ref<bool(unsigned)> diverges);

} // namespace hostcl::compiler
