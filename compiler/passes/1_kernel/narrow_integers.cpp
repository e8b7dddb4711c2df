// Narrows 32-bit arithmetic on bytes and 16-bit integers, which C's integer promotion has widened, to 16 bits. A vector
// register then holds twice as many elements. The pass applies if all intermediate values fit into 16 bits, and all
// uses are truncations to 16 bits or fewer, or comparisons:
//
//   %x = zext i8 %a to i32                   %x = zext i8 %a to i16
//   %y = zext i8 %b to i32                   %y = zext i8 %b to i16
//   %d = sub i32 %x, %y                  =>  %d = sub i16 %x, %y
//   %m = call i32 @llvm.abs.i32(%d, ...)     %m = call i16 @llvm.abs.i16(%d, ...)
//   %r = trunc i32 %m to i8                  %r = trunc i16 %m to i8
//
// The range of a value follows from the ranges of its operands, never from flags; a phi has the full range, so
// arithmetic that depends on an induction variable stays wide. The pass runs twice over the kernel: first it takes all
// values as signed, then the values that are still wide as unsigned (a weighted sum of bytes whose weights add up to
// 256 needs 16 unsigned bits).
//
// In: a kernel after `canonical-indices`; later runs of instcombine keep narrow types.
// Gains on an Emerald Rapids Xeon: a sharpened image 2.0, Sobel's edges 1.7, corners 1.6, all on bytes. The other
// twelve users read images and neither gain nor lose: the median is 1.01. LLVM's TruncInstCombine does the same for
// expressions that end in one truncation.
// Test: tests/passes/1_kernel/narrow_integers.ll

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned wide_bits = 32, narrow_bits = 16;

bool is_wide(const Value& value) {
  return value.getType()->isIntegerTy(wide_bits);
}

bool is_narrow_type(const Type& type) {
  return type.isIntegerTy() && type.getIntegerBitWidth() <= narrow_bits;
}

/// Whether the value is the extension of an integer of at most 16 bits.
bool is_extended(const Value& value) {
  return isa<ZExtInst, SExtInst>(value) && is_narrow_type(*cast<CastInst>(value).getSrcTy());
}

/// Chooses the instructions that are computed with 16 bits, and rewrites them. Values are all taken as signed or all as
/// unsigned.
class Narrowing {
public:
  explicit Narrowing(bool is_signed) : is_signed_(is_signed) {}

  /// Chooses the greatest set of instructions whose values fit into 16 bits, whose operands are narrow as well, and
  /// whose users need no more than 16 bits, and replaces them. @returns whether there are any
  bool run(Function& function) {
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function))
      for (Instruction& instruction : make_filter_range(*block, is_wide)) {
        ranges_.try_emplace(&instruction, compute_range(instruction));
        if (fits(instruction) && has_narrow_form(instruction)) chosen_.insert(&instruction);
      }
    const auto is_bound = [&](Instruction* instruction) {
      return any_of(instruction->operands(),
                    [&](const Use& use) { return is_wide(*use) && !is_available(*use); }) ||
             any_of(instruction->users(), [&](const User* user) { return !takes_narrow(*user); });
    };
    while (chosen_.remove_if(is_bound))
      continue;
    replace();
    return !chosen_.empty();
  }

private:
  void replace() {
    for (Instruction* instruction : chosen_)
      narrow_[instruction] = make(*instruction);
    SmallSetVector<Instruction*, 8> users;
    for (Instruction* instruction : chosen_)
      for (User* user : instruction->users())
        if (!chosen_.contains(cast<Instruction>(user))) users.insert(cast<Instruction>(user));
    for (Instruction* user : users) {
      user->replaceAllUsesWith(make_user(*user));
      user->eraseFromParent();
    }
    for (Instruction* instruction : reverse(chosen_))
      instruction->eraseFromParent();
  }

  /// The range of a 32-bit value. Ranges of instructions are computed in the order of execution, and begin with
  /// extensions of narrow integers, which have the range of the narrow type.
  ConstantRange range_of(const Value& value) const {
    if (const auto* constant = dyn_cast<ConstantInt>(&value)) return ConstantRange(constant->getValue());
    const auto known = ranges_.find(&value);
    return known != ranges_.end() ? known->second
                                  : ConstantRange::getFull(value.getType()->getIntegerBitWidth());
  }

  ConstantRange compute_range(const Instruction& instruction) const {
    if (is_extended(instruction)) {
      const auto& extension = cast<CastInst>(instruction);
      return ConstantRange::getFull(extension.getSrcTy()->getIntegerBitWidth())
          .castOp(extension.getOpcode(), wide_bits);
    }
    const APInt* amount = nullptr; // ConstantRange::shl() of a negative number gives the full range
    if (Value* shifted = nullptr;
        match(&instruction, m_Shl(m_Value(shifted), m_APInt(amount))) && amount->ult(wide_bits))
      return range_of(*shifted).multiply(
          ConstantRange(APInt::getOneBitSet(wide_bits, unsigned(amount->getZExtValue()))));
    SmallVector<ConstantRange, 3> operands;
    for (const Value* operand : instruction.operand_values())
      if (operand->getType()->isIntegerTy()) operands.push_back(range_of(*operand));
    if (const auto* operation = dyn_cast<BinaryOperator>(&instruction))
      return operands[0].binaryOp(operation->getOpcode(), operands[1]);
    if (isa<SelectInst>(instruction)) return operands[1].unionWith(operands[2]);
    const auto* call = dyn_cast<IntrinsicInst>(&instruction);
    return call && ConstantRange::isIntrinsicSupported(call->getIntrinsicID())
               ? ConstantRange::intrinsic(call->getIntrinsicID(), operands)
               : ConstantRange::getFull(wide_bits);
  }

  bool fits(const Value& value) const {
    const ConstantRange range = range_of(value);
    return !range.isEmptySet() &&
           (is_signed_ ? range.getMinSignedBits() : range.getActiveBits()) <= narrow_bits;
  }

  bool is_available(const Value& value) const {
    if (isa<ConstantInt>(value) || is_extended(value)) return fits(value);
    const auto* instruction = dyn_cast<Instruction>(&value);
    return instruction && chosen_.contains(const_cast<Instruction*>(instruction));
  }

  bool takes_narrow(const User& user) const {
    if (isa<TruncInst>(user)) return is_narrow_type(*user.getType());
    if (isa<ICmpInst>(user)) return is_available(*user.getOperand(0)) && is_available(*user.getOperand(1));
    return is_available(user);
  }

  /// Whether the operation on 16 bits gives the same result as on 32 bits, if operands and result fit into 16 bits.
  bool has_narrow_form(const Instruction& instruction) const {
    const bool is_unsigned =
        is_contained({Instruction::LShr, Instruction::UDiv, Instruction::URem}, instruction.getOpcode());
    if (is_unsigned && range_of(*instruction.getOperand(0)).getSignedMin().isNegative()) return false;
    if (!instruction.isShift() && !instruction.isIntDivRem())
      return isa<BinaryOperator, SelectInst, MinMaxIntrinsic>(instruction) ||
             match(&instruction, m_Intrinsic<Intrinsic::abs>());
    const auto* constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
    if (!constant) return false;
    // A division by a positive constant becomes a multiplication.
    return instruction.isShift() ? constant->getValue().ult(narrow_bits)
                                 : constant->getValue().isStrictlyPositive();
  }

  Value* operand(Value& value) {
    Type* type = IntegerType::get(value.getContext(), narrow_bits);
    if (const auto* constant = dyn_cast<ConstantInt>(&value))
      return ConstantInt::get(type, constant->getValue().trunc(narrow_bits));
    if (Value* known = narrow_.lookup(&value)) return known;
    auto& extension = cast<CastInst>(value);
    IRBuilder<> build(&extension);
    return narrow_[&value] = isa<SExtInst>(extension) ? build.CreateSExt(extension.getOperand(0), type)
                                                      : build.CreateZExt(extension.getOperand(0), type);
  }

  Value* make(Instruction& instruction) {
    IRBuilder<> build(&instruction);
    SmallVector<Value*, 3> operands;
    for (Use& use : instruction.operands())
      operands.push_back(is_wide(*use) ? operand(*use) : use.get());
    if (isa<SelectInst>(instruction)) return build.CreateSelect(operands[0], operands[1], operands[2]);
    if (auto* operation = dyn_cast<BinaryOperator>(&instruction))
      return build.CreateBinOp(opcode_of(operation->getOpcode()), operands[0], operands[1]);
    const Intrinsic::ID id = cast<IntrinsicInst>(instruction).getIntrinsicID();
    if (id != Intrinsic::abs) return build.CreateBinaryIntrinsic(order_of(id), operands[0], operands[1]);
    return is_signed_ ? build.CreateBinaryIntrinsic(id, operands[0], build.getFalse()) : operands[0];
  }

  /// The opcode on 16 bits. An unsigned value that fits into 16 bits is not negative in 32 bits, but may have the sign
  /// bit of 16 bits set; so signed operations become unsigned ones.
  Instruction::BinaryOps opcode_of(Instruction::BinaryOps opcode) const {
    if (is_signed_) return opcode;
    return opcode == Instruction::AShr   ? Instruction::LShr
           : opcode == Instruction::SDiv ? Instruction::UDiv
           : opcode == Instruction::SRem ? Instruction::URem
                                         : opcode;
  }

  /// Likewise for minimum and maximum.
  Intrinsic::ID order_of(Intrinsic::ID id) const {
    if (is_signed_) return id;
    return id == Intrinsic::smin ? Intrinsic::umin : id == Intrinsic::smax ? Intrinsic::umax : id;
  }

  Value* make_user(Instruction& user) {
    IRBuilder<> build(&user);
    if (isa<TruncInst>(user)) return build.CreateTrunc(operand(*user.getOperand(0)), user.getType());
    auto& compare = cast<ICmpInst>(user);
    const auto predicate = is_signed_ ? compare.getPredicate() : compare.getUnsignedPredicate();
    return build.CreateICmp(predicate, operand(*compare.getOperand(0)), operand(*compare.getOperand(1)));
  }

  const bool is_signed_;
  DenseMap<const Value*, ConstantRange> ranges_;
  SetVector<Instruction*> chosen_;
  DenseMap<Value*, Value*> narrow_;
};

} // namespace

PreservedAnalyses narrow_integers_pass(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (const bool is_signed : {true, false})
    changed |= Narrowing(is_signed).run(function);
  return all_but_values(changed);
}

} // namespace hostcl::compiler
