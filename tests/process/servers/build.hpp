#pragma once

// Builds programs with their logs, and tells whether built programs work.

#include "process/world.hpp"

#include <string>

namespace test {

struct Built {
  cl_int code;
  std::string log;
};

inline Built build(const World& world, const std::string& source, const char* options = "") {
  cl_program program = make_program(world.context, source);
  Built built{clBuildProgram(program, 0, nullptr, options, nullptr, nullptr), {}};
  size_t bytes = 0;
  clGetProgramBuildInfo(program, world.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
  built.log.resize(bytes);
  clGetProgramBuildInfo(program, world.device, CL_PROGRAM_BUILD_LOG, bytes, built.log.data(), nullptr);
  clReleaseProgram(program);
  return built;
}

/// Whether a program that no other has the code of is built.
inline bool builds(const World& world, int number) {
  return build(world, "kernel void k(global int* p) { p[0] = " + std::to_string(number) + "; }").code ==
         CL_SUCCESS;
}

/// Builds and runs a program whose code differs from all other programs, so that no cache has it. @returns whether its
/// results are right
template <class AnyWorld>
bool works(const AnyWorld& world, int number) {
  cl_program program =
      make_program(world.context, "kernel void k(global int* p) { p[get_global_id(0)] = get_global_id(0) * " +
                                      std::to_string(number) + "; }");
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) return false;
  cl_command_queue queue = clCreateCommandQueueWithProperties(world.context, world.device, nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  constexpr size_t items = 64;
  cl_int values[items] = {};
  cl_mem buffer = clCreateBuffer(world.context, 0, sizeof values, nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr);
  bool is_right = true;
  for (cl_int i = 0; i < cl_int(items); ++i)
    is_right = is_right && values[i] == i * number;
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseCommandQueue(queue);
  clReleaseProgram(program);
  return is_right;
}

/// A program so deeply nested that compiling it overflows the compiler's stack.
inline std::string deep_source() {
  std::string text = "kernel void k(global int* p) { p[0] = p[1]";
  for (int i = 0; i < 600'000; ++i)
    text += "+1";
  return text + "; }";
}

/// Macros M0 to M<times>: M0 is the term, and each macro is twice the one before.
inline std::string doubling(const std::string& term, int times) {
  std::string text = "#define M0 " + term + "\n";
  for (int i = 1; i <= times; ++i) {
    const std::string before = " M" + std::to_string(i - 1);
    text += "#define M" + std::to_string(i) + before + before + "\n";
  }
  return text;
}

} // namespace test
