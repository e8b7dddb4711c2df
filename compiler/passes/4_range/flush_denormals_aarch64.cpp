#include "compiler/passes/4_range/flush_denormals.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAArch64.h"

namespace hostcl::compiler {

using namespace llvm;

void flush_denormals(BasicBlock& first, BasicBlock& last) {
  constexpr std::uint64_t flush = 1 << 24; // FPCR.FZ
  IRBuilder<> builder(&first);
  Value* before = builder.CreateIntrinsic(Intrinsic::aarch64_get_fpcr, {}, {}, nullptr, "mode");
  builder.CreateIntrinsic(Intrinsic::aarch64_set_fpcr, {}, {builder.CreateOr(before, flush)});
  builder.SetInsertPoint(&last);
  builder.CreateIntrinsic(Intrinsic::aarch64_set_fpcr, {}, {before});
}

} // namespace hostcl::compiler
