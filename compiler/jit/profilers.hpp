#pragma once

// Describes machine code for the external profiler perf, in the files that perf reads.

#include "compiler/compiler.hpp"

#include <string_view>

namespace hostcl::compiler {

/// Writes code that has just been linked to the files of write_perf_files(), if there are any. Any thread may call it.
void tell_profilers(const KernelCode& code, std::string_view kernel);

} // namespace hostcl::compiler
