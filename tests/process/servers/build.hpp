#pragma once

// Builds of programs, and what they say.

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

} // namespace test
