#pragma once

// Finds whether a kernel can tell which of its work-items share a group. One that only asks for global ids
// cannot, so that consecutive groups may run as one:
//
//   %start = mul (group_id 0), (enqueued_local_size 0)
//   %p = getelementptr i32, ptr %in, i64 %start          ; by itself, this would tell
//   %q = getelementptr i32, ptr %p, i64 (local_id 0)     ; element %start + local_id of %in
//
// Values to which group and work-item contribute differently are followed through sums; no other instruction
// may use them. Queries of the second and third dimension are the same in all groups.
// Tests: compiler/tests/group_visibility.cpp, tests/passes/atomics/group_atomics.ll

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the kernel can tell; for kernels of one dimension whose groups all have the enqueued local size. What
/// was made of sub-group operations by the vectoriser does not show.
bool sees_groups(const llvm::Function& kernel);

} // namespace hostcl::compiler
