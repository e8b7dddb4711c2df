// Threads that use OpenCL for the first time while others fork: what there is one of in the process is made in the
// middle of fork(). Each try is a process of its own, because there is only one first time.

#include "process/own_process.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"
#include "support/choice.hpp"
#include "support/forked.hpp"
#include "support/poll.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <pthread.h>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;
using test::becomes;
using test::in_child;
using test::require;
using test::World;
using Clock = std::chrono::steady_clock;

cl_device_id device;
cl_context context;
cl_command_queue queue;
cl_mem buffer;

/// A command that no call flushes ends all the same.
bool ends_unflushed(cl_command_queue in, cl_mem memory) {
  cl_event event = nullptr;
  const cl_uint value = 7;
  if (clEnqueueFillBuffer(in, memory, &value, 4, 0, 64, 0, nullptr, &event) != CL_SUCCESS) return false;
  const auto end = Clock::now() + 20s;
  for (cl_int status = CL_QUEUED; status != CL_COMPLETE; usleep(500))
    if (Clock::now() > end || clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                             nullptr) != CL_SUCCESS)
      return false;
  clReleaseEvent(event);
  return true;
}

/// All that a process does with objects of its own, and with those of its parent in a child.
bool goes_on(int generations = 1) {
  World own(test::iterations_source("// " + std::to_string(getpid()) + "\n"));
  const auto is_usable = [&] { return own.run() && ends_unflushed(own.queue, own.buffer); };
  if (!is_usable()) return false;
  return generations == 0 || in_child([&] { return is_usable() && goes_on(generations - 1) ? 0 : 1; }) == 0;
}

// ---- What other threads do in the middle of fork()

/// What the calling thread does when it begins to fork; null for nothing.
thread_local void (*in_fork)() = nullptr;

/// The application's handler, which fork() calls before those that were registered earlier.
void watch_forks() {
  device = test::chosen_device();
  // Before the first fork(): glibc's fork() looks for other threads before it calls the handlers. If there are none, it
  // does not hold the allocator's locks, and the child hangs where a thread that a handler has started holds one.
  std::thread([] { pause(); }).detach();
  pthread_atfork(
      [] {
        if (in_fork) in_fork();
      },
      nullptr, nullptr);
}

/// A C library may let no thread register handlers while another one forks: the wait for it is bounded.
template <void (*make)()>
void on_other_thread() {
  static std::atomic<bool> is_made = false;
  std::thread([] {
    make();
    is_made = true;
  }).detach();
  becomes([] { return is_made.load(); }, 10s);
}

void make_context() {
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, nullptr);
}
void make_queue() {
  if (!context) make_context();
  queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
}
void build() {
  make_context();
  clBuildProgram(test::make_program(context, test::iterations_source("")), 0, nullptr, "", nullptr, nullptr);
}
void run() {
  require(test::lasting_world().run(), "a run");
}

int fork_in_middle_of(void (*in)(), bool has_built = false) {
  watch_forks();
  if (has_built) build();
  in_fork = in;
  const int child = in_child([] {
    in_fork = nullptr;
    alarm(60);
    return (!queue || ends_unflushed(queue, buffer)) && goes_on() ? 0 : 1;
  });
  in_fork = nullptr;
  require(child == 0, "the child goes on");
  require(!queue || ends_unflushed(queue, buffer), "the queue in the parent");
  return goes_on() ? 0 : 1;
}

// ---- Several threads fork

std::atomic<bool> other_forks = false, may_go_on = false;

/// Longer than a fork waits for a queue's lock.
constexpr auto long_fork = 2500ms;

void fork_slowly() {
  in_fork = [] {
    other_forks = true;
    becomes([] { return may_go_on.load(); }, 10s);
    std::this_thread::sleep_for(long_fork);
  };
  require(in_child([] { return 0; }) == 0, "a child");
}

/// The first queue is made while this thread forks, and then another thread forks, which takes long. This thread's
/// next fork waits for that: its child finds the queue whole.
int fork_beside_others() {
  watch_forks();
  build();
  static std::thread other;
  in_fork = [] {
    on_other_thread<make_queue>();
    other = std::thread(fork_slowly);
    require(becomes([&] { return other_forks.load(); }, 10s), "the other thread forks");
  };
  require(in_child([] { return 0; }) == 0, "a child");
  in_fork = nullptr;
  may_go_on = true;
  const int child = in_child([] { return ends_unflushed(queue, buffer) ? 0 : 1; });
  other.join();
  return child;
}

// ---- At any moment

/// Two threads use OpenCL for the first time, and two others fork meanwhile.
int fork_at_first_uses(unsigned number) {
  alarm(60);
  test::chosen_device();
  std::atomic<bool> good = true;
  const auto use = [&] {
    if (!World().run()) good = false;
  };
  const auto fork_often = [&](unsigned pause) {
    for (int i = 0; i < 3; ++i) {
      usleep(pause);
      const int child = in_child([] {
        alarm(30);
        return goes_on(0) ? 0 : 1;
      });
      if (child != 0) good = false;
    }
  };
  std::thread first(use), second(use), other([&] { fork_often(number * 53 % 900); });
  fork_often(number * 37 % 700);
  for (std::thread* thread : {&first, &second, &other})
    thread->join();
  return good && goes_on() ? 0 : 1;
}

} // namespace

TEST_CASE("the first context, queue, build and launch of a process may fall into a fork of another thread",
          "[children]") {
  if (!test::children_have_threads) return;
  CHECK(in_child([] { return fork_in_middle_of(on_other_thread<make_context>); }) == 0);
  CHECK(in_child([] { return fork_in_middle_of(on_other_thread<make_queue>); }) == 0);
  CHECK(in_child([] { return fork_in_middle_of(on_other_thread<build>); }) == 0);
  CHECK(in_child([] { return fork_in_middle_of(on_other_thread<run>); }) == 0);
}

TEST_CASE("a process that has compiled may get its first queue during a fork, and the child goes on with it",
          "[children]") {
  if (!test::children_have_threads) return;
  CHECK(in_child([] { return fork_in_middle_of(on_other_thread<make_queue>, true); }) == 0);
}

TEST_CASE("a fork during which the first queue is made does not disturb those of other threads",
          "[children]") {
  if (!test::children_have_threads) return;
  CHECK(in_child(fork_beside_others) == 0);
}

TEST_CASE("threads fork while others use OpenCL for the first time", "[children]") {
  if (!test::children_have_threads) return;
  for (unsigned number = 0; number < HOSTCL_FIRST_USES; ++number) {
    INFO(number);
    CHECK(in_child([number] { return fork_at_first_uses(number); }) == 0);
  }
}
