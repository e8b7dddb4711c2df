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

/// The most fibers of a launch. Linux allows a process 65,530 mappings, and each fiber has two.
constexpr unsigned most_fibers = 8192;
/// The most bytes of local memory and thread contexts of these fibers together.
constexpr std::size_t most_scratch_bytes = std::size_t{1} << 30;
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
  for (std::uint64_t place = first_left_.load(std::memory_order_relaxed); place < groups_;) {
    const std::uint64_t end = word_end(place);
    const std::uint64_t taken = words_[place / 64].load(std::memory_order_relaxed) >> place % 64;
    place += static_cast<unsigned>(std::countr_one(taken));
    if (place >= end || take(place, place + 1) == 0) continue;
    first_left_.store(place + 1, std::memory_order_relaxed);
    return GroupRun{place, place + 1};
  }
  first_left_.store(groups_, std::memory_order_relaxed);
  return std::nullopt;
}

void GroupClaims::note_stall(std::uint64_t event) {
  std::uint64_t stall = stall_.load(std::memory_order_relaxed);
  while (stall / one_event == event)
    if (stall_.compare_exchange_weak(stall, stall + 1, std::memory_order_relaxed)) return;
}

Fibers::~Fibers() {
  for (const auto& fiber : others_)
    unmap(fiber->stack);
  claims_.fibers_.fetch_sub(static_cast<unsigned>(others_.size()), std::memory_order_relaxed);
}

void Fibers::run(std::uint64_t first, std::uint64_t last) {
  ScratchMemory scratch(sizes_.scratch_bytes);
  next_ = first;
  last_ = last;
  claims_.threads_.fetch_add(1, std::memory_order_relaxed);
  claims_.note_event();
  while (const auto groups = next_run())
    run_groups(*groups, scratch.data());
  while (active_.size() > 1) {
    if (current_ == active_.back()) std::this_thread::yield();
    go_to(after(*current_));
  }
  claims_.threads_.fetch_sub(1, std::memory_order_relaxed);
  claims_.note_event();
}

void Fibers::run_groups(GroupRun groups, std::byte* scratch) {
  run_groups_(groups, scratch);
  claims_.note_event();
  burst_ = 1;
  to_begin_ = 0;
}

/// The next groups of the range, or such that another call has left.
std::optional<GroupRun> Fibers::next_run() {
  taken_.reserve(32); // so that no group that has been taken is lost
  while (taken_.empty() && next_ < last_) {
    const std::uint64_t end = std::min(last_, claims_.word_end(next_)), before = next_ / 64 * 64;
    for (std::uint64_t bits = claims_.take(next_, end); bits != 0;) {
      const auto first = static_cast<unsigned>(std::countr_zero(bits));
      const auto length = static_cast<unsigned>(std::countr_one(bits >> first));
      bits &= first + length == 64 ? 0 : ~std::uint64_t{0} << (first + length);
      taken_.push_back({before + first, before + first + length});
    }
    std::ranges::reverse(taken_);
    next_ = end;
  }
  if (taken_.empty()) return std::nullopt;
  GroupRun& left = taken_.back();
  const GroupRun next{left.first, one_by_one_ ? left.first + 1 : left.last};
  left.first = next.last;
  if (left.first == left.last) taken_.pop_back();
  return next;
}

/// Takes the groups after this one from the call that runs this one.
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
    if (active_.empty()) active_.push_back(&own_);
    hand_over(group, state);
    if ((current_ == active_.back() && end_round()) || to_begin_ > 0) next = begun_fiber();
  } catch (const std::bad_alloc&) { // the groups that have begun take turns
  }
  if (next) {
    if (to_begin_ > 0) --to_begin_;
    claims_.note_event();
    return go_to(*next);
  }
  to_begin_ = 0;
  if (active_.size() > 1) go_to(after(*current_));
}

/// All fibers have had a turn. @returns whether all threads have polled in vain, so that other groups have to begin
bool Fibers::end_round() {
  const std::uint64_t event = claims_.events();
  if (event == event_) {
    if (std::exchange(noted_, event) != event) claims_.note_stall(event);
    if (has_groups() && claims_.is_stalled(event)) {
      to_begin_ = burst_;
      burst_ = std::min(2 * burst_, std::uint64_t{1024});
      return true;
    }
  }
  if (event != event_ || changed_ns_ == 0) {
    changed_ns_ = now_ns();
    vain_polls_ = 0;
  }
  event_ = event;
  if (++vain_polls_ % polls_per_yield == 0) {
    report_long_wait();
    std::this_thread::yield();
  }
  return false;
}

/// An active fiber with groups that nobody has begun; null if there are none, or no room for another fiber.
Fibers::Fiber* Fibers::begun_fiber() {
  Fiber* fiber = idle_.empty() ? new_fiber() : idle_.back();
  if (!fiber) return nullptr;
  auto groups = next_run();
  if (!groups) groups = claims_.take_any();
  if (!groups) return nullptr;
  fiber->groups = *groups;
  idle_.pop_back();
  active_.push_back(fiber);
  return fiber;
}

/// An idle fiber; null if no groups are left for it, or no room.
Fibers::Fiber* Fibers::new_fiber() {
  if (!has_groups()) return nullptr;
  const std::size_t most =
      std::min<std::size_t>(most_fibers, most_scratch_bytes / std::max<std::size_t>(sizes_.scratch_bytes, 1));
  if (claims_.fibers_.load(std::memory_order_relaxed) >= most) return nullptr;
  others_.reserve(others_.size() + 1);
  active_.reserve(others_.size() + 2);
  idle_.reserve(others_.size() + 1);
  auto fiber = std::make_unique<Fiber>();
  fiber->scratch.emplace(sizes_.scratch_bytes);
  fiber->all = this;
  fiber->stack = map_stack(std::max<std::size_t>(sizes_.stack_bytes, stack_for_kernels) + stack_for_driver);
  if (!fiber->stack.memory ||
      !make_place(fiber->place, fiber->stack.lowest(), fiber->stack.usable_bytes(), run_fiber, fiber.get())) {
    unmap(fiber->stack);
    return nullptr;
  }
  claims_.fibers_.fetch_add(1, std::memory_order_relaxed);
  idle_.push_back(fiber.get());
  others_.push_back(std::move(fiber));
  return idle_.back();
}

/// Runs one group after the other: the fiber goes on here when it has got another one.
void Fibers::run_fiber(void* argument) {
  auto& own = *static_cast<Fiber*>(argument);
  Fibers& all = *own.all;
  for (;;) {
    stack_end = reinterpret_cast<std::uintptr_t>(own.stack.lowest());
    all.run_groups(own.groups, own.scratch->data());
    Fiber& next = all.after(own);
    std::erase(all.active_, &own);
    all.idle_.push_back(&own);
    all.go_to(next);
  }
}

Fibers::Fiber& Fibers::after(const Fiber& fiber) const {
  const auto own = std::ranges::find(active_, &fiber);
  return own + 1 == active_.end() ? *active_.front() : **(own + 1);
}

/// What belongs to the thread and not to the stack is restored when the fiber goes on.
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
  log(LogLevel::warn, "kernel '", kernel_.signature->name,
      "': a work-group has waited for 10 s in a loop for another work-item. If that belongs to the same "
      "work-group, "
      "the wait never ends: the work-items of a group run one after the other");
}

void add_wait_callback(abi::HostCallbacks& host_callbacks) {
  host_callbacks.wait = wait;
}

} // namespace hostcl::runtime
