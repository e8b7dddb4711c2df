// Compare-exchanges of all lanes on one address. The lanes take turns on a copy of the value in memory; then one host
// compare-exchange writes the outcome, if memory still holds the value from which the turns started. The result is that
// of the serial order in which the vector's lanes follow each other, without another work-item in between.
//
//   %old = cmpxchg ptr %p, i32 %expected, i32 %desired
//     =>
//   attempt: %memory = load atomic ptr %p                 ; or the value that the failed commit saw
//            %seen = splat %memory                        ; the value that each lane finds at its turn
//   turn:    %lane = first of the lanes left with %seen == %expected; none: commit
//            %seen = %desired of %lane, in all lanes after it
//   commit:  cmpxchg ptr %p, %memory, %desired of the last %lane; if it fails: attempt
//   done:    { %seen, %seen == %expected }
//
// Only a turn that finds the expected value changes %seen, so the loop has as many iterations as successful exchanges.
// If no lane succeeds, all exchanges are loads, and the load at the beginning stands for them.
//
// Volatile operations, and operations whose addresses differ, are executed lane by lane.
// Tests: tests/passes/2_vector/atomics/vectorise_exchanges.ll.
// Declared in compiler/passes/2_vector/atomics/atomics.hpp.

#include "compiler/ir/spaces.hpp"
#include "compiler/passes/2_vector/atomics/atomics.hpp"

#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/lane_array.hpp"
#include "compiler/passes/2_vector/scalar_copies.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

class Turns {
public:
  Turns(Emission& e, AtomicCmpXchgInst& exchange)
      : e_(e),
        build_(e.build),
        exchange_(exchange),
        pointer_(e.scalar(exchange.getPointerOperand())),
        expected_(e.vector(exchange.getCompareOperand())),
        type_(exchange.getCompareOperand()->getType()) {
    Value* desired = exchange.getNewValOperand();
    if (e.shape(desired).is_uniform())
      desired_ = e.scalar(desired);
    else
      all_desired_.emplace(e, type_).set_all(e.vector(desired));
  }

  /// @returns the old value of each lane
  Value* write() {
    BasicBlock *attempt = e_.new_block("attempt"), *turn = e_.new_block("turn"),
               *commit = e_.new_block("commit"), *done = e_.new_block("turns.done");
    Value* loaded = load();
    BasicBlock* before = build_.GetInsertBlock();
    build_.CreateBr(attempt);

    build_.SetInsertPoint(attempt);
    PHINode* memory = build_.CreatePHI(type_, 2, "memory");
    memory->addIncoming(loaded, before);
    Value* unchanged = build_.CreateVectorSplat(e_.width, memory);
    Value* first = lanes_that_match(unchanged, e_.mask_bits(e_.mask));
    build_.CreateCondBr(build_.CreateIsNotNull(first), turn, done);

    build_.SetInsertPoint(turn);
    const Iteration iteration = write_iteration(unchanged, first, attempt);
    build_.CreateCondBr(build_.CreateIsNotNull(iteration.matching), turn, commit);

    build_.SetInsertPoint(commit);
    commit_value(*memory, iteration.value, attempt, done);

    build_.SetInsertPoint(done);
    PHINode* seen = build_.CreatePHI(unchanged->getType(), 2);
    seen->addIncoming(unchanged, attempt);
    seen->addIncoming(iteration.seen, commit);
    return seen;
  }

private:
  /// The state after the turn of one lane that succeeds.
  struct Iteration {
    Value *seen, *matching, *value;
  };

  Value* load() {
    LoadInst* load = build_.CreateAlignedLoad(type_, pointer_, exchange_.getAlign());
    AtomicOrdering order = exchange_.getFailureOrdering();
    // On local memory the commit is an ordinary store, so this load must provide the acquire ordering of a success.
    if (exchange_.getPointerAddressSpace() == local_space &&
        isAcquireOrStronger(exchange_.getSuccessOrdering()) && !isAcquireOrStronger(order))
      order = AtomicOrdering::Acquire;
    load->setAtomic(order, exchange_.getSyncScopeID());
    return load;
  }

  Value* lanes_that_match(Value* seen, Value* among) {
    return build_.CreateAnd(e_.mask_bits(e_.where(e_.mask, build_.CreateICmpEQ(seen, expected_))), among);
  }

  Iteration write_iteration(Value* unchanged, Value* first, BasicBlock* attempt) {
    Type* bits = first->getType();
    BasicBlock* turn = build_.GetInsertBlock();
    PHINode* matching = build_.CreatePHI(bits, 2);
    PHINode* seen = build_.CreatePHI(unchanged->getType(), 2);
    matching->addIncoming(first, attempt);
    seen->addIncoming(unchanged, attempt);
    // The mask of the lanes up to the first matching one, and that lane's number.
    Value* until = build_.CreateXor(matching, build_.CreateSub(matching, ConstantInt::get(bits, 1)));
    Value* lane = build_.CreateIntrinsic(Intrinsic::cttz, {bits}, {matching, build_.getTrue()});
    Value* behind = build_.CreateNot(until);
    Value* value =
        all_desired_ ? all_desired_->get(build_.CreateZExtOrTrunc(lane, build_.getInt64Ty())) : desired_;
    Value* is_behind = build_.CreateBitCast(behind, e_.mask->getType());
    Value* now = build_.CreateSelect(is_behind, build_.CreateVectorSplat(e_.width, value), seen);
    Value* left = build_.CreateAnd(behind, e_.mask_bits(e_.mask));
    Value* next = lanes_that_match(now, left);
    matching->addIncoming(next, turn);
    seen->addIncoming(now, turn);
    return {now, next, value};
  }

  void commit_value(PHINode& memory, Value* value, BasicBlock* attempt, BasicBlock* done) {
    if (exchange_.getPointerAddressSpace() == local_space) { // no other thread accesses it
      StoreInst* store = build_.CreateAlignedStore(value, pointer_, exchange_.getAlign());
      store->setAtomic(AtomicOrdering::Monotonic, exchange_.getSyncScopeID());
      build_.CreateBr(done);
      return;
    }
    auto* host = build_.CreateAtomicCmpXchg(pointer_, &memory, value, exchange_.getAlign(),
                                            exchange_.getSuccessOrdering(), exchange_.getFailureOrdering(),
                                            exchange_.getSyncScopeID());
    memory.addIncoming(build_.CreateExtractValue(host, 0), build_.GetInsertBlock());
    build_.CreateCondBr(build_.CreateExtractValue(host, 1), done, attempt);
  }

  Emission& e_;
  IRBuilder<>& build_;
  AtomicCmpXchgInst& exchange_;
  Value *pointer_, *expected_;
  Type* type_;
  Value* desired_ = nullptr; ///< if it is uniform; otherwise all_desired_ is set
  std::optional<LaneArray> all_desired_;
};

} // namespace

/// A product by a loop around compare-exchange is 5 times as fast on an Emerald Rapids Xeon, and 1.5 times on Zen 4.
void emit_compare_exchange(Emission& e, AtomicCmpXchgInst& exchange) {
  if (!e.switches.is_on(Heuristic::compare_exchange) || exchange.isVolatile() ||
      !e.shape(exchange.getPointerOperand()).is_uniform() ||
      !exchange.getCompareOperand()->getType()->isIntegerTy())
    return emit_lane_by_lane(e, exchange);
  note_change(Heuristic::compare_exchange);
  Value* seen = Turns(e, exchange).write();
  Value* result = PoisonValue::get(e.wide(exchange.getType()));
  result = e.build.CreateInsertValue(result, seen, 0);
  Value* succeeded = e.build.CreateICmpEQ(seen, e.vector(exchange.getCompareOperand()));
  e.set(&exchange, e.build.CreateInsertValue(result, succeeded, 1));
}

} // namespace hostcl::compiler
