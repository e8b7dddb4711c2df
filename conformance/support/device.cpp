#include "conformance/support/device.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace conformance {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string platform_name(cl_platform_id id) {
  char name[256] = {};
  clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof name, name, nullptr);
  return name;
}

cl_platform_id find_platform(std::string_view name) {
  std::string wanted(name);
  if (wanted.empty())
    if (const char* variable = std::getenv("HOSTCL_TEST_PLATFORM")) wanted = variable;
  if (wanted.empty()) wanted = "hostcl";

  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> ids(count);
  if (count) clGetPlatformIDs(count, ids.data(), nullptr);
  std::string all;
  for (cl_platform_id id : ids) {
    if (lower(platform_name(id)).find(lower(wanted)) != std::string::npos) return id;
    all += " \"" + platform_name(id) + "\"";
  }
  stop("no platform is called \"" + wanted + "\"; there is" + (all.empty() ? " none" : all) +
       ". Is OCL_ICD_VENDORS set to the driver's .icd file?");
}

} // namespace

void stop(const std::string& sentence) {
  std::fprintf(stderr, "%s\n", sentence.c_str());
  std::exit(2);
}

void require(cl_int error, const char* call) {
  if (error != CL_SUCCESS) stop(std::string(call) + " failed with " + std::to_string(error));
}

Device::Device(std::string_view name, cl_command_queue_properties properties)
    : platform(find_platform(name)) {
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr), "clGetDeviceIDs");
  cl_int error = CL_SUCCESS;
  context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &error);
  require(error, "clCreateContext");
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  queue = clCreateCommandQueueWithProperties(context, id, list, &error);
  require(error, "clCreateCommandQueueWithProperties");
}

Device::~Device() {
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

std::string Device::text(cl_device_info query) const {
  size_t bytes = 0;
  clGetDeviceInfo(id, query, 0, nullptr, &bytes);
  std::string result(bytes, '\0');
  if (bytes) clGetDeviceInfo(id, query, bytes, result.data(), nullptr);
  while (!result.empty() && result.back() == '\0')
    result.pop_back();
  return result;
}

bool Device::has_extension(std::string_view name) const {
  return (" " + text(CL_DEVICE_EXTENSIONS) + " ").find(" " + std::string(name) + " ") != std::string::npos;
}

bool Device::compiles(const std::string& standard) const {
  return Kernel(*this, "kernel void k() {}", "-cl-std=" + standard).status == CL_SUCCESS;
}

Kernel::Kernel(const Device& device, const std::string& source, const std::string& options) {
  const char* text = source.c_str();
  program = clCreateProgramWithSource(device.context, 1, &text, nullptr, &status);
  require(status, "clCreateProgramWithSource");
  status = clBuildProgram(program, 1, &device.id, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) {
    size_t bytes = 0;
    clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    log.resize(bytes);
    if (bytes) clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    return;
  }
  kernel = clCreateKernel(program, "k", &status);
}

Kernel::~Kernel() {
  if (kernel) clReleaseKernel(kernel);
  if (program) clReleaseProgram(program);
}

} // namespace conformance
