#include "compiler/passes/atomics/group_atomics.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/group_uniformity.hpp"
#include "compiler/values/group_visibility.hpp"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether one host atomic can serve the whole group, provided that the address is uniform.
bool may_be_one(const AtomicRMWInst& update, const CycleInfo& cycles) {
  const auto operation = update.getOperation();
  return !update.use_empty() && !update.isVolatile() && !cycles.getCycle(update.getParent()) &&
         (operation == AtomicRMWInst::Add || operation == AtomicRMWInst::Sub) &&
         update.getPointerAddressSpace() != local_space;
}

std::vector<AtomicRMWInst*> find_atomics(Function& kernel, const CycleInfo& cycles) {
  std::vector<AtomicRMWInst*> found;
  for (Instruction& instruction : instructions(kernel))
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction); update && may_be_one(*update, cycles))
      found.push_back(update);
  if (found.empty()) return found;
  const GroupUniformity uniformity(kernel);
  erase_if(found, [&](AtomicRMWInst* update) {
    const auto* address = dyn_cast<Instruction>(update->getPointerOperand());
    return address && !uniformity.is_uniform(*address);
  });
  return found;
}

/// Rewrites one atomic. It owns three variables in local memory: the total, whether the host atomic has been made, and
/// its result.
class GroupTotal {
public:
  GroupTotal(AtomicRMWInst& update, Instruction* first_vector)
      : update_(update),
        type_(update.getType()),
        total_(variable("total")),
        made_(variable("made")),
        base_(variable("base")) {
    IRBuilder<> build(first_vector->getNextNode());
    Constant* zero = Constant::getNullValue(type_);
    for (GlobalVariable* each : {total_, made_})
      store(build, each, build.CreateSelect(first_vector, zero, load(build, each)));
  }

  void write() {
    IRBuilder<> build(&update_);
    Module& module = *update_.getModule();
    Value* before = exchange(build, AtomicRMWInst::Add, total_, update_.getValOperand());
    build.CreateCall(declare_intrinsic(module, Intrinsic::barrier), {build.getInt32(0)});
    Value* made = exchange(build, AtomicRMWInst::Xchg, made_, ConstantInt::get(type_, 1));
    Instruction* once =
        SplitBlockAndInsertIfThen(build.CreateIsNull(made), update_.getIterator(), /*Unreachable=*/false);
    build.SetInsertPoint(once);
    auto* for_all = cast<AtomicRMWInst>(update_.clone());
    for_all->setOperand(1, load(build, total_));
    store(build, base_, build.Insert(for_all));
    build.SetInsertPoint(&update_);
    auto operation = update_.getOperation() == AtomicRMWInst::Add ? Instruction::Add : Instruction::Sub;
    update_.replaceAllUsesWith(build.CreateBinOp(operation, load(build, base_), before));
    update_.eraseFromParent();
  }

private:
  GlobalVariable* variable(const char* name) {
    return new GlobalVariable(*update_.getModule(), type_, false, GlobalValue::InternalLinkage,
                              UndefValue::get(type_), name, nullptr, GlobalValue::NotThreadLocal,
                              local_space);
  }
  Align alignment() const { return update_.getDataLayout().getABITypeAlign(type_); }
  // Accesses are atomic, so that the uniformity analysis does not consider a loaded value to be uniform.
  Value* load(IRBuilder<>& build, GlobalVariable* variable) {
    LoadInst* load = build.CreateAlignedLoad(type_, variable, alignment());
    load->setAtomic(AtomicOrdering::Monotonic);
    return load;
  }
  void store(IRBuilder<>& build, GlobalVariable* variable, Value* value) {
    build.CreateAlignedStore(value, variable, alignment())->setAtomic(AtomicOrdering::Monotonic);
  }
  Value* exchange(IRBuilder<>& build, AtomicRMWInst::BinOp operation, GlobalVariable* variable,
                  Value* operand) {
    return build.CreateAtomicRMW(operation, variable, operand, alignment(), AtomicOrdering::Monotonic);
  }

  AtomicRMWInst& update_;
  Type* type_;
  GlobalVariable *total_, *made_, *base_;
};

/// Writes, at the kernel's beginning, a value that is true in the group's first vector only.
Instruction* is_first_vector(Function& kernel) {
  IRBuilder<> build(&*kernel.getEntryBlock().getFirstInsertionPt());
  FunctionCallee id = declare_intrinsic(*kernel.getParent(), Intrinsic::local_id);
  Value* any = build.CreateCall(id, {build.getInt32(0)});
  for (unsigned dimension = 1; dimension < kernel_shape(kernel).dimensions; ++dimension)
    any = build.CreateOr(any, build.CreateCall(id, {build.getInt32(dimension)}));
  return cast<Instruction>(build.CreateIsNull(any));
}

} // namespace

bool may_merge_groups(const Function& kernel, const KernelShape& shape, const Switches& switches) {
  return switches.is_on(Heuristic::merged_groups) &&
         note_change(Heuristic::merged_groups, !kernel.hasFnAttribute(metadata::checked_form) &&
                                                   shape.dimensions == 1 && shape.vector_dimension == 0 &&
                                                   shape.uniform_groups && !shape.sees_vectors &&
                                                   !sees_groups(kernel, Launches::of_one_dimension));
}

PreservedAnalyses group_atomics_pass(Function& function, FunctionAnalysisManager& analyses,
                                     const Switches& switches) {
  if (!switches.is_on(Heuristic::group_atomics) || !is_kernel_body(function)) return PreservedAnalyses::all();
  const KernelShape shape = kernel_shape(function);
  // The vector with the first work-item initialises the totals. In reverse order it would run last. The new barrier
  // would force private arrays into memory, one copy for each work-item.
  if (shape.width == 1 || shape.reversed || any_of(instructions(function), IsaPred<AllocaInst>))
    return PreservedAnalyses::all();
  std::vector<AtomicRMWInst*> atomics = find_atomics(function, analyses.getResult<CycleAnalysis>(function));
  if (!note_change(Heuristic::group_atomics, !atomics.empty())) return PreservedAnalyses::all();
  if (may_merge_groups(function, shape, switches)) function.addFnAttr(metadata::groups_merge, "true");
  Instruction* first_vector = is_first_vector(function);
  for (AtomicRMWInst* update : atomics)
    GroupTotal(*update, first_vector).write();
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
