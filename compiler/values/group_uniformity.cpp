#include "compiler/values/group_uniformity.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/values/acquired_reads.hpp"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_divergent_call(const CallBase& call) {
  if (auto intrinsic = called_intrinsic(call)) {
    switch (*intrinsic) {
    case Intrinsic::local_id:
    case Intrinsic::lane_mask:
    case Intrinsic::sub_group_lane:
    case Intrinsic::sub_group:
      return true;
    default:
      return false;
    }
  }
  return !call.doesNotAccessMemory() && !call.onlyReadsMemory();
}

} // namespace

bool is_source_of_divergence(const Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return !load->isSimple();
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst, VAArgInst>(instruction)) return true;
  auto* call = dyn_cast<CallBase>(&instruction);
  return call && is_divergent_call(*call);
}

namespace {

/// Whether the instruction has an undefined operand that may make its result undefined. Insertions into undefined
/// vectors do not count, because that is how vectors are built.
bool begins_undefined(const Instruction& instruction) {
  return !isa<InsertElementInst, InsertValueInst, ShuffleVectorInst>(instruction) &&
         any_of(instruction.operands(), [](const Use& use) { return isa<UndefValue>(use); });
}

/// The `freeze` instructions of values that may be undefined: each work-item may choose another value as the result.
SmallPtrSet<const Instruction*, 4> undefined_freezes(const Function& function) {
  SmallPtrSet<const Instruction*, 4> freezes;
  if (none_of(instructions(function), IsaPred<FreezeInst>)) return freezes;
  SmallVector<const Instruction*, 16> open;
  SmallPtrSet<const Instruction*, 16> seen;
  auto visit = [&](const Instruction& instruction) {
    if (isa<FreezeInst>(instruction)) freezes.insert(&instruction);
    if (seen.insert(&instruction).second) open.push_back(&instruction);
  };
  for (const Instruction& instruction : instructions(function))
    if (begins_undefined(instruction)) visit(instruction);
  while (!open.empty())
    for (const User* user : open.pop_back_val()->users())
      if (!isa<LoadInst, CallBase>(user)) visit(*cast<Instruction>(user));
  return freezes;
}

/// Tells LLVM's uniformity analysis the sources of divergence, through the interface of TargetTransformInfo.
class GroupModel final : public TargetTransformInfoImplCRTPBase<GroupModel> {
public:
  explicit GroupModel(const Function& function)
      : TargetTransformInfoImplCRTPBase(function.getDataLayout()),
        acquired_(function),
        freezes_(undefined_freezes(function)) {}

  bool hasBranchDivergence(const Function*) const override { return true; }

  InstructionUniformity getInstructionUniformity(const Value* value) const override {
    auto* instruction = dyn_cast<Instruction>(value);
    const bool diverges = instruction && (is_source_of_divergence(*instruction) ||
                                          acquired_.contains(*instruction) || freezes_.contains(instruction));
    return diverges ? InstructionUniformity::NeverUniform : InstructionUniformity::Default;
  }

private:
  AcquiredReads acquired_;
  SmallPtrSet<const Instruction*, 4> freezes_;
};

/// Computes LLVM's analysis. Meanwhile, undefined operands of phis are replaced by a placeholder (one for each type)
/// that differs from all values of the function. Without the placeholder, LLVM's analysis considers a phi of one value
/// and `undef` to be uniform even if work-items come from different blocks, because `undef` may be taken as that value.
/// In this compiler, a work-item that comes from the block with `undef` would overwrite the variable that the group
/// shares.
void compute_with_distinct_undefined(Function& function, UniformityInfo& info) {
  DenseMap<Type*, std::unique_ptr<Argument>> placeholders;
  SmallVector<std::pair<Use*, Value*>, 8> replaced;
  for (BasicBlock& block : function)
    for (PHINode& phi : block.phis()) {
      if (!phi.hasConstantOrUndefValue()) continue;
      for (Use& use : make_filter_range(phi.incoming_values(), IsaPred<UndefValue>)) {
        replaced.emplace_back(&use, use.get());
        std::unique_ptr<Argument>& placeholder = placeholders[use->getType()];
        if (!placeholder) placeholder = std::make_unique<Argument>(use->getType());
        use = placeholder.get();
      }
    }
  info.compute();
  for (const auto& [use, value] : replaced)
    use->set(value);
}

/// Works around a fault of LLVM 22's analysis (tests/passes/6_host/llvm_22/divergent_headers_fault.ll): it overlooks
/// temporal divergence if the divergent branch ends the loop's header and the loop has an exit elsewhere. The header is
/// split, so that it ends with an unconditional branch.
void split_headers(Function& function) {
  CycleInfo cycles;
  cycles.compute(function);
  SmallVector<BasicBlock*, 8> headers;
  for (const Cycle* outermost : cycles.toplevel_cycles())
    for (const Cycle* cycle : depth_first(outermost)) {
      SmallVector<BasicBlock*, 4> exiting;
      cycle->getExitingBlocks(exiting);
      BasicBlock* header = cycle->getHeader();
      if (succ_size(header) > 1 && any_of(exiting, [&](BasicBlock* block) { return block != header; }))
        headers.push_back(header);
    }
  for (BasicBlock* header : headers)
    SplitBlock(header, header->getTerminator());
}

} // namespace

struct GroupUniformity::Analysis {
  explicit Analysis(Function& function) : tree(function), model(std::make_unique<GroupModel>(function)) {
    cycles.compute(function);
    info = UniformityInfo(tree, cycles, &model);
    compute_with_distinct_undefined(function, info);
    for (const BasicBlock& block : function)
      if (info.hasDivergentTerminator(block)) note_parting(block);
  }

  void note_parting(const BasicBlock& block) {
    for (const Cycle* cycle = cycles.getCycle(&block); cycle; cycle = cycle->getParentCycle())
      if (may_leave_behind(block, *cycle)) parting.insert(cycle);
  }

  /// Whether work-items that diverge at `block` may leave the cycle after different iterations: at `block` itself, or
  /// at an exiting block that not every iteration runs.
  bool may_leave_behind(const BasicBlock& block, const Cycle& cycle) const {
    SmallVector<BasicBlock*, 4> exiting;
    cycle.getExitingBlocks(exiting);
    return any_of(exiting,
                  [&](const BasicBlock* from) { return from == &block || !runs_every_time(*from, cycle); });
  }

  bool runs_every_time(const BasicBlock& block, const Cycle& cycle) const {
    return cycle.isReducible() && all_of(predecessors(cycle.getHeader()), [&](const BasicBlock* from) {
             return !cycle.contains(from) || tree.dominates(&block, from);
           });
  }

  const PostDominatorTree& post_tree(const BasicBlock& block) {
    if (!postdominators) postdominators.emplace(const_cast<Function&>(*block.getParent()));
    return *postdominators;
  }

  /// Blocks that contain a barrier, and the cycles around them.
  struct Barriers {
    SmallPtrSet<const BasicBlock*, 8> blocks;
    SmallPtrSet<const Cycle*, 8> cycles;
  };

  Barriers find_barriers(const Function& function) const {
    Barriers found;
    for (const BasicBlock& block : function) {
      if (none_of(block, [](const Instruction& i) { return is_call_of(i, Intrinsic::barrier); })) continue;
      found.blocks.insert(&block);
      for (const Cycle* cycle = cycles.getCycle(&block); cycle; cycle = cycle->getParentCycle())
        found.cycles.insert(cycle);
    }
    return found;
  }

  /// Whether work-items that diverge at `block` may reach a barrier of the cycle before their paths join, or may join
  /// only after some of them have begun another iteration of a cycle that contains a barrier.
  bool barrier_before_join(const BasicBlock& block, const Cycle& around, const Barriers& barriers) {
    const BasicBlock* join = post_tree(block).getNode(&block)->getIDom()->getBlock();
    const auto begins_iteration = [&](const BasicBlock& at) {
      for (const Cycle* cycle = cycles.getCycle(&at); cycle; cycle = cycle->getParentCycle())
        if (cycle->isEntry(&at) && cycle->contains(&block) && barriers.cycles.contains(cycle)) return true;
      return false;
    };
    SmallPtrSet<const BasicBlock*, 16> seen{join};
    SmallVector<const BasicBlock*, 16> open{&block};
    while (!open.empty())
      for (const BasicBlock* next : successors(open.pop_back_val())) {
        if (!around.contains(next) || !seen.insert(next).second) continue;
        if (barriers.blocks.contains(next) || begins_iteration(*next)) return true;
        open.push_back(next);
      }
    return false;
  }

  /// The outermost cycles in which work-items may reach a barrier in different iterations.
  SmallPtrSet<const Cycle*, 4> find_unsynchronised(const Function& function) {
    SmallPtrSet<const Cycle*, 4> found;
    const Barriers barriers = find_barriers(function);
    for (const BasicBlock& block : function)
      if (const Cycle* around = outermost_cycle(block);
          around && barriers.cycles.contains(around) && info.hasDivergentTerminator(block) &&
          !found.contains(around) && barrier_before_join(block, *around, barriers))
        found.insert(around);
    return found;
  }

  const Cycle* outermost_cycle(const BasicBlock& block) {
    return cycles.getTopLevelParentCycle(const_cast<BasicBlock*>(&block));
  }

  /// The blocks of cycles that are control-dependent, also indirectly, on a divergent branch of the same outermost
  /// cycle.
  SmallPtrSet<const BasicBlock*, 16> find_missed(const Function& function) {
    SmallPtrSet<const BasicBlock*, 16> found;
    SmallVector<const BasicBlock*, 16> open;
    for (const BasicBlock& block : function)
      if (info.hasDivergentTerminator(block) && cycles.getCycle(&block)) open.push_back(&block);
    while (!open.empty()) {
      const BasicBlock* branch = open.pop_back_val();
      const PostDominatorTree& post = post_tree(*branch);
      for (const BasicBlock* next : successors(branch))
        for (const auto* at = post.getNode(next); at && at != post.getNode(branch)->getIDom();
             at = at->getIDom())
          if (at->getBlock() && outermost_cycle(*branch)->contains(at->getBlock()) &&
              found.insert(at->getBlock()).second)
            open.push_back(at->getBlock());
    }
    return found;
  }

  DominatorTree tree;
  CycleInfo cycles;
  std::optional<PostDominatorTree> postdominators;            ///< built when it is first needed
  std::optional<SmallPtrSet<const BasicBlock*, 16>> missed;   ///< found when first needed
  std::optional<SmallPtrSet<const Cycle*, 4>> unsynchronised; ///< found when first needed
  SmallPtrSet<const Cycle*, 8> parting; ///< cycles that work-items may leave after different iterations
  TargetTransformInfo model;
  UniformityInfo info;
};

GroupUniformity::GroupUniformity(Function& function) {
  split_headers(function);
  analysis_ = std::make_unique<Analysis>(function);
}
GroupUniformity::~GroupUniformity() = default;

bool GroupUniformity::is_uniform(const Value& value) const {
  if (!isa<Instruction>(value)) return true;
  const UniformityInfo& info = analysis_->info;
  return !info.isDivergent(&value) &&
         none_of(value.uses(), [&](const Use& use) { return info.isDivergentUse(use); });
}

bool GroupUniformity::loops_part_around(const Instruction& instruction) const {
  for (const Cycle* cycle = analysis_->cycles.getCycle(instruction.getParent()); cycle;
       cycle = cycle->getParentCycle())
    if (analysis_->parting.contains(cycle)) return true;
  return false;
}

bool GroupUniformity::is_synchronised(const BasicBlock& block) const {
  auto& cycles = analysis_->unsynchronised;
  if (!cycles) cycles = analysis_->find_unsynchronised(*block.getParent());
  return !cycles->contains(analysis_->outermost_cycle(block));
}

bool GroupUniformity::may_be_missed(const BasicBlock& block) const {
  auto& missed = analysis_->missed;
  if (!missed) missed = analysis_->find_missed(*block.getParent());
  return missed->contains(&block) || !is_synchronised(block);
}

bool GroupUniformity::has_divergent_branch(const BasicBlock& block) const {
  return analysis_->info.hasDivergentTerminator(block);
}

bool GroupUniformity::all_reach(const BasicBlock& block) const {
  if (loops_part_around(block.front()) || !is_synchronised(block)) return false;
  // The iterated frontier of the block in the post-dominator tree: all blocks on which it is control-dependent.
  const PostDominatorTree& tree = analysis_->post_tree(block);
  ReverseIDFCalculator frontier(const_cast<PostDominatorTree&>(tree));
  const SmallPtrSet<BasicBlock*, 1> start{const_cast<BasicBlock*>(&block)};
  frontier.setDefiningBlocks(start);
  SmallVector<BasicBlock*, 8> deciding;
  frontier.calculate(deciding);
  return none_of(deciding, [&](const BasicBlock* branch) { return has_divergent_branch(*branch); });
}

} // namespace hostcl::compiler
