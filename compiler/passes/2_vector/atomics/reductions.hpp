#pragma once

// Reductions and scans over the lanes of a vector, for atomics and for sub-group operations.

#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/2_vector/emission.hpp"

namespace hostcl::compiler {

/// `values` in the active lanes, and the identity element of `combine` in inactive lanes.
llvm::Value* only_active(Emission& e, llvm::RecurKind combine, llvm::Value* values);

/// Combines two vectors element by element.
llvm::Value* combine_values(Emission& e, llvm::RecurKind combine, llvm::Value* left, llvm::Value* right);

/// The reduction of all lanes to a scalar, as a tree. Floating-point sums are rounded in the order of the tree.
llvm::Value* reduce_lanes(Emission& e, llvm::RecurKind combine, llvm::Value* values);

/// `values` shifted up by `distance` lanes; the lowest lanes get lane 0 of `low`.
llvm::Value* moved_up(Emission& e, llvm::Value* values, llvm::Value* low, unsigned distance);

/// The prefix scan: each lane gets the combination of the lanes before it, and of itself if `inclusive`. Lane 0 of an
/// exclusive scan gets the identity element.
llvm::Value* scan_lanes(Emission& e, llvm::RecurKind combine, llvm::Value* values, bool inclusive);

} // namespace hostcl::compiler
