#pragma once

// Chooses the number of work-items that a call of the kernel computes.

namespace llvm {
class Function;
class TargetTransformInfo;
} // namespace llvm

namespace hostcl::compiler {

struct VectoriseOptions;

/// The number of lanes that suits the kernel's element types on the CPU that `options` and `target` describe.
unsigned choose_width(const llvm::Function& kernel, const VectoriseOptions& options,
                      const llvm::TargetTransformInfo& target);

/// How many registers each value should have: 1, 2 or 4. `lanes` is the number of lanes of one register.
unsigned interleave_count(const llvm::Function& kernel, const llvm::TargetTransformInfo& target,
                          unsigned lanes, const VectoriseOptions& options);

/// Whether the kernel is straight-line code on nothing but 8-bit or 16-bit integers. Such kernels get more lanes than
/// others.
bool computes_narrow_numbers(const llvm::Function& kernel);
/// The rows that a group of such a kernel should have: long rows, so that fewer lanes of a row's last vector are idle.
constexpr unsigned rows_of_narrow_numbers = 4;

} // namespace hostcl::compiler
