// The main function of the driver's file when it runs as a program, a compile server. The dynamic loader starts it
// (compiler/server/server.hpp).

#include "compiler/jobs/serve_jobs.hpp"
#include "compiler/server/entry.hpp"
#include "runtime/guest/guest_process.hpp"

#include <string_view>

#include <unistd.h>

int hcl_serve(int count, char** arguments) {
  if (count > 1 && std::string_view(arguments[1]) == "guest")
    return hostcl::runtime::guest::run_guest(count, arguments);
  return hostcl::compiler::run_server(count, arguments);
}

/// Called by the start code of the C library.
int main(int count, char** arguments) {
  _exit(hcl_serve(count, arguments)); // threads of the compiler may still run
}
