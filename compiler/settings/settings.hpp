#pragma once

// How programs are compiled, apart from the program, its options and the launch. Settings are a value: a device has
// settings, a context a copy of them, and each program and each request to compile something the settings of its
// context.

#include "compiler/settings/capabilities.hpp"
#include "compiler/settings/switches.hpp"

#include <limits>
#include <memory>
#include <string>

namespace hostcl::compiler {

/// A CPU for which kernels are compiled: LLVM's name of the CPU, and features that the name does not imply.
struct HostCpu {
  std::string name;
  std::string features;
  Capabilities capabilities;

  bool operator==(const HostCpu&) const = default;
};
template <class Archive>
void fields(Archive& archive, HostCpu& cpu) {
  Capabilities& has = cpu.capabilities;
  archive(cpu.name, cpu.features, has.vector_bits, has.gathers, has.permutes, has.byte_masks, has.compresses,
          has.long_conversions, has.fetches_overwritten, has.slow_scattered_access, has.integer_latency);
}

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
};
using SettingsPtr = std::shared_ptr<const Settings>;

/// The list of all settings, for messages and cache keys.
template <class Archive>
void fields(Archive& archive, Settings& settings) {
  archive(settings.off, settings.checks, settings.cpu, settings.last_step, settings.width, settings.reversed,
          settings.reads_files, settings.assembly, settings.statistics, settings.has_tier1);
}

} // namespace hostcl::compiler
