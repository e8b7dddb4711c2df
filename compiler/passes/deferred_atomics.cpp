#include "compiler/passes/deferred_atomics.hpp"

#include "compiler/abi.hpp"
#include "compiler/passes/deferrable_atomics.hpp"
#include "compiler/passes/kernel_entry.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

#include <map>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Differences are sums of negated operands.
AtomicRMWInst::BinOp combination_of(const AtomicRMWInst& update) {
  const auto operation = update.getOperation();
  return operation == AtomicRMWInst::Sub ? AtomicRMWInst::Add : operation;
}

Constant* identity_of(AtomicRMWInst::BinOp operation, Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (operation) {
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return Constant::getAllOnesValue(type);
  case AtomicRMWInst::Min:
    return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  case AtomicRMWInst::Max:
    return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  default:
    return Constant::getNullValue(type);
  }
}

Value* operand_of(IRBuilder<>& build, AtomicRMWInst& update) {
  Value* operand = update.getValOperand();
  return update.getOperation() == AtomicRMWInst::Sub ? build.CreateNeg(operand) : operand;
}

/// What all updates of one address, or of one table, have in common.
struct Updates {
  explicit Updates(const AtomicRMWInst& update)
      : operation(combination_of(update)),
        type(update.getType()),
        alignment(update.getAlign()),
        scope(update.getSyncScopeID()) {}

  void combine(IRBuilder<>& build, Value* sum, Value* operand) const {
    Value* before = build.CreateLoad(type, sum);
    build.CreateStore(buildAtomicRMWValue(operation, build, before, operand), sum);
  }
  void make(IRBuilder<>& build, Value* address, Value* sum) const {
    build.CreateAtomicRMW(operation, address, build.CreateLoad(type, sum), alignment,
                          AtomicOrdering::Monotonic, scope);
  }

  AtomicRMWInst::BinOp operation;
  Type* type;
  Align alignment;
  SyncScope::ID scope;
};

/// The end of a block that runs once after all groups of a range, unless it was empty.
Instruction* make_range_end(Function& entry) {
  const auto* check = entry.getEntryBlock().getTerminator();
  BasicBlock* end = check->getSuccessor(1);
  BasicBlock* finish = BasicBlock::Create(entry.getContext(), "finish", &entry, end);
  for (BasicBlock* before : to_vector(predecessors(end)))
    if (before != &entry.getEntryBlock()) before->getTerminator()->replaceSuccessorWith(end, finish);
  return BranchInst::Create(end, finish);
}

class Deferral {
public:
  explicit Deferral(Function& entry)
      : entry_(entry),
        start_(*entry.getEntryBlock().getTerminator()->getSuccessor(0)),
        end_(make_range_end(entry)) {}

  void defer(AtomicRMWInst& update, unsigned table) {
    if (Value* fixed = hoisted(update.getPointerOperand()))
      add_to_variable(update, *fixed);
    else
      add_to_table(update, table);
    update.replaceAllUsesWith(PoisonValue::get(update.getType())); // vectors of unused results
    update.eraseFromParent();
  }

private:
  /// The same address in front of all groups, or null.
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
    const Updates kind(update);
    AllocaInst*& sum = variables_[{&address, kind.operation, kind.type}];
    if (!sum) {
      IRBuilder<> build(&entry_.getEntryBlock(), entry_.getEntryBlock().begin());
      sum = build.CreateAlloca(kind.type, nullptr, "pending");
      build.SetInsertPoint(start_.getTerminator());
      Constant* identity = identity_of(kind.operation, kind.type);
      build.CreateStore(identity, sum);
      build.SetInsertPoint(end_);
      Value* changes = build.CreateICmpNE(build.CreateLoad(kind.type, sum), identity);
      build.SetInsertPoint(SplitBlockAndInsertIfThen(changes, end_->getIterator(), false));
      kind.make(build, &address, sum);
    }
    IRBuilder<> build(&update);
    kind.combine(build, sum, operand_of(build, update));
  }

  struct Table {
    Value* tags;
    Value* sums;
  };

  Table table_of(AtomicRMWInst& update, unsigned number) {
    Table& table = tables_[number];
    if (table.tags) return table;
    IRBuilder<> build(start_.getTerminator());
    Value* context = entry_.getArg(EntryParameter::context);
    auto part = [&](std::uint64_t offset, const char* name) {
      return build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), context,
                                              number * deferral_table_bytes + offset, name);
    };
    table = {part(0, "tags"), part(std::uint64_t{deferral_entries} * 8, "sums")};
    build.CreateMemSet(table.tags, build.getInt8(0), std::uint64_t{deferral_entries} * 8,
                       Align(abi::scratch_alignment));
    write_back(table, Updates(update), update.getPointerOperand()->getType());
    return table;
  }

  /// A loop over all entries at the end of the range.
  void write_back(const Table& table, const Updates& kind, Type* pointer) {
    BasicBlock* before = end_->getParent();
    BasicBlock* rest = SplitBlock(before, end_);
    BasicBlock* loop = BasicBlock::Create(entry_.getContext(), "write.back", &entry_, rest);
    before->getTerminator()->setSuccessor(0, loop);
    IRBuilder<> build(loop);
    PHINode* index = build.CreatePHI(build.getInt64Ty(), 2);
    Value* tag = build.CreateLoad(pointer, build.CreateInBoundsGEP(build.getInt64Ty(), table.tags, index));
    Value* next = build.CreateAdd(index, build.getInt64(1), "", true, true);
    Value* more = build.CreateICmpULT(next, build.getInt64(deferral_entries));
    auto* again = build.CreateCondBr(more, loop, rest);
    build.SetInsertPoint(again);
    Instruction* used = SplitBlockAndInsertIfThen(build.CreateIsNotNull(tag), again->getIterator(), false);
    index->addIncoming(build.getInt64(0), before);
    index->addIncoming(next, again->getParent());
    build.SetInsertPoint(used);
    kind.make(build, tag, build.CreateInBoundsGEP(build.getInt64Ty(), table.sums, index));
  }

  void add_to_table(AtomicRMWInst& update, unsigned number) {
    const Updates kind(update);
    const Table table = table_of(update, number);
    IRBuilder<> build(&update);
    Value* address = update.getPointerOperand();
    const unsigned shift = Log2(update.getAlign());
    Value* index = build.CreateLShr(build.CreatePtrToInt(address, build.getInt64Ty()), shift);
    index = build.CreateAnd(index, deferral_entries - 1);
    Value* tag_place = build.CreateInBoundsGEP(build.getInt64Ty(), table.tags, index);
    Value* sum = build.CreateInBoundsGEP(build.getInt64Ty(), table.sums, index);
    Value* tag = build.CreateLoad(address->getType(), tag_place, "tag");
    MDNode* rarely = MDBuilder(build.getContext()).createUnlikelyBranchWeights();
    Instruction* taken =
        SplitBlockAndInsertIfThen(build.CreateICmpNE(tag, address), update.getIterator(), false, rarely);
    build.SetInsertPoint(taken);
    Instruction* evict = SplitBlockAndInsertIfThen(build.CreateIsNotNull(tag), taken->getIterator(), false);
    build.SetInsertPoint(evict);
    kind.make(build, tag, sum);
    build.SetInsertPoint(taken);
    build.CreateStore(address, tag_place);
    build.CreateStore(identity_of(kind.operation, kind.type), sum);
    build.SetInsertPoint(&update);
    kind.combine(build, sum, operand_of(build, update));
  }

  Function& entry_;
  BasicBlock& start_;
  Instruction* end_;
  std::map<std::tuple<Value*, AtomicRMWInst::BinOp, Type*>, AllocaInst*> variables_;
  std::map<unsigned, Table> tables_;
};

} // namespace

bool can_defer(const AtomicRMWInst& update) {
  switch (update.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return update.getType()->isIntegerTy(32) || update.getType()->isIntegerTy(64);
  default:
    return false;
  }
}

PreservedAnalyses DeferredAtomicsPass::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<std::pair<AtomicRMWInst*, unsigned>, 4> marked;
  for (Instruction& instruction : instructions(function))
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
      if (auto table = deferral_table(*update)) marked.emplace_back(update, *table);
  if (marked.empty()) return PreservedAnalyses::all();
  Deferral deferral(function);
  for (auto [update, table] : marked)
    deferral.defer(*update, table);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
