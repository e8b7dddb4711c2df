#pragma once

// A described device: what the description asks for, as far as the host has it.
// Test: runtime/tests/description.cpp

#include "compiler/settings/language.hpp"
#include "runtime/description/description.hpp"
#include "runtime/description/limits.hpp"

#include <functional>

namespace hostcl::runtime {

/// Answers of clGetDeviceInfo() in place of the host's. No value: the query fails, because the device lacks the version
/// or the extension that defines the query, or because the description says that unlisted queries fail.
using DeviceAnswers = std::map<cl_device_info, std::optional<AnswerBytes>>;

/// The answer to a query; null if the host answers the query, or if the query fails.
const AnswerBytes* find_answer(const DeviceAnswers& answers, cl_device_info query);

struct DescribedDevice {
  std::string name; ///< of the description
  DeviceAnswers answers;
  std::vector<cl_name_version> extensions;
  /// No value: the host's formats.
  std::optional<std::vector<ImageFormatList>> image_formats;
  cl_version version = 0;   ///< CL_DEVICE_NUMERIC_VERSION
  bool is_embedded = false; ///< CL_DEVICE_PROFILE is EMBEDDED_PROFILE
  Limits limits;
  compiler::Language language;
  Quirks quirks;

  bool has_extension(std::string_view name) const;
  /// Whether the device has one of these versions of OpenCL and extensions, such as "2.1 cl_khr_il_program".
  bool has_one_of(std::string_view versions_and_extensions) const;
  /// The number that answers a query; no value if the host answers the query, or if the query fails.
  std::optional<std::uint64_t> number(cl_device_info query) const;
  bool may_be_partitioned(cl_device_partition_property type) const;
  bool has_image_format(const cl_image_format& format, cl_mem_object_type type, cl_mem_flags flags) const;
};

/// The limits in the answers. A limit without an answer is the host's.
Limits limits_of(const DeviceAnswers& answers);

/// The host's answer to a query; no value if the query fails.
using HostAnswer = std::function<std::optional<AnswerBytes>(cl_device_info)>;

/// Compares a description with the host.
/// @param warnings gets a sentence for each value of the description that the host's value replaces
DescribedDevice described_device(const DeviceDescription& description, const HostAnswer& host,
                                 std::vector<std::string>& warnings);

} // namespace hostcl::runtime
