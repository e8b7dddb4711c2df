#pragma once

// The tasks of compile servers (server/server.hpp) as functions of the compiler.

namespace hostcl::compiler {

/// The main function of a compile server's process. @returns the exit status
int run_server(int count, char** arguments);

} // namespace hostcl::compiler
