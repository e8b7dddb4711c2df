#pragma once

// The groups that a launch runs in, if its kernel may run in any (passes/vectorise/choose/free_groups.hpp). They follow
// from the global size, so that a kernel is as fast whatever local size the application has given or not given:
//
//   rows of work-items along the lanes         256 x 1     a copy of a matrix
//   blocks, where loops share vectors            64 x 8     a product of matrices
//   blocks, where rows share cache lines        64 x 16     a transposition
//
// Launches that would have too few groups for many threads keep those that they have, and those whose groups suit the
// kernel as well.
// Test: compiler/tests/group_choice.cpp, tests/kernels/groups/free_groups.cpp

#include "compiler/code/variant.hpp"
#include "compiler/compiler.hpp"

namespace hostcl::compiler {

/// The size of the groups as they run; none for those of the launch.
GroupSize group_choice(const abi::NDRange& launch, const KernelTraits& traits);

/// The facts of a launch whose groups have the size.
Variant variant_for(const abi::NDRange& launch, GroupSize groups);

} // namespace hostcl::compiler
