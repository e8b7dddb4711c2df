// Finds atomic updates whose effect on memory may be delayed, at the latest until the thread has run its range of
// work-groups. passes/atomics/deferred_atomics.cpp then combines the delayed updates of one address.
//
//   before: %old = atomicrmw add ptr addrspace(1) %bin, i32 1 monotonic
//   after:  %old = atomicrmw add ptr addrspace(1) %bin, i32 1 monotonic, !hostcl.deferrable !0
//
// An update is deferrable if no work-item or command can observe the delay. The update must be relaxed and its result
// unused, and the whole kernel must not have
//  - a fence, an acquire or release other than of local memory, or a call of unknown code: after any of these, another
//    thread could rely on the update having happened;
//  - a loop that reads an atomic or volatile object: it may wait for a thread that in turn waits for the update;
//  - another atomic or volatile access that may touch the same memory, unless it is the same kind of update: work-items
//    may wait for each other through such accesses;
//  - an ordinary access that may touch the same memory and follows the update, in the same work-item or after a
//    barrier. An access that does not follow the update could conflict with it only in a data race. Label propagation
//    (as for connected components) has such races on purpose, within one object; so if both accesses are in the same
//    object, the update is not deferred either.
// The pass also requires that there is something to combine: updates whose addresses are likely different for all
// work-items are not deferred.
//
// Gains on 2 cores of an Emerald Rapids Xeon: a histogram 12 to 25, one maximum 25, eight counters 16. Additions and
// bits at random places of 64 KB and more take up to twice as long.
//
// The pass runs a second time in variants for launches whose buffers do not overlap (4_range/disjoint_buffers.hpp), and
// then finds more updates.
//
// In: the kernel of one work-item, in SSA form. Out: the kernel with metadata that says which table each update uses;
// if addresses vary, the kernel's context begins with these tables. Tests: tests/passes/atomics/deferrable_atomics*.ll.

#include "compiler/passes/passes.hpp"

#include "compiler/ir/atomic_update.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/atomics/deferral_table.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <utility>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Limit for the tables of a kernel. Each combination of operation and type needs a table of its own.
constexpr std::size_t most_tables = 4;
/// Limit for the pairs of accesses that are compared, so that the search does not dominate the compilation of large
/// kernels.
constexpr std::size_t most_pairs = 1 << 14;

/// Whether the update needs a table. An integer at an address that is a kernel argument needs a variable only.
bool needs_table(const AtomicRMWInst& update) {
  return !isa<Argument>(update.getPointerOperand()) || !update.getType()->isIntegerTy();
}

bool is_candidate(const Instruction& instruction) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  return update && update->getPointerAddressSpace() == global_space && can_combine(*update);
}

bool is_ordered(const Instruction& instruction) {
  if (const auto* fence = dyn_cast<FenceInst>(&instruction))
    return fence->getSyncScopeID() != SyncScope::SingleThread;
  return isStrongerThanMonotonic(ordering_of(instruction)) && !accesses_local(instruction);
}

bool is_unknown_call(const Instruction& instruction) {
  return isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction) && !called_intrinsic(instruction) &&
         instruction.mayHaveSideEffects();
}

/// Whether the instruction is an atomic or volatile read in a loop. The loop may wait for a thread that acts after it
/// has seen the update.
bool may_wait(const Instruction& instruction, const CycleInfo& cycles) {
  return (instruction.isAtomic() || instruction.isVolatile()) && !instruction.use_empty() &&
         !accesses_local(instruction) && cycles.getCycle(instruction.getParent());
}

/// Whether the instruction is an access with which a deferred update could conflict. Not among them: loads without
/// users, and fences, as only single-thread fences are left after is_ordered().
bool is_access(const Instruction& instruction) {
  if (!instruction.mayReadOrWriteMemory() || called_intrinsic(instruction) || isa<FenceInst>(instruction))
    return false;
  return !isa<LoadInst>(instruction) || !instruction.use_empty();
}

class Search {
public:
  Search(Function& kernel, FunctionAnalysisManager& analyses)
      : kernel_(kernel),
        aliases_(analyses.getResult<AAManager>(kernel)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(kernel)),
        loops_(analyses.getResult<LoopAnalysis>(kernel)),
        cycles_(analyses.getResult<CycleAnalysis>(kernel)) {}

  std::vector<AtomicRMWInst*> run() {
    std::vector<AtomicRMWInst*> candidates;
    for (Instruction& instruction : instructions(kernel_)) {
      if (is_ordered(instruction) || is_unknown_call(instruction) || may_wait(instruction, cycles_))
        return {};
      if (is_candidate(instruction)) candidates.push_back(cast<AtomicRMWInst>(&instruction));
      if (is_access(instruction)) accesses_.push_back(&instruction);
    }
    if (candidates.size() * accesses_.size() > most_pairs) return {};
    // Candidates of different kinds conflict with each other, even if one of them is then not deferred.
    std::erase_if(candidates, [&](AtomicRMWInst* update) {
      return any_of(accesses_, [&](Instruction* other) { return conflicts(*update, *other); });
    });
    std::erase_if(candidates, [&](AtomicRMWInst* update) { return is_alone(*update); });
    return candidates;
  }

private:
  bool conflicts(AtomicRMWInst& update, Instruction& other) {
    if (&other == &update) return false;
    if (is_candidate(other) && UpdateKind(cast<AtomicRMWInst>(other)) == UpdateKind(update)) return false;
    if (!may_touch(update, other)) return false;
    return other.isAtomic() || other.isVolatile() || follows(update, other) || is_in_object(update, other);
  }

  bool may_touch(AtomicRMWInst& update, Instruction& other) {
    std::optional<MemoryLocation> place = MemoryLocation::getOrNone(&other);
    if (!place) return isModOrRefSet(aliases_.getModRefInfo(&other, MemoryLocation::get(&update)));
    const unsigned space = place->Ptr->getType()->getPointerAddressSpace();
    if (space != global_space && space != generic_space) return false;
    return !aliases_.isNoAlias(MemoryLocation::get(&update), *place);
  }

  /// Whether both accesses are in the same object. In algorithms such as label propagation, work-items read the results
  /// that others have written so far; the sooner they see them, the less work is left.
  static bool is_in_object(const AtomicRMWInst& update, const Instruction& other) {
    const Value* address = getLoadStorePointerOperand(&other);
    return address && getUnderlyingObject(address) == getUnderlyingObject(update.getPointerOperand());
  }

  /// Whether no other update is likely to have the same address, so that there is nothing to combine.
  bool is_alone(const AtomicRMWInst& update) const {
    return !cycles_.getCycle(update.getParent()) && is_divergent(*update.getPointerOperand(), kernel_);
  }

  bool follows(const AtomicRMWInst& update, const Instruction& other) const {
    return isPotentiallyReachable(&update, &other, nullptr, &dominators_, &loops_);
  }

  Function& kernel_;
  AAResults& aliases_;
  DominatorTree& dominators_;
  LoopInfo& loops_;
  const CycleInfo& cycles_;
  std::vector<Instruction*> accesses_;
};

} // namespace

PreservedAnalyses deferrable_atomics_pass(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  const std::vector<AtomicRMWInst*> updates = Search(function, analyses).run();
  if (updates.empty()) return PreservedAnalyses::all();
  // The metadata of the pass's first run was written when less was known of the launch.
  for (Instruction& instruction : instructions(function))
    instruction.setMetadata(metadata::deferrable, nullptr);
  std::vector<std::pair<UpdateKind, std::uint64_t>> tables;
  std::uint64_t used = 0;
  for (AtomicRMWInst* update : updates) {
    std::uint64_t offset = 0;
    if (needs_table(*update)) {
      const UpdateKind kind(*update);
      auto known = find_if(tables, [&](auto& table) { return table.first == kind; });
      if (known == tables.end() && tables.size() == most_tables) continue;
      offset = known == tables.end() ? std::exchange(used, used + DeferralTable::bytes(kind)) : known->second;
      if (known == tables.end()) tables.emplace_back(kind, offset);
    }
    LLVMContext& context = function.getContext();
    auto* place = ConstantInt::get(Type::getInt64Ty(context), offset);
    update->setMetadata(metadata::deferrable, MDNode::get(context, {ConstantAsMetadata::get(place)}));
  }
  if (used != context_size(function).fixed) set_context_size(function, {.fixed = used});
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler
