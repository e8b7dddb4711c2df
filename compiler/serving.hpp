#pragma once

// The tasks of compile servers (server/server.hpp) as functions of the compiler.

namespace hostcl::compiler {

/// What a server's process does. @returns its exit status
int run_server(int count, char** arguments);

} // namespace hostcl::compiler
