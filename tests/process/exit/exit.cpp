// A process with an OpenCL driver ends: it must neither hang nor crash, whatever threads are doing.
// usage: test_exit WAY                    ends this process
//        test_exit WAY|GROUP|all COUNT    does so with COUNT processes for each way, and says how they ended

#include "process/exit/exit_ways.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace test {

int leave() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  if (current_run.report >= 0 && write(current_run.report, &now, sizeof now) != sizeof now) return 1;
  return 0;
}

void sleep_up_to(unsigned microseconds) {
  usleep(static_cast<useconds_t>(current_run.number * 7919ull * 397 % microseconds));
}

} // namespace test

namespace {

struct Group {
  std::string_view name;
  std::span<const test::Way> ways;
};

std::vector<const test::Way*> ways_called(std::string_view name) {
  const Group groups[] = {
      {"commands", test::command_ways()}, {"compiler", test::compiler_ways()},
      {"cold", test::cold_ways()},        {"callbacks", test::callback_ways()},
      {"forks", test::fork_ways()},       {"semaphores", test::semaphore_ways()},
  };
  std::vector<const test::Way*> chosen;
  for (const Group& group : groups)
    for (const test::Way& way : group.ways)
      if (name == "all" || name == group.name || name == way.name) chosen.push_back(&way);
  return chosen;
}

int to_number(const char* text) {
  return static_cast<int>(std::strtol(text, nullptr, 10));
}

} // namespace

// A process of repeat() has the number of the run and where to report to as its second and third argument.
int main(int count, char** arguments) {
  const auto ways = ways_called(count > 1 ? arguments[1] : "");
  if (ways.empty()) {
    std::fprintf(stderr, "usage: test_exit WAY, or test_exit WAY|GROUP|all COUNT\n");
    return 1;
  }
  const unsigned number = count > 2 ? static_cast<unsigned>(to_number(arguments[2])) : 0;
  if (count != 3) {
    if (count == 4) test::current_run = {to_number(arguments[3]), number};
    return ways.front()->run();
  }
  bool good = true;
  for (const test::Way* way : ways)
    good &= test::repeat(*way, number);
  return good ? 0 : 1;
}
