// Prints how many nanoseconds a fixed number of atomic increments of one address take: half of them without a
// use of the result, half with one. HOSTCL_THREADS says on how many threads.

#include "support/choice.hpp"

#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr size_t items = 1 << 24;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

} // namespace

int main() {
  const char* source = "kernel void count(global uint* n) { atomic_inc(n); }"
                       "kernel void append(global uint* n, global uint* list) {"
                       "  list[atomic_inc(n)] = get_global_id(0); }";
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
  cl_kernel count = clCreateKernel(program, "count", nullptr),
            append = clCreateKernel(program, "append", nullptr);
  cl_mem counter = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, nullptr, nullptr);
  cl_mem list = clCreateBuffer(context, CL_MEM_READ_WRITE, items * 4, nullptr, nullptr);
  for (cl_kernel kernel : {count, append})
    clSetKernelArg(kernel, 0, sizeof counter, &counter);
  clSetKernelArg(append, 1, sizeof list, &list);

  const auto increments = [&](cl_kernel kernel) {
    const cl_uint zero = 0;
    cl_uint total = 0;
    clEnqueueFillBuffer(queue, counter, &zero, 4, 0, 4, 0, nullptr, nullptr);
    clFinish(queue);
    const auto start = std::chrono::steady_clock::now();
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
    clFinish(queue);
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - start;
    clEnqueueReadBuffer(queue, counter, CL_TRUE, 0, 4, &total, 0, nullptr, nullptr);
    require(total == items, "every increment counts");
    return taken;
  };
  auto best = std::chrono::nanoseconds::max();
  for (int iteration = 0; iteration < 6; ++iteration) {
    const auto taken = increments(count) + increments(append);
    if (iteration > 0) best = std::min(best, taken); // the first iteration compiles
  }
  std::printf("%lld\n", static_cast<long long>(best.count()));
  return 0;
}
