#pragma once

// Handlers of the runtime for two cases: a kernel traps in a function that was not inlined, and so has no launch and no
// host callbacks; and an access of the runtime itself faults.

#include "compiler/abi/check.hpp"

#include <csignal>

namespace hostcl::compiler {

/// Sets the function that machine code calls for a trap in a function that was not inlined. It must not return. If none
/// is set, the trap ends the process.
void set_trap_handler(void (*handler)(const abi::TrapSite* site));

// The signal handlers are in guard.hpp.

/// Called in a signal handler. @returns false if the fault belongs to other code
using FaultTaker = bool (*)(int signal, const siginfo_t& info);
/// Sets the function that is called for faults outside of guarded work, before the handlers of the application. There
/// is one such function.
void offer_faults(FaultTaker taker);
/// Whether the driver's handler is the first for this signal: the driver has compiled something, and the
/// application has not installed a handler since.
bool comes_first(int signal);

} // namespace hostcl::compiler
