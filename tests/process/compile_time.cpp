// Compile time grows no faster than the program: four times the code takes at most eight times as long, where
// quadratic time would be sixteen times as long.
// usage: test_compile_time                       checks all shapes
//        test_compile_time SHAPE COPIES          prints a program

#include "program_shapes.hpp"
#include "support/choice.hpp"

#include <CL/cl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr double most_growth = 8;
constexpr int iterations = 6;

/// Compiles and launches, in a process that ends thereafter. Returns whether that worked.
bool compile(const std::string& source) {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  const char* text = source.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) return false;
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  const cl_uint zero = 0;
  const size_t bytes = 1 << 20, items = 64;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, nullptr);
  clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr) ==
             CL_SUCCESS &&
         clFinish(queue) == CL_SUCCESS;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// CPU seconds of a process of its own, so that what else the machine does counts little. Only the sum of both
/// times is exact: Linux divides it by what it finds at its ticks.
double time_of(const test::Shape& shape, unsigned copies, unsigned seed) {
  const std::string source = test::source_of(shape, copies, seed);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) _exit(compile(source) ? 0 : 1);
  int status = 0;
  rusage used{};
  if (wait4(child, &status, 0, &used) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::printf("%s, %u copies: does not run\n", shape.name, copies);
    std::exit(1);
  }
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Ends with the first iteration that shows the growth to be small.
bool grows_with_size(const test::Shape& shape) {
  const unsigned few = shape.few, many = 4 * few;
  double small = 0, large = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const double one = time_of(shape, few, 1), four = time_of(shape, many, 1);
    small = iteration == 0 ? one : std::min(small, one);
    large = iteration == 0 ? four : std::min(large, four);
    if (large <= most_growth * small) break;
  }
  const bool good = large <= most_growth * small;
  std::printf("%-24s %5.2f s for %u, %5.2f s for %u: %4.1f%s\n", shape.name, small, few, large, many,
              large / small, good ? "" : ", too much");
  return good;
}

} // namespace

int main(int count, char** arguments) {
  bool good = true;
  for (const test::Shape& shape : test::shapes())
    if (count != 3)
      good &= grows_with_size(shape);
    else if (std::string(arguments[1]) == shape.name)
      std::fputs(source_of(shape, static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)), 1).c_str(),
                 stdout);
  return good ? 0 : 1;
}
