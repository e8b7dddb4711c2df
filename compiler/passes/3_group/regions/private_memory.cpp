#include "compiler/passes/3_group/regions/private_memory.hpp"

#include "compiler/passes/3_group/regions/region_graph.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::uint64_t largest_on_stack = std::uint64_t{16} << 10;

/// All instructions that may access one variable. If `escapes`, others may access it as well.
struct Uses {
  SetVector<Instruction*> instructions;
  bool escapes = false;
  bool has_lifetime = false;
};

bool keeps_address(const Use& use) {
  auto* user = use.getUser();
  if (isa<LoadInst, GetElementPtrInst, PHINode, SelectInst, ICmpInst, MemIntrinsic, LifetimeIntrinsic>(
          user) ||
      isa<AddrSpaceCastInst, BitCastInst, FreezeInst>(user))
    return false;
  if (auto* store = dyn_cast<StoreInst>(user)) return use.getOperandNo() != store->getPointerOperandIndex();
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(user)) return use.getOperandNo() != 0;
  auto* call = dyn_cast<CallBase>(user);
  return !(call && call->isDataOperand(&use) && call->doesNotCapture(call->getDataOperandNo(&use)));
}

Uses uses_of(AllocaInst& variable) {
  Uses result;
  SetVector<Instruction*> pointers;
  pointers.insert(&variable);
  for (std::size_t i = 0; i < pointers.size(); ++i)
    for (const Use& use : pointers[i]->uses()) {
      auto* user = cast<Instruction>(use.getUser());
      result.instructions.insert(user);
      result.escapes |= keeps_address(use);
      result.has_lifetime |= isa<LifetimeIntrinsic>(user);
      if (isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst, BitCastInst, FreezeInst>(user) ||
          (isa<CallBase>(user) && user->getType()->isPtrOrPtrVectorTy()))
        pointers.insert(user);
    }
  return result;
}

/// For each block that uses the variable: whether it may use contents from before the block, because the block's first
/// use is not the start of a lifetime.
DenseMap<BasicBlock*, bool> reads_from_before(const Uses& uses) {
  DenseMap<BasicBlock*, Instruction*> first;
  for (Instruction* use : uses.instructions) {
    Instruction*& known = first[use->getParent()];
    if (!known || use->comesBefore(known)) known = use;
  }
  DenseMap<BasicBlock*, bool> result;
  for (auto [block, instruction] : first)
    result[block] = !match(instruction, PatternMatch::m_Intrinsic<Intrinsic::lifetime_start>());
  return result;
}

/// Whether control flow leads from some use of the variable to one of the blocks.
bool comes_after(const SmallVectorImpl<BasicBlock*>& wanted, const DenseMap<BasicBlock*, bool>& use_blocks) {
  const SmallPtrSet<BasicBlock*, 16> goals(wanted.begin(), wanted.end());
  SmallPtrSet<BasicBlock*, 16> after;
  SmallVector<BasicBlock*, 16> work;
  for (auto [block, unused] : use_blocks)
    work.push_back(block);
  while (!work.empty())
    for (BasicBlock* successor : successors(work.pop_back_val())) {
      if (goals.contains(successor)) return true;
      if (after.insert(successor).second) work.push_back(successor);
    }
  return false;
}

/// Whether the variable's contents are live at the head of some region after a use.
bool outlives_regions(const Uses& uses, const RegionGraph& graph) {
  if (graph.regions.size() < 2 || uses.escapes) return graph.regions.size() > 1;
  DenseMap<BasicBlock*, bool> use_blocks = reads_from_before(uses);
  SmallPtrSet<BasicBlock*, 16> needed;
  SmallVector<BasicBlock*, 16> work, needing_heads;
  for (auto [block, from_before] : use_blocks)
    if (from_before && needed.insert(block).second) work.push_back(block);
  while (!work.empty()) {
    BasicBlock* block = work.pop_back_val();
    if (graph.is_head(block)) needing_heads.push_back(block);
    for (BasicBlock* predecessor : predecessors(block)) {
      auto use = use_blocks.find(predecessor);
      bool begins_there = use != use_blocks.end() && !use->second;
      if (!begins_there && needed.insert(predecessor).second) work.push_back(predecessor);
    }
  }
  return comes_after(needing_heads, use_blocks);
}

} // namespace

std::vector<PrivateArray> place_private_memory(BasicBlock& declarations, const RegionGraph& graph) {
  std::vector<PrivateArray> arrays;
  const DataLayout& layout = declarations.getDataLayout();
  for (Instruction& instruction : declarations) {
    auto* variable = dyn_cast<AllocaInst>(&instruction);
    if (!variable) continue;
    Uses uses = uses_of(*variable);
    std::uint64_t bytes =
        alignTo(variable->getAllocationSize(layout).value_or(TypeSize::getFixed(0)).getFixedValue(),
                variable->getAlign());
    PrivatePlace place = outlives_regions(uses, graph) ? PrivatePlace::chunked
                         : bytes > largest_on_stack    ? PrivatePlace::fixed
                                                       : PrivatePlace::stack;
    arrays.push_back({variable, place, bytes, uses.has_lifetime});
  }
  return arrays;
}

} // namespace hostcl::compiler
