// Builds and launches while allocations of the compiler's threads fail: the call says so, and a later build
// succeeds. Each attempt is a process of its own, because LLVM or the C library may end it; it must not hang.
// usage: test_compiler_out_of_memory later ATTEMPTS | first [FROM TO STEP]
//   later   in processes that have compiled before: one allocation fails, or all from one on
//   first   in the process's first compilation, in which LLVM initialises itself: each STEP-th allocation from FROM to
//           before TO fails alone, and with the next 2000; some 70 of all unless told, most of them where LLVM
//           initialises itself and the kernel is launched. No process may end early. The long run takes an hour:
//           HOSTCL_CACHE=0 test_compiler_out_of_memory first 0 40000 1

#include "failing_allocator.hpp"
#include "support/choice.hpp"

#include <CL/cl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <csignal>
#include <sys/mman.h>
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
  char text[200]; // the test's own allocations would fail as well
  std::snprintf(text, sizeof text,
                "global int total = %d; kernel void k(global float* x) { size_t i = get_global_id(0); "
                "atomic_add(&total, 1); x[i] = sin(x[i]) * %d; }",
                number, number);
  const char* source = text;
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
  if (error == CL_BUILD_PROGRAM_FAILURE) {
    char log[1000] = "";
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, nullptr);
    std::fprintf(stderr, "build log: %s\n", log);
  }
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
    std::fprintf(stderr, "allocations %ld to %ld: ended early, status %x\n", from, to, unsigned(status));
  } else {
    ++ends.bad;
    std::fprintf(stderr, "allocations %ld to %ld: %s\n", from, to, hung ? "hangs" : "failed");
  }
}

void open_device() {
  device = test::chosen_device();
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
}

int fail_later(long attempts) {
  constexpr int programs_before =
      10; // so many that a precompiled header is used (front/clang/prefix_header.cpp)
  for (int i = 0; i < programs_before; ++i)
    if (build_and_run(100 + i) != CL_SUCCESS) return 1;
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

/// Allocations of a process's first build and launch.
long count_in_child() {
  void* const shared = mmap(nullptr, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& allocations = *static_cast<long*>(shared);
  const pid_t child = fork();
  if (child == 0) {
    failing_allocator::begin(Scope::all_threads, -1, -1);
    const cl_int code = build_and_run(1);
    failing_allocator::end();
    allocations = state.counted;
    std::_Exit(code == CL_SUCCESS ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? allocations : 0;
}

/// Lets each step-th allocation fail, alone and with the next 2000.
void sweep(long from, long to, long step, Ends& ends) {
  for (long at = from; at < to; at += step) {
    try_in_child(at, at + 1, ends);
    try_in_child(at, at + 2000, ends);
  }
}

int fail_first(long from, long to, long step) {
  const long allocations = count_in_child();
  if (allocations == 0) return 1;
  Ends ends;
  if (step > 0) {
    sweep(from, std::min(to, allocations), step, ends);
  } else {
    sweep(0, allocations, allocations / 20, ends);
    sweep(allocations - allocations / 40, allocations, allocations / 160, ends); // the launch
    sweep(allocations / 8, allocations / 4, allocations / 320, ends); // LLVM initialises itself there
  }
  std::printf("%ld allocations: %ld attempts good, %ld ended early, %ld bad\n", allocations, ends.good,
              ends.ended, ends.bad);
  return ends.bad == 0 && ends.ended == 0 && ends.good > 0 ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
  const std::string_view way = count > 1 ? arguments[1] : "";
  const auto number = [&](int i) { return i < count ? std::atol(arguments[i]) : 0; };
  open_device();
  return way == "first" ? fail_first(number(2), number(3), number(4)) : fail_later(number(2));
}
