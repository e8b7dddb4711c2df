#pragma once

// Parses the build options that an application passes as a string (OpenCL 3.0 API, 5.8.6 and 5.8.7).

#include "compiler/settings/language.hpp"

#include "llvm/Support/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler {

struct Options {
  /// Arguments of `clang -cc1`, in order.
  std::vector<std::string> frontend;
  bool create_library = false, enable_link_options = false;
  bool relaxed_math = false;    ///< -cl-fast-relaxed-math or -cl-unsafe-math-optimizations
  bool finite_math = false;     ///< no value is NaN or infinite
  bool flush_denormals = false; ///< -cl-denorms-are-zero
  bool argument_info = false;   ///< -cl-kernel-arg-info
  bool debug_info = false;      ///< -g
  bool unoptimised = false;     ///< -cl-opt-disable or -O0
  bool has_standard = false;    ///< -cl-std is given, or the device has a default of its own
  bool opencl_c_1 = true;       ///< OpenCL C 1.x, the default
  bool opencl_c_3_1 = false;    ///< -cl-std=CL3.1
  bool uniform_groups = false;  ///< -cl-uniform-work-group-size
  bool reads_files = true;      ///< unless -cl-hostcl-no-include

  std::vector<std::string> debugged_kernels; ///< -cl-hostcl-debug

  /// Whether debuggers should find the variables of each work-item of the kernel in memory
  /// (metadata::debug_form).
  bool has_debug_form(std::string_view kernel) const;
};

/// @param language of the device, whose versions -cl-std may name
/// @returns an error that names the first rule which the string breaks
llvm::Expected<Options> parse_options(std::string_view text, const Language& language);

} // namespace hostcl::compiler
