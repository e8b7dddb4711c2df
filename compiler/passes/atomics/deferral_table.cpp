#include "compiler/passes/atomics/deferral_table.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/ir/spaces.hpp"

#include "llvm/IR/Function.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

MDNode* rarely(LLVMContext& context) {
  return MDBuilder(context).createUnlikelyBranchWeights();
}

/// A table for integers: an array of tags, then an array of sums. Up to 4096 consecutive addresses of 4-byte integers
/// have different entries. A histogram with fewer bins touches only a contiguous part of each array, which stays in the
/// cache.
class SumTable : public DeferralTable {
public:
  static constexpr std::uint64_t most_entries = 4096, bytes = most_entries * (8 + 8);

  SumTable(const UpdateKind& kind, Value* memory)
      : DeferralTable(kind, memory, {.least = 512, .most = most_entries},
                      Type::getInt64Ty(kind.type->getContext())) {}

private:
  Value* sum_place(IRBuilder<>& build, Value* index) {
    Value* sums = build.CreateConstInBoundsGEP1_64(build.getInt64Ty(), memory_, most_entries);
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
};

/// A table for floating-point numbers, whose operands must not be summed up beforehand. In memory, an array of pairs,
/// each with the tag and the number of operands of one entry, is followed by an array with the list of operands of each
/// entry. Lists are long, because each time that a thread writes a list to memory, it may wait for other threads that
/// write to the same cache line.
class ListTable : public DeferralTable {
public:
  static constexpr std::uint64_t most_entries = 1024, header = 16, list = 512,
                                 bytes = most_entries * (header + list);

  ListTable(const UpdateKind& kind, Value* memory)
      : DeferralTable(kind, memory, {.least = 256, .most = most_entries},
                      ArrayType::get(Type::getInt8Ty(kind.type->getContext()), header)),
        capacity_(list / (kind.type->getPrimitiveSizeInBits() / 8)) {}

private:
  static Value* count_place(IRBuilder<>& build, Value* entry) {
    return build.CreateConstInBoundsGEP1_64(build.getInt64Ty(), entry, 1);
  }
  Value* operands_of(IRBuilder<>& build, Value* index) const {
    Value* lists = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), memory_, most_entries * header);
    return build.CreateInBoundsGEP(ArrayType::get(build.getInt8Ty(), list), lists, index);
  }
  /// Nothing to do: a list is empty after clear(), and after it has been written to memory.
  void begin_entry(IRBuilder<>&, Value*) override {}

  void add_to_entry(IRBuilder<>& build, Value* index, Value* operand) override {
    Value *entry = tag_place(build, index), *count = count_place(build, entry);
    Value* number = build.CreateLoad(build.getInt64Ty(), count);
    build.CreateStore(operand, build.CreateInBoundsGEP(kind_.type, operands_of(build, index), number));
    Value* next = build.CreateAdd(number, build.getInt64(1), "", true, true);
    build.CreateStore(next, count);
    Value* full = build.CreateICmpEQ(next, build.getInt64(capacity_));
    Instruction* then =
        SplitBlockAndInsertIfThen(full, build.GetInsertPoint(), false, rarely(build.getContext()));
    build.SetInsertPoint(then);
    write_entry(build, index, nullptr);
  }
  void write_entry(IRBuilder<>& build, Value* index, Value*) override {
    build.CreateCall(writer(*build.GetInsertBlock()->getModule()),
                     {tag_place(build, index), operands_of(build, index)});
  }

  Function* writer(llvm::Module& module);
  void emit_updates(Instruction* end, Value* count);

  const std::uint64_t capacity_;
  Function* writer_ = nullptr;
};

/// The function `void write(ptr entry, ptr operands)`, which applies all operands of an entry to memory and empties the
/// entry.
Function* ListTable::writer(llvm::Module& module) {
  if (writer_) return writer_;
  LLVMContext& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false);
  writer_ = Function::Create(type, GlobalValue::InternalLinkage, "write.updates", module);
  writer_->addFnAttr(Attribute::NoInline);
  writer_->setDoesNotThrow();
  IRBuilder<> build(BasicBlock::Create(context, "begin", writer_));
  Value* entry = writer_->getArg(0);
  Value* count = build.CreateLoad(build.getInt64Ty(), count_place(build, entry));
  Value* some = build.CreateIsNotNull(count);
  Instruction* empty = build.CreateStore(build.getInt64(0), count_place(build, entry));
  build.CreateRetVoid();
  emit_updates(SplitBlockAndInsertIfThen(some, empty->getIterator(), false), count);
  return writer_;
}

/// Applies all operands to a copy of the value in memory, and writes the result by one compare-exchange. If memory has
/// changed in the meantime, it starts again. Inserted before `end`.
void ListTable::emit_updates(Instruction* end, Value* count) {
  IRBuilder<> build(end);
  Type* bits = build.getIntNTy(static_cast<unsigned>(kind_.type->getPrimitiveSizeInBits()));
  const Align alignment(bits->getIntegerBitWidth() / 8);
  Value *entry = writer_->getArg(0), *operands = writer_->getArg(1);
  Value* address = build.CreateLoad(PointerType::get(build.getContext(), global_space), entry);
  // Fetches the cache line for writing. The load alone would fetch the line for reading, and the compare-exchange would
  // have to fetch it a second time.
  build.CreateIntrinsic(Intrinsic::prefetch, {address->getType()},
                        {address, build.getInt32(1), build.getInt32(3), build.getInt32(1)});
  LoadInst* first = build.CreateAlignedLoad(bits, address, alignment);
  first->setAtomic(AtomicOrdering::Monotonic);
  BasicBlock *before = end->getParent(), *attempt = SplitBlock(before, end), *done = SplitBlock(attempt, end);

  Instruction* exchange = attempt->getTerminator();
  build.SetInsertPoint(exchange);
  PHINode* seen = build.CreatePHI(bits, 2, "seen");
  Value* start = build.CreateBitCast(seen, kind_.type);
  const auto [body, index] = SplitBlockAndInsertSimpleForLoop(count, exchange->getIterator());
  build.SetInsertPoint(body);
  PHINode* value = build.CreatePHI(kind_.type, 2);
  Value* operand = build.CreateLoad(kind_.type, build.CreateInBoundsGEP(kind_.type, operands, index));
  Value* changed = kind_.apply(build, value, operand);
  value->addIncoming(start, attempt);
  value->addIncoming(changed, body->getParent());

  build.SetInsertPoint(exchange);
  auto* pair = build.CreateAtomicCmpXchg(address, seen, build.CreateBitCast(changed, bits), alignment,
                                         AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
  seen->addIncoming(first, before);
  seen->addIncoming(build.CreateExtractValue(pair, 0), exchange->getParent());
  build.CreateCondBr(build.CreateExtractValue(pair, 1), done, attempt);
  exchange->eraseFromParent();
}

} // namespace

std::uint64_t DeferralTable::bytes(const UpdateKind& kind) {
  return kind.type->isFloatingPointTy() ? ListTable::bytes : SumTable::bytes;
}

std::unique_ptr<DeferralTable> DeferralTable::make(const UpdateKind& kind, Value* memory) {
  if (kind.type->isFloatingPointTy()) return std::make_unique<ListTable>(kind, memory);
  return std::make_unique<SumTable>(kind, memory);
}

Value* DeferralTable::tag_place(IRBuilder<>& build, Value* index) const {
  return build.CreateInBoundsGEP(element_, memory_, index);
}

/// The code of one update: its blocks, which write() fills.
struct DeferralTable::Update {
  Update(DeferralTable& table, AtomicRMWInst& update)
      : table(table), atomic(update), address(update.getPointerOperand()), before(update.getParent()) {
    end = SplitBlock(before, &update);
    before->getTerminator()->eraseFromParent();
    auto block = [&](const char* name) {
      return BasicBlock::Create(update.getContext(), name, before->getParent(), end);
    };
    other = block("other.address");
    empty = block("empty");
    occupied = block("occupied");
    take = block("take");
    pause = block("pause");
    memory = block("memory");
    collect = block("collect");
  }

  void write() {
    look_up();
    take_entry();
    suspend();
    update_memory();
    add_operand();
  }

  void look_up() {
    IRBuilder<> build(before);
    const auto shift = Log2_64(table.kind_.type->getPrimitiveSizeInBits() / 8);
    Value* number = build.CreateLShr(build.CreatePtrToInt(address, build.getInt64Ty()), shift);
    index = build.CreateAnd(number, build.CreateLoad(build.getInt64Ty(), table.mask_));
    place = table.tag_place(build, index);
    Value* tag = build.CreateLoad(address->getType(), place, "tag");
    Value* differs = build.CreateICmpNE(tag, address);
    build.CreateCondBr(differs, other, collect, rarely(build.getContext()));

    build.SetInsertPoint(other);
    build.CreateCondBr(build.CreateIsNotNull(tag), occupied, empty);
    build.SetInsertPoint(occupied);
    table.write_entry(build, index, tag);
    constexpr unsigned most_misses = 64;
    Value* misses = build.CreateLoad(build.getInt32Ty(), table.misses_);
    misses = build.CreateBinaryIntrinsic(Intrinsic::smax, misses, build.getInt32(0));
    misses = build.CreateAdd(misses, build.getInt32(2));
    build.CreateStore(misses, table.misses_);
    Value* too_many = build.CreateICmpSGT(misses, build.getInt32(most_misses));
    build.CreateCondBr(too_many, pause, take, rarely(build.getContext()));
  }

  void take_entry() {
    IRBuilder<> build(empty);
    Value* in_use = build.CreateIsNotNull(build.CreateLoad(build.getInt64Ty(), table.mask_));
    build.CreateCondBr(in_use, take, memory);
    build.SetInsertPoint(take);
    build.CreateStore(address, place);
    table.begin_entry(build, index);
    build.CreateBr(collect);
  }

  /// Suspends the table: sets the mask to 0, so that all addresses are looked up in entry 0, which is emptied.
  void suspend() {
    constexpr unsigned updates = 4096;
    IRBuilder<> build(pause);
    Constant *first = build.getInt64(0), *none = Constant::getNullValue(address->getType());
    build.CreateStore(none, place);
    Value* first_place = table.tag_place(build, first);
    Value* tag = build.CreateLoad(address->getType(), first_place);
    Value* used = build.CreateIsNotNull(tag);
    Instruction* next = build.CreateBr(memory);
    build.SetInsertPoint(SplitBlockAndInsertIfThen(used, next->getIterator(), false));
    table.write_entry(build, first, tag);
    build.SetInsertPoint(next);
    build.CreateStore(none, first_place);
    build.CreateStore(build.getInt64(0), table.mask_);
    build.CreateStore(build.getInt32(updates), table.misses_);
  }

  void update_memory() {
    IRBuilder<> build(memory);
    Value* left = build.CreateSub(build.CreateLoad(build.getInt32Ty(), table.misses_), build.getInt32(1));
    build.CreateStore(left, table.misses_);
    build.CreateStore(build.CreateSelect(build.CreateIsNull(left), table.all_entries_, build.getInt64(0)),
                      table.mask_);
    build.Insert(atomic.clone())->dropUnknownNonDebugMetadata();
    build.CreateBr(end);
  }

  void add_operand() {
    IRBuilder<> build(collect);
    Value* misses = build.CreateLoad(build.getInt32Ty(), table.misses_);
    build.CreateStore(build.CreateSub(misses, build.getInt32(1)), table.misses_);
    build.SetInsertPoint(build.CreateBr(end));
    table.add_to_entry(build, index, UpdateKind::operand_of(build, atomic));
  }

  DeferralTable& table;
  AtomicRMWInst& atomic;
  Value *address, *index = nullptr, *place = nullptr;
  BasicBlock *before, *end;
  BasicBlock* other;            ///< the entry's tag is not this address
  BasicBlock *empty, *occupied; ///< the entry is empty; the entry has another address
  BasicBlock* take;             ///< gives the entry to this address
  BasicBlock* pause;            ///< suspends the table
  BasicBlock *memory, *collect; ///< updates memory; adds the operand to the entry
};

/// The number of entries is the number of work-items, rounded up to a power of two within the limits.
void DeferralTable::begin(Instruction* start, Value* items) {
  BasicBlock& first = start->getFunction()->getEntryBlock();
  IRBuilder<> build(&first, first.begin());
  mask_ = build.CreateAlloca(build.getInt64Ty(), nullptr, "index.mask");
  misses_ = build.CreateAlloca(build.getInt32Ty(), nullptr, "misses");
  build.SetInsertPoint(start);
  Value* one = build.getInt64(1);
  items = build.CreateBinaryIntrinsic(Intrinsic::umin, items, build.getInt64(limits_.most));
  Value* zeros = build.CreateBinaryIntrinsic(Intrinsic::ctlz, build.CreateSub(items, one), build.getFalse());
  Value* power = build.CreateShl(one, build.CreateSub(build.getInt64(64), zeros));
  entries_ =
      build.CreateBinaryIntrinsic(Intrinsic::umax, power, build.getInt64(limits_.least), nullptr, "entries");
  const std::uint64_t bytes = start->getDataLayout().getTypeAllocSize(element_);
  build.CreateMemSet(memory_, build.getInt8(0), build.CreateShl(entries_, Log2_64(bytes)),
                     Align(abi::scratch_alignment));
  all_entries_ = build.CreateSub(entries_, one);
  build.CreateStore(all_entries_, mask_);
  build.CreateStore(build.getInt32(0), misses_);
}

void DeferralTable::add(AtomicRMWInst& update) {
  Update(*this, update).write();
}

void DeferralTable::write_back(Instruction* end) {
  const auto [body, index] = SplitBlockAndInsertSimpleForLoop(entries_, end->getIterator());
  IRBuilder<> build(body);
  Value* tag = build.CreateLoad(PointerType::get(build.getContext(), global_space), tag_place(build, index));
  Value* used = build.CreateIsNotNull(tag);
  build.SetInsertPoint(SplitBlockAndInsertIfThen(used, body->getIterator(), false));
  write_entry(build, index, tag);
}

} // namespace hostcl::compiler
