#pragma once

// Finds branches that control a barrier. Their conditions are uniform by the specification (OpenCL C 3.0, 6.15.8),
// which requires that either all work-items of a group reach a barrier or none does. The vectoriser relies on it.
// Tests: tests/passes/2_vector/control/vectorise_barrier_branches.ll, compiler/tests/shapes.cpp

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace llvm {
class BasicBlock;
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
/// cannot all reach the same barriers: because every path that stays in the loop reaches a barrier that leaving the
/// loop avoids, or because one successor leads to a barrier to which the other one does not lead.
std::vector<bool> branches_about_barriers(const ForwardGraph& graph, const llvm::LoopInfo& loops);

} // namespace hostcl::compiler
