#pragma once

// Parses the names of the sub-group operations of docs/kernel-ir.md: all `__hostcl_sub_group_*` functions except
// `lane`, `width` and `stride`, which intrinsics.hpp recognises. Test: sub_group_operation.cpp

#include <optional>

namespace llvm {
class CallBase;
class Constant;
class Function;
class IRBuilderBase;
class Type;
class Value;
enum class RecurKind;
} // namespace llvm

namespace hostcl::compiler {

/// The identity element of an operation, as a scalar or vector: combining the identity element with a value gives that
/// value, including the sign of zero. For FMinNum and FMaxNum the identity element is NaN: with infinity, the result
/// would be infinity instead of NaN if all values are NaN.
llvm::Constant* neutral_value(llvm::RecurKind combine, llvm::Type* type);

struct SubGroupOperation {
  enum Kind { any, all, ballot, shuffle, broadcast, first, reduce, scan_inclusive, scan_exclusive };
  Kind kind;
  llvm::RecurKind combine{}; ///< of reductions and scans

  bool is_scan() const { return kind == scan_inclusive || kind == scan_exclusive; }
};

/// The operation that the function performs; nothing if its name is not the name of an operation, or its return type
/// does not fit the name.
std::optional<SubGroupOperation> sub_group_operation(const llvm::Function& function);

/// The operation of a call for which called_intrinsic() returns Intrinsic::sub_group.
SubGroupOperation called_operation(const llvm::CallBase& call);

/// Inserts the operation `first`. @returns the value of the first active lane; a constant is its own value
/// @param value a scalar or a pointer
llvm::Value* of_first_lane(llvm::IRBuilderBase& build, llvm::Value* value);

/// Whether the kernel has sub-group operations or asks for a lane, a width or a stride, so that its results depend on
/// which work-items share a vector. The lanes of such a kernel must be consecutive in the linear local id. In a group
/// of several rows, therefore, the width divides the row length, or sub-groups are linearised or partial
/// (docs/glossary.md).
bool uses_sub_groups(const llvm::Function& kernel);

} // namespace hostcl::compiler
