#pragma once

// A device-enqueue tree: a kernel that the host launched, and all of its descendants. Children that have just become
// ready run before children that have been ready for longer. This depth-first order keeps the list of ready children
// short, and the data that a child needs has just been written to the cache. family_run.cpp runs the children.

#include "runtime/launch/child.hpp"
#include "runtime/launch/traps.hpp"
#include "runtime/object/reference_count.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/threads/wake_ups.hpp"

#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

/// When a launch that begins now is ended, with all of its descendants (HOSTCL_KERNEL_SECONDS).
/// @param host where the kernels run; null for this process, which can end none
compiler::CodeLimit limit_of_launch(compiler::CodeHost* host);

/// A device-enqueue tree, made by the thread that runs the launch's command. It counts references, because a
/// thread of another tree may still be in make_ready() when the last child has ended.
class Family {
public:
  /// @param launch the launch by the host; it outlives this object
  Family(const LaunchRecord& launch, const Context& context, const Device& device,
         Ref<DeviceQueue> default_queue);
  Family(const Family&) = delete;

  Parent& root() { return root_; }
  const LaunchRecord& launch() const { return launch_; }
  const Context& context() const { return context_; }
  const Device& device() const { return device_; }
  /// See limit_of_launch().
  const compiler::CodeLimit& limit() const { return limit_; }
  /// What get_default_queue() returns to kernels.
  std::uint64_t default_queue() const { return reinterpret_cast<std::uintptr_t>(default_queue_.get()); }

  // For run_family().

  /// Called when the work-items of the kernel that the host launched have ended.
  void end_root();
  /// The next child to run, or null if all are complete. Only for the thread of the launch's command: it
  /// waits until a child is ready.
  Child* next();
  /// Takes children from the front of the list of ready children, for a thread that helps. Stops at the first child
  /// that does not suit.
  /// @param part the number of children to take is the number of ready children divided by `part`, at least 1 and at
  /// most 16
  /// @param suits whether the thread may run the child
  ChildList take_some(std::size_t part, bool (*suits)(const Child&));
  std::size_t ready_count();
  /// Called when the child's work-items have ended, or if it has none to run.
  void end(Child& child);

  /// Puts children whose last reason to wait has just been removed at the front of the list of ready children. Any
  /// thread may call this function, including threads that run another tree.
  void make_ready(const ChildList& children, std::size_t count);

  /// Records that a work-item of the kernel has trapped, if `trap` has a reason. Children that the kernel has
  /// enqueued run nonetheless.
  void note_trap(Parent& parent, TrapReason trap);
  /// The first trap in the tree. Must be called only when all children are complete.
  const TrapReason& trap() const { return trap_; }

  // make_ready() holds a reference while it runs: as soon as the children are in the list, other threads may run them,
  // and the launch's command may end, before make_ready() has released the lock. Callers of make_ready() need no
  // reference, because the tree cannot end while the children that they pass are incomplete.
  void retain() { holders_.add(); }
  void release() {
    if (holders_.drop()) delete this;
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
  const compiler::CodeLimit limit_;
  ReferenceCount holders_;

  Lock lock_; ///< guards the members below
  ChildList ready_;
  std::size_t ready_count_ = 0;
  bool is_done_ = false;
  bool is_asleep_ = false;
  TrapReason trap_;  ///< the first trap in the tree
  WakeUps wake_ups_; ///< of the thread that sleeps in next()
};

} // namespace hostcl::runtime
