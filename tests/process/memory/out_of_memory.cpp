// An application's calls while allocations of the calling thread fail, one by one: every call succeeds or says
// CL_OUT_OF_HOST_MEMORY or CL_OUT_OF_RESOURCES, what was computed is right, nothing leaks, and the process
// goes on. usage: test_out_of_memory one | rest | first_threads
//   one            each allocation fails alone
//   rest           from each allocation on, all fail
//   first_threads  in a process without threads of the driver, from each allocation of clSetUserEventStatus() on, all fail

#include "application.hpp"
#include "counted_calls.hpp"
#include "process/own_process.hpp"
#include "support/choice.hpp"

#include <chrono>
#include <cstdio>
#include <iterator>
#include <limits>
#include <string_view>
#include <thread>

#include <unistd.h>

namespace {

using counted::fail;
using counted::where;
using failing_allocator::Scope;
using failing_allocator::state;

cl_device_id device;

/// Allocations that the driver keeps for later, such as recycled commands and grown lists, and that differ
/// from run to run.
constexpr long kept_blocks = 40;

/// The number of allocated blocks beyond `live`, after compiling threads have freed their blocks or ten seconds have passed.
long blocks_beyond(long live) {
  for (int i = 0; i < 1'000 && state.live_blocks - live > kept_blocks; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return state.live_blocks - live;
}

/// Runs the application once for each allocation it makes, which fails, alone or with all after it.
/// @returns how many
long fail_one_after_the_other(bool rest) {
  long runs = 0;
  do {
    failing_allocator::begin(Scope::this_thread, runs, rest ? std::numeric_limits<long>::max() : runs + 1);
    application(device);
    failing_allocator::end();
    ++runs;
  } while (state.failures > 0);
  return runs;
}

/// A leak leaves blocks each time; what is made once and kept, such as a thread's memory, does not.
void sweep(bool rest) {
  where = rest ? "from one allocation on all fail" : "one allocation fails";
  long more = 0;
  for (int time = 0; time < 4; ++time) {
    application(device);
    const long live = state.live_blocks;
    const long runs = fail_one_after_the_other(rest);
    if (runs < 50) fail("the calls allocate", static_cast<cl_int>(runs));
    application(device);
    more = blocks_beyond(live);
    std::printf("%s: %ld runs, %ld blocks more than before\n", where, runs, more);
    if (time > 0 && more <= kept_blocks) return;
  }
  fail("blocks are left", static_cast<cl_int>(more));
}

/// Two queues have a command that waits for a user event. In a child of fork(), the driver has no threads yet.
/// @returns whether an allocation failed while the user event ended, and both commands ended nevertheless
bool end_user_event(cl_context context, long from) {
  const counted::Event user(clCreateUserEvent(context, nullptr));
  const cl_event awaited = user;
  cl_event ended[2] = {};
  const counted::Queue queues[] = {
      counted::Queue(clCreateCommandQueueWithProperties(context, device, nullptr, nullptr)),
      counted::Queue(clCreateCommandQueueWithProperties(context, device, nullptr, nullptr))};
  for (std::size_t i = 0; i < std::size(queues); ++i)
    if (clEnqueueMarkerWithWaitList(queues[i], 1, &awaited, &ended[i]) != CL_SUCCESS ||
        clFlush(queues[i]) != CL_SUCCESS)
      fail("a marker", 1);
  failing_allocator::begin(Scope::this_thread, from, std::numeric_limits<long>::max());
  cl_int code;
  {
    const failing_allocator::Counted counted;
    code = clSetUserEventStatus(user, CL_COMPLETE);
  }
  failing_allocator::end();
  if (code != CL_SUCCESS) fail("clSetUserEventStatus", code);
  if (const cl_int waited = clWaitForEvents(2, ended)) fail("clWaitForEvents", waited);
  return state.failures > 0;
}

/// Whatever fails while a user event ends, the commands that wait for it do not wait for ever.
void fail_at_first_threads() {
  where = "the first threads are started without memory";
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  constexpr int has_failed = 3;
  long from = 0;
  for (int ending = has_failed; ending == has_failed; ++from) {
    ending = test::in_child([&] {
      alarm(20); // ends a child that waits for ever
      return end_user_event(context, from) ? has_failed : 0;
    });
    if (ending != has_failed && ending != 0) fail("the child", ending);
  }
  if (from < 2) fail("no allocation failed", 0);
  clReleaseContext(context);
}

} // namespace

int main(int count, char** arguments) {
  const std::string_view mode = count == 2 ? arguments[1] : "";
  device = test::chosen_device();
  if (mode == "first_threads")
    fail_at_first_threads();
  else
    sweep(mode == "rest");
  return 0;
}
