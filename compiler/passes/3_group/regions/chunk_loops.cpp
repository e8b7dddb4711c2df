#include "compiler/passes/3_group/regions/chunk_loops.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/metadata.hpp"

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

Value* size_of(IRBuilder<>& builder, Intrinsic intrinsic, unsigned dimension, const KernelShape& shape) {
  static constexpr const char* names[] = {"size.x", "size.y", "size.z"};
  if (dimension >= shape.dimensions) return builder.getInt64(1);
  Function* query = declare_intrinsic(*builder.GetInsertBlock()->getModule(), intrinsic);
  return builder.CreateCall(query, {builder.getInt32(dimension)}, names[dimension]);
}

/// The number of work-items from one chunk to the next: the width, or 1 in groups whose rows are split.
Value* chunk_step(IRBuilder<>& builder, const KernelShape& shape) {
  if (!shape.partial_sub_groups) return builder.getInt64(shape.width);
  Module& module = *builder.GetInsertBlock()->getModule();
  Value* stride = builder.CreateCall(declare_intrinsic(module, Intrinsic::sub_group_stride));
  return builder.CreateZExt(stride, builder.getInt64Ty(), "step");
}

/// ceil(items / step) without wrap for any size of a group.
Value* started_chunks(IRBuilder<>& builder, Value* items, Value* step, const KernelShape& shape) {
  if (shape.width == 1) return items;
  if (shape.full_chunks) return builder.CreateUDiv(items, step, "chunks", true);
  Value* below = builder.CreateSub(step, builder.getInt64(1), "", true, true);
  return builder.CreateUDiv(builder.CreateAdd(items, below, "", true, true), step, "chunks");
}

Value* product(IRBuilder<>& builder, Value* a, Value* b) {
  if (auto* constant = dyn_cast<ConstantInt>(b); constant && constant->isOne()) return a;
  return builder.CreateMul(a, b, "", true, true);
}

/// Fills the group's sizes along the kernel's dimensions. With linearised sub-groups, all work-items lie along x.
void set_sizes(IRBuilder<>& builder, Intrinsic intrinsic, const KernelShape& shape, Value* (&size)[3]) {
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    size[dimension] = size_of(builder, intrinsic, dimension, shape);
  if (!shape.linearised_sub_groups) return;
  size[0] = product(builder, product(builder, size[0], size[1]), size[2]);
  size[1] = size[2] = builder.getInt64(1);
}

} // namespace

CountedLoop counted_loop(BasicBlock* before, Value* count, const char* name) {
  Function* function = before->getParent();
  LLVMContext& context = before->getContext();
  CountedLoop loop;
  loop.body = BasicBlock::Create(context, Twine(name) + ".loop", function);
  loop.latch = BasicBlock::Create(context, Twine(name) + ".latch", function);
  loop.after = BasicBlock::Create(context, Twine(name) + ".after", function);
  IRBuilder<>(before).CreateBr(loop.body);

  IRBuilder<> builder(loop.body);
  PHINode* counter = builder.CreatePHI(builder.getInt64Ty(), 2, name);
  counter->addIncoming(builder.getInt64(0), before);
  builder.SetInsertPoint(loop.latch);
  Value* next = builder.CreateAdd(counter, builder.getInt64(1), Twine(name) + ".next", true, true);
  counter->addIncoming(next, loop.latch);
  builder.CreateCondBr(builder.CreateICmpULT(next, count), loop.body, loop.after);
  loop.counter = counter;
  return loop;
}

CountedLoop group_loop(BasicBlock* before, Value* count, const char* name, const KernelShape& shape) {
  CountedLoop loop = counted_loop(before, count, name);
  if (!shape.reversed) return loop;
  IRBuilder<> builder(loop.body);
  Value* last = builder.CreateSub(count, builder.getInt64(1), "", true, true);
  loop.counter = builder.CreateSub(last, loop.counter, Twine(name) + ".reversed", true, true);
  return loop;
}

GroupExtent group_extent(BasicBlock* at_end_of, const KernelShape& shape) {
  IRBuilder<> builder(at_end_of);
  Intrinsic intrinsic = shape.uniform_groups ? Intrinsic::enqueued_local_size : Intrinsic::local_size;
  GroupExtent extent;
  set_sizes(builder, intrinsic, shape, extent.size);
  extent.step = chunk_step(builder, shape);
  extent.chunks_x = started_chunks(builder, extent.size[0], extent.step, shape);
  return extent;
}

Value* enqueued_chunks(BasicBlock* at_end_of, const KernelShape& shape) {
  IRBuilder<> builder(at_end_of);
  Value* size[3];
  set_sizes(builder, Intrinsic::enqueued_local_size, shape, size);
  Value* chunks_x = shape.partial_sub_groups
                        ? size[0]
                        : started_chunks(builder, size[0], builder.getInt64(shape.width), shape);
  return product(builder, product(builder, chunks_x, size[1]), size[2]);
}

namespace {

/// One loop over all rows that steps y and z, for tier 0 code: fewer loops take the compiler less time.
RowLoops stepped_rows(BasicBlock* before, const GroupExtent& extent) {
  IRBuilder<> builder(before);
  CountedLoop rows = counted_loop(before, product(builder, extent.size[1], extent.size[2]), "row");
  builder.SetInsertPoint(rows.body);
  PHINode* y = builder.CreatePHI(builder.getInt64Ty(), 2, "y");
  PHINode* z = builder.CreatePHI(builder.getInt64Ty(), 2, "z");
  Value* first_chunk = product(builder, rows.counter, extent.chunks_x);
  builder.SetInsertPoint(rows.latch->getTerminator());
  Value* next_y = builder.CreateAdd(y, builder.getInt64(1), "", true, true);
  Value* wraps = builder.CreateICmpEQ(next_y, extent.size[1]);
  Value* next_z = builder.CreateAdd(z, builder.CreateZExt(wraps, builder.getInt64Ty()), "", true, true);
  for (PHINode* id : {y, z})
    id->addIncoming(builder.getInt64(0), before);
  y->addIncoming(builder.CreateSelect(wraps, builder.getInt64(0), next_y), rows.latch);
  z->addIncoming(next_z, rows.latch);
  return {y, z, first_chunk, rows.body, rows.latch, rows.after};
}

} // namespace

RowLoops row_loops(BasicBlock* before, const GroupExtent& extent, const KernelShape& shape) {
  IRBuilder<> builder(before);
  if (shape.dimensions == 1 || shape.linearised_sub_groups)
    return {builder.getInt64(0), builder.getInt64(0), builder.getInt64(0), before, nullptr, nullptr};
  if (shape.dimensions == 3 && shape.tier0 && !shape.reversed) return stepped_rows(before, extent);
  CountedLoop z{builder.getInt64(0), before, nullptr, nullptr};
  const bool has_z = shape.dimensions == 3;
  if (has_z) z = group_loop(before, extent.size[2], "z", shape);
  CountedLoop y = group_loop(z.body, extent.size[1], "y", shape);
  if (has_z) IRBuilder<>(y.after).CreateBr(z.latch);
  builder.SetInsertPoint(y.body);
  Value* row = y.counter;
  if (has_z) row = builder.CreateAdd(product(builder, z.counter, extent.size[1]), row, "", true, true);
  return {y.counter, z.counter, product(builder, row, extent.chunks_x),
          y.body,    y.latch,   has_z ? z.after : y.after};
}

void set_loop_metadata(BasicBlock* latch, MDNode* access_group) {
  LLVMContext& context = latch->getContext();
  SmallVector<Metadata*, 4> operands{nullptr,
                                     MDNode::get(context, MDString::get(context, "llvm.loop.mustprogress")),
                                     MDNode::get(context, MDString::get(context, metadata::items))};
  if (access_group)
    operands.push_back(
        MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), access_group}));
  MDNode* loop = MDNode::getDistinct(context, operands);
  loop->replaceOperandWith(0, loop);
  latch->getTerminator()->setMetadata(LLVMContext::MD_loop, loop);
}

} // namespace hostcl::compiler
