#include "compiler/passes/3_group/regions/group_frame.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/scratch_places.hpp"
#include "compiler/passes/3_group/regions/chunk_loops.hpp"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace hostcl::compiler {

using namespace llvm;

GroupFrame::GroupFrame(BasicBlock& group, const KernelShape& shape, const RegionGraph& graph,
                       const CrossValues& values, DebugPlaces& debug_places)
    : shape(shape),
      graph(graph),
      values(values),
      debug_places(debug_places),
      arrays(place_private_memory(group, graph)),
      context_size{.fixed = hostcl::compiler::context_size(*group.getParent()).fixed},
      group_(group) {
  next_of_group = make_variable(Type::getInt32Ty(group.getContext()), "next");
  if (shape.width == 1 && !shape.group_scratch) access_group = MDNode::getDistinct(group.getContext(), {});
  lay_out_context();
}

AllocaInst* GroupFrame::make_variable(Type* type, const char* name) {
  auto* variable = new AllocaInst(type, group_.getDataLayout().getAllocaAddrSpace(), name, group_.begin());
  variables_.push_back(variable);
  return variable;
}

AllocaInst* GroupFrame::shared(const Instruction& value) {
  AllocaInst*& variable = shared_[&value];
  if (!variable) variable = make_variable(value.getType(), "shared");
  return variable;
}

void GroupFrame::lay_out_context() {
  // The context holds, each at a multiple of the alignment: private arrays with a single copy, then the arrays
  // with an element for each chunk (slots, private arrays, next_of_chunk).
  std::vector<ChunkArray*> chunked;
  IRBuilder<> builder(&group_);
  Value* context = nullptr;
  auto start = [&] {
    if (!context) context = builder.CreateCall(declare_intrinsic(*group_.getModule(), Intrinsic::context));
    return context;
  };
  for (std::uint64_t bytes : values.slot_bytes())
    slots_.push_back({nullptr, bytes});
  for (const PrivateArray& array : arrays) {
    if (array.place == PrivatePlace::stack) continue;
    debug_places.note_moved(*array.variable, group_);
    ChunkArray& memory = array_memory_[array.variable];
    memory.alignment = array.variable->getAlign().value();
    if (array.place == PrivatePlace::chunked) {
      memory.stride = array.bytes;
      continue;
    }
    Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), start(), context_size.fixed);
    memory.base = aligned_up(builder, place, memory.alignment);
    context_size.fixed += alignTo(array.bytes, abi::scratch_alignment) + padding_for(memory.alignment);
  }
  append_range(chunked, make_pointer_range(slots_));
  for (const PrivateArray& array : arrays)
    if (array.place == PrivatePlace::chunked) chunked.push_back(&array_memory_[array.variable]);
  if (chunks_may_part()) {
    next_of_chunk.stride = 4;
    chunked.push_back(&next_of_chunk);
  }
  if (chunked.empty()) return;

  Value* chunks = enqueued_chunks(&group_, shape);
  Value* offset = builder.getInt64(context_size.fixed);
  for (ChunkArray* array : chunked) {
    Value* place = builder.CreateInBoundsGEP(builder.getInt8Ty(), start(), offset, "slot");
    array->base = aligned_up(builder, place, array->alignment);
    Value* bytes = builder.CreateMul(chunks, builder.getInt64(array->stride), "", true, true);
    if (array->stride % abi::scratch_alignment != 0) {
      bytes = builder.CreateAdd(bytes, builder.getInt64(abi::scratch_alignment - 1), "", true, true);
      bytes = builder.CreateAnd(bytes, builder.getInt64(-abi::scratch_alignment));
      context_size.fixed += abi::scratch_alignment;
    }
    if (std::uint64_t padding = padding_for(array->alignment)) {
      bytes = builder.CreateAdd(bytes, builder.getInt64(padding), "", true, true);
      context_size.fixed += padding;
    }
    offset = builder.CreateAdd(offset, bytes, "", true, true);
    context_size.per_chunk += array->stride * (shape.partial_sub_groups ? shape.width : 1);
  }
}

void GroupFrame::promote_variables() {
  DominatorTree tree(*group_.getParent());
  PromoteMemToReg(variables_, tree);
}

} // namespace hostcl::compiler
