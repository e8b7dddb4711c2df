// Signals on the driver's threads (docs/runtime.md, "Signals"): faults are open, all else is blocked.

#include "process/own_process.hpp"
#include "process/semaphores.hpp"
#include "process/signals/signal_masks.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <pthread.h>
#include <unistd.h>

namespace {

using namespace test;

/// What a thread of the driver blocks: all that can be (neither SIGKILL and SIGSTOP nor two of the C library's) but faults.
constexpr std::uint64_t promised =
    ~(bit(SIGKILL) | bit(SIGSTOP) | bit(32) | bit(33) | bit(SIGSEGV) | bit(SIGBUS) | bit(SIGFPE) |
      bit(SIGILL) | bit(SIGTRAP) | bit(SIGSYS) | bit(SIGABRT));

std::vector<std::filesystem::path> threads_of_process() {
  std::vector<std::filesystem::path> threads;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    threads.push_back(entry.path());
  return threads;
}

/// Threads that are the application's: those that there are when it is made, and what is added.
class Application {
public:
  Application() : threads_(threads_of_process()) {}
  void add_this_thread() { threads_.push_back("/proc/self/task/" + std::to_string(gettid())); }
  bool has(const std::filesystem::path& thread) const {
    return std::ranges::find(threads_, thread) != threads_.end();
  }

private:
  std::vector<std::filesystem::path> threads_;
};

// ---- Threads

std::atomic<bool> has_begun = false, is_over = false;

/// Looks at the driver's threads again and again: none may have SIGTERM open for a moment.
void watch(Application& application) {
  application.add_this_thread();
  has_begun = true;
  while (!is_over) {
    for (const auto& thread : threads_of_process())
      if (const auto mask = blocked_in(thread / "status"); mask && !application.has(thread))
        require(*mask & bit(SIGTERM), "SIGTERM is blocked in all threads of the driver");
    usleep(200);
  }
}

/// A thread that begins or ends has all signals blocked for a moment, by the C library.
bool has_promised_mask(const std::filesystem::path& thread) {
  for (int i = 0; i < 2'000; ++i) {
    const auto mask = blocked_in(thread / "status");
    if (!mask || *mask == promised) return true;
    usleep(1'000);
  }
  return false;
}

/// Commands that take all threads, in the background and in a blocking call, builds with and without a callback.
void work(World& world, int number) {
  static std::atomic<int> built;
  built = 0;
  cl_program program =
      test::make_program(world.context, test::iterations_source("// " + std::to_string(number) + "\n"));
  clBuildProgram(program, 0, nullptr, "", [](cl_program, void*) { built = 1; }, nullptr);
  cl_event background = nullptr;
  require(world.enqueue(100, 1 << 20, 0, nullptr, &background) && clFlush(world.queue) == CL_SUCCESS,
          "a launch");
  for (cl_int status = CL_QUEUED; status > CL_RUNNING; usleep(100))
    clGetEventInfo(background, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  clReleaseEvent(background);
  require(world.enqueue(100, 1 << 20) && clFinish(world.queue) == CL_SUCCESS, "a launch");
  while (built == 0)
    usleep(1'000);
  clReleaseProgram(program);
}

int watch_threads() {
  setenv("HOSTCL_THREADS", "4", 1);
  Application application;
  std::thread watching([&] { watch(application); });
  while (!has_begun)
    std::this_thread::yield();
  World world;
  cl_mem large = clCreateBuffer(world.context, CL_MEM_READ_WRITE, 4 << 20, nullptr, nullptr);
  std::swap(world.buffer, large);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &mask, nullptr);   // the callbacks of work()
  const test::SharedSemaphore semaphore(world); // another process may signal it: a thread polls
  semaphore.wait(clCreateCommandQueueWithProperties(world.context, world.device, nullptr, nullptr));
  for (int i = 0; i < 10; ++i)
    work(world, i);
  is_over = true;
  watching.join();
  std::size_t count = 0;
  for (const auto& thread : threads_of_process()) {
    if (application.has(thread)) continue;
    ++count;
    require(has_promised_mask(thread),
            "faults are open in a thread of the driver, all other signals blocked");
  }
  require(count >= 4, "the driver has threads");
  return 0;
}

/// Threads touch a page of the application's in a kernel that runs in the background.
int fault_in_background() {
  handle_faults();
  auto& world = *new World("kernel void k(global uint* v, uint n) { v[0] = n; }");
  require(world.run(), "a run");
  cl_event event = nullptr;
  const std::size_t one = 1;
  clSetKernelArgSVMPointer(world.kernel, 0, page);
  require(clEnqueueNDRangeKernel(world.queue, world.kernel, 1, nullptr, &one, nullptr, 0, nullptr, &event) ==
                  CL_SUCCESS &&
              clFlush(world.queue) == CL_SUCCESS,
          "a launch");
  for (cl_int status = CL_QUEUED; status != CL_COMPLETE; usleep(1'000))
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return mended == 1 ? 0 : 1;
}

/// A daemon that uses OpenCL, goes on with it in the background, and waits for signals of others.
int be_daemon() {
  setenv("HOSTCL_THREADS", "4", 1);
  World world;
  cl_mem large = clCreateBuffer(world.context, CL_MEM_READ_WRITE, 4 << 20, nullptr, nullptr);
  std::swap(world.buffer, large);
  require(world.run(), "a run");
  for (int i = 0; i < 4; ++i) // this thread has others help
    require(world.enqueue(100, 1 << 20), "a launch");
  require(clFinish(world.queue) == CL_SUCCESS, "clFinish");
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &mask, nullptr);
  for (int i = 0; i < 30; ++i) {
    cl_program program =
        test::make_program(world.context, test::iterations_source("// " + std::to_string(i) + "\n"));
    clBuildProgram(program, 0, nullptr, "", [](cl_program, void*) { usleep(2'000); }, nullptr);
    cl_event event = nullptr;
    require(world.enqueue(100, 1 << 20, 0, nullptr, &event), "a launch");
    clSetEventCallback(event, CL_COMPLETE, [](cl_event, cl_int, void*) { usleep(2'000); }, nullptr);
    clFlush(world.queue);
    clReleaseEvent(event);
    usleep(static_cast<useconds_t>(i * 300));
    kill(getpid(), SIGTERM);
    const timespec patience{30, 0};
    require(sigtimedwait(&mask, nullptr, &patience) == SIGTERM, "the daemon takes SIGTERM");
  }
  return 0;
}

} // namespace

TEST_CASE("all threads of the driver have faults open and all other signals blocked", "[signals]") {
  CHECK(test::in_child(watch_threads) == 0);
}

TEST_CASE("an application's handler mends a page that a kernel touches in the background", "[signals]") {
  CHECK(test::in_child(fault_in_background) == 0);
}

TEST_CASE("a daemon takes SIGTERM with sigtimedwait() while the driver builds, launches and calls back",
          "[signals]") {
  CHECK(test::in_child(be_daemon) == 0);
}
