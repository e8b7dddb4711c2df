#include "compiler/values/acquired_reads.hpp"

#include "compiler/ir/atomic_update.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::uint64_t local_fence = 1, global_fence = 2; // CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE

/// The most that a work-item may have done, since the last barrier, to acquire writes of other work-items.
enum class Step : std::uint8_t {
  none,
  has_read, ///< has read an atomic or volatile object; a fence then acquires
  acquired,
};

/// The steps for global and local memory. An access through another address space counts for both.
struct Progress {
  Step global = Step::none, local = Step::none;

  void join(Progress other) {
    global = std::max(global, other.global);
    local = std::max(local, other.local);
  }
  bool operator==(const Progress&) const = default;
};

/// The step of an access; Step::none for stores and ordinary loads.
Step step_of_access(const Instruction& access) {
  const auto* load = dyn_cast<LoadInst>(&access);
  if (!isa<AtomicRMWInst, AtomicCmpXchgInst>(access) && (!load || load->isSimple())) return Step::none;
  return isAcquireOrStronger(ordering_of(access)) ? Step::acquired : Step::has_read;
}

/// The transfer function of the data-flow analysis: the progress after an instruction.
class Steps {
public:
  /// Whether the function may synchronise without barriers. A fence alone does not synchronise, because an atomic or
  /// volatile read must come before the fence; with `fences_count` it counts, for functions whose caller may have made
  /// the read. The result for each callee is cached.
  bool are_in(const Function& function, bool fences_count = false) {
    return any_of(instructions(function), [&](const Instruction& instruction) {
      return (fences_count && isa<FenceInst>(instruction)) || step_of_access(instruction) != Step::none ||
             may_acquire(instruction);
    });
  }

  void take(const Instruction& instruction, Progress& progress) {
    if (const auto* fence = dyn_cast<FenceInst>(&instruction)) {
      // A fence of any scope counts: OpenCL's fences for a single work-item do not become instructions.
      if (isAcquireOrStronger(fence->getOrdering()))
        for (Step* step : {&progress.global, &progress.local})
          if (*step == Step::has_read) *step = Step::acquired;
    } else if (is_call_of(instruction, Intrinsic::barrier)) {
      const auto* flags = dyn_cast<ConstantInt>(cast<CallBase>(instruction).getArgOperand(0));
      if (flags && flags->getZExtValue() & global_fence) progress.global = Step::none;
      if (flags && flags->getZExtValue() & local_fence) progress.local = Step::none;
    } else {
      const Step step = may_acquire(instruction) ? Step::acquired : step_of_access(instruction);
      progress.join({step, step});
    }
  }

private:
  /// Whether the instruction is a call that may acquire. Intrinsics, host callbacks and other functions of the host do
  /// not.
  bool may_acquire(const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || isa<IntrinsicInst>(call) || call->onlyReadsMemory()) return false;
    const Function* callee = call->getCalledFunction();
    if (!callee) return true;
    const auto [known, is_new] = known_.try_emplace(callee, false);
    if (!is_new || callee->isDeclaration()) return known->second;
    const bool result = are_in(*callee, /*fences_count=*/true);
    return known_[callee] = result;
  }

  DenseMap<const Function*, bool> known_;
};

/// Whether the instruction reads memory for which an acquire has happened.
bool reads_after(const Instruction& instruction, Progress progress) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const auto* load = dyn_cast<LoadInst>(&instruction);
  if (!load && (!call || !call->mayReadFromMemory())) return false;
  const unsigned space = load ? load->getPointerAddressSpace() : private_space;
  if (space == constant_space) return false;
  return (space != local_space && progress.global == Step::acquired) ||
         (space != global_space && progress.local == Step::acquired);
}

} // namespace

AcquiredReads::AcquiredReads(const Function& function) {
  Steps steps;
  if (!steps.are_in(function)) return;
  DenseMap<const BasicBlock*, Progress> before;
  const ReversePostOrderTraversal<const Function*> order(&function);
  auto run = [&](const BasicBlock& block, auto visit) {
    Progress progress = before.lookup(&block);
    for (const Instruction& instruction : block) {
      visit(instruction, progress);
      steps.take(instruction, progress);
    }
    return progress;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock* block : order) {
      const Progress after = run(*block, [](const Instruction&, Progress) {});
      for (const BasicBlock* successor : successors(block)) {
        Progress& known = before[successor];
        const Progress was = known;
        known.join(after);
        changed |= known != was;
      }
    }
  }
  for (const BasicBlock* block : order)
    run(*block, [&](const Instruction& instruction, Progress progress) {
      if (reads_after(instruction, progress)) reads_.insert(&instruction);
    });
}

} // namespace hostcl::compiler
