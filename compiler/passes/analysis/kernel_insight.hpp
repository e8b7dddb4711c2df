#pragma once

// Computes kernel statistics for profiles (compiler/insight.hpp): what a kernel's work-items do. The kernel must be one
// function in SSA form, before it is vectorised. Test: compiler/tests/kernel_insight.cpp

#include "compiler/insight.hpp"

namespace llvm {
class Function;
}

namespace hostcl::compiler {

KernelInsight insight_of(llvm::Function& kernel);

} // namespace hostcl::compiler
