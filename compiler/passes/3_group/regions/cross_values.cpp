#include "compiler/passes/3_group/regions/cross_values.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/3_group/regions/region_graph.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/group_uniformity.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Recomputation may take this many cheap instructions, which cost about as much as a store and a load.
constexpr unsigned recomputation_budget = 6;
constexpr unsigned not_recomputable = recomputation_budget + 1;

bool is_work_item_query(const Instruction& instruction) {
  switch (called_intrinsic(instruction).value_or(Intrinsic::barrier)) {
  case Intrinsic::barrier:
  case Intrinsic::sub_group:
  case Intrinsic::sub_group_lane:
    return false;
  default:
    return true;
  }
}

bool is_cheap(const Instruction& instruction) {
  if (isa<ICmpInst, SelectInst, GetElementPtrInst, InsertElementInst, ShuffleVectorInst>(instruction))
    return true;
  return isa<BinaryOperator, CastInst>(instruction) && !instruction.isIntDivRem() &&
         !instruction.getType()->isFPOrFPVectorTy();
}

} // namespace

CrossValues::CrossValues(const RegionGraph& graph, const GroupUniformity* uniformity,
                         const Switches& switches)
    : graph_(graph), uniformity_(uniformity), live_(graph.regions.size()) {
  if (graph.regions.size() < 2) return;
  SetVector<BasicBlock*> blocks;
  for (const Region& region : graph.regions)
    blocks.insert_range(region.blocks);
  rate_recomputation(blocks, switches.is_on(Heuristic::recomputed_values));
  find_live(blocks.getArrayRef());
  keep_operands_of_recomputed();
  assign_slots();
}

Keep CrossValues::keep(const Instruction& value) const {
  if (shared_.lookup(&value)) return Keep::shared;
  return cost_.lookup(&value) <= recomputation_budget ? Keep::recomputed : Keep::slot;
}

void CrossValues::rate_recomputation(const SetVector<BasicBlock*>& blocks, bool may_recompute) {
  const bool share = graph_.lockstep != Lockstep::not_guaranteed;
  auto cost_of = [&](const Value* operand) -> unsigned {
    auto* instruction = dyn_cast<Instruction>(operand);
    if (!instruction || !blocks.contains(instruction->getParent())) return 0;
    if (shared_.lookup(instruction))
      return uniformity_->loops_part_around(*instruction) ? not_recomputable : 0;
    auto known = cost_.find(instruction);
    return known == cost_.end() ? not_recomputable : known->second;
  };
  // shared_ is complete before costs are computed, because the blocks' order does not guarantee that operands come
  // first: a block of one region may come before the region that defines its operands.
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block)
      shared_[&instruction] = share && !is_work_item_query(instruction) &&
                              uniformity_->is_uniform(instruction) && !uniformity_->may_be_missed(*block);
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block) {
      unsigned cost = is_work_item_query(instruction) ? 0 : not_recomputable;
      if (may_recompute && is_cheap(instruction)) {
        cost = 1;
        for (const Value* operand : instruction.operands())
          cost = std::min(cost + cost_of(operand), not_recomputable);
      }
      cost_[&instruction] = cost;
    }
}

void CrossValues::find_live(ArrayRef<BasicBlock*> blocks) {
  std::uint32_t stamp = 0;
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block)
      if (!instruction.getType()->isVoidTy()) find_live_of(instruction, ++stamp);
}

void CrossValues::find_live_of(Instruction& value, std::uint32_t stamp) {
  BasicBlock* home = value.getParent();
  SmallVector<BasicBlock*, 16> work;
  auto live_into = [&](BasicBlock* block) {
    std::uint32_t& seen = visited_[block];
    if (seen == stamp) return;
    seen = stamp;
    work.push_back(block);
  };
  // A phi of a head gets its value on the edges into the head, which are in other regions. So it is live at its own
  // head.
  auto head = graph_.region_at.find(home);
  if (isa<PHINode>(value) && head != graph_.region_at.end()) live_[head->second].push_back(&value);
  for (const Use& use : value.uses()) {
    auto* user = cast<Instruction>(use.getUser());
    auto* phi = dyn_cast<PHINode>(user);
    BasicBlock* block = phi ? phi->getIncomingBlock(use) : user->getParent();
    if (block != home) live_into(block);
  }
  while (!work.empty()) {
    BasicBlock* block = work.pop_back_val();
    auto region = graph_.region_at.find(block);
    if (region != graph_.region_at.end()) live_[region->second].push_back(&value);
    for (BasicBlock* predecessor : predecessors(block))
      if (predecessor != home) live_into(predecessor);
  }
}

/// Makes the operands of recomputed values live wherever the recomputed value is live.
void CrossValues::keep_operands_of_recomputed() {
  for (std::vector<Instruction*>& live : live_) {
    SmallPtrSet<Instruction*, 32> seen(live.begin(), live.end());
    std::vector<Instruction*> work(live);
    while (!work.empty()) {
      Instruction* value = work.back();
      work.pop_back();
      if (keep(*value) != Keep::recomputed) continue;
      note_change(Heuristic::recomputed_values, is_cheap(*value));
      for (Value* operand : value->operands()) {
        auto* instruction = dyn_cast<Instruction>(operand);
        if (!instruction || !cost_.contains(instruction) || !seen.insert(instruction).second) continue;
        live.push_back(instruction);
        work.push_back(instruction);
      }
    }
  }
}

void CrossValues::assign_slots() {
  MapVector<Instruction*, std::vector<unsigned>> heads;
  for (unsigned region = 0; region < live_.size(); ++region)
    for (Instruction* value : live_[region])
      if (keep(*value) == Keep::slot) heads[value].push_back(region);
  std::vector<SparseBitVector<>> taken(live_.size());
  for (auto& [value, regions] : heads) {
    unsigned slot = choose_slot(*value, regions, taken);
    slots_[value] = slot;
    for (unsigned region : regions)
      taken[region].set(slot);
  }
}

/// Chooses a slot that is free at all heads at which the value is live. If a phi connects the value with another one,
/// the other one's slot is preferred: then no copy is needed.
unsigned CrossValues::choose_slot(Instruction& value, const std::vector<unsigned>& heads,
                                  std::vector<SparseBitVector<>>& taken) {
  std::uint64_t bytes = value.getDataLayout().getTypeAllocSize(value.getType());
  auto fits = [&](unsigned slot) {
    return slot_bytes_[slot] == bytes &&
           none_of(heads, [&](unsigned region) { return taken[region].test(slot); });
  };
  auto connected = [&](Value* other) -> std::optional<unsigned> {
    auto* instruction = dyn_cast<Instruction>(other);
    auto known = instruction ? slots_.find(instruction) : slots_.end();
    if (known == slots_.end() || !fits(known->second)) return std::nullopt;
    return known->second;
  };
  if (auto* phi = dyn_cast<PHINode>(&value))
    for (Value* incoming : phi->incoming_values())
      if (auto slot = connected(incoming)) return *slot;
  for (User* user : value.users())
    if (isa<PHINode>(user))
      if (auto slot = connected(user)) return *slot;
  for (unsigned slot = 0; slot < slot_bytes_.size(); ++slot)
    if (fits(slot)) return slot;
  slot_bytes_.push_back(bytes);
  return static_cast<unsigned>(slot_bytes_.size() - 1);
}

} // namespace hostcl::compiler
