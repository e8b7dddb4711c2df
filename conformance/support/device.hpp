#pragma once

// The device under test: found by the name of its platform, through the ICD loader. Errors that have no place
// in a result end the program with a sentence.

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>
#include <string_view>

namespace conformance {

/// Ends the program with exit status 2.
[[noreturn]] void stop(const std::string& sentence);

/// Stops unless the call succeeded.
void require(cl_int error, const char* call);

class Device {
public:
  /// @param name part of the platform's name, any case; empty means $HOSTCL_TEST_PLATFORM or "hostcl"
  explicit Device(std::string_view name, cl_command_queue_properties properties = 0);
  Device(const Device&) = delete;
  ~Device();

  std::string text(cl_device_info query) const;
  bool has_extension(std::string_view name) const;
  template <class T>
  T value(cl_device_info query) const {
    T result{};
    clGetDeviceInfo(id, query, sizeof result, &result, nullptr);
    return result;
  }
  /// True if OpenCL C of this version, "C++ for OpenCL" included, compiles.
  bool compiles(const std::string& standard) const;

  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
};

/// A built program with one kernel called "k"; released with the object.
class Kernel {
public:
  Kernel(const Device& device, const std::string& source, const std::string& options);
  Kernel(const Kernel&) = delete;
  ~Kernel();

  /// CL_SUCCESS, or what the build or clCreateKernel returned.
  cl_int status = CL_SUCCESS;
  std::string log;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
};

} // namespace conformance
