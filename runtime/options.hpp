#pragma once

// Settings from HOSTCL_* environment variables. options.inc is the list.

#include <cstdint>
#include <string>

namespace hostcl::runtime {

enum class LogLevel { off, error, warn, info, trace };

/// What the device says it is.
enum class DeviceType { cpu, gpu, accelerator };

/// Which machine code a launch runs, see loaded_kernel.hpp.
enum class CodeChoice { automatic, best, universal };

/// Work-items per vector; 0 leaves it to the compiler.
struct VectorWidth {
  unsigned items = 0;
};

struct Options {
#define OPTION(type, member, default_value, variable, description) type member = default_value;
#include "runtime/options.inc"
#undef OPTION
};

/// Read from the environment once, at the first call. Unknown variables and values are reported then.
const Options& options();

/// One paragraph for each variable: name, meaning, default.
std::string options_help();

} // namespace hostcl::runtime
