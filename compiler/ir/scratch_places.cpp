#include "compiler/ir/scratch_places.hpp"

#include "compiler/abi/launch.hpp"

#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

using namespace llvm;

std::uint64_t padding_for(std::uint64_t alignment) {
  return alignment > abi::scratch_alignment ? alignment - abi::scratch_alignment : 0;
}

Value* aligned_up(IRBuilderBase& builder, Value* address, std::uint64_t alignment) {
  std::uint64_t padding = padding_for(alignment);
  if (padding == 0) return address;
  Value* last = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address, padding);
  Type* bits = builder.GetInsertBlock()->getDataLayout().getIndexType(address->getType());
  return builder.CreateIntrinsic(llvm::Intrinsic::ptrmask, {address->getType(), bits},
                                 {last, ConstantInt::getSigned(bits, -static_cast<std::int64_t>(alignment))});
}

} // namespace hostcl::compiler
