// Part of loop_counters.hpp: rewrites pointer induction variables as a base pointer plus an integer induction variable.

#include "compiler/passes/prepare/loop_counters.hpp"

#include "compiler/passes/analysis/linear_forms.hpp"
#include "compiler/passes/prepare/loop_rounds.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// A pointer induction variable: `next` adds a loop-invariant step to the pointer.
struct Moving {
  PHINode* phi;
  GetElementPtrInst* next; ///< has one index, the loop-invariant step
  std::uint64_t unit;      ///< bytes by which a step of 1 advances the pointer
  Value* step() const { return next->getOperand(1); }
};

/// An integer induction variable whose step is uniform and whose start differs between work-items. Its additions have
/// neither nsw nor nuw, so replacing them by a product loses no information.
struct Growing {
  PHINode* phi;
  BinaryOperator* next;
  Value* step;
};

/// An induction variable that is decremented by one and is used by one test for equality only.
struct Down {
  PHINode* phi;
  BinaryOperator* next;
  ICmpInst* test;    ///< compares the next value with `end`
  Value* end;        ///< loop-invariant
  bool ends_at_zero; ///< whether `end` is 0 and the loop exits if the values are equal
  bool alike;        ///< whether the start is uniform
};

/// An induction variable that is incremented by one.
struct Up {
  PHINode* phi;
  BinaryOperator* next;
  Value* end;   ///< for a 32-bit variable: the value at which the loop exits; null if no such value is known
  Value* index; ///< the variable extended to 64 bits; null until it is needed
};

constexpr std::uint64_t most_bytes = 1 << 20; ///< of a constant step, and of its unit: no product wraps

bool comes_before(const Instruction& first, const Instruction& second) {
  return first.getParent() == second.getParent() && first.comesBefore(&second);
}

/// An element type of `bytes` bytes for a GEP.
Type* type_of_size(IRBuilderBase& build, std::uint64_t bytes) {
  if (bytes <= 8 && isPowerOf2_64(bytes)) return build.getIntNTy(static_cast<unsigned>(bytes * 8));
  return ArrayType::get(build.getInt8Ty(), bytes);
}

class Indices {
public:
  Indices(const Loop& loop, const LoopInfo& loops, const Rounds& rounds)
      : loop_(loop),
        rounds_(rounds),
        layout_(rounds.header->getDataLayout()),
        forms_(&loops),
        body_(&*rounds.header->getFirstInsertionPt()) {}

  bool replace();

private:
  void find_moving();
  void find_growing();
  void find_down();
  bool same_for_all(const Value& value);
  bool ends_loop(const ICmpInst& test) const;
  bool may_replace(const Moving& pointer);
  GetElementPtrInst* own_row(const Moving& pointer);
  bool differ(Value* left, Value* right) const;
  Value* end_of_row(Value* start) const;
  Up make_counter(Value* start);
  Up known_counter() const;
  Up& counter_from(Value* start);
  Value* address_in_row(GetElementPtrInst& start);
  Value* address_after_rounds(const Moving& pointer);
  void replace_pointer(const Moving& pointer, Value* address);
  void replace_number(const Growing& number);
  void replace_test(const Down& down);
  IRBuilder<> at_header() const { return IRBuilder<>(body_); }
  IRBuilder<> before_loop() const { return IRBuilder<>(rounds_.before->getTerminator()); }

  const Loop& loop_;
  const Rounds& rounds_;
  const DataLayout& layout_;
  LinearForms forms_;
  Instruction* body_; ///< the header's first instruction after the phis; nothing is deleted before the end
  SmallVector<WeakTrackingVH, 8> dead_;
  SmallVector<Moving, 4> moving_;
  SmallVector<Growing, 4> growing_;
  std::optional<Down> down_;
  SmallVector<std::pair<Value*, Up>, 2> counters_; ///< by start; a null start: counts iterations from 0
};

void Indices::find_moving() {
  for (PHINode& phi : rounds_.header->phis()) {
    auto* next = phi.getType()->isPointerTy() ? dyn_cast<GetElementPtrInst>(rounds_.next(phi)) : nullptr;
    if (!next || next->getPointerOperand() != &phi || next->getNumIndices() != 1 ||
        !next->getOperand(1)->getType()->isIntegerTy(64) || !loop_.isLoopInvariant(next->getOperand(1)))
      continue;
    Moving pointer{&phi, next, layout_.getTypeAllocSize(next->getSourceElementType()).getFixedValue()};
    if (may_replace(pointer)) moving_.push_back(pointer);
  }
}

/// Whether replacing the pointer pays. If the step differs between lanes, the multiplication of the iteration's number
/// by the step would cost more than the addition that it replaces.
bool Indices::may_replace(const Moving& pointer) {
  const auto* step = dyn_cast<ConstantInt>(pointer.step());
  return pointer.unit != 0 && (step ? !step->isZero() : same_for_all(*pointer.step()));
}

bool Indices::same_for_all(const Value& value) {
  return !(forms_.of(value, *rounds_.header).dependence() & (on_any_id | on_item | on_memory));
}

void Indices::find_growing() {
  for (PHINode& phi : rounds_.header->phis()) {
    auto* next = phi.getType()->isIntegerTy() ? dyn_cast<BinaryOperator>(rounds_.next(phi)) : nullptr;
    Value* step = nullptr;
    if (!next || (down_ && down_->phi == &phi) || !match(next, m_c_Add(m_Specific(&phi), m_Value(step))) ||
        next->hasNoSignedWrap() || next->hasNoUnsignedWrap() || phi.getType()->getIntegerBitWidth() > 64 ||
        !loop_.isLoopInvariant(step))
      continue;
    const unsigned start = forms_.of(*rounds_.start(phi), *rounds_.header).dependence();
    if ((start & on_any_id) && !(start & (on_item | on_memory)) && same_for_all(*step))
      growing_.push_back({&phi, next, step});
  }
}

void Indices::find_down() {
  for (PHINode& phi : rounds_.header->phis()) {
    auto* next = dyn_cast<BinaryOperator>(rounds_.next(phi));
    if (!next || !phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > 64 ||
        !match(next, m_Add(m_Specific(&phi), m_AllOnes())) || !phi.hasOneUse() || !next->hasNUses(2))
      continue;
    for (User* user : next->users()) {
      auto* test = dyn_cast<ICmpInst>(user);
      if (!test || !test->isEquality() || !loop_.contains(test)) continue;
      Value* end = test->getOperand(test->getOperand(0) == next);
      if (loop_.isLoopInvariant(end))
        down_ = Down{&phi,
                     next,
                     test,
                     end,
                     match(end, m_Zero()) && ends_loop(*test),
                     same_for_all(*rounds_.start(phi))};
    }
    if (down_) return;
  }
}

/// Whether the loop exits from its latch if the compared values are equal.
bool Indices::ends_loop(const ICmpInst& test) const {
  const auto* branch = dyn_cast<BranchInst>(rounds_.latch->getTerminator());
  if (!branch || !branch->isConditional() || branch->getCondition() != &test) return false;
  return !loop_.contains(branch->getSuccessor(test.getPredicate() == CmpInst::ICMP_EQ ? 0 : 1));
}

/// The GEP that computes the pointer's start, if its index differs between work-items or comes from memory, and the
/// pointer advances by one element of the GEP in each iteration. The induction variable can then start at the GEP's
/// index: `&a[start[id]]` becomes `&a[i]` with i from start[id]. Null otherwise.
GetElementPtrInst* Indices::own_row(const Moving& pointer) {
  auto* start = dyn_cast<GetElementPtrInst>(rounds_.start(*pointer.phi));
  const auto* step = dyn_cast<ConstantInt>(pointer.step());
  if (!start || !step || start->getNumIndices() != 1 || !start->getOperand(1)->getType()->isIntegerTy(64))
    return nullptr;
  const std::uint64_t unit = layout_.getTypeAllocSize(start->getSourceElementType()).getFixedValue();
  const bool visits_all = static_cast<std::uint64_t>(step->getSExtValue()) * pointer.unit == unit;
  return visits_all && forms_.of(start->getOperandUse(1)).dependence() & (on_item | on_memory) ? start
                                                                                               : nullptr;
}

/// Whether one of the four nearest branches before the loop implies that the values differ.
bool Indices::differ(Value* left, Value* right) const {
  constexpr unsigned most_blocks = 4;
  const BasicBlock *block = rounds_.header, *from = rounds_.before;
  for (unsigned i = 0; i < most_blocks && from; ++i) {
    const auto* branch = dyn_cast<BranchInst>(from->getTerminator());
    if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1))
      if (isImpliedCondition(branch->getCondition(), CmpInst::ICMP_NE, left, right, layout_,
                             branch->getSuccessor(0) == block) == true)
        return true;
    block = from;
    from = block->getSinglePredecessor();
  }
  return false;
}

/// The end of the index range that starts at the 32-bit `start`, if no index in between can wrap. This holds if the
/// decrementing variable that ends the loop starts at `end - start`, the subtraction has nuw, and a branch before the
/// loop excludes 0. Null otherwise.
Value* Indices::end_of_row(Value* start) const {
  if (!down_ || !down_->ends_at_zero) return nullptr;
  Value *rounds = rounds_.start(*down_->phi), *end = nullptr;
  if (auto* wide = dyn_cast<ZExtInst>(rounds)) rounds = wide->getOperand(0);
  return match(rounds, m_NUWSub(m_Value(end), m_Specific(start))) && differ(end, start) ? end : nullptr;
}

Up Indices::make_counter(Value* start) {
  PHINode* phi = rounds_.make_phi(start->getType(), start);
  IRBuilder<> build(down_ ? down_->next : rounds_.latch->getTerminator());
  auto* next =
      cast<BinaryOperator>(build.Insert(BinaryOperator::CreateAdd(phi, ConstantInt::get(phi->getType(), 1))));
  phi->addIncoming(next, rounds_.latch);
  return {phi, next, nullptr, nullptr};
}

/// An existing 64-bit induction variable that counts iterations from 0; its phi is null if the loop has none.
Up Indices::known_counter() const {
  for (PHINode& phi : rounds_.header->phis()) {
    Value* next = rounds_.next(phi);
    if (phi.getType()->isIntegerTy(64) && match(rounds_.start(phi), m_Zero()) &&
        match(next, m_Add(m_Specific(&phi), m_One())))
      return {&phi, cast<BinaryOperator>(next), nullptr, nullptr};
  }
  return {};
}

Up& Indices::counter_from(Value* start) {
  for (auto& [known, counter] : counters_)
    if (known == start) return counter;
  Up counter{};
  Value* narrow = nullptr;
  if (!start) {
    counter = known_counter();
    if (!counter.phi || (down_ && !comes_before(*counter.next, *down_->test)))
      counter = make_counter(ConstantInt::get(Type::getInt64Ty(rounds_.header->getContext()), 0));
  } else if (match(start, m_ZExt(m_Value(narrow))) && narrow->getType()->isIntegerTy(32)) {
    Value* end = end_of_row(narrow);
    counter = make_counter(end ? narrow : start);
    counter.end = end;
    counter.next->setHasNoUnsignedWrap(end != nullptr); // the variable does not exceed `end`
  } else {
    counter = make_counter(start);
  }
  return counters_.emplace_back(start, counter).second;
}

Value* Indices::address_in_row(GetElementPtrInst& start) {
  Up& counter = counter_from(start.getOperand(1));
  IRBuilder<> build = at_header();
  if (!counter.index) counter.index = build.CreateZExt(counter.phi, build.getInt64Ty());
  return build.CreateGEP(start.getSourceElementType(), start.getPointerOperand(), counter.index);
}

Value* Indices::address_after_rounds(const Moving& pointer) {
  Value* index = counter_from(nullptr).phi;
  IRBuilder<> build = at_header();
  std::uint64_t unit = pointer.unit, shift = 0;
  const auto* step = dyn_cast<ConstantInt>(pointer.step());
  Value* factor = nullptr;
  if (step && unit <= most_bytes && step->getValue().abs().ule(most_bytes)) {
    if (step->isNegative()) index = build.CreateNeg(index);
    unit *= step->getValue().abs().getZExtValue();
  } else if (match(pointer.step(), m_Shl(m_Value(factor), m_ConstantInt(shift))) && shift <= 3 && unit == 1) {
    index = build.CreateMul(index, factor);
    unit <<= shift;
  } else {
    index = build.CreateMul(index, pointer.step());
  }
  return build.CreateGEP(type_of_size(build, unit), rounds_.start(*pointer.phi), index);
}

void Indices::replace_pointer(const Moving& pointer, Value* address) {
  address->takeName(pointer.phi);
  pointer.phi->replaceAllUsesWith(address);
  pointer.phi->eraseFromParent();
  dead_.emplace_back(pointer.next);
}

void Indices::replace_number(const Growing& number) {
  Value* rounds = counter_from(nullptr).phi;
  IRBuilder<> build = at_header();
  Value* grown = build.CreateMul(build.CreateTrunc(rounds, number.step->getType()), number.step);
  number.phi->replaceAllUsesWith(build.CreateAdd(rounds_.start(*number.phi), grown));
  number.phi->eraseFromParent();
  dead_.emplace_back(number.next);
}

/// Rewrites the test of the decrementing variable as a test of the incrementing one. The former is its start minus the
/// number of iterations, so it equals `end` when the number of iterations is start - end.
void Indices::replace_test(const Down& down) {
  const auto& [start, counter] = counters_.front();
  Value *rounds = rounds_.start(*down.phi), *narrow = nullptr;
  IRBuilder<> build = before_loop(), test(down.test);
  Value *now = counter.next, *end = counter.end;
  if (!end && !start && down.ends_at_zero && !down.alike && match(rounds, m_ZExt(m_Value(narrow))) &&
      differ(narrow, Constant::getNullValue(narrow->getType()))) {
    now = test.CreateTrunc(now, narrow->getType());
    end = narrow;
  } else if (!end) {
    now = test.CreateTrunc(now, rounds->getType());
    end = match(down.end, m_Zero()) ? rounds : build.CreateSub(rounds, down.end);
    if (start) end = build.CreateAdd(build.CreateTrunc(start, rounds->getType()), end);
  }
  down.test->replaceAllUsesWith(test.CreateICmp(down.test->getPredicate(), now, end));
  down.test->eraseFromParent();
  RecursivelyDeleteDeadPHINode(down.phi);
}

bool Indices::replace() {
  find_moving();
  if (moving_.empty()) return false;
  find_down();
  find_growing();
  SmallVector<GetElementPtrInst*, 4> rows;
  for (const Moving& pointer : moving_)
    rows.push_back(own_row(pointer));
  for (auto [pointer, row] : zip(moving_, rows))
    replace_pointer(pointer, row ? address_in_row(*row) : address_after_rounds(pointer));
  for (const Growing& number : growing_)
    replace_number(number);
  if (down_) replace_test(*down_);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead_);
  return true;
}

} // namespace

bool count_instead_of_moving(Loop& loop, const LoopInfo& loops) {
  const std::optional<Rounds> rounds = Rounds::of(loop);
  return rounds && Indices(loop, loops, *rounds).replace();
}

} // namespace hostcl::compiler
