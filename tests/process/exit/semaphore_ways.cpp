// Semaphores that wait for other processes while this one ends or forks.

#include "process/exit/exit_ways.hpp"
#include "process/semaphores.hpp"
#include "support/forked.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace test {

namespace {

World& world() {
  static World& instance = lasting_world();
  return instance;
}

/// A wait that no process ends is in front of whatever comes into the world's queue.
const SharedSemaphore& never() {
  require(world().run(), "a run");
  static const SharedSemaphore semaphore(world());
  static const int of_others = semaphore.exported();
  require(of_others >= 0, "a descriptor for others");
  semaphore.wait(world().queue);
  clFlush(world().queue);
  return semaphore;
}

int waiting() {
  never();
  usleep(10'000);
  return leave();
}
int blocked() {
  never();
  std::thread([] { clFinish(world().queue); }).detach();
  usleep(20'000);
  return leave();
}
/// Waits end one after the other on the driver's thread.
int signalling() {
  const SharedSemaphore& semaphore = never();
  std::thread([&] {
    const int descriptor = semaphore.exported();
    for (;; usleep(20))
      signal_through(descriptor);
  }).detach();
  std::thread([&] {
    for (;; clFinish(world().queue))
      for (int i = 0; i < 20; ++i)
        semaphore.wait(world().queue);
  }).detach();
  sleep_up_to(20'000);
  return leave();
}

int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// The child leaves the parent's waits alone, and has semaphores of its own.
int fork_waiting() {
  const SharedSemaphore& semaphore = never();
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    if (!children_have_threads) std::_Exit(0);
    World own;
    const SharedSemaphore first(own);
    const SharedSemaphore second(own, first.exported());
    std::thread later([&] {
      usleep(20'000);
      signal_through(first.exported());
    });
    second.wait(own.queue);
    const bool good = own.run();
    later.join();
    std::exit(good ? leave() : 1);
  }
  require(wait_for(child) == 0, "the child");
  signal_through(semaphore.exported());
  return world().run() ? leave() : 1;
}
/// The child signals what the parent waits for, through a semaphore that both have. It does not wait for the parent's own
/// signal, which comes after that wait.
int fork_signalling() {
  const SharedSemaphore& semaphore = never();
  semaphore.signal(world().queue);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    if (!children_have_threads) std::_Exit(signal_through(semaphore.exported()) ? 0 : 1);
    const cl_command_queue queue =
        clCreateCommandQueueWithProperties(world().context, world().device, nullptr, nullptr);
    semaphore.signal(queue);
    std::_Exit(clFinish(queue) == CL_SUCCESS ? 0 : 1);
  }
  require(wait_for(child) == 0, "the child");
  return clFinish(world().queue) == CL_SUCCESS ? leave() : 1;
}

constexpr Way ways[] = {
    {"semaphore_waiting", waiting},
    {"semaphore_blocked", blocked},
    {"semaphore_signalling", signalling},
    {"semaphore_fork_waiting", fork_waiting},
    {"semaphore_fork_signalling", fork_signalling},
};

} // namespace

std::span<const Way> semaphore_ways() {
  return ways;
}

} // namespace test
