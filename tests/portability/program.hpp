#pragma once

// Small OpenCL programs that assume something that OpenCL does not promise, and the error that each program must meet
// on described devices. Each program has a mended form, which queries the device first, or does not need the
// assumption. On the host, both forms usually run without an error, so a developer who has only the host does not see
// the fault.

#include <cstddef>
#include <string>
#include <vector>

#include <CL/cl.h>

namespace portability {

/// Codes that are not OpenCL's: the results of a program are wrong; a call that returns a pointer has returned null.
constexpr cl_int wrong_result = 1, null_pointer = 2;

/// Thrown by a program that cannot go on.
struct Failure {
  cl_int code;
};
inline void check(cl_int code) {
  if (code != CL_SUCCESS) throw Failure{code};
}
inline void expect(bool is_right) {
  if (!is_right) throw Failure{wrong_result};
}

/// A device with its context and a queue, all of which last as long as the process.
class Bench {
public:
  explicit Bench(bool mended);

  /// Whether the mended form of the program runs.
  const bool mended;
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  /// Build logs, and the sentences that the context's callback has got.
  std::string messages;

  template <class T>
  T info(cl_device_info name) const {
    T value{};
    check(clGetDeviceInfo(device, name, sizeof value, &value, nullptr));
    return value;
  }
  std::string text(cl_device_info name) const;
  std::size_t max_group() const { return info<std::size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE); }
  bool has(const char* extension) const;
  /// Whether the device has OpenCL C 3.0 with this optional feature.
  bool has_feature(const char* feature) const;
  bool is_version(unsigned major, unsigned minor) const;

  /// Builds a program and returns its kernel "k".
  cl_kernel kernel(const std::string& source, const char* options = "");
  cl_mem buffer(std::size_t bytes, const void* data = nullptr, cl_mem_flags flags = CL_MEM_READ_WRITE) const;
  void launch(cl_kernel kernel, std::vector<std::size_t> global, std::vector<std::size_t> local = {}) const;
  template <class T>
  std::vector<T> read(cl_mem buffer, std::size_t count) const {
    std::vector<T> values(count);
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr,
                              nullptr));
    return values;
  }
};

template <class... Arguments>
void set_arguments(cl_kernel kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  (check(clSetKernelArg(kernel, index++, sizeof arguments, &arguments)), ...);
}

/// One program, the devices that must show its fault, and how.
struct Program {
  const char* name;
  std::vector<const char*> devices; ///< names of shipped descriptions, or the text of a description
  cl_int code;                      ///< the error of the faulty form on these devices
  const char* message;              ///< a part of the messages of the failure; empty for wrong results
  void (*run)(Bench&);
  /// Whether the faulty form passes on the host's device each time. Otherwise, the form depends on chance there.
  bool passes_on_host = true;
};

/// The programs, by subject.
std::vector<Program> launch_programs(), language_programs(), feature_programs(), memory_programs(),
    image_programs(), behaviour_programs();

} // namespace portability
