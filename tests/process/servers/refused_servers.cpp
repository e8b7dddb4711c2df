// Applications that may start no process: the compiler works in them, and one line of the log says so.

#include "process/own_process.hpp"
#include "process/servers/processes.hpp"
#include "process/servers/refused_calls.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using namespace test;

/// Has standard error go to a file.
class Errors {
public:
  Errors() { require(file_ >= 0 && dup2(file_, STDERR_FILENO) >= 0, "a file"); }
  std::string text() const {
    std::string text(1 << 16, '\0');
    const ssize_t bytes = pread(file_, text.data(), text.size(), 0);
    text.resize(bytes > 0 ? std::size_t(bytes) : 0);
    return text;
  }

private:
  int file_ = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
};

enum class Threads { can_be_started, are_refused }; ///< what the driver reports as well

int compiles_here(const char* reason, Threads threads = Threads::can_be_started) {
  const Errors errors;
  World world;
  require(world.run(), "a launch");
  World other(iterations_source("// another program\n"));
  require(other.run(), "another launch");
  require(servers_of(getpid()).empty(), "no process compiles");
  const std::string text = errors.text();
  const std::string_view report = "no process can be started for the compiler";
  const std::size_t at = text.find(report);
  const bool is_good = at != text.npos && text.find(reason, at) != text.npos &&
                       (threads == Threads::are_refused ? text.find(report, at + 1) == text.npos
                                                        : text.find('\n') == text.size() - 1);
  if (!is_good) std::printf("standard error has '%s'\n", text.c_str());
  return is_good ? 0 : 1;
}

} // namespace

TEST_CASE("without execve() the compiler works in the application", "[refused_servers]") {
  CHECK(in_child([] {
          refuse(SYS_execve, EPERM, 0);
          return compiles_here("execve(): Operation not permitted");
        }) == 0);
}

TEST_CASE("a compiler that was left is used again if no process can be started", "[refused_servers]") {
  CHECK(in_child([] {
          unsetenv("HOSTCL_COMPILER");
          setenv("HOSTCL_TEST_STEPS", "tidy:crash", 1);
          refuse(SYS_execve, EPERM, 0);
          return compiles_here("execve(): Operation not permitted");
        }) == 0);
}

TEST_CASE("without clone() but for threads the compiler works in the application", "[refused_servers]") {
  CHECK(in_child([] {
          refuse(SYS_clone, EAGAIN, CLONE_THREAD);
          return compiles_here("clone(): Resource temporarily unavailable");
        }) == 0);
}

TEST_CASE("without the holder's clone() of the server the compiler works in the application",
          "[refused_servers]") {
  CHECK(in_child([] {
          refuse(SYS_clone, EAGAIN, CLONE_THREAD | CLONE_FILES);
          return compiles_here("clone(): Resource temporarily unavailable");
        }) == 0);
}

TEST_CASE("without descriptors the compiler works in the application", "[refused_servers]") {
  CHECK(in_child([] {
          refuse(SYS_memfd_create, EMFILE, 0);
          return compiles_here("a file in memory: Too many open files");
        }) == 0);
}

TEST_CASE("where its process would be in another PID namespace the compiler works in the application",
          "[refused_servers]") {
  constexpr int refused = 77;
  const bool has_first_process = GENERATE(false, true); // without one, Linux does not show the namespace
  CAPTURE(has_first_process);
  const int ending = in_child([&] {
    if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) return refused;
    int ends[2];
    require(pipe(ends) == 0, "a pipe");
    if (has_first_process) {
      const pid_t first = fork();
      require(first >= 0, "a first process");
      if (first == 0) { // ends with this process
        close(ends[1]);
        char unused;
        _exit(static_cast<int>(read(ends[0], &unused, 1)));
      }
    }
    const int result = compiles_here("its process would be in another PID namespace", Threads::are_refused);
    require(in_child([] { return 0; }) == 0, "a process, which needs the namespace's first one");
    return result;
  });
  if (ending == refused)
    WARN("no PID namespace can be made");
  else
    CHECK(ending == 0);
}

TEST_CASE("where files are limited the compiler works in the application", "[refused_servers]") {
  CHECK(in_child([] {
          const rlimit limit{4096, RLIM_INFINITY};
          require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "a limit");
          return compiles_here("its files may not be as large");
        }) == 0);
}
