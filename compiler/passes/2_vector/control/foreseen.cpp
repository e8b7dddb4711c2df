#include "compiler/passes/2_vector/control/foreseen.hpp"

#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/passes/2_vector/shapes/forward_graph.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"

namespace hostcl::compiler {

using namespace llvm;

std::vector<bool> foreseen_masks(const ForwardGraph& graph, const LoopInfo& loops, const Shapes& shapes) {
  LinearForms forms(nullptr, Wrapping::ignored);
  std::vector<bool> foreseen(graph.size());
  for (unsigned b = 0; b < graph.size(); ++b) {
    const BasicBlock* block = graph.block(b);
    const Loop* loop = loops.getLoopFor(block);
    const bool again = loop && loop->getHeader() == block && shapes.diverges(loop);
    foreseen[b] = !again && all_of(predecessors(block), [&](const BasicBlock* from) {
      const unsigned p = graph.index(from);
      if (p >= b) return true; // a latch of a uniform loop, which has the same lanes as this header
      if (!foreseen[p]) return false;
      return shapes.branches_uniformly(p) ||
             !(forms.of(*deciding_value(*from), *from).dependence() & (on_memory | on_item));
    });
  }
  return foreseen;
}

} // namespace hostcl::compiler
