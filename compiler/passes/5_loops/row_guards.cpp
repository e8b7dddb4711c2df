#include "compiler/passes/5_loops/row_guards.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Least width of the tested induction variable. A narrower variable could wrap more than once in a group, which the
/// comparison of the first and the last value would not notice.
constexpr unsigned bits_of_rows = 16;
static_assert(abi::max_group_items < 1U << bits_of_rows);

/// A condition in the loop over rows that likely has the same result for all rows: a loop-invariant condition of a
/// branch, or a guard. A guard compares an induction variable of the loop with a bound.
struct Guard {
  Value* test;
  bool passes;                            ///< the likely result of `test`
  const SCEVAddRecExpr* number = nullptr; ///< null if `test` is loop-invariant
  CmpInst::Predicate holds{}; ///< relation of `number` to `bound` for which `test` has the likely result
  Value* bound = nullptr;
};

/// Whether the relation is likely true for all rows. Rows are usually below bounds that are variables, such as the
/// height, and above bounds that are constants, such as 0.
bool is_likely(CmpInst::Predicate of_row, const Value& bound) {
  return (ICmpInst::isLT(of_row) || ICmpInst::isLE(of_row)) != isa<ConstantInt>(bound);
}

/// The guards and loop-invariant branches of one loop over rows.
class Guards {
public:
  Guards(const LoopNest& nest, const DominatorTree& dominators, ScalarEvolution& evolution)
      : rows_(nest.rows), inside_(*nest.body), evolution_(evolution) {
    if (isa<SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&rows_))) return;
    for (BasicBlock* block : rows_.blocks())
      for (Instruction& instruction : *block)
        if (auto* test = dyn_cast<ICmpInst>(&instruction); test && test->isRelational())
          if (auto guard = guard_of(*test)) found_.push_back(*guard);
    for (BasicBlock* block : rows_.blocks())
      if (auto guard = same_for_all(*block, dominators)) found_.push_back(*guard);
  }

  bool empty() const { return found_.empty(); }

  /// Removes the guards from the loop. To be called after the loop has been copied.
  void drop() {
    for (const Guard& guard : found_)
      guard.test->replaceUsesWithIf(
          ConstantInt::getBool(guard.test->getType(), guard.passes),
          [&](const Use& use) { return rows_.contains(cast<Instruction>(use.getUser())); });
  }

  /// Writes the test whether all rows pass (i1), at the end of the loop's preheader. Conditions may be poison where the
  /// loop does not reach them. Each one is frozen by itself, because `and` of false and poison is poison.
  Value* all_pass() {
    Instruction* end = rows_.getLoopPreheader()->getTerminator();
    SCEVExpander expander(evolution_, "row");
    IRBuilder<> build(end);
    Value* all = build.getTrue();
    const auto require = [&](Value* condition) { all = build.CreateAnd(all, build.CreateFreeze(condition)); };
    for (const Guard& guard : found_) {
      if (!guard.number) {
        require(guard.passes ? guard.test : build.CreateNot(guard.test));
        continue;
      }
      Value* first = expander.expandCodeFor(guard.number->getStart(), nullptr, end);
      Value* last = expander.expandCodeFor(last_of(*guard.number), nullptr, end);
      for (Value* row : {first, last})
        require(build.CreateICmp(guard.holds, row, guard.bound));
      const auto in_order = CmpInst::isSigned(guard.holds) ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_ULE;
      require(build.CreateICmp(in_order, first, last));
    }
    return all;
  }

private:
  std::optional<Guard> guard_of(ICmpInst& test) {
    const bool decides_more = any_of(test.users(), [&](const User* user) {
      return user == rows_.getLoopLatch()->getTerminator() || !rows_.contains(cast<Instruction>(user));
    });
    if (decides_more) return std::nullopt;
    const Instruction* end = rows_.getLoopPreheader()->getTerminator();
    SCEVExpander expander(evolution_, "row");
    const Comparison given{test.getPredicate(), test.getOperand(0), test.getOperand(1)};
    for (const auto& [of_row, row, bound] : {given, given.swapped()}) {
      if (!row->getType()->isIntegerTy() || row->getType()->getIntegerBitWidth() < bits_of_rows ||
          !rows_.isLoopInvariant(bound))
        continue;
      const auto* number = as_recurrence(evolution_.getSCEV(row), rows_);
      if (!number || !number->getStepRecurrence(evolution_)->isOne() ||
          !expander.isSafeToExpandAt(number->getStart(), end) ||
          !expander.isSafeToExpandAt(last_of(*number), end))
        continue;
      const bool passes = is_likely(of_row, *bound);
      return Guard{&test, passes, number, passes ? of_row : CmpInst::getInversePredicate(of_row), bound};
    }
    return std::nullopt;
  }

  /// The block's branch, if it is loop-invariant and leads to the inner loop with one result of its condition.
  std::optional<Guard> same_for_all(BasicBlock& block, const DominatorTree& dominators) const {
    auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || &block == rows_.getLoopLatch() ||
        isa<Constant>(branch->getCondition()) || !rows_.isLoopInvariant(branch->getCondition()))
      return std::nullopt;
    for (const bool taken : {true, false})
      if (dominators.dominates(BasicBlockEdge(&block, branch->getSuccessor(taken ? 0 : 1)), &inside_))
        return Guard{branch->getCondition(), taken};
    return std::nullopt;
  }

  const SCEV* last_of(const SCEVAddRecExpr& number) {
    const SCEV* iterations = evolution_.getBackedgeTakenCount(&rows_);
    return number.evaluateAtIteration(evolution_.getTruncateOrZeroExtend(iterations, number.getType()),
                                      evolution_);
  }

  const Loop& rows_;
  const BasicBlock& inside_; ///< of the inner loop
  ScalarEvolution& evolution_;
  SmallVector<Guard, 4> found_;
};

struct DecideBeforeRowsPass : PassInfoMixin<DecideBeforeRowsPass> {
  IsWanted is_wanted;

  PreservedAnalyses run(Loop& loop, LoopAnalysisManager& analyses, LoopStandardAnalysisResults& results,
                        LPMUpdater& updater) {
    if (!is_wanted(loop)) return PreservedAnalyses::all();
    return SimpleLoopUnswitchPass(/*NonTrivial=*/true).run(loop, analyses, results, updater);
  }
};

} // namespace

FunctionPassManager deciding_before_rows(IsWanted is_wanted) {
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(DecideBeforeRowsPass{{}, is_wanted}, /*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(LoopSimplifyPass());
  return passes;
}

bool decide_guards_before(const LoopNest& nest, LoopInfo& loops, DominatorTree& dominators,
                          ScalarEvolution& evolution) {
  Loop& rows = nest.rows;
  BasicBlock *preheader = rows.getLoopPreheader(), *after = rows.getExitBlock();
  if (!preheader || !exits_without_phis(rows)) return false;
  Guards guards(nest, dominators, evolution);
  if (guards.empty()) return false;
  Value* all_pass = guards.all_pass();
  BasicBlock* own = SplitBlock(preheader, preheader->getTerminator(), &dominators, &loops);
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*, 16> blocks;
  Loop* copy = cloneLoopWithPreheader(own, preheader, &rows, copies, ".guarded", &loops, &dominators, blocks);
  remapInstructionsInBlocks(blocks, copies);
  // The loop itself loses its guards, the copy keeps them.
  preheader->getTerminator()->eraseFromParent();
  IRBuilder<>(preheader).CreateCondBr(all_pass, own, copy->getLoopPreheader());
  BasicBlock* above = dominators.getNode(after)->getIDom()->getBlock();
  dominators.changeImmediateDominator(after, dominators.findNearestCommonDominator(above, preheader));
  evolution.forgetLoop(&rows);
  guards.drop();
  return true;
}

} // namespace hostcl::compiler
