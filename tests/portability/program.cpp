#include "portability/program.hpp"

#include "support/choice.hpp"

#include <cstdio>

namespace portability {

namespace {

void CL_CALLBACK note(const char* sentence, const void*, std::size_t, void* bench) {
  static_cast<Bench*>(bench)->messages.append(sentence).append("\n");
}

} // namespace

Bench::Bench(bool mended) : mended(mended), platform(test::find_platform()) {
  check(platform ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  cl_int code = 1;
  context = clCreateContext(nullptr, 1, &device, note, this, &code);
  check(code);
  queue = clCreateCommandQueue(context, device, 0, &code);
  check(code);
}

std::string Bench::text(cl_device_info name) const {
  std::size_t bytes = 0;
  check(clGetDeviceInfo(device, name, 0, nullptr, &bytes));
  std::string value(bytes, '\0');
  check(clGetDeviceInfo(device, name, bytes, value.data(), nullptr));
  if (!value.empty()) value.pop_back(); // the terminating zero
  return value;
}

bool Bench::has(const char* extension) const {
  return (" " + text(CL_DEVICE_EXTENSIONS) + " ").find(" " + std::string(extension) + " ") !=
         std::string::npos;
}

bool Bench::is_version(unsigned major, unsigned minor) const {
  unsigned own_major = 0, own_minor = 0;
  if (std::sscanf(text(CL_DEVICE_VERSION).c_str(), "OpenCL %u.%u", &own_major, &own_minor) != 2) return false;
  return own_major > major || (own_major == major && own_minor >= minor);
}

bool Bench::has_feature(const char* feature) const {
  std::size_t bytes = 0;
  if (!is_version(3, 0)) return false;
  check(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &bytes));
  std::vector<cl_name_version> features(bytes / sizeof(cl_name_version));
  check(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, bytes, features.data(), nullptr));
  for (const cl_name_version& each : features)
    if (std::string(each.name) == feature) return true;
  return false;
}

cl_kernel Bench::kernel(const std::string& source, const char* options) {
  const char* text = source.c_str();
  cl_int code = 1;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  check(code);
  code = clBuildProgram(program, 1, &device, options, nullptr, nullptr);
  if (code != CL_SUCCESS) {
    std::size_t bytes = 0;
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes));
    std::string log(bytes, '\0');
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr));
    messages.append(log.c_str()).append("\n");
  }
  check(code);
  cl_kernel made = clCreateKernel(program, "k", &code);
  check(code);
  return made;
}

cl_mem Bench::buffer(std::size_t bytes, const void* data, cl_mem_flags flags) const {
  cl_int code = 1;
  void* from = const_cast<void*>(data); // the function takes pointers to memory that it does not write
  cl_mem made = clCreateBuffer(context, flags | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes, from, &code);
  check(code);
  return made;
}

void Bench::launch(cl_kernel kernel, std::vector<std::size_t> global, std::vector<std::size_t> local) const {
  check(clEnqueueNDRangeKernel(queue, kernel, static_cast<cl_uint>(global.size()), nullptr, global.data(),
                               local.empty() ? nullptr : local.data(), 0, nullptr, nullptr));
  check(clFinish(queue));
}

} // namespace portability
