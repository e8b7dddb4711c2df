#pragma once

// The device under test, and a context with a queue on it: what nearly every test starts from.

#include "support/handles.hpp"
#include "support/status.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace test {

/// The platform whose name contains $HOSTCL_TEST_PLATFORM (default "hostcl"), found through the ICD loader.
cl_platform_id platform();
/// Its first device.
cl_device_id device();

/// True when the device under test is hostcl itself; a few facts go beyond what other drivers promise.
bool is_hostcl();

std::string device_string(cl_device_info query);
template <class T>
T device_value(cl_device_info query) {
  T value{};
  REQUIRE_CL(clGetDeviceInfo(device(), query, sizeof value, &value, nullptr));
  return value;
}
bool has_extension(std::string_view name);
/// Whether the platform lists the extension.
bool platform_has_extension(std::string_view name);

/// An extension's function, or null.
template <class Function>
Function extension_function(const char* name) {
  return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform(), name));
}
/// clGetKernelSuggestedLocalWorkSizeKHR
using SuggestLocalSize = cl_int(CL_API_CALL*)(cl_command_queue, cl_kernel, cl_uint, const size_t*,
                                              const size_t*, size_t*);

/// Up to three sizes of an NDRange.
struct Range {
  cl_uint dimensions = 1;
  std::array<size_t, 3> size{1, 1, 1};
  Range(size_t x) : size{x, 1, 1} {}
  Range(size_t x, size_t y) : dimensions(2), size{x, y, 1} {}
  Range(size_t x, size_t y, size_t z) : dimensions(3), size{x, y, z} {}
};

/// Local memory of so many bytes, as a kernel argument.
struct Local {
  size_t bytes;
};

cl_int set_argument(cl_kernel kernel, cl_uint index, const Local& local);
cl_int set_argument(cl_kernel kernel, cl_uint index, const Buffer& buffer);
template <class T>
cl_int set_argument(cl_kernel kernel, cl_uint index, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return clSetKernelArg(kernel, index, sizeof value, &value);
}
template <class... Arguments>
void set_arguments(cl_kernel kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  const auto set = [&](const auto& argument) { REQUIRE_CL(set_argument(kernel, index++, argument)); };
  (set(arguments), ...);
}

Context make_context();
Queue make_queue(cl_context context, cl_command_queue_properties properties = 0);
Event user_event(cl_context context);
/// CL_EVENT_COMMAND_EXECUTION_STATUS
cl_int status_of(cl_event event);
/// clWaitForEvents with one event
cl_int wait(cl_event event);
std::string build_log(cl_program program);

class Session {
public:
  explicit Session(cl_command_queue_properties properties = 0)
      : context(make_context()), queue(make_queue(context, properties)) {}

  Buffer buffer(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr) const;
  template <class T>
  Buffer buffer(const std::vector<T>& values, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    return buffer(values.size() * sizeof(T), flags | CL_MEM_COPY_HOST_PTR, const_cast<T*>(values.data()));
  }
  template <class T>
  std::vector<T> read(cl_mem buffer, size_t count, size_t offset = 0) const {
    std::vector<T> values(count);
    REQUIRE_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset * sizeof(T), count * sizeof(T),
                                   values.data(), 0, nullptr, nullptr));
    return values;
  }

  /// A program from source, not built.
  Program source(const char* text) const;
  /// Built; a failure fails the test and shows the log.
  Program build(const char* text, const char* options = "") const;
  /// Builds and returns the status and the log.
  cl_int try_build(const char* text, const char* options = "", std::string* log = nullptr) const;
  Kernel kernel(cl_program program, const char* name) const;
  /// The kernel of a program of its own.
  Kernel kernel(const char* text, const char* name, const char* options = "") const;

  /// Enqueues and finishes. A local size is optional.
  void run(cl_kernel kernel, Range global) const;
  void run(cl_kernel kernel, Range global, Range local) const;

  Context context;
  Queue queue;
};

} // namespace test
