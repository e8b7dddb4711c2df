// What is made and released a thousand times leaves memory and threads where they were.

#include "support/session.hpp"

#include <chrono>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <functional>
#include <malloc.h>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

// Sanitizers keep what is freed, and find leaks themselves; tests/memory/quarantine.cpp holds it for a while.
bool memory_tells() {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return false;
#else
  return !std::getenv("QUARANTINE_REPORT");
#endif
}

/// Bytes of the process that no file backs, swapped out or not. The kernel takes pages of libraries away and brings
/// them back as it likes, so they do not count.
size_t anonymous_bytes() {
  malloc_trim(0);
  size_t kilobytes = 0;
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("Anonymous:") || line.starts_with("Swap:"))
      kilobytes += std::stoul(line.substr(line.find(':') + 1));
  REQUIRE(kilobytes > 0);
  return kilobytes << 10;
}

/// The mappings of the process.
struct Mappings {
  int number = 0;
  size_t executable_bytes = 0; ///< of generated code: executable mappings without a file
};

Mappings mappings() {
  Mappings found;
  std::ifstream file("/proc/self/maps");
  for (std::string line; std::getline(file, line); ++found.number) {
    std::istringstream words(line);
    size_t first = 0, end = 0;
    char dash = 0;
    std::string protection, offset, device, inode, path;
    words >> std::hex >> first >> dash >> end >> protection >> offset >> device >> inode >> path;
    if (path.empty() && protection.find('x') != std::string::npos) found.executable_bytes += end - first;
  }
  return found;
}

int entries(const char* folder) {
  int count = 0;
  DIR* list = opendir(folder);
  while (list && readdir(list))
    ++count;
  if (list) closedir(list);
  return count;
}

/// Threads of the process. Those that compile ahead end by themselves, soon after the last launch.
int settled_threads(int expected) {
  int threads = entries("/proc/self/task");
  for (int i = 0; threads > expected && i < 1'000; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    threads = entries("/proc/self/task");
  }
  return threads;
}

/// Runs the function often, after a tenth of the iterations as a warm-up, and compares.
void check_steady(int iterations, size_t allowed_bytes, const std::function<void(int)>& function) {
  for (int i = 0; i < iterations / 10; ++i)
    function(i);
  const size_t before = anonymous_bytes();
  const int threads = entries("/proc/self/task"), files = entries("/proc/self/fd");
  for (int i = iterations / 10; i < iterations; ++i)
    function(i);
  const size_t after = anonymous_bytes();
  CAPTURE(before >> 10, after >> 10);
  if (memory_tells()) CHECK(after < before + allowed_bytes);
  // A few threads of the driver, which the warm-up did not need, may have started since then.
  const int most_threads = threads + 8;
  CHECK(settled_threads(most_threads) <= most_threads);
  CHECK(entries("/proc/self/fd") <= files);
}

void check_programs(int iterations) {
  const test::Session session;
  auto buffer = session.buffer(64);
  check_steady(iterations, 16 << 20, [&](int i) {
    const std::string source = "kernel void k(global int* o) { o[get_global_id(0)] = get_global_id(0) * " +
                               std::to_string(i) + "; }";
    const auto kernel = session.kernel(source.c_str(), "k");
    test::set_arguments(kernel, buffer);
    session.run(kernel, 16);
  });
}

} // namespace

TEST_CASE("Steady state: 300 programs built, run and released", "[steady_state]") {
  check_programs(300);
}

TEST_CASE("Steady state: 3,000 programs built, run and released", "[.long_run]") {
  check_programs(3000);
}

TEST_CASE("Steady state: code of programs takes few mappings, and is freed with the programs",
          "[steady_state]") {
  constexpr int count = 200;
  const Mappings before = mappings();
  {
    const test::Session session;
    auto buffer = session.buffer(64);
    std::vector<test::Kernel> kernels;
    for (int i = 0; i < count; ++i) {
      const std::string source =
          "kernel void k(global int* o) { o[get_global_id(0)] = " + std::to_string(1000 + i) + "; }";
      kernels.push_back(session.kernel(source.c_str(), "k"));
      test::set_arguments(kernels.back(), buffer);
      session.run(kernels.back(), 16);
    }
    const Mappings used = mappings();
    CHECK(used.number < before.number + count);
    if (!std::getenv("HOSTCL_GUEST")) CHECK(used.executable_bytes > before.executable_bytes);
  }
  // Compilations in the background keep their kernels until they end.
  for (int i = 0; mappings().executable_bytes > before.executable_bytes && i < 1'000; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(mappings().executable_bytes <= before.executable_bytes);
}

TEST_CASE("Steady state: 100,000 launches", "[steady_state]") {
  const test::Session session;
  auto buffer = session.buffer(std::vector<cl_int>(1, 0));
  const auto kernel = session.kernel("kernel void k(global int* o) { *o += 1; }", "k");
  test::set_arguments(kernel, buffer);
  const size_t one = 1;
  check_steady(1000, 4 << 20, [&](int) {
    for (int i = 0; i < 100; ++i) {
      cl_event event = nullptr;
      if (clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr,
                                 i % 2 ? &event : nullptr) != CL_SUCCESS)
        FAIL("enqueue");
      if (event) clReleaseEvent(event);
    }
    clFinish(session.queue);
  });
  CHECK(session.read<cl_int>(buffer, 1)[0] == 100'000);
}

TEST_CASE("Steady state: 1,000 contexts with queue, buffer and work", "[steady_state]") {
  test::device();
  check_steady(1000, 4 << 20, [&](int i) {
    const test::Session session;
    auto buffer = session.buffer(1 << 16);
    const cl_int pattern = i;
    REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 1 << 16, 0, nullptr, nullptr));
    REQUIRE_CL(clFinish(session.queue));
  });
}

TEST_CASE("Steady state: failing calls and builds leak nothing", "[steady_state]") {
  const test::Session session;
  check_steady(1000, 8 << 20, [&](int) {
    cl_int error = 0;
    clCreateBuffer(session.context, 0, 0, nullptr, &error);
    const cl_event none = nullptr;
    clEnqueueMarkerWithWaitList(session.queue, 1, &none, nullptr);
    session.try_build("kernel void k() { nonsense; }");
  });
}
