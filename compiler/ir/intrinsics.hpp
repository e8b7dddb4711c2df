#pragma once

// Recognises and declares the `__hostcl_*` intrinsics of docs/kernel-ir.md.

#include <optional>

namespace llvm {
class CallBase;
class Function;
class Module;
class Type;
class Value;
} // namespace llvm

namespace hostcl::compiler {

enum class Intrinsic {
#define INTRINSIC(NAME, RESULT, PARAMETER) NAME,
#include "compiler/ir/intrinsics.def"
#undef INTRINSIC
  sub_group,      ///< any other sub-group operation, see sub_group_operation.hpp
  lane_mask,      ///< of any width
  coverage_count, ///< passes/coverage/instrumentation.hpp
  coverage_mark,
};

/// The intrinsic that `function` is, or nothing.
std::optional<Intrinsic> intrinsic_of(const llvm::Function& function);

/// The intrinsic that `value` calls directly, or nothing.
std::optional<Intrinsic> called_intrinsic(const llvm::Value& value);

/// Whether `value` is a call of `intrinsic`.
bool is_call_of(const llvm::Value& value, Intrinsic intrinsic);

/// Whether `value` is a call that counts executions. It changes nothing that a kernel can see, so passes that look for
/// effects ignore it; but it must run as often as before.
bool counts_executions(const llvm::Value& value);

/// Whether `value` is a query of one dimension: of an id, a size, an offset or a count.
bool is_dimension_query(const llvm::Value& value);

/// The constant argument, 0, 1 or 2, of a call of a work-item query.
unsigned dimension_of(const llvm::CallBase& call);

/// Declares an intrinsic of fixed type in `module`, with the attributes that docs/kernel-ir.md promises.
llvm::Function* declare_intrinsic(llvm::Module& module, Intrinsic intrinsic);

/// Declares coverage_count or coverage_mark.
/// @param operand the type of the second argument: i64, or for coverage_mark a vector with bits for each lane
llvm::Function* declare_coverage_intrinsic(llvm::Module& module, Intrinsic intrinsic, llvm::Type* operand);

/// Declares `<width x i1> __hostcl_lane_mask()`, or `__hostcl_lane_mask.WIDTH` if the module has the former with
/// another width.
llvm::Function* declare_lane_mask(llvm::Module& module, unsigned width);

/// Sets the attributes of docs/kernel-ir.md on every intrinsic that the module declares.
void annotate_intrinsics(llvm::Module& module);

} // namespace hostcl::compiler
