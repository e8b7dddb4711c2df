#include "compiler/passes/4_range/launch_reader.hpp"

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"

#include "llvm/IR/MDBuilder.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

struct Field {
  Intrinsic query;
  std::size_t offset;
  const char* name;
  std::uint64_t limit = 0; ///< the value is at least 1 and below the limit; 0: not known
};

constexpr Field fields[] = {
    {Intrinsic::global_size, offsetof(abi::Launch, range.global_size), "global_size"},
    {Intrinsic::enqueued_local_size, offsetof(abi::Launch, range.local_size), "enqueued_size",
     abi::max_group_items + 1},
    {Intrinsic::global_offset, offsetof(abi::Launch, range.global_offset), "global_offset"},
    {Intrinsic::group_count, offsetof(abi::Launch, range.group_count), "group_count"},
    {Intrinsic::work_dim, offsetof(abi::Launch, range.work_dim), "work_dim", 4},
    {Intrinsic::default_queue, offsetof(abi::Launch, default_queue), "default_queue"},
};

} // namespace

Value* LaunchReader::answer(Intrinsic query, unsigned dimension) {
  const Field& known = *find_if(fields, [&](const Field& each) { return each.query == query; });
  const unsigned bits = query == Intrinsic::work_dim ? 32 : 64;
  return field(known.offset + dimension * sizeof(std::uint64_t), Type::getIntNTy(block_.getContext(), bits),
               known.name, known.limit);
}

Value* LaunchReader::object(std::size_t offset, Value* argument, Instruction& before) {
  IRBuilder<> builder(&before);
  Value* objects = field(offsetof(abi::Launch, objects), builder.getPtrTy(), "objects");
  Value* place = builder.CreateMul(builder.CreateZExt(argument, builder.getInt64Ty()),
                                   builder.getInt64(sizeof(abi::CheckedObject)));
  place = builder.CreatePtrAdd(objects, builder.CreateAdd(place, builder.getInt64(offset)));
  LoadInst* load = builder.CreateLoad(builder.getInt64Ty(), place);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

Value* LaunchReader::field(std::size_t offset, Type* type, const char* name, std::uint64_t limit) {
  LoadInst*& load = fields_[offset];
  if (load) return load;
  IRBuilder<> builder(&block_, block_.begin());
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), launch_, offset);
  const DataLayout& layout = block_.getDataLayout();
  load = builder.CreateAlignedLoad(type, address, Align(layout.getTypeStoreSize(type).getFixedValue()), name);
  MDNode* empty = MDNode::get(builder.getContext(), {});
  load->setMetadata(LLVMContext::MD_invariant_load, empty);
  load->setMetadata(LLVMContext::MD_noundef, empty);
  if (limit) {
    const unsigned bits = type->getIntegerBitWidth();
    load->setMetadata(LLVMContext::MD_range,
                      MDBuilder(builder.getContext()).createRange(APInt(bits, 1), APInt(bits, limit)));
  }
  return load;
}

} // namespace hostcl::compiler
