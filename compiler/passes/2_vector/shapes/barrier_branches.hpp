#pragma once

// Finds branches that control a barrier. Their conditions are uniform by the specification (OpenCL C 3.0, 6.15.8),
// which requires that either all work-items of a group reach a barrier or none does. The vectoriser relies on it.
//
// The specification also requires that work-items reach a barrier in the same iterations of the source's loops, but the
// loops of a module need not be the source's. clang 15 with -O2 turns the first form into the second:
//
//   for (;;) { barrier(); if (g()) f(); }      for (;;) { do barrier(); while (!g()); f(); }
//
// g() may differ between work-items, and decides when the inner loop is left. In both forms, all work-items reach the
// same barriers in the same order. So a branch controls a barrier only if its successors lead to different first
// barriers. A kernel in which work-items may diverge and reach one barrier in different iterations is not vectorised.
// Tests: tests/passes/2_vector/control/vectorise_barrier_branches.ll, vectorise_parted_barriers.ll,
// tests/spirv/barrier_loops.spvasm, compiler/tests/shapes.cpp

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
/// cannot all reach the same barriers in the same order: because one successor always leads to a barrier, and no
/// barrier can be the first one after both successors.
std::vector<bool> branches_about_barriers(const ForwardGraph& graph, const llvm::LoopInfo& loops);

/// Returns a barrier that work-items may reach in different iterations of a loop, or null if there is none.
/// @param diverges whether work-items may diverge at the branch of a block
const llvm::Instruction* find_parted_barrier(const ForwardGraph& graph, const llvm::LoopInfo& loops,
                                             llvm::function_ref<bool(unsigned)> diverges);

} // namespace hostcl::compiler
