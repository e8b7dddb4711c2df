#pragma once

// The code that runs in a guest process (guest.hpp). The guest process maps the memory that it shares with the
// application, starts the threads of its lanes, gives up its rights, and runs machine code until the application ends
// it.

namespace hostcl::runtime::guest {

/// The main function of a guest process.
/// @param arguments the arguments of hcl_serve(), which Guest::start() passes
/// @returns the exit status, if the start fails
int run_guest(int count, char** arguments);

} // namespace hostcl::runtime::guest
