#pragma once

// Work-groups that wait for other work-groups. While a group waits, its thread runs other groups of the launch, each on
// a stack of its own (a fiber) with its own local memory and thread context.
//
// The machine code of a kernel with a waiting loop calls abi::HostCallbacks::wait at every 256th iteration of the loop.
// The callback switches to the next fiber of the thread. If all threads of the launch have polled in vain in all groups
// that they have begun, threads begin further groups, lowest group numbers first. Groups usually wait for groups with
// lower numbers, so this order keeps the number of waiting groups small. All groups of a launch thus make progress,
// however few threads there are.
//
// Launches of kernels without waiting loops pay nothing. Launches of other kernels pay one atomic operation for up to
// 64 groups if no group waits. The work-items of one group run one after the other, and cannot wait for each
// other. A group stays on the thread that has begun the group.
//
// Test: tests/kernels/launches/waiting.cpp

#include "compiler/isolation/own_stack.hpp"
#include "runtime/description/group_order.hpp"
#include "runtime/launch/running_kernel.hpp"
#include "runtime/launch/scratch.hpp"
#include "runtime/support/stack.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace hostcl::runtime {

/// Groups with consecutive numbers.
struct GroupRun {
  std::uint64_t first, last;
};

/// Which groups of a launch threads have taken to run them.
class GroupClaims {
public:
  /// @throws std::bad_alloc
  explicit GroupClaims(std::uint64_t groups)
      : groups_(groups), words_(new std::atomic<std::uint64_t>[words()] {}) {}

  /// Takes the groups [first, last), which must be in one word. @returns a bit for each group that nobody had taken
  std::uint64_t take(std::uint64_t first, std::uint64_t last) {
    const std::uint64_t bits = ~std::uint64_t{0} >> (64 - (last - first)) << first % 64;
    return bits & ~words_[first / 64].fetch_or(bits, std::memory_order_relaxed);
  }
  /// Whether there may be groups that nobody has taken.
  bool has_any() const { return first_left_.load(std::memory_order_relaxed) < groups_; }
  /// Takes the group with the lowest number.
  std::optional<GroupRun> take_any();
  /// The end of the word of a group.
  std::uint64_t word_end(std::uint64_t group) const { return std::min(groups_, (group / 64 + 1) * 64); }

  static constexpr std::uint64_t one_event = std::uint64_t{1} << 32;
  /// Notes an event that may end a wait: a thread or a group has begun or ended, or another wait has ended.
  void note_event() {
    std::uint64_t stall = stall_.load(std::memory_order_relaxed);
    while (!stall_.compare_exchange_weak(stall, (stall / one_event + 1) * one_event,
                                         std::memory_order_relaxed)) {
    }
  }
  std::uint64_t events() const { return stall_.load(std::memory_order_relaxed) / one_event; }
  /// A thread has polled in vain in all of its groups since the event with this number.
  void note_stall(std::uint64_t event);
  /// Whether all threads have polled in vain in all of their groups since the event with this number.
  bool is_stalled(std::uint64_t event) const {
    const std::uint64_t stall = stall_.load(std::memory_order_relaxed);
    return stall / one_event == event && stall % one_event >= threads_.load(std::memory_order_relaxed);
  }

private:
  friend class Fibers;
  std::uint64_t words() const { return (groups_ + 63) / 64; }

  std::uint64_t groups_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
  std::atomic<std::uint64_t> first_left_ = 0; ///< all groups with lower numbers have been taken
  std::atomic<unsigned> threads_ = 0;         ///< that run groups now
  /// Upper half: number of events. Lower half: number of threads that have polled in vain since the last event.
  std::atomic<std::uint64_t> stall_ = 0;
  std::atomic<bool> has_reported_ = false; ///< whether a long wait has been reported
};

/// The fibers of a thread while it runs a range of groups.
class Fibers {
public:
  struct Sizes {
    std::size_t scratch_bytes; ///< local memory and thread context of a group
    std::size_t stack_bytes;   ///< what the machine code needs
  };
  /// Runs groups, and throws nothing. Meanwhile RunningKernel has a trap exit and the numbers of the groups.
  using RunGroups = std::function<void(GroupRun groups, std::byte* scratch)>;

  /// @param kernel what the thread runs
  /// @param has_stopped whether groups that wait should end, and others should not begin
  /// @throws std::bad_alloc
  Fibers(RunningKernel& kernel, GroupClaims& claims, const GroupNumbers& numbers, Sizes sizes,
         RunGroups run_groups, std::function<bool()> has_stopped);
  ~Fibers();
  Fibers(const Fibers&) = delete;

  /// Runs the groups at positions [first, last) of the launch's order, except groups that another thread has taken.
  /// While these groups wait, also runs other groups. Returns when all groups that the thread has begun have ended.
  void run(std::uint64_t first, std::uint64_t last);

  /// The group with this id waits: begins another group, or goes on with one that has waited.
  /// @param state bits of abi::HostCallbacks::wait
  void wait(const std::array<std::uint64_t, 3>& group, std::uint8_t& state);

private:
  /// A fiber is idle or in the ring of fibers whose group has begun and not ended.
  struct Fiber {
    explicit Fiber(std::size_t scratch_bytes) : scratch(scratch_bytes) {}

    ScratchMemory scratch;
    OtherStack stack;
    StackPlace place;
    Fibers* all = nullptr;
    GroupRun groups{};                    ///< to run
    Fiber *next = this, *previous = this; ///< in the ring; `next` also in the list of idle fibers
  };

  std::optional<GroupRun> next_run();
  void take_word();
  void run_groups(GroupRun groups, std::byte* scratch);
  void hand_over(const std::array<std::uint64_t, 3>& group, std::uint8_t& state);
  bool end_round();
  /// Whether there may be groups that the thread can begin.
  bool has_groups() const { return !taken_.empty() || claims_.has_any(); }
  Fiber* begun_fiber();
  void add_fiber();
  static void run_fiber(void* fiber);
  Fiber& end(Fiber& fiber);
  void go_to(Fiber& fiber);
  void report_long_wait();

  RunningKernel& kernel_;
  GroupClaims& claims_;
  const GroupNumbers& numbers_;
  Sizes sizes_;
  RunGroups run_groups_;
  std::function<bool()> has_stopped_;
  std::uint64_t next_ = 0, last_ = 0; ///< what is left of the range
  std::vector<GroupRun> taken_;       ///< groups that the thread has taken and not begun
  Fiber own_;                         ///< on the thread's own stack; always in the ring, where rounds begin
  std::vector<std::unique_ptr<Fiber>> others_;
  Fiber* idle_ = nullptr;
  std::size_t begun_ = 0; ///< fibers in the ring, except own_
  Fiber* current_ = &own_;
  std::uint64_t event_ = 0;                 ///< GroupClaims::events() when the round of turns began
  std::uint64_t noted_ = ~std::uint64_t{0}; ///< the last event after which the thread has noted a stall
  std::size_t to_begin_ = 0;                ///< groups that the thread still has to begin after a stall
  unsigned vain_polls_ = 0;                 ///< of all fibers since the last event
  std::uint64_t changed_ns_ = 0;            ///< when the thread last saw an event
};

/// Sets abi::HostCallbacks::wait.
void add_wait_callback(abi::HostCallbacks& host_callbacks);

} // namespace hostcl::runtime
