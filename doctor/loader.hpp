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
  std::string version{}; ///< as the loader reports it; may be empty
  /// The folder of .icd files, unless a variable names another one.
  std::string vendors_folder = "/etc/OpenCL/vendors";
};

/// Whether the loader reads OCL_ICD_FILENAMES, a list of driver libraries.
inline bool takes_file_names(const Loader& loader) {
  return loader.kind != Loader::Kind::ocl_icd;
}

std::string name_of(const Loader& loader);

/// Reports the loader that an application would load, or the one with this name, and other loaders on this machine.
Loader find_loader(Report& report, const std::string& name);

} // namespace hostcl::doctor
