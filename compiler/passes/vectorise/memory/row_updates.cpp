#include "compiler/passes/vectorise/memory/row_updates.hpp"

#include "compiler/heuristics.hpp"
#include "compiler/passes/atomics/deferrable_atomics.hpp"
#include "compiler/passes/vectorise/emission.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned word_bytes = 4;
constexpr unsigned pair_bytes = 2 * word_bytes;
constexpr unsigned most_lanes = 32; ///< a mask of them, with a lane before and one after, fits 64 bits

/// The lanes' words in memory, with one more before and one after them.
class PaddedRow {
public:
  PaddedRow(Emission& e, Type* type) : e_(e), type_(type), pair_(FixedVectorType::get(type, 2)) {
    BasicBlock& entry = e.target.getEntryBlock();
    memory_ = new AllocaInst(ArrayType::get(type, e.width + 2), e.layout.getAllocaAddrSpace(), "row",
                             entry.begin());
  }
  void set_all(Value* values) { e_.build.CreateAlignedStore(values, place(e_.build.getInt64(1)), word()); }
  Value* all() { return e_.build.CreateAlignedLoad(e_.wide(type_), place(e_.build.getInt64(1)), word()); }
  void set(Value* first, Value* pair) { e_.build.CreateAlignedStore(pair, place(first), word()); }
  Value* get(Value* first) { return e_.build.CreateAlignedLoad(pair_, place(first), word()); }

private:
  static Align word() { return Align(word_bytes); }
  Value* place(Value* index) { return e_.build.CreateInBoundsGEP(type_, memory_, index); }

  Emission& e_;
  Type *type_, *pair_;
  AllocaInst* memory_;
};

class RowUpdate {
public:
  RowUpdate(Emission& e, AtomicRMWInst& atomic)
      : e_(e),
        build_(e.build),
        atomic_(atomic),
        word_(build_.getInt64Ty()),
        pair_(FixedVectorType::get(atomic.getType(), 2)) {
    if (e.shape(atomic.getValOperand()).is_uniform())
      operand_ = build_.CreateVectorSplat(2, e.scalar(atomic.getValOperand()));
    else
      operands_.emplace(e, atomic.getType()).set_all(e.vector(atomic.getValOperand()));
    if (!atomic.use_empty()) results_.emplace(e, atomic.getType());
  }

  Value* write() {
    find_pairs();
    BasicBlock *before = build_.GetInsertBlock(), *loop = e_.new_block("pair"),
               *active = e_.new_block("active"), *attempt = e_.new_block("attempt"),
               *next = e_.new_block("next"), *done = e_.new_block("pairs.done");
    build_.CreateBr(loop);

    build_.SetInsertPoint(loop);
    PHINode* lane = build_.CreatePHI(word_, 2, "lane");
    lane->addIncoming(build_.getInt64(0), before);
    Value* bits = build_.CreateTrunc(build_.CreateLShr(mask_, lane), build_.getIntNTy(2));
    build_.CreateCondBr(build_.CreateIsNotNull(bits), active, next);

    build_.SetInsertPoint(active);
    write_pair(lane, build_.CreateBitCast(bits, FixedVectorType::get(build_.getInt1Ty(), 2)), attempt, next);

    build_.SetInsertPoint(next);
    Value* following = build_.CreateAdd(lane, build_.getInt64(2));
    lane->addIncoming(following, next);
    build_.CreateCondBr(build_.CreateICmpULT(following, end_), loop, done);

    build_.SetInsertPoint(done);
    return results_ ? results_->all() : PoisonValue::get(e_.wide(atomic_.getType()));
  }

private:
  /// Finds where the pairs begin, and the mask from there on.
  void find_pairs() {
    Value* first = e_.scalar(atomic_.getPointerOperand());
    Value* within = build_.CreateAnd(build_.CreatePtrToInt(first, word_), build_.getInt64(word_bytes));
    start_ = build_.CreateGEP(build_.getInt8Ty(), first, build_.CreateNeg(within));
    before_ = build_.CreateLShr(within, build_.getInt64(2));
    end_ = build_.CreateAdd(before_, build_.getInt64(e_.width));
    mask_ = build_.CreateShl(build_.CreateZExt(e_.mask_bits(e_.mask), word_), before_);
  }

  /// @param lane the pair's first, counted from the first pair's
  void write_pair(Value* lane, Value* mask, BasicBlock* attempt, BasicBlock* next) {
    Value* place = build_.CreateGEP(atomic_.getType(), start_, lane);
    Value* in_row = build_.CreateSub(build_.CreateAdd(lane, build_.getInt64(1)), before_);
    Value* operand = operands_ ? operands_->get(in_row) : operand_;
    LoadInst* loaded = build_.CreateAlignedLoad(word_, place, Align(pair_bytes));
    loaded->setAtomic(AtomicOrdering::Monotonic);
    BasicBlock* before = build_.GetInsertBlock();
    build_.CreateBr(attempt);

    build_.SetInsertPoint(attempt);
    PHINode* seen = build_.CreatePHI(word_, 2, "seen");
    seen->addIncoming(loaded, before);
    Value* held = build_.CreateBitCast(seen, pair_);
    if (results_) results_->set(in_row, held);
    Value* updated = buildAtomicRMWValue(atomic_.getOperation(), build_, held, operand);
    Value* desired = build_.CreateBitCast(build_.CreateSelect(mask, updated, held), word_);
    const AtomicOrdering order = atomic_.getOrdering();
    auto* exchange = build_.CreateAtomicCmpXchg(place, seen, desired, Align(pair_bytes), order,
                                                AtomicCmpXchgInst::getStrongestFailureOrdering(order),
                                                atomic_.getSyncScopeID());
    seen->addIncoming(build_.CreateExtractValue(exchange, 0), attempt);
    build_.CreateCondBr(build_.CreateExtractValue(exchange, 1), next, attempt);
  }

  Emission& e_;
  IRBuilder<>& build_;
  AtomicRMWInst& atomic_;
  Type *word_, *pair_;
  std::optional<PaddedRow> operands_, results_;
  Value* operand_ = nullptr; ///< the operands of all lanes, twice
  Value *start_ = nullptr, *before_ = nullptr, *end_ = nullptr, *mask_ = nullptr;
};

} // namespace

bool updates_row(const Emission& e, const AtomicRMWInst& atomic) {
  constexpr unsigned global_space = 1;
  const Shape shape = e.shape(atomic.getPointerOperand());
  // Updates that a thread collects for all its groups access memory less often still.
  if (!is_on(Heuristic::row_updates) || deferral_table(atomic)) return false;
  return shape.is_affine() && shape.stride == word_bytes && !shape.checked && !atomic.isVolatile() &&
         e.width <= most_lanes && atomic.getPointerAddressSpace() == global_space &&
         atomic.getType()->getScalarSizeInBits() == 8 * word_bytes && !atomic.getType()->isVectorTy();
}

Value* emit_row_update(Emission& e, AtomicRMWInst& atomic) {
  return RowUpdate(e, atomic).write();
}

} // namespace hostcl::compiler
