#pragma once

// The forms of kernels' code that have failed: none is tried twice. This process remembers them, and the disk cache
// does for later ones; a driver of another build, another CPU and other settings have other keys.

#include "compiler/cache/disk_cache.hpp"
#include "compiler/code/effort.hpp"

#include <string>

namespace hostcl::compiler {

struct FailedForms {
  Effort left = Effort::full; ///< the first form that has not failed
  unsigned width = 0;         ///< work-items per vector of the full form; 0: not known
  std::string reason;         ///< of the last failure
};

/// The failures for a key, which says what is compiled.
FailedForms failed_forms(std::string_view kind, std::initializer_list<std::string_view> parts);

/// Remembers failures, unless as many or more are known.
void remember_failed_forms(std::string_view kind, std::initializer_list<std::string_view> parts,
                           const FailedForms& failed);

} // namespace hostcl::compiler
