#pragma once

#include <sys/auxv.h>

/// The main function of a compile server, which only the driver contains (icd/server.cpp); null in other programs. The
/// dynamic loader runs the driver's file with the arguments that ServerProcess passes.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] int hcl_serve(int count, char** arguments);

/// What the dynamic loader calls in the driver's file, or in another program that contains this code.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] void _start(); // NOLINT(bugprone-reserved-identifier)

namespace hostcl::compiler {

/// Whether this process is a compile server, also before hcl_serve() is called: the driver's constructors run in it.
inline bool is_server() {
  return hcl_serve && getauxval(AT_ENTRY) == reinterpret_cast<unsigned long>(&_start);
}

} // namespace hostcl::compiler
