// The main function of the driver's file when it runs as a program, a compile server. The dynamic loader starts it
// (compiler/server/server.hpp).

#include "compiler/jobs/serve_jobs.hpp"
#include "compiler/server/entry.hpp"

#include <unistd.h>

int hcl_serve(int count, char** arguments) {
  return hostcl::compiler::run_server(count, arguments);
}

/// Called by the start code of the C library.
int main(int count, char** arguments) {
  _exit(hcl_serve(count, arguments)); // threads of the compiler may still run
}
