#pragma once

// The start of a group, the number of its first work-item without the launch's offset:
//
//   %group = call i64 @__hostcl_group_id(i32 0)
//   %size = call i64 @__hostcl_enqueued_local_size(i32 0)     ; or local_size
//   %start = mul i64 %group, %size
//
// Tests: compiler/tests/index_facts.cpp, compiler/tests/group_visibility.cpp

#include <optional>

namespace llvm {
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// The dimension of the start that `value` is, or nothing.
std::optional<unsigned> dimension_of_start(const llvm::Value& value);

} // namespace hostcl::compiler
