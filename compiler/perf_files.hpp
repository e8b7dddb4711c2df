#pragma once

// Files that describe JIT-compiled code for the profiler perf: the perf map and the jitdump file (jit/profilers.cpp).

#include "compiler/outcome.hpp"

#include <string>
#include <string_view>

namespace hostcl::compiler {

struct KernelCode;

enum class PerfFile { map, jitdump };

/// Creates a file for perf, to which the process then appends each kernel's machine code when the code is linked. The
/// file is /tmp/perf-PID.map, which `perf report` reads, or FOLDER/jit-PID.dump, which `perf inject --jit` reads; the
/// latter also has source lines if the code has any. Must be called before any kernel is compiled, because earlier code
/// is not in the file. Children of fork() write to neither file.
/// @param folder folder of the jitdump file; not used for the map
/// @param report called with a message if the application has closed the file's descriptor; the driver then stops
/// writing
Outcome<> write_perf_file(PerfFile file, const std::string& folder, void (*report)(std::string_view message));

/// Writes code that has just been linked to the file, if there is one. Any thread may call this function.
void tell_profilers(const KernelCode& code, std::string_view kernel);

} // namespace hostcl::compiler
