// Copies the code behind a guard for vectors whose lanes are all active. The copy has no masks:
//
//   %lanes = select <16 x i1> %mask, <16 x i1> %guard, zero       %lanes = ...
//   br i1 any(%lanes), label %then, label %end                    br i1 any(%lanes), label %then, label %end
//   then:                                                    =>   then:
//     %x = masked.load(ptr %p, <16 x i1> %lanes)                    br i1 all(%lanes), label %full, label %rest
//     ...                                                         full:
//                                                                   %x = load <16 x float>, ptr %p
//                                                                   ...
//                                                                 rest:
//                                                                   %x = masked.load(ptr %p, <16 x i1> %lanes)
//                                                                   ...
//
// Kernels usually begin with a guard such as `if (get_global_id(0) < n)`, and only the last vectors of a range have
// inactive lanes. Masked loads cost more than plain ones: the mask has to be computed for each stride and element size,
// and the prefetchers of Zen 5 do not follow masked loads, so that the loop waits for memory.
//
// The pass considers masks that come from comparisons of indices with bounds, and begins with the most used mask. The
// mask must be computed outside loops: a mask that is computed in a loop often has all lanes in some iterations only
// (with such masks, a scan in local memory reaches 0.68 of its speed). For each mask, a copy begins behind each branch
// that skips code if the mask has no lanes. If there is no such branch, the copy begins behind the mask itself. A copy
// is the largest region from there that has one exit block. If code behind the region uses a value of the region, phis
// join the value and its copy. The pass does not copy loops, because later passes would make the copy long. Nor does
// the pass copy atomic operations and barriers; all vectors of a group must run the same barrier instruction.
//
// Gains on one core of a Zen 5 server, as factors of speed: grey from RGB bytes 3.6, guarded sums of 32 MB arrays 2.7,
// maximum by a tree in local memory 2.6, seven-point stencil 1.6, Sobel edges of bytes 1.4, median of bytes 1.3; a
// stencil with clamped edges loses, 0.89. On an Emerald Rapids Xeon, swapped bytes are 1.46 times as fast, sharpened
// bytes 1.34 times and Sobel edges 1.23 times; the median of 54 kernels is 1.06.
//
// In: vector code, before barriers become loops over the group. Out: vector code with more branches.
// Tests: tests/passes/2_vector/unmasked_copy.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <algorithm>
#include <cstddef>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The largest number of instructions that the pass copies in one kernel.
constexpr std::size_t most_instructions = 400;

/// The lane mask of a masked load or store; null for other instructions. The mask of a strided access has gaps, so that
/// mask is a shuffle of the lane mask.
Instruction* lanes_of(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  Value* lanes = nullptr;
  if (call && call->getIntrinsicID() == llvm::Intrinsic::masked_load) lanes = call->getArgOperand(1);
  if (call && call->getIntrinsicID() == llvm::Intrinsic::masked_store) lanes = call->getArgOperand(2);
  while (auto* shuffle = dyn_cast_or_null<ShuffleVectorInst>(lanes))
    lanes = shuffle->getOperand(0);
  return dyn_cast_or_null<Instruction>(lanes);
}

/// Whether the value is first + lane * step in all lanes, or the same in all lanes.
bool is_affine(const Value* value) {
  using namespace PatternMatch;
  if (getSplatValue(value) || isa<Constant>(value)) return true;
  const Value* first = nullptr;
  return match(value, m_c_Add(m_Value(first), m_Constant())) && getSplatValue(first);
}

/// Whether the mask comes from comparisons of affine indices with bounds, which most vectors of a range meet in all
/// lanes. A mask of every second lane, or of a condition on values in memory, rarely has all lanes.
bool is_guard(const Value* mask, bool negated = false) {
  using namespace PatternMatch;
  const Value *left = nullptr, *right = nullptr;
  if (match(mask, m_Not(m_Value(left)))) return is_guard(left, !negated);
  if (negated ? match(mask, m_LogicalOr(m_Value(left), m_Value(right)))
              : match(mask, m_LogicalAnd(m_Value(left), m_Value(right))))
    return is_guard(left, negated) && is_guard(right, negated);
  const auto* select = dyn_cast<SelectInst>(mask);
  if (select && !select->getCondition()->getType()->isVectorTy()) // a condition that is the same in all lanes
    return negated ? match(select->getTrueValue(), m_AllOnes()) && is_guard(select->getFalseValue(), true)
                   : match(select->getFalseValue(), m_Zero()) && is_guard(select->getTrueValue());
  if (const auto* compare = dyn_cast<ICmpInst>(mask))
    return compare->getPredicate() != (negated ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ) &&
           is_affine(compare->getOperand(0)) && is_affine(compare->getOperand(1));
  return getSplatValue(mask) || is_call_of(*mask, Intrinsic::lane_mask);
}

/// The masks of guards outside loops, with the most used one first. The function leaves out the mask of a group's last
/// vector (`__hostcl_lane_mask`): the loop over the group's vectors already has a copy without that mask.
SmallVector<Instruction*, 4> masks_of_guards(Function& kernel, const CycleInfo& cycles) {
  MapVector<Instruction*, unsigned> uses;
  for (Instruction& instruction : instructions(kernel))
    if (Instruction* mask = lanes_of(instruction);
        mask && !isa<CallBase>(mask) && is_guard(mask) && !cycles.getCycle(mask->getParent()))
      ++uses[mask];
  SmallVector<Instruction*, 4> masks = to_vector<4>(make_first_range(uses));
  stable_sort(masks, [&](Instruction* left, Instruction* right) { return uses[left] > uses[right]; });
  return masks;
}

bool may_be_copied(const Instruction& instruction) {
  if (isa<ReturnInst, AllocaInst>(instruction) || instruction.isAtomic() ||
      is_call_of(instruction, Intrinsic::barrier))
    return false;
  const auto* call = dyn_cast<CallBase>(&instruction);
  return !call || !call->cannotDuplicate();
}

/// The instructions at which copies begin: behind each branch that skips code if the mask has no lanes, or behind the
/// mask if there is no such branch.
SmallVector<Instruction*, 4> begins_of_copies(Instruction& mask) {
  using namespace PatternMatch;
  SmallVector<Instruction*, 4> begins;
  for (BasicBlock& block : *mask.getFunction()) {
    const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch && branch->isConditional() && branch->getSuccessor(0)->getSinglePredecessor() &&
        match(branch->getCondition(),
              m_SpecificICmp(ICmpInst::ICMP_NE, m_BitCast(m_Specific(&mask)), m_Zero())))
      begins.push_back(&*branch->getSuccessor(0)->getFirstNonPHIIt());
  }
  if (begins.empty()) begins.push_back(mask.getNextNode());
  return begins;
}

/// Blocks with one entry and one exit: other blocks branch to the first block only, and all branches that leave the
/// region lead to `exit`.
struct Region {
  SmallVector<BasicBlock*, 16> blocks;
  BasicBlock* exit = nullptr;
};

/// The largest region that begins with `first`, has no loops, and may be copied; a region without blocks if there is
/// none. @param most the largest number of instructions in the region
Region region_from(BasicBlock& first, std::size_t most) {
  Region region;
  SetVector<BasicBlock*> inside, next;
  next.insert(&first);
  const auto may_follow = [&](BasicBlock* block) {
    return all_of(*block, may_be_copied) &&
           (block == &first ||
            all_of(predecessors(block), [&](BasicBlock* from) { return inside.contains(from); }));
  };
  for (std::size_t count = 0;;) {
    const auto found = find_if(next, may_follow);
    if (found == next.end()) return region;
    BasicBlock* block = *found;
    count += block->size();
    if (count > most) return region;
    inside.insert(block);
    next.remove(block);
    for (BasicBlock* after : successors(block))
      if (!inside.contains(after)) next.insert(after);
    if (next.size() == 1) region = {to_vector<16>(inside), next.front()};
  }
}

/// Maps the mask, and the masks of which it is the conjunction, to masks of ones.
void map_to_ones(Value* mask, ValueToValueMapTy& values) {
  using namespace PatternMatch;
  values[mask] = Constant::getAllOnesValue(mask->getType());
  Value *left = nullptr, *right = nullptr;
  if (!match(mask, m_LogicalAnd(m_Value(left), m_Value(right)))) return;
  map_to_ones(left, values);
  map_to_ones(right, values);
}

/// Replaces a mask that is now constant by one without gaps, if only loads use the mask: elements between two elements
/// that are loaded can be loaded as well.
void close_gaps(ShuffleVectorInst& mask) {
  const auto is_load = [](const User* user) {
    return isa<IntrinsicInst>(user) &&
           cast<IntrinsicInst>(user)->getIntrinsicID() == llvm::Intrinsic::masked_load;
  };
  const Constant* lanes = ConstantFoldInstruction(&mask, mask.getDataLayout());
  if (!lanes || !all_of(mask.users(), is_load)) return;
  SmallVector<Constant*, 64> elements;
  for (unsigned i = 0; i < cast<FixedVectorType>(lanes->getType())->getNumElements(); ++i)
    elements.push_back(lanes->getAggregateElement(i));
  const auto is_active = [](const Constant* element) { return element->isOneValue(); };
  const auto first = find_if(elements, is_active);
  const auto end = find_if(reverse(elements), is_active).base();
  if (first < end) std::fill(first, end, *first);
  mask.replaceAllUsesWith(ConstantVector::get(elements));
}

/// Adds phis where the region and its copy join, so that code behind the region uses the values of the region if the
/// region has run, and the values of the copy if the copy has run.
void join_values(const Region& region, const ValueToValueMapTy& values) {
  for (BasicBlock* block : to_vector(predecessors(region.exit)))
    if (is_contained(region.blocks, block))
      for (PHINode& phi : region.exit->phis()) {
        Value *value = phi.getIncomingValueForBlock(block), *copy = values.lookup(value);
        phi.addIncoming(copy ? copy : value, cast<BasicBlock>(values.lookup(block)));
      }
  const auto is_behind = [&](const Use* use) {
    const auto* user = cast<Instruction>(use->getUser());
    const auto* phi = dyn_cast<PHINode>(user);
    return !is_contained(region.blocks, phi ? phi->getIncomingBlock(*use) : user->getParent());
  };
  for (BasicBlock* block : region.blocks)
    for (Instruction& instruction : *block) {
      SmallVector<Use*, 4> uses =
          to_vector<4>(make_filter_range(make_pointer_range(instruction.uses()), is_behind));
      if (uses.empty()) continue;
      SSAUpdater either;
      either.Initialize(instruction.getType(), instruction.getName());
      either.AddAvailableValue(block, &instruction);
      either.AddAvailableValue(cast<BasicBlock>(values.lookup(block)), values.lookup(&instruction));
      for (Use* use : uses)
        either.RewriteUse(*use);
    }
}

/// Copies the region, with `mask` replaced by ones. @returns the copy of the first block
BasicBlock* copy_without(Value& mask, const Region& region) {
  ValueToValueMapTy values;
  map_to_ones(&mask, values);
  SmallVector<BasicBlock*, 16> copies;
  for (BasicBlock* block : region.blocks) {
    copies.push_back(CloneBasicBlock(block, values, ".full", block->getParent()));
    values[block] = copies.back();
  }
  remapInstructionsInBlocks(copies, values);
  for (BasicBlock* copy : copies)
    for (Instruction& instruction : *copy)
      if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&instruction);
          shuffle && shuffle->getType()->isIntOrIntVectorTy(1))
        close_gaps(*shuffle);
  join_values(region, values);
  return copies.front();
}

/// Copies the largest region that begins with `begin`, if the region has loads or stores with the mask.
/// @param most the largest number of instructions in the region
/// @returns the copied region; a region without blocks if nothing is copied
Region copy_from(Instruction& begin, Instruction& mask, std::size_t most) {
  BasicBlock* block = begin.getParent();
  BasicBlock* rest = SplitBlock(block, &begin);
  const Region region = region_from(*rest, most);
  if (none_of(region.blocks, [&](const BasicBlock* inside) {
        return any_of(*inside, [&](const Instruction& each) { return lanes_of(each) == &mask; });
      }))
    return {};
  BasicBlock* full = copy_without(mask, region);
  IRBuilder<> build(block->getTerminator());
  Value* bits =
      build.CreateBitCast(&mask, build.getIntNTy(cast<FixedVectorType>(mask.getType())->getNumElements()));
  BranchInst* branch =
      build.CreateCondBr(build.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType())), full, rest);
  branch->setMetadata(LLVMContext::MD_prof, MDBuilder(mask.getContext()).createLikelyBranchWeights());
  block->getTerminator()->eraseFromParent();
  return region;
}

} // namespace

PreservedAnalyses unmasked_copy_pass(Function& function, FunctionAnalysisManager& analyses) {
  const auto masks = masks_of_guards(function, analyses.getResult<CycleAnalysis>(function));
  if (masks.empty()) return PreservedAnalyses::all();
  // A region consists of whole blocks. So blocks are split before their first instruction that may not be copied.
  for (BasicBlock& block : make_early_inc_range(function))
    if (const auto end = find_if_not(block, may_be_copied); end != block.end() && end != block.begin())
      SplitBlock(&block, end);
  SmallPtrSet<BasicBlock*, 16> copied;
  std::size_t most = most_instructions;
  for (Instruction* mask : masks)
    for (Instruction* begin : begins_of_copies(*mask)) {
      if (copied.contains(begin->getParent())) continue;
      for (BasicBlock* block : copy_from(*begin, *mask, most).blocks) {
        copied.insert(block);
        most -= block->size();
      }
    }
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
