// Applications whose own compiler has to be left, without HOSTCL_COMPILER=process: the job fails or goes on at the next
// fallback level, and compile servers do all further jobs. Each case has an application of its own.

#include "process/own_process.hpp"
#include "process/servers/build.hpp"
#include "process/servers/processes.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace test;

bool has_servers() {
  return !servers_of(getpid()).empty();
}

/// An address at which nothing is mapped.
volatile int* volatile nowhere = reinterpret_cast<int*>(64);

sigjmp_buf back;
std::atomic<const void*> fault_address = nullptr;
void on_fault(int, siginfo_t* info, void*) {
  fault_address = info->si_addr;
  siglongjmp(back, 1);
}

/// Whether the handler that the application installed before the driver's gets faults of the application, with the
/// address of the fault.
bool has_own_faults() {
  if (sigsetjmp(back, 1) == 0) *nowhere = 1;
  return fault_address.exchange(nullptr) == const_cast<const int*>(nowhere);
}

/// A scope in which the process may get only 40 MiB more writable memory than it has.
class LittleMemory {
public:
  LittleMemory() {
    rlim_t field, data = 0;
    std::ifstream statistics("/proc/self/statm");
    for (int i = 0; i < 6 && statistics >> field; ++i)
      data = field;
    const rlimit little{data * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{40} << 20),
                        RLIM_INFINITY};
    require(setrlimit(RLIMIT_DATA, &little) == 0, "a limit");
  }
  ~LittleMemory() {
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_DATA, &none);
  }
  LittleMemory(const LittleMemory&) = delete;
};

/// Checks that a build fails with the code and the reason, and that a server compiles the next build.
int fails_once(const std::string& source, cl_int code, const char* reason) {
  World world;
  require(!has_servers(), "the application compiles");
  Built built;
  if (code == CL_OUT_OF_HOST_MEMORY) {
    const LittleMemory little;
    built = build(world, source);
  } else {
    built = build(world, source);
  }
  require(built.code == code && built.log.find(reason) != built.log.npos, built.log.c_str());
  require(works(world, 3) && has_servers(), "servers compile now");
  return 0;
}

const std::string large_source = doubling("p[0] += p[1];", 18) + "kernel void k(global int* p) { M18 }";

} // namespace

TEST_CASE("a kernel whose compilation in the application is left is compiled by a server", "[escapes]") {
  const std::string how = GENERATE("crash", "hang", "fatal");
  CAPTURE(how);
  CHECK(in_child([&] {
          struct sigaction action{};
          action.sa_sigaction = on_fault;
          action.sa_flags = SA_SIGINFO;
          require(sigaction(SIGSEGV, &action, nullptr) == 0, "the application's handler");
          setenv("HOSTCL_CODE", "tier1", 1);
          setenv("HOSTCL_COMPILE_SECONDS", "8", 1);
          setenv("HOSTCL_TEST_STEPS", ("tidy:" + how).c_str(), 1);
          const World world;
          require(!has_servers(), "the application compiles");
          require(works(world, 5) && has_servers(), "the next level is compiled by a server");
          require(has_own_faults(), "the application's handler");
          require(works(world, 7), "a later build");
          return 0;
        }) == 0);
}

TEST_CASE("a level that fails by an error leaves nothing behind, and the application goes on to compile",
          "[escapes]") {
  CHECK(in_child([] {
          setenv("HOSTCL_TEST_STEPS", "tidy:error", 1);
          const World world;
          require(works(world, 5) && !has_servers(), "the application compiles");
          return 0;
        }) == 0);
}

TEST_CASE("a build that overflows the stack, takes too much memory or has none is left", "[escapes]") {
  CHECK(in_child([] { return fails_once(deep_source(), CL_BUILD_PROGRAM_FAILURE, "nested too deeply"); }) ==
        0);
  CHECK(in_child([] {
          setenv("HOSTCL_COMPILE_MEMORY", "48M", 1);
          return fails_once(large_source, CL_BUILD_PROGRAM_FAILURE, "HOSTCL_COMPILE_MEMORY");
        }) == 0);
  CHECK(in_child([] { return fails_once(large_source, CL_OUT_OF_HOST_MEMORY, ""); }) == 0);
}

TEST_CASE("builds of other threads go on while one is left", "[escapes]") {
  CHECK(in_child([] {
          const World world;
          std::atomic<int> failures = 0;
          std::vector<std::thread> threads;
          threads.emplace_back([&, source = deep_source()] {
            failures += build(world, source).log.find("nested too deeply") == std::string::npos;
          });
          for (int t = 1; t < 4; ++t)
            threads.emplace_back([&, t] {
              for (int i = 0; i < 15; ++i)
                failures += !works(world, 100 * t + i);
            });
          for (std::thread& thread : threads)
            thread.join();
          require(failures == 0, "all builds but one are right");
          return 0;
        }) == 0);
}
