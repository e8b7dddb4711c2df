#include "process/exit/exit_ways.hpp"

#include "process/world.hpp"
#include "support/command_buffer_api.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include <csignal>
#include <unistd.h>

namespace test {

namespace {

World& world(const std::string& source = iterations_source("")) {
  static World& instance = lasting_world(source);
  return instance;
}

/// Runs the function over and over on a thread of its own, until the process is gone.
template <class Function>
void keep_doing(Function function) {
  std::thread([function] {
    for (;;)
      function();
  }).detach();
}

/// Builds and runs a new program.
void build_another() {
  static std::atomic<unsigned> count = 0;
  const std::string number = std::to_string(getpid()) + std::to_string(count++);
  cl_program program =
      make_program(world().context, iterations_source("constant ulong number = " + number + ";\n"));
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  const cl_uint iterations = 10;
  const size_t size = 64;
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &world().buffer);
  clSetKernelArg(kernel, 1, sizeof iterations, &iterations);
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(world().context, world().device, nullptr, nullptr);
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr);
  clFinish(queue);
  clReleaseCommandQueue(queue);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

/// A command that never begins is in front of whatever comes into the world's queue.
cl_event never() {
  cl_event event = clCreateUserEvent(world().context, nullptr);
  require(world().enqueue(1, World::items, 1, &event), "clEnqueueNDRangeKernel");
  return event;
}

// ---- Nothing is going on

int idle_return() {
  require(world().run(), "a run");
  return leave();
}
int idle_exit() {
  require(world().run(), "a run");
  std::exit(leave());
}
int idle_quick_exit() {
  require(world().run(), "a run");
  std::quick_exit(leave());
}
int idle_abrupt() {
  require(world().run(), "a run");
  std::_Exit(leave());
}
int idle_abort() {
  require(world().run(), "a run");
  leave();
  std::abort();
}
int used_by_thread() {
  world();
  std::thread([] { require(world().run(), "a run"); }).join();
  return leave();
}
int used_by_many_threads() {
  world();
  for (int i = 0; i < 100; ++i)
    std::thread([] { require(world().run(), "a run"); }).join();
  return leave();
}

// ---- Commands

int in_flight() {
  require(world().run(), "a run");
  for (int i = 0; i < 10; ++i)
    world().enqueue(20'000);
  clFlush(world().queue);
  return leave();
}
int running_for_long() {
  world().enqueue(~0u, 1);
  clFlush(world().queue);
  usleep(50'000);
  return leave();
}
int running_everywhere() {
  constexpr size_t items = 1 << 20;
  static cl_mem large = clCreateBuffer(world().context, CL_MEM_READ_WRITE, items * 4, nullptr, nullptr);
  world().buffer = large;
  require(world().run(), "a run");
  for (int i = 0; i < 10; ++i)
    world().enqueue(200, items);
  clFlush(world().queue);
  keep_doing([] {
    const cl_uint zero = 0;
    static thread_local cl_command_queue own =
        clCreateCommandQueueWithProperties(world().context, world().device, nullptr, nullptr);
    clEnqueueFillBuffer(own, large, &zero, sizeof zero, 0, items * 4, 0, nullptr, nullptr);
    clFinish(own);
  });
  sleep_up_to(20'000);
  return leave();
}
int queued() {
  never();
  for (int i = 0; i < 10; ++i)
    world().enqueue(10);
  clFlush(world().queue);
  return leave();
}
int unflushed() {
  require(world().run(), "a run");
  for (int i = 0; i < 10; ++i)
    world().enqueue(10);
  return leave();
}

/// A command buffer of a second is in the queue twice, after an event.
cl_event enqueue_replays() {
  const auto functions = cb::functions_of(world().device);
  const cl_queue_properties* none = nullptr;
  cl_command_queue queues[] = {
      world().queue, clCreateCommandQueueWithProperties(world().context, world().device, none, nullptr)};
  cb::Handle buffer = functions.create(2, queues, nullptr, nullptr);
  const size_t size = World::items;
  cb::Point last = 0;
  for (int i = 0; i < 1000; ++i)
    require(functions.launch(buffer, queues[i / 10 % 2], nullptr, world().kernel, 1, nullptr, &size, nullptr,
                             last != 0, last ? &last : nullptr, &last, nullptr) == CL_SUCCESS,
            "clCommandNDRangeKernelKHR");
  require(functions.finalize(buffer) == CL_SUCCESS, "clFinalizeCommandBufferKHR");
  cl_event gate = clCreateUserEvent(world().context, nullptr);
  for (int i = 0; i < 2; ++i)
    require(functions.enqueue(0, nullptr, buffer, 1, &gate, nullptr) == CL_SUCCESS,
            "clEnqueueCommandBufferKHR");
  functions.release(buffer);
  return gate;
}
int replaying() {
  require(world().enqueue(2000) && clFinish(world().queue) == CL_SUCCESS, "a run");
  clSetUserEventStatus(enqueue_replays(), CL_COMPLETE);
  sleep_up_to(20'000);
  return leave();
}
int replay_queued() {
  require(world().run(), "a run");
  enqueue_replays();
  clFlush(world().queue);
  return leave();
}

// ---- The compiler is at work

int compiling() {
  world().enqueue(10);
  clFlush(world().queue);
  sleep_up_to(30'000);
  return leave();
}
/// With HOSTCL_CODE=tier1: otherwise clCreateKernel compiles so large a kernel.
int compiling_for_long() {
  world(slow_kernel_source()).enqueue(1);
  clFlush(world().queue);
  usleep(20'000);
  return leave();
}
int compiling_many() {
  std::array<World*, 12> worlds;
  for (World*& each : worlds)
    each = &lasting_world(iterations_source("// " + std::to_string(&each - worlds.data()) + "\n"));
  for (World* each : worlds)
    each->enqueue(10);
  for (World* each : worlds)
    clFlush(each->queue);
  sleep_up_to(50'000);
  return leave();
}
int building_by_threads() {
  world();
  for (int i = 0; i < 3; ++i)
    keep_doing(build_another);
  sleep_up_to(60'000);
  return leave();
}
int exit_by_second_thread() {
  world();
  keep_doing(build_another);
  std::thread([] {
    sleep_up_to(60'000);
    std::exit(leave());
  }).detach();
  never();
  clFinish(world().queue);
  return 1;
}
int quick_exit_while_building() {
  world();
  for (int i = 0; i < 3; ++i)
    keep_doing(build_another);
  sleep_up_to(60'000);
  std::quick_exit(leave());
}

// ---- Application threads wait

int blocked_in_build() {
  const cl_program program = make_program(world().context, slow_build_source());
  std::thread([program] { clBuildProgram(program, 0, nullptr, "", nullptr, nullptr); }).detach();
  usleep(50'000);
  return leave();
}
int blocked_in_create() {
  const cl_program program = make_program(world().context, slow_kernel_source());
  std::thread([program] {
    clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    clCreateKernel(program, "k", nullptr);
  }).detach();
  usleep(100'000);
  return leave();
}
int blocked_in_waits() {
  const cl_event event = never();
  std::thread([] { clFinish(world().queue); }).detach();
  std::thread([event] { clWaitForEvents(1, &event); }).detach();
  std::thread([] {
    cl_uint value;
    clEnqueueReadBuffer(world().queue, world().buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr);
  }).detach();
  usleep(20'000);
  return leave();
}
int blocked_in_first_launch() {
  world(slow_kernel_source()).enqueue(1);
  std::thread([] { clFinish(world().queue); }).detach();
  usleep(20'000);
  return leave();
}

/// A timeline, if there is one, gets many events.
int calling() {
  world();
  for (int i = 0; i < 3; ++i)
    keep_doing([] {
      cl_uint value;
      clGetDeviceInfo(world().device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof value, &value, nullptr);
    });
  sleep_up_to(10'000);
  return leave();
}

constexpr Way commands[] = {
    {"return", idle_return},
    {"exit", idle_exit},
    {"quick_exit", idle_quick_exit},
    {"abrupt", idle_abrupt},
    {"abort", idle_abort, "", false, SIGABRT},
    {"thread", used_by_thread},
    {"many_threads", used_by_many_threads},
    {"in_flight", in_flight},
    {"running_for_long", running_for_long},
    {"running_everywhere", running_everywhere},
    {"queued", queued},
    {"unflushed", unflushed},
    {"replaying", replaying},
    {"replay_queued", replay_queued},
    {"calling", calling},
};

constexpr Way compilations[] = {
    {"compiling", compiling},
    {"compiling_for_long", compiling_for_long, "", false, 0, "best"},
    {"compiling_many", compiling_many},
    {"building", building_by_threads},
    {"building_into_cache", building_by_threads, "", true},
    {"second_thread", exit_by_second_thread},
    {"quick_exit_building", quick_exit_while_building},
    {"blocked_in_build", blocked_in_build},
    {"blocked_in_waits", blocked_in_waits},
    {"blocked_in_create", blocked_in_create},
    {"blocked_in_launch", blocked_in_first_launch, "", false, 0, "best"},
};

} // namespace

std::span<const Way> command_ways() {
  return commands;
}

std::span<const Way> compiler_ways() {
  return compilations;
}

} // namespace test
