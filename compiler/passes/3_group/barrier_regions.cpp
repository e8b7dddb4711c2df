// Turns a kernel for one work-item (or one vector of work-items) into a function that runs a whole work-group: the code
// between two barriers, a region, becomes a loop over the group's chunks. A chunk is the set of work-items that one
// call of the kernel runs. (Work-item loops, as in pocl: Jääskeläinen et al., IJPP 2015.)
//
//   before:  define spir_kernel void @k(ptr addrspace(1) %p) {
//              %x = call i64 @__hostcl_local_id(i32 0)
//              %v = call float @compute(i64 %x)
//              call void @__hostcl_barrier(i32 1)
//              call void @use(i64 %x, float %v)
//              ret void }
//
//   after:   define spir_kernel void @k(ptr addrspace(1) %p) {      ; sketch
//              %slot = context + ...
//              for (x = 0; x != local_size(0); ++x)  slot[x] = compute(x)
//              for (x = 0; x != local_size(0); ++x)  use(x, slot[x])
//              ret void }
//
// Barriers may be anywhere that the specification allows, including loops and conditional code. Work-items that return
// before the others reach a barrier are skipped by the later loops. Values that are uniform over the group stay in
// registers, cheap expressions of ids are computed again, and other values that are live across a barrier are stored in
// the context (regions/cross_values.hpp). Private arrays whose contents are live across a barrier move to the context
// (regions/private_memory.hpp).
//
// In: everything is inlined; barriers are direct calls; the pass reads the attributes of ir/kernel_shape.hpp. A
// kernel for groups of one work-item (single_item.cpp) stays as it is.
//
// Out: no local id, lane mask or barrier is left; the attributes of `context_size` tell how many bytes of context a
// group needs.
//
// Tests: tests/passes/3_group/barrier_regions*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/3_group/regions/chunk_loops.hpp"
#include "compiler/passes/3_group/regions/group_frame.hpp"
#include "compiler/passes/3_group/regions/region_emitter.hpp"
#include "compiler/values/group_uniformity.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Splits blocks after the barriers. @returns the blocks after the barriers
std::vector<BasicBlock*> split_after(ArrayRef<Instruction*> barriers) {
  std::vector<BasicBlock*> behind;
  for (Instruction* barrier : barriers) {
    Instruction* next = barrier->getNextNode();
    if (!is_call_of(*next, Intrinsic::barrier)) behind.push_back(SplitBlock(barrier->getParent(), next));
  }
  return behind;
}

/// Inserts a new entry block for code that runs once per group, and moves all allocas to it.
BasicBlock& make_group_block(Function& kernel) {
  BasicBlock& first = kernel.getEntryBlock();
  BasicBlock* group = BasicBlock::Create(kernel.getContext(), "group", &kernel, &first);
  BranchInst* branch = IRBuilder<>(group).CreateBr(&first);
  for (BasicBlock& block : kernel)
    for (Instruction& instruction : make_early_inc_range(block))
      if (isa<AllocaInst>(instruction)) instruction.moveBefore(branch->getIterator());
  return *group;
}

/// Hoists instructions of the first block whose operands are uniform to the block that runs once per group.
void hoist_uniform(BasicBlock& first, BasicBlock& group) {
  for (Instruction& instruction : make_early_inc_range(first)) {
    if (isa<PHINode>(instruction) || instruction.mayReadOrWriteMemory() ||
        is_source_of_divergence(instruction) || !isSafeToSpeculativelyExecute(&instruction))
      continue;
    bool ready = none_of(instruction.operands(), [&](const Use& use) {
      auto* operand = dyn_cast<Instruction>(use.get());
      return operand && (operand->getParent() != &group || is_source_of_divergence(*operand));
    });
    if (ready) instruction.moveBefore(group.getTerminator()->getIterator());
  }
}

/// Drops noalias scopes (`restrict`). The promise of a scope holds for one work-item and one execution of the scope;
/// after the scope's code has been split into several loops over work-items, the metadata would promise more.
void drop_inner_alias_scopes(Function& kernel) {
  SmallVector<Instruction*, 4> scopes;
  for (Instruction& instruction : instructions(kernel))
    if (isa<NoAliasScopeDeclInst>(instruction)) scopes.push_back(&instruction);
  if (scopes.empty()) return;
  for (Instruction* scope : scopes)
    scope->eraseFromParent();
  for (Instruction& instruction : instructions(kernel)) {
    instruction.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    instruction.setMetadata(LLVMContext::MD_noalias, nullptr);
  }
}

/// Moves blocks to the function's end, so that the IR lists blocks in the order in which they run.
void move_to_end(std::initializer_list<BasicBlock*> blocks) {
  for (BasicBlock* block : blocks)
    if (block) block->moveAfter(&block->getParent()->back());
}

/// Writes the loops over a group's chunks, for each region, and the control flow between regions.
class GroupBuilder {
public:
  GroupBuilder(Function& kernel, BasicBlock& group, GroupFrame& frame, bool uses_mask)
      : kernel_(kernel),
        shape_(frame.shape),
        frame_(frame),
        has_tails_(uses_mask && shape_.width > 1 && !shape_.full_chunks),
        extent_(group_extent(&group, shape_)) {
    for (std::size_t i = 0; i < frame.graph.regions.size(); ++i)
      starts_.push_back(BasicBlock::Create(kernel.getContext(), "region", &kernel));
    end_ = BasicBlock::Create(kernel.getContext(), "group.end", &kernel);
    IRBuilder<>(end_).CreateRetVoid();
    IRBuilder<>(&group).CreateBr(starts_.front());
  }

  void run() {
    for (unsigned region = 0; region < starts_.size(); ++region) {
      move_to_end({starts_[region]});
      IRBuilder<> builder(starts_[region]);
      builder.CreateStore(builder.getInt32(frame_.finished()), frame_.next_of_group);
      BasicBlock* after = emit_chunks(region);
      continue_after(region, after);
    }
    move_to_end({end_});
  }

private:
  /// Writes the code of a chunk between the blocks `head` and `latch`. `number` is the chunk's number in its row.
  /// `remaining` is the number of work-items from the chunk's first one to the row's end if the chunk may be partial,
  /// and null otherwise.
  using EmitChunk = function_ref<void(BasicBlock* head, BasicBlock* latch, Value* number, Value* remaining)>;

  /// Whether the loop over rows is inside the loop over chunks of a row, because rows load the same vectors
  /// (2_vector/choose/group_size_agnostic.cpp).
  bool has_columns() const {
    return shape_.group_rows > 1 && shape_.dimensions > 1 && shape_.width > 1 && !shape_.reversed &&
           !shape_.tier0 && !shape_.linearised_sub_groups && !shape_.partial_sub_groups &&
           starts_.size() == 1;
  }
  BasicBlock* emit_chunks(unsigned region) {
    if (has_columns())
      return emit_full_and_partial(starts_[region],
                                   [&](BasicBlock* head, BasicBlock* latch, Value* number, Value* remaining) {
                                     emit_rows_of_chunk(region, head, latch, number, remaining);
                                   });
    RowLoops rows = row_loops(starts_[region], extent_, shape_);
    if (rows.latch) move_to_end({rows.body});
    const bool split =
        has_tails_ && !shape_.partial_sub_groups && !shape_.reversed && !shape_.tier0 && starts_.size() == 1;
    auto emit = [&](BasicBlock* head, BasicBlock* latch, Value* number, Value* remaining) {
      emit_chunk(region, rows, head, latch, number, remaining);
    };
    BasicBlock* row_end = split ? emit_full_and_partial(rows.body, emit) : emit_row(region, rows);
    if (!rows.latch) return row_end;
    IRBuilder<>(row_end).CreateBr(rows.latch);
    set_loop_metadata(rows.latch, nullptr);
    move_to_end({rows.latch, rows.after});
    return rows.after;
  }

  /// Writes one loop over all chunks of a row. The mask is computed for each chunk, if it is used.
  BasicBlock* emit_row(unsigned region, const RowLoops& rows) {
    CountedLoop loop = group_loop(rows.body, extent_.chunks_x, "chunk", shape_);
    move_to_end({loop.body});
    IRBuilder<> builder(loop.body);
    Value* remaining = nullptr;
    if (has_tails_) {
      Value* first = builder.CreateMul(loop.counter, extent_.step, "", true, true);
      remaining = builder.CreateSub(extent_.size[0], first, "remaining", true, true);
    }
    emit_chunk(region, rows, loop.body, loop.latch, loop.counter, remaining);
    set_loop_metadata(loop.latch, frame_.access_group);
    move_to_end({loop.latch, loop.after});
    return loop.after;
  }

  /// Calls `emit` for a loop over the full chunks of a row, whose mask is constant, and a second time for the partial
  /// chunk at the row's end, if rows may have one. Called for groups without partial sub-groups.
  BasicBlock* emit_full_and_partial(BasicBlock* before, EmitChunk emit) {
    auto block = [&](const char* name) { return BasicBlock::Create(kernel_.getContext(), name, &kernel_); };
    BasicBlock *full = block("full"), *rest = block("rest");
    IRBuilder<> builder(before);
    Value *width = builder.getInt64(shape_.width), *count = extent_.chunks_x, *remaining = nullptr;
    if (has_tails_) {
      count = builder.CreateUDiv(extent_.size[0], width);
      remaining = builder.CreateURem(extent_.size[0], width);
      builder.CreateCondBr(builder.CreateIsNotNull(count), full, rest);
    } else {
      builder.CreateBr(full);
    }
    CountedLoop loop = counted_loop(full, count, "chunk");
    emit(loop.body, loop.latch, loop.counter, nullptr);
    set_loop_metadata(loop.latch, frame_.access_group);
    IRBuilder<>(loop.after).CreateBr(rest);
    move_to_end({loop.latch, loop.after, rest});
    if (!has_tails_) return rest;

    BasicBlock *tail = block("tail"), *end = block("row.end");
    builder.SetInsertPoint(rest);
    builder.CreateCondBr(builder.CreateIsNotNull(remaining), tail, end);
    emit(tail, end, count, remaining);
    move_to_end({end});
    return end;
  }

  /// Writes the loop over rows inside the loop over chunks.
  void emit_rows_of_chunk(unsigned region, BasicBlock* before, BasicBlock* after, Value* number,
                          Value* remaining) {
    RowLoops rows = row_loops(before, extent_, shape_);
    move_to_end({rows.body});
    emit_chunk(region, rows, rows.body, rows.latch, number, remaining);
    set_loop_metadata(rows.latch, frame_.access_group);
    IRBuilder<>(rows.after).CreateBr(after);
    move_to_end({rows.latch, rows.after});
  }

  void emit_chunk(unsigned region, const RowLoops& rows, BasicBlock* head, BasicBlock* latch, Value* number,
                  Value* remaining) {
    IRBuilder<> builder(head);
    ChunkCode code{starts_[region], head, latch, {number, rows.y, rows.z}, number, nullptr};
    if (shape_.width > 1) {
      code.local_id[0] = builder.CreateMul(number, extent_.step, "x", true, true);
      code.mask = remaining ? lanes_below(remaining, builder)
                            : ConstantInt::getTrue(FixedVectorType::get(builder.getInt1Ty(), shape_.width));
    }
    if (rows.latch) code.chunk = builder.CreateAdd(rows.first_chunk, number, "", true, true);
    emit_region(region, code, frame_);
  }

  Value* lanes_below(Value* count, IRBuilder<>& builder) {
    Value* lanes = builder.CreateStepVector(FixedVectorType::get(builder.getInt32Ty(), shape_.width));
    Value* limit = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, extent_.step);
    limit = builder.CreateTrunc(limit, builder.getInt32Ty(), "", true, true);
    return builder.CreateICmpULT(lanes, builder.CreateVectorSplat(shape_.width, limit), "lanes");
  }

  void continue_after(unsigned number, BasicBlock* after) {
    const Region& region = frame_.graph.regions[number];
    const Lockstep lockstep = frame_.graph.lockstep;
    const bool group_decides = lockstep != Lockstep::not_guaranteed;
    IRBuilder<> builder(after);
    if (lockstep == Lockstep::complete && !region.returns && region.next.size() == 1) {
      builder.CreateBr(starts_[region.next[0]]);
      return;
    }
    if (group_decides && region.next.empty()) {
      builder.CreateBr(end_);
      return;
    }
    Value* next = group_decides ? builder.CreateLoad(builder.getInt32Ty(), frame_.next_of_group)
                                : earliest_next(builder);
    SwitchInst* choice = builder.CreateSwitch(next, end_);
    for (unsigned target = 0; target < starts_.size(); ++target)
      if (group_decides ? is_contained(region.next, target) : target != 0)
        choice->addCase(builder.getInt32(target), starts_[target]);
  }

  /// The region that runs next if chunks may have diverged: the smallest of the chunks' next regions. Regions at joins
  /// have lower numbers than regions after barriers, so chunks that have not reached the barrier yet run first.
  /// Afterwards the builder is in a new block.
  Value* earliest_next(IRBuilder<>& builder) {
    Value* chunks = extent_.chunks_x;
    for (unsigned dimension : {1u, 2u})
      chunks = builder.CreateMul(chunks, extent_.size[dimension], "", true, true);
    BasicBlock* before = builder.GetInsertBlock();
    CountedLoop loop = counted_loop(before, chunks, "waiting");
    builder.SetInsertPoint(loop.body);
    PHINode* earliest = builder.CreatePHI(builder.getInt32Ty(), 2, "earliest");
    const ChunkArray& array = frame_.next_of_chunk;
    Value* address = builder.CreateInBoundsGEP(builder.getInt32Ty(), array.base, loop.counter);
    Value* next = builder.CreateAlignedLoad(builder.getInt32Ty(), address, Align(4));
    Value* minimum = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, earliest, next);
    builder.CreateBr(loop.latch);
    earliest->addIncoming(builder.getInt32(frame_.finished()), before);
    earliest->addIncoming(minimum, loop.latch);
    builder.SetInsertPoint(loop.after);
    return minimum;
  }

  Function& kernel_;
  const KernelShape shape_;
  GroupFrame& frame_;
  bool has_tails_; ///< whether rows may end with a partial chunk, whose mask the code uses
  GroupExtent extent_;
  std::vector<BasicBlock*> starts_;
  BasicBlock* end_;
};

void erase_moved_variables(const GroupFrame& frame) {
  for (const PrivateArray& array : frame.arrays) {
    if (array.place == PrivatePlace::stack) continue;
    array.variable->replaceAllUsesWith(PoisonValue::get(array.variable->getType()));
    array.variable->eraseFromParent();
  }
}

void run_on_kernel(Function& kernel, const Switches& switches) {
  removeUnreachableBlocks(kernel);
  DebugPlaces debug_places(kernel);
  SmallVector<Instruction*, 16> barriers;
  for (Instruction& instruction : instructions(kernel))
    if (is_call_of(instruction, Intrinsic::barrier)) barriers.push_back(&instruction);
  const std::vector<BasicBlock*> behind = split_after(barriers);
  if (!behind.empty()) drop_inner_alias_scopes(kernel);
  BasicBlock& group = make_group_block(kernel);
  BasicBlock& first = *group.getSingleSuccessor();

  // With variables for debuggers, no code is hoisted: each line must belong to a work-item.
  if (!debug_places.has_variables()) hoist_uniform(first, group);
  std::optional<GroupUniformity> uniformity;
  if (!behind.empty()) uniformity.emplace(kernel); // takes long for large kernels with much divergence
  RegionGraph graph = build_region_graph(kernel, first, behind, uniformity ? &*uniformity : nullptr);
  CrossValues values(graph, uniformity ? &*uniformity : nullptr, switches);
  for (Instruction* barrier : barriers)
    barrier->eraseFromParent();

  const auto original = to_vector(make_pointer_range(drop_begin(kernel)));
  bool uses_mask =
      any_of(instructions(kernel), [](Instruction& i) { return is_call_of(i, Intrinsic::lane_mask); });
  group.getTerminator()->eraseFromParent();
  GroupFrame frame(group, kernel_shape(kernel), graph, values, debug_places);
  GroupBuilder(kernel, group, frame, uses_mask).run();
  debug_places.describe(group);
  DeleteDeadBlocks(original);
  erase_moved_variables(frame);
  frame.promote_variables();

  set_context_size(kernel, frame.context_size);
  kernel.removeFnAttr(Attribute::Memory);
}

} // namespace

PreservedAnalyses barrier_regions_pass(Function& function, FunctionAnalysisManager&,
                                       const Switches& switches) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  if (kernel_shape(function).single_item) return PreservedAnalyses::all(); // the kernel runs a whole group
  run_on_kernel(function, switches);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
