#pragma once

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// C++ for OpenCL: clang registers the destructor of each object with static storage duration with atexit(),
/// which a device does not have, and passes a null pointer for some objects. Replaces these registrations by
/// one kernel, listed in llvm.global_dtors, which destroys the objects in the reverse order of their
/// construction. Objects inside of functions come first, and only if they were constructed.
void collect_destructors(llvm::Module& module);

} // namespace hostcl::compiler
