#include "compiler/passes/checks/race_cells.hpp"

#include "compiler/abi/race.hpp"
#include "compiler/ir/metadata.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"

#include <cstddef>

namespace hostcl::compiler {

using namespace llvm;

namespace {

class CellWriter {
public:
  CellWriter(Function& function, const CellAccess& access)
      : function_(function),
        access_(access),
        builder_(BasicBlock::Create(function.getContext(), "entry", &function)) {}
  void write();

private:
  Value* number(std::uint64_t value) { return builder_.getInt64(value); }
  Value* state(std::size_t offset, const char* name) {
    Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function_.getArg(0), offset);
    return builder_.CreateLoad(builder_.getInt64Ty(), address, name);
  }
  Value* in_range(Value* record, Value* first, Value* span) {
    return builder_.CreateICmpULT(builder_.CreateSub(record, first), span);
  }
  Value* member(unsigned granule, std::size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), cell_,
                                               granule * sizeof(abi::RaceCell) + offset);
  }
  Value* load(unsigned granule, std::size_t offset) {
    // Threads that run other groups write cells at the same time. Each record is complete by itself, so relaxed
    // accesses suffice.
    LoadInst* load = builder_.CreateAlignedLoad(builder_.getInt64Ty(), member(granule, offset), Align(8));
    load->setAtomic(AtomicOrdering::Monotonic);
    return load;
  }
  void store(unsigned granule, std::size_t offset, Value* record) {
    builder_.CreateAlignedStore(record, member(granule, offset), Align(8))
        ->setAtomic(AtomicOrdering::Monotonic);
  }
  void read_state();
  Value* table(std::size_t offset);
  Value* chunk_index();
  Value* granule_index();
  void find_cell(BasicBlock* odd);
  Value* races_with_atomics(Value* races);
  Value* is_unordered(Value* record);
  Value* may_race(Value* record);
  void note_read(unsigned granule);

  Function& function_;
  const CellAccess& access_;
  IRBuilder<> builder_;
  Value *me_ = nullptr, *cell_ = nullptr;
  Value *launch_first_ = nullptr, *launch_span_ = nullptr, *group_first_ = nullptr, *ordered_ = nullptr;
  Value *since_ = nullptr, *since_span_ = nullptr;
};

void CellWriter::read_state() {
  me_ = builder_.CreateOr(state(offsetof(abi::RaceGroup, now), "now"), function_.getArg(2), "me");
  group_first_ = state(offsetof(abi::RaceGroup, group_first), "group_first");
  if (access_.local) {
    since_ = state(offsetof(abi::RaceGroup, local_since), "since");
    Value* end = builder_.CreateAdd(group_first_, number(abi::race_one_group));
    since_span_ = builder_.CreateSub(end, since_);
  } else {
    launch_first_ = state(offsetof(abi::RaceGroup, launch_first), "launch_first");
    launch_span_ = state(offsetof(abi::RaceGroup, launch_span), "launch_span");
    ordered_ =
        builder_.CreateSub(state(offsetof(abi::RaceGroup, global_since), "since"), group_first_, "ordered");
  }
}

/// The table at this offset in the RaceTables for the granule size.
Value* CellWriter::table(std::size_t offset) {
  const std::size_t tables =
      offsetof(abi::RaceGroup, tables) + access_.granule_shift * sizeof(abi::RaceTables);
  Value* address =
      builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function_.getArg(0), tables + offset);
  return builder_.CreateLoad(builder_.getPtrTy(), address, "chunks");
}

Value* CellWriter::chunk_index() {
  constexpr std::uint64_t chunks_mask =
      (std::uint64_t{1} << (abi::race_address_bits - abi::race_chunk_shift)) - 1;
  return builder_.CreateAnd(builder_.CreateLShr(function_.getArg(1), abi::race_chunk_shift), chunks_mask);
}

/// The first granule's index in its chunk of shadow memory.
Value* CellWriter::granule_index() {
  Value* offset = builder_.CreateAnd(function_.getArg(1), (1U << abi::race_chunk_shift) - 1);
  return builder_.CreateLShr(offset, std::uint64_t{access_.granule_shift});
}

/// Adds the comparison with the cells of atomic writes. A chunk without atomic writes has no such cells.
Value* CellWriter::races_with_atomics(Value* races) {
  LLVMContext& context = function_.getContext();
  BasicBlock *before = builder_.GetInsertBlock(), *some = BasicBlock::Create(context, "some", &function_),
             *next = BasicBlock::Create(context, "next", &function_);
  Value* chunks = table(offsetof(abi::RaceTables, atomic_chunks));
  Value* chunk = builder_.CreateLoad(
      builder_.getPtrTy(), builder_.CreateGEP(builder_.getPtrTy(), chunks, chunk_index()), "atomics");
  builder_.CreateCondBr(builder_.CreateIsNull(chunk), next, some);
  builder_.SetInsertPoint(some);
  Value* cell =
      builder_.CreatePtrAdd(chunk, builder_.CreateMul(granule_index(), number(sizeof(abi::RaceAtomicCell))));
  Value* found = races;
  for (unsigned i = 0; i < 2 * access_.granules; ++i) {
    LoadInst* record = builder_.CreateAlignedLoad(
        builder_.getInt64Ty(), builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), cell, i), Align(8));
    record->setAtomic(AtomicOrdering::Monotonic);
    found = builder_.CreateOr(found, may_race(record));
  }
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
  PHINode* either = builder_.CreatePHI(builder_.getInt1Ty(), 2);
  either->addIncoming(races, before);
  either->addIncoming(found, some);
  return either;
}

void CellWriter::find_cell(BasicBlock* odd) {
  Value* chunks = table(offsetof(abi::RaceTables, chunks));
  Value* chunk = builder_.CreateLoad(builder_.getPtrTy(),
                                     builder_.CreateGEP(builder_.getPtrTy(), chunks, chunk_index()), "chunk");
  BasicBlock* known = BasicBlock::Create(function_.getContext(), "known", &function_);
  builder_.CreateCondBr(builder_.CreateIsNull(chunk), odd, known,
                        MDBuilder(function_.getContext()).createUnlikelyBranchWeights());
  builder_.SetInsertPoint(known);
  cell_ = builder_.CreatePtrAdd(chunk, builder_.CreateMul(granule_index(), number(sizeof(abi::RaceCell))),
                                "cell");
}

/// Whether the recorded access is by another work-item, and neither a barrier nor the end of a launch has ordered it
/// before this access.
Value* CellWriter::is_unordered(Value* record) {
  Value* same =
      builder_.CreateIsNull(builder_.CreateAnd(builder_.CreateXor(record, me_), abi::race_item_mask));
  Value* recent;
  if (access_.local) {
    recent = in_range(record, since_, since_span_);
  } else {
    Value* in_launch = in_range(record, launch_first_, launch_span_);
    recent = builder_.CreateAnd(in_launch, builder_.CreateNot(in_range(record, group_first_, ordered_)));
  }
  return builder_.CreateAnd(recent, builder_.CreateNot(same));
}

Value* CellWriter::may_race(Value* record) {
  Value* common = builder_.CreateAnd(record, me_);
  // A conflict: the accesses have bytes in common and are not both atomic. If both are, bit race_atomic makes the
  // number larger than the byte mask; if there are no common bytes, the subtraction wraps.
  Value* bytes = builder_.CreateAnd(common, abi::race_byte_mask | abi::race_atomic);
  Value* conflict = builder_.CreateICmpULT(builder_.CreateSub(bytes, number(1)), number(abi::race_byte_mask));
  return builder_.CreateAnd(is_unordered(record), conflict);
}

/// Records a read. A cell keeps two reads of different work-items, preferably of different groups: a later write that
/// races with any read then also races with one of these two.
void CellWriter::note_read(unsigned granule) {
  constexpr std::size_t first_offset = offsetof(abi::RaceCell, first_read),
                        last_offset = offsetof(abi::RaceCell, last_read);
  LLVMContext& context = function_.getContext();
  auto block = [&](const char* name) { return BasicBlock::Create(context, name, &function_); };
  BasicBlock *renew = block("renew"), *other = block("other"), *replace = block("replace"),
             *next = block("next");
  Value* first = load(granule, first_offset);
  builder_.CreateCondBr(is_unordered(first), other, renew);
  builder_.SetInsertPoint(renew);
  store(granule, first_offset, me_);
  builder_.CreateBr(next);
  builder_.SetInsertPoint(other);
  Value* last = load(granule, last_offset);
  Value* free = builder_.CreateNot(is_unordered(last));
  if (!access_.local) {
    auto group = [&](Value* record) { return builder_.CreateLShr(record, abi::race_group_shift); };
    Value* one_group = builder_.CreateICmpEQ(group(first), group(last));
    Value* not_mine = builder_.CreateICmpNE(group(first), group(me_));
    free = builder_.CreateOr(free, builder_.CreateAnd(one_group, not_mine));
  }
  builder_.CreateCondBr(free, replace, next);
  builder_.SetInsertPoint(replace);
  store(granule, last_offset, me_);
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
}

void CellWriter::write() {
  LLVMContext& context = function_.getContext();
  BasicBlock* odd = BasicBlock::Create(context, "odd", &function_);
  BasicBlock* record = BasicBlock::Create(context, "record", &function_);
  IRBuilder<>(odd).CreateRet(builder_.getTrue());
  read_state();
  find_cell(odd);
  Value* races = builder_.getFalse();
  for (unsigned i = 0; i < access_.granules; ++i) {
    races = builder_.CreateOr(races, may_race(load(i, offsetof(abi::RaceCell, write))));
    if (!access_.writes) continue;
    races = builder_.CreateOr(races, may_race(load(i, offsetof(abi::RaceCell, first_read))));
    races = builder_.CreateOr(races, may_race(load(i, offsetof(abi::RaceCell, last_read))));
  }
  if (access_.beside_atomics) races = races_with_atomics(races);
  builder_.CreateCondBr(races, odd, record, MDBuilder(context).createUnlikelyBranchWeights());
  builder_.SetInsertPoint(record);
  for (unsigned i = 0; i < access_.granules; ++i)
    if (access_.writes)
      store(i, offsetof(abi::RaceCell, write), me_);
    else
      note_read(i);
  builder_.CreateRet(builder_.getFalse());
}

} // namespace

Function* cell_function(Module& module, const CellAccess& access) {
  const char* sizes[] = {"bytes.", "halves.", ""};
  const std::string name = std::string(metadata::race) + (access.writes ? "write." : "read.") +
                           (access.local ? "local." : "global.") + (access.beside_atomics ? "atomics." : "") +
                           sizes[access.granule_shift] + std::to_string(access.granules);
  if (Function* known = module.getFunction(name)) return known;
  LLVMContext& context = module.getContext();
  Type* i64 = Type::getInt64Ty(context);
  auto* type =
      FunctionType::get(Type::getInt1Ty(context), {PointerType::getUnqual(context), i64, i64}, false);
  auto* function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(Attribute::AlwaysInline);
  CellWriter(*function, access).write();
  return function;
}

} // namespace hostcl::compiler
