#pragma once

// The part of a program's coverage data that reports need besides the counts.

#include "compiler/compiler.hpp"

#include "llvm/Support/Error.h"

#include <vector>

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// The coverage data of all sources of which a program was linked; none if they were compiled without coverage.
llvm::Expected<std::vector<CoverageUnit>> coverage_units(const llvm::Module& program, const HostCpu& cpu);

} // namespace hostcl::compiler
