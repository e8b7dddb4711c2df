#pragma once

// Handlers that the runtime sets for two cases: a kernel traps in a function that was not inlined, which has
// no abi::Launch and so no host callbacks; and an access of the runtime itself raises a fault.

#include "compiler/abi/check.hpp"

#include <csignal>

namespace hostcl::compiler {

/// Sets the function that machine code calls when it traps in a function that was not inlined. The function
/// must not return. If no function is set, the trap ends the process.
void set_trap_handler(void (*handler)(const abi::TrapSite* site));

// The signal handlers are in guard.hpp.

/// Called in a signal handler. @returns false if the fault belongs to other code
using FaultTaker = bool (*)(int signal, const siginfo_t& info);
/// Calls `taker` for faults outside of guarded work, before the application's handlers. There can be only one
/// taker.
void offer_faults(FaultTaker taker);
/// Whether the driver's handler is the first for this signal: the driver has compiled something, and the
/// application has not installed a handler since.
bool comes_first(int signal);

} // namespace hostcl::compiler
