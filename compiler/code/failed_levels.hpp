#pragma once

// Remembers the fallback levels at which kernels have failed to compile, so that no level is tried twice for
// a kernel: in memory for this process, and in the disk cache for later processes. The key contains the
// driver's build, the CPU and the settings.

#include "compiler/cache/disk_cache.hpp"
#include "compiler/code/fallback_level.hpp"

#include <string>

namespace hostcl::compiler {

struct FailedLevels {
  FallbackLevel left = FallbackLevel::full; ///< first level that has not failed
  unsigned width = 0;                       ///< vector width of the level `full`; 0 if not known
  std::string reason;                       ///< why the last level failed
};

/// The known failures of a kernel; the key identifies what is compiled.
FailedLevels failed_levels(std::string_view kind, std::initializer_list<std::string_view> parts);

/// Remembers failures, unless the same or more failures are known.
void remember_failed_levels(std::string_view kind, std::initializer_list<std::string_view> parts,
                            const FailedLevels& failed);

} // namespace hostcl::compiler
