// Part of induction_variables.hpp: narrows 64-bit induction variables of which only the low 32 bits are used.

#include "compiler/passes/1_kernel/induction_variables.hpp"

#include "compiler/values/loop_nest.hpp"

#include "llvm/Analysis/LoopInfo.h"
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
  Value* low(Value* value, unsigned depth);
  Value* compute(Instruction& operation, unsigned depth);
  void replace_uses(Value& wide, Value* narrow);
  void replace_use(Instruction& user, Value* narrow);

  const Loop& loop_;
  const SingleLatchLoop& blocks_;
  PHINode& wide_;
  DenseMap<Value*, Value*> known_;
};

/// The low 32 bits of the value, as an i32.
Value* Narrowed::low(Value* value, unsigned depth) {
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

Value* Narrowed::compute(Instruction& operation, unsigned depth) {
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

void Narrowed::replace_uses(Value& wide, Value* narrow) {
  for (User* user : make_early_inc_range(wide.users()))
    if (user != narrow && uses_low_bits(*user)) replace_use(*cast<Instruction>(user), narrow);
}

void Narrowed::replace_use(Instruction& user, Value* narrow) {
  IRBuilder<> build(&user);
  if (isa<TruncInst>(user)) {
    user.replaceAllUsesWith(build.CreateTrunc(narrow, user.getType()));
  } else {
    const APInt mask = cast<ConstantInt>(user.getOperand(1))->getValue().trunc(narrow_bits);
    // The mask consists of the highest bits, so `(x & mask) == 0` means that x is less than the mask's lowest bit.
    for (User* test : make_early_inc_range(user.users()))
      if (auto* compare = dyn_cast<ICmpInst>(test); compare && compare->isEquality() &&
                                                    match(compare->getOperand(1), m_Zero()) &&
                                                    mask.isNegatedPowerOf2()) {
        IRBuilder<> at(compare);
        const auto predicate =
            compare->getPredicate() == CmpInst::ICMP_EQ ? CmpInst::ICMP_ULT : CmpInst::ICMP_UGE;
        compare->replaceAllUsesWith(at.CreateICmp(predicate, narrow, at.getInt(-mask)));
        compare->eraseFromParent();
      }
    Value* bits = mask.isAllOnes() || user.use_empty() ? narrow : build.CreateAnd(narrow, build.getInt(mask));
    if (!user.use_empty()) user.replaceAllUsesWith(build.CreateZExt(bits, user.getType()));
  }
  user.eraseFromParent();
}

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

} // namespace hostcl::compiler
