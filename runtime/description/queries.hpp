#pragma once

// The queries of clGetDeviceInfo() that a device description may answer: the name, the type of the answer, and which
// values a description may give. queries.inc is the list.
// Test: runtime/tests/description.cpp

#include "runtime/support/cl.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace hostcl::runtime {

/// How an answer of clGetDeviceInfo() is stored, and how a description writes it.
enum class AnswerType : std::uint8_t {
  boolean,           ///< cl_bool: true or false
  uint32,            ///< cl_uint: a number
  uint64,            ///< cl_ulong: a number
  size,              ///< size_t: a number
  sizes,             ///< an array of size_t: a list of numbers
  string,            ///< a text
  names,             ///< a text of names with spaces between them: the text, or a list of names
  version,           ///< cl_version: "3.0.0" or a number
  name_versions,     ///< an array of cl_name_version: a list of "NAME" or "NAME VERSION"
  bits,              ///< cl_bitfield: a list of names of bits, or a number
  cache_type,        ///< cl_device_mem_cache_type: the name of a value, or a number
  local_memory_type, ///< cl_device_local_mem_type: the name of a value, or a number
  partition_types,   ///< an array of cl_device_partition_property: a list of names
  handle,            ///< a handle or another value that no description gives
};

/// Which values of a description hold. If a value does not hold, the host's value does, and a warning says so.
enum class AnswerRule : std::uint8_t {
  any,      ///< each value: the driver can report or enforce all of them
  at_most,  ///< values that are not above the host's value
  at_least, ///< values that are not below the host's value
  subset,   ///< the bits or names that the host has as well
  host,     ///< none: the answer is a property of the host, and values of a description are ignored
};

/// A value with the name that OpenCL's headers give it.
struct NamedValue {
  std::string_view name;
  std::uint64_t value;
};

struct DeviceQuery {
  std::string_view name;
  cl_device_info number;
  AnswerType type;
  AnswerRule rule;
  std::string_view since;             ///< names of versions and extensions, such as "2.1 cl_khr_il_program"
  std::span<const NamedValue> values; ///< names of the bits or of the values; empty for other types
};

std::span<const DeviceQuery> device_queries();
/// The query of this name, or null. A query of an extension that has become part of OpenCL is also found by its old
/// name, which ends with _KHR.
const DeviceQuery* find_device_query(std::string_view name);
const DeviceQuery* find_device_query(cl_device_info number);

/// Names of image formats and of memory objects' types and flags, for the image formats of a description.
std::span<const NamedValue> channel_orders();
std::span<const NamedValue> channel_types();
std::span<const NamedValue> image_types();
std::span<const NamedValue> image_flags();

} // namespace hostcl::runtime
