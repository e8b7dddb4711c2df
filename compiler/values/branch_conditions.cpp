#include "compiler/values/branch_conditions.hpp"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;

void for_conditions_at(const BasicBlock& block, const DominatorTree& dominators,
                       function_ref<void(const Value&, bool)> visit) {
  using namespace PatternMatch;
  for (const auto* node = dominators.getNode(&block); node; node = node->getIDom()) {
    const auto* branch = dyn_cast<BranchInst>(node->getBlock()->getTerminator());
    if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (const bool holds : {true, false}) {
      if (!dominators.dominates(BasicBlockEdge(branch->getParent(), branch->getSuccessor(!holds)), &block))
        continue;
      SmallVector<const Value*, 4> open{branch->getCondition()};
      while (!open.empty()) {
        const Value *condition = open.pop_back_val(), *left = nullptr, *right = nullptr;
        if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
                  : match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
          open.append({right, left});
        else
          visit(*condition, holds);
      }
    }
  }
}

SmallVector<Order, 4> orders_at(const BasicBlock& block, const DominatorTree& dominators,
                                ScalarEvolution& evolution) {
  SmallVector<Order, 4> orders;
  for_conditions_at(block, dominators, [&](const Value& condition, bool holds) {
    const auto* comparison = dyn_cast<ICmpInst>(&condition);
    if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy()) return;
    auto predicate = holds ? comparison->getPredicate() : comparison->getInversePredicate();
    if (!ICmpInst::isRelational(predicate)) return;
    const SCEV *less = evolution.getSCEV(comparison->getOperand(0)),
               *greater = evolution.getSCEV(comparison->getOperand(1));
    if (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate)) {
      std::swap(less, greater);
      predicate = ICmpInst::getSwappedPredicate(predicate);
    }
    orders.push_back({less, greater, ICmpInst::isSigned(predicate), ICmpInst::isLE(predicate)});
  });
  return orders;
}

} // namespace hostcl::compiler
