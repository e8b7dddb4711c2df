#include "compiler/passes/3_group/tree_reductions.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr StringRef name_of_reductions = "tree_reduction";
constexpr unsigned register_bits = 512, most_lanes = 16;

/// A loop that is a tree reduction of `array` in local memory. No value of the loop is used after it.
struct TreeReduction {
  Value* array = nullptr;
  Type* element = nullptr;
  Instruction* operation = nullptr;
  bool near_first = true; ///< whether array[local id] is the operation's first operand
  Value* start = nullptr; ///< the first offset, which is then halved; null if offsets are 1, 2, 4, ...
  Value* end = nullptr;   ///< if offsets are 1, 2, 4, ...: the offset that ends the loop
};

/// Looks through conversions between integers of at least 32 bits. Local ids and offsets fit into all of them.
Value* unconverted(Value* value) {
  while (isa<SExtInst, ZExtInst>(value) ||
         (isa<TruncInst>(value) && value->getType()->getIntegerBitWidth() >= 32))
    value = cast<CastInst>(value)->getOperand(0);
  return value;
}

bool is_local_id(Value* value) {
  value = unconverted(value);
  return is_call_of(*value, Intrinsic::local_id) && dimension_of(cast<CallBase>(*value)) == 0;
}

/// An address, decomposed into an array and a sum of indices.
struct Place {
  Value* array = nullptr;
  SmallVector<Value*, 2> indices;

  Place(Value* address, const Type& element) {
    for (; auto* step = dyn_cast<GetElementPtrInst>(address); address = step->getPointerOperand()) {
      if (step->getNumIndices() != 1 || step->getSourceElementType() != &element) return;
      add(step->getOperand(1));
    }
    if (isa<Argument, GlobalVariable>(address)) array = address;
  }
  /// Whether the address is that of `wanted[local id]`, or of `wanted[local id + offset]` if there is an offset.
  bool is_item_of(const Value* wanted, const Value* offset = nullptr) const {
    return array && array == wanted && indices.size() == (offset ? 2 : 1) && any_of(indices, is_local_id) &&
           (!offset || is_contained(indices, offset));
  }

private:
  void add(Value* index) {
    index = unconverted(index);
    Value *left = nullptr, *right = nullptr;
    if (match(index, m_Add(m_Value(left), m_Value(right)))) {
      add(left);
      add(right);
    } else {
      indices.push_back(index);
    }
  }
};

/// Whether the operation has two operands and is commutative, and LLVM has it for vectors.
bool can_combine_vectors(const Instruction& operation) {
  const auto* call = dyn_cast<IntrinsicInst>(&operation);
  return operation.isCommutative() &&
         (isa<BinaryOperator>(operation) ||
          (call && call->arg_size() == 2 && isTriviallyVectorizable(call->getIntrinsicID())));
}

/// Whether a vector of the type has the same layout in memory as an array.
bool can_be_lane(Type* type, const DataLayout& layout) {
  return !type->isVectorTy() && layout.getTypeSizeInBits(type) == layout.getTypeAllocSizeInBits(type);
}

/// Whether the instruction adds 1 to a counter of executions.
bool counts_once(const Instruction& instruction) {
  return is_call_of(instruction, Intrinsic::coverage_count) && match(instruction.getOperand(1), m_One());
}

/// Matches a loop of three blocks: the header with the guard, the block for the work-items that take part, and the
/// latch.
class Reader {
public:
  Reader(const Loop& loop, LinearForms& forms) : loop_(loop), forms_(forms) {}

  /// The tree reduction that the loop is; nothing if it is something else.
  std::optional<TreeReduction> read() {
    if (!has_form() || !reads_step() || !reads_offsets()) return std::nullopt;
    return reduction_;
  }

private:
  bool has_form() {
    const auto blocks = SingleLatchLoop::of(loop_);
    if (!blocks || loop_.getNumBlocks() != 3 || !exits_without_phis(loop_)) return false;
    const auto phis = blocks->header->phis();
    const auto* guard = dyn_cast<BranchInst>(blocks->header->getTerminator());
    if (!hasSingleElement(phis) || !guard || !guard->isConditional()) return false;
    offset_ = &*phis.begin();
    first_ = blocks->start(*offset_);
    next_ = blocks->next(*offset_);
    part_ = guard->getSuccessor(guard->getSuccessor(0) == blocks->latch ? 1 : 0);
    // Narrow offsets are not accepted: as a signed 8-bit integer, 128 is negative.
    return offset_->getType()->isIntegerTy() && offset_->getType()->getIntegerBitWidth() >= 32 &&
           part_->getSingleSuccessor() == blocks->latch && part_ != blocks->latch;
  }

  /// Matches one step of the reduction: two loads, the operation and a store in the guarded block, one barrier
  /// elsewhere, and no other access.
  bool reads_step() {
    StoreInst* store = nullptr;
    unsigned loads = 0, barriers = 0;
    for (BasicBlock* block : loop_.blocks())
      for (Instruction& instruction : *block) {
        if (is_used_outside(instruction, loop_)) return false;
        if (!instruction.mayReadOrWriteMemory() || counts_once(instruction)) continue;
        auto* load = dyn_cast<LoadInst>(&instruction);
        auto* stored = dyn_cast<StoreInst>(&instruction);
        if (is_call_of(instruction, Intrinsic::barrier) && block != part_)
          ++barriers;
        else if (block == part_ && load && load->isSimple())
          ++loads;
        else if (block == part_ && stored && stored->isSimple() && !store)
          store = stored;
        else
          return false;
      }
    return store && loads == 2 && barriers == 1 && reads_operation(*store);
  }

  bool reads_operation(StoreInst& store) {
    reduction_.operation = dyn_cast<Instruction>(store.getValueOperand());
    reduction_.element = store.getValueOperand()->getType();
    if (!reduction_.operation || !can_combine_vectors(*reduction_.operation) ||
        !can_be_lane(reduction_.element, store.getDataLayout()) ||
        store.getPointerAddressSpace() != local_space)
      return false;
    reduction_.array = Place(store.getPointerOperand(), *reduction_.element).array;
    if (!Place(store.getPointerOperand(), *reduction_.element).is_item_of(reduction_.array)) return false;
    const auto place_of = [&](unsigned operand) -> std::optional<Place> {
      auto* load = dyn_cast<LoadInst>(reduction_.operation->getOperand(operand));
      if (!load || load->getType() != reduction_.element) return std::nullopt;
      return Place(load->getPointerOperand(), *reduction_.element);
    };
    const auto first = place_of(0), second = place_of(1);
    if (!first || !second) return false;
    reduction_.near_first = first->is_item_of(reduction_.array);
    const Place &near = reduction_.near_first ? *first : *second,
                &far = reduction_.near_first ? *second : *first;
    return near.is_item_of(reduction_.array) && far.is_item_of(reduction_.array, offset_);
  }

  bool reads_offsets() {
    const auto stays = Comparison::on_edge(*loop_.getLoopLatch(), *loop_.getHeader());
    return stays && (halves(*stays) || doubles(*stays));
  }

  bool halves(const Comparison& stays) {
    if (!match(next_, m_CombineOr(m_Shr(m_Specific(offset_), m_One()),
                                  m_IDiv(m_Specific(offset_), m_SpecificInt(2)))))
      return false;
    const bool is_next =
        unconverted(stays.left) == next_ && match(stays.right, m_Zero()) &&
        is_contained({CmpInst::ICMP_NE, CmpInst::ICMP_UGT, CmpInst::ICMP_SGT}, stays.predicate);
    const bool is_last = unconverted(stays.left) == offset_ && match(stays.right, m_One()) &&
                         is_contained({CmpInst::ICMP_UGT, CmpInst::ICMP_SGT}, stays.predicate);
    reduction_.start = first_;
    return (is_next || is_last) && is_same_for_all(*first_) && takes_first_items();
  }

  bool doubles(Comparison stays) {
    if (!match(next_, m_Shl(m_Specific(offset_), m_One())) || !match(first_, m_One())) return false;
    if (unconverted(stays.left) != next_ && unconverted(stays.left) != offset_) stays = stays.swapped();
    if (!ICmpInst::isLT(stays.predicate)) return false;
    reduction_.end = stays.right;
    if (const auto* half = dyn_cast<ConstantInt>(stays.right); half && unconverted(stays.left) == offset_)
      reduction_.end =
          ConstantInt::get(half->getType(), half->getValue().shl(1)); // `offset < 128` for `2 * offset < 256`
    else if (unconverted(stays.left) != next_)
      return false;
    return loop_.isLoopInvariant(stays.right) && is_same_for_all(*stays.right) && takes_every_second_item();
  }

  /// `local_id < offset`
  bool takes_first_items() const {
    auto test = Comparison::on_edge(*loop_.getHeader(), *part_);
    if (!test) return false;
    if (!is_local_id(test->left)) test = test->swapped();
    return is_local_id(test->left) && unconverted(test->right) == offset_ && ICmpInst::isLT(test->predicate);
  }

  /// `local_id % (2 * offset) == 0`, where the next offset is twice the offset.
  bool takes_every_second_item() const {
    const auto test = Comparison::on_edge(*loop_.getHeader(), *part_);
    Value *item = nullptr, *other = nullptr;
    if (!test || test->predicate != CmpInst::ICMP_EQ || !match(test->right, m_Zero())) return false;
    if (match(test->left,
              m_CombineOr(m_URem(m_Value(item), m_Value(other)), m_SRem(m_Value(item), m_Value(other)))))
      return is_local_id(item) && unconverted(other) == next_;
    if (!match(test->left, m_And(m_Value(item), m_Value(other)))) return false;
    if (!is_local_id(item)) std::swap(item, other);
    return is_local_id(item) && match(unconverted(other), m_Add(m_Specific(next_), m_AllOnes()));
  }

  /// Whether the value is proven to be uniform. The forms do not ignore wrapping. They assume that all work-items are
  /// in the same iteration of each outer loop; the barrier in this loop guarantees it.
  bool is_same_for_all(const Value& value) { return is_group_uniform(value, *loop_.getHeader(), forms_); }

  const Loop& loop_;
  LinearForms& forms_;
  TreeReduction reduction_;
  PHINode* offset_ = nullptr;
  Value *first_ = nullptr, *next_ = nullptr; ///< the first offset, and the one of the next iteration
  BasicBlock* part_ = nullptr;
};

/// Writes the function that one work-item calls instead of the loop. Its parameters are the array, and
/// TreeReduction::start or TreeReduction::end.
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
    if (isa<FPMathOperator>(reduction.operation))
      build_.setFastMathFlags(reduction.operation->getFastMathFlags());
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
    if (const auto* call = dyn_cast<IntrinsicInst>(reduction_.operation))
      return build_.CreateBinaryIntrinsic(call->getIntrinsicID(), left, right);
    return build_.CreateBinOp(cast<BinaryOperator>(reduction_.operation)->getOpcode(), left, right);
  }

  /// Combines each element from `index` on, one or a vector of them, with the element `offset` after it.
  void combine_at(Type* type, Value* index, Value* offset) {
    store(combine(load(type, index), load(type, build_.CreateAdd(index, offset))), index);
  }

  /// The steps of the reduction that stay within the vector from `index` on. In each step, the lanes of the work-items
  /// that take part are combined with the lane `offset` after them.
  void combine_within(Value* index) {
    Value* vector = load(vector_, index);
    for (unsigned step = 1; step < lanes_; step *= 2) {
      const unsigned offset = reduction_.start ? lanes_ / 2 / step : step;
      SmallVector<int, most_lanes> moved(lanes_), chosen(lanes_);
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        const bool takes_part = reduction_.start ? lane < offset : lane % (2 * offset) == 0;
        moved[lane] = static_cast<int>(lane + offset < lanes_ ? lane + offset : lane);
        chosen[lane] = static_cast<int>(takes_part ? lanes_ + lane : lane);
      }
      Value* far = build_.CreateShuffleVector(vector, moved);
      vector = build_.CreateShuffleVector(vector, combine(vector, far), chosen);
    }
    store(vector, index);
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

  /// Repeats the body for the indices from 0 below `end`, with a step.
  void for_indices(Value* step, Value* end, function_ref<void(Value*)> body) {
    repeat(
        build_.getInt64(0), body, [&](Value* i) { return build_.CreateAdd(i, step); }, CmpInst::ICMP_ULT,
        end);
  }

  void halve() {
    Value* lanes = build_.getInt64(lanes_);
    const auto step = [&](Value* offset) {
      for_indices(lanes, offset, [&](Value* i) { combine_at(vector_, i, offset); });
    };
    repeat(
        number_, step, [&](Value* offset) { return build_.CreateLShr(offset, 1); }, CmpInst::ICMP_UGE, lanes);
    combine_within(build_.getInt64(0));
  }

  void doubled() {
    Value* lanes = build_.getInt64(lanes_);
    for_indices(lanes, number_, [&](Value* i) { combine_within(i); });
    BasicBlock *across = block("across"), *done = block("done");
    build_.CreateCondBr(build_.CreateICmpULT(lanes, number_), across, done);
    build_.SetInsertPoint(across);
    const auto twice = [&](Value* offset) { return build_.CreateShl(offset, 1); };
    const auto step = [&](Value* offset) {
      for_indices(twice(offset), number_, [&](Value* i) { combine_at(reduction_.element, i, offset); });
    };
    repeat(lanes, step, twice, CmpInst::ICMP_ULT, number_);
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

/// Makes a copy of the loop which the group's first work-item runs, and which only counts executions, for all
/// work-items of the group. @returns the header of the copy; null if the loop counts nothing
/// @param number start or end of the reduction
BasicBlock* counting_copy(Loop& loop, const TreeReduction& reduction, BasicBlock& before, BasicBlock& after,
                          Value* size, Value* number) {
  if (!has_instruction(loop, counts_executions)) return nullptr;
  ValueToValueMapTy map;
  SmallVector<BasicBlock*, 3> copies;
  for (BasicBlock* block : loop.blocks()) {
    copies.push_back(CloneBasicBlock(block, map, ".counts", block->getParent()));
    map[block] = copies.back();
  }
  map[loop.getExitBlock()] = &after;
  remapInstructionsInBlocks(copies, map);
  auto& header = *cast<BasicBlock>(map[loop.getHeader()]);
  for (PHINode& phi : header.phis())
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (!is_contained(copies, phi.getIncomingBlock(i))) phi.setIncomingBlock(i, &before);
  for (BasicBlock* copy : copies)
    for (Instruction& instruction : make_early_inc_range(reverse(*copy))) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      if (counts_executions(instruction)) {
        IRBuilder<> build(&instruction);
        // The block that is neither header nor latch runs for the work-items that take part in the step.
        Value* items = size;
        if (copy != &header && copy != map[loop.getLoopLatch()]) {
          Value* offset = build.CreateZExtOrTrunc(&*header.phis().begin(), build.getInt64Ty());
          items = reduction.start ? offset : build.CreateUDiv(number, build.CreateShl(offset, 1));
        }
        instruction.setOperand(1, build.CreateMul(instruction.getOperand(1), items));
        continue;
      }
      if (!instruction.use_empty()) instruction.replaceAllUsesWith(PoisonValue::get(instruction.getType()));
      instruction.eraseFromParent();
    }
  // All work-items of the group but the first skip the copy, so its guard must not depend on the work-item.
  for (BasicBlock* copy : copies)
    if (copy != &header && copy != map[loop.getLoopLatch()]) {
      cast<BasicBlock>(map[loop.getLoopLatch()])->removePredecessor(&header);
      header.getTerminator()->eraseFromParent();
      BranchInst::Create(copy, &header);
    }
  return &header;
}

/// Writes the test at run time, and a path beside the loop on which the group's first work-item calls the reduction.
void write_call(Loop& loop, const TreeReduction& reduction) {
  Function& kernel = *loop.getHeader()->getParent();
  Module& module = *kernel.getParent();
  ReductionWriter writer(module, reduction);
  BasicBlock* path = BasicBlock::Create(kernel.getContext(), "reduction", &kernel, loop.getExitBlock());
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
  build.CreateCondBr(build.CreateAnd(build.CreateAnd(is_power, fits), fills), path, loop.getHeader());
  enter->eraseFromParent();
  build.SetInsertPoint(path);
  query(Intrinsic::barrier);
  Value* id = build.CreateTrunc(query(Intrinsic::local_id), build.getInt32Ty());
  Value* is_first = build.CreateICmpEQ(id, build.getInt32(0));
  CallInst* last_barrier = query(Intrinsic::barrier);
  build.CreateBr(loop.getExitBlock());
  build.SetInsertPoint(SplitBlockAndInsertIfThen(is_first, last_barrier, /*Unreachable=*/false));
  build.CreateCall(&writer.write(), {reduction.array, number});
  BasicBlock& first = *build.GetInsertBlock();
  if (BasicBlock* copy = counting_copy(loop, reduction, first, *last_barrier->getParent(), size, number))
    first.getTerminator()->setSuccessor(0, copy);
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
    if (const auto reduction = Reader(*loop, forms).read()) reductions.emplace_back(loop, *reduction);
  for (auto& [loop, reduction] : reductions)
    if (!loop->getLoopPreheader())
      InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
  for (auto& [loop, reduction] : reductions)
    write_call(*loop, reduction);
  return reductions.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace hostcl::compiler
