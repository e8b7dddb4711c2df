#pragma once

// The instructions that permute whole vectors, in a file for each kind of CPU.

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler {

/// What permutes `width` numbers of `bits` bits on a CPU that permutes and has such vectors; not_intrinsic where nothing does.
llvm::Intrinsic::ID whole_permutation(unsigned width, unsigned bits);

} // namespace hostcl::compiler
