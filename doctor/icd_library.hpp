#pragma once

// Libraries of drivers, each loaded in a process of its own.

#include "doctor/icd_files.hpp"

#include <string>
#include <vector>

namespace hostcl::doctor {

/// A driver that loads and has platforms.
struct Driver {
  std::string origin, path;
  std::vector<std::string> platforms; ///< their names
};

bool is_hostcl(const Driver& driver);

/// Loads the candidates and reports what is wrong with them. @returns those that work
std::vector<Driver> check_libraries(Report& report, const std::vector<Candidate>& candidates);

/// If nothing leads to hostcl: loads its library from where this program was installed or built, and says how it is found.
void check_own_library(Report& report, const Loader& loader, const std::vector<Candidate>& candidates,
                       const std::vector<Driver>& drivers);

} // namespace hostcl::doctor
