#pragma once

// Finds blocks whose masks the CPU's branch predictor can predict: all conditions on the way to the block are computed
// from ids and arguments, not from memory. Work-items beyond a border come in long runs, so a jump over such a block is
// nearly free. A jump that depends on data may be mispredicted every other time.
//
// Test: tests/passes/2_vector/control/vectorise_skipped_accesses.ll

#include <vector>

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class ForwardGraph;
class Shapes;

/// For each block of the graph, whether its mask is predictable.
std::vector<bool> foreseen_masks(const ForwardGraph& graph, const llvm::LoopInfo& loops,
                                 const Shapes& shapes);

} // namespace hostcl::compiler
