#include "compiler/passes/checks/freedom/unordered_accesses.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/checks/race_accesses.hpp"
#include "compiler/values/group_uniformity.hpp"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the instruction is a barrier that orders local memory.
bool orders_local_memory(const Instruction& instruction) {
  constexpr std::uint64_t local_fence = 1; // CLK_LOCAL_MEM_FENCE
  if (!is_call_of(instruction, Intrinsic::barrier)) return false;
  const auto* flags = dyn_cast<ConstantInt>(cast<CallBase>(instruction).getArgOperand(0));
  return flags && (flags->getZExtValue() & local_fence);
}

/// Whether a value is computed from ids, sizes and arguments only, without loads.
bool is_without_memory(const Value& number) {
  SmallVector<const Value*, 16> open{&number};
  SmallPtrSet<const Value*, 16> seen;
  while (!open.empty()) {
    const auto* operation = dyn_cast<Instruction>(open.pop_back_val());
    if (!operation || !seen.insert(operation).second) continue;
    if (operation->mayReadFromMemory() && !is_dimension_query(*operation)) return false;
    for (const Use& operand : operation->operands())
      open.push_back(operand);
  }
  return true;
}

class Phases {
public:
  explicit Phases(Function& kernel) : uniformity_(kernel) {}

  /// Adds the sets for the code from `next` on. `before` contains the instructions since the last barrier.
  void add_from(const Instruction* next, AccessSet before, unsigned depth = 0);
  SmallVector<AccessSet, 8> sets;

private:
  bool is_taken_together(const Instruction& branch);

  GroupUniformity uniformity_;
};

bool Phases::is_taken_together(const Instruction& branch) {
  const auto* choice = dyn_cast<BranchInst>(&branch);
  if (!choice || uniformity_.has_divergent_branch(*branch.getParent()) ||
      !is_without_memory(*choice->getCondition()))
    return false;
  // If the branch may run more than once before the next barrier, work-items may be in different iterations.
  AccessSet later;
  for (const BasicBlock* block : successors(branch.getParent()))
    add_reachable(block->front(), orders_local_memory, later);
  return !later.contains(&branch);
}

void Phases::add_from(const Instruction* next, AccessSet before, unsigned depth) {
  constexpr unsigned most_depth = 4; // of nested branches
  for (const Instruction* now = next; now && depth < most_depth;) {
    if (orders_local_memory(*now)) {
      sets.push_back(before);
      return;
    }
    if (!before.insert(now).second) break; // a loop leads back to an earlier instruction
    if (!now->isTerminator()) {
      now = now->getNextNode();
    } else if (const BasicBlock* one = now->getParent()->getSingleSuccessor()) {
      now = &one->front();
    } else {
      if (!is_taken_together(*now)) break;
      for (const BasicBlock* side : successors(now->getParent()))
        add_from(&side->front(), before, depth + 1);
      return;
    }
  }
  add_reachable(*next, orders_local_memory, before);
  sets.push_back(before);
}

} // namespace

SmallVector<AccessSet, 8> unordered_accesses(Function& kernel) {
  Phases phases(kernel);
  phases.add_from(&kernel.getEntryBlock().front(), {});
  for (const Instruction& instruction : instructions(kernel))
    if (orders_local_memory(instruction)) phases.add_from(instruction.getNextNode(), {});
  return std::move(phases.sets);
}

} // namespace hostcl::compiler
