// Part of induction_variables.hpp: rewrites pointer induction variables as a base pointer plus an integer induction variable.

#include "compiler/passes/1_kernel/induction_variables.hpp"

#include "compiler/values/linear_forms.hpp"
#include "compiler/values/loop_nest.hpp"

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
struct PointerInduction {
  PHINode* phi;
  GetElementPtrInst* next; ///< has one index, the loop-invariant step
  std::uint64_t unit;      ///< bytes by which a step of 1 advances the pointer
  Value* step() const { return next->getOperand(1); }
};

/// An integer induction variable whose step is uniform and whose start is divergent. Its additions have
/// neither nsw nor nuw, so replacing them by a product loses no information.
struct IntegerInduction {
  PHINode* phi;
  BinaryOperator* next;
  Value* step;
};

/// An induction variable that is decremented by one and is used by one test for equality only.
struct DecrementingInduction {
  PHINode* phi;
  BinaryOperator* next;
  ICmpInst* test;    ///< compares the next value with `end`
  Value* end;        ///< loop-invariant
  bool ends_at_zero; ///< whether `end` is 0 and the loop exits if the values are equal
  bool is_uniform;   ///< whether the start is uniform
};

/// An induction variable that is incremented by one.
struct IncrementingInduction {
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

class InductionRewriter {
public:
  InductionRewriter(const Loop& loop, const LoopInfo& loops, const SingleLatchLoop& blocks)
      : loop_(loop),
        blocks_(blocks),
        layout_(blocks.header->getDataLayout()),
        forms_(&loops),
        body_(&*blocks.header->getFirstInsertionPt()) {}

  bool replace();

private:
  void find_pointers();
  void find_integers();
  void find_decrementing();
  bool same_for_all(const Value& value);
  bool ends_loop(const ICmpInst& test) const;
  bool may_replace(const PointerInduction& pointer);
  GetElementPtrInst* contiguous_start(const PointerInduction& pointer);
  bool differ(Value* left, Value* right) const;
  Value* contiguous_end(Value* start) const;
  IncrementingInduction make_incrementing(Value* start);
  IncrementingInduction known_incrementing() const;
  IncrementingInduction& incrementing_from(Value* start);
  Value* contiguous_address(GetElementPtrInst& start);
  Value* strided_address(const PointerInduction& pointer);
  void replace_pointer(const PointerInduction& pointer, Value* address);
  void replace_number(const IntegerInduction& number);
  void replace_test(const DecrementingInduction& decrementing);
  IRBuilder<> at_header() const { return IRBuilder<>(body_); }
  IRBuilder<> before_loop() const { return IRBuilder<>(blocks_.before->getTerminator()); }

  const Loop& loop_;
  const SingleLatchLoop& blocks_;
  const DataLayout& layout_;
  LinearForms forms_;
  Instruction* body_; ///< the header's first instruction after the phis; nothing is deleted before the end
  SmallVector<WeakTrackingVH, 8> dead_;
  SmallVector<PointerInduction, 4> pointers_;
  SmallVector<IntegerInduction, 4> integers_;
  std::optional<DecrementingInduction> decrementing_;
  SmallVector<std::pair<Value*, IncrementingInduction>, 2>
      incrementing_; ///< by start; a null start: counts iterations from 0
};

void InductionRewriter::find_pointers() {
  for (PHINode& phi : blocks_.header->phis()) {
    auto* next = phi.getType()->isPointerTy() ? dyn_cast<GetElementPtrInst>(blocks_.next(phi)) : nullptr;
    if (!next || next->getPointerOperand() != &phi || next->getNumIndices() != 1 ||
        !next->getOperand(1)->getType()->isIntegerTy(64) || !loop_.isLoopInvariant(next->getOperand(1)))
      continue;
    PointerInduction pointer{&phi, next,
                             layout_.getTypeAllocSize(next->getSourceElementType()).getFixedValue()};
    if (may_replace(pointer)) pointers_.push_back(pointer);
  }
}

/// Whether replacing the pointer pays. If the step is divergent, the multiplication of the iteration's number
/// by the step would cost more than the addition that it replaces.
bool InductionRewriter::may_replace(const PointerInduction& pointer) {
  const auto* step = dyn_cast<ConstantInt>(pointer.step());
  return pointer.unit != 0 && (step ? !step->isZero() : same_for_all(*pointer.step()));
}

bool InductionRewriter::same_for_all(const Value& value) {
  return !(forms_.of(value, *blocks_.header).dependence() & (on_any_id | on_item | on_memory));
}

void InductionRewriter::find_integers() {
  for (PHINode& phi : blocks_.header->phis()) {
    auto* next = phi.getType()->isIntegerTy() ? dyn_cast<BinaryOperator>(blocks_.next(phi)) : nullptr;
    Value* step = nullptr;
    if (!next || (decrementing_ && decrementing_->phi == &phi) ||
        !match(next, m_c_Add(m_Specific(&phi), m_Value(step))) || next->hasNoSignedWrap() ||
        next->hasNoUnsignedWrap() || phi.getType()->getIntegerBitWidth() > 64 || !loop_.isLoopInvariant(step))
      continue;
    const unsigned start = forms_.of(*blocks_.start(phi), *blocks_.header).dependence();
    if ((start & on_any_id) && !(start & (on_item | on_memory)) && same_for_all(*step))
      integers_.push_back({&phi, next, step});
  }
}

void InductionRewriter::find_decrementing() {
  for (PHINode& phi : blocks_.header->phis()) {
    auto* next = dyn_cast<BinaryOperator>(blocks_.next(phi));
    if (!next || !phi.getType()->isIntegerTy() || phi.getType()->getIntegerBitWidth() > 64 ||
        !match(next, m_Add(m_Specific(&phi), m_AllOnes())) || !phi.hasOneUse() || !next->hasNUses(2))
      continue;
    for (User* user : next->users()) {
      auto* test = dyn_cast<ICmpInst>(user);
      if (!test || !test->isEquality() || !loop_.contains(test)) continue;
      Value* end = test->getOperand(test->getOperand(0) == next);
      if (loop_.isLoopInvariant(end))
        decrementing_ = DecrementingInduction{&phi,
                                              next,
                                              test,
                                              end,
                                              match(end, m_Zero()) && ends_loop(*test),
                                              same_for_all(*blocks_.start(phi))};
    }
    if (decrementing_) return;
  }
}

/// Whether the loop exits from its latch if the compared values are equal.
bool InductionRewriter::ends_loop(const ICmpInst& test) const {
  const auto* branch = dyn_cast<BranchInst>(blocks_.latch->getTerminator());
  if (!branch || !branch->isConditional() || branch->getCondition() != &test) return false;
  return !loop_.contains(branch->getSuccessor(test.getPredicate() == CmpInst::ICMP_EQ ? 0 : 1));
}

/// The GEP that computes the pointer's start, if its index is divergent or comes from memory, and the
/// pointer advances by one element of the GEP in each iteration. The induction variable can then start at the GEP's
/// index: `&a[start[id]]` becomes `&a[i]` with i from start[id]. Null otherwise.
GetElementPtrInst* InductionRewriter::contiguous_start(const PointerInduction& pointer) {
  auto* start = dyn_cast<GetElementPtrInst>(blocks_.start(*pointer.phi));
  const auto* step = dyn_cast<ConstantInt>(pointer.step());
  if (!start || !step || start->getNumIndices() != 1 || !start->getOperand(1)->getType()->isIntegerTy(64))
    return nullptr;
  const std::uint64_t unit = layout_.getTypeAllocSize(start->getSourceElementType()).getFixedValue();
  const bool is_contiguous = static_cast<std::uint64_t>(step->getSExtValue()) * pointer.unit == unit;
  return is_contiguous && forms_.of(start->getOperandUse(1)).dependence() & (on_item | on_memory) ? start
                                                                                                  : nullptr;
}

/// Whether one of the four nearest branches before the loop implies that the values differ.
bool InductionRewriter::differ(Value* left, Value* right) const {
  constexpr unsigned most_blocks = 4;
  const BasicBlock *block = blocks_.header, *from = blocks_.before;
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
Value* InductionRewriter::contiguous_end(Value* start) const {
  if (!decrementing_ || !decrementing_->ends_at_zero) return nullptr;
  Value *iterations = blocks_.start(*decrementing_->phi), *end = nullptr;
  if (auto* wide = dyn_cast<ZExtInst>(iterations)) iterations = wide->getOperand(0);
  return match(iterations, m_NUWSub(m_Value(end), m_Specific(start))) && differ(end, start) ? end : nullptr;
}

IncrementingInduction InductionRewriter::make_incrementing(Value* start) {
  PHINode* phi = blocks_.make_phi(start->getType(), start);
  IRBuilder<> build(decrementing_ ? decrementing_->next : blocks_.latch->getTerminator());
  auto* next =
      cast<BinaryOperator>(build.Insert(BinaryOperator::CreateAdd(phi, ConstantInt::get(phi->getType(), 1))));
  phi->addIncoming(next, blocks_.latch);
  return {phi, next, nullptr, nullptr};
}

/// An existing 64-bit induction variable that counts iterations from 0; its phi is null if the loop has none.
IncrementingInduction InductionRewriter::known_incrementing() const {
  for (PHINode& phi : blocks_.header->phis()) {
    Value* next = blocks_.next(phi);
    if (phi.getType()->isIntegerTy(64) && match(blocks_.start(phi), m_Zero()) &&
        match(next, m_Add(m_Specific(&phi), m_One())))
      return {&phi, cast<BinaryOperator>(next), nullptr, nullptr};
  }
  return {};
}

IncrementingInduction& InductionRewriter::incrementing_from(Value* start) {
  for (auto& [known, counter] : incrementing_)
    if (known == start) return counter;
  IncrementingInduction counter{};
  Value* narrow = nullptr;
  if (!start) {
    counter = known_incrementing();
    if (!counter.phi || (decrementing_ && !comes_before(*counter.next, *decrementing_->test)))
      counter = make_incrementing(ConstantInt::get(Type::getInt64Ty(blocks_.header->getContext()), 0));
  } else if (match(start, m_ZExt(m_Value(narrow))) && narrow->getType()->isIntegerTy(32)) {
    Value* end = contiguous_end(narrow);
    counter = make_incrementing(end ? narrow : start);
    counter.end = end;
    counter.next->setHasNoUnsignedWrap(end != nullptr); // the variable does not exceed `end`
  } else {
    counter = make_incrementing(start);
  }
  return incrementing_.emplace_back(start, counter).second;
}

Value* InductionRewriter::contiguous_address(GetElementPtrInst& start) {
  IncrementingInduction& counter = incrementing_from(start.getOperand(1));
  IRBuilder<> build = at_header();
  if (!counter.index) counter.index = build.CreateZExt(counter.phi, build.getInt64Ty());
  return build.CreateGEP(start.getSourceElementType(), start.getPointerOperand(), counter.index);
}

Value* InductionRewriter::strided_address(const PointerInduction& pointer) {
  Value* index = incrementing_from(nullptr).phi;
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
  return build.CreateGEP(type_of_size(build, unit), blocks_.start(*pointer.phi), index);
}

void InductionRewriter::replace_pointer(const PointerInduction& pointer, Value* address) {
  address->takeName(pointer.phi);
  pointer.phi->replaceAllUsesWith(address);
  pointer.phi->eraseFromParent();
  dead_.emplace_back(pointer.next);
}

void InductionRewriter::replace_number(const IntegerInduction& number) {
  Value* iterations = incrementing_from(nullptr).phi;
  IRBuilder<> build = at_header();
  Value* grown = build.CreateMul(build.CreateTrunc(iterations, number.step->getType()), number.step);
  number.phi->replaceAllUsesWith(build.CreateAdd(blocks_.start(*number.phi), grown));
  number.phi->eraseFromParent();
  dead_.emplace_back(number.next);
}

/// Rewrites the test of the decrementing variable as a test of the incrementing one. The former is its start minus the
/// number of iterations, so it equals `end` when the number of iterations is start - end.
void InductionRewriter::replace_test(const DecrementingInduction& decrementing) {
  const auto& [start, counter] = incrementing_.front();
  Value *iterations = blocks_.start(*decrementing.phi), *narrow = nullptr;
  IRBuilder<> build = before_loop(), test(decrementing.test);
  Value *now = counter.next, *end = counter.end;
  if (!end && !start && decrementing.ends_at_zero && !decrementing.is_uniform &&
      match(iterations, m_ZExt(m_Value(narrow))) &&
      differ(narrow, Constant::getNullValue(narrow->getType()))) {
    now = test.CreateTrunc(now, narrow->getType());
    end = narrow;
  } else if (!end) {
    now = test.CreateTrunc(now, iterations->getType());
    end = match(decrementing.end, m_Zero()) ? iterations : build.CreateSub(iterations, decrementing.end);
    if (start) end = build.CreateAdd(build.CreateTrunc(start, iterations->getType()), end);
  }
  decrementing.test->replaceAllUsesWith(test.CreateICmp(decrementing.test->getPredicate(), now, end));
  decrementing.test->eraseFromParent();
  RecursivelyDeleteDeadPHINode(decrementing.phi);
}

bool InductionRewriter::replace() {
  find_pointers();
  if (pointers_.empty()) return false;
  find_decrementing();
  find_integers();
  SmallVector<GetElementPtrInst*, 4> rows;
  for (const PointerInduction& pointer : pointers_)
    rows.push_back(contiguous_start(pointer));
  for (auto [pointer, row] : zip(pointers_, rows))
    replace_pointer(pointer, row ? contiguous_address(*row) : strided_address(pointer));
  for (const IntegerInduction& number : integers_)
    replace_number(number);
  if (decrementing_) replace_test(*decrementing_);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead_);
  return true;
}

} // namespace

bool index_pointer_inductions(Loop& loop, const LoopInfo& loops) {
  const std::optional<SingleLatchLoop> blocks = SingleLatchLoop::of(loop);
  return blocks && InductionRewriter(loop, loops, *blocks).replace();
}

} // namespace hostcl::compiler
