// A process that limits its address space or its threads after it has begun to use OpenCL, and the addresses that handles
// take.

#include "process/own_process.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace {

using test::require;
using test::World;

void limit_addresses(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  require(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
}

/// Changes the soft limit only, so that the limit can be raised again.
void limit_threads(rlim_t count) {
  rlimit limit;
  require(getrlimit(RLIMIT_NPROC, &limit) == 0, "getrlimit");
  limit.rlim_cur = std::min(count, limit.rlim_max);
  require(setrlimit(RLIMIT_NPROC, &limit) == 0, "setrlimit");
}

/// Bytes of addresses that the process has taken.
rlim_t taken_addresses() {
  rlim_t pages = 0;
  require(static_cast<bool>(std::ifstream("/proc/self/statm") >> pages), "statm");
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

bool is_live(cl_event event) {
  cl_int status = 0;
  return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) ==
         CL_SUCCESS;
}

/// What the driver makes of an address that a loader must not read from.
bool is_refused(const World& world, std::uintptr_t address) {
  const auto event = reinterpret_cast<cl_event>(address);
  return clEnqueueMarkerWithWaitList(world.queue, 1, &event, nullptr) == CL_INVALID_EVENT_WAIT_LIST;
}

/// Under a limit, handles have many small ranges of addresses.
/// @param most events to make
/// @returns those that could be made; the last error is that of clCreateUserEvent()
std::vector<cl_event> events_of(cl_context context, std::size_t most, cl_int& error) {
  std::vector<cl_event> events;
  events.reserve(most);
  while (events.size() < most) {
    cl_event event = clCreateUserEvent(context, &error);
    if (!event) break;
    events.push_back(event);
  }
  return events;
}

int limit_after_use() {
  const World world;
  limit_addresses(rlim_t{8} << 30);
  void* memory = std::malloc(100 << 20);
  require(memory != nullptr, "malloc() of 100 MB");
  std::free(memory);
  const World other(test::iterations_source("// another\n"));
  return 0;
}

int many_ranges() {
  limit_addresses(rlim_t{4} << 30); // ranges of 128 MB
  World world;
  cl_int error = CL_SUCCESS;
  const std::vector<cl_event> events = events_of(world.context, 1'500'000, error);
  require(events.size() == 1'500'000, "1.5 million events");
  const auto [least, greatest] = std::minmax_element(events.begin(), events.end());
  require(reinterpret_cast<std::uintptr_t>(*greatest) - reinterpret_cast<std::uintptr_t>(*least) > 256u << 20,
          "the events lie in several ranges");
  for (std::size_t i = 0; i < events.size(); i += 97) {
    require(is_live(events[i]), "a handle is good in any range");
    const auto address = reinterpret_cast<std::uintptr_t>(events[i]);
    require(is_refused(world, address + 64), "an address inside of an object is no handle");
    require(is_refused(world, address + 1), "an address between slots neither");
    require(is_refused(world, address + (std::uintptr_t{1} << 40)), "an address elsewhere neither");
  }
  for (cl_event event : events)
    clReleaseEvent(event);
  for (std::size_t i = 0; i < events.size(); i += 97)
    require(!is_live(events[i]), "a released handle is not good");
  return world.run() ? 0 : 1;
}

int exhaustion() {
  limit_addresses(rlim_t{1} << 30);
  World world;
  require(world.run(), "a run");
  cl_int error = CL_SUCCESS;
  const std::vector<cl_event> events = events_of(world.context, 6'000'000, error);
  require(events.size() < 6'000'000 && error == CL_OUT_OF_HOST_MEMORY, "clCreateUserEvent without addresses");
  for (cl_event event : events)
    clReleaseEvent(event);
  require(clReleaseEvent(clCreateUserEvent(world.context, nullptr)) == CL_SUCCESS, "an event afterwards");
  return world.run() ? 0 : 1;
}

/// What the check for races needs of addresses is taken by the first launch.
int checks_without_addresses() {
  setenv("HOSTCL_CHECK", "races", 1);
  setenv("HOSTCL_THREADS", "2", 1);
  World world("kernel void k(global uint* v, uint n) { v[get_global_id(0) / n] += n; }");
  limit_addresses(taken_addresses() + (rlim_t{256} << 20));
  cl_event event = nullptr;
  require(world.enqueue(10, World::items, 0, nullptr, &event), "a launch");
  cl_int status = CL_COMPLETE;
  require(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "its failure");
  require(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) ==
              CL_SUCCESS,
          "its status");
  return status == CL_OUT_OF_HOST_MEMORY ? 0 : 1;
}

int forks() {
  cl_uint count = 0;
  require(clGetPlatformIDs(0, nullptr, &count) == CL_SUCCESS, "a platform");
  const rlim_t before = taken_addresses();
  require(test::in_child([] { return 0; }) == 0, "a child");
  return taken_addresses() - before < rlim_t{64} << 20 ? 0 : 1;
}

/// A command that only a background thread can run: the application's thread waits for a command of another queue. The
/// driver can start no thread until the application's thread already waits.
int threads_that_come_late() {
  const World world;
  cl_command_queue other = clCreateCommandQueueWithProperties(world.context, world.device, nullptr, nullptr);
  require(other != nullptr, "another queue");
  std::atomic<bool> is_waiting{false};
  std::thread raises([&] {
    is_waiting.wait(false);
    std::this_thread::sleep_for(
        std::chrono::milliseconds(50)); // usually enough for the other thread to block
    limit_threads(RLIM_INFINITY);
  });
  constexpr uid_t nobody = 65534; // the limit does not hold for root
  require(geteuid() != 0 || setresuid(nobody, nobody, nobody) == 0, "setresuid");
  limit_threads(1);

  cl_event user = clCreateUserEvent(world.context, nullptr), filled = nullptr, marked = nullptr;
  const cl_uchar pattern = 1;
  require(clEnqueueFillBuffer(other, world.buffer, &pattern, sizeof pattern, 0, 64, 1, &user, &filled) ==
              CL_SUCCESS,
          "a fill");
  require(clEnqueueMarkerWithWaitList(world.queue, 1, &filled, &marked) == CL_SUCCESS, "a marker");
  require(clFlush(other) == CL_SUCCESS && clFlush(world.queue) == CL_SUCCESS, "flush");
  require(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS, "the user event");
  is_waiting = true;
  is_waiting.notify_all();
  require(clWaitForEvents(1, &marked) == CL_SUCCESS, "the wait");
  raises.join();
  return 0;
}

} // namespace

TEST_CASE("a wait ends once the process may start the threads that it lacked", "[late_limits]") {
  CHECK(test::in_child(threads_that_come_late) == 0);
}

TEST_CASE("a launch fails whose check for races has no addresses for its records", "[late_limits]") {
  CHECK(test::in_child(checks_without_addresses) == 0);
}

TEST_CASE("fork() takes no addresses", "[late_limits]") {
  CHECK(test::in_child(forks) == 0);
}

TEST_CASE("a limit of the address space that is set after OpenCL is used leaves the application its memory",
          "[late_limits]") {
  CHECK(test::in_child(limit_after_use) == 0);
}

TEST_CASE("handles are told from other addresses in all ranges that they lie in", "[late_limits]") {
  CHECK(test::in_child(many_ranges) == 0);
}

TEST_CASE("objects without addresses for them are CL_OUT_OF_HOST_MEMORY, until others are released",
          "[late_limits]") {
  CHECK(test::in_child(exhaustion) == 0);
}
