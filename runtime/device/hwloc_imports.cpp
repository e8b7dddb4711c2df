// What hwloc gets in the driver instead of what it would take from other libraries: hwloc_imports.txt.

#include <cerrno>
#include <cstdio>

extern "C" {

// Its code was compiled for programs, which the C library's data is copied into. A shared library has to keep
// pointers of its own.
FILE* hostcl_hwloc_stderr = stderr;
FILE* hostcl_hwloc_stdout = stdout;
char* hostcl_hwloc_program = program_invocation_name;

/// There is no plug-in, for those belong to another hwloc, and no libudev, which it asks about disks only.
void* hostcl_hwloc_nothing() {
  return nullptr;
}
}
