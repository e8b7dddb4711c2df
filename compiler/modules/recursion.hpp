#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// OpenCL C does not allow recursion. A recursive function works nevertheless if it need not be inlined. If
/// it uses barriers or work-item functions, it must be inlined, because these only have a meaning within the
/// kernel. Appends an error to the log for each such function. @returns whether there are none. Does not
/// change the module.
bool report_recursion(llvm::Module& module, std::string& log);

} // namespace hostcl::compiler
