#pragma once

// What the runtime does if a kernel traps in a function that was not inlined, which has no launch and so no
// host callbacks, and if the runtime's own accesses fault.

#include "compiler/abi/check.hpp"

#include <csignal>

namespace hostcl::compiler {

/// Sets the function that machine code calls in that case; it must not return. Without it, the trap ends the
/// process.
void set_trap_handler(void (*handler)(const abi::TrapSite* site));

// The signal handlers are in guard.hpp.

/// Called in a signal handler. @returns false if the fault belongs to other code
using FaultTaker = bool (*)(int signal, const siginfo_t& info);
/// Makes `taker`, the only one, get faults outside of guarded work before the application's handlers.
void offer_faults(FaultTaker taker);
/// Whether the driver's handler is the first for this signal: the driver has compiled something, and the
/// application has not installed a handler since.
bool comes_first(int signal);

} // namespace hostcl::compiler
