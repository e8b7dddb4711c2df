// A kernel, as an application would run it. Declared in doctor/facts.hpp.

#include "doctor/facts.hpp"
#include "doctor/isolated.hpp"
#include "doctor/opencl.hpp"
#include "doctor/platforms.hpp"

#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <numeric>

namespace hostcl::doctor {

namespace {

constexpr const char* source =
    "kernel void doctor(global int* x) { int i = get_global_id(0); x[i] = 3 * x[i] + i; }";
constexpr std::size_t items = 4096;
constexpr const char* kernel_remedy =
    "solve the problems above first; HOSTCL_LOG=trace shows every API call of an application";

/// The result for a call that failed. Nothing is released, because the process ends afterwards.
llvm::json::Value failed(const char* call, cl_int status, std::string log = {}) {
  return llvm::json::Object{{"call", call}, {"status", status}, {"log", llvm::json::fixUTF8(log)}};
}

std::string build_log(const OpenCL& opencl, cl_program program, cl_device_id device) {
  std::string log(1 << 14, '\0');
  std::size_t size = 0;
  HOSTCL_CL(opencl, clGetProgramBuildInfo)
  (program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), &size);
  log.resize(size ? size - 1 : 0);
  return log;
}

bool is_right(const std::vector<int>& result) {
  for (std::size_t i = 0; i < result.size(); ++i)
    if (result[i] != static_cast<int>(4 * i)) return false;
  return true;
}

/// Builds and runs a kernel on the context's device. @returns whether the results are right, or failed()
llvm::json::Value run(const OpenCL& opencl, cl_context context, cl_device_id device) {
  cl_int status = CL_SUCCESS;
  cl_command_queue queue =
      HOSTCL_CL(opencl, clCreateCommandQueueWithProperties)(context, device, nullptr, &status);
  if (status != CL_SUCCESS) return failed("clCreateCommandQueueWithProperties", status);
  const char* text = source;
  cl_program program = HOSTCL_CL(opencl, clCreateProgramWithSource)(context, 1, &text, nullptr, &status);
  if (status == CL_SUCCESS)
    status = HOSTCL_CL(opencl, clBuildProgram)(program, 1, &device, "", nullptr, nullptr);
  if (status != CL_SUCCESS) return failed("clBuildProgram", status, build_log(opencl, program, device));
  cl_kernel kernel = HOSTCL_CL(opencl, clCreateKernel)(program, "doctor", &status);
  if (status != CL_SUCCESS) return failed("clCreateKernel", status);
  std::vector<int> data(items);
  std::iota(data.begin(), data.end(), 0);
  cl_mem buffer = HOSTCL_CL(opencl, clCreateBuffer)(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                                    items * sizeof(int), data.data(), &status);
  if (status != CL_SUCCESS) return failed("clCreateBuffer", status);
  HOSTCL_CL(opencl, clSetKernelArg)(kernel, 0, sizeof buffer, &buffer);
  status = HOSTCL_CL(opencl, clEnqueueNDRangeKernel)(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                                     nullptr);
  if (status != CL_SUCCESS) return failed("clEnqueueNDRangeKernel", status);
  status = HOSTCL_CL(opencl, clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, items * sizeof(int), data.data(),
                                                  0, nullptr, nullptr);
  if (status != CL_SUCCESS) return failed("clEnqueueReadBuffer", status);
  return llvm::json::Object{{"right", is_right(data)}};
}

llvm::json::Value run_on_hostcl(const std::string& loader) {
  ::setenv("HOSTCL_LOG", "info", 1); // so that a call that fails writes the reason to standard error
  const OpenCL opencl(loader);
  for (cl_platform_id platform : platforms_of(opencl)) {
    if (text_of(HOSTCL_CL(opencl, clGetPlatformInfo), platform, CL_PLATFORM_NAME) != "hostcl") continue;
    const std::vector<cl_device_id> devices = devices_of(opencl, platform);
    if (devices.empty()) return failed("clGetDeviceIDs", CL_DEVICE_NOT_FOUND);
    cl_int status = CL_SUCCESS;
    cl_context context =
        HOSTCL_CL(opencl, clCreateContext)(nullptr, 1, devices.data(), nullptr, nullptr, &status);
    if (status != CL_SUCCESS) return failed("clCreateContext", status);
    return run(opencl, context, devices.front());
  }
  return failed("clGetPlatformIDs", CL_SUCCESS, "hostcl is not listed any more");
}

/// Reports the warnings of the driver, except those about settings, which check_settings() reports.
void report_warnings(Report& report, llvm::StringRef output) {
  for (llvm::StringRef line : llvm::split(output, '\n')) {
    if (!line.consume_front("hostcl: warning: ") || line.contains("unknown variable") ||
        line.contains("cannot be used and is ignored") || line.contains("is not used:"))
      continue;
    report.problem("kernel.warning", "the driver warns: " + line.str(), "correct what the warning names");
  }
}

} // namespace

void check_kernel(Report& report, const Loader& loader) {
  report.begin_section("A kernel");
  constexpr unsigned seconds = 120;
  const Answer answer = run_isolated([&](In) { return run_on_hostcl(loader.path); }, seconds);
  const std::string said = answer.output.empty() ? "" : "; the driver said: " + answer.output;
  report_warnings(report, answer.output);
  const llvm::json::Object& facts = answer.object();
  const std::string log = text_in(facts, "log").empty() ? "" : ": " + text_in(facts, "log");
  if (!answer.failure.empty())
    report.problem("kernel.crash", "while a kernel was built and run, " + answer.failure + said,
                   kernel_remedy);
  else if (const auto call = facts.getString("call"))
    report.problem("kernel.failed",
                   call->str() + " returned " + std::to_string(number_in(facts, "status")) + log + said,
                   kernel_remedy);
  else if (const auto right = facts.getBoolean("right"); right && *right)
    report.well("kernel", "a kernel was built and run on hostcl, and its " + std::to_string(items) +
                              " results are right");
  else
    report.problem("kernel.wrong", "a kernel's results are wrong" + said,
                   "run hostcl-doctor with HOSTCL_STOP_AFTER=0: if the results are right then, an "
                   "optimisation of the compiler is wrong");
}

} // namespace hostcl::doctor
