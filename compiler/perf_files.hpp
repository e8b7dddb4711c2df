#pragma once

// The files by which perf knows machine code that was made while a process ran.

#include "compiler/outcome.hpp"

#include <string>
#include <string_view>

namespace hostcl::compiler {

enum class PerfFile { map, jitdump };

/// Has all code of kernels from now on written to a file: to /tmp/perf-PID.map, which `perf report` reads, or to
/// FOLDER/jit-PID.dump with lines of the source, which `perf inject --jit` reads. Call it before anything is compiled.
/// Children of fork() write to neither.
/// @param report is called with a sentence if the application closes the file, which then ends where it is
Outcome<> write_perf_file(PerfFile file, const std::string& folder, void (*report)(std::string_view message));

} // namespace hostcl::compiler
