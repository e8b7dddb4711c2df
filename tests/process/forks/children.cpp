// What a child of fork() may do with OpenCL: the states of docs/fork.md.

#include "process/own_process.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"
#include "support/command_buffer_api.hpp"
#include "support/forked.hpp"

#include <CL/cl_ext.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

namespace {

using test::in_child;
using test::require;
using test::World;

/// Some iterations that take a good part of a second on one thread.
constexpr cl_uint long_iterations = 300'000'000, some_iterations = 1000;

cl_uint expected(cl_uint item, cl_uint iterations) {
  cl_uint x = item + 1;
  for (cl_uint i = 0; i < iterations; ++i)
    x = x * 1664525u + 1013904223u;
  return x;
}

/// Runs the kernel in the queue and compares what it writes.
bool computes(World& world, cl_uint iterations = some_iterations) {
  std::vector<cl_uint> values(World::items);
  if (!world.enqueue(iterations) ||
      clEnqueueReadBuffer(world.queue, world.buffer, CL_TRUE, 0, values.size() * 4, values.data(), 0, nullptr,
                          nullptr) != CL_SUCCESS)
    return false;
  return values[0] == expected(0, iterations) && values.back() == expected(World::items - 1, iterations);
}

/// Waits without a blocking call, so that a thread in the background runs the command.
void wait_in_background(World& world) {
  cl_event event = nullptr;
  require(world.enqueue(some_iterations, World::items, 0, nullptr, &event) &&
              clFlush(world.queue) == CL_SUCCESS,
          "a launch");
  for (cl_int status = CL_QUEUED; status != CL_COMPLETE;)
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  clReleaseEvent(event);
}

template <class Function>
Function function_of(const World& world, const char* name) {
  cl_platform_id platform = nullptr;
  clGetDeviceInfo(world.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
}

/// clMemBlockingFreeINTEL() waits for a kernel that runs in the background.
bool blocking_free_waits(World& world) {
  const auto allocate = function_of<clSharedMemAllocINTEL_fn>(world, "clSharedMemAllocINTEL");
  const auto free = function_of<clMemBlockingFreeINTEL_fn>(world, "clMemBlockingFreeINTEL");
  const auto set = function_of<clSetKernelArgMemPointerINTEL_fn>(world, "clSetKernelArgMemPointerINTEL");
  void* memory = allocate(world.context, world.device, nullptr, 4096, 64, nullptr);
  const cl_uint iterations = long_iterations / 4;
  const size_t one = 1;
  cl_event event = nullptr;
  require(set(world.kernel, 0, memory) == CL_SUCCESS &&
              clSetKernelArg(world.kernel, 1, sizeof iterations, &iterations) == CL_SUCCESS &&
              clEnqueueNDRangeKernel(world.queue, world.kernel, 1, nullptr, &one, nullptr, 0, nullptr,
                                     &event) == CL_SUCCESS &&
              clFlush(world.queue) == CL_SUCCESS,
          "a launch");
  require(free(world.context, memory) == CL_SUCCESS, "clMemBlockingFreeINTEL");
  cl_int status = CL_QUEUED;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status == CL_COMPLETE;
}

/// A command that no call has flushed runs when one of another queue waits for it.
bool unflushed_command_runs(World& world) {
  cl_command_queue other = clCreateCommandQueueWithProperties(world.context, world.device, nullptr, nullptr);
  cl_event event = nullptr;
  const cl_uint value = 7;
  require(clEnqueueFillBuffer(world.queue, world.buffer, &value, 4, 0, 64, 0, nullptr, &event) ==
                  CL_SUCCESS &&
              clEnqueueMarkerWithWaitList(other, 1, &event, nullptr) == CL_SUCCESS,
          "commands of two queues");
  alarm(20);
  const bool good = clFinish(other) == CL_SUCCESS;
  alarm(0);
  return good;
}

/// The parent forks after commands have ended that no call has flushed, while the flusher still has a note of these
/// commands. In the child, a command that no call flushes must end nevertheless.
int go_on_before_flusher() {
  World world;
  static std::atomic<bool> has_run;
  static std::atomic<cl_uint> filled;
  cl_mem memory = clCreateBuffer(world.context, CL_MEM_USE_HOST_PTR, sizeof filled, &filled, nullptr);
  for (cl_uint value = 1; value <= 20; ++value) {
    has_run = false;
    const auto run = [](void*) { has_run = true; };
    require(clEnqueueMarkerWithWaitList(world.queue, 0, nullptr, nullptr) == CL_SUCCESS &&
                clEnqueueNativeKernel(world.queue, run, nullptr, 0, 0, nullptr, nullptr, 0, nullptr,
                                      nullptr) == CL_SUCCESS,
            "commands of the parent");
    while (!has_run)
      usleep(20);
    const int child = in_child([&] {
      const cl_int status = clEnqueueFillBuffer(world.queue, memory, &value, sizeof value, 0, sizeof value, 0,
                                                nullptr, nullptr);
      if (status == CL_INVALID_COMMAND_QUEUE) return 0; // the parent's thread has not let go of the queue yet
      for (int i = 0; i < 10'000 && filled != value; ++i)
        usleep(1'000);
      return status == CL_SUCCESS && filled == value ? 0 : 1;
    });
    if (child != 0) return 1;
  }
  return clReleaseMemObject(memory) == CL_SUCCESS ? 0 : 1;
}

bool builds_anew(const std::string& prologue) {
  World world(test::iterations_source(prologue));
  return computes(world);
}

/// The parent has used its queue, which is idle.
int go_on_with_idle_queue() {
  World world;
  require(computes(world), "a run in the parent");
  for (int i = 0; i < 40; ++i) {
    if (i % 2) wait_in_background(world); // the thread that ran the command is about to let go of the queue
    if (in_child([&] { return computes(world) && unflushed_command_runs(world) ? 0 : 1; }) != 0) return 1;
  }
  return in_child([&] { return blocking_free_waits(world) ? 0 : 1; }) == 0 && blocking_free_waits(world) ? 0
                                                                                                         : 1;
}

/// A command of the parent's runs while it forks: its queue and event are none of the child's, all else is.
int go_on_beside_busy_queue() {
  World world;
  require(world.run(), "a run in the parent");
  cl_event event = nullptr;
  require(world.enqueue(long_iterations, 1, 0, nullptr, &event) && clFlush(world.queue) == CL_SUCCESS,
          "a launch");
  for (cl_int status = CL_QUEUED; status != CL_RUNNING;)
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  const int child = in_child([&] {
    cl_int status = 0;
    require(clFinish(world.queue) == CL_INVALID_COMMAND_QUEUE, "the queue is none of the child's");
    require(clWaitForEvents(1, &event) == CL_INVALID_EVENT, "the event is none of the child's");
    require(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) ==
                CL_INVALID_EVENT,
            "its status neither");
    world.queue = clCreateCommandQueueWithProperties(world.context, world.device, nullptr, nullptr);
    return computes(world) && unflushed_command_runs(world) && blocking_free_waits(world) ? 0 : 1;
  });
  return child == 0 && clFinish(world.queue) == CL_SUCCESS && computes(world) ? 0 : 1;
}

/// The child uses what the parent has made of all kinds.
int go_on_with_all_objects() {
  World world;
  require(computes(world), "a run in the parent");
  const auto commands = test::cb::functions_of(world.device);
  const auto recorded = commands.create(1, &world.queue, nullptr, nullptr);
  const size_t items = World::items;
  require(commands.launch(recorded, world.queue, nullptr, world.kernel, 1, nullptr, &items, nullptr, 0,
                          nullptr, nullptr, nullptr) == CL_SUCCESS &&
              commands.finalize(recorded) == CL_SUCCESS,
          "a command buffer");
  auto* shared = static_cast<cl_uint*>(clSVMAlloc(world.context, CL_MEM_READ_WRITE, World::items * 4, 0));
  const cl_event user = clCreateUserEvent(world.context, nullptr);
  return in_child([&] {
    require(commands.enqueue(0, nullptr, recorded, 0, nullptr, nullptr) == CL_SUCCESS &&
                clFinish(world.queue) == CL_SUCCESS,
            "the command buffer");
    world.kernel = clCreateKernel(world.program, "k", nullptr);
    require(computes(world), "a new kernel of the program");
    require(world.enqueue(1) && clSetKernelArgSVMPointer(world.kernel, 0, shared) == CL_SUCCESS &&
                clEnqueueNDRangeKernel(world.queue, world.kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                       nullptr) == CL_SUCCESS &&
                clFinish(world.queue) == CL_SUCCESS && shared[5] == expected(5, 1),
            "shared virtual memory");
    require(world.enqueue(1, World::items, 1, &user) &&
                clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS && clFinish(world.queue) == CL_SUCCESS,
            "a user event");
    return clBuildProgram(world.program, 0, nullptr, "", nullptr, nullptr) == CL_INVALID_OPERATION ? 0 : 1;
  });
}

int fork_in_callback() {
  World world;
  require(world.run(), "a run");
  static std::atomic<int> ending = -1;
  cl_event event = nullptr;
  require(world.enqueue(some_iterations, World::items, 0, nullptr, &event), "a launch");
  clSetEventCallback(
      event, CL_COMPLETE,
      [](cl_event, cl_int, void*) {
        ending = in_child([] {
          execlp("true", "true", nullptr);
          return 1;
        });
      },
      nullptr);
  clFlush(world.queue);
  while (ending < 0)
    usleep(1'000);
  return ending;
}

/// A child of a child takes over what the child took over and made.
int have_grandchildren() {
  World world;
  require(computes(world), "a run in the parent");
  return in_child([&] {
    require(computes(world), "a run in the child");
    World own;
    require(computes(own), "a run of the child's own");
    return in_child([&] {
      return computes(world) && unflushed_command_runs(world) && computes(own) && builds_anew("// third\n")
                 ? 0
                 : 1;
    });
  });
}

// ---- A server that makes its workers in advance

/// How a worker ends, and what its parent sees.
struct End {
  int (*end)();
  int expected;
};
constexpr End ends[] = {
    {[] { return 0; }, 0}, // _exit()
    {[]() -> int { std::exit(0); }, 0},
    {[]() -> int { std::quick_exit(0); }, 0},
    {[]() -> int {
       std::thread([] { std::exit(0); }).join();
       return 1;
     },
     0},
    {[]() -> int {
       execlp("true", "true", nullptr);
       return 1;
     },
     0},
    {[]() -> int {
       kill(getpid(), SIGKILL);
       return 1;
     },
     128 + SIGKILL},
};

/// What a worker does: old objects, new objects of the old context, objects of its own, a build.
void serve(World& world, int number) {
  require(computes(world), "the parent's queue");
  cl_command_queue old = std::exchange(
      world.queue, clCreateCommandQueueWithProperties(world.context, world.device, nullptr, nullptr));
  require(computes(world), "a queue of the parent's context");
  std::swap(world.queue, old);
  require(builds_anew("// worker " + std::to_string(number) + "\n"), "a context of its own");
  require(computes(world), "the parent's queue again");
  world.enqueue(some_iterations); // no call waits for it
}

int fork_workers() {
  World& world = test::lasting_world();
  require(computes(world), "a run in the parent");
  int number = 0;
  for (const End& end : ends)
    for (int i = 0; i < 3; ++i, ++number) {
      const int ending = in_child([&] {
        alarm(60);
        serve(world, number);
        return end.end();
      });
      require(ending == end.expected, "the worker ends as it wants to");
      require(computes(world), "the parent goes on");
    }
  return 0;
}

} // namespace

TEST_CASE("a child of fork() goes on with the parent's idle queue", "[children]") {
  if (test::children_have_threads) CHECK(in_child(go_on_with_idle_queue) == 0);
}

TEST_CASE("a child of fork() goes on with a queue that the parent's flusher has yet to flush", "[children]") {
  if (test::children_have_threads) CHECK(in_child(go_on_before_flusher) == 0);
}

TEST_CASE("a queue with commands that run when the process forks is CL_INVALID_COMMAND_QUEUE in the child",
          "[children]") {
  if (test::children_have_threads) CHECK(in_child(go_on_beside_busy_queue) == 0);
}

TEST_CASE("a child goes on with command buffers, programs, kernels, memory and user events of the parent",
          "[children]") {
  if (test::children_have_threads) CHECK(in_child(go_on_with_all_objects) == 0);
}

TEST_CASE("a callback may fork and the child start another program", "[children]") {
  CHECK(in_child(fork_in_callback) == 0);
}

TEST_CASE("a child of a child goes on with the queues of both", "[children]") {
  if (test::children_have_threads) CHECK(in_child(have_grandchildren) == 0);
}

TEST_CASE("a server forks workers that use OpenCL and end in any way", "[children]") {
  if (test::children_have_threads) CHECK(in_child(fork_workers) == 0);
}
