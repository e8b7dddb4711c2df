#pragma once

// Instructions that permute whole vectors by a variable index vector. Each architecture has its own source file.

#include "llvm/IR/Intrinsics.h"

namespace hostcl::compiler {

/// LLVM's intrinsic that permutes vectors of `width` elements of `bits` bits, for CPUs with Capabilities::permutes and
/// vectors of this size; not_intrinsic if there is none.
llvm::Intrinsic::ID whole_permutation(unsigned width, unsigned bits);

} // namespace hostcl::compiler
