// Which threads run while launches run that are worth few of them: as many as the device has cores must not be woken up
// for each. HOSTCL_THREADS says how many threads there are; it does not matter how many processors the machine has.

#include "support/catch.hpp"
#include "world.hpp"

#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

namespace {

using test::World;

/// Launches of a phase, and phases.
constexpr unsigned launches = 40, phases = 25;

void launch(World& world, cl_uint iterations, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    REQUIRE(world.enqueue(iterations));
  REQUIRE(clFinish(world.queue) == CL_SUCCESS);
}

double nanoseconds_of_launch(World& world, cl_uint iterations) {
  double least = 1e18;
  for (int run = 0; run < 100; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    launch(world, iterations, 1);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    least = std::min(least, time.count());
  }
  return least;
}

/// Rounds of a launch that takes this long on one thread.
cl_uint iterations_for(World& world, double ns) {
  constexpr double not_shared_out = 10'000;
  cl_uint iterations = 16;
  while (nanoseconds_of_launch(world, iterations) < not_shared_out)
    iterations *= 2;
  return static_cast<cl_uint>(iterations * ns / nanoseconds_of_launch(world, iterations)) + 1;
}

/// How often each thread of the process has been given a processor.
std::map<std::string, std::uint64_t> runs_of_threads() {
  std::map<std::string, std::uint64_t> runs;
  std::error_code ended; // a thread may end meanwhile
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ended)) {
    std::ifstream status(task.path() / "status");
    std::uint64_t switches = 0;
    for (std::string word; status >> word;)
      if (word == "voluntary_ctxt_switches:" || word == "nonvoluntary_ctxt_switches:") {
        std::uint64_t count = 0;
        status >> count;
        switches += count;
      }
    runs[task.path().filename()] = switches;
  }
  return runs;
}

/// Threads that were given a processor during a phase, of the quietest phases: other programs of the machine make launches
/// of some phases look long.
/// @param together launches after which the application waits
unsigned active_threads(World& world, cl_uint iterations, unsigned together) {
  std::vector<unsigned> active(phases);
  for (unsigned& threads : active) {
    const auto before = runs_of_threads();
    for (unsigned i = 0; i < launches; i += together)
      launch(world, iterations, together);
    for (const auto& [thread, runs] : runs_of_threads()) {
      const auto known = before.find(thread);
      threads += known == before.end() || known->second != runs;
    }
  }
  std::ranges::sort(active);
  return active[phases / 8];
}

/// Waits until the threads that looked for work during earlier launches sleep: until no other thread has run for a while, or
/// half a second has passed.
void settle(World& world, cl_uint iterations) {
  launch(world, iterations, launches);
  auto own_runs_left_out = [own = std::to_string(gettid())] {
    auto runs = runs_of_threads();
    runs.erase(own);
    return runs;
  };
  auto before = own_runs_left_out();
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    auto now = own_runs_left_out();
    if (now == before) return;
    before = std::move(now);
  }
}

} // namespace

TEST_CASE("Launches of a few microseconds wake no threads but those of the queue", "[short_launches]") {
  World world;
  const cl_uint iterations = iterations_for(world, 4'000);
  const unsigned together = GENERATE(1u, 8u, launches);
  settle(world, iterations);
  CAPTURE(together);
  CHECK(active_threads(world, iterations, together) <=
        5); // the application's, one of the background, the flusher
}

TEST_CASE("Launches that are worth a few of many threads leave most of them alone", "[medium_launches]") {
  World world;
  const cl_uint iterations = iterations_for(world, 50'000);
  const unsigned together = GENERATE(1u, 8u, launches);
  settle(world, iterations);
  CAPTURE(together);
  cl_uint threads = 0;
  REQUIRE(clGetDeviceInfo(world.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof threads, &threads, nullptr) ==
          CL_SUCCESS);
  CHECK(active_threads(world, iterations, together) <= threads / 2);
}
