#pragma once

// Finds the libraries that the ICD loader takes for drivers: those that .icd files of a folder name, and those that
// environment variables name.

#include "doctor/loader.hpp"

#include <string>
#include <vector>

namespace hostcl::doctor {

/// A library that the loader would load.
struct Candidate {
  std::string origin;  ///< the file or variable that names the library
  std::string library; ///< the name as it stands there
};

/// The libraries in the order in which the loader loads them. Reports files and variables that have no effect or a
/// surprising one.
std::vector<Candidate> find_candidates(Report& report, const Loader& loader);

} // namespace hostcl::doctor
