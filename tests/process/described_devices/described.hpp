#pragma once

// Descriptions of devices in temporary files, and what a process does with a device that keeps to one.

#include "process/own_process.hpp"
#include "process/world.hpp"
#include "support/choice.hpp"

#include <CL/cl_ext.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace test {

/// A description in a temporary file. The answers are written with single quotes.
class DescriptionFile {
public:
  explicit DescriptionFile(std::string device, const std::string& more = "") {
    for (char& c : device)
      if (c == '\'') c = '"';
    const int descriptor = mkstemp(name_.data());
    require(descriptor >= 0, "a temporary file");
    close(descriptor);
    std::ofstream(name_) << R"({"name": "small", "device": {)" << device << "}" << more << "}";
  }
  DescriptionFile(const DescriptionFile&) = delete;
  ~DescriptionFile() { unlink(name_.c_str()); }
  const std::string& name() const { return name_; }

private:
  std::string name_ = "/tmp/hostcl-device-XXXXXX";
};

/// The error code of a call in a process whose device keeps to a description, as a number that is not negative.
template <class Call>
int code_of(const std::string& devices, Call call) {
  return in_child([&] {
    setenv("HOSTCL_DEVICE", devices.c_str(), 1);
    return -call();
  });
}

inline std::string text_of(cl_device_id device, cl_device_info name) {
  char value[4096] = {};
  clGetDeviceInfo(device, name, sizeof value, value, nullptr);
  return value;
}

inline std::vector<cl_device_id> devices() {
  cl_uint count = 0;
  clGetDeviceIDs(test::find_platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  std::vector<cl_device_id> list(count);
  clGetDeviceIDs(test::find_platform(), CL_DEVICE_TYPE_ALL, count, list.data(), nullptr);
  return list;
}

/// A context with all devices, and a queue on the first.
struct Described {
  cl_device_id device = chosen_device();
  std::vector<cl_device_id> all = devices();
  cl_context context =
      clCreateContext(nullptr, static_cast<cl_uint>(all.size()), all.data(), nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);

  /// The device of this name; null if there is none.
  cl_device_id named(const std::string& name) const {
    for (cl_device_id one : all)
      if (text_of(one, CL_DEVICE_NAME) == name) return one;
    return nullptr;
  }
  cl_kernel kernel(const char* source) const {
    cl_program program = test::make_program(context, source);
    require(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS, "a build");
    cl_kernel kernel = clCreateKernel(program, "k", nullptr);
    require(kernel, "a kernel");
    return kernel;
  }
  cl_int launch(cl_kernel kernel, std::vector<size_t> global, std::vector<size_t> local) const {
    return clEnqueueNDRangeKernel(queue, kernel, static_cast<cl_uint>(global.size()), nullptr, global.data(),
                                  local.empty() ? nullptr : local.data(), 0, nullptr, nullptr);
  }
  cl_int buffer(size_t bytes, cl_mem* made = nullptr) const {
    cl_int code = 0;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    if (made) *made = buffer;
    return code;
  }
  cl_int image(cl_mem_object_type type, size_t width, size_t height, size_t depth,
               cl_image_format format = {CL_RGBA, CL_UNORM_INT8}, cl_mem_flags flags = 0) const {
    cl_image_desc description{};
    description.image_type = type;
    description.image_width = width;
    description.image_height = height;
    description.image_depth = description.image_array_size = depth;
    cl_int code = 0;
    clCreateImage(context, flags, &format, &description, nullptr, &code);
    return code;
  }
};

constexpr const char* nothing = "kernel void k(global int* a) { a[get_global_id(0)] = 1; }";

inline cl_int launch_of(std::vector<size_t> global, std::vector<size_t> local, const char* source = nothing) {
  const Described d;
  cl_kernel kernel = d.kernel(source);
  cl_mem buffer = nullptr;
  require(d.buffer(1 << 20, &buffer) == CL_SUCCESS, "a buffer");
  require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "an argument");
  return d.launch(kernel, std::move(global), std::move(local));
}

} // namespace test
