#include "runtime/launch/group_ranges.hpp"

#include "compiler/abi/align.hpp"
#include "runtime/checks/commands.hpp"
#include "runtime/checks/convergence.hpp"
#include "runtime/checks/races.hpp"
#include "runtime/context/context.hpp"
#include "runtime/launch/crash_report.hpp"
#include "runtime/launch/enqueuer.hpp"
#include "runtime/launch/family.hpp"
#include "runtime/launch/group_layout.hpp"
#include "runtime/launch/scratch.hpp"
#include "runtime/profile/profile.hpp"
#include "runtime/program/nd_range.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/enabled_checks.hpp"
#include "runtime/support/float_environment.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/stack.hpp"
#include "runtime/support/timeline.hpp"
#include "runtime/threads/background.hpp"
#include "runtime/threads/machine.hpp"
#include "runtime/threads/tbb_annotations.hpp"

#include <cstring>
#include <exception>
#include <functional>
#include <new>

namespace hostcl::runtime {

namespace {

/// The launch as the kernel sees it, with groups of the size that suits the code and the threads.
abi::Launch launch_of(const RunnableLaunch& record, const abi::HostCallbacks& host_callbacks,
                      const compiler::KernelChoice& choice, unsigned threads, const Parent* parent) {
  abi::Launch launch{record.range(), &host_callbacks, parent ? parent->family().default_queue() : 0, nullptr,
                     record.objects()};
  if (choice.groups) launch.range = chosen_groups(launch.range, choice);
  if (const std::uint64_t items = items_per_group(launch.range); may_lay_out(choice, items, threads))
    launch.range = laid_out(launch.range, choice, {threads, record.kernel().group_ns(items)});
  return launch;
}

/// A call of machine code.
struct EntryCall {
  const compiler::KernelCode& code;
  const abi::Launch& launch;
  const std::byte* arguments;
  std::byte* local;   ///< local memory, which the groups use one after the other
  std::byte* context; ///< the thread context, as abi::Entry takes it

  void operator()(std::uint64_t first, std::uint64_t last) const {
    code.entry(&launch, arguments, local, context, first, last);
  }
};

/// A range of places in the order of work-groups.
struct OrderedRange {
  const GroupNumbers& numbers;
  std::uint64_t first, last; ///< places in the order
};

/// Runs the work-groups at these places: with one call if their order is ascending, otherwise with a call for each.
void call_in_order(const EntryCall& call, RunningKernel& kernel, const OrderedRange& range) {
  if (range.numbers.is_ascending()) return call(range.first, range.last);
  for (std::uint64_t place = range.first; place < range.last; ++place) {
    kernel.first_group = range.numbers[place];
    kernel.last_group = kernel.first_group + 1;
    call(kernel.first_group, kernel.last_group);
  }
}

/// Calls machine code in which work-items may trap.
void call_until_trap(const EntryCall& call, RunningKernel& kernel, LaunchTraps& traps,
                     const abi::NDRange& range, const OrderedRange& groups) {
  if (traps.has_any()) return;
  TrapExit exit{.place = {}, .traps = traps, .range = range};
  kernel.trap_exit = &exit;
  // Variables that are used after the jump have not changed since setjmp(), so they need not be volatile.
  if (setjmp(exit.place) == 0) {
    call_in_order(call, kernel, groups);
  } else {
    DefaultFloatEnvironment::set_again();
    checks::forget_convergence_check();
  }
  kernel.trap_exit = nullptr;
}

/// A separate function, because setjmp() in GroupRanges::run() would keep the values of that function out of registers.
[[gnu::noinline, gnu::cold]] void call_with_care(const EntryCall call, RunningKernel& kernel,
                                                 LaunchTraps& traps, const abi::NDRange& range,
                                                 const OrderedRange groups) {
  if (call.code.may_trap)
    call_until_trap(call, kernel, traps, range, groups);
  else
    call_in_order(call, kernel, groups);
}

/// The order in which a launch runs its work-groups: descending with HOSTCL_REVERSE, otherwise the order in the quirks
/// of its device.
GroupNumbers numbers_for(const Device& device, std::uint64_t groups) {
  const Quirks& quirks = device.quirks();
  return {options().reverse ? GroupOrder::reverse : quirks.group_order, groups, quirks.seed};
}

} // namespace

GroupRanges::GroupRanges(const RunnableLaunch& record, compiler::KernelChoice choice,
                         const abi::HostCallbacks& host_callbacks, const Device& device, unsigned threads,
                         const std::byte* arguments, std::uint64_t local_bytes, Parent* parent)
    : record_(record),
      context_(*static_cast<const Context*>(host_callbacks.context)),
      device_(device),
      parent_(parent),
      launch_(launch_of(record, host_callbacks, choice, threads, parent)),
      arguments_(arguments),
      local_bytes_(abi::aligned(local_bytes, abi::scratch_alignment)),
      total_(group_total(launch_.range)),
      numbers_(numbers_for(device, total_)),
      limit_(parent ? parent->family().limit() : limit_of_launch(context_.code_host().get())),
      code_(choice) {
  // Not in builds with ThreadSanitizer, in which fibers have not been tested.
  if (choice.code->waits && !context_.code_host() && !is_thread_sanitized) [[unlikely]]
    claims_ = std::make_unique<GroupClaims>(total_);
  if (!checks::has_checks()) [[likely]]
    return;
  static std::atomic<std::uint64_t> launches = 0;
  launch_.number = ++launches;
  launch_.accesses = checks::current_accesses();
  if (!checks::is_checked(compiler::Check::races)) return;
  races_ = checks::race_launch(launch_.range);
  launch_.races = races_.get();
}

bool GroupRanges::is_hosted() const {
  return context_.code_host() != nullptr;
}

void GroupRanges::operator()(std::uint64_t first, std::uint64_t last) {
  if (has_tier1_code()) [[likely]]
    return run(first, last);
  const std::uint64_t begin = now_ns();
  run(first, last);
  note_ns(now_ns() - begin);
}

void GroupRanges::run(std::uint64_t first, std::uint64_t last) {
  if (context_.is_terminated()) [[unlikely]]
    return;
  timeline::Span span(timeline::Category::groups, record_.signature().name);
  span.argument("first_group", first);
  span.argument("groups", last - first);
  const profile::Moment moment(profile::Activity::groups, record_.signature().name);
  run(current_code(), first, last);
}

void GroupRanges::run(const compiler::KernelCode& code, std::uint64_t first, std::uint64_t last) const {
  if (!parent_) [[likely]]
    return run(code, launch_, first, last);
  run_for_parent(code, first, last);
}

/// A separate function, because the copy of the launch would enlarge the stack frame of run().
[[gnu::noinline]] void GroupRanges::run_for_parent(const compiler::KernelCode& code, std::uint64_t first,
                                                   std::uint64_t last) const {
  Enqueuer enqueuer(record_, *parent_);
  abi::Launch launch = launch_;
  launch.enqueuer = &enqueuer;
  run(code, launch, first, last);
}

void GroupRanges::run(const compiler::KernelCode& code, const abi::Launch& launch, std::uint64_t first,
                      std::uint64_t last) const {
  if (context_.code_host()) [[unlikely]]
    return run_hosted(code, launch, first, last);
  if (code.stack_bytes > stack_for_kernels && lacks_stack(code.stack_bytes + stack_for_driver)) [[unlikely]]
    return run_on_new_stack(code, launch, first, last);
  run_here(code, launch, first, last);
}

/// Runs groups that may wait for each other.
[[gnu::noinline, gnu::cold]] void GroupRanges::run_fibers(const compiler::KernelCode& code,
                                                          const abi::Launch& launch, std::uint64_t first,
                                                          std::uint64_t last) const {
  DefaultFloatEnvironment environment;
  const auto& size = launch_.range.local_size;
  const std::uint64_t scratch_bytes = local_bytes_ + code.context_bytes({size[0], size[1], size[2]});
  if (options().crash_report) prepare_thread_for_crash_report();
  RunningKernel kernel{.signature = &record_.signature(),
                       .code = &code,
                       .launch = &launch,
                       .device = &device_,
                       .arguments = arguments_,
                       .first_group = first,
                       .last_group = last,
                       .printed = &printed_};
  const RunsKernel runs(kernel);
  const GroupNumbers ascending(GroupOrder::forward, total_); // Fibers knows the order
  const auto run_groups = [&](GroupRun groups, std::byte* scratch) {
    if (const std::optional<std::byte> fill = context_.fill())
      std::memset(scratch, std::to_integer<int>(*fill), scratch_bytes);
    kernel.first_group = groups.first;
    kernel.last_group = groups.last;
    call_until_trap({code, launch, arguments_, scratch, scratch + local_bytes_}, kernel, traps_,
                    record_.range(), {ascending, groups.first, groups.last});
  };
  Fibers fibers(kernel, *claims_, numbers_, {scratch_bytes, code.stack_bytes}, std::ref(run_groups),
                [this] { return has_stopped(); });
  kernel.fibers = &fibers;
  fibers.run(first, last);
}

/// Runs the groups in the context's guest process.
[[gnu::noinline, gnu::cold]] void GroupRanges::run_hosted(const compiler::KernelCode& code,
                                                          const abi::Launch& launch, std::uint64_t first,
                                                          std::uint64_t last) const {
  const auto& size = launch_.range.local_size;
  const compiler::KernelSignature& signature = record_.signature();
  const std::size_t objects = launch.objects ? 2 * signature.arguments.size() : 0; // see abi::CheckedObject
  const compiler::CodeCall call{code.entry,
                                launch,
                                {arguments_, signature.argument_bytes},
                                local_bytes_,
                                code.context_bytes({size[0], size[1], size[2]}),
                                {launch.objects, objects},
                                limit_,
                                context_.fill()};
  TrapExit exit{.place = {}, .traps = traps_, .range = record_.range()};
  auto run = [&](std::uint64_t from, std::uint64_t to) {
    const RunningKernel kernel{.signature = &signature,
                               .code = &code,
                               .launch = &launch,
                               .device = &device_,
                               .arguments = arguments_,
                               .first_group = from,
                               .last_group = to,
                               .printed = &printed_,
                               .trap_exit = &exit};
    const RunsKernel runs(kernel);
    const Context::HostedCall hosted(context_);
    if (traps_.has_any() || !hosted.may_begin()) return;
    context_.code_host()->run(call, from, to, [&](const compiler::CodeEnd& end) {
      traps_.note(end.signal != 0 ? crash_sentence(kernel, end)
                                  : text("kernel '", signature.name, "' was ended by ", end.reason));
    });
    if (traps_.has_any()) checks::forget_convergence_check();
  };
  if (numbers_.is_ascending()) return run(first, last);
  for (std::uint64_t place = first; place < last; ++place)
    run(numbers_[place], numbers_[place] + 1);
}

/// Runs the groups on another stack, if the stack of this thread is too small for the registers that the code spills.
[[gnu::noinline, gnu::cold]] void GroupRanges::run_on_new_stack(const compiler::KernelCode& code,
                                                                const abi::Launch& launch,
                                                                std::uint64_t first,
                                                                std::uint64_t last) const {
  std::exception_ptr failure;
  auto run = [&] {
    try {
      run_here(code, launch, first, last);
    } catch (...) {
      failure = std::current_exception();
    }
  };
  if (!call_on_new_stack(code.stack_bytes, run)) throw std::bad_alloc();
  if (failure) std::rethrow_exception(failure);
}

[[gnu::always_inline]] inline void GroupRanges::run_here(const compiler::KernelCode& code,
                                                         const abi::Launch& launch, std::uint64_t first,
                                                         std::uint64_t last) const {
  if (claims_) [[unlikely]]
    return run_fibers(code, launch, first, last);
  DefaultFloatEnvironment environment;
  const auto& size = launch_.range.local_size;
  const std::uint64_t scratch_bytes = local_bytes_ + code.context_bytes({size[0], size[1], size[2]});
  ScratchMemory scratch(scratch_bytes);
  if (const std::optional<std::byte> fill = context_.fill()) [[unlikely]]
    std::memset(scratch.data(), std::to_integer<int>(*fill), scratch_bytes);
  if (options().crash_report) [[unlikely]]
    prepare_thread_for_crash_report();
  RunningKernel kernel{.signature = &record_.signature(),
                       .code = &code,
                       .launch = &launch,
                       .device = &device_,
                       .arguments = arguments_,
                       .first_group = first,
                       .last_group = last,
                       .printed = &printed_};
  const RunsKernel runs(kernel);
  const EntryCall call{code, launch, arguments_, scratch.data(), scratch.data() + local_bytes_};
  if (code.may_trap || !numbers_.is_ascending()) [[unlikely]]
    call_with_care(call, kernel, traps_, record_.range(), {numbers_, first, last});
  else
    call(first, last);
}

/// Replaces the code by tier 1 code if that has become available and suits the sizes of the groups and the layout of
/// local memory. With the race check, the code stays the same: records name places in the code by numbers, which differ
/// between codes.
/// @returns the code to run
const compiler::KernelCode& GroupRanges::current_code() {
  if (races_) return code_.get();
  const auto choose = [&](const compiler::KernelCode& code) {
    // This thread is in a task of oneTBB, so it must not compile.
    const compiler::KernelChoice choice = record_.kernel().made_code(record_.range());
    const bool suits = choice.code->static_local_bytes == code.static_local_bytes &&
                       suits_groups(choice, chosen_groups(record_.range(), choice), launch_.range);
    return suits ? choice : compiler::KernelChoice{};
  };
  return code_.latest([&] { return record_.kernel().versions(); }, choose);
}

void GroupRanges::note_ns(std::uint64_t ns) {
  if (!has_tier1_code() && record_.kernel().note_slow_ns(ns, code_.get()))
    record_.kernel().compile_in_background(Background::Reason::tier1, record_.range());
}

} // namespace hostcl::runtime
