#include "compiler/passes/codegen/far_rows.hpp"

#include "compiler/passes/preserved.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr std::int64_t cache_line = 64;
constexpr std::int64_t far_step = 1024; ///< bytes: a page has few such steps
constexpr unsigned cycles_of_memory = 400, instructions_per_cycle = 2;
constexpr unsigned fewest_ahead = 2, most_ahead = 16;
constexpr std::size_t most_rows = 8; ///< that a loop asks for

/// Where the instruction loads a vector from; null for other instructions.
Value* source(Instruction& instruction) {
  if (!instruction.getType()->isVectorTy()) return nullptr;
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() ? load->getPointerOperand() : nullptr;
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::masked_load ? call->getArgOperand(0) : nullptr;
}

bool is_far(const SCEV& step) {
  const auto* constant = dyn_cast<SCEVConstant>(&step);
  return !constant || constant->getAPInt().abs().uge(far_step);
}

/// The iterations that a loop has begun before what it asks for is there.
unsigned iterations_ahead(const Loop& loop) {
  unsigned instructions = 0;
  for (const BasicBlock* block : loop.blocks())
    instructions += static_cast<unsigned>(block->sizeWithoutDebug());
  return std::clamp(cycles_of_memory * instructions_per_cycle / instructions, fewest_ahead, most_ahead);
}

class FarRows {
public:
  FarRows(Loop& loop, ScalarEvolution& evolution)
      : loop_(loop), evolution_(evolution), expander_(evolution, "ahead"), ahead_(iterations_ahead(loop)) {}

  bool run() {
    const unsigned most_iterations = evolution_.getSmallConstantMaxTripCount(&loop_);
    if (!loop_.getLoopPreheader() || (most_iterations != 0 && most_iterations <= 2 * ahead_)) return false;
    for (BasicBlock* block : loop_.blocks())
      for (Instruction& instruction : *block)
        if (Value* address = source(instruction); address && rows_.size() < most_rows)
          consider(instruction, *address);
    for (const Row& row : rows_)
      ask_for(row);
    return !rows_.empty();
  }

private:
  struct Row {
    Instruction* load;
    Value* address;
    const SCEVAddRecExpr* walk;
  };

  void consider(Instruction& load, Value& address) {
    const auto* walk = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&address));
    if (!walk || walk->getLoop() != &loop_ || !walk->isAffine()) return;
    const SCEV* step = walk->getStepRecurrence(evolution_);
    const bool shares_line = any_of(rows_, [&](const Row& row) {
      const auto apart = evolution_.computeConstantDifference(walk, row.walk);
      return apart && apart->abs().ult(cache_line);
    });
    if (is_far(*step) && !shares_line && expander_.isSafeToExpand(step))
      rows_.push_back({&load, &address, walk});
  }

  void ask_for(const Row& row) {
    const SCEV* step = row.walk->getStepRecurrence(evolution_);
    const SCEV* distance = evolution_.getMulExpr(step, evolution_.getConstant(step->getType(), ahead_));
    Value* bytes =
        expander_.expandCodeFor(distance, step->getType(), loop_.getLoopPreheader()->getTerminator());
    IRBuilder<> build(row.load);
    Value* later = build.CreatePtrAdd(row.address, bytes);
    constexpr unsigned read = 0, near = 3, data = 1;
    build.CreateIntrinsic(Intrinsic::prefetch, {later->getType()},
                          {later, build.getInt32(read), build.getInt32(near), build.getInt32(data)});
  }

  Loop& loop_;
  ScalarEvolution& evolution_;
  SCEVExpander expander_;
  unsigned ahead_;
  SmallVector<Row, most_rows> rows_;
};

} // namespace

PreservedAnalyses FarRowsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_on(Heuristic::far_rows)) return PreservedAnalyses::all();
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost()) changed |= FarRows(*loop, evolution).run();
  return all_but_values(note_change(Heuristic::far_rows, changed));
}

} // namespace hostcl::compiler
