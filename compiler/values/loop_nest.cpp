#include "compiler/values/loop_nest.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <cstdlib>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

bool has_instruction(const Loop& loop, function_ref<bool(const Instruction&)> is_wanted) {
  return any_of(loop.blocks(), [&](const BasicBlock* block) { return any_of(*block, is_wanted); });
}

bool has_barrier(const Loop& loop) {
  return has_instruction(loop, [](const Instruction& i) { return is_call_of(i, Intrinsic::barrier); });
}

bool exits_at_latch(const Loop& loop) {
  return loop.getLoopLatch() && loop.getExitingBlock() == loop.getLoopLatch();
}

bool exits_without_phis(const Loop& loop) {
  const BasicBlock* exit = loop.getExitBlock();
  return exits_at_latch(loop) && exit && exit->phis().empty();
}

bool is_used_outside(const Instruction& instruction, const Loop& loop) {
  return any_of(instruction.users(),
                [&](const User* user) { return !loop.contains(cast<Instruction>(user)); });
}

bool is_used_outside(const Loop& loop) {
  return has_instruction(loop, [&](const Instruction& i) { return is_used_outside(i, loop); });
}

const SCEVAddRecExpr* as_recurrence(const SCEV* expression, const Loop& loop) {
  const auto* recurrence = dyn_cast<SCEVAddRecExpr>(expression);
  return recurrence && recurrence->getLoop() == &loop && recurrence->isAffine() ? recurrence : nullptr;
}

const SCEV* last_iteration(const Loop& loop, const BasicBlock& at, SCEVExpander& expander) {
  ScalarEvolution& evolution = *expander.getSE();
  const SCEV* count = evolution.getBackedgeTakenCount(&loop);
  const bool is_known = !isa<SCEVCouldNotCompute>(count) &&
                        evolution.getTypeSizeInBits(count->getType()) <= 64 &&
                        expander.isSafeToExpandAt(count, at.getTerminator());
  return is_known ? count : nullptr;
}

std::optional<Comparison> Comparison::on_edge(const BasicBlock& from, const BasicBlock& to) {
  const auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return std::nullopt;
  const auto* test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test) return std::nullopt;
  const bool is_first = branch->getSuccessor(0) == &to;
  return Comparison{is_first ? test->getPredicate() : test->getInversePredicate(), test->getOperand(0),
                    test->getOperand(1)};
}

std::optional<SingleLatchLoop> SingleLatchLoop::of(const Loop& loop) {
  SingleLatchLoop blocks{loop.getHeader(), loop.getLoopPredecessor(), loop.getLoopLatch()};
  if (!blocks.before || !blocks.latch || !blocks.header->hasNPredecessors(2)) return std::nullopt;
  return blocks;
}

PHINode* SingleLatchLoop::make_phi(Type* type, Value* start) const {
  PHINode* phi = PHINode::Create(type, 2, "", header->begin());
  phi->addIncoming(start, before);
  return phi;
}

std::optional<LoopNest> LoopNest::of(Loop& rows) {
  if (!findOptionMDForLoop(&rows, metadata::items) || rows.getSubLoops().size() != 1) return std::nullopt;
  Loop& inner = *rows.getSubLoops().front();
  if (!inner.isInnermost() || inner.getNumBlocks() != 1) return std::nullopt;
  return LoopNest{
      rows, inner, rows.getHeader(), inner.getLoopPreheader(), inner.getHeader(), rows.getLoopLatch()};
}

bool LoopNest::only_counts() const {
  SmallPtrSet<const Instruction*, 4> used_after;
  for (const PHINode& phi : header->phis()) {
    BinaryOperator* next = nullptr;
    Value *start = nullptr, *step = nullptr;
    if (!matchSimpleRecurrence(&phi, next, start, step) || next->getOpcode() != Instruction::Add ||
        !rows.isLoopInvariant(step))
      return false;
    used_after.insert(next);
  }
  return !has_instruction(
      rows, [&](const Instruction& i) { return !used_after.contains(&i) && is_used_outside(i, rows); });
}

bool LoopNest::has_uniform_trip_count(ScalarEvolution& evolution) const {
  return hasIterationCountInvariantInParent(&inner, evolution);
}

unsigned LoopNest::shared_bytes() const {
  SmallSetVector<const Value*, 32> of_row;
  for (const PHINode& phi : header->phis())
    of_row.insert(&phi);
  for (unsigned i = 0; i < of_row.size(); ++i)
    for (const User* user : of_row[i]->users())
      if (const auto* instruction = dyn_cast<Instruction>(user); instruction && rows.contains(instruction))
        of_row.insert(instruction);
  unsigned bytes = 0;
  for (const Instruction& instruction : *body)
    if (const Value* source = vector_source(instruction); source && !of_row.contains(source))
      bytes += static_cast<unsigned>(
          instruction.getDataLayout().getTypeStoreSize(instruction.getType()).getFixedValue());
  return bytes;
}

bool is_gather(const Instruction& instruction) {
  return match(&instruction, m_Intrinsic<llvm::Intrinsic::masked_gather>());
}

const Value* vector_source(const Instruction& instruction) {
  if (!instruction.getType()->isVectorTy()) return nullptr;
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->getPointerOperand();
  const bool is_load =
      is_gather(instruction) || match(&instruction, m_Intrinsic<llvm::Intrinsic::masked_load>());
  return is_load ? instruction.getOperand(0) : nullptr;
}

bool is_group_uniform(const Value& value, const BasicBlock& at, LinearForms& forms) {
  constexpr unsigned differs = (on_local_id * 7) | on_memory | on_item;
  return (forms.of(value, at).dependence() & differs) == 0;
}

bool walks_side_by_side(const Loop& loop, LinearForms& forms, std::int64_t farthest) {
  constexpr std::int64_t cache_line = 64;
  bool side_by_side = false, apart = false;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const auto* load = dyn_cast<LoadInst>(&instruction);
      if (!load || load->getPointerAddressSpace() == local_space) continue;
      const auto stride = forms.of(*load->getPointerOperand(), *block).stride(0);
      const auto step = forms.step(*load->getPointerOperand(), loop);
      if (!stride) continue;
      const bool stays = step && std::abs(*step) < cache_line;
      side_by_side |= *stride != 0 && std::abs(*stride) <= farthest && !stays;
      apart |= std::abs(*stride) >= cache_line && stays;
    }
  return side_by_side && !apart;
}

} // namespace hostcl::compiler
