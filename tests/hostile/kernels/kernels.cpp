// run_kernels() of modes.hpp.

#include "hostile/kernels/canaries.hpp"
#include "hostile/kernels/guest_context.hpp"
#include "hostile/kernels/modes.hpp"
#include "support/choice.hpp"

#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace test {

namespace {

/// Launches of one context, unless the context is terminated before.
constexpr unsigned launches_per_context = 12;

/// One run of the program: the state that the threads share, and what they do.
class Run {
public:
  Run(const Request& request, Progress& progress) : request_(request), progress_(progress) {}

  void hostile_thread(unsigned thread);
  void honest_thread();
  int result();

private:
  void try_kernel(GuestContext& context, const HostileKernel& kernel, Random& random);
  void check_outcome(GuestContext& context, const HostileKernel& kernel, const Launched& launched);
  void check_context(GuestContext& context, const HostileKernel& kernel, const Launched& launched);
  void fault(const HostileKernel& kernel, const std::string& what);

  const Request& request_;
  Progress& progress_;
  const cl_device_id device_ = chosen_device();
  const Canaries canaries_;
  std::atomic<unsigned> hostile_threads_ = Progress::threads;
  std::atomic<std::uint64_t> honest_runs_ = 0;
  std::atomic<unsigned> faults_ = 0;
  std::mutex mutex_; ///< guards the member below, and standard error
  std::map<cl_int, unsigned> endings_;
};

void Run::fault(const HostileKernel& kernel, const std::string& what) {
  const std::scoped_lock guard(mutex_);
  std::fprintf(stderr, "failed: kernel %llu (%s): %s\n%s", static_cast<unsigned long long>(kernel.number),
               kernel.family.c_str(), what.c_str(), kernel.source.c_str());
  ++faults_;
}

/// Checks the status of the launch, the status of the command that waits for the launch, and the callback's sentences.
void Run::check_outcome(GuestContext& context, const HostileKernel& kernel, const Launched& launched) {
  const cl_int status = launched.status;
  const bool is_promised = status == CL_COMPLETE || status == CL_OUT_OF_RESOURCES ||
                           status == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                           (status == CL_CONTEXT_TERMINATED_KHR && context.is_terminated());
  if (!is_promised) fault(kernel, "its launch ended with " + std::to_string(status));
  if (kernel.hostility.ending != Ending::any && status == CL_COMPLETE) fault(kernel, "its launch succeeded");
  if ((launched.waiter < 0) != (status < 0))
    fault(kernel, "it ended with " + std::to_string(status) + ", and a command that waited for it with " +
                      std::to_string(launched.waiter));
  const bool was_told = context.was_told({"kernel '"});
  if (status == CL_OUT_OF_RESOURCES && !was_told) fault(kernel, "the context's callback was not told of it");
}

/// Checks the application's memory, later launches of the context, and objects that the kernel did not get.
void Run::check_context(GuestContext& context, const HostileKernel& kernel, const Launched& launched) {
  if (const std::string what = canaries_.changed(); !what.empty()) {
    fault(kernel, "it has changed memory of the application: " + what);
    require(false, "the application cannot go on with damaged memory");
  }
  if (context.is_terminated()) return;
  std::string wrong = context.honest_fault();
  // A launch that has succeeded may have damaged the guest process, which then ends in a later launch. The launch after
  // that one has to succeed.
  if (!wrong.empty() && kernel.hostility.danger == Danger::memory && launched.status == CL_COMPLETE)
    wrong = context.honest_fault();
  if (!wrong.empty()) fault(kernel, "after it, in its context: " + wrong);
  if (kernel.hostility.danger == Danger::memory) return;
  if (const std::string what = context.changed_object(); !what.empty())
    fault(kernel, "it has changed " + what);
}

void Run::try_kernel(GuestContext& context, const HostileKernel& kernel, Random& random) {
  const std::uint64_t a = canaries_.address(random), b = random.bits();
  // A launch that waits for an event uses no time, so only the end of its context ends it.
  const bool may_stop =
      kernel.hostility.ending == Ending::stopped && (kernel.family == "child_waits" || !random.one_in(8));
  const auto before = std::chrono::steady_clock::now();
  const Launched launched = context.launch(kernel, a, b, [&] {
    if (!may_stop) return;
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(30'000)));
    context.terminate();
  });
  if (!launched.is_built) return fault(kernel, "it was not built: " + launched.log);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  {
    const std::scoped_lock guard(mutex_);
    ++endings_[launched.status];
    if (request_.is_verbose)
      std::fprintf(stderr, "%llu %s: %d after %.3f s\n", static_cast<unsigned long long>(kernel.number),
                   kernel.family.c_str(), launched.status, seconds);
  }
  check_outcome(context, kernel, launched);
  check_context(context, kernel, launched);
}

void Run::hostile_thread(unsigned thread) {
  std::unique_ptr<GuestContext> context;
  unsigned launches = 0;
  for (std::uint64_t i = thread; i < request_.count; i += Progress::threads) {
    if (!context || context->is_terminated() || launches++ % launches_per_context == 0) {
      context.reset();
      context = std::make_unique<GuestContext>(device_);
    }
    const std::uint64_t number = request_.first + i;
    progress_.running[thread] = number;
    Random random(request_.seed ^ number << 20);
    try_kernel(*context, make_kernel(request_.seed, number, request_.wanted), random);
    require(faults_ < 10, "too many faults");
  }
  --hostile_threads_;
}

/// Launches honest kernels until all hostile kernels have run.
void Run::honest_thread() {
  GuestContext context(device_);
  do {
    std::string wrong = context.honest_fault();
    if (wrong.empty()) wrong = context.changed_object();
    require(wrong.empty(), "an honest context: " + wrong);
    ++honest_runs_;
  } while (hostile_threads_ != 0);
}

int Run::result() {
  std::fprintf(stderr, "%llu hostile kernels, seed %llu;", static_cast<unsigned long long>(request_.count),
               static_cast<unsigned long long>(request_.seed));
  for (const auto& [status, count] : endings_)
    std::fprintf(stderr, " %u ended with %d,", count, status);
  std::fprintf(stderr, " beside %llu runs of honest kernels; %u faults\n",
               static_cast<unsigned long long>(honest_runs_.load()), faults_.load());
  return faults_ != 0 || endings_.empty();
}

} // namespace

int run_kernels(const Request& request, Progress& progress) {
  Run run(request, progress);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < Progress::threads; ++i) {
    threads.emplace_back([&run, i] { run.hostile_thread(i); });
    threads.emplace_back([&run] { run.honest_thread(); });
  }
  for (std::thread& thread : threads)
    thread.join();
  return run.result();
}

} // namespace test
