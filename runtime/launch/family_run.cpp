#include "runtime/launch/family_run.hpp"

#include "runtime/checks/commands.hpp"
#include "runtime/launch/launch_run.hpp"
#include "runtime/program/nd_range.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/log.hpp"

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace hostcl::runtime {

namespace {

/// A child is short if it is expected to take fewer nanoseconds than this.
constexpr double short_ns = 20'000;
/// Short children are run by several threads if they take more nanoseconds than this together.
constexpr double together_ns = 60'000;

/// Nanoseconds that the child is expected to take; 0 if its kernel has never run.
double expected_ns(const Child& child) {
  if (child.is_marker()) return 1;
  return child.kernel().group_ns(items_per_group(child.range())) *
         static_cast<double>(group_total(child.range()));
}

/// Whether one thread should run the child, while other threads run other children: because the child is
/// short or has a single group. Not if its kernel has never run, since it may have to be compiled.
bool suits_one_thread(const Child& child) {
  const double ns = expected_ns(child);
  const std::uint64_t groups = group_total(child.range());
  return child.has_failed_dependency() || groups == 0 || (ns > 0 && (ns < short_ns || groups == 1));
}

/// The parent that run_launch() takes for children of the child.
Parent* parent_of(Child& child) {
  return child.signature().enqueues ? &child : nullptr;
}

/// Runs the descendants of a launch on the thread of the launch's command, after the kernel's own work-items.
/// A child never runs inside of the call that enqueues it. run_descendants() returns when the whole tree is
/// complete, so the command holds program, arguments and memory objects as long as any descendant runs.
///
/// The thread takes one ready child after the other and spreads it over all threads, as any launch. If
/// several ready children are short or have one group only, all threads take children instead
/// (work_together()). If all children that are left wait for events, which kernels of other commands may set,
/// the thread sleeps.
class FamilyRun {
public:
  FamilyRun(Family& family, Workers& workers) : family_(family), workers_(workers) {}

  /// Runs all descendants. Called when the work-items of the kernel that the host launched have ended.
  /// @returns CL_COMPLETE, or the first error of one of them
  cl_int run_descendants();

private:
  /// The machine code of the last child, which the next child often uses as well.
  struct LastCode {
    LoadedKernel* kernel = nullptr;
    abi::NDRange range{};
    compiler::KernelChoice choice;
  };

  void run(Child& child, LastCode& last, bool on_this_thread);
  compiler::KernelChoice code_for(Child& child, LastCode& last);
  void run_alone(Child& child, compiler::KernelChoice choice);
  bool pays_together(const Child& child);
  void work_together(Child& first);
  void help();

  Family& family_;
  Workers& workers_;
};

cl_int FamilyRun::run_descendants() {
  family_.end_root();
  LastCode last;
  while (Child* child = family_.next())
    if (pays_together(*child))
      work_together(*child);
    else
      run(*child, last, /*on_this_thread=*/false);
  status_of(family_.trap(), family_.context()); // here, because the application's callback may do anything
  return family_.root().status();
}

/// Whether this child and the ready children after it are worth several threads.
bool FamilyRun::pays_together(const Child& child) {
  if (workers_.threads() == 1 || child.is_marker() || !suits_one_thread(child)) return false;
  const std::size_t others = family_.ready_count();
  return others > 0 && expected_ns(child) * static_cast<double>(others + 1) > together_ns;
}

void FamilyRun::work_together(Child& first) {
  LastCode last;
  run(first, last, /*on_this_thread=*/true);
  auto body = [this, accesses = checks::current_accesses()](std::uint64_t, std::uint64_t) {
    const checks::TakesPart takes_part(accesses);
    help();
  };
  workers_.for_ranges(0, workers_.threads(), 1, body);
}

/// Runs children that suit one thread until none is ready.
void FamilyRun::help() {
  LastCode last;
  const auto take = [&] { return family_.take_some(std::size_t{4} * workers_.threads(), suits_one_thread); };
  for (ChildList children = take(); children.first; children = take())
    while (Child* child = children.take())
      run(*child, last, /*on_this_thread=*/true);
}

void FamilyRun::run(Child& child, LastCode& last, bool on_this_thread) try {
  if (family_.context().is_terminated()) {
    child.note_failure(CL_CONTEXT_TERMINATED_KHR);
  } else if (child.has_failed_dependency()) {
    child.note_failure(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  } else if (!child.is_marker() && group_total(child.range()) > 0) {
    const compiler::KernelChoice choice = code_for(child, last);
    if (child.has_event()) child.times().started = now_ns();
    if (!choice.code)
      child.note_failure(CL_OUT_OF_RESOURCES);
    else if (on_this_thread || suits_one_thread(child))
      run_alone(child, choice);
    else
      family_.note_trap(child, run_launch(child, choice, family_.context().host_callbacks(), family_.device(),
                                          workers_, parent_of(child)));
  } else if (child.has_event()) {
    child.times().started = now_ns();
  }
  family_.end(child);
} catch (const std::exception& error) {
  log(LogLevel::error, "a block that kernel '", family_.launch().signature().name,
      "' enqueued failed: ", error.what());
  child.note_failure(CL_OUT_OF_HOST_MEMORY);
  family_.end(child);
}

/// Machine code for the child, compiled if necessary; null code if that fails.
compiler::KernelChoice FamilyRun::code_for(Child& child, LastCode& last) {
  LoadedKernel& kernel = child.kernel();
  if (last.kernel == &kernel && last.choice.is_tier1 &&
      std::memcmp(&last.range, &child.range(), sizeof(last.range)) == 0)
    return last.choice;
  std::string log_text;
  const compiler::KernelChoice choice = kernel.code(child.range(), &log_text);
  if (!choice.code)
    log(LogLevel::error, "a block that kernel '", family_.launch().signature().name,
        "' enqueued could not be compiled: ", log_text);
  last = {&kernel, child.range(), choice};
  return choice;
}

void FamilyRun::run_alone(Child& child, compiler::KernelChoice choice) {
  const std::uint64_t begin = now_ns();
  if (TrapReason trap = run_launch_serially(child, choice, family_.context().host_callbacks(),
                                            family_.device(), parent_of(child)))
    return family_.note_trap(child, std::move(trap));
  const auto ns = static_cast<double>(now_ns() - begin);
  child.kernel().note_group_ns(ns / static_cast<double>(group_total(child.range())),
                               items_per_group(child.range()));
}

} // namespace

cl_int run_family(const LaunchRecord& launch, compiler::KernelChoice choice, const Context& context,
                  const Device& device, Workers& workers, const Ref<DeviceQueue>& default_queue,
                  std::uint64_t& kernel_end) {
  struct Release {
    void operator()(Family* family) const { family->release(); }
  };
  const std::unique_ptr<Family, Release> family(new Family(launch, context, device, default_queue));
  try {
    family->note_trap(family->root(),
                      run_launch(launch, choice, context.host_callbacks(), device, workers, &family->root()));
  } catch (const std::bad_alloc&) {
    family->root().note_failure(CL_OUT_OF_HOST_MEMORY); // children that have been enqueued run nonetheless
  }
  kernel_end = now_ns();
  return FamilyRun(*family, workers).run_descendants();
}

} // namespace hostcl::runtime
