#pragma once

// What the description of a device takes away from the language. A device without a description has everything that the
// compiler supports (language_extensions(), language_features()).

#include <cstdint>
#include <string>
#include <vector>

namespace hostcl::compiler {

/// Versions pack major.minor.patch as CL_MAKE_VERSION does.
struct Language {
  /// Names of the compiler's extensions and features that the device lacks, sorted. Neither the macros nor the types,
  /// keywords and built-in functions of a missing extension or feature exist, and SPIR-V modules must not declare the
  /// capabilities that depend on it.
  std::vector<std::string> lacks;
  /// The newest OpenCL C that -cl-std may name; 0: the newest that the compiler supports.
  std::uint32_t newest_c = 0;
  /// The OpenCL C of programs that are built without -cl-std; 0: OpenCL C 1.2.
  std::uint32_t default_c = 0;
  /// The newest SPIR-V; 0: the newest that the compiler supports; no_spirv: none.
  std::uint32_t newest_spirv = 0;
  /// The OpenCL version of the device, which __OPENCL_VERSION__ tells; 0: the driver's version.
  std::uint32_t device_version = 0;
  /// Width of the device's address space; 0: 64.
  unsigned address_bits = 0;
  /// The sub-group sizes that a kernel may require. The first is the sub-group size of kernels that require none and
  /// use sub-groups. Empty: kernels may require any size of required_sub_group_sizes, and the compiler chooses the size
  /// of kernels that require none.
  std::vector<unsigned> sub_group_sizes;

  static constexpr std::uint32_t no_spirv = ~std::uint32_t{0};

  bool operator==(const Language&) const = default;
};

} // namespace hostcl::compiler
