#include "compiler/passes/2_vector/memory/indices.hpp"

#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/settings/heuristics.hpp"
#include "compiler/values/ranges.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Widens values by one kind of extension (sign or zero). The wide form of each value is made once.
class Extender {
public:
  Extender(Function& function, const Shapes& shapes, const Ranges& ranges, bool is_signed)
      : function_(function),
        shapes_(shapes),
        ranges_(ranges),
        is_signed_(is_signed),
        wide_(Type::getInt64Ty(function.getContext())) {}

  /// Whether the value can be widened so that the wide value is affine.
  bool accepts(Value* value) {
    bool accepted = can_extend(value, 0);
    if (!accepted) accepted_.clear(); // phis were accepted under an assumption that has turned out false
    return accepted;
  }
  Value* extend(Value* value);

private:
  bool can_extend(Value* value, unsigned depth);
  bool is_exact(const Instruction& operation) const;
  bool is_leaf(const Value* value) const;
  Value* extend_leaf(Value* value);
  Value* extend_phi(PHINode& phi);

  Function& function_;
  const Shapes& shapes_;
  const Ranges& ranges_;
  const bool is_signed_;
  Type* const wide_;
  SmallPtrSet<Value*, 16> accepted_;
  DenseMap<Value*, Value*> done_;
};

/// Whether extending the operation's result gives the same value as the operation on extended operands.
bool Extender::is_exact(const Instruction& operation) const {
  if (const auto* either = dyn_cast<PossiblyDisjointInst>(&operation)) return either->isDisjoint();
  if (!isa<OverflowingBinaryOperator>(operation)) return false;
  if (operation.getOpcode() == Instruction::Shl && !isa<ConstantInt>(operation.getOperand(1))) return false;
  return is_signed_ ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap();
}

/// Whether the extension of this very value is affine or uniform, so that the extension need not move further.
bool Extender::is_leaf(const Value* value) const {
  if (!shapes_.of(value).is_affine()) return true;
  const std::uint64_t limit = std::uint64_t{1}
                              << (value->getType()->getIntegerBitWidth() - (is_signed_ ? 1 : 0));
  const auto* trunc = dyn_cast<TruncInst>(value);
  return trunc && trunc->getSrcTy() == wide_ && ranges_.upper_bound(*trunc->getOperand(0)) < limit;
}

bool Extender::can_extend(Value* value, unsigned depth) {
  if (shapes_.of(value).is_varying() || depth > 16) return false;
  if (is_leaf(value) || !accepted_.insert(value).second) return true;
  const auto* instruction = cast<Instruction>(value);
  if (!isa<PHINode>(instruction) && !is_exact(*instruction)) return false;
  return llvm::all_of(instruction->operands(),
                      [&](Value* operand) { return can_extend(operand, depth + 1); });
}

Value* Extender::extend_leaf(Value* value) {
  if (isa<UndefValue>(value)) return PoisonValue::get(wide_);
  if (auto* trunc = dyn_cast<TruncInst>(value); trunc && shapes_.of(value).is_affine())
    return trunc->getOperand(0);
  BasicBlock::iterator place = function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  if (auto* instruction = dyn_cast<Instruction>(value))
    place = instruction->getInsertionPointAfterDef().value_or(std::next(instruction->getIterator()));
  return IRBuilder<>(place->getParent(), place)
      .CreateIntCast(value, wide_, is_signed_, value->getName() + ".wide");
}

Value* Extender::extend_phi(PHINode& phi) {
  auto* wide = PHINode::Create(wide_, phi.getNumIncomingValues(), phi.getName() + ".wide", phi.getIterator());
  done_[&phi] = wide;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    wide->addIncoming(extend(phi.getIncomingValue(i)), phi.getIncomingBlock(i));
  return wide;
}

Value* Extender::extend(Value* value) {
  if (auto found = done_.find(value); found != done_.end()) return found->second;
  if (is_leaf(value)) return done_[value] = extend_leaf(value);
  if (auto* phi = dyn_cast<PHINode>(value)) return extend_phi(*phi);
  auto* operation = cast<BinaryOperator>(value);
  Value* left = extend(operation->getOperand(0));
  Value* right = extend(operation->getOperand(1));
  auto opcode = operation->getOpcode() == Instruction::Or ? Instruction::Add : operation->getOpcode();
  auto* wide = BinaryOperator::Create(opcode, left, right, operation->getName() + ".wide",
                                      std::next(operation->getIterator()));
  return done_[value] = wide;
}

} // namespace

void extend_address_indices(Function& function) {
  Type* wide = Type::getInt64Ty(function.getContext());
  for (Instruction& instruction : instructions(function)) {
    auto* address = dyn_cast<GetElementPtrInst>(&instruction);
    if (!address) continue;
    for (Use& index : address->indices()) {
      Type* type = index->getType();
      if (!type->isIntegerTy() || type->getIntegerBitWidth() >= 64 || isa<Constant>(index)) continue;
      index = CastInst::Create(Instruction::SExt, index, wide, "", address->getIterator());
    }
  }
}

bool widen_indices(Function& function, const Shapes& shapes, const Ranges& ranges) {
  Extender as_signed(function, shapes, ranges, true), as_unsigned(function, shapes, ranges, false);
  SmallVector<CastInst*, 16> extensions;
  for (Instruction& instruction : instructions(function))
    if (isa<SExtInst, ZExtInst>(instruction) && instruction.getType()->isIntegerTy(64) &&
        shapes.of(&instruction).confidence() != Confidence::known &&
        shapes.of(instruction.getOperand(0)).is_affine())
      extensions.push_back(cast<CastInst>(&instruction));
  bool changed = false;
  for (CastInst* extension : extensions) {
    bool sign = isa<SExtInst>(extension) || extension->hasNonNeg();
    Extender& extender = sign ? as_signed : as_unsigned;
    if (!extender.accepts(extension->getOperand(0))) continue;
    extension->replaceAllUsesWith(extender.extend(extension->getOperand(0)));
    extension->eraseFromParent();
    changed = true;
  }
  return note_change(Heuristic::widened_indices, changed);
}

} // namespace hostcl::compiler
