// The main function of the driver's file when it runs as a program: a compile server or a guest process. The dynamic
// loader starts it (compiler/server/driver_process.hpp).

#include "compiler/jobs/serve_jobs.hpp"
#include "compiler/server/entry.hpp"
#include "runtime/guest/guest_process.hpp"

#include <cstdio>
#include <string_view>

#include <unistd.h>

int hcl_serve(int count, char** arguments) {
  const std::string_view role = count > 1 ? arguments[1] : "";
  if (role == "guest") return hostcl::runtime::guest::run_guest(count, arguments);
  if (role == "compile") return hostcl::compiler::run_server(count, arguments);
  std::fputs("hostcl: this file is an OpenCL driver, which applications load\n", stderr);
  return 2;
}

/// Called by the start code of the C library.
int main(int count, char** arguments) {
  _exit(hcl_serve(count, arguments)); // threads of the compiler may still run
}
