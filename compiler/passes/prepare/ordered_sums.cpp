#include "compiler/passes/prepare/ordered_sums.hpp"

#include "compiler/heuristics.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::ptrdiff_t fewest_loads = 4; ///< that are worth it

BinaryOperator* as_sum(Value* value) {
  auto* sum = dyn_cast<BinaryOperator>(value);
  return sum && sum->getOpcode() == Instruction::Add ? sum : nullptr;
}

/// Whether the value is made of a load of the same block, and constants.
bool is_of_load(const Value* value, const BasicBlock& block) {
  constexpr unsigned most_steps = 4;
  for (unsigned i = 0; i < most_steps; ++i) {
    const auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || instruction->getParent() != &block) return false;
    if (isa<LoadInst>(instruction)) return true;
    if (!isa<CastInst>(instruction) &&
        !(instruction->isBinaryOp() && isa<Constant>(instruction->getOperand(1))))
      return false;
    value = instruction->getOperand(0);
  }
  return false;
}

/// A link of the chain that ends at `last`, or null.
BinaryOperator* link(Value* value, const BinaryOperator& last) {
  BinaryOperator* sum = as_sum(value);
  return sum && sum->getParent() == last.getParent() && sum->hasOneUse() ? sum : nullptr;
}

bool is_end(BinaryOperator& sum) {
  return !sum.hasOneUse() || !as_sum(sum.user_back()) || sum.user_back()->getParent() != sum.getParent();
}

struct Chain {
  SmallVector<BinaryOperator*, 16> links; ///< the last one first
  SmallVector<Value*, 16> operands;       ///< likewise
};

/// The chain that ends at `last`; empty if two of its links meet.
Chain chain_of(BinaryOperator& last) {
  Chain chain;
  for (BinaryOperator* sum = &last; sum;) {
    BinaryOperator *left = link(sum->getOperand(0), last), *right = link(sum->getOperand(1), last);
    if (left && right) return {};
    chain.links.push_back(sum);
    if (!left) chain.operands.push_back(sum->getOperand(0));
    if (!right) chain.operands.push_back(sum->getOperand(1));
    sum = left ? left : right;
  }
  return chain;
}

/// Makes the sums again, with each operand where it is known. The operands are those that other blocks or
/// phis make, and then those of this block in its order.
void write(const Chain& chain, ArrayRef<Value*> operands) {
  BasicBlock& block = *chain.links.front()->getParent();
  const bool unsigned_fits = all_of(chain.links, [](const auto* sum) { return sum->hasNoUnsignedWrap(); });
  Value* sum = operands.front();
  for (Value* operand : operands.drop_front()) {
    auto* known = dyn_cast<Instruction>(operand);
    if (!known || known->getParent() != &block || isa<PHINode>(known)) {
      known = dyn_cast<Instruction>(sum);
      if (!known || known->getParent() != &block || isa<PHINode>(known)) known = nullptr;
    }
    IRBuilder<> build(&block, known ? std::next(known->getIterator()) : block.getFirstInsertionPt());
    sum = build.Insert(BinaryOperator::CreateAdd(sum, operand));
    cast<BinaryOperator>(sum)->setHasNoUnsignedWrap(unsigned_fits);
  }
  chain.links.front()->replaceAllUsesWith(sum);
  for (BinaryOperator* each : chain.links)
    each->eraseFromParent();
}

bool reorder(BinaryOperator& last) {
  const Chain chain = chain_of(last);
  const BasicBlock* block = last.getParent();
  if (count_if(chain.operands, [&](const Value* each) { return is_of_load(each, *block); }) < fewest_loads)
    return false;
  auto is_here = [&](const Value* value) {
    const auto* instruction = dyn_cast<Instruction>(value);
    return instruction && instruction->getParent() == block && !isa<PHINode>(instruction);
  };
  auto is_earlier = [&](const Value* a, const Value* b) {
    if (!is_here(a) || !is_here(b)) return !is_here(a) && is_here(b);
    return a != b && cast<Instruction>(a)->comesBefore(cast<Instruction>(b));
  };
  SmallVector<Value*, 16> operands(chain.operands.rbegin(), chain.operands.rend());
  if (is_sorted(operands, is_earlier)) return false;
  sort(operands, is_earlier);
  write(chain, operands);
  return true;
}

} // namespace

PreservedAnalyses OrderedSumsPass::run(Function& function, FunctionAnalysisManager&) {
  if (!is_on(Heuristic::ordered_sums)) return PreservedAnalyses::all();
  bool changed = false;
  for (BasicBlock& block : function) {
    SmallVector<BinaryOperator*, 8> ends;
    for (Instruction& instruction : block)
      if (BinaryOperator* sum = as_sum(&instruction); sum && is_end(*sum)) ends.push_back(sum);
    for (BinaryOperator* end : ends)
      changed |= reorder(*end);
  }
  return all_but_values(changed);
}

} // namespace hostcl::compiler
