// Definitions that hwloc uses in the driver in place of other libraries': hwloc_imports.txt.

#include <cerrno>
#include <cstdio>

extern "C" {

// hwloc's code was compiled for programs, into which the C library's data are copied. A shared library has to
// keep pointers to them.
FILE* hostcl_hwloc_stderr = stderr;
FILE* hostcl_hwloc_stdout = stdout;
char* hostcl_hwloc_program = program_invocation_name;

/// Returns null: there is no plug-in, for those belong to another hwloc, and no libudev, which hwloc uses for
/// disks only.
void* hostcl_hwloc_nothing() {
  return nullptr;
}
}
