#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the module calls the host callback of loops that wait (waiting_loops.cpp).
bool has_waiting_loops(const llvm::Module& module);

} // namespace hostcl::compiler
