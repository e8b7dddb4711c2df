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
bool computes_narrow_numbers(const llvm::Function& kernel);

} // namespace hostcl::compiler
