#pragma once

// How programs are compiled, apart from the program, its options and the launch. Settings are a value: a device has
// settings, a context a copy of them, and each program and each request to compile something the settings of its
// context.

#include "compiler/settings/capabilities.hpp"
#include "compiler/settings/switches.hpp"

#include <limits>
#include <memory>
#include <string>
#include <tuple>

namespace hostcl::compiler {

/// A CPU for which kernels are compiled: LLVM's name of the CPU, and features that the name does not imply.
struct HostCpu {
  std::string name;
  std::string features;
  Capabilities capabilities;

  bool operator==(const HostCpu&) const = default;

  auto fields() { return std::tie(name, features, capabilities); }
};

/// All settings are part of cache keys, so results for different settings are kept apart.
struct Settings : Switches {
  HostCpu cpu;
  /// Number of the last step of the pipeline that may run if it only makes kernels faster (step_named()).
  unsigned last_step = std::numeric_limits<unsigned>::max();
  unsigned width = 0;      ///< work-items per vector; 0: the compiler chooses; 1: kernels are not vectorised
  bool reversed = false;   ///< the work-items of a group run in reverse order
  bool reads_files = true; ///< `#include` and similar directives may read files
  /// SPIR-V and binaries may contain inline assembly. Empty assembly is always allowed; in SPIR-V, nop, pause and fences
  /// are always allowed as well.
  bool assembly = false;
  /// Kernel statistics (compiler/kernel_statistics.hpp) are made together with machine code. Programs then have line
  /// tables and contain their source.
  bool statistics = false;
  /// Tier 1 code will replace tier 0 code. Otherwise, tier 0 code is compiled with more care.
  bool has_tier1 = true;

  bool operator==(const Settings&) const = default;

  auto fields() {
    return std::tie(off, checks, cpu, last_step, width, reversed, reads_files, assembly, statistics,
                    has_tier1);
  }
};
using SettingsPtr = std::shared_ptr<const Settings>;

/// The list of all settings, for messages and cache keys.

} // namespace hostcl::compiler
