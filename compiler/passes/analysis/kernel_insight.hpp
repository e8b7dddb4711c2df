#pragma once

// What a kernel's work-items do, for profiles: compiler/insight.hpp. The kernel is one function in SSA form, before the
// form of its code is chosen. Test: compiler/tests/kernel_insight.cpp

#include "compiler/insight.hpp"

namespace llvm {
class Function;
}

namespace hostcl::compiler {

KernelInsight insight_of(llvm::Function& kernel);

} // namespace hostcl::compiler
