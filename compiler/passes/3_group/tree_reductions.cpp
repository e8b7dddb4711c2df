#include "compiler/passes/3_group/tree_reductions.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/3_group/tree_reduction.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr StringRef name_of_reductions = "tree_reduction";
constexpr unsigned register_bits = 512, most_lanes = 16;

/// Writes the function that one work-item calls instead of the loop. Its parameters are the array, and TreeReduction::start
/// or TreeReduction::end.
class ReductionWriter {
public:
  ReductionWriter(Module& module, const TreeReduction& reduction)
      : reduction_(reduction),
        build_(module.getContext()),
        lanes_(std::min<unsigned>(
            most_lanes, register_bits / reduction.element->getPrimitiveSizeInBits().getFixedValue())),
        vector_(FixedVectorType::get(reduction.element, lanes_)),
        function_(*Function::Create(
            FunctionType::get(build_.getVoidTy(), {reduction.array->getType(), build_.getInt64Ty()}, false),
            Function::InternalLinkage, name_of_reductions, module)),
        array_(function_.getArg(0)),
        number_(function_.getArg(1)) {
    function_.addFnAttr(Attribute::AlwaysInline);
    function_.setDoesNotThrow();
  }

  Function& write() {
    build_.SetInsertPoint(block("entry"));
    if (reduction_.start)
      halve();
    else
      doubled();
    build_.CreateRetVoid();
    return function_;
  }

  /// The smallest start or end for which the function is right.
  unsigned fewest() const { return lanes_; }

private:
  BasicBlock* block(const char* name) { return BasicBlock::Create(function_.getContext(), name, &function_); }
  Value* at(Value* index) { return build_.CreateGEP(reduction_.element, array_, index); }
  Value* load(Type* type, Value* index) { return build_.CreateAlignedLoad(type, at(index), alignment()); }
  void store(Value* value, Value* index) { build_.CreateAlignedStore(value, at(index), alignment()); }
  Align alignment() const { return function_.getDataLayout().getABITypeAlign(reduction_.element); }

  Value* combine(Value* near, Value* far) {
    Value *left = reduction_.near_first ? near : far, *right = reduction_.near_first ? far : near;
    Instruction* flags = isa<FPMathOperator>(reduction_.operation) ? reduction_.operation : nullptr;
    if (const auto* call = dyn_cast<IntrinsicInst>(reduction_.operation))
      return build_.CreateBinaryIntrinsic(call->getIntrinsicID(), left, right, flags);
    Value* result = build_.CreateBinOp(static_cast<Instruction::BinaryOps>(reduction_.operation->getOpcode()),
                                       left, right);
    if (auto* made = dyn_cast<Instruction>(result); made && flags) made->copyFastMathFlags(flags);
    return result;
  }

  /// One step of the reduction within a vector: each lane for which `takes_part` holds is combined with the lane
  /// `offset` after it.
  Value* step_within(Value* vector, unsigned offset, function_ref<bool(unsigned)> takes_part) {
    SmallVector<int, most_lanes> moved(lanes_), chosen(lanes_);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      moved[lane] = static_cast<int>(lane + offset < lanes_ ? lane + offset : lane);
      chosen[lane] = static_cast<int>(takes_part(lane) ? lanes_ + lane : lane);
    }
    Value* far = build_.CreateShuffleVector(vector, moved);
    return build_.CreateShuffleVector(vector, combine(vector, far), chosen);
  }

  /// do { body(counter) } while ((counter = next(counter)) < end, or >= end if the counter falls)
  void repeat(Value* first, function_ref<void(Value*)> body, function_ref<Value*(Value*)> next,
              CmpInst::Predicate goes_on, Value* end) {
    BasicBlock *before = build_.GetInsertBlock(), *inside = block("loop");
    build_.CreateBr(inside);
    build_.SetInsertPoint(inside);
    PHINode* counter = build_.CreatePHI(first->getType(), 2);
    counter->addIncoming(first, before);
    body(counter);
    Value* following = next(counter);
    counter->addIncoming(following, build_.GetInsertBlock());
    BasicBlock* after = block("after");
    build_.CreateCondBr(build_.CreateICmp(goes_on, following, end), inside, after);
    build_.SetInsertPoint(after);
  }

  void halve() {
    Value *lanes = build_.getInt64(lanes_), *zero = build_.getInt64(0);
    const auto step = [&](Value* offset) {
      const auto combine_at = [&](Value* i) {
        store(combine(load(vector_, i), load(vector_, build_.CreateAdd(i, offset))), i);
      };
      repeat(
          zero, combine_at, [&](Value* i) { return build_.CreateAdd(i, lanes); }, CmpInst::ICMP_ULT, offset);
    };
    repeat(
        number_, step, [&](Value* offset) { return build_.CreateLShr(offset, 1); }, CmpInst::ICMP_UGE, lanes);
    Value* vector = load(vector_, zero);
    for (unsigned offset = lanes_ / 2; offset > 0; offset /= 2)
      vector = step_within(vector, offset, [&](unsigned lane) { return lane < offset; });
    store(vector, zero);
  }

  void doubled() {
    Value *lanes = build_.getInt64(lanes_), *zero = build_.getInt64(0);
    const auto within = [&](Value* i) {
      Value* vector = load(vector_, i);
      for (unsigned offset = 1; offset < lanes_; offset *= 2)
        vector = step_within(vector, offset, [&](unsigned lane) { return lane % (2 * offset) == 0; });
      store(vector, i);
    };
    repeat(zero, within, [&](Value* i) { return build_.CreateAdd(i, lanes); }, CmpInst::ICMP_ULT, number_);
    BasicBlock *across = block("across"), *done = block("done");
    build_.CreateCondBr(build_.CreateICmpULT(lanes, number_), across, done);
    build_.SetInsertPoint(across);
    const auto step = [&](Value* offset) {
      const auto combine_at = [&](Value* i) {
        store(combine(load(reduction_.element, i), load(reduction_.element, build_.CreateAdd(i, offset))), i);
      };
      Value* apart = build_.CreateShl(offset, 1);
      repeat(
          zero, combine_at, [&](Value* i) { return build_.CreateAdd(i, apart); }, CmpInst::ICMP_ULT, number_);
    };
    repeat(
        lanes, step, [&](Value* offset) { return build_.CreateShl(offset, 1); }, CmpInst::ICMP_ULT, number_);
    build_.CreateBr(done);
    build_.SetInsertPoint(done);
  }

  const TreeReduction& reduction_;
  IRBuilder<> build_;
  unsigned lanes_;
  Type* vector_;
  Function& function_;
  Value *array_, *number_;
};

/// Writes the test at run time, and a path beside the loop on which the group's first work-item calls the reduction.
void write_call(Loop& loop, const TreeReduction& reduction) {
  Function& kernel = *loop.getHeader()->getParent();
  Module& module = *kernel.getParent();
  ReductionWriter writer(module, reduction);
  const auto block = [&](const char* name) {
    return BasicBlock::Create(kernel.getContext(), name, &kernel, loop.getExitBlock());
  };
  BasicBlock *begin = block("reduction"), *first = block("reduction.first"), *end = block("reduction.end");
  Instruction* enter = loop.getLoopPreheader()->getTerminator();
  IRBuilder<> build(enter);
  const auto query = [&](Intrinsic intrinsic) {
    return build.CreateCall(declare_intrinsic(module, intrinsic), {build.getInt32(0)});
  };
  // The reduction is right if all offsets are powers of two and its vectors do not exceed the elements that the
  // work-items of the group access.
  Value *size = query(Intrinsic::local_size), *zero = build.getInt64(0);
  Value* number =
      build.CreateZExtOrTrunc(reduction.start ? reduction.start : reduction.end, build.getInt64Ty());
  Value* less = build.CreateSub(number, build.getInt64(1));
  Value* is_power = build.CreateICmpEQ(build.CreateAnd(number, less), zero);
  Value* fits = reduction.start ? build.CreateICmpULE(number, size) : build.CreateICmpEQ(number, size);
  Value* fills = build.CreateICmpUGE(number, build.getInt64(writer.fewest()));
  build.CreateCondBr(build.CreateAnd(build.CreateAnd(is_power, fits), fills), begin, loop.getHeader());
  enter->eraseFromParent();
  build.SetInsertPoint(begin);
  query(Intrinsic::barrier);
  Value* id = build.CreateTrunc(query(Intrinsic::local_id), build.getInt32Ty());
  build.CreateCondBr(build.CreateICmpEQ(id, build.getInt32(0)), first, end);
  build.SetInsertPoint(first);
  build.CreateCall(&writer.write(), {reduction.array, number});
  build.CreateBr(end);
  build.SetInsertPoint(end);
  query(Intrinsic::barrier);
  build.CreateBr(loop.getExitBlock());
}

} // namespace

bool is_tree_reduction_call(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(name_of_reductions);
}

PreservedAnalyses tree_reductions_pass(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  const KernelShape shape = kernel_shape(function);
  if (shape.tier0 || shape.single_item || shape.dimensions != 1 || uses_sub_groups(function))
    return PreservedAnalyses::all();
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  LinearForms forms(&loops);
  SmallVector<std::pair<Loop*, TreeReduction>, 2> reductions;
  for (Loop* loop : loops.getLoopsInPreorder())
    if (const auto reduction = find_tree_reduction(*loop, forms)) reductions.emplace_back(loop, *reduction);
  for (auto& [loop, reduction] : reductions)
    if (!loop->getLoopPreheader())
      InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
  for (auto& [loop, reduction] : reductions)
    write_call(*loop, reduction);
  return reductions.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace hostcl::compiler
