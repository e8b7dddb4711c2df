#include "compiler/passes/2_vector/memory/permutation.hpp"

#include "llvm/IR/IntrinsicsX86.h"

namespace hostcl::compiler {

using namespace llvm;

Intrinsic::ID whole_permutation(unsigned width, unsigned bits) {
  if (bits == 32 && width == 8) return Intrinsic::x86_avx2_permd;
  if (bits == 32 && width == 16) return Intrinsic::x86_avx512_permvar_si_512;
  if (bits == 64 && width == 8) return Intrinsic::x86_avx512_permvar_di_512;
  return Intrinsic::not_intrinsic;
}

} // namespace hostcl::compiler
