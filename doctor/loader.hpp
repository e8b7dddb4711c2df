#pragma once

// ICD loaders: the libOpenCL.so.1 that applications link, which finds drivers and calls them.

#include "doctor/report.hpp"

#include <string>
#include <vector>

namespace hostcl::doctor {

struct Loader {
  enum class Kind { ocl_icd, khronos, other };
  std::string path; ///< empty if there is none
  Kind kind = Kind::other;
  std::string version{}; ///< as it says itself, or nothing
  std::string vendors_folder =
      "/etc/OpenCL/vendors"; ///< where it looks for .icd files unless it is told otherwise
};

/// Whether the loader reads OCL_ICD_FILENAMES, which names libraries.
inline bool takes_file_names(const Loader& loader) {
  return loader.kind != Loader::Kind::ocl_icd;
}

std::string name_of(const Loader& loader);

/// Reports the loader that an application would get, or the one of this name, and the others on this machine.
Loader find_loader(Report& report, const std::string& name);

} // namespace hostcl::doctor
