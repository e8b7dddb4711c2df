#pragma once

// Parameters whose objects may have bytes in common: buffers, of which the host says where they lie, and images, which it
// describes (compiler/abi/image.hpp).
//
// Tests: tests/passes/checks/races/split_races*.ll

#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// Whether a parameter is an image.
bool is_image(const llvm::Value& object);

/// Whether two parameters may point into the same object in a launch, as an i1.
llvm::Value* overlap(llvm::IRBuilder<>& builder, llvm::Argument& left, llvm::Argument& right);

} // namespace hostcl::compiler
