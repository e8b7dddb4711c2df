// Builds and launches while allocations of the compiler's threads fail: the call says so, and a later build
// succeeds. Each attempt is a process of its own, because LLVM or the C library may end it; it must not hang.
// usage: test_compiler_out_of_memory ATTEMPTS

#include "failing_allocator.hpp"
#include "support/choice.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using failing_allocator::Scope;
using failing_allocator::state;

constexpr unsigned allowed_seconds = 20;

cl_device_id device;
cl_context context;
cl_command_queue queue;

/// Builds a program that no other has the code of, and runs its kernel. @returns the first error
cl_int build_and_run(int number) {
  const std::string text = "global int total = " + std::to_string(number) +
                           "; kernel void k(global float* x) { size_t i = get_global_id(0); "
                           "atomic_add(&total, 1); x[i] = sin(x[i]) * " +
                           std::to_string(number) + "; }";
  const char* source = text.c_str();
  cl_int error = CL_SUCCESS;
  const size_t global = 64;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  if (!error) error = clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr);
  cl_kernel kernel = error ? nullptr : clCreateKernel(program, "k", &error);
  cl_mem buffer = error ? nullptr : clCreateBuffer(context, 0, global * sizeof(float), nullptr, &error);
  if (!error) error = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  cl_event event = nullptr;
  if (!error) error = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, &event);
  if (!error) error = clWaitForEvents(1, &event);
  if (error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof error, &error, nullptr);
  if (event) clReleaseEvent(event);
  if (buffer) clReleaseMemObject(buffer);
  if (kernel) clReleaseKernel(kernel);
  if (program) clReleaseProgram(program);
  return error;
}

/// What a child does: the allocations numbered [from, to) fail during the first build. @returns its exit code
int attempt(long from, long to) {
  alarm(allowed_seconds);
  failing_allocator::begin(Scope::all_threads, from, to);
  const cl_int first = build_and_run(1);
  failing_allocator::end();
  if (first != CL_SUCCESS && first != CL_OUT_OF_HOST_MEMORY && first != CL_OUT_OF_RESOURCES &&
      first != CL_MEM_OBJECT_ALLOCATION_FAILURE) {
    std::fprintf(stderr, "the build with failures from allocation %ld: %d\n", from, first);
    return 1;
  }
  if (const cl_int second = build_and_run(2)) {
    std::fprintf(stderr, "the build after failures from allocation %ld: %d\n", from, second);
    return 1;
  }
  return 0;
}

/// The exit status that the C library's dynamic linker ends a process with.
constexpr int no_thread_memory = 127;

struct Ends {
  long good = 0, ended = 0, bad = 0;
};

void try_in_child(long from, long to, Ends& ends) {
  const pid_t child = fork();
  if (child == 0) std::_Exit(attempt(from, to));
  int status = 0;
  waitpid(child, &status, 0);
  const bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    ++ends.good;
  } else if (WIFEXITED(status) ? WEXITSTATUS(status) == no_thread_memory : !hung) {
    ++ends.ended;
  } else {
    ++ends.bad;
    std::fprintf(stderr, "allocations %ld to %ld: %s\n", from, to, hung ? "hangs" : "failed");
  }
}

} // namespace

int main(int count, char** arguments) {
  const long attempts = count > 1 ? std::atol(arguments[1]) : 100;
  device = test::chosen_device();
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  if (build_and_run(0) != CL_SUCCESS) return 1;
  failing_allocator::begin(Scope::all_threads, -1, -1);
  if (build_and_run(-1) != CL_SUCCESS) return 1;
  failing_allocator::end();
  const long allocations = state.counted;

  Ends ends;
  for (long i = 0; i < attempts; ++i) {
    // All phases of the compiler, and as often the last ones, in which code is linked.
    const long spread = allocations * i / attempts, late = allocations - 1 - 4 * i;
    for (long from : {spread, late}) {
      try_in_child(from, from + 1, ends);
      try_in_child(from, std::numeric_limits<long>::max(), ends);
    }
  }
  std::printf("%ld allocations: %ld attempts good, %ld ended early, %ld bad\n", allocations, ends.good,
              ends.ended, ends.bad);
  return ends.bad == 0 && ends.good > ends.ended ? 0 : 1;
}
