#pragma once

// Operations of `__hostcl_sub_group_*` functions (docs/kernel-ir.md) on lanes. Test: sub_group_operation.cpp

#include <optional>

namespace llvm {
class CallBase;
class Constant;
class Function;
class Type;
} // namespace llvm

namespace hostcl::compiler {

enum class Combine { add, mul, and_, or_, xor_, smin, smax, umin, umax, fadd, fmul, fmin, fmax };

/// The value that changes no other value it is combined with, not even the sign of zero; of a scalar or
/// vector type. For fmin and fmax that is NaN: infinity would hide that all others are NaN.
llvm::Constant* neutral_value(Combine combine, llvm::Type* type);

struct SubGroupOperation {
  enum Kind { any, all, ballot, shuffle, broadcast, first, reduce, scan_inclusive, scan_exclusive };
  Kind kind;
  Combine combine = Combine::add; ///< of reductions and scans

  bool is_scan() const { return kind == scan_inclusive || kind == scan_exclusive; }
};

/// The operation that `function` is, or nothing: its name or type is none of those of docs/kernel-ir.md.
std::optional<SubGroupOperation> sub_group_operation(const llvm::Function& function);

/// The operation of a call that called_intrinsic() knows as one.
SubGroupOperation called_operation(const llvm::CallBase& call);

/// Whether the kernel can tell which work-items share a vector. Lanes must then be consecutive in the linear
/// local id, so in groups of several rows the width has to divide the row.
bool uses_sub_groups(const llvm::Function& kernel);

} // namespace hostcl::compiler
