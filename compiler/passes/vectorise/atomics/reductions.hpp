#pragma once

// Reductions and scans over the lanes of a vector, for atomics and sub-groups.

#include "compiler/passes/sub_group_operation.hpp"
#include "compiler/passes/vectorise/emission.hpp"

namespace hostcl::compiler {

/// `values` in active lanes of the current mask, the neutral value in others.
llvm::Value* only_active(Emission& e, Combine combine, llvm::Value* values);

/// Combines two vectors element by element.
llvm::Value* combine_values(Emission& e, Combine combine, llvm::Value* left, llvm::Value* right);

/// All lanes combined, as a scalar. Sums of floats add up pairs first.
llvm::Value* reduce_lanes(Emission& e, Combine combine, llvm::Value* values);

/// For each lane the lanes before it combined, and itself if `inclusive`; the neutral value where there is
/// none.
llvm::Value* scan_lanes(Emission& e, Combine combine, llvm::Value* values, bool inclusive);

} // namespace hostcl::compiler
