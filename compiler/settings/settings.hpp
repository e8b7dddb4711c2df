#pragma once

// The compiler's settings: how programs are compiled, apart from the program, its build options and the launch.
// Settings are a value, which callers pass on. A device has settings, and a context uses those of its first device for
// all its programs. Each request to compile something (jobs/requests.hpp) contains the settings.

#include "compiler/settings/capabilities.hpp"
#include "compiler/settings/language.hpp"
#include "compiler/settings/switches.hpp"

#include <limits>
#include <memory>
#include <string>
#include <tuple>

namespace hostcl::compiler {

/// A CPU for which kernels are compiled: LLVM's name of the CPU, the features that the name does not imply, and what
/// the vectoriser needs to know of the CPU.
struct HostCpu {
  std::string name;
  std::string features;
  Capabilities capabilities;

  bool operator==(const HostCpu&) const = default;
};

/// Each member must be listed in fields() below. All settings are then part of all cache keys, so results for different
/// settings are kept apart.
struct Settings : Switches {
  HostCpu cpu;
  /// Of the steps of the pipeline that only make kernels faster, those with a larger number are left out. step_named()
  /// gives the number of a step.
  unsigned last_step = std::numeric_limits<unsigned>::max();
  unsigned width = 0;    ///< work-items per vector; 0: the compiler chooses; 1: kernels are not vectorised
  bool reversed = false; ///< the work-items of a group run in reverse order
  /// Kernels compute the same bits on every CPU, whatever the vector width and the number of threads (docs/maths.md).
  bool same_bits = false;
  bool flush_denormals = false; ///< programs are built as with -cl-denorms-are-zero
  bool contract = false;        ///< products and sums are contracted, as with -cl-mad-enable
  bool reads_files = true;      ///< `#include` and similar directives may read files
  /// SPIR-V and binaries may contain inline assembly. Empty assembly is always allowed; in SPIR-V, nop, pause and
  /// fences are always allowed as well.
  bool assembly = false;
  /// Kernel statistics (compiler/kernel_statistics.hpp) are made together with machine code. Programs then have line
  /// tables and contain their source.
  bool statistics = false;
  bool coverage = false; ///< kernels count how often each part of the source runs (HOSTCL_COVERAGE)
  /// Tier 1 code will replace tier 0 code, so tier 0 code may be slow. Otherwise, tier 0 code is optimised like tier 1
  /// code.
  bool has_tier1 = true;
  Language language; ///< what the device's description takes away from the language

  bool operator==(const Settings&) const = default;

  /// All settings, for messages to compile servers and for cache keys (jobs/packing.hpp).
  auto fields() {
    return std::tie(off, checks, cpu, last_step, width, reversed, same_bits, flush_denormals, contract,
                    reads_files, assembly, statistics, coverage, has_tier1, language);
  }
};
using SettingsPtr = std::shared_ptr<const Settings>;

} // namespace hostcl::compiler
