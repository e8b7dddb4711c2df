// run_fuzz() of modes.hpp.

#include "hostile/kernels/canaries.hpp"
#include "hostile/kernels/guest_context.hpp"
#include "hostile/kernels/modes.hpp"
#include "support/choice.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

namespace test {

namespace {

/// Launches between two checks of the canaries and of honest kernels.
constexpr std::size_t batch = 64;

constexpr const char* enqueues = "if (id == 0) o[1] = enqueue_kernel(get_default_queue(), (int)(b & 3), "
                                 "ndrange_1D(b >> 60), (uint)(c & 3), "
                                 "(const clk_event_t*)at, (clk_event_t*)(c & 4 ? at : 0), ^{ o[2] = b; });";

/// Bodies of kernels whose pointers, offsets and sizes are arguments. `at` is an address in the memory of the context,
/// or any number.
constexpr const char* bodies[] = {
    "o[1] += *(volatile global uint*)at;",
    "*(volatile global ulong*)at = b;",
    "for (ulong i = 0; i < c % 512; ++i) ((volatile global ulong*)at)[i] = b;",
    "atomic_xchg((volatile global int*)at, (int)b);",
    "vstore8((uint8)((uint)b), id, (global uint*)at);",
    "l[b % 4096] = b; barrier(CLK_LOCAL_MEM_FENCE); o[id] = l[(b >> 20) % 4096];",
    "volatile ulong t[4] = {b, c, b, c}; t[(int)(c % 300) - 100] = b; o[id] = t[id & 3];",
    "if (id == 0) printf(\"%.64s %d\\n\", (constant char*)at, (int)b);",
    "event_t e = async_work_group_copy(l, (const global uint*)at, c % 512, 0); wait_group_events(1, &e);",
    enqueues,
    "clk_event_t e; *(private ulong*)&e = at; o[1] = is_valid_event(e); retain_event(e); release_event(e);"};

constexpr const char* beginning =
    "(global uint* o, ulong a, ulong b, ulong c, local uint* l) { const size_t id = get_global_id(0); "
    "const ulong at = c >> 62 == 0 ? a : ((ulong)o & ~((1ul << 30) - 1)) + a % (1ul << 30); ";

HostileKernel kernel_of(std::size_t number) {
  const std::string name = "fuzz_" + std::to_string(number);
  return {number,
          "fuzz",
          name,
          "kernel void " + name + beginning + bodies[number] + " }",
          {.body = {}, .danger = Danger::memory, .global = 16}};
}

class Fuzz {
public:
  Fuzz(const Request& request, Progress& progress) : request_(request), progress_(progress) {}

  void run(unsigned thread);
  std::uint64_t failed() const { return failed_; }

private:
  void run_batch(GuestContext& context, const std::vector<cl_kernel>& kernels, Random& random,
                 std::size_t count);

  const Request& request_;
  Progress& progress_;
  const cl_device_id device_ = chosen_device();
  const Canaries canaries_;
  std::atomic<std::uint64_t> failed_ = 0;
};

void Fuzz::run_batch(GuestContext& context, const std::vector<cl_kernel>& kernels, Random& random,
                     std::size_t count) {
  std::vector<cl_event> events;
  for (std::size_t i = 0; i < count; ++i) {
    Hostility hostility{.body = {}, .global = 16, .c = random.bits()};
    const std::uint64_t a = random.one_in(3) ? canaries_.address(random) : random.bits() >> random.below(64);
    for (cl_event event : context.enqueue(kernels[random.below(kernels.size())], hostility, a, random.bits()))
      events.push_back(event);
  }
  require(events.size() == 2 * count, "the commands of fuzzed launches");
  for (const cl_int state : GuestContext::ended(events, "fuzzed launches")) {
    require(state == CL_COMPLETE || state == CL_OUT_OF_RESOURCES ||
                state == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            "a fuzzed launch ended with " + std::to_string(state));
    failed_ += state == CL_OUT_OF_RESOURCES;
  }
  context.was_told({});
  require(canaries_.changed().empty(), "memory of the application has changed: " + canaries_.changed());
}

void Fuzz::run(unsigned thread) {
  GuestContext context(device_);
  std::vector<cl_kernel> kernels;
  std::string log;
  for (std::size_t i = 0; i < std::size(bodies); ++i) {
    kernels.push_back(context.build(kernel_of(i), log));
    require(kernels.back(), "a kernel of the fuzzer: " + log);
  }
  const std::uint64_t share = request_.count / Progress::threads;
  for (std::uint64_t done = 0; done < share; done += batch) {
    const std::uint64_t number = request_.first + thread * share + done;
    progress_.running[thread] = number;
    Random random(request_.seed ^ number << 20);
    run_batch(context, kernels, random, std::min<std::uint64_t>(batch, share - done));
    std::string wrong = context.honest_fault();
    // A launch that has succeeded may have damaged the guest process, which then ends in a later launch.
    if (!wrong.empty()) wrong = context.honest_fault();
    require(wrong.empty(), "after fuzzed launches from " + std::to_string(number) + ": " + wrong);
  }
  for (cl_kernel kernel : kernels)
    clReleaseKernel(kernel);
}

} // namespace

int run_fuzz(const Request& request, Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  Fuzz fuzz(request, progress);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < Progress::threads; ++i)
    threads.emplace_back([&fuzz, i] { fuzz.run(i); });
  for (std::thread& thread : threads)
    thread.join();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::fprintf(stderr, "%llu launches with random arguments, seed %llu: %.0f each second; %llu failed\n",
               static_cast<unsigned long long>(request.count), static_cast<unsigned long long>(request.seed),
               double(request.count) / seconds, static_cast<unsigned long long>(fuzz.failed()));
  return 0;
}

} // namespace test
