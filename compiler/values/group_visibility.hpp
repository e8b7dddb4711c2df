#pragma once

// Finds whether a kernel can tell which of its work-items share a group. A kernel that uses global ids only cannot, so
// consecutive groups may run as one group:
//
//   %start = mul (group_id 0), (enqueued_local_size 0)
//   %p = getelementptr i32, ptr %in, i64 %start          ; %p alone would show the group
//   %q = getelementptr i32, ptr %p, i64 (local_id 0)     ; element %start + local_id of %in
//
// The linear form of %q (linear_forms.hpp) depends on the group only through the global id: in_global_ids() removes the
// group's id and size from the form. If this is impossible for a value, such as %p, then only sums and products may use
// the value, and their forms are checked in turn; any other use shows the group. In launches of one dimension, queries
// of the second and third dimension are the same in all groups.
//
// Tests: compiler/tests/group_visibility.cpp, tests/passes/atomics/group_atomics.ll,
// tests/passes/2_vector/choose/group_size_agnostic.ll

#include <cstdint>

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// The launches for which the question is asked.
enum class Launches : std::uint8_t {
  of_one_dimension, ///< launches of one dimension whose groups all have the enqueued local size
  of_any_shape
};

/// Whether the kernel can tell its groups. Not to be used after the vectoriser for kernels that had sub-group
/// operations: these are no longer visible.
bool sees_groups(const llvm::Function& kernel, Launches launches);

} // namespace hostcl::compiler
