#pragma once

// Tests whether the objects of two parameters overlap: buffers, whose bounds the host gives, and images, whose
// descriptors contain them (compiler/abi/image.hpp).
//
// Tests: tests/passes/checks/races/split_races*.ll

#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// Writes the test whether the objects of two parameters overlap (i1).
llvm::Value* overlap(llvm::IRBuilder<>& builder, llvm::Argument& left, llvm::Argument& right);

} // namespace hostcl::compiler
