// Checks that accesses stay inside the object from which their pointer was derived (HOSTCL_CHECK=bounds). An access
// outside is reported and not performed; a load gives zero.
//
//   before:  store float %x, ptr addrspace(1) %p                 %p: 4 * %i bytes after the parameter %a
//
//   after:   %low = call i64 @__hostcl_object_low(i32 0)         start of the object, in bytes relative to %a
//            %size = call i64 @__hostcl_object_size(i32 0)       bytes of the object; both in the first block
//            %offset = mul i64 %i, 4
//            %position = sub i64 %offset, %low                   offset in the object
//            %limit = call i64 @llvm.usub.sat.i64(i64 %size, i64 3)
//            %right = icmp ult i64 %position, %limit             whether the access is in bounds
//            if %right then the store, else a report (findings.hpp)
//
// Loads, stores, atomics, copies and fills are checked, except accesses that are proved to be in bounds because object
// and offset are constants or have a known range.
//
// Most checks are avoided by versioning the kernel's body for whole groups: at the group's beginning, the kernel
// computes the intervals of the offsets (intervals.hpp). If all accesses whose offsets have intervals are in bounds for
// all work-items, the group runs the original body, in which these accesses are not checked. Otherwise the group runs a
// copy of the body, in which all accesses are checked:
//
//            br i1 %all_right, label %body, label %body.checked
//
// Barriers before the branch and at the start of both versions make each version a barrier region, with its own loop
// over the work-items. Kernels of more than 10,000 instructions have the checked version only.
//
// Time of kernels of bench/, relative to the same kernel without checks (AMD EPYC, Zen 4): sgemm_naive 1.1 to 1.7 with
// this versioning (heuristic `proven_bounds`), and 15 without this versioning; stencil 1.1 and 2.8.
//
// There are two passes. `certain-bounds` runs early: it checks accesses to private variables, and reports accesses to
// other memory that are certainly wrong, before other passes make use of undefined behaviour (an access after the end
// of a private array would be removed). If HOSTCL_CHECK also names `uninitialised`, `certain-bounds` guards accesses to
// local memory as well. `check-uninitialised` adds an access to the shadow beside each access. The shadow of local
// memory lies in local memory, so an access to the shadow would be out of bounds too, unless the guard covers both.
// `check-bounds` checks all other accesses.
//
// In:  kernels whose calls are inlined; for `check-bounds`, in SSA form and before the vectoriser.
// Tests: tests/passes/checks/bounds/

#include "compiler/passes/passes.hpp"

#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/memory_access.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"
#include "compiler/passes/checks/intervals.hpp"
#include "compiler/passes/checks/provenance.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/branch_conditions.hpp"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <memory>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The accesses of the kernel that are not guarded yet, in the order of its instructions.
SmallVector<MemoryAccess, 32> accesses_of(Function& kernel) {
  SmallVector<MemoryAccess, 32> found;
  for (Instruction& instruction : instructions(kernel))
    if (!instruction.hasMetadata(metadata::in_bounds)) append_range(found, memory_accesses(instruction));
  return found;
}

/// An access, its object, and the condition under which it is in bounds. `position` and `right` are tracking handles,
/// because they may be results of other loads, and guarding a load replaces its result by a phi.
struct Checked {
  MemoryAccess access;
  Provenance provenance;
  WeakTrackingVH position, right;
  /// The condition, computed when the group begins, that the access is in bounds for all work-items; null if the
  /// condition cannot be computed, or is false for all groups.
  Value* always_right = nullptr;
};

/// Whether a finding reports the access's position in the object instead of its address.
bool tells_position(const Checked& checked) {
  const unsigned space = checked.access.pointer()->getType()->getPointerAddressSpace();
  const Value* root = checked.provenance.root;
  if (isa_and_present<ConstantPointerNull>(root)) return false; // the finding has the address
  // Addresses in private and local memory mean nothing to the user. In other memory, the object must be known.
  return space == private_space || space == local_space ||
         isa_and_present<Argument, AllocaInst, GlobalVariable>(root);
}

Constant* site_of(const Checked& checked) {
  const MemoryAccess& access = checked.access;
  return compiler::site_of(*access.instruction, {.check = Check::bounds,
                                                 .root = checked.provenance.root,
                                                 .bytes = access.known_bytes(),
                                                 .access = access.kind,
                                                 .tells_position = tells_position(checked)});
}

/// Whether the access is to local memory, through a pointer of any address space.
bool is_local(const Checked& checked) {
  const Value* root = checked.provenance.root;
  return checked.access.pointer()->getType()->getPointerAddressSpace() == local_space ||
         (root && root->getType()->getPointerAddressSpace() == local_space);
}

/// Makes the access conditional: it is performed only if it is in bounds.
void guard(const Checked& checked, Constant* site) {
  auto what = [&](IRBuilder<>& builder) {
    return tells_position(checked) ? static_cast<Value*>(checked.position)
                                   : builder.CreatePtrToInt(checked.access.pointer(), builder.getInt64Ty());
  };
  perform_if(checked.right, *checked.access.instruction, what, site);
  checked.access.instruction->setMetadata(metadata::in_bounds, MDNode::get(site->getContext(), {}));
}

/// The same access in a copy of its block.
Checked copy_of(Checked checked, ValueToValueMapTy& copies) {
  checked.access.instruction = cast<Instruction>(copies.lookup(checked.access.instruction));
  for (WeakTrackingVH* value : {&checked.position, &checked.right})
    if (Value* found = copies.lookup(*value)) *value = found;
  return checked;
}

/// Declares that barriers return. Otherwise ScalarEvolution computes no trip counts of loops around barriers.
ScalarEvolution& evolution_with_barriers(Function& kernel, ScalarEvolution& evolution) {
  declare_intrinsic(*kernel.getParent(), Intrinsic::barrier)->setWillReturn();
  evolution.forgetAllLoops();
  return evolution;
}

class BoundsChecker {
public:
  BoundsChecker(Function& kernel, FunctionAnalysisManager& analyses)
      : kernel_(kernel),
        evolution_(evolution_with_barriers(kernel, analyses.getResult<ScalarEvolutionAnalysis>(kernel))),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(kernel)),
        first_(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()),
        provenances_(kernel) {}

  void check(const MemoryAccess& access);
  /// @param finds_uninitialised whether the check for uninitialised values is on
  void check_early(const MemoryAccess& access, bool finds_uninitialised);
  /// Guards the accesses. Must be called last, because it splits blocks, on which the object bounds depend.
  void write(bool may_copy);

private:
  Checked compare(const MemoryAccess& access);
  bool is_proved(const Checked& checked);
  Value* find_when_always_right();
  SmallVector<Checked, 32> copy_kernel(Value* when);

  Function& kernel_;
  ScalarEvolution& evolution_;
  const DominatorTree& dominators_;
  Instruction* first_; ///< the kernel's first original instruction; intervals are computed before it
  ProvenanceAnalysis provenances_;
  SmallVector<Checked, 32> checked_;
};

/// Writes the condition that the access is in bounds, before the access.
Checked BoundsChecker::compare(const MemoryAccess& access) {
  const Provenance provenance =
      provenances_.of(*access.pointer()).for_access(access.reads(), access.writes());
  IRBuilder<> builder(access.instruction);
  Value* position = provenance.position(builder);
  Value* bytes = builder.CreateZExtOrTrunc(access.bytes(), builder.getInt64Ty());
  Value* right;
  if (auto* constant = dyn_cast<ConstantInt>(bytes)) {
    right = builder.CreateICmpULT(position, provenance.limit(builder, constant->getZExtValue()), "right");
  } else { // an access of zero bytes is always in bounds
    Value* rest =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, provenance.size, position, nullptr, "rest");
    right = builder.CreateICmpULE(bytes, rest, "right");
  }
  return {access, provenance, position, right};
}

/// Whether the condition is known to hold, by constants or by the range of the position.
bool BoundsChecker::is_proved(const Checked& checked) {
  if (checked.provenance.is_all_memory()) return true;
  if (auto* known = dyn_cast<ConstantInt>(checked.right)) return known->isOne();
  const auto* size = dyn_cast<ConstantInt>(checked.provenance.size);
  const std::uint64_t bytes = checked.access.known_bytes();
  if (!size || !bytes || size->getValue().ult(bytes)) return false;
  const ConstantRange range = evolution_.getUnsignedRange(evolution_.getSCEV(checked.position));
  return range.getUnsignedMax().ule(size->getValue() - bytes);
}

void BoundsChecker::check(const MemoryAccess& access) {
  if (match(access.bytes(), PatternMatch::m_Zero())) return;
  const Checked checked = compare(access);
  if (!is_proved(checked)) checked_.push_back(checked);
}

void BoundsChecker::check_early(const MemoryAccess& access, bool finds_uninitialised) {
  if (access.known_bytes() == 0) return;
  const Checked checked = compare(access);
  const auto* known = dyn_cast<ConstantInt>(checked.right);
  const bool is_certain = known && known->isZero();
  const bool is_private = checked.provenance.root && isa<AllocaInst>(checked.provenance.root);
  const bool has_near_shadow = finds_uninitialised && is_local(checked);
  if (is_certain || ((is_private || has_near_shadow) && !is_proved(checked))) checked_.push_back(checked);
}

/// Finds the accesses whose offsets have intervals that are known when the group begins. @returns the condition that
/// all of these accesses are in bounds; null if there are none
Value* BoundsChecker::find_when_always_right() {
  IRBuilder<> builder(first_);
  CheckedArithmetic all(builder);
  DenseMap<const BasicBlock*, std::unique_ptr<Intervals>> intervals;
  for (Checked& checked : checked_) {
    const std::uint64_t bytes = checked.access.known_bytes();
    if (!bytes || !isa_and_present<Argument, AllocaInst, GlobalVariable>(checked.provenance.root)) continue;
    const BasicBlock* block = checked.access.instruction->getParent();
    std::unique_ptr<Intervals>& there = intervals[block];
    if (!there)
      there = std::make_unique<Intervals>(evolution_, builder, ItemsOf::group,
                                          orders_at(*block, dominators_, evolution_));
    const auto offset = there->of(evolution_.getSCEV(checked.provenance.offset));
    if (!offset) continue;
    Value* limit = checked.provenance.limit(builder, bytes);
    CheckedArithmetic right(builder, builder.CreateICmpSGE(offset->low, checked.provenance.low));
    right.require(builder.CreateICmpULT(builder.CreateSub(offset->high, checked.provenance.low), limit));
    right.require(offset->valid);
    checked.always_right = right.holds();
    if (auto* known = dyn_cast<ConstantInt>(checked.always_right); known && known->isZero()) {
      // This condition is false in every group. Together with the other conditions it would keep the body without
      // checks from ever running.
      checked.always_right = nullptr;
      continue;
    }
    all.require(checked.always_right);
  }
  return all.holds();
}

/// Copies all blocks except the first one. Groups in which `when` holds run the original blocks, other groups the copy.
/// @returns the accesses of the copy
SmallVector<Checked, 32> BoundsChecker::copy_kernel(Value* when) {
  BasicBlock* head = first_->getParent();
  BasicBlock* body = SplitBlock(head, first_);
  SmallVector<BasicBlock*, 32> blocks;
  for (BasicBlock& block : kernel_)
    if (&block != head) blocks.push_back(&block);
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*, 32> copied;
  for (BasicBlock* block : blocks) {
    copied.push_back(CloneBasicBlock(block, copies, ".checked", &kernel_));
    copies[block] = copied.back();
  }
  remapInstructionsInBlocks(copied, copies);
  // Barriers make both versions regions of their own, so that each has its own loops over the group's work-items.
  for (BasicBlock* block : {head, body, copied.front()}) {
    IRBuilder<> builder(block,
                        block == head ? head->getTerminator()->getIterator() : block->getFirstInsertionPt());
    call_intrinsic(builder, Intrinsic::barrier, 0);
  }
  ReplaceInstWithInst(head->getTerminator(), BranchInst::Create(body, copied.front(), when));
  SmallVector<Checked, 32> result;
  for (const Checked& checked : checked_)
    result.push_back(copy_of(checked, copies));
  return result;
}

void BoundsChecker::write(bool may_copy) {
  constexpr unsigned most_copied = 10'000; // instructions
  SmallVector<Constant*, 32> sites;
  for (const Checked& checked : checked_)
    sites.push_back(site_of(checked));
  may_copy &= kernel_.getInstructionCount() <= most_copied;
  Value* when = may_copy ? find_when_always_right() : nullptr;
  if (note_change(Heuristic::proven_bounds, when))
    for (auto [checked, site] : zip_equal(copy_kernel(when), sites))
      guard(checked, site);
  for (auto [checked, site] : zip_equal(checked_, sites))
    if (!when || !checked.always_right) guard(checked, site);
}

} // namespace

PreservedAnalyses certain_bounds_pass(Function& function, FunctionAnalysisManager& analyses,
                                      const Switches& switches) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  BoundsChecker checker(function, analyses);
  for (const MemoryAccess& access : accesses_of(function))
    checker.check_early(access, switches.is_checked(Check::uninitialised));
  checker.write(/*may_copy=*/false);
  return PreservedAnalyses::none();
}

PreservedAnalyses check_bounds_pass(Function& function, FunctionAnalysisManager& analyses,
                                    const Switches& switches) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  BoundsChecker checker(function, analyses);
  for (const MemoryAccess& access : accesses_of(function))
    checker.check(access);
  checker.write(/*may_copy=*/switches.is_on(Heuristic::proven_bounds));
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
