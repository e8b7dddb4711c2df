#include "runtime/launch/fibers.hpp"

#include "runtime/launch/traps.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/log.hpp"

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <new>
#include <thread>
#include <utility>

namespace hostcl::runtime {

namespace {

/// The most fibers of a process. Linux allows a process 65,530 mappings, and each fiber has two.
constexpr std::size_t most_fibers = 16384;
/// The most bytes of local memory and thread contexts of these fibers together.
constexpr std::size_t most_scratch_bytes = std::size_t{1} << 30;
std::atomic<std::size_t> fibers_of_process = 0;
/// Bits of the state of a group that waits.
constexpr std::uint8_t ends_range = 1, wait_begins = 2;
/// Polls in vain of all fibers after which a thread yields the processor. They take longer than most waits.
constexpr unsigned polls_per_yield = 64;
/// A wait is reported when no group has begun or ended on the thread for this long.
constexpr std::uint64_t long_wait_ns = 10'000'000'000;

void wait(void*, std::uint64_t group_x, std::uint64_t group_y, std::uint64_t group_z, std::uint8_t* state) {
  const RunningKernel* kernel = running_kernel();
  if (kernel && kernel->fibers)
    kernel->fibers->wait({group_x, group_y, group_z}, *state);
  else
    std::this_thread::yield();
}

} // namespace

std::optional<GroupRun> GroupClaims::take_any() {
  for (std::uint64_t group = first_left_.load(std::memory_order_relaxed); group < groups_;) {
    const std::uint64_t end = word_end(group);
    const std::uint64_t taken = words_[group / 64].load(std::memory_order_relaxed) >> group % 64;
    group += static_cast<unsigned>(std::countr_one(taken));
    if (group >= end || take(group, group + 1) == 0) continue;
    first_left_.store(group + 1, std::memory_order_relaxed);
    return GroupRun{group, group + 1};
  }
  first_left_.store(groups_, std::memory_order_relaxed);
  return std::nullopt;
}

void GroupClaims::note_stall(std::uint64_t event) {
  std::uint64_t stall = stall_.load(std::memory_order_relaxed);
  while (stall / one_event == event)
    if (stall_.compare_exchange_weak(stall, stall + 1, std::memory_order_relaxed)) return;
}

Fibers::Fibers(RunningKernel& kernel, GroupClaims& claims, const GroupNumbers& numbers, Sizes sizes,
               RunGroups run_groups, std::function<bool()> has_stopped)
    : kernel_(kernel),
      claims_(claims),
      numbers_(numbers),
      sizes_(sizes),
      run_groups_(std::move(run_groups)),
      has_stopped_(std::move(has_stopped)),
      own_(sizes.scratch_bytes) {
  taken_.reserve(64); // take_word() needs no more memory
}

Fibers::~Fibers() {
  for (const auto& fiber : others_)
    unmap(fiber->stack);
  fibers_of_process.fetch_sub(others_.size(), std::memory_order_relaxed);
}

void Fibers::run(std::uint64_t first, std::uint64_t last) {
  next_ = first;
  last_ = last;
  claims_.threads_.fetch_add(1, std::memory_order_relaxed);
  claims_.note_event();
  while (const auto groups = next_run())
    run_groups(*groups, own_.scratch.data());
  while (own_.next != &own_)
    go_to(*own_.next);
  claims_.threads_.fetch_sub(1, std::memory_order_relaxed);
  claims_.note_event();
}

void Fibers::run_groups(GroupRun groups, std::byte* scratch) {
  if (has_stopped_()) return;
  run_groups_(groups, scratch);
  claims_.note_event();
}

/// The next groups that the thread has taken or that are left of the range.
std::optional<GroupRun> Fibers::next_run() {
  while (taken_.empty() && next_ < last_)
    take_word();
  if (taken_.empty()) return std::nullopt;
  const GroupRun next = taken_.back();
  taken_.pop_back();
  return next;
}

/// Takes the next groups of the range, up to the end of a word of GroupClaims, except groups that are already taken.
void Fibers::take_word() {
  const std::uint64_t first = numbers_[next_], before = first / 64 * 64;
  const std::uint64_t count =
      numbers_.is_ascending() ? std::min(last_ - next_, claims_.word_end(first) - first) : 1;
  next_ += count;
  for (std::uint64_t bits = claims_.take(first, first + count); bits != 0;) {
    const auto from = static_cast<unsigned>(std::countr_zero(bits));
    const auto length = static_cast<unsigned>(std::countr_one(bits >> from));
    bits &= from + length == 64 ? 0 : ~std::uint64_t{0} << (from + length);
    taken_.push_back({before + from, before + from + length});
  }
  std::ranges::reverse(taken_);
}

/// Ends the running call of the machine code after this group, and takes the call's remaining groups for the thread.
/// @throws std::bad_alloc
void Fibers::hand_over(const std::array<std::uint64_t, 3>& group, std::uint8_t& state) {
  const auto& count = kernel_.launch->range.group_count;
  const std::uint64_t next = group[0] + count[0] * (group[1] + count[1] * group[2]) + 1;
  if (next >= kernel_.last_group) return;
  taken_.push_back({next, kernel_.last_group});
  kernel_.last_group = next;
  state |= ends_range;
}

void Fibers::wait(const std::array<std::uint64_t, 3>& group, std::uint8_t& state) {
  if (has_stopped_()) std::longjmp(kernel_.trap_exit->place, 1);
  if (state & wait_begins) claims_.note_event(); // the last wait has ended
  state &= ~wait_begins;
  Fiber* next = nullptr;
  try {
    hand_over(group, state);
    if ((current_->next == &own_ && end_round()) || to_begin_ > 0) next = begun_fiber();
  } catch (const std::bad_alloc&) {
    next = nullptr; // the groups that have begun take turns
  }
  if (next) {
    --to_begin_;
    claims_.note_event();
  } else {
    to_begin_ = 0;
    next = current_->next;
    if (++vain_polls_ % polls_per_yield == 0) {
      report_long_wait();
      std::this_thread::yield();
    }
  }
  go_to(*next);
}

/// Called when each fiber of the thread has polled once. @returns whether all threads have polled in vain, so that this
/// thread has to begin other groups
bool Fibers::end_round() {
  const std::uint64_t event = claims_.events();
  if (event == event_) {
    if (std::exchange(noted_, event) != event) claims_.note_stall(event);
    if (has_groups() && claims_.is_stalled(event)) {
      // The number grows with the number of waiting groups, so that all groups have begun after few stalls.
      to_begin_ = 1 + begun_ / 2;
      return true;
    }
  }
  if (event != event_ || changed_ns_ == 0) {
    changed_ns_ = now_ns();
    vain_polls_ = 0;
  }
  event_ = event;
  return false;
}

/// A fiber with groups that nobody has begun, at the end of the ring; null if there are no such groups, or no room for
/// another fiber.
/// @throws std::bad_alloc
Fibers::Fiber* Fibers::begun_fiber() {
  if (!idle_) add_fiber();
  if (!idle_) return nullptr;
  std::optional<GroupRun> groups;
  if (taken_.empty())
    groups = claims_.take_any();
  else
    groups = next_run();
  if (!groups) return nullptr;
  Fiber* fiber = std::exchange(idle_, idle_->next);
  fiber->groups = *groups;
  fiber->next = &own_;
  fiber->previous = std::exchange(own_.previous, fiber);
  fiber->previous->next = fiber;
  ++begun_;
  return fiber;
}

/// Makes an idle fiber, unless there is no room for it or there are no groups for it.
/// @throws std::bad_alloc
void Fibers::add_fiber() {
  if (!has_groups()) return;
  const std::size_t most = std::min(has_thread_sanitizer() ? most_fibers / 4 : most_fibers,
                                    most_scratch_bytes / std::max<std::size_t>(sizes_.scratch_bytes, 1));
  if (fibers_of_process.load(std::memory_order_relaxed) >= most) return;
  auto fiber = std::make_unique<Fiber>(sizes_.scratch_bytes);
  fiber->all = this;
  fiber->next = idle_;
  others_.reserve(std::bit_ceil(others_.size() + 1));
  fiber->stack = map_stack(std::max<std::size_t>(sizes_.stack_bytes, stack_for_kernels) + stack_for_driver);
  if (!fiber->stack.memory) return;
  if (!make_place(fiber->place, fiber->stack.lowest(), fiber->stack.usable_bytes(), run_fiber, fiber.get()))
    return unmap(fiber->stack);
  fibers_of_process.fetch_add(1, std::memory_order_relaxed);
  idle_ = fiber.get();
  others_.push_back(std::move(fiber));
}

/// Runs one group after the other: the fiber goes on here when it has got another one.
void Fibers::run_fiber(void* argument) {
  auto& own = *static_cast<Fiber*>(argument);
  Fibers& all = *own.all;
  for (;;) {
    stack_end = reinterpret_cast<std::uintptr_t>(own.stack.lowest());
    all.run_groups(own.groups, own.scratch.data());
    all.go_to(all.end(own));
  }
}

/// Takes the fiber out of the ring. @returns the fiber before it: if each group waits for the group that has begun
/// after it, all of these groups end in one round
Fibers::Fiber& Fibers::end(Fiber& fiber) {
  fiber.next->previous = fiber.previous;
  fiber.previous->next = fiber.next;
  fiber.next = std::exchange(idle_, &fiber);
  --begun_;
  return *fiber.previous;
}

/// Switches to the fiber. When the thread switches back, restores the state that the thread keeps outside the stack.
void Fibers::go_to(Fiber& fiber) {
  if (&fiber == current_) return;
  Fiber& left = *std::exchange(current_, &fiber);
  const RunningKernel kernel = kernel_;
  const std::uintptr_t end = stack_end;
  switch_stack(left.place, fiber.place);
  kernel_ = kernel;
  stack_end = end;
}

void Fibers::report_long_wait() {
  if (now_ns() - changed_ns_ < long_wait_ns || claims_.has_reported_.exchange(true)) return;
  const char* reason = has_groups()
                           ? "there is no room for more groups that wait at the same time"
                           : "the wait never ends if that belongs to the same work-group, whose work-items "
                             "run one after the other";
  log(LogLevel::warn, "kernel '", kernel_.signature->name,
      "': a work-group has waited for 10 s in a loop for another work-item; ", reason);
}

void add_wait_callback(abi::HostCallbacks& host_callbacks) {
  host_callbacks.wait = wait;
}

} // namespace hostcl::runtime
