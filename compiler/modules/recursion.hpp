#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// OpenCL C has no recursion. A function that calls itself works all the same as long as it can stay a
/// function; one that uses barriers or work-item functions cannot: their meaning depends on the kernel around
/// them. Appends an error for each of those to the log. @returns whether there are none. The module is not
/// changed.
bool report_recursion(llvm::Module& module, std::string& log);

} // namespace hostcl::compiler
