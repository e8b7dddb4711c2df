// Builds and runs some small programs, all different, and prints the milliseconds of one.
// usage: test_programs [COUNT [FIRST]]: programs have numbers from FIRST on

#include "support/choice.hpp"

#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/resource.h>

namespace {

/// The value that the program's kernel computes, or -1.
int run(cl_context context, cl_command_queue queue, int number) {
  const std::string source = "kernel void k(global int* v) { local int t[64]; int l = get_local_id(0);\n"
                             "  t[l] = l * " +
                             std::to_string(number) +
                             "; barrier(CLK_LOCAL_MEM_FENCE); if (l == 0) *v = t[63] + t[1]; }";
  const char* text = source.c_str();
  cl_int error = CL_SUCCESS;
  int value = -1;
  const size_t size = 64;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS) {
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, nullptr, &error);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr) == CL_SUCCESS)
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
  }
  clReleaseProgram(program);
  return value;
}

/// Whether the device leaves a quarter of what the process may have to driver and application.
bool is_honest(cl_device_id device) {
  cl_ulong memory = 0;
  clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, nullptr);
  for (auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit;
    if (getrlimit(resource, &limit) != 0 || memory > limit.rlim_cur / 4 * 3) return false;
  }
  return memory != 0;
}

} // namespace

int main(int count, char** arguments) {
  const int programs = count >= 2 ? std::atoi(arguments[1]) : 20,
            first = count == 3 ? std::atoi(arguments[2]) : 1;
  cl_device_id device = test::chosen_device();
  if (!is_honest(device)) {
    std::fprintf(
        stderr,
        "failed: CL_DEVICE_GLOBAL_MEM_SIZE is more than three quarters of what the process may have\n");
    return 2;
  }
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  const auto start = std::chrono::steady_clock::now();
  for (int i = first; i < first + programs; ++i)
    if (const int value = run(context, queue, i); value != 64 * i) {
      std::fprintf(stderr, "failed: program %d computed %d\n", i, value);
      return 1;
    }
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  std::printf("%.2f\n", time.count() / programs);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
