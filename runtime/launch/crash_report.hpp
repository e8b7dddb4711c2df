#pragma once

// HOSTCL_CRASH_REPORT: what a kernel did that ends the process, on standard error.
//
// It is off unless it is asked for. The four signals belong to the application: the Java virtual machine, Go, CUDA and
// sanitisers handle them, and save and call each other's handlers in the order in which they were installed, which a
// driver that is loaded on demand would change.

namespace hostcl::runtime {

/// Installs the handler, once. It calls the one that was there before, whatever the cause of the signal.
void install_crash_report();

/// Gives the calling thread a stack for signal handlers unless it has one: a kernel may have used up the thread's own.
void prepare_thread_for_crash_report();

} // namespace hostcl::runtime
