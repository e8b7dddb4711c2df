#pragma once

// Blocks whose masks the CPU's branch predictor knows beforehand: all conditions on the way to them are computed from
// ids and arguments, not from memory. Work-items beyond a border come in long runs, so a jump over such a block is
// nearly free, while one that depends on data may be wrong every other time.
//
// Test: tests/passes/vectorise/control/vectorise_skipped_accesses.ll

#include <vector>

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class ForwardGraph;
class Shapes;

/// An answer for each block of the graph.
std::vector<bool> foreseen_masks(const ForwardGraph& graph, const llvm::LoopInfo& loops,
                                 const Shapes& shapes);

} // namespace hostcl::compiler
