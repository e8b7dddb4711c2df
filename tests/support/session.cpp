#include "support/session.hpp"

#include "support/choice.hpp"

#include <algorithm>
#include <cstdlib>

namespace test {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string platform_name(cl_platform_id id) {
  size_t bytes = 0;
  if (clGetPlatformInfo(id, CL_PLATFORM_NAME, 0, nullptr, &bytes) != CL_SUCCESS) return {};
  std::string name(bytes, '\0');
  clGetPlatformInfo(id, CL_PLATFORM_NAME, bytes, name.data(), nullptr);
  name.resize(bytes ? bytes - 1 : 0);
  return name;
}

} // namespace

cl_platform_id platform() {
  static const cl_platform_id id = find_platform();
  INFO("no platform is called \"" << wanted_platform() << "\": set OCL_ICD_VENDORS or HOSTCL_TEST_PLATFORM");
  REQUIRE(id != nullptr);
  return id;
}

cl_device_id device() {
  static const cl_device_id id = [] {
    cl_device_id first = nullptr;
    clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, &first, nullptr);
    return first;
  }();
  if (!id)
    FAIL("the platform has no device"); // no assertion where all is well: threads of tests come here, too
  return id;
}

bool is_hostcl() {
  static const bool result = lower(platform_name(platform())).find("hostcl") != std::string::npos;
  return result;
}

std::string device_string(cl_device_info query) {
  size_t bytes = 0;
  REQUIRE_CL(clGetDeviceInfo(device(), query, 0, nullptr, &bytes));
  std::string text(bytes, '\0');
  REQUIRE_CL(clGetDeviceInfo(device(), query, bytes, text.data(), nullptr));
  if (!text.empty()) text.pop_back();
  return text;
}

namespace {

bool has_word(const std::string& words, std::string_view word) {
  return (" " + words + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

} // namespace

bool has_extension(std::string_view name) {
  return has_word(device_string(CL_DEVICE_EXTENSIONS), name);
}

bool platform_has_extension(std::string_view name) {
  size_t size = 0;
  REQUIRE_CL(clGetPlatformInfo(platform(), CL_PLATFORM_EXTENSIONS, 0, nullptr, &size));
  std::vector<char> words(size);
  REQUIRE_CL(clGetPlatformInfo(platform(), CL_PLATFORM_EXTENSIONS, size, words.data(), nullptr));
  return has_word(words.data(), name);
}

cl_int set_argument(cl_kernel kernel, cl_uint index, const Local& local) {
  return clSetKernelArg(kernel, index, local.bytes, nullptr);
}

cl_int set_argument(cl_kernel kernel, cl_uint index, const Buffer& buffer) {
  const cl_mem handle = buffer;
  return clSetKernelArg(kernel, index, sizeof handle, &handle);
}

Context make_context() {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(platform()), 0};
  const cl_device_id id = device();
  cl_int error = CL_SUCCESS;
  Context context(clCreateContext(properties, 1, &id, nullptr, nullptr, &error));
  REQUIRE_CL(error);
  return context;
}

Queue make_queue(cl_context context, cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int error = CL_SUCCESS;
  Queue queue(clCreateCommandQueueWithProperties(context, device(), list, &error));
  REQUIRE_CL(error);
  return queue;
}

Event user_event(cl_context context) {
  cl_int error = 1;
  Event event(clCreateUserEvent(context, &error));
  REQUIRE_CL(error);
  return event;
}

cl_int status_of(cl_event event) {
  cl_int status = 99;
  REQUIRE_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  return status;
}

cl_int wait(cl_event event) {
  return clWaitForEvents(1, &event);
}

std::string build_log(cl_program program) {
  size_t bytes = 0;
  clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  std::string log(bytes, '\0');
  if (bytes) clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
  while (!log.empty() && log.back() == '\0')
    log.pop_back();
  return log;
}

Buffer Session::buffer(size_t bytes, cl_mem_flags flags, void* host) const {
  cl_int error = CL_SUCCESS;
  Buffer result(clCreateBuffer(context, flags, bytes, host, &error));
  REQUIRE_CL(error);
  return result;
}

Program Session::source(const char* text) const {
  cl_int error = CL_SUCCESS;
  Program program(clCreateProgramWithSource(context, 1, &text, nullptr, &error));
  REQUIRE_CL(error);
  return program;
}

Program Session::build(const char* text, const char* options) const {
  Program program = source(text);
  const cl_int status = clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
  INFO("options: " << options << "\nlog: " << build_log(program) << "\nsource:\n" << text);
  REQUIRE_CL(status);
  return program;
}

cl_int Session::try_build(const char* text, const char* options, std::string* log) const {
  Program program = source(text);
  const cl_int status = clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
  if (log) *log = build_log(program);
  return status;
}

Kernel Session::kernel(cl_program program, const char* name) const {
  cl_int error = CL_SUCCESS;
  Kernel result(clCreateKernel(program, name, &error));
  INFO("kernel " << name);
  REQUIRE_CL(error);
  return result;
}

Kernel Session::kernel(const char* text, const char* name, const char* options) const {
  return kernel(build(text, options), name);
}

void Session::run(cl_kernel kernel, Range global) const {
  REQUIRE_CL(clEnqueueNDRangeKernel(queue, kernel, global.dimensions, nullptr, global.size.data(), nullptr, 0,
                                    nullptr, nullptr));
  REQUIRE_CL(clFinish(queue));
}

void Session::run(cl_kernel kernel, Range global, Range local) const {
  REQUIRE_CL(clEnqueueNDRangeKernel(queue, kernel, global.dimensions, nullptr, global.size.data(),
                                    local.size.data(), 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(queue));
}

} // namespace test
