// An application that can start no threads after its first build, with HOSTCL_COMPILER=process, which CTest sets. The
// calling thread then waits for the compile server itself: each build has all of its time, and one server does all builds.

#include "process/own_process.hpp"
#include "process/servers/build.hpp"
#include "process/servers/processes.hpp"
#include "process/servers/watched_source.hpp"
#include "process/world.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace {
std::atomic<bool> has_limit = false;
}

/// What the driver and its libraries call instead of the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                              void* argument) noexcept {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return has_limit ? EAGAIN : create(thread, attributes, function, argument);
}

namespace {

using namespace test;

double cpu_seconds_of(pid_t process) {
  clockid_t clock;
  timespec time{};
  require(clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &time) == 0, "the server's time");
  return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

} // namespace

int main() {
  setenv("HOSTCL_CODE", "tier1", 1); // nothing is compiled in the background
  setenv("HOSTCL_COMPILE_SECONDS", "2", 1);
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "a process that may have entered Landlock");
  World world;
  has_limit = true;
  require(builds(world, 0), "a build");
  const std::vector<pid_t> servers = servers_of(getpid());
  require(servers.size() == 1, "a server waits");
  const std::string source = doubling("+ 1", 17) + "#if 1 M17\n#endif\nkernel void k() {} //";
  const double begin = cpu_seconds_of(servers[0]), limit = 2;
  for (int i = 0; cpu_seconds_of(servers[0]) - begin < limit + 1; ++i) {
    const Built built = build(world, source + std::to_string(i));
    require(built.code == CL_SUCCESS, built.log.c_str());
    require(servers_of(getpid()) == servers, "the same server builds");
  }
  return 0;
}
