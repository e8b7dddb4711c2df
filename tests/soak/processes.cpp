// Children: forked in the middle of everything, or started anew to exit in the middle of everything.

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

std::string describe(int status) {
  if (WIFEXITED(status)) return "exit code " + std::to_string(WEXITSTATUS(status));
  return "signal " + std::to_string(WTERMSIG(status));
}

/// The child has a context and threads of its own. alarm() ends it if it hangs.
void fork_child(Worker& worker) {
  const std::uint64_t seed = worker.random.next() % 1'000'000'000;
  worker.note("fork, child with seed %llu", static_cast<unsigned long long>(seed));
  const pid_t child = fork();
  if (child == 0) {
    alarm(child_seconds);
    if (test::children_have_threads) run_alone(seed, 12);
    std::_Exit(0);
  }
  worker.expect_equal("whether fork() made a child", child > 0, 1);
  int status = 0;
  worker.expect_equal("waitpid()", static_cast<std::uint64_t>(waitpid(child, &status, 0)),
                      static_cast<std::uint64_t>(child));
  if (status != 0) fail(worker.place(), "end of the child", "exit code 0", describe(status));
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
constexpr Operation exit_table[] = {{"exit", 1, exit_child}};

} // namespace

std::span<const Operation> processes() {
  return table;
}

std::span<const Operation> exits() {
  return exit_table;
}

} // namespace soak
