#pragma once

// The jobs of compile servers (server/server.hpp).

namespace hostcl::compiler {

/// The main function of a compile server's process. @returns the exit status
int run_server(int count, char** arguments);

} // namespace hostcl::compiler
