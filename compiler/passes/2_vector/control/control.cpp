#include "compiler/passes/2_vector/control/control.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

ControlFlow::ControlFlow(Emission& emission)
    : e_(emission),
      instructions_(emission),
      graph_(emission.plan.graph),
      loops_(emission.plan.loops),
      shapes_(emission.plan.shapes) {}

void ControlFlow::write() {
  BasicBlock* prologue = e_.new_block("entry");
  make_nodes();
  e_.build.SetInsertPoint(prologue);
  e_.build.CreateBr(nodes_.front().begin);
  e_.build.SetInsertPoint(prologue->getTerminator());
  nodes_.front().mask = e_.build.CreateCall(declare_lane_mask(*e_.target.getParent(), e_.width), {}, "mask");
  for (Node& node : nodes_)
    make_slots(node);
  for (Node& node : nodes_) {
    if (e_.failed()) return;
    node.ends ? write_loop_end(node) : write_block(node);
  }
}

// ---- Nodes

bool ControlFlow::is_header(unsigned block) const {
  return loops_.isLoopHeader(graph_.block(block));
}

/// Makes a node for each block in the order of the forward graph, and after the last block of each divergent loop a
/// node for the loop's end.
void ControlFlow::make_nodes() {
  node_of_block_.resize(graph_.size());
  for (unsigned b = 0; b < graph_.size(); ++b) {
    const BasicBlock* block = graph_.block(b);
    note_change(Heuristic::skipped_blocks, e_.plan.block(b).is_slow && !e_.plan.block(b).needs_lane);
    node_of_block_[b] = static_cast<unsigned>(nodes_.size());
    Node& node = nodes_.emplace_back();
    node.block = b;
    node.begin = e_.new_block(block->getName());
    for (const Loop* loop = loops_.getLoopFor(block); loop; loop = loop->getParentLoop()) {
      if (graph_.index(loop->getHeader()) + loop->getNumBlocks() != b + 1) break;
      if (!shapes_.diverges(loop)) continue;
      end_of_loop_[loop] = static_cast<unsigned>(nodes_.size());
      Node& end = nodes_.emplace_back();
      end.block = graph_.index(loop->getLoopLatch());
      end.ends = loop;
      end.begin = e_.new_block(loop->getHeader()->getName() + ".end");
    }
  }
}

void ControlFlow::make_slots(Node& node) {
  Type* mask_type = e_.wide(Type::getInt1Ty(e_.target.getContext()));
  if (node.ends) {
    node.mask_slot = e_.slot(mask_type, "again");
    nodes_[node_of_block_[graph_.index(node.ends->getHeader())]].emptied_masks.push_back(node.mask_slot);
    return;
  }
  const unsigned b = node.block;
  if (b == 0) return;
  Node& outer_dominator = nodes_[node_of_block_[graph_.outer_dominator(b, loops_)]];
  if (shapes_.control_class(b) == b) {
    node.mask_slot = e_.slot(mask_type, "lanes");
    if (!is_header(b)) outer_dominator.emptied_masks.push_back(node.mask_slot);
  }
  for (PHINode& phi : graph_.block(b)->phis()) {
    Type* type = shapes_.of(&phi).is_varying() ? e_.wide(phi.getType()) : phi.getType();
    AllocaInst* slot = phi_slots_[&phi] = e_.slot(type, phi.getName());
    if (!is_header(b)) outer_dominator.emptied_phis.push_back(slot);
  }
}

// ---- Blocks

Value* ControlFlow::current_mask(const Node& node) {
  return e_.build.CreateLoad(node.mask_slot->getAllocatedType(), node.mask_slot);
}

void ControlFlow::write_block(Node& node) {
  BasicBlock* block = graph_.block(node.block);
  e_.build.SetInsertPoint(node.begin);
  if (is_header(node.block)) {
    outside_[loops_.getLoopFor(block)] = node.pending;
    node.pending = {};
  }
  if (!node.mask) {
    unsigned control_class = shapes_.control_class(node.block);
    node.mask = control_class == node.block ? current_mask(node) : nodes_[node_of_block_[control_class]].mask;
  }
  e_.mask = node.mask;
  for (PHINode& phi : block->phis()) {
    AllocaInst* slot = phi_slots_[&phi];
    e_.set(&phi, e_.build.CreateLoad(slot->getAllocatedType(), slot, phi.getName()));
  }
  for (Instruction& instruction : *block) {
    if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
    e_.build.SetCurrentDebugLocation(instruction.getDebugLoc());
    instructions_.write(instruction);
    if (e_.failed()) return;
  }
  Instruction* end = block->getTerminator();
  e_.build.SetCurrentDebugLocation(end->getDebugLoc());
  for (AllocaInst* slot : node.emptied_masks)
    e_.build.CreateStore(Constant::getNullValue(slot->getAllocatedType()), slot);
  for (AllocaInst* slot : node.emptied_phis)
    e_.build.CreateStore(PoisonValue::get(slot->getAllocatedType()), slot);
  if (auto* branch = dyn_cast<BranchInst>(end)) return write_branch(node, *branch);
  if (auto* choice = dyn_cast<SwitchInst>(end)) return write_switch(node, *choice);
  e_.build.CreateRetVoid();
  if (!node.pending.isEmpty()) e_.fail(*end, "some lanes are still pending at the end of the kernel");
}

/// Writes a branch or switch that all lanes take together: a copy, with a new block for each target.
void ControlFlow::write_uniform(const Node& node, Instruction& choice, Value* decision) {
  Instruction* now = e_.build.Insert(choice.clone());
  now->dropUnknownNonDebugMetadata();
  now->setOperand(0, decision);
  MapVector<BasicBlock*, BasicBlock*> ways;
  for (unsigned i = 0; i < choice.getNumSuccessors(); ++i) {
    BasicBlock*& way = ways[choice.getSuccessor(i)];
    if (!way) way = e_.new_block(graph_.block(node.block)->getName() + ".way");
    now->setSuccessor(i, way);
  }
  for (auto [to, way] : ways) {
    e_.build.SetInsertPoint(way);
    Pending set = node.pending;
    go(node, to, node.mask, set);
    jump(set, choice);
  }
}

void ControlFlow::write_branch(const Node& node, BranchInst& branch) {
  Value* condition = branch.isConditional() ? branch.getCondition() : nullptr;
  const Form form = e_.plan.of(branch).form;
  if (form == Form::branch_on_any)
    return write_uniform(node, branch, e_.any(e_.where(node.mask, e_.vector(condition))));
  if (condition && form != Form::branch_on_mask) return write_uniform(node, branch, e_.scalar(condition));
  Pending set = node.pending;
  Value* yes = condition ? e_.vector(condition) : nullptr;
  Value* taken[] = {yes ? e_.where(node.mask, yes) : node.mask,
                    yes ? e_.where(node.mask, e_.build.CreateNot(yes)) : nullptr};
  for (unsigned way = 0; way < branch.getNumSuccessors(); ++way)
    go(node, branch.getSuccessor(way), taken[way], set);
  jump(set, branch);
}

void ControlFlow::write_switch(const Node& node, SwitchInst& choice) {
  if (e_.plan.of(choice).form != Form::branch_on_mask)
    return write_uniform(node, choice, e_.scalar(choice.getCondition()));
  MapVector<BasicBlock*, SmallVector<ConstantInt*, 2>> cases;
  for (auto& each : choice.cases())
    cases[each.getCaseSuccessor()].push_back(each.getCaseValue());
  Value *decision = e_.vector(choice.getCondition()), *rest = node.mask;
  SmallVector<std::pair<BasicBlock*, Value*>, 8> taken;
  for (auto& [to, values] : cases) {
    Value* hit = nullptr;
    for (ConstantInt* value : values) {
      Value* equal = e_.build.CreateICmpEQ(decision, e_.vector(value));
      hit = hit ? e_.build.CreateOr(hit, equal) : equal;
    }
    taken.emplace_back(to, e_.where(node.mask, hit));
    rest = e_.where(rest, e_.build.CreateNot(hit));
  }
  taken.emplace_back(choice.getDefaultDest(), rest);
  // Targets are added from the last to the first: adding to the front of a set takes constant time.
  llvm::sort(taken, [&](auto& a, auto& b) { return graph_.index(a.first) > graph_.index(b.first); });
  Pending set = node.pending;
  for (auto& [to, lanes] : taken)
    go(node, to, lanes, set);
  jump(set, choice);
}

void ControlFlow::write_loop_end(const Node& node) {
  const Loop* loop = node.ends;
  const Instruction& why = *loop->getLoopLatch()->getTerminator();
  e_.build.SetInsertPoint(node.begin);
  if (!node.pending.isEmpty()) return e_.fail(why, "some lanes are still pending at the end of a loop");
  Value* again = current_mask(node);
  Node& header = nodes_[node_of_block_[graph_.index(loop->getHeader())]];
  e_.build.CreateStore(again, header.mask_slot);
  BasicBlock* leave = e_.new_block(loop->getHeader()->getName() + ".leave");
  e_.build.CreateCondBr(e_.any(again), header.begin, leave);
  e_.build.SetInsertPoint(leave);
  Pending set = outside_[loop];
  SmallVector<BasicBlock*, 4> exits;
  loop->getUniqueExitBlocks(exits);
  for (const BasicBlock* exit : exits)
    add_target(set, loop->getHeader(), loop->getParentLoop(), graph_.index(exit));
  if (set.isEmpty())
    e_.build.CreateUnreachable();
  else
    jump(set, why);
}

// ---- Edges

/// Writes that `lanes` go from the end of `node` to block `to`, and adds `to` to the pending set.
void ControlFlow::go(const Node& node, const BasicBlock* to, Value* lanes, Pending& set) {
  const BasicBlock* from = graph_.block(node.block);
  flow(node.block, graph_.index(to), lanes);
  add_target(set, from, loops_.getLoopFor(from), graph_.index(to));
}

/// Writes that `lanes` go from one block to another: adds them to the target's mask, and stores their values for the
/// target's phis.
void ControlFlow::flow(unsigned from, unsigned to, Value* lanes) {
  const BasicBlock* source = graph_.block(from);
  BasicBlock* target = graph_.block(to);
  Node& node = nodes_[node_of_block_[to]];
  const Loop* loop = loops_.getLoopFor(target);
  const bool header = is_header(to), back = header && loop->contains(source);
  if (back && shapes_.diverges(loop)) {
    AllocaInst* again = nodes_[end_of_loop_[loop]].mask_slot;
    e_.build.CreateStore(lanes, again);
  } else if (node.mask_slot && header) {
    e_.build.CreateStore(lanes, node.mask_slot);
  } else if (node.mask_slot) {
    e_.build.CreateStore(e_.build.CreateOr(current_mask(node), lanes), node.mask_slot);
  }
  const Loop* left = loops_.getLoopFor(source);
  for (; left && !left->contains(target); left = left->getParentLoop())
    if (shapes_.diverges(left)) break;
  const bool leaves = left && !left->contains(target);
  const bool alone = header || (shapes_.joins_uniformly(to) && !leaves);
  for (PHINode& phi : target->phis())
    flow_into_phi(phi, source, lanes, alone);
}

/// Stores the value that `lanes` bring to a phi. @param alone no lane from another predecessor can have a value in the
/// slot, so the value need not be blended with the slot's
void ControlFlow::flow_into_phi(PHINode& phi, const BasicBlock* from, Value* lanes, bool alone) {
  AllocaInst* slot = phi_slots_[&phi];
  Value* incoming = phi.getIncomingValueForBlock(from);
  if (isa<UndefValue>(incoming)) return;
  const bool varying = shapes_.of(&phi).is_varying();
  Value* value = varying ? e_.vector(incoming) : e_.scalar(incoming);
  if (!alone) {
    Value* old = e_.build.CreateLoad(slot->getAllocatedType(), slot);
    value = varying ? e_.blend(lanes, value, old, phi.getType())
                    : e_.build.CreateSelect(e_.any(lanes), value, old);
  }
  e_.build.CreateStore(value, slot);
}

/// Adds to the set the node at which lanes continue that go from a block in `loop` to block `to`: the end of the
/// innermost divergent loop that they leave or repeat, or `to` itself. For each uniform loop that they leave, the nodes
/// that were pending when the loop was entered are added as well.
void ControlFlow::add_target(Pending& set, const BasicBlock* from, const Loop* loop, unsigned to) {
  const BasicBlock* target = graph_.block(to);
  for (; loop; loop = loop->getParentLoop()) {
    bool inside = loop->contains(target), goes_back = inside && loop->getHeader() == target;
    if (inside && !goes_back) break;
    if (shapes_.diverges(loop)) {
      set = unite(set, sets_.create(&nodes_[end_of_loop_[loop]]));
      return;
    }
    if (goes_back) break;
    for (const Node* left : set)
      if (loop->contains(graph_.block(left->block)))
        return e_.fail(*from->getTerminator(), "some lanes stay in a loop with a uniform exit");
    set = unite(set, outside_[loop]);
  }
  set = unite(set, sets_.create(&nodes_[node_of_block_[to]]));
}

ControlFlow::Pending ControlFlow::unite(Pending a, Pending b) {
  SmallVector<Node*, 16> firsts;
  while (!a.isEmpty() && !b.isEmpty() && !(a == b)) {
    if (b.getHead() < a.getHead()) std::swap(a, b);
    firsts.push_back(a.getHead());
    if (a.getHead() == b.getHead()) b = b.getTail();
    a = a.getTail();
  }
  Pending result = a.isEmpty() ? b : a;
  for (Node* first : reverse(firsts))
    result = sets_.add(first, result);
  return result;
}

/// Ends the current block with a jump to the first node of `set`. If this node is guarded and no lane is active in it,
/// the jump continues with the next node of the set. Jumps to sets of many nodes share the code of these tests
/// (gates_).
void ControlFlow::jump(Pending set, const Instruction& why) {
  constexpr unsigned many = 8;
  for (Pending left = set; !left.isEmpty(); left = left.getTail()) {
    Node& next = *left.getHead();
    const Pending rest = left.getTail();
    const bool header = !next.ends && is_header(next.block);
    const bool back = header && outside_.contains(loops_.getLoopFor(graph_.block(next.block)));
    if (back && !set.getTail().isEmpty()) return e_.fail(why, "lanes diverge in a loop with a uniform exit");
    if (!back) next.pending = unite(next.pending, rest);
    if (rest.isEmpty() || !e_.plan.block(next.block).guarded || !next.mask_slot || next.ends || header) {
      e_.build.CreateBr(next.begin);
      return;
    }
    BasicBlock* known = gates_.lookup(rest);
    BasicBlock* skip = known ? known : e_.new_block("skip");
    e_.build.CreateCondBr(e_.any(current_mask(next)), next.begin, skip);
    if (known) return;
    Pending far = rest;
    for (unsigned i = 0; i < many; ++i)
      far = far.getTail();
    if (!far.isEmpty()) gates_[rest] = skip;
    e_.build.SetInsertPoint(skip);
  }
}

} // namespace hostcl::compiler
