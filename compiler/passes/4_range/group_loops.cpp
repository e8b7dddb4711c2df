#include "compiler/passes/4_range/group_loops.hpp"

#include <array>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// A loop along x, from `first` until `last`, with y and z constant in it.
GroupLoop line_of_groups(BasicBlock* start, BasicBlock* end, Value* first, Value* last, Value* y, Value* z) {
  auto block = [&](const char* name) {
    return BasicBlock::Create(start->getContext(), name, start->getParent());
  };
  BasicBlock *body = block("group"), *latch = block("group.next");
  IRBuilder<> builder(start);
  builder.CreateBr(body);
  builder.SetInsertPoint(body);
  PHINode* x = builder.CreatePHI(builder.getInt64Ty(), 2, "group.x");
  builder.SetInsertPoint(latch);
  Value* next = builder.CreateAdd(x, builder.getInt64(1), "", true, true);
  builder.CreateCondBr(builder.CreateICmpULT(next, last), body, end);
  x->addIncoming(first, start);
  x->addIncoming(next, latch);
  return {body, latch, {x, y, z}};
}

/// Computes the ids of the range's first group. If that is group 0, the most frequent case, no division is executed.
/// Afterwards the builder is in a new block.
std::array<Value*, 3> first_coordinates(IRBuilder<>& builder, Value* group, Value* count_x, Value* count_y) {
  BasicBlock* start = builder.GetInsertBlock();
  LLVMContext& ctx = start->getContext();
  BasicBlock* divide = BasicBlock::Create(ctx, "divide", start->getParent());
  BasicBlock* known = BasicBlock::Create(ctx, "known", start->getParent());
  builder.CreateCondBr(builder.CreateIsNull(group), known, divide);
  builder.SetInsertPoint(divide);
  Value* row = builder.CreateUDiv(group, count_x);
  std::array<Value*, 3> divided = {builder.CreateURem(group, count_x), builder.CreateURem(row, count_y),
                                   builder.CreateUDiv(row, count_y)};
  builder.CreateBr(known);
  builder.SetInsertPoint(known);
  std::array<Value*, 3> coordinates;
  for (unsigned d = 0; d < 3; ++d) {
    PHINode* first = builder.CreatePHI(builder.getInt64Ty(), 2, "first");
    first->addIncoming(builder.getInt64(0), start);
    first->addIncoming(divided[d], divide);
    coordinates[d] = first;
  }
  return coordinates;
}

/// The loops for several dimensions: an inner loop along x, which costs no more than the loop for one dimension, and an
/// outer loop that steps y and z.
GroupLoop rows_of_groups(Function& entry, BasicBlock* start, BasicBlock* end, LaunchReader& fields) {
  Value *first = entry.getArg(first_group), *last = entry.getArg(last_group);
  IRBuilder<> builder(start);
  Value *one = builder.getInt64(1), *zero = builder.getInt64(0);
  Value *count_x = fields.answer(Intrinsic::group_count, 0),
        *count_y = fields.answer(Intrinsic::group_count, 1);
  const auto [start_x, start_y, start_z] = first_coordinates(builder, first, count_x, count_y);
  BasicBlock* before = builder.GetInsertBlock();
  auto block = [&](const char* name) { return BasicBlock::Create(entry.getContext(), name, &entry); };
  BasicBlock *row = block("row"), *row_next = block("row.next");
  builder.CreateBr(row);

  builder.SetInsertPoint(row);
  auto phi = [&](const char* name, Value* initial) {
    PHINode* node = builder.CreatePHI(builder.getInt64Ty(), 2, name);
    node->addIncoming(initial, before);
    return node;
  };
  PHINode *group = phi("row.group", first), *row_x = phi("row.x", start_x);
  PHINode *y = phi("group.y", start_y), *z = phi("group.z", start_z);
  Value* in_row = builder.CreateSub(count_x, row_x, "", true);
  Value* left = builder.CreateSub(last, group, "", true);
  Value* here = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, in_row, left);
  Value* stop_x = builder.CreateAdd(row_x, here, "", true, true);
  const GroupLoop loop = line_of_groups(row, row_next, row_x, stop_x, y, z);

  builder.SetInsertPoint(row_next);
  Value* next_group = builder.CreateAdd(group, here, "", true, true);
  Value* next_y = builder.CreateAdd(y, one, "", true, true);
  Value* wraps = builder.CreateICmpEQ(next_y, count_y);
  group->addIncoming(next_group, row_next);
  row_x->addIncoming(zero, row_next);
  y->addIncoming(builder.CreateSelect(wraps, zero, next_y), row_next);
  z->addIncoming(builder.CreateAdd(z, builder.CreateZExt(wraps, builder.getInt64Ty()), "", true, true),
                 row_next);
  builder.CreateCondBr(builder.CreateICmpULT(next_group, last), row, end);
  return loop;
}

/// A single loop for all dimensions, for tier 0 code: it takes the compiler least time.
GroupLoop stepped_groups(Function& entry, BasicBlock* start, BasicBlock* end, LaunchReader& fields) {
  IRBuilder<> builder(start);
  Value* count[] = {fields.answer(Intrinsic::group_count, 0), fields.answer(Intrinsic::group_count, 1)};
  const auto first = first_coordinates(builder, entry.getArg(first_group), count[0], count[1]);
  BasicBlock* before = builder.GetInsertBlock();
  LLVMContext& ctx = entry.getContext();
  GroupLoop loop{BasicBlock::Create(ctx, "group", &entry), BasicBlock::Create(ctx, "group.next", &entry), {}};
  builder.CreateBr(loop.body);

  builder.SetInsertPoint(loop.body);
  PHINode* group = builder.CreatePHI(builder.getInt64Ty(), 2, "group");
  PHINode* id[3];
  for (unsigned d = 0; d < 3; ++d)
    id[d] = builder.CreatePHI(builder.getInt64Ty(), 2, "group.id");

  builder.SetInsertPoint(loop.latch);
  Value* next_group = builder.CreateAdd(group, builder.getInt64(1), "", true, true);
  Value* carry = builder.getInt64(1);
  for (unsigned d = 0; d < 3; ++d) {
    Value* next = builder.CreateAdd(id[d], carry, "", true, true);
    if (d < 2) {
      Value* wraps = builder.CreateICmpEQ(next, count[d]);
      carry = builder.CreateZExt(wraps, builder.getInt64Ty());
      next = builder.CreateSelect(wraps, builder.getInt64(0), next);
    }
    id[d]->addIncoming(first[d], before);
    id[d]->addIncoming(next, loop.latch);
    loop.id[d] = id[d];
  }
  group->addIncoming(entry.getArg(first_group), before);
  group->addIncoming(next_group, loop.latch);
  builder.CreateCondBr(builder.CreateICmpULT(next_group, entry.getArg(last_group)), loop.body, end);
  return loop;
}

} // namespace

GroupLoop loop_over_groups(const KernelShape& shape, Function& entry, BasicBlock* start, BasicBlock* end,
                           LaunchReader& fields) {
  Value* zero = ConstantInt::get(Type::getInt64Ty(entry.getContext()), 0);
  if (shape.dimensions == 1) // a group's linear number is its id
    return line_of_groups(start, end, entry.getArg(first_group), entry.getArg(last_group), zero, zero);
  return shape.tier0 ? stepped_groups(entry, start, end, fields) : rows_of_groups(entry, start, end, fields);
}

} // namespace hostcl::compiler
