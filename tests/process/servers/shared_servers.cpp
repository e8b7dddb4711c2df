// Which threads of an application share a compile server, with HOSTCL_COMPILER=process, which CTest sets.

#include "process/own_process.hpp"
#include "process/servers/build.hpp"
#include "process/servers/processes.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"

#include <cstdlib>
#include <thread>
#include <vector>

#include <sys/prctl.h>
#include <unistd.h>

using namespace test;

TEST_CASE("one server does the builds of all threads that have equal rights", "[shared_servers]") {
  CHECK(in_child([] {
          setenv("HOSTCL_CODE", "tier1", 1); // nothing is compiled in the background
          World world;
          require(builds(world, 0), "a build");
          const std::vector<pid_t> before = servers_of(getpid());
          require(before.size() == 1, "a server waits");
          for (int i = 1; i < 8; ++i) {
            std::thread([&] { require(builds(world, i), "a build of a thread"); }).join();
            require(builds(world, 10 + i) && servers_of(getpid()) == before, "the same server builds");
          }
          return 0;
        }) == 0);
}

TEST_CASE("threads that no process may inspect have servers of their own", "[shared_servers]") {
  CHECK(in_child([] {
          setenv("HOSTCL_CODE", "tier1", 1);
          require(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "a process that is not dumpable");
          World world;
          require(builds(world, 0), "a build");
          const std::vector<pid_t> before = servers_of(getpid());
          for (int i = 1; i < 8; ++i) {
            std::thread([&] { require(builds(world, i), "a build of a thread"); }).join();
            require(servers_of(getpid()).size() <= 4, "few servers wait");
          }
          require(builds(world, 10), "a build of the first thread");
          return 0;
        }) == 0);
}
