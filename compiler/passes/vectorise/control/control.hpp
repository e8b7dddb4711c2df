#pragma once

// Writes the vector form of a kernel block by block, with all divergent branches turned into masks.
//
//   head:                                      head:
//     br i1 %varying, %then, %join               %lanes = and %mask, %varying
//   then:                                        br any(%lanes), %then, %join
//     ...                                =>    then:                            ; runs for %lanes
//     br %join                                   ...
//   join:                                        br %join
//     %x = phi [%a, %head], [%b, %then]        join:
//                                                %x = select %lanes, %b', %a
//
// where %b' is poison if `then` was skipped.
//
// Partial linearisation after Moll and Hack (PLDI 2018): blocks are written in the forward graph's order. A
// block carries a set of pending blocks that lanes still have to visit. A uniform branch stays a branch, and
// both successors inherit the set. A divergent branch adds both its targets to the set. In both cases control
// goes on with the first of the set. If not all lanes may be active there and the target is expensive or
// unsafe without lanes, the jump tests whether any lane is, and skips it otherwise.
//
// A switch is a branch with many targets: each adds the lanes whose value is one of its cases.
//
// A divergent loop gets one more block at its end, to which all lanes come that leave the loop or start
// another iteration; it takes the back edge while lanes are left, then jumps on with all exits pending.
//
// Masks and phis live in stack slots while code is written and are promoted to SSA values afterwards: a lane
// that goes from p to s adds itself to the mask of s and stores its values for the phis of s.
//
// The block that is written always has a lane active if it needs one: the set of pending blocks covers all
// lanes of the surrounding uniform region, so a set of one block needs no test.
//
// Gains of skipped blocks on an Emerald Rapids Xeon: sines 5 to 22, rare work of few items 5.7, n-body 1.9 times as
// fast. float4 under a guard that a quarter of the work-items pass: 6 on a Rocket Lake Xeon, 15 where the pages of the
// result are not there yet.
//
// Tests: tests/passes/vectorise/control/vectorise_branches.ll, vectorise_switch.ll, vectorise_loops.ll, vectorise_barriers.ll.

#include "compiler/passes/vectorise/control/pending.hpp"
#include "compiler/passes/vectorise/emission.hpp"
#include "compiler/passes/vectorise/shapes/forward_graph.hpp"
#include "compiler/passes/vectorise/shapes/shapes.hpp"

#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace hostcl::compiler {

class InstructionWriter;

class ControlFlow {
public:
  ControlFlow(Emission& emission, InstructionWriter& instructions, const ForwardGraph& graph,
              const llvm::LoopInfo& loops, const Shapes& shapes);

  /// Fills the target function.
  void write();

private:
  /// A block of the source, or the end of a divergent loop.
  struct Node {
    unsigned block = 0;                    ///< in the forward graph; the latch's for a loop's end
    const llvm::Loop* ends = nullptr;      ///< the loop that this node is the end of
    llvm::BasicBlock* begin = nullptr;     ///< where its code starts
    llvm::AllocaInst* mask_slot = nullptr; ///< for leaders; for a loop's end the lanes of the next iteration
    llvm::Value* mask = nullptr;           ///< once written
    Pending pending = nullptr;
    llvm::SmallVector<llvm::AllocaInst*, 4> emptied_masks, emptied_phis; ///< slots, when this block ends
    bool guarded = false;                                                ///< must not run without lanes
  };

  void make_nodes();
  void make_slots(Node& node);
  void find_guards();
  bool is_header(unsigned block) const;

  void write_block(unsigned node);
  void write_loop_end(unsigned node);
  void write_branch(Node& node, const llvm::BranchInst& branch);
  void write_switch(Node& node, llvm::SwitchInst& choice);
  void write_uniform_switch(Node& node, llvm::SwitchInst& choice);
  void go(const Node& node, const llvm::BasicBlock* to, llvm::Value* lanes, Pending& set);
  void flow(unsigned from, unsigned to, llvm::Value* lanes);
  void flow_into_phi(llvm::PHINode& phi, const llvm::BasicBlock* from, llvm::Value* lanes, bool alone);
  void add_target(Pending& set, const llvm::BasicBlock* from, const llvm::Loop* loop, unsigned to);
  void jump(Pending set, const llvm::Instruction& why);
  llvm::Value* current_mask(unsigned node);

  Emission& e_;
  InstructionWriter& instructions_;
  const ForwardGraph& graph_;
  const llvm::LoopInfo& loops_;
  const Shapes& shapes_;
  PendingSets sets_;
  std::vector<Node> nodes_;
  std::vector<unsigned> node_of_block_;
  llvm::DenseMap<const llvm::Loop*, unsigned> end_of_loop_;
  llvm::DenseMap<const llvm::Loop*, Pending> outside_; ///< pending when the loop was entered
  llvm::DenseMap<const llvm::PHINode*, llvm::AllocaInst*> phi_slots_;
};

} // namespace hostcl::compiler
