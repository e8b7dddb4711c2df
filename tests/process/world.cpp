#include "process/world.hpp"

#include "support/choice.hpp"

#include <cstdio>
#include <vector>

#include <unistd.h>

namespace test {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "failed: %s\n", what);
  _exit(1);
}

std::string iterations_source(const std::string& prologue) {
  return prologue + "kernel void k(global uint* v, uint n) {"
                    "  uint x = get_global_id(0) + 1;"
                    "  for (uint i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;"
                    "  v[get_global_id(0)] = x; }";
}

std::string slow_kernel_source() {
  std::string source = "kernel void k(global uint* v, uint n) { float x = v[get_global_id(0)];\n";
  for (int i = 0; i < 120; ++i) {
    const std::string number = std::to_string(i);
    source +=
        "x = x * sin(x + " + number + ") + pow(fabs(x), " + number + ".25f) * cos(x - " + number + ");\n";
    source += "if (x > " + number + ") for (uint j = 0; j < n; ++j) x += tan(x * j);\n";
  }
  return source + "v[get_global_id(0)] = x; }";
}

std::string slow_build_source(int functions) {
  std::string source = "float f0(float x) { return x; }\n";
  for (int i = 1; i < functions; ++i)
    source += "float f" + std::to_string(i) + "(float x) { float y = sin(x) + " + std::to_string(i) +
              "; for (int j = 0; j < 5; ++j) y += f" + std::to_string(i / 2) +
              "(y) * pow(x, y); return y; }\n";
  return source + "kernel void k(global uint* v, uint n) { *v = f" + std::to_string(functions - 1) + "(n); }";
}

cl_program make_program(cl_context context, const std::string& source) {
  const char* text = source.c_str();
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  require(program, "clCreateProgramWithSource");
  return program;
}

World::World(const std::string& source)
    : device(chosen_device()),
      context(clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr)),
      queue(clCreateCommandQueueWithProperties(context, device, nullptr, nullptr)),
      program(make_program(context, source)),
      kernel(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS
                 ? clCreateKernel(program, "k", nullptr)
                 : nullptr),
      buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, items * 4, nullptr, nullptr)) {
  require(kernel && buffer, "a kernel and a buffer");
}

World& lasting_world(const std::string& source) {
  static auto& all = *new std::vector<World*>; // so that nothing is leaked
  all.push_back(new World(source));
  return *all.back();
}

bool World::enqueue(cl_uint iterations, size_t count, cl_uint wait_count, const cl_event* waits,
                    cl_event* event) {
  return clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS &&
         clSetKernelArg(kernel, 1, sizeof iterations, &iterations) == CL_SUCCESS &&
         clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, wait_count, waits, event) ==
             CL_SUCCESS;
}

void World::release() {
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

} // namespace test
