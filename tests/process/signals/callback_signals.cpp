// Each kind of callback on each kind of thread that runs it: on the driver's threads it has the signal mask of the thread
// that registered it, on the application's its own, and faults reach the application's handler (docs/runtime.md).

#include "process/own_process.hpp"
#include "process/semaphores.hpp"
#include "process/signals/signal_masks.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"
#include "support/command_buffer_api.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <memory>
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

void block_only(int signal) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
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

/// The thread that runs a callback. Others may do so by chance, with the same promise.
enum class On {
  background, ///< one of the driver's, because no thread of the application waits
  waiting, ///< one of the application's, which is in a blocking call, and has another mask than the registrar
  small_stack, ///< one of the driver's in place of such a thread, whose stack is small
};

std::atomic<pid_t> registrar = 0, waiter = 0; ///< threads of the application
std::atomic<int> observed = 0;                ///< 1 + the kind of thread

/// What each callback does; ends the process where it finds something else than promised.
void observe() {
  const pid_t thread = gettid();
  const std::uint64_t mask = bit(thread == waiter ? SIGUSR2 : SIGUSR1);
  mprotect(page, page_bytes, PROT_NONE);
  const int before = mended;
  *static_cast<volatile char*>(page) = 1;
  require(mended == before + 1, "the handler mends the page");
  require(own_mask() == mask,
          "the mask of the thread that registered the callback, or of the application's own");
  require(mask_of_started_program() == mask, "the same in a program that the callback starts");
  observed = 1 + static_cast<int>(thread == waiter || thread == registrar ? On::waiting : On::background);
}

/// A world in which commands wait for a gate, so that they run in the background.
struct Scene : World {
  cl_event gate = clCreateUserEvent(context, nullptr);
  cl_event gated(cl_uint iterations = 1) {
    cl_event event = nullptr;
    require(enqueue(iterations, items, 1, &gate, &event), "a launch");
    return event;
  }
  /// Has commands begin: on a thread in the background, or on one that waits.
  void open(cl_command_queue waited = nullptr, cl_int status = CL_COMPLETE) {
    const cl_command_queue in = waited ? waited : queue;
    if (on == On::background) {
      clFlush(in);
      clSetUserEventStatus(gate, status);
    } else {
      wait_elsewhere(in, status);
    }
  }

  On on = On::background;

private:
  struct Waiting {
    cl_event gate;
    cl_command_queue queue;
    cl_int status;
  };
  /// Another thread of the application waits for the queue, and has a reference until then.
  void wait_elsewhere(cl_command_queue waited, cl_int status) {
    clRetainCommandQueue(waited);
    clRetainEvent(gate);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (on == On::small_stack) pthread_attr_setstacksize(&attributes, 40 << 10);
    pthread_t thread;
    const auto main = [](void* argument) -> void* {
      const std::unique_ptr<Waiting> own(static_cast<Waiting*>(argument));
      block_only(SIGUSR2);
      waiter = gettid();
      clSetUserEventStatus(own->gate, own->status);
      clFinish(own->queue);
      clReleaseEvent(own->gate);
      clReleaseCommandQueue(own->queue);
      return nullptr;
    };
    require(pthread_create(&thread, &attributes, main, new Waiting{gate, waited, status}) == 0, "a thread");
    pthread_detach(thread);
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
  clBuildProgram(test::make_program(scene.context, test::iterations_source("// built\n")), 0, nullptr, "",
                 on_program, nullptr);
}
void compile(Scene& scene) {
  clCompileProgram(test::make_program(scene.context, test::iterations_source("// compiled\n")), 0, nullptr,
                   "", 0, nullptr, nullptr, on_program, nullptr);
}
void link(Scene& scene) {
  cl_program program = test::make_program(scene.context, test::iterations_source("// linked\n"));
  clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
  clLinkProgram(scene.context, 0, nullptr, "", 1, &program, on_program, nullptr, nullptr);
}
void context_notify(Scene& scene) {
  cl_context context = clCreateContext(
      nullptr, 1, &scene.device, [](const char*, const void*, std::size_t, void*) { observe(); }, nullptr,
      nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, scene.device, nullptr, nullptr);
  scene.gate = clCreateUserEvent(context, nullptr);
  clEnqueueMarkerWithWaitList(queue, 1, &scene.gate, nullptr);
  scene.open(queue, -1);
}
/// A work-item traps.
void context_trap(Scene& scene) {
  cl_context context = clCreateContext(
      nullptr, 1, &scene.device, [](const char*, const void*, std::size_t, void*) { observe(); }, nullptr,
      nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, scene.device, nullptr, nullptr);
  cl_program program = test::make_program(context, "kernel void k(int n) { if (n) __builtin_trap(); }");
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "a program that traps");
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  const cl_int one = 1;
  const std::size_t items = 1 << 16;
  clSetKernelArg(kernel, 0, sizeof one, &one);
  scene.gate = clCreateUserEvent(context, nullptr);
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 1, &scene.gate, nullptr);
  scene.open(queue);
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
  scene.open();
  usleep(1'000); // the gate is open, and the kernel runs
  scene.release();
  clReleaseEvent(scene.gate);
}
/// The thread that polls for other processes' signals calls back.
void semaphore_wait(Scene& scene) {
  static const test::SharedSemaphore semaphore(scene);
  cl_event event = nullptr;
  semaphore.wait(scene.queue, &event);
  clSetEventCallback(event, CL_COMPLETE, on_event, nullptr);
  const int descriptor = semaphore.exported();
  scene.open();
  usleep(2'000);
  require(test::signal_through(descriptor), "a signal of another process");
}
void command_buffer(Scene& scene) {
  const auto commands = test::cb::functions_of(scene.device);
  const auto recorded = commands.create(1, &scene.queue, nullptr, nullptr);
  const cl_uint iterations = 1;
  clSetKernelArg(scene.kernel, 0, sizeof scene.buffer, &scene.buffer);
  clSetKernelArg(scene.kernel, 1, sizeof iterations, &iterations);
  const std::size_t items = World::items;
  commands.launch(recorded, scene.queue, nullptr, scene.kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                  nullptr, nullptr);
  commands.finalize(recorded);
  cl_event event = nullptr;
  require(commands.enqueue(0, nullptr, recorded, 1, &scene.gate, &event) == CL_SUCCESS, "a command buffer");
  clSetEventCallback(event, CL_COMPLETE, on_event, nullptr);
  scene.open();
}

struct Kind {
  const char* name;
  void (*arrange)(Scene&);
  /// Not on a thread that runs commands: on one of its own, or in the call that makes a command fail or releases the object.
  bool has_own_thread = false, is_within_call = false;
};
constexpr Kind kinds[] = {
    {"an event that is complete", event_complete},
    {"an event whose command runs", event_running},
    {"a user event", user_event},
    {"a user event, nested deep", nested_events, true},
    {"the event of a command buffer", command_buffer},
    {"the event of a wait for another process", semaphore_wait},
    {"a native kernel", native_kernel},
    {"clEnqueueSVMFree", svm_free},
    {"clBuildProgram", build, true},
    {"clCompileProgram", compile, true},
    {"clLinkProgram", link, true},
    {"a context's error", context_notify, false, true},
    {"a context's trap", context_trap},
    {"the end of a memory object", memory_destructor},
    {"the end of a context", context_destructor, false, true},
};

/// @returns 0 if a thread of that kind has called back, 75 if another one did by chance
int run_callback(const Kind& kind, On on) {
  registrar = gettid();
  block_only(SIGUSR1);
  handle_faults();
  auto& scene = *new Scene;
  scene.on = on;
  require(scene.run(), "a run");
  kind.arrange(scene);
  for (int i = 0; i < 20'000 && observed == 0; ++i)
    usleep(1'000);
  require(observed != 0, "the callback is called");
  const On wanted = on == On::waiting ? On::waiting : On::background;
  return observed == 1 + static_cast<int>(wanted) ? 0 : 75;
}

/// Whether the callback is right on such a thread.
bool is_right(const Kind& kind, On on) {
  int ending = 75;
  for (int i = 0; i < 20 && ending == 75; ++i)
    ending = test::in_child([&] { return run_callback(kind, on); });
  return ending == 0;
}

} // namespace

TEST_CASE("callbacks on the driver's threads have the mask of the thread that registered them", "[signals]") {
  for (const Kind& kind : kinds) {
    INFO(kind.name);
    CHECK(is_right(kind, On::background));
  }
}

TEST_CASE("callbacks on a thread that waits have its mask", "[signals]") {
  for (const Kind& kind : kinds) {
    if (kind.has_own_thread) continue;
    INFO(kind.name);
    CHECK(is_right(kind, On::waiting));
  }
}

TEST_CASE("callbacks in place of a waiting thread with a small stack have the mask of the thread that "
          "registered them",
          "[signals]") {
  for (const Kind& kind : kinds) {
    if (kind.has_own_thread || kind.is_within_call) continue;
    INFO(kind.name);
    CHECK(is_right(kind, On::small_stack));
  }
}
