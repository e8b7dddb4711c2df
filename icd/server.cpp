// The driver's file as a program: a compile server, which the dynamic loader runs (compiler/server/server.hpp).

#include "compiler/server/entry.hpp"
#include "compiler/serving.hpp"

#include <unistd.h>

int hcl_serve(int count, char** arguments) {
  return hostcl::compiler::run_server(count, arguments);
}

/// What the C library's start calls.
int main(int count, char** arguments) {
  _exit(hcl_serve(count, arguments)); // threads of the compiler may still run
}
