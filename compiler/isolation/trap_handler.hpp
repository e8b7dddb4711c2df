#pragma once

// Traps in functions of kernels that stay calls, which have no launch to ask a service of.

#include "compiler/abi/check.hpp"

namespace hostcl::compiler {

/// What machine code calls there; it does not return. Until it is set, such a trap is the machine's.
void set_trap_handler(void (*handler)(const abi::TrapSite* site));

} // namespace hostcl::compiler
