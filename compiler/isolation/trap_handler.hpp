#pragma once

// What the runtime does when kernels trap in functions that stay calls, which have no launch to ask a service of, and when
// its own accesses fault.

#include "compiler/abi/check.hpp"

#include <csignal>

namespace hostcl::compiler {

/// What machine code calls there; it does not return. Until it is set, such a trap is the machine's.
void set_trap_handler(void (*handler)(const abi::TrapSite* site));

// guard.hpp has the handlers of signals.

/// Called in one of them. @returns false for a fault that is another's
using FaultTaker = bool (*)(int signal, const siginfo_t& info);
/// Offers faults that are not of guarded work to `taker`, the only one, before the application's handlers.
void offer_faults(FaultTaker taker);
/// Whether faults of this kind come to the driver first: it has compiled something, and the application has not
/// installed a handler since.
bool comes_first(int signal);

} // namespace hostcl::compiler
