#pragma once

// The guest process (guest.hpp) from the inside: it maps the memory that it shares with the application, starts the
// threads of its lanes, gives up all rights, and runs machine code until the application ends it.

namespace hostcl::runtime::guest {

/// The main function of a guest process. @param arguments of hcl_serve(), see Guest::start() @returns the exit status
int run_guest(int count, char** arguments);

} // namespace hostcl::runtime::guest
