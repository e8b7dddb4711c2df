#pragma once

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// C++ for OpenCL: clang has each object of static storage duration register its destructor with atexit(),
/// which a device does not have, and loses the object on the way. Turns these registrations into one kernel
/// that llvm.global_dtors names and that destroys the objects in the reverse order of their construction;
/// those inside functions first, if they were constructed at all.
void collect_destructors(llvm::Module& module);

} // namespace hostcl::compiler
