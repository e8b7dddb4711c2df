#pragma once

// Finds whether a kernel can tell which of its work-items share a group. One that only asks for global ids
// cannot, so that consecutive groups may run as one:
//
//   %start = mul (group_id 0), (enqueued_local_size 0)
//   %p = getelementptr i32, ptr %in, i64 %start          ; by itself, this would tell
//   %q = getelementptr i32, ptr %p, i64 (local_id 0)     ; element %start + local_id of %in
//
// Values to which group and work-item contribute differently are followed through sums; no other instruction
// may use them. In launches of one dimension, queries of the second and third are the same in all groups.
// Tests: compiler/tests/group_visibility.cpp, tests/passes/atomics/group_atomics.ll,
// tests/passes/vectorise/choose/free_groups.ll

#include <cstdint>

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// The launches that a kernel could tell its groups in.
enum class Launches : std::uint8_t {
  of_one_dimension, ///< whose groups all have the enqueued local size
  of_any_shape
};

/// Whether the kernel can tell. What was made of sub-group operations by the vectoriser does not show.
bool sees_groups(const llvm::Function& kernel, Launches launches);

} // namespace hostcl::compiler
