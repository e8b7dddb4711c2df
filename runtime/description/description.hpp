#pragma once

// Device descriptions: JSON files that say what a device has and lacks (docs/settings.md, HOSTCL_DEVICE). The parser
// reads three formats: hostcl's own format (devices/device.schema.json), reports of OpenCLCapsViewer
// (opencl.gpuinfo.org), and the output of `clinfo --json`. Test: runtime/tests/description.cpp

#include "runtime/description/queries.hpp"
#include "runtime/description/quirks.hpp"
#include "runtime/support/result.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime {

/// An answer of clGetDeviceInfo(), as it is copied to the application.
using AnswerBytes = std::vector<std::byte>;
using Answers = std::map<cl_device_info, AnswerBytes>;

/// Image formats that a device has for images of one type.
struct ImageFormatList {
  cl_mem_object_type type;
  /// The accesses of kernels that the formats allow: bits of CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY and
  /// CL_MEM_KERNEL_READ_AND_WRITE.
  cl_mem_flags flags;
  std::vector<cl_image_format> formats;
};

/// A description as its file has it. described_device.hpp compares it with what the host has.
struct DeviceDescription {
  std::string name;
  /// Whether the host answers queries that the description does not list. Otherwise, such queries fail.
  bool host_answers_unlisted = true;
  /// The listed answers. Extensions are always in CL_DEVICE_EXTENSIONS_WITH_VERSION, and SPIR-V versions in
  /// CL_DEVICE_ILS_WITH_VERSION; a version of 0 is unknown.
  Answers answers;
  /// No value: the device has the host's image formats.
  std::optional<std::vector<ImageFormatList>> image_formats;
  Quirks quirks;
  /// Sentences about mistakes in the description, whose other parts can be used.
  std::vector<std::string> warnings;
};

/// Reads a description. Fails with CL_INVALID_VALUE if the text is not JSON or has none of the three formats.
Result<DeviceDescription> parse_device_description(std::string_view text);

/// The names of the descriptions that the library contains, and the text of the description with this name; empty if no
/// description has the name.
std::vector<std::string_view> shipped_descriptions();
std::string_view shipped_description(std::string_view name);

} // namespace hostcl::runtime
