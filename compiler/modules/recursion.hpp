#pragma once

#include <string>

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// Reports recursive functions that cannot be compiled. OpenCL C does not allow recursion, but a recursive
/// function works if it need not be inlined. A function that uses barriers or work-item functions must be
/// inlined, because these only have a meaning within the kernel. Appends an error to the log for each
/// recursive function that must be inlined. Does not change the module. @returns whether no error was
/// reported
bool report_recursion(llvm::Module& module, std::string& log);

} // namespace hostcl::compiler
