#pragma once

// Reductions and scans over the lanes of a vector, for atomics and sub-groups.

#include "compiler/passes/vectorise/emission.hpp"

namespace hostcl::compiler {

enum class Combine { add, mul, and_, or_, xor_, smin, smax, umin, umax, fadd, fmul, fmin, fmax };

/// The value that changes nothing, of a scalar or vector type.
llvm::Constant* identity_of(Combine combine, llvm::Type* type);

/// `values` in active lanes of the current mask, the identity in others.
llvm::Value* only_active(Emission& e, Combine combine, llvm::Value* values);

/// Element by element.
llvm::Value* combine_values(Emission& e, Combine combine, llvm::Value* left, llvm::Value* right);

/// All lanes combined, as a scalar. Sums of floats add up pairs first.
llvm::Value* reduce_lanes(Emission& e, Combine combine, llvm::Value* values);

/// For each lane the lanes before it combined, and itself if `inclusive`.
llvm::Value* scan_lanes(Emission& e, Combine combine, llvm::Value* values, bool inclusive);

} // namespace hostcl::compiler
