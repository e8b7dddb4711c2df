#include "process/exit/exit_ways.hpp"

#include "process/world.hpp"
#include "support/choice.hpp"
#include "support/forked.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

/// Whether this is a child that has none of its parent's threads.
bool lacks_threads = false;

} // namespace

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
/// What only stacks of the parent's threads point to is not a leak of a child.
extern "C" [[gnu::visibility("default")]] int __lsan_is_turned_off() {
  return lacks_threads;
}
#endif
#endif

namespace test {

namespace {

int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// The child of a process that uses OpenCL does other things and ends; the parent goes on.
int fork_and_go_on() {
  World world;
  require(world.run(), "a run");
  const pid_t child = fork();
  if (child == 0) std::exit(leave()); // runs the exit handlers of a process whose threads are gone
  require(wait_for(child) == 0, "the child");
  return world.run() ? 0 : 1;
}

/// The parent uses OpenCL only after the fork, and so does the child.
int fork_first() {
  const pid_t child = fork();
  World world;
  const bool good = world.run();
  if (child == 0) return good ? leave() : 1;
  return wait_for(child) == 0 && good ? 0 : 1;
}

/// Builds, runs and forgets programs until it goes.
class Busy {
public:
  Busy() : thread_([this] { work(); }) {}
  ~Busy() {
    is_over_ = true;
    thread_.join();
  }
  Busy(const Busy&) = delete;

private:
  void work() {
    static std::atomic<unsigned> number = 0;
    while (!is_over_) {
      World world(iterations_source("constant uint number = " + std::to_string(number++) + ";\n"));
      world.run();
      world.release();
    }
  }

  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

/// Makes children while other threads use OpenCL. Loaders cannot be cut in half while they load drivers, and
/// so that is done before.
int fork_often(int count, void (*in_child)(int number)) {
  chosen_device();
  Busy first, second;
  for (int i = 0; i < count; ++i) {
    usleep(static_cast<useconds_t>(500 + 397 * (i % 20)));
    const pid_t child = fork();
    if (child == 0) {
      lacks_threads = true;
      alarm(30); // a child that hangs
      in_child(i);
      std::abort();
    }
    if (wait_for(child) != 0) {
      std::fprintf(stderr, "child %d\n", i);
      return 1;
    }
  }
  return 0;
}

void build_and_run(int number) {
  if (!children_have_threads) std::_Exit(0);
  std::_Exit(World(iterations_source("// child " + std::to_string(number) + "\n")).run() ? 0 : 1);
}

int fork_busy() {
  return fork_often(HOSTCL_BUSY_FORKS, build_and_run);
}

/// The same where a debugger is told of each kernel's code, when it is made and when it goes.
int fork_debugged() {
  setenv("HOSTCL_DEBUG", "1", 1);
  return fork_often(std::min(20, HOSTCL_BUSY_FORKS), build_and_run);
}

/// Children end at once, or use OpenCL and end, while the parent's threads compile.
int fork_exit() {
  const int failed = fork_often(std::min(20, HOSTCL_BUSY_FORKS), [](int number) {
    if (number % 2 && children_have_threads)
      World(iterations_source("// child " + std::to_string(number) + "\n")).run();
    std::exit(0);
  });
  return failed ? failed : leave();
}

/// Children end while threads of oneTBB enter and leave arenas, whose locks they may hold.
int fork_workers() {
  setenv("HOSTCL_THREADS", "4", 1);
  World& world = lasting_world();
  require(world.run(), "a run");
  std::atomic<bool> is_over = false;
  std::thread busy([&] {
    while (!is_over)
      require(world.enqueue(500) && clFinish(world.queue) == CL_SUCCESS, "a run");
  });
  int failed = 0;
  for (unsigned i = 0; i < 2 * HOSTCL_BUSY_FORKS && !failed; ++i) {
    usleep(300 + 97 * (i % 20));
    const pid_t child = fork();
    if (child == 0) {
      lacks_threads = true;
      alarm(HOSTCL_ALLOWED_EXIT_MS / 1000);
      std::exit(0);
    }
    failed = wait_for(child);
  }
  is_over = true;
  busy.join();
  return failed ? failed : leave();
}

/// A child without a compiler says so, runs what has been compiled, and ends.
[[noreturn]] void go_without_compiler(World& world) {
  const cl_program program = make_program(world.context, iterations_source("// child\n"));
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_COMPILER_NOT_AVAILABLE,
          "clBuildProgram in the child");
  cl_int error = CL_SUCCESS;
  clLinkProgram(world.context, 0, nullptr, "", 1, &program, nullptr, nullptr, &error);
  require(error == CL_INVALID_OPERATION || error == CL_LINKER_NOT_AVAILABLE, "clLinkProgram in the child");
  require(world.run(), "what was compiled in the parent");
  std::exit(0);
}

/// fork() does not wait until a long compilation is over.
int fork_compiling() {
  World& world = lasting_world();
  require(world.run(), "a run");
  const cl_program program = make_program(world.context, slow_build_source(80'000));
  std::thread building([program] { clBuildProgram(program, 0, nullptr, "", nullptr, nullptr); });
  usleep(100'000);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    lacks_threads = true;
    go_without_compiler(world);
  }
  require(std::chrono::steady_clock::now() - start < std::chrono::seconds(6), "fork() within 6 seconds");
  require(wait_for(child) == 0, "the child");
  require(world.run(), "a run in the parent");
  building.detach();
  return leave();
}

/// Kernels of the parent that count while it forks are none of the child's: its counters start from its buffer.
int fork_counting() {
  World world(R"(
    #pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable
    kernel void k(counter32_t n, uint count) {
      uint x = 0;
      for (uint i = 0; i < count; ++i) x ^= atomic_inc(n) * i;
      if (count > 1 && x == 1) atomic_inc(n);
    })");
  for (int i = 0; i < 20; ++i)
    require(world.enqueue(500), "a launch");
  require(clFlush(world.queue) == CL_SUCCESS, "clFlush");
  usleep(20'000);
  const pid_t child = fork();
  if (child == 0) {
    if (!children_have_threads) std::_Exit(0);
    lacks_threads = true;
    world.queue = clCreateCommandQueueWithProperties(world.context, world.device, nullptr, nullptr);
    cl_uint value = 0;
    clEnqueueWriteBuffer(world.queue, world.buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr);
    require(world.enqueue(1, 64), "a launch in the child");
    clEnqueueReadBuffer(world.queue, world.buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr);
    std::_Exit(value == 64 ? 0 : 1);
  }
  require(wait_for(child) == 0, "the child's counter");
  return clFinish(world.queue) == CL_SUCCESS ? 0 : 1;
}

constexpr Way ways[] = {
    {"fork_counting", fork_counting},   {"fork", fork_and_go_on},         {"fork_child", fork_first},
    {"fork_busy", fork_busy},           {"fork_exit", fork_exit},         {"fork_workers", fork_workers},
    {"fork_compiling", fork_compiling}, {"fork_debugged", fork_debugged},
};

} // namespace

std::span<const Way> fork_ways() {
  return ways;
}

} // namespace test
