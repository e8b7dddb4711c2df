#pragma once

// The language of a device: what its description (docs/glossary.md) takes away from the language that the compiler
// supports. A device without a description lacks nothing of language_extensions() and language_features().

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler {

/// Versions are packed as CL_MAKE_VERSION(major, minor, patch) packs them.
struct Language {
  std::string device = {}; ///< name of the device, for messages
  /// Names of extensions and features that the compiler supports and the device lacks, sorted. Neither the macros nor
  /// the types, keywords and built-in functions of a missing extension or feature exist, and SPIR-V modules must not
  /// declare the capabilities that depend on it. A feature is listed only if the device lacks what the feature stands
  /// for: a device of OpenCL 2.0 has generic pointers, though features have names in OpenCL 3.0 only.
  std::vector<std::string> lacks = {};
  /// The newest OpenCL C that -cl-std may name; 0: the newest that the compiler supports.
  std::uint32_t newest_c = 0;
  /// The OpenCL C of programs that are built without -cl-std; 0: 1.2, or newest_c if that is older.
  std::uint32_t default_c = 0;
  /// The newest SPIR-V; 0: the newest that the compiler supports; no_spirv: none.
  std::uint32_t newest_spirv = 0;
  /// The OpenCL version of the device, for the macro __OPENCL_VERSION__; 0: the driver's version.
  std::uint32_t device_version = 0;
  /// Bits of an address on the device; 0: 64. With 32, SPIR-V modules for 64-bit addresses are refused, as the device
  /// refuses them. Modules for 32-bit addresses are refused as well, and pointers and size_t in kernels have 64 bits,
  /// because kernels access memory of the host's process.
  unsigned address_bits = 0;
  /// The sub-group sizes that a kernel may require. The first is the sub-group size of kernels that use sub-groups and
  /// require no size. Empty: kernels may require all powers of two up to 64, and the compiler chooses the size of
  /// kernels that require none.
  std::vector<unsigned> sub_group_sizes = {};

  static constexpr std::uint32_t no_spirv = ~std::uint32_t{0};

  bool operator==(const Language&) const = default;
};

/// Whether the device lacks an extension or feature, or one that it depends on: a device without images has no 3D image
/// writes.
bool is_missing(const Language& language, std::string_view name);

/// "the device" or "the device 'NAME'", for messages.
std::string described_device(const Language& language);

/// The text of a version, such as "3.0".
std::string version_text(std::uint32_t version);

} // namespace hostcl::compiler
