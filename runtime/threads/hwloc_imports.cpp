// Definitions that hwloc's static library uses in the driver in place of functions and variables of other
// libraries. hwloc_imports.txt maps the names. Declared in <hwloc.h>.

#include <cerrno>
#include <cstdio>

extern "C" {

// hwloc's objects are compiled for executables, in which a copy relocation gives variables such as `stderr`
// an address of the executable. A shared library cannot have copy relocations, so hwloc gets pointers with
// the same values.
FILE* hostcl_hwloc_stderr = stderr;
FILE* hostcl_hwloc_stdout = stdout;
char* hostcl_hwloc_program = program_invocation_name;

/// In place of dlopen(): no plug-ins are loaded, because installed plug-ins belong to another version of
/// hwloc. In place of libudev: hwloc uses the library only for disks.
void* hostcl_hwloc_nothing() {
  return nullptr;
}
}
