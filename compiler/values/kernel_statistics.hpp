#pragma once

// Computes kernel statistics for profiles (compiler/kernel_statistics.hpp): what a kernel's work-items do. The kernel must be
// one function in SSA form, before it is vectorised. Test: compiler/tests/kernel_statistics.cpp

#include "compiler/kernel_statistics.hpp"

namespace llvm {
class Function;
}

namespace hostcl::compiler {

KernelStatistics statistics_of(llvm::Function& kernel);

} // namespace hostcl::compiler
