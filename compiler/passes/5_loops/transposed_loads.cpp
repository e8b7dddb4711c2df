// Replaces gathers in loops in which each lane reads along its own row by contiguous loads and a transposition in
// registers:
//
//   for k: sum += gather(rows + k)      =>    for each 16 numbers k
//                                               r0 = rows[0][k..k+15]; ... r15 = rows[15][k..k+15]
//                                               sum += r0[0], r1[0], ... r15[0]
//                                               ... sum += r0[15], r1[15], ... r15[15]
//                                             for the rest of k: as it was
//
// A gather of 16 lanes makes 16 accesses to the cache, one for each element; 16 contiguous loads make as many accesses
// for 16 times as many elements. It also avoids conflict misses: rows whose stride is a power of two share few sets of
// the cache, so that a line that was fetched for one element may be evicted before the next element is read.
//
// The pass applies to loops of one block without side effects, if the gather's mask is loop-invariant, and for elements
// of 32 and 64 bits whose vectors fit one register. If not all lanes are active, the original loop runs.
//
// Gains on an Emerald Rapids Xeon: products of a matrix and a vector 1.2 to 1.65, sums of rows 1.5. Half of its eleven
// users gain; the median is 1.05.
// Tests: tests/passes/5_loops/transposed_loads.ll, tests/kernels/groups/cut_loops.cpp

#include "compiler/passes/passes.hpp"

#include "compiler/settings/switches.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <cstdint>
#include <optional>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned most_instructions = 24; ///< of an iteration; the new loop has a copy for each lane

/// Checks and transforms one loop.
class RowLoop {
public:
  RowLoop(Loop& loop, ScalarEvolution& evolution, unsigned bits)
      : loop_(loop),
        evolution_(evolution),
        expander_(evolution, "rows"),
        bits_(bits),
        body_(loop.getHeader()),
        before_(loop.getLoopPreheader()),
        build_(body_->getContext()) {}

  bool has_form() {
    if (loop_.getNumBlocks() != 1 || !before_ || !loop_.getExitBlock() || body_->size() > most_instructions)
      return false;
    for (Instruction& instruction : *body_) {
      if (instruction.mayHaveSideEffects()) return false;
      if (is_gather(instruction) && walks_rows(cast<IntrinsicInst>(instruction)))
        gathers_.push_back(cast<IntrinsicInst>(&instruction));
    }
    if (gathers_.empty()) return false;
    last_ = last_iteration(loop_, *before_, expander_);
    return last_ && evolution_.getUnsignedRangeMax(last_).uge(lanes_ - 1);
  }

  /// Writes the loop over blocks of iterations before the original loop, which runs the remaining iterations.
  void transpose() {
    Value* iterations = iterations_of_blocks();
    LLVMContext& context = body_->getContext();
    Function* function = body_->getParent();
    auto* block = BasicBlock::Create(context, "rows", function, body_);
    auto* rest = BasicBlock::Create(context, "rows.rest", function, body_);
    auto* enter = BasicBlock::Create(context, "rows.before", function, body_);
    BasicBlock* exit = loop_.getExitBlock();
    Value* has_blocks = build_.CreateICmpNE(iterations, build_.getInt64(0));
    Instruction* old = before_->getTerminator();
    build_.CreateCondBr(has_blocks, block, enter);
    old->eraseFromParent();

    build_.SetInsertPoint(block);
    PHINode* iteration = build_.CreatePHI(build_.getInt64Ty(), 2, "iteration");
    for (PHINode& phi : body_->phis()) {
      PHINode* copy = build_.CreatePHI(phi.getType(), 2, phi.getName());
      copy->addIncoming(phi.getIncomingValueForBlock(before_), before_);
      starts_.push_back(copy);
      now_[&phi] = copy;
    }
    for (unsigned i = 0; i < lanes_; ++i)
      write_iteration(i);
    Value* next = build_.CreateAdd(iteration, build_.getInt64(lanes_));
    iteration->addIncoming(build_.getInt64(0), before_);
    iteration->addIncoming(next, block);
    build_.CreateCondBr(build_.CreateICmpEQ(next, iterations), rest, block);

    build_.SetInsertPoint(rest);
    Value* is_done = build_.CreateICmpUGT(iterations, last_value_);
    build_.CreateCondBr(is_done, exit, enter);
    build_.SetInsertPoint(enter);
    build_.CreateBr(body_);
    join(*block, *rest, *enter, *exit);
  }

private:
  /// The step of a value: by how much the value grows from one iteration of the loop to the next, if all lanes have the
  /// same step. @param is_extended asks for the step of the value's sign extension to 64 bits
  std::optional<std::int64_t> step(Value* value, bool is_extended = false) {
    if (loop_.isLoopInvariant(value)) return 0;
    if (!value->getType()->isVectorTy()) return step_of_scalar(value, is_extended);
    if (const auto* address = dyn_cast<GetElementPtrInst>(value)) return step_of_address(*address);
    if (Value* number = getSplatValue(value)) return step(number, is_extended);
    Value *left = nullptr, *right = nullptr;
    if (match(value, m_SExt(m_Value(left)))) return step(left, /*is_extended=*/true);
    const bool is_sum = is_extended ? match(value, m_NSWAdd(m_Value(left), m_Value(right)))
                                    : match(value, m_Add(m_Value(left), m_Value(right)));
    return is_sum ? sum(step(left, is_extended), step(right, is_extended)) : std::nullopt;
  }

  static std::optional<std::int64_t> sum(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    if (!a || !b) return std::nullopt;
    return *a + *b;
  }

  std::optional<std::int64_t> step_of_scalar(Value* value, bool is_extended) {
    if (const auto* narrow = dyn_cast<TruncInst>(value); is_extended && narrow && narrow->hasNoSignedWrap())
      return step(narrow->getOperand(0));
    const SCEV* expression = evolution_.getSCEV(value);
    if (is_extended)
      expression = evolution_.getNoopOrSignExtend(expression, Type::getInt64Ty(value->getContext()));
    const auto* grows = as_recurrence(expression, loop_);
    const auto* size = grows ? dyn_cast<SCEVConstant>(grows->getStepRecurrence(evolution_)) : nullptr;
    if (!size || size->getAPInt().getSignificantBits() > 32) return std::nullopt;
    return size->getAPInt().getSExtValue();
  }

  std::optional<std::int64_t> step_of_address(const GetElementPtrInst& address) {
    if (address.getNumIndices() != 1 || address.getOperand(1)->getType()->getScalarSizeInBits() != 64)
      return std::nullopt;
    const auto index = step(address.getOperand(1));
    const auto unit = address.getDataLayout().getTypeAllocSize(address.getSourceElementType());
    if (!index || unit.isScalable()) return std::nullopt;
    return sum(step(address.getOperand(0)), *index * static_cast<std::int64_t>(unit.getFixedValue()));
  }

  bool walks_rows(IntrinsicInst& gather) {
    auto* type = cast<FixedVectorType>(gather.getType());
    const unsigned bits = type->getScalarSizeInBits();
    const unsigned lanes = type->getNumElements();
    Value *pointers = gather.getArgOperand(0), *mask = gather.getArgOperand(1);
    if ((bits != 32 && bits != 64) || bits * lanes > bits_ || !isPowerOf2_32(lanes) || lanes < 4 ||
        (lanes_ && lanes != lanes_) || !loop_.isLoopInvariant(mask) || (mask_ && mask != mask_))
      return false;
    if (step(pointers) != bits / 8) return false;
    lanes_ = lanes;
    mask_ = mask;
    return true;
  }

  /// The number of iterations in full blocks; 0 if not all lanes are active.
  Value* iterations_of_blocks() {
    Instruction* end = before_->getTerminator();
    Value* last = expander_.expandCodeFor(last_, nullptr, end);
    build_.SetInsertPoint(end);
    last_value_ = build_.CreateZExt(last, build_.getInt64Ty());
    // The trip count is not computed, because it may be 2^64: last_value_ is the number of the last iteration.
    Value* in_front = build_.CreateAnd(last_value_, ~std::uint64_t{lanes_ - 1});
    Value* is_whole =
        build_.CreateICmpEQ(build_.CreateSub(last_value_, in_front), build_.getInt64(lanes_ - 1));
    Value* iterations = build_.CreateAdd(
        in_front, build_.CreateSelect(is_whole, build_.getInt64(lanes_), build_.getInt64(0)));
    Value* bits = build_.CreateBitCast(mask_, build_.getIntNTy(lanes_));
    Value* all =
        build_.CreateICmpEQ(build_.CreateFreeze(bits), ConstantInt::getAllOnesValue(bits->getType()));
    return build_.CreateSelect(all, iterations, build_.getInt64(0));
  }

  void write_iteration(unsigned i) {
    for (Instruction& instruction : *body_) {
      if (isa<PHINode>(instruction) || instruction.isTerminator()) continue;
      const bool is_row = is_contained(gathers_, &instruction);
      if (is_row && i != 0) {
        now_[&instruction] = columns_[&instruction][i];
        continue;
      }
      Instruction* copy = build_.Insert(instruction.clone());
      RemapInstruction(copy, now_, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      now_[&instruction] = copy;
      if (!is_row) continue;
      columns_[&instruction] = read_block(*cast<IntrinsicInst>(copy));
      now_[&instruction] = columns_[&instruction][0];
      copy->eraseFromParent();
    }
    SmallVector<std::pair<PHINode*, Value*>, 8> next;
    for (PHINode& phi : body_->phis())
      next.emplace_back(&phi, copy_of(phi.getIncomingValueForBlock(body_)));
    for (auto& [phi, value] : next)
      now_[phi] = value;
  }

  Value* copy_of(Value* value) {
    const auto found = now_.find(value);
    return found == now_.end() ? value : &*found->second;
  }

  /// Writes the loads and the transposition. @returns the gather's results in this iteration and the following ones of
  /// the block
  SmallVector<Value*, 16> read_block(IntrinsicInst& gather) {
    Value* pointers = gather.getArgOperand(0);
    const Align align = gather.getParamAlign(0).valueOrOne();
    SmallVector<Value*, 16> rows;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      Value* from = build_.CreateExtractElement(pointers, lane);
      auto* row = build_.CreateAlignedLoad(gather.getType(), from, align);
      row->copyMetadata(gather, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
      rows.push_back(row);
    }
    for (unsigned distance = lanes_ / 2; distance; distance /= 2)
      rows = exchange(rows, distance);
    return rows;
  }

  /// One step of the transposition: in each pair of rows i and i + distance, exchanges the off-diagonal blocks of
  /// `distance` columns.
  SmallVector<Value*, 16> exchange(ArrayRef<Value*> rows, unsigned distance) {
    SmallVector<int, 16> low, high;
    for (unsigned i = 0; i < lanes_; ++i) {
      const bool from_second = i & distance;
      low.push_back(static_cast<int>(from_second ? lanes_ + i - distance : i));
      high.push_back(static_cast<int>(from_second ? lanes_ + i : i + distance));
    }
    SmallVector<Value*, 16> result(rows.size());
    for (unsigned i = 0; i < lanes_; ++i) {
      if (i & distance) continue;
      result[i] = build_.CreateShuffleVector(rows[i], rows[i + distance], low);
      result[i + distance] = build_.CreateShuffleVector(rows[i], rows[i + distance], high);
    }
    return result;
  }

  /// Connects phis: the original loop's recurrences start with the values of the new loop, if it ran, and the exit's
  /// phis get the new loop's values if no iterations remain.
  void join(BasicBlock& block, BasicBlock& rest, BasicBlock& enter, BasicBlock& exit) {
    unsigned i = 0;
    for (PHINode& phi : body_->phis()) {
      PHINode* start = PHINode::Create(phi.getType(), 2, "", enter.begin());
      start->addIncoming(phi.getIncomingValueForBlock(before_), before_);
      start->addIncoming(now_[&phi], &rest);
      starts_[i++]->addIncoming(now_[&phi], &block);
      phi.setIncomingValueForBlock(before_, start);
    }
    body_->replacePhiUsesWith(before_, &enter);
    for (PHINode& phi : exit.phis())
      phi.addIncoming(copy_of(phi.getIncomingValueForBlock(body_)), &rest);
  }

  Loop& loop_;
  ScalarEvolution& evolution_;
  SCEVExpander expander_;
  const unsigned bits_; ///< of a vector register
  BasicBlock *body_, *before_;
  IRBuilder<> build_;
  SmallVector<IntrinsicInst*, 4> gathers_;
  unsigned lanes_ = 0;
  Value *mask_ = nullptr, *last_value_ = nullptr;
  const SCEV* last_ = nullptr; ///< number of the last iteration
  SmallVector<PHINode*, 8> starts_;
  ValueToValueMapTy now_;
  DenseMap<const Instruction*, SmallVector<Value*, 16>>
      columns_; ///< by gather: results of a block's iterations
};

bool may_walk_rows(const Loop& loop) {
  return loop.getNumBlocks() == 1 && has_instruction(loop, is_gather);
}

bool transpose(Loop& loop, FunctionAnalysisManager& analyses) {
  Function& function = *loop.getHeader()->getParent();
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const auto bits = analyses.getResult<TargetIRAnalysis>(function).getRegisterBitWidth(
      TargetTransformInfo::RGK_FixedWidthVector);
  RowLoop rows(loop, evolution, static_cast<unsigned>(bits.getFixedValue()));
  if (!rows.has_form()) return false;
  formLCSSA(loop, analyses.getResult<DominatorTreeAnalysis>(function),
            &analyses.getResult<LoopAnalysis>(function), &evolution);
  rows.transpose();
  analyses.invalidate(function, PreservedAnalyses::none());
  return note_change(Heuristic::transposed_loads);
}

} // namespace

PreservedAnalyses transposed_loads_pass(Function& function, FunctionAnalysisManager& analyses,
                                        const Switches& switches) {
  const auto loops = [&] { return analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder(); };
  if (!switches.is_on(Heuristic::transposed_loads) ||
      none_of(loops(), [](const Loop* loop) { return may_walk_rows(*loop); }))
    return PreservedAnalyses::all();
  analyses.invalidate(function, LoopSimplifyPass().run(function, analyses));
  SmallPtrSet<const BasicBlock*, 8> seen;
  const auto change = [&](Loop* loop) {
    return may_walk_rows(*loop) && seen.insert(loop->getHeader()).second && transpose(*loop, analyses);
  };
  while (any_of(loops(), change)) // one loop at a time, because analyses are invalid after each
    continue;
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
