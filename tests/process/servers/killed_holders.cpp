// Applications whose servers lose the holder (compiler/server/driver_process.hpp) or their descriptors, with
// HOSTCL_COMPILER=process, which CTest sets. The application adopts orphans of its descendants, so that a server which
// outlives its holder would be a child of the application.

#include "process/own_process.hpp"
#include "process/servers/build.hpp"
#include "process/servers/processes.hpp"
#include "process/servers/watched_source.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace test;

/// Nothing is compiled in the background.
void adopt_orphans() {
  setenv("HOSTCL_CODE", "tier1", 1);
  require(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0, "the application is a subreaper");
}

void kill_children() {
  for (const pid_t process : all_processes())
    if (parent_of(process) == getpid()) kill(process, SIGKILL);
}

void kill_holders(const std::vector<pid_t>& servers) {
  for (const pid_t server : servers) {
    const pid_t holder = parent_of(server);
    require(parent_of(holder) == getpid() && kill(holder, SIGKILL) == 0, "a holder is killed");
  }
}

/// A build notices which servers have ended. A server that had only just been started may end after the build: then a
/// later one notices.
void require_no_child(const World& world, const std::vector<pid_t>& ending_servers, int number) {
  for (const pid_t server : ending_servers)
    while (!has_ended(server))
      std::this_thread::yield();
  bool has_child = true;
  for (int i = 0; has_child && i < 10; ++i) {
    require(builds(world, number + 1000 * i), "the next build starts another process");
    siginfo_t child;
    has_child = waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0;
  }
  require(!has_child && errno == ECHILD, "the application has no child");
}

} // namespace

TEST_CASE("a server whose holder is killed between two builds leaves nothing", "[killed_holders]") {
  CHECK(in_child([] {
          adopt_orphans();
          World world;
          for (int i = 0; i < 5; ++i) {
            require(builds(world, 2 * i), "a build");
            const std::vector<pid_t> servers = servers_of(getpid());
            require(!servers.empty(), "a server waits");
            kill_holders(servers);
            require_no_child(world, servers, 2 * i + 1);
          }
          return 0;
        }) == 0);
}

TEST_CASE("a build whose holder is killed goes on in another server", "[killed_holders]") {
  CHECK(in_child([] {
          adopt_orphans();
          World world;
          Built built;
          const WatchedHeader header;
          const std::string long_source = doubling("+ 1", 18) + "#if 1 M18\n#endif\nkernel void k() {}";
          std::thread builder([&] { built = build(world, header.include() + long_source); });
          require(header.is_read(), "a process compiles");
          const std::vector<pid_t> servers = servers_of(getpid());
          kill_holders(servers);
          builder.join();
          require(built.code == CL_SUCCESS, built.log.c_str());
          require_no_child(world, servers, 1);
          return 0;
        }) == 0);
}

TEST_CASE("a holder that is killed while it starts a server leaves nothing", "[killed_holders]") {
  CHECK(in_child([] {
          adopt_orphans();
          World world;
          for (int i = 0; i < 10; ++i) {
            std::atomic<bool> has_ended = false;
            std::thread builder([&] {
              builds(world, i); // or fails, if both of its servers are killed
              has_ended = true;
            });
            while (!has_ended)
              kill_children();
            builder.join();
            const std::vector<pid_t> servers = servers_of(getpid());
            kill_children(); // the holder of a server that has done the build may still live
            require_no_child(world, servers, 100 + i);
          }
          return 0;
        }) == 0);
}

TEST_CASE("a server whose descriptors are closed ends before its holder", "[killed_holders]") {
  CHECK(in_child([] {
          adopt_orphans();
          World world;
          for (int i = 0; i < 5; ++i) {
            require(builds(world, 2 * i), "a build");
            const std::vector<pid_t> servers = servers_of(getpid());
            require(!servers.empty(), "a server waits");
            // A copy of the sockets keeps them open: no server ends because its connection does.
            const pid_t copy = fork();
            if (copy == 0) {
              pause();
              _exit(0);
            }
            require(syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0) == 0, "the descriptors are closed");
            require(builds(world, 2 * i + 1), "the next build starts another process");
            require(std::ranges::all_of(servers, has_ended), "the servers have ended");
            kill(copy, SIGKILL);
            require(waitpid(copy, nullptr, 0) == copy, "the copy is the application's child");
            require(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD, "the application has no child");
          }
          return 0;
        }) == 0);
}
