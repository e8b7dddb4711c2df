#pragma once

// HOSTCL_CRASH_REPORT: if a kernel causes a signal that ends the process, a handler reports the kernel, the
// source line, the address and the work-group on standard error.
//
// The setting is off by default, because the four signals belong to the application. The Java virtual
// machine, Go, CUDA and sanitisers handle them as well: each saves the previous handler and calls it. A
// driver that is loaded on demand would change the order in which they were installed.

#include "compiler/code_host.hpp"
#include "runtime/launch/running_kernel.hpp"

#include <string>

namespace hostcl::runtime {

/// A sentence about a signal that a kernel has caused in a guest process: the kernel, the source line if it is known, the
/// address and the work-groups. @param kernel the range that the calling thread runs @param end its reason is the signal's
/// name
std::string crash_sentence(const RunningKernel& kernel, const compiler::CodeEnd& end);

/// Installs the signal handlers, once. Each of them reports, and then calls the handler that was there
/// before.
void install_crash_report();

/// Gives the calling thread a stack for signal handlers unless it has one. The thread's own stack may be used
/// up by a kernel, and then no handler could run on it.
void prepare_thread_for_crash_report();

} // namespace hostcl::runtime
