// Threads that fork and end as threads: in the child, or cancelled.

#include "process/own_process.hpp"
#include "process/semaphores.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"
#include "support/forked.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using test::in_child;
using test::require;
using test::World;

constexpr int forks = HOSTCL_ENDING_THREADS;
constexpr int hung = 124;

/// Runs a kernel whose groups several threads share.
bool run_in_parallel(World& world) {
  return world.enqueue(1000) && clFinish(world.queue) == CL_SUCCESS;
}

/// Launches kernels until it goes, so that oneTBB's workers hold locks at any moment.
class BusyThread {
public:
  BusyThread() : thread_([this] { run(); }) {}
  ~BusyThread() {
    is_over_ = true;
    thread_.join();
  }

private:
  void run() {
    World world;
    while (!is_over_)
      require(run_in_parallel(world), "a run beside forks");
  }

  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

/// What the test runs in a thread that has run kernels, and of which oneTBB has data.
template <class Function>
void in_thread(Function function) {
  std::thread([&] {
    World world;
    require(run_in_parallel(world), "a run in the parent");
    function();
    world.release();
  }).join();
}

/// The child ends when its first thread has ended, which the kernel tells by a word of 0. With glibc 2.43 pthread_join()
/// of that thread never returns where a thread other than the parent's first one forked.
[[noreturn]] void end_thread_of_child() {
  static std::atomic<pid_t> first;
  first = pid_t(syscall(SYS_set_tid_address, &first));
  std::thread([] {
    while (first != 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    _exit(0);
  }).detach();
  pthread_exit(nullptr);
}

int end_forking_threads() {
  const BusyThread busy;
  int ending = 0;
  for (int i = 0; i < forks && ending == 0; ++i)
    in_thread([&] {
      const pid_t child = fork();
      if (child == 0) end_thread_of_child();
      ending = test::ending_of(child, std::chrono::seconds(20));
    });
  return ending;
}

/// The request to end waits from before fork() until a cancellation point of the thread's own, in both processes.
int fork_while_cancelled() {
  World world;
  // A thread waits for the semaphore's file descriptor; the child closes what it waited with.
  const test::SharedSemaphore semaphore(world);
  const int descriptor = semaphore.exported();
  semaphore.wait(world.queue);
  require(clFlush(world.queue) == CL_SUCCESS, "a flush");
  require(test::signal_through(descriptor) && world.run(), "a run after the semaphore's signal");
  static std::atomic<int> ending = hung;
  std::thread([&] {
    pthread_cancel(pthread_self());
    const pid_t child = fork();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
    if (child == 0) _exit(world.run() ? 0 : 1);
    ending = test::ending_of(child, std::chrono::seconds(20));
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
    pthread_testcancel();
    require(false, "the thread is cancelled");
  }).join();
  return world.run() ? ending.load() : 1;
}

} // namespace

TEST_CASE("the thread of a child that forked may end as a thread", "[ending_threads]") {
  if (test::children_have_threads) CHECK(in_child(end_forking_threads) == 0);
}

TEST_CASE("a thread that is to be cancelled may fork before", "[ending_threads]") {
  if (test::children_have_threads) CHECK(in_child(fork_while_cancelled) == 0);
}
