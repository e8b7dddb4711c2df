#include "compiler/passes/4_range/launch_reader.hpp"

#include "llvm/IR/MDBuilder.h"

namespace hostcl::compiler {

using namespace llvm;

Value* LaunchReader::field(std::size_t offset, Type* type, const char* name, std::uint64_t limit) {
  LoadInst*& load = fields_[offset];
  if (load) return load;
  builder_.SetInsertPoint(&block_, block_.begin()); // valid whether or not the block has instructions by now
  Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), launch_, offset);
  const DataLayout& layout = block_.getDataLayout();
  load =
      builder_.CreateAlignedLoad(type, address, Align(layout.getTypeStoreSize(type).getFixedValue()), name);
  MDNode* empty = MDNode::get(builder_.getContext(), {});
  load->setMetadata(LLVMContext::MD_invariant_load, empty);
  load->setMetadata(LLVMContext::MD_noundef, empty);
  if (limit) {
    const unsigned bits = type->getIntegerBitWidth();
    load->setMetadata(LLVMContext::MD_range,
                      MDBuilder(builder_.getContext()).createRange(APInt(bits, 1), APInt(bits, limit)));
  }
  return load;
}

} // namespace hostcl::compiler
