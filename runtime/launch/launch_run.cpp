#include "runtime/launch/launch_run.hpp"

#include "compiler/abi/align.hpp"
#include "runtime/checks/commands.hpp"
#include "runtime/context/context.hpp"
#include "runtime/launch/counter_cells.hpp"
#include "runtime/launch/group_ranges.hpp"
#include "runtime/launch/other_orders.hpp"
#include "runtime/profile/profile.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/enabled_checks.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

/// A launch that takes fewer nanoseconds than this runs on one thread, because it ends before another thread has woken
/// up.
constexpr double serial_ns = 30'000;
/// The least work, in nanoseconds, for which another thread is woken.
constexpr double share_ns = 7'500;
/// If each range has a high cost of its own, each thread gets about this many ranges.
constexpr std::uint64_t fewest_ranges = 4;
/// Nanoseconds that a range should take in a guest process, where each range costs the switch between two threads.
constexpr double hosted_share_ns = 500'000;
/// A launch that is expected to take fewer nanoseconds than this is measured only when LoadedKernel::is_measured() asks
/// for it: reading the clock twice takes as long as the shortest launches.
constexpr double unmeasured_ns = 2'000;
/// A launch of unknown cost runs on one thread until its groups have been measured for this many nanoseconds.
constexpr std::uint64_t probe_ns = 5'000;
/// A launch that runs on one thread looks for tier 1 code at least about this often.
constexpr std::uint64_t longest_step_ns = 1'000'000;

/// A copy of a record's arguments, in which the slots are set that each run has to place (is_placed_by_run()).
class PlacedArguments {
public:
  /// @param local_bytes bytes of local memory that the kernel itself declares
  PlacedArguments(const RunnableLaunch& record, std::uint64_t local_bytes, compiler::CodeHost* host);
  const std::byte* data() const { return block_.data(); }
  /// Bytes of local memory of a group, arguments included.
  std::uint64_t local_bytes() const { return local_bytes_; }

private:
  std::uint64_t place(const compiler::KernelArgument& argument, std::uint64_t recorded);

  ArgumentBlock block_;
  CounterUses counters_;
  std::uint64_t local_bytes_;
  compiler::CodeHost* host_;
};

PlacedArguments::PlacedArguments(const RunnableLaunch& record, std::uint64_t local_bytes,
                                 compiler::CodeHost* host)
    : block_(record.signature().argument_bytes), local_bytes_(local_bytes), host_(host) {
  std::memcpy(block_.data(), record.arguments(), record.signature().argument_bytes);
  for (const compiler::KernelArgument& argument : record.signature().arguments) {
    if (!is_placed_by_run(argument.kind)) continue;
    std::uint64_t slot;
    std::memcpy(&slot, block_.data() + argument.offset, sizeof(slot));
    slot = place(argument, slot);
    std::memcpy(block_.data() + argument.offset, &slot, sizeof(slot));
  }
}

/// @returns the value of the slot: the address of a counter's cell, or the offset of a `local` argument in
/// the group's local memory, after the kernel's own variables and the arguments before it
std::uint64_t PlacedArguments::place(const compiler::KernelArgument& argument, std::uint64_t recorded) {
  if (argument.kind != ArgumentKind::local_pointer) {
    const std::size_t bytes = argument.kind == ArgumentKind::counter64 ? 8 : 4;
    return std::bit_cast<std::uint64_t>(counters_.enter(std::bit_cast<std::byte*>(recorded), bytes, host_));
  }
  const std::uint64_t offset = abi::aligned(local_bytes_, abi::scratch_alignment);
  local_bytes_ = offset + recorded;
  if (checks::is_checked(compiler::Check::uninitialised)) // the shadow of the argument follows it
    local_bytes_ = offset + 2 * abi::aligned(recorded, abi::local_shadow_alignment);
  // The kernel aligns such an argument itself, and needs additional memory for it.
  if (argument.alignment > abi::scratch_alignment)
    local_bytes_ += argument.alignment - abi::scratch_alignment;
  return offset;
}

/// The number of groups that have run, and the nanoseconds that a group of this launch is expected to take.
struct Measured {
  std::uint64_t groups;
  double group_ns;
};

/// Runs groups on the calling thread: all of them if the launch is expected to be short. If nothing is known,
/// or the estimate was wrong, it runs only as many as are needed to measure. If a work-item traps or the context is
/// terminated, all groups count as run.
Measured run_serially(GroupRanges& groups, LoadedKernel& kernel, const Workers& workers) {
  const std::uint64_t total = groups.total(), items = groups.items_per_group();
  const double group_ns = kernel.group_ns(items);
  const bool only_thread = workers.threads() == 1;
  const double expected_ns = group_ns * static_cast<double>(total);
  if (expected_ns >= serial_ns && !only_thread) return {0, group_ns};
  if (group_ns != 0 && expected_ns < unmeasured_ns && groups.has_tier1_code() && !kernel.is_measured()) {
    const std::uint64_t begin = coarse_ns();
    groups.run(0, total);
    if (coarse_ns() != begin) kernel.measure_next(); // the launch may have been long
    return {total, group_ns};
  }
  std::uint64_t limit = group_ns == 0 ? probe_ns : static_cast<std::uint64_t>(4 * serial_ns);
  if (only_thread) limit = ~std::uint64_t{0};
  // Steps are small as long as tier 1 code may become available, or if the context may be terminated between two steps.
  const bool is_long = expected_ns > static_cast<double>(longest_step_ns);
  const bool may_be_stopped = is_long && groups.may_be_stopped();
  std::uint64_t step = group_ns == 0 || !groups.has_tier1_code() || may_be_stopped ? 1 : total;
  const std::uint64_t begin = now_ns();
  std::uint64_t done = 0, elapsed = 0;
  while (done < total && elapsed < limit) {
    const std::uint64_t last = done + std::min(step, total - done);
    groups.run(done, last);
    done = last;
    const std::uint64_t before = std::exchange(elapsed, now_ns() - begin);
    groups.note_ns(elapsed - before);
    if (elapsed < longest_step_ns || (groups.has_tier1_code() && !groups.may_be_stopped())) step *= 2;
  }
  if (groups.has_stopped()) return {total, 0};
  const double measured = static_cast<double>(elapsed) / static_cast<double>(done);
  // A measurement of a much higher cost is limited, so it takes several to find the cost.
  if (measured > 2 * group_ns) kernel.measure_next();
  kernel.note_group_ns(measured, items);
  return {done, measured};
}

/// @param timer null if there is no profile
void run_groups(GroupRanges& groups, LoadedKernel& kernel, Workers& workers,
                profile::LaunchTimer* timer = nullptr) {
  const auto [done, group_ns] = run_serially(groups, kernel, workers);
  const std::uint64_t left = groups.total() - done;
  if (left == 0) return;
  const bool is_hosted = groups.is_hosted();
  const double range_ns = is_hosted ? hosted_share_ns : share_ns;
  const auto share = static_cast<std::uint64_t>(range_ns / std::max(group_ns, 0.01)) + 1;
  // The length of ranges that have a cost of their own.
  const std::uint64_t longest = std::max<std::uint64_t>(left / (fewest_ranges * workers.threads()), 1);
  const std::uint64_t least = groups.sets_up_memory() ? longest : is_hosted ? std::min(share, longest) : 1;
  if (timer) timer->begin_parallel();
  const RangeFigures figures =
      workers.for_ranges(done, groups.total(), is_hosted ? least : share, groups, least);
  if (timer) timer->end_parallel(figures.busy_ns);
  if (groups.has_stopped()) return;
  kernel.note_group_ns(static_cast<double>(figures.busy_ns) / static_cast<double>(left),
                       groups.items_per_group());
}

} // namespace

namespace {

/// Calls `run` with the argument block for abi::Entry, and the bytes of local memory of a group.
template <class Run>
TrapReason run_placed(const RunnableLaunch& record, compiler::KernelChoice choice,
                      const abi::HostCallbacks& host_callbacks, Run run) {
  const std::uint64_t local_bytes = choice.code->static_local_bytes;
  if (!record.has_placed_arguments()) return run(record.arguments(), local_bytes);
  const auto& context = *static_cast<const Context*>(host_callbacks.context);
  const PlacedArguments placed(record, local_bytes, context.code_host().get());
  return run(placed.data(), placed.local_bytes());
}

/// Runs the groups of a launch one by one in another order, on the calling thread.
void run_in_order(const RunnableLaunch& record, compiler::KernelChoice choice,
                  const abi::HostCallbacks& host_callbacks, const Device& device, GroupOrder order) {
  const checks::TakesPart of_none(nullptr); // the kernel accesses copies, which no other command uses
  run_placed(record, choice, host_callbacks, [&](const std::byte* arguments, std::uint64_t local_bytes) {
    GroupRanges groups(record, choice, host_callbacks, device, 1, arguments, local_bytes, nullptr);
    const GroupNumbers numbers(order, groups.total());
    for (std::uint64_t place = 0; place < groups.total(); ++place)
      groups.run(numbers[place], numbers[place] + 1);
    return groups.trap_reason();
  });
}

profile::LaunchProperties properties_of(const RunnableLaunch& record, const compiler::KernelCode& code) {
  return {record.signature(), record.range(), record.arguments(), code};
}

[[gnu::noinline, gnu::cold]] void run_profiled(const RunnableLaunch& record, const compiler::KernelCode& code,
                                               GroupRanges& groups, Workers* workers) {
  profile::LaunchTimer timer(properties_of(record, code));
  if (workers)
    run_groups(groups, record.kernel(), *workers, &timer);
  else
    groups(0, groups.total());
}

} // namespace

TrapReason run_launch(const RunnableLaunch& record, compiler::KernelChoice choice,
                      const abi::HostCallbacks& host_callbacks, const Device& device, Workers& workers,
                      Parent* parent) {
  std::optional<OtherOrders> others;
  if (checks::is_checked(compiler::Check::order)) [[unlikely]]
    others.emplace(record, *choice.code, [&](const RunnableLaunch& copy, GroupOrder order) {
      run_in_order(copy, choice, host_callbacks, device, order);
    });
  TrapReason reason =
      run_placed(record, choice, host_callbacks, [&](const std::byte* arguments, std::uint64_t local_bytes) {
        GroupRanges groups(record, choice, host_callbacks, device, workers.threads(), arguments, local_bytes,
                           parent);
        if (profile::is_on()) [[unlikely]]
          run_profiled(record, *choice.code, groups, &workers);
        else
          run_groups(groups, record.kernel(), workers);
        return groups.trap_reason();
      });
  if (others && !static_cast<const Context*>(host_callbacks.context)->is_terminated()) others->compare();
  return reason;
}

TrapReason run_launch_serially(const RunnableLaunch& record, compiler::KernelChoice choice,
                               const abi::HostCallbacks& host_callbacks, const Device& device,
                               Parent* parent) {
  // Inlined: for the shortest launches these calls would be a large part of the time.
  const auto run = [&](const std::byte* arguments, std::uint64_t local_bytes) __attribute__((always_inline)) {
    GroupRanges groups(record, choice, host_callbacks, device, 1, arguments, local_bytes, parent);
    if (profile::is_on()) [[unlikely]]
      run_profiled(record, *choice.code, groups, nullptr);
    else
      groups(0, groups.total());
    return groups.trap_reason();
  };
  return run_placed(record, choice, host_callbacks, run);
}

} // namespace hostcl::runtime
