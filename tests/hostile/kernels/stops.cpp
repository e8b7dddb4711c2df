// run_stops() of modes.hpp.

#include "hostile/kernels/guest_context.hpp"
#include "hostile/kernels/modes.hpp"
#include "hostile/kernels/process_state.hpp"
#include "support/choice.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace test {

namespace {

using Clock = std::chrono::steady_clock;

/// How a launch is stopped.
enum class Stop { terminate, cancel, kill_from_outside };
constexpr const char* names[] = {"clTerminateContextKHR", "clCancelCommandsIMG", "SIGKILL from outside"};

/// The extension that has the function of each Stop; null if the Stop needs no function.
constexpr const char* extensions[] = {"cl_khr_terminate_context", "cl_img_cancel_command", nullptr};

/// cl_img_cancel_command, which older headers do not have.
using CancelCommands = cl_int(CL_API_CALL*)(const cl_event*, size_t);

void cancel(const std::vector<cl_event>& events) {
  static const auto function = reinterpret_cast<CancelCommands>(
      clGetExtensionFunctionAddressForPlatform(find_platform(), "clCancelCommandsIMG"));
  require(function, "clCancelCommandsIMG");
  function(events.data(), events.size()); // an error if they have ended
}

/// Kernels that end only if they are stopped, and one kernel that takes some milliseconds.
std::vector<HostileKernel> kernels() {
  std::vector<HostileKernel> all;
  const auto add = [&](const char* body, Ending ending, std::size_t local) {
    const std::string name = "stop_" + std::to_string(all.size());
    all.push_back({all.size(),
                   "stop",
                   name,
                   "kernel void " + name + "(global uint* o, ulong a, ulong b, ulong c, local uint* l) { " +
                       body + " }",
                   {.body = body, .ending = ending, .global = 4096, .local = local}});
  };
  add("while (1);", Ending::stopped, 0);
  add("for (;;) o[get_global_id(0)]++;", Ending::stopped, 0);
  add("for (;;) { barrier(CLK_LOCAL_MEM_FENCE); l[get_local_id(0)] += 1; barrier(CLK_LOCAL_MEM_FENCE); }",
      Ending::stopped, 64);
  add("for (volatile uint i = 0; i < 2000; ++i) o[get_global_id(0)] += i;", Ending::any, 0);
  return all;
}

class Stops {
public:
  Stops(const Request& request, Progress& progress)
      : is_verbose_(request.is_verbose), progress_(progress), random_(request.seed) {}

  /// Stops `count` launches. @returns for each launch, the milliseconds from the stop to the end of its commands
  std::vector<double> run(Stop stop, std::uint64_t count);

private:
  double stop_one(GuestContext& context, Stop stop);

  bool is_verbose_;
  Progress& progress_;
  Random random_;
  const std::vector<HostileKernel> kernels_ = kernels();
  cl_device_id device_ = chosen_device();
};

/// The delay before a stop: the launch has not begun, runs, or is about to end.
std::chrono::microseconds moment(Random& random) {
  return std::chrono::microseconds(random.one_in(4) ? 0 : random.below(random.one_in(2) ? 500 : 20'000));
}

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Kills guest processes until the launch has ended: a launch that has not begun when a guest process is killed runs in
/// the next guest process.
/// @returns milliseconds from the last kill to the end of the launch
double kill_until_ended(cl_event event) {
  const auto has_ended = [&] {
    cl_int state = CL_QUEUED;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr);
    return state <= CL_COMPLETE;
  };
  const auto end = Clock::now() + std::chrono::seconds(30);
  std::vector<pid_t> killed;
  auto last = Clock::now();
  while (!has_ended() && Clock::now() < end) {
    killed = guests();
    last = Clock::now();
    for (const pid_t process : killed)
      kill(process, SIGKILL);
    for (unsigned i = 0; i < 20 && !has_ended(); ++i)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  const double ms = milliseconds_since(last);
  // Waits for the end of the killed processes: a process that dies only after its launch has ended could end the next
  // launch as well.
  while (Clock::now() < end && std::ranges::any_of(guests(), [&](pid_t process) {
           return std::ranges::find(killed, process) != killed.end();
         }))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return ms;
}

double Stops::stop_one(GuestContext& context, Stop stop) {
  const HostileKernel& kernel = kernels_[random_.below(kernels_.size())];
  std::string log;
  cl_kernel made = context.build(kernel, log);
  require(made, "a kernel to be stopped: " + log);
  const std::vector<cl_event> events = context.enqueue(made, kernel.hostility, 0, 0);
  require(events.size() == 2, "the commands of a kernel to be stopped");
  std::this_thread::sleep_for(moment(random_));
  const auto begin = Clock::now();
  double ms = 0;
  if (stop == Stop::terminate) context.terminate();
  if (stop == Stop::cancel) cancel(events);
  if (stop == Stop::kill_from_outside) ms = kill_until_ended(events[0]);
  const std::vector<cl_int> states = GuestContext::ended(events, kernel.source);
  if (stop != Stop::kill_from_outside) ms = milliseconds_since(begin);
  for (const cl_int state : states)
    require(kernel.hostility.ending == Ending::any || state < 0,
            "a stopped command succeeded: " + kernel.source);
  clReleaseKernel(made);
  if (is_verbose_)
    std::fprintf(stderr, "%s: %.2f ms, states %d and %d: %s\n", names[static_cast<std::size_t>(stop)], ms,
                 states[0], states[1], kernel.hostility.body.c_str());
  return ms;
}

std::vector<double> Stops::run(Stop stop, std::uint64_t count) {
  std::vector<double> times;
  std::unique_ptr<GuestContext> context;
  for (std::uint64_t i = 0; i < count; ++i) {
    progress_.running[0] = i;
    // Some contexts have had launches before; others have no guest process yet.
    if (!context || context->is_terminated() || random_.one_in(4)) {
      context.reset();
      context = std::make_unique<GuestContext>(device_);
    }
    std::string wrong = random_.one_in(2) ? context->honest_fault() : "";
    require(wrong.empty(), "before a stop: " + wrong);
    times.push_back(stop_one(*context, stop));
    if (context->is_terminated()) context = std::make_unique<GuestContext>(device_);
    wrong = context->honest_fault();
    // The driver may find only in the next launch that a process was killed from outside; that launch fails then.
    if (!wrong.empty() && stop == Stop::kill_from_outside) wrong = context->honest_fault();
    require(wrong.empty(), "after a stop: " + wrong);
  }
  return times;
}

/// The state of this process once its guests have disappeared, for which the function waits up to ten seconds.
ProcessState state_without_guests() {
  const auto end = Clock::now() + std::chrono::seconds(10);
  while (!guests().empty() && Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return ProcessState::now();
}

void require_no_leak(const ProcessState& before, const ProcessState& after, std::uint64_t stops) {
  std::fprintf(stderr,
               "before and after: %zu and %zu guests, %zu and %zu descriptors, %zu and %zu mappings, "
               "%zu and %zu MB\n",
               before.guests, after.guests, before.descriptors, after.descriptors, before.mappings,
               after.mappings, before.resident_bytes >> 20, after.resident_bytes >> 20);
  require(after.guests == 0, "guests are left");
  // The driver frees the machine code of the last contexts, and with it their memory, when it loads other code.
  constexpr std::size_t last_contexts = 16;
  require(after.descriptors < before.descriptors + last_contexts, "descriptors are left");
  require(after.mappings < before.mappings + last_contexts + stops / 2, "mappings are left");
  constexpr std::size_t per_stop = 64 << 10,
                        slack = 64 << 20; // for fragmentation of the heap, and caches of the compiler
  require(after.resident_bytes < before.resident_bytes + slack + stops * per_stop, "memory is left");
}

void report(Stop stop, std::vector<double> times) {
  std::ranges::sort(times);
  const auto quantile = [&](double part) {
    return times[static_cast<std::size_t>(part * double(times.size() - 1))];
  };
  std::fprintf(stderr, "%zu stops by %s: median %.2f ms, 99th percentile %.2f ms, maximum %.2f ms\n",
               times.size(), names[static_cast<std::size_t>(stop)], quantile(0.5), quantile(0.99),
               times.back());
}

} // namespace

int run_stops(const Request& request, Progress& progress) {
  Stops stops(request, progress);
  for (const Stop stop : {Stop::terminate, Stop::cancel, Stop::kill_from_outside}) {
    const char* extension = extensions[static_cast<std::size_t>(stop)];
    if (extension && !has_extension(extension)) continue;
    constexpr std::uint64_t first = 8; // these stops create everything that a process creates once
    stops.run(stop, first);
    const ProcessState before = state_without_guests();
    report(stop, stops.run(stop, request.count));
    require_no_leak(before, state_without_guests(), request.count);
  }
  return 0;
}

} // namespace test
