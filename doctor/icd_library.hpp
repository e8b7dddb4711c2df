#pragma once

// Checks the driver libraries that the ICD loader would load. Each library is loaded in a child process, because a
// broken driver may crash; if no child can be started, the library is loaded in this process.

#include "doctor/icd_files.hpp"

#include <string>
#include <vector>

namespace hostcl::doctor {

/// A driver that loads and has platforms.
struct Driver {
  /// The file or variable that names the library, and the path of the library that was loaded.
  std::string origin, path;
  std::vector<std::string> platforms; ///< their names
};

bool is_hostcl(const Driver& driver);

/// Loads the candidates, and reports what is wrong with them. @returns the candidates that work
std::vector<Driver> check_libraries(Report& report, const std::vector<Candidate>& candidates);

/// If no candidate is hostcl, looks for libhostcl.so in the build or the installation that this program belongs to. If
/// the library is there, reports which variable or .icd file would lead the loader to it, and checks whether it works.
/// Otherwise reports that hostcl is not installed.
void check_own_library(Report& report, const Loader& loader, const std::vector<Candidate>& candidates,
                       const std::vector<Driver>& drivers);

} // namespace hostcl::doctor
