#pragma once

// Which libraries the loader takes for drivers: the files *.icd of a folder, and variables.

#include "doctor/loader.hpp"

#include <string>
#include <vector>

namespace hostcl::doctor {

/// A library that the loader would load.
struct Candidate {
  std::string origin;  ///< the file or variable that names it
  std::string library; ///< as it does
};

/// In the loader's order. Reports files and variables that do not do what they look like.
std::vector<Candidate> find_candidates(Report& report, const Loader& loader);

} // namespace hostcl::doctor
