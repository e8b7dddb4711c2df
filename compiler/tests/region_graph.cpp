// Kernels cut at barriers: regions and their order, who follows whom, and whether work-items stay in step.

#include "compiler/passes/3_group/regions/region_graph.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/tests/module_text.hpp"
#include "compiler/values/group_uniformity.hpp"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <vector>

using namespace hostcl::compiler;
using namespace llvm;

namespace {

/// The graph of a kernel in which each block whose name begins with "wait" comes after a barrier.
struct Graph {
  ModuleText text;
  Function& kernel = text.function("k");
  GroupUniformity uniformity{kernel};
  RegionGraph graph;

  explicit Graph(const std::string& ir) : text(ir) {
    std::vector<BasicBlock*> behind;
    for (BasicBlock& block : kernel)
      if (block.getName().starts_with("wait")) behind.push_back(&block);
    graph = build_region_graph(kernel, kernel.getEntryBlock(), behind, &uniformity);
  }

  const Region& at(const char* head) {
    BasicBlock* block = &block_named(kernel, head);
    REQUIRE(graph.is_head(block));
    return graph.regions[graph.region_at[block]];
  }
  std::vector<std::string> blocks(const char* head) {
    std::vector<std::string> names;
    for (const BasicBlock* block : at(head).blocks)
      names.push_back(block->getName().str());
    return names;
  }
  std::vector<std::string> next(const char* head) {
    std::vector<std::string> names;
    for (unsigned region : at(head).next)
      names.push_back(graph.regions[region].head->getName().str());
    return names;
  }
};

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("Region graph: without barriers there is one region of all blocks", "[region_graph]") {
  Graph g(R"(
define spir_kernel void @k(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  ret void
})");
  CHECK(g.graph.regions.size() == 1);
  CHECK(g.blocks("entry") == Names{"entry", "a", "b"});
  CHECK(g.at("entry").returns);
  CHECK(g.graph.lockstep == Lockstep::complete);
}

TEST_CASE("Region graph: a block that two regions reach belongs to both", "[region_graph]") {
  Graph g(R"(
define spir_kernel void @k(i1 %c) {
entry:
  br i1 %c, label %then, label %join
then:
  br label %wait
wait:
  br label %join
join:
  ret void
})");
  CHECK(g.graph.regions.size() == 2);
  CHECK(g.blocks("entry") == Names{"entry", "then", "join"});
  CHECK(g.blocks("wait") == Names{"wait", "join"});
  CHECK(g.next("entry") == Names{"wait"});
  CHECK(g.next("wait").empty());
  CHECK(g.at("entry").returns);
  CHECK(g.graph.lockstep == Lockstep::complete); // %c is the group's
}

TEST_CASE("Region graph: a barrier in a loop is followed by itself or the end", "[region_graph]") {
  Graph g(R"(
define spir_kernel void @k(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %wait ]
  br label %wait
wait:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
})");
  CHECK(g.blocks("entry") == Names{"entry", "loop"});
  CHECK(g.blocks("wait") == Names{"wait", "loop", "end"});
  CHECK(g.next("entry") == Names{"wait"});
  CHECK(g.next("wait") == Names{"wait"});
  CHECK_FALSE(g.at("entry").returns);
  CHECK(g.at("wait").returns);
  CHECK(g.graph.lockstep == Lockstep::complete);
}

TEST_CASE("Region graph: regions are numbered in the order of the function, ways are named once",
          "[region_graph]") {
  Graph g(R"(
define spir_kernel void @k(i32 %n) {
entry:
  switch i32 %n, label %x [ i32 0, label %y
                            i32 1, label %y
                            i32 2, label %x ]
x:
  br label %wait.x
y:
  br label %wait.y
wait.x:
  br label %y
wait.y:
  ret void
})");
  CHECK(g.next("entry") == Names{"wait.x", "wait.y"});
  CHECK(g.next("wait.x") == Names{"wait.y"});
  CHECK(g.graph.region_at[&block_named(g.kernel, "wait.x")] <
        g.graph.region_at[&block_named(g.kernel, "wait.y")]);
  CHECK(g.graph.lockstep == Lockstep::complete);
}

TEST_CASE("Region graph: how far work-items stay in step", "[region_graph]") {
  const auto kernel = [](const char* body) {
    return std::string("define spir_kernel void @k(i64 %n, ptr addrspace(1) %p) {\nentry:\n"
                       "  %x = call i64 @__hostcl_local_id(i32 0)\n  %c = icmp ult i64 %x, %n\n") +
           body + "}\n";
  };
  SECTION("they part and meet in one region") {
    Graph g(kernel(
        "  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  br label %wait\nwait:\n  ret void\n"));
    CHECK(g.graph.lockstep == Lockstep::complete);
  }
  SECTION("some return, the others wait") {
    Graph g(kernel("  br i1 %c, label %a, label %end\na:\n  br label %wait\nwait:\n  br label %end\nend:\n  "
                   "ret void\n"));
    CHECK(g.graph.lockstep == Lockstep::until_return);
  }
  SECTION("they wait at different barriers") {
    Graph g(kernel("  br i1 %c, label %a, label %b\na:\n  br label %wait\nb:\n  br label %wait.b\n"
                   "wait:\n  ret void\nwait.b:\n  ret void\n"));
    CHECK(g.graph.lockstep == Lockstep::not_guaranteed);
  }
  SECTION("some go past a barrier to a later one") {
    Graph g(kernel("  br i1 %c, label %a, label %b\na:\n  br label %wait\nwait:\n  br label %b\n"
                   "b:\n  br label %wait.b\nwait.b:\n  ret void\n"));
    CHECK(g.graph.lockstep == Lockstep::not_guaranteed);
  }
  SECTION("they leave a loop with a barrier after different iterations") {
    Graph g(
        kernel("  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %wait ]\n  br label %wait\n"
               "wait:\n  %i.next = add i64 %i, 1\n  %more = icmp ult i64 %i.next, %x\n"
               "  br i1 %more, label %loop, label %end\nend:\n  ret void\n"));
    CHECK(g.graph.lockstep == Lockstep::until_return);
  }
  SECTION("they leave such a loop for another barrier") {
    Graph g(kernel(
        "  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %i.next, %wait ]\n  br label %wait\n"
        "wait:\n  %i.next = add i64 %i, 1\n  %more = icmp ult i64 %i.next, %x\n"
        "  br i1 %more, label %loop, label %end\nend:\n  br label %wait.end\nwait.end:\n  ret void\n"));
    CHECK(g.graph.lockstep == Lockstep::not_guaranteed);
  }
}

TEST_CASE("Region graph: where many regions would copy the same code, they meet in one of their own",
          "[region_graph]") {
  // Each of 12 cases waits, and all of them go on with 100 instructions.
  std::string ir =
      "define spir_kernel void @k(i32 %n, ptr addrspace(1) %p) {\nentry:\n  switch i32 %n, label %tail [\n";
  for (unsigned i = 0; i < 12; ++i)
    ir += "    i32 " + std::to_string(i) + ", label %case" + std::to_string(i) + "\n";
  ir += "  ]\n";
  for (unsigned i = 0; i < 12; ++i) {
    const std::string number = std::to_string(i);
    ir += "case" + number + ":\n  br label %wait" + number + "\nwait" + number + ":\n  br label %tail\n";
  }
  ir += "tail:\n";
  for (unsigned i = 0; i < 100; ++i)
    ir += "  store volatile i32 " + std::to_string(i) + ", ptr addrspace(1) %p\n";
  ir += "  br label %end\nend:\n  ret void\n}\n";
  Graph g(ir);
  CHECK(g.graph.regions.size() == 14);
  CHECK(g.blocks("tail") == Names{"tail", "end"});
  CHECK(g.graph.region_at[&block_named(g.kernel, "tail")] ==
        1); // regions at joins come before those at barriers
  for (const char* wait : {"wait0", "wait11"}) {
    CHECK(g.blocks(wait) == Names{wait});
    CHECK(g.next(wait) == Names{"tail"});
  }
}
