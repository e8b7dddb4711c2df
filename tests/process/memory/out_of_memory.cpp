// An application's calls while allocations of the calling thread fail, one by one: every call succeeds or says
// CL_OUT_OF_HOST_MEMORY or CL_OUT_OF_RESOURCES, what was computed is right, nothing leaks, and the process
// goes on. usage: test_out_of_memory one | rest
//   one   each allocation fails alone
//   rest  from each allocation on, all fail

#include "application.hpp"
#include "counted_calls.hpp"
#include "support/choice.hpp"

#include <chrono>
#include <cstdio>
#include <limits>
#include <string_view>
#include <thread>

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

} // namespace

int main(int count, char** arguments) {
  const std::string_view mode = count == 2 ? arguments[1] : "";
  device = test::chosen_device();
  sweep(mode == "rest");
  return 0;
}
