#include "compiler/passes/2_vector/vectorise.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/2_vector/choose/scalar_profitability.hpp"
#include "compiler/passes/2_vector/choose/width.hpp"
#include "compiler/passes/2_vector/control/control.hpp"
#include "compiler/passes/2_vector/control/exclusions.hpp"
#include "compiler/passes/2_vector/control/spin.hpp"
#include "compiler/passes/2_vector/memory/indices.hpp"
#include "compiler/passes/2_vector/shapes/barrier_branches.hpp"
#include "compiler/passes/2_vector/shapes/canonical.hpp"
#include "compiler/passes/2_vector/shapes/private_arrays.hpp"
#include "compiler/passes/2_vector/values/matrix_phis.hpp"
#include "compiler/passes/2_vector/values/split_vectors.hpp"
#include "compiler/passes/2_vector/values/wide_products.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include <memory>

namespace hostcl::compiler {

using namespace llvm;

namespace {

struct Erase {
  void operator()(Function* function) const {
    function->deleteBody();
    function->eraseFromParent();
  }
};
/// Owns a function that exists only while the vectoriser runs.
using Scratch = std::unique_ptr<Function, Erase>;

Function* clone_of(Function& kernel) {
  ValueToValueMapTy map;
  return CloneFunction(&kernel, map);
}

Function* empty_like(Function& kernel) {
  return Function::Create(kernel.getFunctionType(), GlobalValue::PrivateLinkage, kernel.getAddressSpace(),
                          kernel.getName() + ".vector", kernel.getParent());
}

/// Replaces the kernel's body by the body of `made`, whose debug locations belong to the subprogram of `source`.
void move_body(Function& kernel, Function& made, Function& source) {
  for (BasicBlock& block : kernel)
    block.dropAllReferences();
  while (!kernel.empty())
    kernel.begin()->eraseFromParent();
  kernel.splice(kernel.begin(), &made);
  for (auto [from, to] : zip(made.args(), kernel.args()))
    from.replaceAllUsesWith(&to);
  kernel.setSubprogram(source.getSubprogram());
}

SmallVector<Instruction*, 16> accesses_of(AllocaInst& slot) {
  return map_to_vector<16>(slot.users(), [](User* user) { return cast<Instruction>(user); });
}

/// Promotes a slot to SSA values if all its stores are in one block that dominates all loads. This case needs no phis,
/// and no visit of the blocks between the store and the loads. @returns whether the slot was promoted
bool promote_from_one_block(AllocaInst& slot, const DominatorTree& dominators) {
  SmallVector<Instruction*, 16> accesses = accesses_of(slot);
  const auto store = find_if(accesses, IsaPred<StoreInst>);
  if (store == accesses.end()) return false;
  const BasicBlock* home = (*store)->getParent();
  const auto elsewhere = std::partition(accesses.begin(), accesses.end(),
                                        [&](Instruction* access) { return access->getParent() == home; });
  std::sort(accesses.begin(), elsewhere, [](Instruction* a, Instruction* b) { return a->comesBefore(b); });
  if (!isa<StoreInst>(accesses.front()) || !std::all_of(elsewhere, accesses.end(), [&](Instruction* access) {
        return isa<LoadInst>(access) && dominators.dominates(home, access->getParent());
      }))
    return false;
  Value* value = nullptr;
  for (Instruction* access : accesses) {
    if (auto* stored = dyn_cast<StoreInst>(access))
      value = stored->getValueOperand();
    else
      access->replaceAllUsesWith(value);
    access->eraseFromParent();
  }
  slot.eraseFromParent();
  return true;
}

/// Promotes a slot to SSA values by SSAUpdater, which starts from the slot's own loads and stores. A kernel may have
/// thousands of slots, each used in a few blocks; PromoteMemToReg would visit all blocks that a slot's stores dominate.
void promote(AllocaInst& slot) {
  const SmallVector<Instruction*, 16> accesses = accesses_of(slot);
  SSAUpdater values;
  LoadAndStorePromoter(ArrayRef<const Instruction*>(accesses.data(), accesses.size()), values, slot.getName())
      .run(accesses);
  slot.eraseFromParent();
}

/// Promotes all slots to SSA values, and simplifies or removes instructions that become trivial by the promotion.
void promote_slots(Function& function, ArrayRef<AllocaInst*> slots) {
  const DominatorTree dominators(function);
  dominators.updateDFSNumbers();
  SmallVector<AllocaInst*, 32> left;
  for (AllocaInst* slot : slots)
    if (!promote_from_one_block(*slot, dominators)) left.push_back(slot);
  for (AllocaInst* slot : left)
    promote(*slot);
  const SimplifyQuery query(function.getDataLayout());
  Exclusions exclusions;
  SmallVector<WeakTrackingVH, 32> dead;
  for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function)) {
    for (Instruction& instruction : *block) {
      if (Value* simple = simplifyInstruction(&instruction, query); simple && simple != &instruction)
        instruction.replaceAllUsesWith(simple);
      else
        exclusions.visit(instruction);
      if (isInstructionTriviallyDead(&instruction)) dead.push_back(&instruction);
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

VectoriseOutcome refuse(const Twine& why) {
  return {1, ("not vectorised: " + why).str()};
}

/// Replaces the queries of the sub-group stride by the width: all sub-groups but a group's last have this many lanes.
void fix_stride(Function& kernel, unsigned width) {
  for (Instruction& instruction : make_early_inc_range(instructions(kernel)))
    if (is_call_of(instruction, Intrinsic::sub_group_stride)) {
      instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), width));
      instruction.eraseFromParent();
    }
}

} // namespace

VectoriseOutcome vectorise(Function& kernel, const VectoriseOptions& options) {
  const unsigned width = options.width;
  if (width < 2 || width > 64 || !isPowerOf2_32(width)) return refuse("a width of 1 was asked for");
  if (!kernel.getReturnType()->isVoidTy()) return refuse("not a kernel");
  Scratch source(clone_of(kernel)), target(empty_like(kernel));

  if (!options.partial_sub_groups) fix_stride(*source, width);
  DominatorTree dominators;
  LoopInfo loops;
  if (Error error = canonicalise(*source, dominators, loops)) return refuse(toString(std::move(error)));
  if (const Instruction* access = find_spinning_access(loops, dominators))
    return refuse(source_location(*access) + "a loop waits for another work-item");
  const Switches& switches = options.switches;
  if (switches.is_on(Heuristic::split_vectors)) split_short_vectors(*source, loops);
  if (switches.is_on(Heuristic::wide_products)) split_wide_products(*source);
  extend_address_indices(*source);
  if (switches.is_on(Heuristic::private_arrays)) interleave_private_arrays(*source, width);
  ForwardGraph graph(*source, loops);
  if (!graph.valid()) return refuse("irreducible control flow");
  const Ranges ranges({width, options.partial_sub_groups, options.ids_fit_31_bits});
  std::optional<Shapes> shapes(std::in_place, *source, graph, loops, ranges, switches);
  if (switches.is_on(Heuristic::widened_indices) && widen_indices(*source, *shapes, ranges))
    shapes.emplace(*source, graph, loops, ranges, switches);
  if (share_matrix_phis(*source, *shapes)) shapes.emplace(*source, graph, loops, ranges, switches);
  const auto diverges = [&](unsigned block) { return !shapes->branches_uniformly(block); };
  if (const Instruction* barrier = find_parted_barrier(graph, loops, diverges))
    return refuse(source_location(*barrier) +
                  "work-items may reach a barrier in different iterations of a loop");
  const Plan plan(graph, loops, *shapes, options);
  if (options.print_plan) plan.print(errs(), kernel.getName());
  if (const char* reason = why_scalar(plan)) return refuse(reason);
  if (!plan.refusal().empty()) return refuse(plan.refusal());

  Emission emission(plan, *target, write_vector_form);
  ControlFlow(emission).write();
  if (emission.failed()) return refuse(emission.failure());
  if (verifyFunction(*target))
    return refuse("the vector code is not valid IR, which is a defect of the vectoriser");
  if (uses_sub_groups(kernel))
    kernel.addFnAttr(metadata::sees_vectors, "true"); // move_body() drops the calls
  move_body(kernel, *target, *source);
  promote_slots(kernel, emission.slots);
  kernel.addFnAttr(metadata::width, Twine(width).str());
  return {width, {}};
}

PreservedAnalyses VectorisePass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (function.isDeclaration() || function.getCallingConv() != CallingConv::SPIR_KERNEL ||
      function.hasFnAttribute(metadata::checks_of))
    return PreservedAnalyses::all();
  VectoriseOptions options = options_;
  if (options.width == 0)
    options.width = choose_width(function, options, analyses.getResult<TargetIRAnalysis>(function));
  if (options_.width == 1) return PreservedAnalyses::all();
  VectoriseOutcome outcome = vectorise(function, options);
  if (outcome.width > 1) return PreservedAnalyses::none();
  const std::string text = function.getName().str() + ": " + outcome.remark;
  const Twine message(text); // the diagnostic only refers to it
  function.getContext().diagnose(DiagnosticInfoGeneric(message, DS_Remark));
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler
