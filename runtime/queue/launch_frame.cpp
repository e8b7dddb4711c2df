#include "runtime/queue/launch_frame.hpp"

#include "runtime/queue/event.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

/// Below this many nanoseconds a launch is over before another thread has woken up.
constexpr double serial_ns = 30'000;
/// Ranges that threads take from a launch last about this long.
constexpr double grain_ns = 10'000;
/// A launch of unknown cost runs on one thread until it has been measured for this long.
constexpr std::uint64_t probe_ns = 5'000;

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

LaunchFrame::LaunchFrame(const LaunchRecord& record, compiler::KernelChoice choice,
                         const abi::Services& services, Workers& workers)
    : record_(record),
      workers_(workers),
      local_bytes_(choice.code->static_local_bytes),
      arguments_(record.has_placed_arguments() ? place_arguments() : record.arguments()),
      groups_(record, choice, services, workers.threads(), arguments_, local_bytes_) {}

/// Makes the copy of the arguments. @returns it
const std::byte* LaunchFrame::place_arguments() {
  const compiler::KernelSignature& signature = record_.signature();
  std::byte* block = block_.emplace(signature.argument_bytes).data();
  std::memcpy(block, record_.arguments(), signature.argument_bytes);
  for (const compiler::KernelArgument& argument : signature.arguments) {
    if (!is_placed_by_run(argument.kind)) continue;
    std::uint64_t slot;
    std::memcpy(&slot, block + argument.offset, sizeof(slot));
    slot = placed(argument, slot);
    std::memcpy(block + argument.offset, &slot, sizeof(slot));
  }
  return block;
}

/// What a kernel takes in place of a recorded argument: the address of a counter's cell, or where a `local`
/// argument begins, after the kernel's own local memory and those before it.
std::uint64_t LaunchFrame::placed(const compiler::KernelArgument& argument, std::uint64_t recorded) {
  if (argument.kind != ArgumentKind::local_pointer) {
    const std::size_t bytes = argument.kind == ArgumentKind::counter64 ? 8 : 4;
    return std::bit_cast<std::uint64_t>(counters_.enter(std::bit_cast<std::byte*>(recorded), bytes));
  }
  const std::uint64_t offset = aligned(local_bytes_, abi::scratch_alignment);
  local_bytes_ = offset + recorded;
  // The kernel moves an argument with a larger alignment up to it.
  if (argument.alignment > abi::scratch_alignment)
    local_bytes_ += argument.alignment - abi::scratch_alignment;
  return offset;
}

void LaunchFrame::run() {
  LoadedKernel& kernel = record_.kernel();
  const std::uint64_t done = run_serially();
  const std::uint64_t left = groups_.total() - done;
  if (left == 0) return;
  const double group_ns = kernel.group_ns(groups_.items_per_group());
  auto grain = static_cast<std::uint64_t>(grain_ns / std::max(group_ns, 0.01)) + 1;
  grain = std::clamp<std::uint64_t>(
      grain, 1, std::max<std::uint64_t>(1, left / (std::uint64_t{4} * workers_.threads())));
  const std::uint64_t begin = now_ns();
  workers_.for_ranges(done, groups_.total(), grain, groups_);
  // Upper bound: all threads were busy all the time.
  const double threads = static_cast<double>(std::min<std::uint64_t>(workers_.threads(), left));
  kernel.note_group_ns(static_cast<double>(now_ns() - begin) * threads / static_cast<double>(left),
                       groups_.items_per_group());
}

/// Runs groups on this thread: all of them if they are estimated to be short; if the estimate was wrong or
/// there is none, only as many as it takes to measure. @returns their number
std::uint64_t LaunchFrame::run_serially() {
  LoadedKernel& kernel = record_.kernel();
  const std::uint64_t total = groups_.total(), items = groups_.items_per_group();
  const double group_ns = kernel.group_ns(items);
  const bool only_thread = workers_.threads() == 1;
  if (group_ns != 0 && group_ns * static_cast<double>(total) >= serial_ns && !only_thread) return 0;
  std::uint64_t limit = group_ns == 0 ? probe_ns : static_cast<std::uint64_t>(4 * serial_ns);
  if (only_thread) limit = ~std::uint64_t{0};
  // The groups run in parts where better code may become available.
  std::uint64_t step = group_ns == 0 || !groups_.has_best_code() ? 1 : total;
  const std::uint64_t begin = now_ns();
  std::uint64_t done = 0, elapsed = 0;
  while (done < total && elapsed < limit) {
    const std::uint64_t last = done + std::min(step, total - done);
    groups_.run(done, last);
    done = last;
    const std::uint64_t before = std::exchange(elapsed, now_ns() - begin);
    groups_.note_ns(elapsed - before);
    if (static_cast<double>(elapsed) < grain_ns * 100 || groups_.has_best_code()) step *= 2;
  }
  kernel.note_group_ns(static_cast<double>(elapsed) / static_cast<double>(done), items);
  return done;
}

} // namespace hostcl::runtime
