#include "compiler/passes/checks/race_cells.hpp"

#include "compiler/abi/race.hpp"
#include "compiler/ir/metadata.hpp"

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
  BasicBlock* block(const char* name) { return BasicBlock::Create(function_.getContext(), name, &function_); }
  void begin(BasicBlock* block) { builder_.SetInsertPoint(block); }
  /// Ends the current block with a branch to `next`, and begins `next`.
  void go_on(BasicBlock* next) {
    builder_.CreateBr(next);
    begin(next);
  }
  Value* number(std::uint64_t value) { return builder_.getInt64(value); }
  Value* at(Value* base, std::size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
  }
  Value* state(std::size_t offset, const char* name) {
    return builder_.CreateLoad(builder_.getInt64Ty(), at(function_.getArg(0), offset), name);
  }
  Value* in_range(Value* record, Value* first, Value* span) {
    return builder_.CreateICmpULT(builder_.CreateSub(record, first), span);
  }
  /// The address of a record in the cell of a granule.
  Value* member(unsigned granule, std::size_t offset) {
    return at(cell_, granule * sizeof(abi::RaceCell) + offset);
  }
  // Threads that run other groups write cells at the same time. Each record is complete by itself, so relaxed accesses
  // suffice.
  Value* load(Value* record) {
    LoadInst* load = builder_.CreateAlignedLoad(builder_.getInt64Ty(), record, Align(8));
    load->setAtomic(AtomicOrdering::Monotonic);
    return load;
  }
  void store_me(unsigned granule, std::size_t offset) {
    builder_.CreateAlignedStore(me_, member(granule, offset), Align(8))->setAtomic(AtomicOrdering::Monotonic);
  }
  void read_state();
  Value* chunk(std::size_t table, const char* name);
  Value* cell_in(Value* chunk, std::size_t bytes);
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

/// The chunk of shadow memory for the accessed address. @param table offset of the table in RaceTables
Value* CellWriter::chunk(std::size_t table, const char* name) {
  constexpr std::uint64_t chunks_mask =
      (std::uint64_t{1} << (abi::race_address_bits - abi::race_chunk_shift)) - 1;
  const std::size_t tables =
      offsetof(abi::RaceGroup, tables) + access_.granule_shift * sizeof(abi::RaceTables);
  Type* pointer = builder_.getPtrTy();
  Value* chunks = builder_.CreateLoad(pointer, at(function_.getArg(0), tables + table), "chunks");
  Value* index =
      builder_.CreateAnd(builder_.CreateLShr(function_.getArg(1), abi::race_chunk_shift), chunks_mask);
  return builder_.CreateLoad(pointer, builder_.CreateGEP(pointer, chunks, index), name);
}

/// The first granule's cell in a chunk. @param bytes size of a cell
Value* CellWriter::cell_in(Value* chunk, std::size_t bytes) {
  Value* offset = builder_.CreateAnd(function_.getArg(1), (1U << abi::race_chunk_shift) - 1);
  Value* index = builder_.CreateLShr(offset, std::uint64_t{access_.granule_shift});
  return builder_.CreatePtrAdd(chunk, builder_.CreateMul(index, number(bytes)), "cell");
}

/// Adds the comparison with the cells of atomic writes. A chunk without atomic writes has no such cells.
Value* CellWriter::races_with_atomics(Value* races) {
  BasicBlock *before = builder_.GetInsertBlock(), *some = block("some"), *next = block("next");
  Value* atomics = chunk(offsetof(abi::RaceTables, atomic_chunks), "atomics");
  builder_.CreateCondBr(builder_.CreateIsNull(atomics), next, some);
  begin(some);
  Value *cell = cell_in(atomics, sizeof(abi::RaceAtomicCell)), *found = races;
  for (unsigned i = 0; i < 2 * access_.granules; ++i)
    found = builder_.CreateOr(found, may_race(load(at(cell, i * sizeof(std::uint64_t)))));
  go_on(next);
  PHINode* either = builder_.CreatePHI(builder_.getInt1Ty(), 2);
  either->addIncoming(races, before);
  either->addIncoming(found, some);
  return either;
}

void CellWriter::find_cell(BasicBlock* odd) {
  Value* cells = chunk(offsetof(abi::RaceTables, chunks), "chunk");
  BasicBlock* known = block("known");
  builder_.CreateCondBr(builder_.CreateIsNull(cells), odd, known,
                        MDBuilder(function_.getContext()).createUnlikelyBranchWeights());
  begin(known);
  cell_ = cell_in(cells, sizeof(abi::RaceCell));
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
  BasicBlock *renew = block("renew"), *other = block("other"), *replace = block("replace"),
             *next = block("next");
  Value* first = load(member(granule, first_offset));
  builder_.CreateCondBr(is_unordered(first), other, renew);
  begin(renew);
  store_me(granule, first_offset);
  builder_.CreateBr(next);
  begin(other);
  Value* last = load(member(granule, last_offset));
  Value* free = builder_.CreateNot(is_unordered(last));
  if (!access_.local) {
    auto group = [&](Value* record) { return builder_.CreateLShr(record, abi::race_group_shift); };
    Value* one_group = builder_.CreateICmpEQ(group(first), group(last));
    Value* not_mine = builder_.CreateICmpNE(group(first), group(me_));
    free = builder_.CreateOr(free, builder_.CreateAnd(one_group, not_mine));
  }
  builder_.CreateCondBr(free, replace, next);
  begin(replace);
  store_me(granule, last_offset);
  go_on(next);
}

void CellWriter::write() {
  BasicBlock *odd = block("odd"), *record = block("record");
  IRBuilder<>(odd).CreateRet(builder_.getTrue());
  read_state();
  find_cell(odd);
  Value* races = builder_.getFalse();
  for (unsigned i = 0; i < access_.granules; ++i)
    for (const std::size_t offset : {offsetof(abi::RaceCell, write), offsetof(abi::RaceCell, first_read),
                                     offsetof(abi::RaceCell, last_read)})
      if (access_.writes || offset == offsetof(abi::RaceCell, write)) // reads do not race with each other
        races = builder_.CreateOr(races, may_race(load(member(i, offset))));
  if (access_.beside_atomics) races = races_with_atomics(races);
  builder_.CreateCondBr(races, odd, record, MDBuilder(function_.getContext()).createUnlikelyBranchWeights());
  begin(record);
  for (unsigned i = 0; i < access_.granules; ++i)
    if (access_.writes)
      store_me(i, offsetof(abi::RaceCell, write));
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
