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

} // namespace hostcl::compiler
