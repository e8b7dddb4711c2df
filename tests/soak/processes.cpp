// Children: forked in the middle of everything, or started anew to exit in the middle of everything.

#include "soak/household.hpp"
#include "soak/worker.hpp"
#include "support/forked.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace soak {

namespace {

constexpr unsigned child_seconds = 250; // of a child that hangs; the watchdog reports it before
constexpr unsigned going_on_seconds = 60;
constexpr std::size_t most_children = 2; // of a worker

std::string describe(int status) {
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status));
}

void judge(const Place& place, int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == exit_without_compiler)
    ++counts.forks_without_compiler;
  else if (status != 0)
    fail(place, "end of the child", "exit code 0", describe(status));
}

/// alarm() ends a child that hangs.
void begin_child(unsigned seconds) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  alarm(seconds);
  is_child = true;
  shortage::end_in_child();
}

/// The child has a context and threads of its own.
void fork_child(Worker& worker) {
  const std::uint64_t seed = worker.random.next() % 1'000'000'000;
  worker.note("fork, child with seed %llu", static_cast<unsigned long long>(seed));
  const pid_t child = fork();
  if (child == 0) {
    begin_child(child_seconds);
    if (test::children_have_threads) run_alone(seed, 12);
    std::_Exit(0);
  }
  if (child < 0 && axes.limits) throw Shortage{"fork()", CL_OUT_OF_RESOURCES};
  worker.expect_equal("whether fork() made a child", child > 0, 1);
  int status = 0;
  worker.expect_equal("waitpid()", static_cast<std::uint64_t>(waitpid(child, &status, 0)),
                      static_cast<std::uint64_t>(child));
  judge(worker.place(), status);
}

Household& household_of(Worker& worker) {
  if (worker.household) return *worker.household;
  const shortage::Lifted lifted;
  const Uncancelled whole;
  worker.household = std::make_unique<Household>(worker.random.next() % 1'000'000'000);
  return *worker.household;
}

/// The child goes on with new objects, or with objects that were idle, while the parent goes on as well.
void fork_and_go_on(Worker& worker) {
  await_children(worker, most_children - 1);
  const std::uint64_t seed = worker.random.next() % 1'000'000'000;
  const std::size_t operations = worker.random.between(1, 20);
  const bool has_idle = worker.random.chance(60);
  if (has_idle) {
    Household& household = household_of(worker);
    worker.note("%zu operations before a fork", operations);
    household.worker.run_some(worker.random.between(0, 15));
    household.worker.drain(0);
    household.world.become_idle();
  }
  worker.note("fork, child with %s objects, seed %llu, %zu operations", has_idle ? "its parent's" : "new",
              static_cast<unsigned long long>(seed), operations);
  const pid_t child = fork();
  if (child == 0) {
    begin_child(going_on_seconds);
    if (test::children_have_threads && has_idle) worker.household->go_on_in_child(operations);
    if (test::children_have_threads && !has_idle) run_alone(seed, operations);
    std::_Exit(0);
  }
  if (child < 0 && axes.limits) throw Shortage{"fork()", CL_OUT_OF_RESOURCES};
  worker.expect_equal("whether fork() made a child", child > 0, 1);
  worker.children.push_back({child, worker.place()});
  ++(has_idle ? counts.idle_forks : counts.new_forks);
}

/// The child says with one byte that it is about to exit.
void exit_child(Worker& worker) {
  const std::string seed = "--seed=" + std::to_string(worker.random.next() % 1'000'000'000);
  worker.note("child that exits, %s", seed.c_str());
  int ends[2];
  worker.expect_equal("pipe2()", static_cast<std::uint64_t>(pipe2(ends, O_CLOEXEC)), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string name = "soak", way = "--exit-at-random", text = seed;
  char* arguments[] = {name.data(), way.data(), text.data(), nullptr};
  pid_t child = 0;
  worker.expect("posix_spawn", posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments, environ),
                0);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char byte = 0;
  const bool told = ::read(ends[0], &byte, 1) == 1;
  const Clock::time_point begin = Clock::now();
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  const auto duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
  if (!told || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
    fail(worker.place(), "end of the child", "exit code 7",
         describe(status) + (told ? "" : ", before it meant to"));
  if (duration > 2000)
    fail(worker.place(), "time of exit()", "2000 ms at most", std::to_string(duration) + " ms");
}

constexpr Operation table[] = {{"fork", 1, fork_child}};
constexpr Operation fork_table[] = {{"fork_and_go_on", 4, fork_and_go_on}};
constexpr Operation exit_table[] = {{"exit", 1, exit_child}};

} // namespace

std::span<const Operation> processes() {
  return table;
}

void await_children(Worker& worker, std::size_t remaining) {
  while (worker.children.size() > remaining) {
    const Child& child = worker.children.front();
    int status = 0;
    if (waitpid(child.process, &status, WNOHANG) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    judge(child.place, status);
    worker.children.pop_front();
  }
}

void Household::go_on_in_child(std::size_t operations) {
  world.go_on_in_child();
  worker.run_some(operations);
  worker.finish();
  world.check();
}

std::span<const Operation> forks() {
  return fork_table;
}

std::span<const Operation> exits() {
  return exit_table;
}

} // namespace soak
