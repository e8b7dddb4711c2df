// Combines the updates that passes/atomics/deferrable_atomics.cpp has found (write combining in software): collects
// them in a table by address, and writes them to memory at the end of the range of work-groups, or when the table has
// no entry left for another address. If addresses hardly ever repeat, the table is suspended (deferral_table.hpp).
//
//   start:                                      start:                       ; of the range
//     ...                                          tags[0 ... entries - 1] = null
//   group:                                      group:
//     %o = atomicrmw add ptr %p, i32 %x   =>       %i = (%p / 4) % entries
//                                                  if (tags[%i] != %p) {
//                                                    if (tags[%i]) atomicrmw add ptr tags[%i], i32 sums[%i]
//                                                    tags[%i] = %p, sums[%i] = 0
//                                                  }
//                                                  sums[%i] += %x
//   end:                                        end:
//     ret                                          for each %i: if (tags[%i]) atomicrmw ...
//
// An address that is the same for the whole range needs only a variable, which becomes a register. Its update of memory
// is left out if the variable still holds the identity element: the program may never have executed the update, and it
// would have no effect.
//
// A floating-point sum depends on the order of its additions, so operands are not summed up: an entry keeps a list of
// operands, and one compare-exchange applies them all, in the program's order.
//
// In: functions made by kernel-entry. Out: no metadata of deferrable updates is left.
// Tests: tests/passes/atomics/deferred_atomics*.ll.

#include "compiler/passes/passes.hpp"

#include "compiler/ir/atomic_update.hpp"
#include "compiler/ir/entry_parameters.hpp"
#include "compiler/passes/4_range/launch_reader.hpp"
#include "compiler/passes/atomics/deferral_table.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Inserts a block that runs once after all groups of the range, but not if the range is empty. @returns its terminator
Instruction* make_range_end(Function& entry) {
  const auto* check = entry.getEntryBlock().getTerminator();
  BasicBlock* end = check->getSuccessor(1);
  BasicBlock* finish = BasicBlock::Create(entry.getContext(), "finish", &entry, end);
  for (BasicBlock* before : to_vector(predecessors(end)))
    if (before != &entry.getEntryBlock()) before->getTerminator()->replaceSuccessorWith(end, finish);
  return BranchInst::Create(end, finish);
}

/// Rewrites the deferrable updates of one entry function.
class Deferral {
public:
  explicit Deferral(Function& entry)
      : entry_(entry),
        start_(*entry.getEntryBlock().getTerminator()->getSuccessor(0)),
        fields_(entry, start_),
        end_(make_range_end(entry)) {}

  void defer(AtomicRMWInst& update) {
    Value* fixed = update.getType()->isIntegerTy() ? hoisted(update.getPointerOperand()) : nullptr;
    if (fixed)
      add_to_variable(update, *fixed);
    else
      table_of(update).add(update);
    update.replaceAllUsesWith(PoisonValue::get(update.getType())); // a vector of unused results may use it
    update.eraseFromParent();
  }

private:
  /// The address, hoisted out of the loop over groups; null if it is not loop-invariant.
  Value* hoisted(Value* address) {
    auto* instruction = dyn_cast<Instruction>(address);
    if (!instruction || instruction->getParent() == &start_) return address;
    if (!isa<GetElementPtrInst, CastInst>(instruction)) return nullptr;
    for (Value* operand : instruction->operands())
      if (!hoisted(operand)) return nullptr;
    instruction->moveBefore(start_.getTerminator()->getIterator());
    return instruction;
  }

  void add_to_variable(AtomicRMWInst& update, Value& address) {
    const UpdateKind kind(update);
    AllocaInst*& sum = variables_[{&address, kind.operation, kind.type}];
    if (!sum) sum = make_variable(kind, address, update.getAlign());
    IRBuilder<> build(&update);
    Value* before = build.CreateLoad(kind.type, sum);
    build.CreateStore(kind.apply(build, before, UpdateKind::operand_of(build, update)), sum);
  }

  AllocaInst* make_variable(const UpdateKind& kind, Value& address, Align alignment) {
    BasicBlock& first = entry_.getEntryBlock();
    IRBuilder<> build(&first, first.begin());
    AllocaInst* sum = build.CreateAlloca(kind.type, nullptr, "pending");
    build.SetInsertPoint(start_.getTerminator());
    build.CreateStore(kind.identity(), sum);
    build.SetInsertPoint(end_);
    Value* all = build.CreateLoad(kind.type, sum);
    Value* changes = build.CreateICmpNE(all, kind.identity());
    build.SetInsertPoint(SplitBlockAndInsertIfThen(changes, end_->getIterator(), false));
    build.CreateAtomicRMW(kind.operation, &address, all, alignment, AtomicOrdering::Monotonic);
    return sum;
  }

  /// An upper bound of the number of work-items in the range.
  Value* work_items(IRBuilder<>& build) {
    Value* count = build.CreateSub(entry_.getArg(last_group), entry_.getArg(first_group));
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      count = build.CreateMul(count, fields_.answer(Intrinsic::enqueued_local_size, dimension));
    return count;
  }

  DeferralTable& table_of(const AtomicRMWInst& update) {
    const std::uint64_t offset = deferral_table(update).value_or(0);
    std::unique_ptr<DeferralTable>& table = tables_[offset];
    if (table) return *table;
    IRBuilder<> build(start_.getTerminator());
    Value* context = entry_.getArg(EntryParameter::context);
    Value* memory = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), context, offset, "table");
    table = DeferralTable::make(UpdateKind(update), memory);
    table->begin(start_.getTerminator(), work_items(build));
    table->write_back(end_);
    return *table;
  }

  Function& entry_;
  BasicBlock& start_;
  LaunchReader fields_;
  Instruction* end_;
  std::map<std::tuple<Value*, AtomicRMWInst::BinOp, Type*>, AllocaInst*> variables_;
  std::map<std::uint64_t, std::unique_ptr<DeferralTable>> tables_; ///< by their place in the context
};

} // namespace

PreservedAnalyses deferred_atomics_pass(Function& function, FunctionAnalysisManager&) {
  SmallVector<AtomicRMWInst*, 4> marked;
  for (Instruction& instruction : instructions(function))
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction); update && deferral_table(*update))
      marked.push_back(update);
  if (marked.empty()) return PreservedAnalyses::all();
  Deferral deferral(function);
  for (AtomicRMWInst* update : marked)
    deferral.defer(*update);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
