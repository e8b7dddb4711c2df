#pragma once

// Branches that control a barrier. Their conditions are uniform by the specification (OpenCL C 3.0, 6.15.8), which
// requires that all work-items of a group reach a barrier or none does.
// Tests: tests/passes/vectorise/control/vectorise_barrier_branches.ll, compiler/tests/shapes.cpp

#include <vector>

namespace llvm {
class LoopInfo;
}

namespace hostcl::compiler {

class ForwardGraph;

/// For each block of the graph, whether its branch controls a barrier: whether work-items that diverge there could
/// not all reach the same barriers, because staying in a loop cannot avoid one, or because one successor leads to
/// one that the other does not lead to.
std::vector<bool> branches_about_barriers(const ForwardGraph& graph, const llvm::LoopInfo& loops);

} // namespace hostcl::compiler
