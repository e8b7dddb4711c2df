// Two drivers with an LLVM each in one process: kernels build and run on both in turn, and on both at once.
// Started by run_coexistence, which arranges that the loader sees PoCL and hostcl.

#include <CL/cl.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr const char* source = R"(
kernel void reduce(global const float* in, global float* out, local float* t) {
  size_t l = get_local_id(0);
  t[l] = sqrt(in[get_global_id(0)]) * FACTOR;
  for (size_t s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) t[l] += t[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) out[get_group_id(0)] = t[0];
}
)";

/// Builds and runs one program; true if every group's sum is right.
bool run_once(cl_platform_id platform, int factor) {
  cl_device_id device = nullptr;
  cl_int error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  if (error != CL_SUCCESS) return false;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  cl_program program =
      clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, &error);
  const std::string options = "-DFACTOR=" + std::to_string(factor) + ".0f";
  error = clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr);
  if (error != CL_SUCCESS) return false;
  cl_kernel kernel = clCreateKernel(program, "reduce", &error);
  std::vector<float> values(1024, 4.0f), sums(16, 0.0f);
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, values.data(), &error);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &error);
  clSetKernelArg(kernel, 0, sizeof in, &in);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  clSetKernelArg(kernel, 2, 256, nullptr);
  const size_t global = 1024, local = 64;
  error = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
  if (error == CL_SUCCESS)
    error = clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 64, sums.data(), 0, nullptr, nullptr);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return error == CL_SUCCESS && sums == std::vector<float>(16, 128.0f * float(factor));
}

} // namespace

int main() {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count) clGetPlatformIDs(count, platforms.data(), nullptr);
  std::vector<std::string> names;
  for (cl_platform_id platform : platforms) {
    char name[256] = {};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    names.emplace_back(name);
    std::printf("platform: %s\n", name);
  }
  if (count < 2) {
    std::fprintf(stderr, "failed: only %u platform(s) of two\n", count);
    return 1;
  }

  constexpr int iterations = 2; // of which the second finds both drivers initialised
  for (int iteration = 1; iteration <= iterations; ++iteration)
    for (cl_uint i = 0; i < count; ++i)
      if (!run_once(platforms[i], iteration * 10 + int(i))) {
        std::fprintf(stderr, "failed: iteration %d on %s\n", iteration, names[i].c_str());
        return 1;
      }

  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (cl_uint i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      for (int iteration = 1; iteration <= iterations; ++iteration)
        failed += !run_once(platforms[i], iteration * 100 + int(i));
    });
  for (std::thread& thread : threads)
    thread.join();
  if (failed) {
    std::fprintf(stderr, "failed: %d runs at the same time\n", failed.load());
    return 1;
  }
  std::printf("both drivers built and ran in turn and at once\n");
  return 0;
}
