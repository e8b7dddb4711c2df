#include "compiler/passes/2_vector/memory/indices.hpp"

#include "compiler/passes/2_vector/shapes/shapes.hpp"
#include "compiler/settings/heuristics.hpp"
#include "compiler/values/ranges.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Widens values by one kind of extension (sign or zero). The wide form of each value is made once.
class Extender {
public:
  Extender(const Shapes& shapes, const Ranges& ranges, bool is_signed, Type* wide)
      : shapes_(shapes), ranges_(ranges), is_signed_(is_signed), wide_(wide) {}

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

  const Shapes& shapes_;
  const Ranges& ranges_;
  const bool is_signed_;
  Type* const wide_;
  SmallPtrSet<Value*, 16> accepted_;
  DenseMap<Value*, Value*> done_;
};

bool Extender::is_exact(const Instruction& operation) const {
  switch (operation.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    return is_signed_ ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap();
  case Instruction::Shl:
    return isa<ConstantInt>(operation.getOperand(1)) &&
           (is_signed_ ? operation.hasNoSignedWrap() : operation.hasNoUnsignedWrap());
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(operation).isDisjoint();
  default:
    return false;
  }
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
  if (auto* trunc = dyn_cast<TruncInst>(value); trunc && shapes_.of(value).is_affine())
    return trunc->getOperand(0);
  BasicBlock::iterator place;
  if (auto* instruction = dyn_cast<Instruction>(value)) {
    place = instruction->getInsertionPointAfterDef().value_or(std::next(instruction->getIterator()));
  } else if (auto* argument = dyn_cast<Argument>(value)) {
    place = argument->getParent()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  } else {
    auto* constant = cast<Constant>(value);
    const auto* number = dyn_cast<ConstantInt>(constant);
    if (!number) return PoisonValue::get(wide_);
    unsigned bits = wide_->getIntegerBitWidth();
    return ConstantInt::get(wide_,
                            is_signed_ ? number->getValue().sext(bits) : number->getValue().zext(bits));
  }
  return CastInst::Create(is_signed_ ? Instruction::SExt : Instruction::ZExt, value, wide_,
                          value->getName() + ".wide", place);
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
  for (BasicBlock& block : function) {
    for (Instruction& instruction : block) {
      auto* address = dyn_cast<GetElementPtrInst>(&instruction);
      if (!address) continue;
      for (Use& index : address->indices()) {
        Type* type = index->getType();
        if (!type->isIntegerTy() || type->getIntegerBitWidth() >= 64 || isa<Constant>(index)) continue;
        index = CastInst::Create(Instruction::SExt, index, wide, "", address->getIterator());
      }
    }
  }
}

bool widen_indices(Function& function, const Shapes& shapes, const Ranges& ranges) {
  Type* wide = Type::getInt64Ty(function.getContext());
  Extender as_signed(shapes, ranges, true, wide), as_unsigned(shapes, ranges, false, wide);
  SmallVector<CastInst*, 16> extensions;
  for (BasicBlock& block : function)
    for (Instruction& instruction : block)
      if (isa<SExtInst, ZExtInst>(instruction) && instruction.getType() == wide &&
          (shapes.of(&instruction).is_varying() || shapes.of(&instruction).checked) &&
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
