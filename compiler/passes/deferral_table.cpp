#include "compiler/passes/deferral_table.hpp"

#include "compiler/abi.hpp"

#include "llvm/IR/Function.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned global_space = 1;

MDNode* rarely(LLVMContext& context) {
  return MDBuilder(context).createUnlikelyBranchWeights();
}

/// Tags, then sums. 256 bins of 4 bytes next to each other do not collide, and the table fits the first-level
/// cache with room for the kernel's data.
class SumTable : public DeferralTable {
public:
  static constexpr std::uint64_t entries = 512, bytes = entries * (8 + 8);

  SumTable(const UpdateKind& kind, Value* memory) : DeferralTable(kind, entries), memory_(memory) {}

  void clear(IRBuilder<>& build) override {
    build.CreateMemSet(memory_, build.getInt8(0), entries * 8, Align(abi::scratch_alignment));
  }

private:
  Value* tag_place(IRBuilder<>& build, Value* index) override {
    return build.CreateInBoundsGEP(build.getInt64Ty(), memory_, index);
  }
  Value* sum_place(IRBuilder<>& build, Value* index) {
    Value* sums = build.CreateConstInBoundsGEP1_64(build.getInt64Ty(), memory_, entries);
    return build.CreateInBoundsGEP(build.getInt64Ty(), sums, index);
  }
  void begin_entry(IRBuilder<>& build, Value* index) override {
    build.CreateStore(kind_.identity(), sum_place(build, index));
  }
  void add_to_entry(IRBuilder<>& build, Value* index, Value* operand) override {
    Value* sum = sum_place(build, index);
    build.CreateStore(kind_.apply(build, build.CreateLoad(kind_.type, sum), operand), sum);
  }
  void write_entry(IRBuilder<>& build, Value* index, Value* address) override {
    Value* sum = build.CreateLoad(kind_.type, sum_place(build, index));
    build.CreateAtomicRMW(kind_.operation, address, sum, MaybeAlign(), AtomicOrdering::Monotonic);
  }

  Value* memory_;
};

/// Each entry is a cache line: the address, the number of operands, operands.
class ListTable : public DeferralTable {
public:
  static constexpr std::uint64_t entries = 256, line = 64, header = 16, bytes = entries * line;

  ListTable(const UpdateKind& kind, Value* memory)
      : DeferralTable(kind, entries),
        memory_(memory),
        capacity_((line - header) / (kind.type->getPrimitiveSizeInBits() / 8)) {}

  void clear(IRBuilder<>& build) override {
    build.CreateMemSet(memory_, build.getInt8(0), bytes, Align(abi::scratch_alignment));
  }

private:
  Value* tag_place(IRBuilder<>& build, Value* index) override {
    return build.CreateInBoundsGEP(build.getInt8Ty(), memory_, build.CreateShl(index, Log2_64(line)));
  }
  static Value* count_place(IRBuilder<>& build, Value* entry) {
    return build.CreateConstInBoundsGEP1_64(build.getInt64Ty(), entry, 1);
  }
  static Value* operands_of(IRBuilder<>& build, Value* entry) {
    return build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), entry, header);
  }
  /// A list is empty before its entry begins and after it has been written.
  void begin_entry(IRBuilder<>&, Value*) override {}

  void add_to_entry(IRBuilder<>& build, Value* index, Value* operand) override {
    Value *entry = tag_place(build, index), *count = count_place(build, entry);
    Value* number = build.CreateLoad(build.getInt64Ty(), count);
    build.CreateStore(operand, build.CreateInBoundsGEP(kind_.type, operands_of(build, entry), number));
    Value* next = build.CreateAdd(number, build.getInt64(1), "", true, true);
    build.CreateStore(next, count);
    Value* full = build.CreateICmpEQ(next, build.getInt64(capacity_));
    Instruction* then =
        SplitBlockAndInsertIfThen(full, build.GetInsertPoint(), false, rarely(build.getContext()));
    build.SetInsertPoint(then);
    build.CreateCall(writer(*then->getModule()), {entry});
  }
  void write_entry(IRBuilder<>& build, Value* index, Value*) override {
    build.CreateCall(writer(*build.GetInsertBlock()->getModule()), {tag_place(build, index)});
  }

  Function* writer(llvm::Module& module);
  void emit_updates(IRBuilder<>& build, Function& function, Value* count);

  Value* memory_;
  const std::uint64_t capacity_;
  Function* writer_ = nullptr;
};

/// void write(ptr entry): all updates of an entry, and none is left.
Function* ListTable::writer(llvm::Module& module) {
  if (writer_) return writer_;
  LLVMContext& context = module.getContext();
  auto* type = FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0)}, false);
  writer_ = Function::Create(type, GlobalValue::InternalLinkage, "write.updates", module);
  writer_->addFnAttr(Attribute::NoInline);
  writer_->setDoesNotThrow();
  auto *begin = BasicBlock::Create(context, "begin", writer_),
       *end = BasicBlock::Create(context, "end", writer_);
  IRBuilder<> build(end);
  Value* entry = writer_->getArg(0);
  build.CreateStore(build.getInt64(0), count_place(build, entry));
  Instruction* finish = build.CreateRetVoid();
  build.SetInsertPoint(begin);
  Value* count = build.CreateLoad(build.getInt64Ty(), count_place(build, entry));
  auto* some = BasicBlock::Create(context, "some", writer_, end);
  build.CreateCondBr(build.CreateIsNull(count), end, some);
  build.SetInsertPoint(some);
  emit_updates(build, *writer_, count);
  build.CreateBr(finish->getParent());
  return writer_;
}

/// Memory goes through all operations at once; if it has changed meanwhile, from the beginning.
void ListTable::emit_updates(IRBuilder<>& build, Function& function, Value* count) {
  LLVMContext& context = build.getContext();
  Value *entry = function.getArg(0), *operands = operands_of(build, entry);
  Type* bits = build.getIntNTy(static_cast<unsigned>(kind_.type->getPrimitiveSizeInBits()));
  const Align alignment(bits->getIntegerBitWidth() / 8);
  Value* address = build.CreateLoad(PointerType::get(context, global_space), entry);
  LoadInst* first = build.CreateAlignedLoad(bits, address, alignment);
  first->setAtomic(AtomicOrdering::Monotonic);
  auto* before = build.GetInsertBlock();
  auto* attempt = BasicBlock::Create(context, "attempt", &function);
  auto* next = BasicBlock::Create(context, "next", &function);
  auto* exchange = BasicBlock::Create(context, "exchange", &function);
  auto* done = BasicBlock::Create(context, "done", &function);
  build.CreateBr(attempt);

  build.SetInsertPoint(attempt);
  PHINode* seen = build.CreatePHI(bits, 2, "seen");
  Value* start = build.CreateBitCast(seen, kind_.type);
  build.CreateBr(next);
  build.SetInsertPoint(next);
  PHINode *index = build.CreatePHI(build.getInt64Ty(), 2), *value = build.CreatePHI(kind_.type, 2);
  Value* operand = build.CreateLoad(kind_.type, build.CreateInBoundsGEP(kind_.type, operands, index));
  Value* changed = kind_.apply(build, value, operand);
  Value* following = build.CreateAdd(index, build.getInt64(1), "", true, true);
  build.CreateCondBr(build.CreateICmpEQ(following, count), exchange, next);
  build.SetInsertPoint(exchange);
  auto* pair = build.CreateAtomicCmpXchg(address, seen, build.CreateBitCast(changed, bits), alignment,
                                         AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
  Value* now = build.CreateExtractValue(pair, 0);
  build.CreateCondBr(build.CreateExtractValue(pair, 1), done, attempt);

  seen->addIncoming(first, before);
  seen->addIncoming(now, exchange);
  index->addIncoming(build.getInt64(0), attempt);
  index->addIncoming(following, next);
  value->addIncoming(start, attempt);
  value->addIncoming(changed, next);
  build.SetInsertPoint(done);
}

} // namespace

UpdateKind::UpdateKind(const AtomicRMWInst& update)
    : operation(update.getOperation() == AtomicRMWInst::Sub ? AtomicRMWInst::Add : update.getOperation()),
      type(update.getType()) {}

Value* UpdateKind::operand_of(IRBuilder<>& build, AtomicRMWInst& update) {
  Value* operand = update.getValOperand();
  return update.getOperation() == AtomicRMWInst::Sub ? build.CreateNeg(operand) : operand;
}

Value* UpdateKind::apply(IRBuilder<>& build, Value* value, Value* operand) const {
  return buildAtomicRMWValue(operation, build, value, operand);
}

Constant* UpdateKind::identity() const {
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

std::uint64_t DeferralTable::bytes(const UpdateKind& kind) {
  return kind.type->isFloatingPointTy() ? ListTable::bytes : SumTable::bytes;
}

std::unique_ptr<DeferralTable> DeferralTable::make(const UpdateKind& kind, Value* memory) {
  if (kind.type->isFloatingPointTy()) return std::make_unique<ListTable>(kind, memory);
  return std::make_unique<SumTable>(kind, memory);
}

void DeferralTable::add(AtomicRMWInst& update) {
  IRBuilder<> build(&update);
  Value* address = update.getPointerOperand();
  const auto shift = Log2_64(kind_.type->getPrimitiveSizeInBits() / 8);
  Value* index = build.CreateLShr(build.CreatePtrToInt(address, build.getInt64Ty()), shift);
  index = build.CreateAnd(index, entries_ - 1);
  Value* place = tag_place(build, index);
  Value* tag = build.CreateLoad(address->getType(), place, "tag");
  Value* differs = build.CreateICmpNE(tag, address);
  Instruction* taken =
      SplitBlockAndInsertIfThen(differs, update.getIterator(), false, rarely(build.getContext()));
  build.SetInsertPoint(taken);
  build.SetInsertPoint(SplitBlockAndInsertIfThen(build.CreateIsNotNull(tag), taken->getIterator(), false));
  write_entry(build, index, tag);
  build.SetInsertPoint(taken);
  build.CreateStore(address, place);
  begin_entry(build, index);
  build.SetInsertPoint(&update);
  add_to_entry(build, index, UpdateKind::operand_of(build, update));
}

void DeferralTable::write_back(Instruction* end) {
  BasicBlock* before = end->getParent();
  BasicBlock* rest = SplitBlock(before, end);
  BasicBlock* loop = BasicBlock::Create(before->getContext(), "write.back", before->getParent(), rest);
  before->getTerminator()->setSuccessor(0, loop);
  IRBuilder<> build(loop);
  PHINode* index = build.CreatePHI(build.getInt64Ty(), 2);
  Value* tag = build.CreateLoad(PointerType::get(build.getContext(), global_space), tag_place(build, index));
  Value* next = build.CreateAdd(index, build.getInt64(1), "", true, true);
  Value* more = build.CreateICmpULT(next, build.getInt64(entries_));
  auto* again = build.CreateCondBr(more, loop, rest);
  build.SetInsertPoint(again);
  Value* used = build.CreateIsNotNull(tag);
  build.SetInsertPoint(SplitBlockAndInsertIfThen(used, again->getIterator(), false));
  write_entry(build, index, tag);
  index->addIncoming(build.getInt64(0), before);
  index->addIncoming(next, again->getParent());
}

} // namespace hostcl::compiler
