#include "compiler/passes/4_range/flush_denormals.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace hostcl::compiler {

using namespace llvm;

void flush_denormals(BasicBlock& first, BasicBlock& last) {
  constexpr std::uint32_t flush_results = 1 << 15, flush_operands = 1 << 6; // FTZ and DAZ bits of MXCSR
  auto access = [](IRBuilder<>& builder, Intrinsic::ID intrinsic, Value* place) {
    builder.CreateIntrinsic(intrinsic, {}, {place});
  };
  IRBuilder<> builder(&first);
  Type* i32 = builder.getInt32Ty();
  Value *before = builder.CreateAlloca(i32, nullptr, "mode"), *flushing = builder.CreateAlloca(i32);
  access(builder, Intrinsic::x86_sse_stmxcsr, before);
  Value* mode = builder.CreateOr(builder.CreateLoad(i32, before), flush_results | flush_operands);
  builder.CreateStore(mode, flushing);
  access(builder, Intrinsic::x86_sse_ldmxcsr, flushing);
  builder.SetInsertPoint(&last);
  access(builder, Intrinsic::x86_sse_ldmxcsr, before);
}

} // namespace hostcl::compiler
