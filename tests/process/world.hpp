#pragma once

// What the process tests use of OpenCL, and programs that take long to build, compile or run.

#include <CL/cl.h>

#include <string>

namespace test {

/// Ends the process with status 1 and a message unless the condition holds.
void require(bool condition, const char* what);

/// A kernel k(v, n) that does n iterations of arithmetic; each text is a program of its own.
std::string iterations_source(const std::string& prologue);
/// A program with the kernel k(v, n) whose machine code takes several seconds to make.
std::string slow_kernel_source();
/// A program with the kernel k(v, n) which clang takes several seconds for.
std::string slow_build_source(int functions = 20'000);

/// A context with a queue, and a kernel k(v, n).
struct World {
  static constexpr size_t items = 4096;

  explicit World(const std::string& source = iterations_source(""));
  World(const World&) = delete;

  /// @param count work-items
  bool enqueue(cl_uint iterations, size_t count = items, cl_uint wait_count = 0,
               const cl_event* waits = nullptr, cl_event* event = nullptr);
  /// Runs the kernel and waits for it.
  bool run() { return enqueue(10) && clFinish(queue) == CL_SUCCESS; }
  void release();

  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  cl_mem buffer;
};

/// A world that is never released, as applications do it.
World& lasting_world(const std::string& source = iterations_source(""));

/// A new program in the context. Fails the process if there is none; it is not built yet.
cl_program make_program(cl_context context, const std::string& source);

} // namespace test
