#pragma once

// How many work-items a call of the kernel runs.

namespace llvm {
class Function;
class TargetTransformInfo;
} // namespace llvm

namespace hostcl::compiler {

struct VectoriseOptions;

/// Lanes that suit the kernel's element types, on a host that `options` and LLVM's `target` describe.
unsigned choose_width(const llvm::Function& kernel, const VectoriseOptions& options,
                      const llvm::TargetTransformInfo& target);

/// Whether the kernel is straight-line code on nothing but bytes or 16-bit numbers, which has more lanes than others.
/// Where rows of its groups are not a multiple of these, groups should have so many longer rows.
bool computes_narrow_numbers(const llvm::Function& kernel);
constexpr unsigned rows_of_narrow_numbers = 4;

} // namespace hostcl::compiler
