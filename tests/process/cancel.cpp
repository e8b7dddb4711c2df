// pthread_cancel() of threads that are in calls of OpenCL: each ends at its first cancellation point outside
// of the driver, and other threads go on with the same objects. usage: test_cancel

#include "process/semaphores.hpp"
#include "process/world.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <string>

#include <pthread.h>
#include <unistd.h>

namespace {

using test::require;
using test::World;

World& world() {
  static World& instance = test::lasting_world();
  return instance;
}

/// Calls the function over and over until it is cancelled between two calls.
template <void (*function)()>
void* repeat(void*) {
  for (;;) {
    function();
    pthread_testcancel();
  }
}

void build_new() {
  static std::atomic<unsigned> count = 0;
  cl_program program = test::make_program(
      world().context, test::iterations_source("constant uint number = " + std::to_string(count++) + ";\n"));
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  const cl_uint iterations = 1;
  const size_t size = 64;
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &world().buffer);
  clSetKernelArg(kernel, 1, sizeof iterations, &iterations);
  clEnqueueNDRangeKernel(world().queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr);
  require(clFinish(world().queue) == CL_SUCCESS, "clFinish");
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}
void create_context() {
  cl_context context = clCreateContext(nullptr, 1, &world().device, nullptr, nullptr, nullptr);
  require(context && clReleaseContext(context) == CL_SUCCESS, "a context");
}
void enqueue() {
  require(world().enqueue(10), "clEnqueueNDRangeKernel");
}
void finish() {
  require(world().run(), "clFinish");
}
void wait_for_event() {
  cl_event event = nullptr;
  require(world().enqueue(10, World::items, 0, nullptr, &event), "clEnqueueNDRangeKernel");
  require(clWaitForEvents(1, &event) == CL_SUCCESS && clReleaseEvent(event) == CL_SUCCESS, "clWaitForEvents");
}
void read() {
  cl_uint value;
  require(clEnqueueReadBuffer(world().queue, world().buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr) ==
              CL_SUCCESS,
          "clEnqueueReadBuffer");
}
/// The thread that waits runs the application's function, which has a cancellation point.
void run_native() {
  clEnqueueNativeKernel(
      world().queue, [](void*) { usleep(1'000); }, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr);
  require(clFinish(world().queue) == CL_SUCCESS, "clFinish");
}
void signal_and_wait() {
  const test::SharedSemaphore semaphore(world());
  semaphore.signal(world().queue);
  semaphore.wait(world().queue);
  require(clFinish(world().queue) == CL_SUCCESS, "clFinish");
  semaphore.release();
}
void build_nothing() {
  cl_program program = test::make_program(world().context, "an error");
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE,
          "clBuildProgram of an error");
  clReleaseProgram(program);
}

struct Case {
  const char* name;
  void* (*thread)(void*);
};
constexpr Case cases[] = {
    {"clBuildProgram", repeat<build_new>},
    {"clBuildProgram of an error", repeat<build_nothing>},
    {"clCreateContext", repeat<create_context>},
    {"clEnqueueNDRangeKernel", repeat<enqueue>},
    {"clFinish", repeat<finish>},
    {"clWaitForEvents", repeat<wait_for_event>},
    {"clEnqueueReadBuffer", repeat<read>},
    {"clEnqueueNativeKernel", repeat<run_native>},
    {"semaphores", repeat<signal_and_wait>},
};

void join_cancelled(pthread_t thread, const char* name) {
  void* result = nullptr;
  pthread_join(thread, &result);
  require(result == PTHREAD_CANCELED, name);
}

void cancel_at_work(const Case& each, unsigned iteration) {
  std::array<pthread_t, 2> threads;
  for (pthread_t& thread : threads)
    require(pthread_create(&thread, nullptr, each.thread, nullptr) == 0, "pthread_create");
  usleep(500 + 1'300 * iteration);
  for (pthread_t thread : threads)
    pthread_cancel(thread);
  for (pthread_t thread : threads)
    join_cancelled(thread, each.name);
  require(world().run(), each.name);
  build_new();
}

/// A call that blocks returns when what it waits for has come, and the thread ends after it.
template <void (*call)()>
void cancel_blocked(const char* name) {
  cl_event gate = clCreateUserEvent(world().context, nullptr);
  require(world().enqueue(10, World::items, 1, &gate), "clEnqueueNDRangeKernel");
  pthread_t thread;
  require(pthread_create(&thread, nullptr, repeat<call>, nullptr) == 0, "pthread_create");
  usleep(20'000);
  pthread_cancel(thread);
  usleep(5'000);
  clSetUserEventStatus(gate, CL_COMPLETE);
  clReleaseEvent(gate);
  join_cancelled(thread, name);
  require(world().run(), name);
}

/// Calls leave a thread as it was: one that may not be cancelled stays so.
void check_state() {
  for (int wanted : {PTHREAD_CANCEL_DISABLE, PTHREAD_CANCEL_ENABLE}) {
    int state = -1;
    pthread_setcancelstate(wanted, nullptr);
    finish();
    pthread_setcancelstate(wanted, &state);
    require(state == wanted, "the state of cancellation is as before a call");
  }
}

} // namespace

int main() {
  require(world().run(), "a run");
  check_state();
  for (const Case& each : cases) {
    std::fprintf(stderr, "%s\n", each.name);
    for (unsigned iteration = 0; iteration < 8; ++iteration)
      cancel_at_work(each, iteration);
  }
  cancel_blocked<finish>("clFinish");
  cancel_blocked<wait_for_event>("clWaitForEvents");
  cancel_blocked<read>("clEnqueueReadBuffer");
  std::printf("cancelled threads ended, and others went on\n");
  return 0;
}
