#pragma once

// Writes the vector form of a kernel block by block, and turns divergent branches into masks (if-conversion by partial
// linearisation).
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
// The algorithm is the partial linearisation of Moll and Hack (PLDI 2018). Blocks are written in the order of the
// forward graph. A block carries a set of pending blocks: those that some lanes still have to visit. A uniform branch
// stays a branch, and both successors inherit the set. A divergent branch adds both its targets to the set. In both
// cases control continues at the first block of the set. If not all lanes need be active in that block, and the block
// is expensive or unsafe without an active lane, the jump tests whether any lane is active, and skips the block
// otherwise.
//
// A switch is a branch with many targets: each target gets the lanes whose value is one of the target's cases.
//
// A divergent loop gets one more block at its end. All lanes come to this block, whether they leave the loop or start
// another iteration. The block takes the back edge while a lane needs another iteration; then it continues with all
// exits of the loop pending.
//
// Masks and phis live in stack slots while code is written, and are promoted to SSA values afterwards. A lane that goes
// from block p to block s adds itself to the mask of s, and stores its values for the phis of s.
//
// Invariant: a block that needs an active lane runs only if it has one. The set of pending blocks covers all lanes of
// the surrounding uniform region, so if the set has a single block, some lane is active in it, and no test is needed.
//
// Gains of skipped blocks on an Emerald Rapids Xeon: sines 5 to 22, rare work of few items 5.7, n-body 1.9 times as
// fast. float4 under a guard that a quarter of the work-items pass: 6 on a Rocket Lake Xeon, 15 if the pages of the
// result are not there yet.
//
// Tests: tests/passes/2_vector/control/vectorise_branches.ll, vectorise_switch.ll, vectorise_loops.ll,
// vectorise_barriers.ll.

#include "compiler/passes/2_vector/values/instructions.hpp"

#include "llvm/ADT/ImmutableList.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace hostcl::compiler {

class ControlFlow {
public:
  explicit ControlFlow(Emission& emission);

  /// Writes the body of the emission's target function.
  void write();

private:
  struct Node;
  /// A set of nodes that lanes still have to visit, in ascending order. Lists share their tails, and equal sets are the
  /// same list. So a switch with thousands of cases, each of which hands the remaining cases on to the next, takes
  /// linear memory.
  using Pending = llvm::ImmutableList<Node*>;

  /// A block of the source, or the end of a divergent loop.
  struct Node {
    unsigned block = 0;                ///< index in the forward graph; for a loop's end the latch's
    const llvm::Loop* ends = nullptr;  ///< for a loop's end: the loop
    llvm::BasicBlock* begin = nullptr; ///< the first block of the node's code
    llvm::AllocaInst* mask_slot =
        nullptr;                 ///< for control classes; for a loop's end the lanes of the next iteration
    llvm::Value* mask = nullptr; ///< null until the node is written
    Pending pending;
    llvm::SmallVector<llvm::AllocaInst*, 4> emptied_masks, emptied_phis; ///< slots, cleared at its end
  };

  void make_nodes();
  void make_slots(Node& node);
  bool is_header(unsigned block) const;

  void write_block(Node& node);
  void write_loop_end(const Node& node);
  void write_uniform(const Node& node, llvm::Instruction& choice, llvm::Value* decision);
  void write_branch(const Node& node, llvm::BranchInst& branch);
  void write_switch(const Node& node, llvm::SwitchInst& choice);
  void go(const Node& node, const llvm::BasicBlock* to, llvm::Value* lanes, Pending& set);
  void flow(unsigned from, unsigned to, llvm::Value* lanes);
  void flow_into_phi(llvm::PHINode& phi, const llvm::BasicBlock* from, llvm::Value* lanes, bool alone);
  void add_target(Pending& set, const llvm::BasicBlock* from, const llvm::Loop* loop, unsigned to);
  Pending unite(Pending a, Pending b);
  void jump(Pending set, const llvm::Instruction& why);
  llvm::Value* current_mask(const Node& node);

  Emission& e_;
  InstructionWriter instructions_;
  const ForwardGraph& graph_;
  const llvm::LoopInfo& loops_;
  const Shapes& shapes_;
  Pending::Factory sets_;
  llvm::DenseMap<Pending, llvm::BasicBlock*>
      gates_;               ///< blocks that jump to the first node with an active lane
  std::vector<Node> nodes_; ///< in the order in which they are written
  std::vector<unsigned> node_of_block_;
  llvm::DenseMap<const llvm::Loop*, unsigned> end_of_loop_;
  llvm::DenseMap<const llvm::Loop*, Pending> outside_; ///< the set that was pending when the loop was entered
  llvm::DenseMap<const llvm::PHINode*, llvm::AllocaInst*> phi_slots_;
};

} // namespace hostcl::compiler
