#include "process/exit/exit_ways.hpp"

#include "process/world.hpp"

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include <unistd.h>

namespace test {

namespace {

void (*last_words)() = nullptr;

/// Made before main(), and so destroyed after what main() makes.
const struct StaticObject {
  ~StaticObject() {
    if (last_words) last_words();
  }
} static_object;

/// Sleeps until another thread ends the process.
int wait_for_end() {
  for (;;)
    pause();
}

// ---- The application's callbacks

int exit_in_event_callback() {
  World* world = &lasting_world();
  cl_event event = nullptr;
  require(world->enqueue(1'000, World::items, 0, nullptr, &event), "clEnqueueNDRangeKernel");
  clSetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void*) { std::exit(leave()); }, nullptr);
  return wait_for_end();
}
int exit_in_build_callback() {
  World* world = &lasting_world();
  cl_program program = make_program(world->context, iterations_source("// another\n"));
  clBuildProgram(program, 0, nullptr, "", [](cl_program, void*) { std::exit(leave()); }, nullptr);
  return wait_for_end();
}
int exit_in_native_kernel() {
  World* world = &lasting_world();
  clEnqueueNativeKernel(
      world->queue, [](void*) { std::exit(leave()); }, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr);
  clFinish(world->queue);
  return 1;
}
int exit_in_error_callback() {
  World world;
  cl_context context = clCreateContext(
      nullptr, 1, &world.device, [](const char*, const void*, size_t, void*) { std::exit(leave()); }, nullptr,
      nullptr);
  cl_program program = make_program(context, "this is no program");
  clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  return 1;
}
int return_while_building() {
  World* world = &lasting_world();
  cl_program program = make_program(world->context, slow_build_source());
  clBuildProgram(program, 0, nullptr, "", [](cl_program, void*) {}, nullptr);
  return leave();
}

// ---- Destructors of static objects

World* static_world = nullptr;

/// The driver works for static objects as before, after its exit handler as well.
int finish_in_destructor() {
  static_world = &lasting_world();
  require(static_world->run(), "a run");
  for (int i = 0; i < 5; ++i)
    static_world->enqueue(1'000);
  last_words = [] {
    require(clFinish(static_world->queue) == CL_SUCCESS, "clFinish");
    require(static_world->run(), "a run");
    static_world->release();
  };
  return leave();
}
/// A command waits for one of another queue, which a thread in the background has to run.
int finish_two_queues_in_destructor() {
  static_world = &lasting_world();
  World* other = &lasting_world();
  require(static_world->run() && other->run(), "runs");
  cl_event gate = clCreateUserEvent(other->context, nullptr), event = nullptr;
  // The events of two contexts cannot be mixed.
  cl_command_queue second =
      clCreateCommandQueueWithProperties(other->context, other->device, nullptr, nullptr);
  require(other->enqueue(100, World::items, 1, &gate, &event), "clEnqueueNDRangeKernel");
  static cl_command_queue waiting = second;
  require(clEnqueueMarkerWithWaitList(waiting, 1, &event, nullptr) == CL_SUCCESS, "a marker");
  static cl_event opened = gate;
  last_words = [] {
    clSetUserEventStatus(opened, CL_COMPLETE);
    require(clFinish(waiting) == CL_SUCCESS, "clFinish");
  };
  return leave();
}
int build_in_destructor() {
  static_world = &lasting_world();
  require(static_world->run(), "a run");
  last_words = [] {
    World another(iterations_source("// another\n"));
    require(another.run(), "a run of a new program");
    another.release();
  };
  return leave();
}
int finish_compiling_in_destructor() {
  static_world = &lasting_world(iterations_source("// new\n"));
  static_world->enqueue(10);
  clFlush(static_world->queue);
  last_words = [] { require(clFinish(static_world->queue) == CL_SUCCESS, "clFinish"); };
  return leave();
}

/// The destructor waits for a callback of a command that was flushed before.
std::atomic<bool> was_called = false;
int callback_in_destructor() {
  static_world = &lasting_world();
  for (int i = 0; i < 5; ++i)
    static_world->enqueue(1'000);
  cl_event event = nullptr;
  static_world->enqueue(1'000, World::items, 0, nullptr, &event);
  clSetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void*) { was_called = true; }, nullptr);
  clFlush(static_world->queue);
  last_words = [] {
    while (!was_called)
      usleep(1'000);
  };
  return leave();
}

/// While static objects go, what was in the compiler when exit() began leads to no callbacks.
int no_callback_in_destructor() {
  static_world = &lasting_world();
  cl_event event = nullptr;
  static_world->enqueue(10, World::items, 0, nullptr, &event);
  clSetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void*) { was_called = true; }, nullptr);
  clFlush(static_world->queue);
  cl_program program = make_program(static_world->context, iterations_source("// another\n"));
  clBuildProgram(program, 0, nullptr, "", [](cl_program, void*) { was_called = true; }, nullptr);
  last_words = [] {
    usleep(150'000);
    require(!was_called, "no callback while static objects are destroyed");
  };
  return leave();
}

// ---- Destructors of a thread's objects

/// A barrier, and values that are kept across it.
std::string scratch_source() {
  return "kernel void k(global uint* v, uint n) {"
         "  uint kept[64]; uint id = get_global_id(0);"
         "  for (uint i = 0; i < 64; ++i) kept[i] = id * i + n;"
         "  barrier(CLK_GLOBAL_MEM_FENCE);"
         "  uint sum = 0; for (uint i = 0; i < 64; ++i) sum += kept[(i * n) & 63];"
         "  v[id] = sum; }";
}

/// Uses OpenCL when its thread ends.
struct ThreadObject {
  World* world = nullptr;
  ~ThreadObject() {
    if (!world) return;
    for (size_t items : {64u, 1024u, 4096u})
      require(world->enqueue(7, items) && clFinish(world->queue) == CL_SUCCESS, "a run when a thread ends");
  }
};

int run_in_thread_destructor() {
  auto run = [] {
    static thread_local ThreadObject object; // older than what the driver has for the thread
    object.world = nullptr;
    World* world = &lasting_world(scratch_source());
    require(world->run(), "a run");
    object.world = world;
  };
  std::thread(run).join();
  run();
  return leave();
}

// ---- Output

int print() {
  World world("kernel void hello() { printf(\"%d;\", (int)get_global_id(0)); } " + iterations_source(""));
  cl_kernel hello = clCreateKernel(world.program, "hello", nullptr);
  const size_t size = 3;
  clEnqueueNDRangeKernel(world.queue, hello, 1, nullptr, &size, &size, 0, nullptr, nullptr);
  clFinish(world.queue);
  _exit(leave()); // flushes no stream
}

constexpr Way ways[] = {
    {"event_callback", exit_in_event_callback},
    {"build_callback", exit_in_build_callback},
    {"native_kernel", exit_in_native_kernel},
    {"error_callback", exit_in_error_callback},
    {"background_build", return_while_building},
    {"static_finish", finish_in_destructor},
    {"static_two_queues", finish_two_queues_in_destructor},
    {"static_build", build_in_destructor},
    {"static_compiling", finish_compiling_in_destructor},
    {"static_callback", callback_in_destructor},
    {"static_quiet", no_callback_in_destructor},
    {"thread_object", run_in_thread_destructor},
    {"printf", print, "0;1;2;"},
};

} // namespace

std::span<const Way> callback_ways() {
  return ways;
}

} // namespace test
