// Callbacks on the driver's threads have the signal mask of the thread that registered them (docs/architecture.md,
// "Signals").

#include "process/own_process.hpp"
#include "process/signals/signal_masks.hpp"
#include "process/world.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace test;

std::optional<std::uint64_t> own_mask() {
  return blocked_in("/proc/self/task/" + std::to_string(gettid()) + "/status");
}

/// What a program that this thread starts blocks.
std::optional<std::uint64_t> mask_of_started_program() {
  char name[] = "/tmp/hostcl_test_signals_XXXXXX";
  const int file = mkstemp(name);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO);
  char* arguments[] = {const_cast<char*>("grep"), const_cast<char*>("SigBlk"),
                       const_cast<char*>("/proc/self/status"), nullptr};
  pid_t program = 0;
  require(posix_spawnp(&program, "grep", &actions, nullptr, arguments, environ) == 0, "posix_spawnp");
  waitpid(program, nullptr, 0);
  posix_spawn_file_actions_destroy(&actions);
  close(file);
  const auto mask = blocked_in(name);
  unlink(name);
  return mask;
}

pid_t registrar = 0;
std::atomic<int> observed = 0;

/// What each callback does; ends the process where it finds something else than promised.
void observe() {
  if (gettid() == registrar) return void(observed = 2);
  mprotect(page, page_bytes, PROT_NONE);
  const int before = mended;
  *static_cast<volatile char*>(page) = 1;
  require(mended == before + 1, "the handler mends the page");
  require(own_mask() == bit(SIGUSR1), "the mask of the thread that registered the callback");
  require(mask_of_started_program() == bit(SIGUSR1), "the same in a program that the callback starts");
  observed = 1;
}

/// A world in which commands wait for a gate, so that they run in the background.
struct Scene : World {
  cl_event gate = clCreateUserEvent(context, nullptr);
  cl_event gated(cl_uint rounds = 1) {
    cl_event event = nullptr;
    require(enqueue(rounds, items, 1, &gate, &event), "a launch");
    return event;
  }
  void open(cl_int status = CL_COMPLETE) {
    clFlush(queue);
    clSetUserEventStatus(gate, status);
  }
};

void CL_CALLBACK on_event(cl_event, cl_int, void*) {
  observe();
}
void CL_CALLBACK on_program(cl_program, void*) {
  observe();
}

void event_complete(Scene& scene) {
  clSetEventCallback(scene.gated(), CL_COMPLETE, on_event, nullptr);
  scene.open();
}
void event_running(Scene& scene) {
  clSetEventCallback(scene.gated(), CL_RUNNING, on_event, nullptr);
  scene.open();
}
void user_event(Scene& scene) {
  static cl_event other = clCreateUserEvent(scene.context, nullptr);
  clSetEventCallback(other, CL_COMPLETE, on_event, nullptr);
  clSetEventCallback(
      scene.gated(), CL_COMPLETE, [](cl_event, cl_int, void*) { clSetUserEventStatus(other, CL_COMPLETE); },
      nullptr);
  scene.open();
}

/// Each callback of a chain blocks in a call, so that the deep ones run on a thread that is started for them.
struct Chain {
  std::vector<cl_event> events;
  cl_command_queue queue;
};
Chain chain;
void CL_CALLBACK go_down(cl_event, cl_int, void* place) {
  const auto next = reinterpret_cast<std::size_t>(place) + 1;
  if (next == chain.events.size()) return observe();
  clSetUserEventStatus(chain.events[next], CL_COMPLETE);
  clEnqueueMarkerWithWaitList(chain.queue, 0, nullptr, nullptr);
  clFinish(chain.queue);
}
void nested_events(Scene& scene) {
  chain.queue = scene.queue;
  for (std::size_t i = 0; i < 150; ++i) {
    chain.events.push_back(clCreateUserEvent(scene.context, nullptr));
    clSetEventCallback(chain.events[i], CL_COMPLETE, go_down, reinterpret_cast<void*>(i));
  }
  clSetUserEventStatus(chain.events[0], CL_COMPLETE);
}

void native_kernel(Scene& scene) {
  clEnqueueNativeKernel(
      scene.queue, [](void*) { observe(); }, nullptr, 0, 0, nullptr, nullptr, 1, &scene.gate, nullptr);
  scene.open();
}
void svm_free(Scene& scene) {
  void* memory = clSVMAlloc(scene.context, CL_MEM_READ_WRITE, 64, 0);
  clEnqueueSVMFree(
      scene.queue, 1, &memory, [](cl_command_queue, cl_uint, void**, void*) { observe(); }, nullptr, 1,
      &scene.gate, nullptr);
  scene.open();
}
void build(Scene& scene) {
  clBuildProgram(test::make_program(scene.context, test::rounds_source("// built\n")), 0, nullptr, "",
                 on_program, nullptr);
}
void compile(Scene& scene) {
  clCompileProgram(test::make_program(scene.context, test::rounds_source("// compiled\n")), 0, nullptr, "", 0,
                   nullptr, nullptr, on_program, nullptr);
}
void link(Scene& scene) {
  cl_program program = test::make_program(scene.context, test::rounds_source("// linked\n"));
  clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
  clLinkProgram(scene.context, 0, nullptr, "", 1, &program, on_program, nullptr, nullptr);
}
void context_notify(Scene& scene) {
  cl_context context = clCreateContext(
      nullptr, 1, &scene.device, [](const char*, const void*, std::size_t, void*) { observe(); }, nullptr,
      nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, scene.device, nullptr, nullptr);
  cl_event gate = clCreateUserEvent(context, nullptr);
  clEnqueueMarkerWithWaitList(queue, 1, &gate, nullptr);
  clFlush(queue);
  clSetUserEventStatus(gate, -1);
}
void memory_destructor(Scene& scene) {
  clSetMemObjectDestructorCallback(scene.buffer, [](cl_mem, void*) { observe(); }, nullptr);
  scene.gated(100'000);
  clReleaseMemObject(scene.buffer);
  scene.open();
}
void context_destructor(Scene& scene) {
  clSetContextDestructorCallback(scene.context, [](cl_context, void*) { observe(); }, nullptr);
  clReleaseEvent(scene.gated(100'000));
  scene.release();
  clSetUserEventStatus(scene.gate, CL_COMPLETE);
  clReleaseEvent(scene.gate);
}

struct Kind {
  const char* name;
  void (*arrange)(Scene&);
};
constexpr Kind kinds[] = {
    {"an event that is complete", event_complete},
    {"an event whose command runs", event_running},
    {"a user event", user_event},
    {"a user event, nested deep", nested_events},
    {"a native kernel", native_kernel},
    {"clEnqueueSVMFree", svm_free},
    {"clBuildProgram", build},
    {"clCompileProgram", compile},
    {"clLinkProgram", link},
    {"a context's error", context_notify},
    {"the end of a memory object", memory_destructor},
    {"the end of a context", context_destructor},
};

int run_callback(const Kind& kind) {
  registrar = gettid();
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR1);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  handle_faults();
  auto& scene = *new Scene;
  require(scene.run(), "a run");
  kind.arrange(scene);
  for (int i = 0; i < 20'000 && observed == 0; ++i)
    usleep(1'000);
  require(observed != 0, "the callback is called");
  require(observed == 1, "the callback is called on a thread of the driver");
  return 0;
}

} // namespace

TEST_CASE(
    "callbacks on the driver's threads have the mask of the thread that registered them, and faults reach it",
    "[signals]") {
  for (const Kind& kind : kinds) {
    INFO(kind.name);
    CHECK(test::in_child([&] { return run_callback(kind); }) == 0);
  }
}
