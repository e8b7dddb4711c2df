#pragma once

// All that comes of one launch from the host: the kernel and its descendants. Children that become ready come before
// those that are: the fewest wait at a time, and what a child has just written is near. family_run.cpp runs them.

#include "runtime/launch/child.hpp"
#include "runtime/launch/traps.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

class Family {
public:
  /// @param launch by the host; outlives the object
  Family(const LaunchRecord& launch, const Context& context, const Device& device,
         Ref<DeviceQueue> default_queue);
  Family(const Family&) = delete;

  Parent& root() { return root_; }
  const LaunchRecord& launch() const { return launch_; }
  const Context& context() const { return context_; }
  const Device& device() const { return device_; }
  /// What get_default_queue() returns to kernels.
  std::uint64_t default_queue() const { return reinterpret_cast<std::uintptr_t>(default_queue_.get()); }

  // For run_family().

  /// The work-items of the kernel that the host launched have ended.
  void end_root();
  /// The next child to run, for the thread of the command, which waits for one; null if all is done.
  Child* next();
  /// The next children that suit one thread, for threads that help.
  /// @param part of those that are ready: one in so many
  ChildList take_some(std::size_t part, bool (*suits)(const Child&));
  std::size_t ready_count();
  /// The child's work-items have ended, or it has none.
  void end(Child& child);

  /// Children have nothing to wait for any more. Any thread may call it, also one of another family.
  void make_ready(const ChildList& children, std::size_t count);

  /// A work-item of the kernel has trapped, if there is a reason. What the kernel has enqueued runs nonetheless.
  void note_trap(Parent& parent, TrapReason trap);
  /// The first one. To be called when all is done.
  const TrapReason& trap() const { return trap_; }

  // Threads that hand over a child hold the family, which the last child ends.
  void retain() { holders_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

private:
  struct RootParent final : Parent {
    explicit RootParent(Family& family) : Parent(family, nullptr) {}
  };

  ~Family() = default;
  void drop(Parent& parent);

  RootParent root_;
  const LaunchRecord& launch_;
  const Context& context_;
  const Device& device_;
  Ref<DeviceQueue> default_queue_;
  std::atomic<std::uint32_t> holders_ = 1;

  Lock lock_; ///< guards the members below
  ChildList ready_;
  std::size_t ready_count_ = 0;
  bool is_done_ = false;
  bool is_asleep_ = false;
  TrapReason trap_;                      ///< the first one
  std::atomic<std::uint32_t> wakes_ = 0; ///< changes when the sleeping thread should look again
};

} // namespace hostcl::runtime
