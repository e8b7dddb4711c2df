#pragma once

// Whether a kernel can tell which of its work-items share a group. One that only asks for global ids cannot,
// so that groups which follow each other may run as one:
//
//   %start = mul (group_id 0), (enqueued_local_size 0)
//   %p = getelementptr i32, ptr %in, i64 %start          ; by itself, this would tell
//   %q = getelementptr i32, ptr %p, i64 (local_id 0)     ; what is loaded here is item %start + local_id
//
// Values that group and item contribute to differently are followed through sums; nothing else may use them.
// Tests: tests/passes/group_atomics.ll.

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// For kernels of one dimension, of groups that all have the enqueued local size.
bool sees_groups(const llvm::Function& kernel);

} // namespace hostcl::compiler
