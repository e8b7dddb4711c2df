// The acyclic graph of a kernel's blocks: its order, dominators and post-dominators, compared with definitions that are
// evaluated by search.

#include "compiler/passes/2_vector/shapes/forward_graph.hpp"

#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/tests/module_text.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

#include <set>
#include <vector>

using namespace hostcl::compiler;
using namespace llvm;

namespace {

struct Graph {
  ModuleText text;
  Function& kernel = text.function("k");
  DominatorTree dominators;
  LoopInfo loops;
  std::unique_ptr<ForwardGraph> graph;

  explicit Graph(const std::string& ir) : text(ir) {
    REQUIRE_FALSE(llvm::errorToBool(canonicalise(kernel, dominators, loops)));
    graph = std::make_unique<ForwardGraph>(kernel, loops);
  }
  unsigned operator[](const char* name) { return graph->index(&block_named(kernel, name)); }

  /// Successors without back edges: a latch leads to the exits of its loop.
  std::set<unsigned> successors_of(unsigned block) {
    std::set<unsigned> to;
    for (BasicBlock* next : successors(graph->block(block))) {
      const Loop* loop = loops.getLoopFor(next);
      if (!loop || loop->getHeader() != next || !loop->contains(graph->block(block))) {
        to.insert(graph->index(next));
        continue;
      }
      SmallVector<BasicBlock*, 4> exits;
      loop->getExitBlocks(exits);
      for (BasicBlock* exit : exits)
        to.insert(graph->index(exit));
      if (exits.empty()) to.insert(graph->size() - 1);
    }
    return to;
  }
  /// Whether `to` can be reached from `from` without passing `avoided`.
  bool reaches(unsigned from, unsigned to, unsigned avoided) {
    if (from == avoided) return false;
    if (from == to) return true;
    for (unsigned next : successors_of(from))
      if (reaches(next, to, avoided)) return true;
    return false;
  }
};

const char* const kernels[] = {R"(
define spir_kernel void @k(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %c, label %a1, label %a2
a1:
  br label %join
a2:
  br label %join
b:
  br label %join
join:
  ret void
})",
                               R"(
define spir_kernel void @k(i1 %c, i32 %n) {
entry:
  br label %loop
loop:
  br i1 %c, label %body, label %found
body:
  switch i32 %n, label %latch [ i32 0, label %out
                                i32 1, label %special ]
special:
  br label %latch
latch:
  br i1 %c, label %loop, label %end
found:
  br label %end
out:
  br label %end
end:
  ret void
})",
                               R"(
define spir_kernel void @k(i1 %c, i1 %d) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %inner.latch, label %leave
inner.latch:
  br i1 %d, label %inner, label %outer.latch
outer.latch:
  br i1 %c, label %outer, label %end
leave:
  br i1 %d, label %end, label %last
last:
  br label %end
end:
  ret void
})",
                               R"(
define spir_kernel void @k(i1 %c) {
entry:
  br i1 %c, label %forever, label %end
forever:
  br label %forever
end:
  ret void
})"};

} // namespace

TEST_CASE("Forward graph: the order is topological, and keeps loops and what a block dominates together",
          "[forward_graph]") {
  for (const char* text : kernels) {
    CAPTURE(text);
    Graph g(text);
    REQUIRE(g.graph->valid());
    CHECK(g.graph->size() == g.kernel.size());
    CHECK(isa<ReturnInst>(g.graph->block(g.graph->size() - 1)->getTerminator()));
    for (unsigned b = 0; b < g.graph->size(); ++b) {
      CHECK(g.graph->index(g.graph->block(b)) == b);
      for (unsigned next : g.successors_of(b))
        CHECK(next > b);
    }
    for (const Loop* loop : g.loops.getLoopsInPreorder())
      for (const BasicBlock* block : loop->blocks())
        CHECK(g.graph->index(block) - g.graph->index(loop->getHeader()) < loop->getNumBlocks());
  }
}

TEST_CASE("Forward graph: dominance is what paths say", "[forward_graph]") {
  for (const char* text : kernels) {
    CAPTURE(text);
    Graph g(text);
    const unsigned last = g.graph->size() - 1, none = ~0u;
    for (unsigned a = 0; a < g.graph->size(); ++a)
      for (unsigned b = 0; b < g.graph->size(); ++b) {
        CAPTURE(a, b);
        CHECK(g.graph->dominates(a, b) == (a == b || !g.reaches(0, b, a)));
        CHECK(g.graph->postdominates(a, b) == (a == b || !g.reaches(b, last, a)));
        CHECK(g.reaches(0, b, none));
      }
    for (unsigned b = 0; b < last; ++b) {
      CHECK(g.graph->postdominates(g.graph->ipdom(b), b));
      CHECK(g.graph->ipdom(b) > b);
    }
  }
}

TEST_CASE("Forward graph: an outer dominator dominates, and lies in no loop that the block is outside of",
          "[forward_graph]") {
  for (const char* text : kernels) {
    CAPTURE(text);
    Graph g(text);
    for (unsigned b = 1; b < g.graph->size(); ++b) {
      const unsigned outer_dominator = g.graph->outer_dominator(b, g.loops);
      CHECK(g.graph->dominates(outer_dominator, b));
      const Loop* loop = g.loops.getLoopFor(g.graph->block(outer_dominator));
      CHECK((!loop || loop->contains(g.graph->block(b))));
    }
  }
}

TEST_CASE("Canonical form: one return, no switch with a case like its default, no irreducible circle",
          "[forward_graph]") {
  Graph g(R"(
define spir_kernel void @k(i1 %c, i32 %n) {
entry:
  switch i32 %n, label %a [ i32 0, label %a
                            i32 1, label %b
                            i32 2, label %early
                            i32 3, label %never ]
a:
  br label %b
b:
  br i1 %c, label %a, label %done
early:
  ret void
done:
  ret void
never:
  unreachable
dead:
  ret void
})");
  CHECK(g.graph->valid());
  unsigned returns = 0;
  for (const BasicBlock& block : g.kernel) {
    returns += isa<ReturnInst>(block.getTerminator());
    CHECK_FALSE(isa<UnreachableInst>(block.getTerminator()));
    if (const auto* choice = dyn_cast<SwitchInst>(block.getTerminator()))
      for (const auto& each : choice->cases())
        CHECK(each.getCaseSuccessor() != choice->getDefaultDest());
  }
  CHECK(returns == 1);
  CHECK(g.loops.getTopLevelLoops().size() == 1);
}
