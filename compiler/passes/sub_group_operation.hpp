#pragma once

// Parses the names of `__hostcl_sub_group_*` functions (docs/kernel-ir.md). Test: sub_group_operation.cpp

#include <optional>

namespace llvm {
class CallBase;
class Constant;
class Function;
class Type;
} // namespace llvm

namespace hostcl::compiler {

enum class Combine { add, mul, and_, or_, xor_, smin, smax, umin, umax, fadd, fmul, fmin, fmax };

/// The neutral element of an operation, as a scalar or vector: combining it with a value gives that value, including
/// the sign of zero. For fmin and fmax it is NaN: with infinity, the result would be infinity instead of NaN if all
/// values are NaN.
llvm::Constant* neutral_value(Combine combine, llvm::Type* type);

struct SubGroupOperation {
  enum Kind { any, all, ballot, shuffle, broadcast, first, reduce, scan_inclusive, scan_exclusive };
  Kind kind;
  Combine combine = Combine::add; ///< of reductions and scans

  bool is_scan() const { return kind == scan_inclusive || kind == scan_exclusive; }
};

/// The operation of the function; nothing if its name or type is not one of those in docs/kernel-ir.md.
std::optional<SubGroupOperation> sub_group_operation(const llvm::Function& function);

/// The operation of a call for which called_intrinsic() returns Intrinsic::sub_group.
SubGroupOperation called_operation(const llvm::CallBase& call);

/// Whether the kernel has sub-group operations, so that it can tell which work-items share a vector. Lanes must then be
/// consecutive in the linear local id: in groups of several rows, the width has to divide the row length.
bool uses_sub_groups(const llvm::Function& kernel);

} // namespace hostcl::compiler
