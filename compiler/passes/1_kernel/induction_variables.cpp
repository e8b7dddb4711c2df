#include "compiler/passes/1_kernel/induction_variables.hpp"

#include "compiler/values/branch_conditions.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned narrow_bits = 32;
constexpr std::uint64_t low_bits = 0xffff'ffff;

/// Whether the instruction depends on the low 32 bits of its operand only.
bool uses_low_bits(const User& user) {
  const APInt* mask = nullptr;
  return (isa<TruncInst>(user) && user.getType()->getIntegerBitWidth() <= narrow_bits) ||
         (match(&user, m_And(m_Value(), m_APInt(mask))) && mask->ule(low_bits));
}

class Narrowed {
public:
  Narrowed(const Loop& loop, const SingleLatchLoop& blocks, PHINode& wide)
      : loop_(loop), blocks_(blocks), wide_(wide) {}

  void replace() {
    IRBuilder<> build(blocks_.before->getTerminator());
    PHINode* phi =
        blocks_.make_phi(build.getInt32Ty(), build.CreateTrunc(blocks_.start(wide_), build.getInt32Ty()));
    known_[&wide_] = phi;
    Value* next = blocks_.next(wide_);
    Value* narrow_next = low(next, 0);
    phi->addIncoming(narrow_next, blocks_.latch);
    replace_uses(wide_, phi);
    if (isa<Instruction>(next) && loop_.contains(cast<Instruction>(next))) replace_uses(*next, narrow_next);
    RecursivelyDeleteDeadPHINode(&wide_);
  }

private:
  /// The low 32 bits of the value, as an i32.
  Value* low(Value* value, unsigned depth) {
    if (auto found = known_.find(value); found != known_.end()) return found->second;
    auto* type = IntegerType::get(value->getContext(), narrow_bits);
    if (auto* number = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(type, number->getValue().trunc(32));
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction))
      return known_[value] = IRBuilder<>(blocks_.before->getTerminator()).CreateTrunc(value, type);
    if (Value* narrow = compute(*instruction, depth)) return known_[value] = narrow;
    BasicBlock& block = *instruction->getParent();
    IRBuilder<> build(&block, isa<PHINode>(instruction) ? block.getFirstInsertionPt()
                                                        : std::next(instruction->getIterator()));
    return known_[value] = build.CreateTrunc(value, type);
  }

  Value* compute(Instruction& operation, unsigned depth) {
    constexpr unsigned most_depth = 8;
    if (depth == most_depth) return nullptr;
    IRBuilder<> build(&operation);
    auto operand = [&](unsigned number) { return low(operation.getOperand(number), depth + 1); };
    switch (operation.getOpcode()) {
    case Instruction::ZExt:
    case Instruction::SExt:
      return operation.getOperand(0)->getType()->isIntegerTy(narrow_bits) ? operation.getOperand(0) : nullptr;
    case Instruction::And:
      if (match(operation.getOperand(1), m_SpecificInt(low_bits))) return operand(0);
      [[fallthrough]];
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul: {
      Value *left = operand(0), *right = operand(1);
      return build.CreateBinOp(cast<BinaryOperator>(operation).getOpcode(), left, right);
    }
    default:
      return nullptr;
    }
  }

  void replace_uses(Value& wide, Value* narrow) {
    for (User* user : make_early_inc_range(wide.users()))
      if (user != narrow && uses_low_bits(*user)) replace_use(*cast<Instruction>(user), narrow);
  }

  void replace_use(Instruction& user, Value* narrow) {
    APInt mask = APInt::getAllOnes(narrow_bits);
    if (!isa<TruncInst>(user)) mask = cast<ConstantInt>(user.getOperand(1))->getValue().trunc(narrow_bits);
    // If the mask consists of the highest bits, `(x & mask) == 0` means that x is less than the mask's lowest bit.
    for (User* test : make_early_inc_range(user.users()))
      if (auto* compare = dyn_cast<ICmpInst>(test);
          compare && !isa<TruncInst>(user) && compare->isEquality() &&
          match(compare->getOperand(1), m_Zero()) && mask.isNegatedPowerOf2()) {
        IRBuilder<> at(compare);
        const auto predicate =
            compare->getPredicate() == CmpInst::ICMP_EQ ? CmpInst::ICMP_ULT : CmpInst::ICMP_UGE;
        compare->replaceAllUsesWith(at.CreateICmp(predicate, narrow, at.getInt(-mask)));
        compare->eraseFromParent();
      }
    if (!user.use_empty()) {
      IRBuilder<> build(&user);
      Value* bits = mask.isAllOnes() ? narrow : build.CreateAnd(narrow, build.getInt(mask));
      user.replaceAllUsesWith(build.CreateZExtOrTrunc(bits, user.getType()));
    }
    user.eraseFromParent();
  }

  const Loop& loop_;
  const SingleLatchLoop& blocks_;
  PHINode& wide_;
  DenseMap<Value*, Value*> known_;
};

constexpr std::uint64_t most_bytes = 1 << 20; ///< of a constant step, and of its unit: no product wraps

/// An induction variable: `next` is the phi plus a loop-invariant step.
struct Induction {
  PHINode* phi = nullptr;
  Instruction* next = nullptr; ///< an addition; for a pointer a GEP with one index
  Value *start = nullptr, *step = nullptr;

  /// For a pointer: the bytes by which a step of 1 advances the pointer.
  std::uint64_t unit() const {
    return next->getDataLayout()
        .getTypeAllocSize(cast<GetElementPtrInst>(next)->getSourceElementType())
        .getFixedValue();
  }
};

/// An induction variable that is decremented by one and is used by one test for equality only.
struct DecrementingInduction : Induction {
  ICmpInst* test = nullptr;  ///< compares the next value with `end`
  Value* end = nullptr;      ///< loop-invariant
  bool ends_at_zero = false; ///< whether `end` is 0 and the loop exits from its latch if the values are equal
  bool is_uniform = false;   ///< whether the start is uniform
};

/// An induction variable that is incremented by one.
struct IncrementingInduction {
  PHINode* phi = nullptr;
  BinaryOperator* next = nullptr;
  Value* end = nullptr; ///< of a 32-bit variable: the value at which the loop exits; null if it is not known
  Value* index = nullptr; ///< the variable extended to 64 bits; null until it is needed
};

/// An element type of `bytes` bytes for a GEP.
Type* type_of_size(IRBuilderBase& build, std::uint64_t bytes) {
  if (bytes <= 8 && isPowerOf2_64(bytes)) return build.getIntNTy(static_cast<unsigned>(bytes * 8));
  return ArrayType::get(build.getInt8Ty(), bytes);
}

class InductionRewriter {
public:
  InductionRewriter(const Loop& loop, const LoopInfo& loops, const DominatorTree& dominators,
                    const SingleLatchLoop& blocks)
      : loop_(loop),
        blocks_(blocks),
        layout_(blocks.header->getDataLayout()),
        dominators_(dominators),
        forms_(&loops),
        zero_(ConstantInt::get(Type::getInt64Ty(blocks.header->getContext()), 0)),
        body_(&*blocks.header->getFirstInsertionPt()) {}

  bool replace() {
    for (PHINode& phi : blocks_.header->phis())
      if (const auto found = induction_of(phi)) classify(*found);
    if (pointers_.empty()) return false;
    SmallVector<GetElementPtrInst*, 4> rows;
    for (const Induction& pointer : pointers_)
      rows.push_back(contiguous_start(pointer));
    for (auto [pointer, row] : zip(pointers_, rows))
      replace_by(pointer, row ? contiguous_address(*row) : strided_address(pointer));
    for (const Induction& number : integers_)
      replace_by(number, sum_of_steps(number));
    if (decrementing_) replace_test(*decrementing_);
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead_);
    return true;
  }

private:
  std::optional<Induction> induction_of(PHINode& phi) const {
    Value *next = blocks_.next(phi), *step = nullptr;
    const bool is_pointer =
        phi.getType()->isPointerTy() && match(next, m_GEP(m_Specific(&phi), m_Value(step)));
    if (!is_pointer && !match(next, m_c_Add(m_Specific(&phi), m_Value(step)))) return std::nullopt;
    const Type& type = *step->getType();
    if (!type.isIntegerTy() || type.getIntegerBitWidth() > 64 || !loop_.isLoopInvariant(step) ||
        (is_pointer && !type.isIntegerTy(64)))
      return std::nullopt;
    return Induction{&phi, cast<Instruction>(next), blocks_.start(phi), step};
  }

  /// Decides how an induction variable is replaced, if at all. It stays if its step is divergent: the multiplication of
  /// the iteration's number by the step would cost more than the addition that it replaces.
  void classify(const Induction& induction) {
    const auto* constant_step = dyn_cast<ConstantInt>(induction.step);
    if (induction.phi->getType()->isPointerTy()) {
      if (induction.unit() != 0 && (constant_step ? !constant_step->isZero() : same_for_all(*induction.step)))
        pointers_.push_back(induction);
      return;
    }
    if (!decrementing_) {
      decrementing_ = as_decrementing(induction);
      if (decrementing_) return;
    }
    const auto& next = cast<OverflowingBinaryOperator>(*induction.next);
    const unsigned start = forms_.of(*induction.start, *blocks_.header).dependence();
    if (!next.hasNoSignedWrap() && !next.hasNoUnsignedWrap() && (start & on_any_id) &&
        !(start & (on_item | on_memory)) && same_for_all(*induction.step))
      integers_.push_back(induction);
  }

  std::optional<DecrementingInduction> as_decrementing(const Induction& induction) {
    if (!match(induction.step, m_AllOnes()) || !induction.phi->hasOneUse() || !induction.next->hasNUses(2))
      return std::nullopt;
    ICmpInst* test = nullptr;
    for (User* user : induction.next->users())
      if (isa<ICmpInst>(user)) test = cast<ICmpInst>(user);
    if (!test || !test->isEquality() || !loop_.contains(test)) return std::nullopt;
    Value* end = test->getOperand(test->getOperand(0) == induction.next);
    if (!loop_.isLoopInvariant(end)) return std::nullopt;
    const auto* branch = dyn_cast<BranchInst>(blocks_.latch->getTerminator());
    const bool ends_loop =
        branch && branch->isConditional() && branch->getCondition() == test &&
        !loop_.contains(branch->getSuccessor(test->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1));
    return DecrementingInduction{induction, test, end, match(end, m_Zero()) && ends_loop,
                                 same_for_all(*induction.start)};
  }

  /// The GEP that computes the pointer's start, if its index is divergent or comes from memory, and the
  /// pointer advances by one element of the GEP in each iteration. The induction variable can then start at the GEP's
  /// index: `&a[start[id]]` becomes `&a[i]` with i from start[id]. Null otherwise.
  GetElementPtrInst* contiguous_start(const Induction& pointer) {
    auto* start = dyn_cast<GetElementPtrInst>(pointer.start);
    const auto* step = dyn_cast<ConstantInt>(pointer.step);
    if (!start || !step || start->getNumIndices() != 1 || !start->getOperand(1)->getType()->isIntegerTy(64))
      return nullptr;
    const std::uint64_t unit = layout_.getTypeAllocSize(start->getSourceElementType()).getFixedValue();
    const bool is_contiguous = static_cast<std::uint64_t>(step->getSExtValue()) * pointer.unit() == unit;
    return is_contiguous && forms_.of(start->getOperandUse(1)).dependence() & (on_item | on_memory) ? start
                                                                                                    : nullptr;
  }

  /// Whether a branch before the loop implies that the values differ.
  bool differ(Value* left, Value* right) const {
    bool is_implied = false;
    for_conditions_at(*blocks_.header, dominators_, [&](const Value& condition, bool holds) {
      is_implied |= isImpliedCondition(&condition, CmpInst::ICMP_NE, left, right, layout_, holds) == true;
    });
    return is_implied;
  }

  /// The end of the index range that starts at the 32-bit `start`, if no index in between can wrap. This holds if the
  /// decrementing variable that ends the loop starts at `end - start`, the subtraction has nuw, and a branch before the
  /// loop excludes 0. Null otherwise.
  Value* contiguous_end(Value* start) const {
    if (!decrementing_ || !decrementing_->ends_at_zero) return nullptr;
    Value *iterations = decrementing_->start, *end = nullptr;
    if (auto* wide = dyn_cast<ZExtInst>(iterations)) iterations = wide->getOperand(0);
    return match(iterations, m_NUWSub(m_Value(end), m_Specific(start))) && differ(end, start) ? end : nullptr;
  }

  /// An existing 64-bit induction variable that counts iterations from 0, and whose next value the test of the
  /// decrementing variable can use; its phi is null if the loop has none.
  IncrementingInduction known_incrementing() const {
    for (PHINode& phi : blocks_.header->phis()) {
      auto* next = dyn_cast<BinaryOperator>(blocks_.next(phi));
      if (phi.getType()->isIntegerTy(64) && match(blocks_.start(phi), m_Zero()) && next &&
          match(next, m_Add(m_Specific(&phi), m_One())) &&
          (!decrementing_ || dominators_.dominates(next, decrementing_->test)))
        return {&phi, next};
    }
    return {};
  }

  IncrementingInduction make_incrementing(Value* start) {
    PHINode* phi = blocks_.make_phi(start->getType(), start);
    IRBuilder<> build(decrementing_ ? decrementing_->next : blocks_.latch->getTerminator());
    auto* next = cast<BinaryOperator>(
        build.Insert(BinaryOperator::CreateAdd(phi, ConstantInt::get(phi->getType(), 1))));
    phi->addIncoming(next, blocks_.latch);
    return {phi, next};
  }

  /// The incrementing variable with this 64-bit start. It counts the iterations if the start is 0.
  IncrementingInduction& incrementing_from(Value* start) {
    for (auto& [known, counter] : incrementing_)
      if (known == start) return counter;
    Value *narrow = nullptr, *end = nullptr;
    if (match(start, m_ZExt(m_Value(narrow))) && narrow->getType()->isIntegerTy(32))
      end = contiguous_end(narrow);
    IncrementingInduction counter = start == zero_ ? known_incrementing() : IncrementingInduction{};
    if (!counter.phi) counter = make_incrementing(end ? narrow : start);
    counter.end = end;
    if (end) counter.next->setHasNoUnsignedWrap(); // the variable does not exceed `end`
    return incrementing_.emplace_back(start, counter).second;
  }

  Value* contiguous_address(GetElementPtrInst& start) {
    IncrementingInduction& counter = incrementing_from(start.getOperand(1));
    IRBuilder<> build = at_header();
    if (!counter.index) counter.index = build.CreateZExt(counter.phi, build.getInt64Ty());
    return build.CreateGEP(start.getSourceElementType(), start.getPointerOperand(), counter.index);
  }

  Value* strided_address(const Induction& pointer) {
    Value* index = incrementing_from(zero_).phi;
    IRBuilder<> build = at_header();
    std::uint64_t unit = pointer.unit(), shift = 0;
    const auto* step = dyn_cast<ConstantInt>(pointer.step);
    Value* factor = nullptr;
    if (step && unit <= most_bytes && step->getValue().abs().ule(most_bytes)) {
      if (step->isNegative()) index = build.CreateNeg(index);
      unit *= step->getValue().abs().getZExtValue();
    } else if (match(pointer.step, m_Shl(m_Value(factor), m_ConstantInt(shift))) && shift <= 3 && unit == 1) {
      index = build.CreateMul(index, factor);
      unit <<= shift;
    } else {
      index = build.CreateMul(index, pointer.step);
    }
    return build.CreateGEP(type_of_size(build, unit), pointer.start, index);
  }

  Value* sum_of_steps(const Induction& number) {
    Value* iterations = incrementing_from(zero_).phi;
    IRBuilder<> build = at_header();
    Value* grown = build.CreateMul(build.CreateTrunc(iterations, number.step->getType()), number.step);
    return build.CreateAdd(number.start, grown);
  }

  void replace_by(const Induction& induction, Value* value) {
    value->takeName(induction.phi);
    induction.phi->replaceAllUsesWith(value);
    induction.phi->eraseFromParent();
    dead_.emplace_back(induction.next);
  }

  /// Rewrites the test of the decrementing variable as a test of the incrementing one. The former is its start minus
  /// the number of iterations, so it equals `end` when the number of iterations is start - end.
  void replace_test(const DecrementingInduction& decrementing) {
    const auto& [start, counter] = incrementing_.front();
    Value *iterations = decrementing.start, *narrow = nullptr;
    IRBuilder<> build(blocks_.before->getTerminator()), test(decrementing.test);
    Value *now = counter.next, *end = counter.end;
    if (!end && start == zero_ && decrementing.ends_at_zero && !decrementing.is_uniform &&
        match(iterations, m_ZExt(m_Value(narrow))) &&
        differ(narrow, Constant::getNullValue(narrow->getType()))) {
      now = test.CreateTrunc(now, narrow->getType());
      end = narrow;
    } else if (!end) {
      now = test.CreateTrunc(now, iterations->getType());
      end = match(decrementing.end, m_Zero()) ? iterations : build.CreateSub(iterations, decrementing.end);
      if (start != zero_) end = build.CreateAdd(build.CreateTrunc(start, iterations->getType()), end);
    }
    decrementing.test->replaceAllUsesWith(test.CreateICmp(decrementing.test->getPredicate(), now, end));
    decrementing.test->eraseFromParent();
    RecursivelyDeleteDeadPHINode(decrementing.phi);
  }

  bool same_for_all(const Value& value) { return is_group_uniform(value, *blocks_.header, forms_); }
  IRBuilder<> at_header() const { return IRBuilder<>(body_); }

  const Loop& loop_;
  const SingleLatchLoop& blocks_;
  const DataLayout& layout_;
  const DominatorTree& dominators_;
  LinearForms forms_;
  Value* const zero_;
  Instruction* body_; ///< the header's first instruction after the phis; nothing is deleted before the end
  SmallVector<WeakTrackingVH, 8> dead_;
  SmallVector<Induction, 4> pointers_;
  /// Integers whose step is uniform and whose start is divergent. Their additions have neither nsw nor nuw, so
  /// replacing them by a product loses no information.
  SmallVector<Induction, 4> integers_;
  std::optional<DecrementingInduction> decrementing_;
  SmallVector<std::pair<Value*, IncrementingInduction>, 2> incrementing_; ///< by start
};

} // namespace

bool narrow_inductions(Loop& loop) {
  const std::optional<SingleLatchLoop> blocks = SingleLatchLoop::of(loop);
  if (!blocks) return false;
  SmallVector<WeakTrackingVH, 4> wide; // narrowing one variable may delete others
  for (PHINode& phi : blocks->header->phis())
    if (phi.getType()->isIntegerTy(64) && !isa<Constant>(blocks->next(phi)) &&
        all_of(phi.users(), [](const User* user) { return uses_low_bits(*user); }))
      wide.emplace_back(&phi);
  for (const WeakTrackingVH& phi : wide)
    if (phi) Narrowed(loop, *blocks, *cast<PHINode>(phi)).replace();
  return !wide.empty();
}

bool index_pointer_inductions(Loop& loop, const LoopInfo& loops, const DominatorTree& dominators) {
  const std::optional<SingleLatchLoop> blocks = SingleLatchLoop::of(loop);
  return blocks && InductionRewriter(loop, loops, dominators, *blocks).replace();
}

} // namespace hostcl::compiler
