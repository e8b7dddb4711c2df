#pragma once

// Kernels and markers that a kernel enqueues with enqueue_kernel(), and the count of what a kernel still
// waits for. A kernel is complete only when all of its descendants are.

#include "compiler/abi/launch.hpp"
#include "runtime/context/device_queue.hpp"
#include "runtime/launch/device_event.hpp"
#include "runtime/launch/launch_record.hpp"
#include "runtime/object/reference_count.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hostcl::runtime {

class Child;
class Family;

/// A list of children in the order in which they were added. The list does not own the children.
struct ChildList {
  Child* first = nullptr;
  Child* last = nullptr;
  void add(Child& child);
  Child* take();
  /// Inserts another list, which must not be empty, before the elements of this list.
  void prepend(const ChildList& others);
  /// Removes all children from the list and calls unblock() for each. Children that wait for nothing else
  /// become ready.
  void unblock_all();
};

/// A kernel that enqueues others: the kernel that the host launched, or one of its descendants. It counts the reasons
/// why it is incomplete: one for its own run, and one for each incomplete child.
class Parent {
public:
  explicit Parent(Family& family, Parent* parent) : family_(family), parent_(parent) {}
  Parent(const Parent&) = delete;

  Family& family() const { return family_; }
  Parent* parent() const { return parent_; }
  cl_int status() const { return status_.load(std::memory_order_relaxed); }
  /// Records an error of this kernel or of a descendant. Only the first error counts.
  void note_failure(cl_int status) {
    cl_int good = CL_COMPLETE;
    status_.compare_exchange_strong(good, status, std::memory_order_relaxed);
  }

  /// Adds a child that waits until all work-items of this kernel have ended (CLK_ENQUEUE_FLAGS_WAIT_KERNEL).
  void wait_for_kernel(Child& child);
  /// Unblocks the children that wait_for_kernel() has added. Called when all work-items of this kernel have ended.
  void release_children();

  void add_child() { incomplete_.add(); }
  /// Removes one reason why the kernel is incomplete. Called when the kernel's own run has ended, and when a child is
  /// complete. @returns whether no reason is left, so that this kernel is complete
  bool drop() { return incomplete_.drop(); }

protected:
  ~Parent() = default;

private:
  Family& family_;
  Parent* parent_; ///< null for the kernel that the host launched
  ReferenceCount incomplete_;
  std::atomic<cl_int> status_ = CL_COMPLETE;
  Lock lock_; ///< guards after_kernel_
  ChildList after_kernel_;
};

/// A kernel or a marker that a kernel has enqueued. The object and all that it needs are in one block of
/// memory. The child owns itself: Family destroys it when it is complete, that is, when its own work-items
/// and all of its descendants are.
class Child final : public Parent, public RunnableLaunch {
public:
  struct Description {
    DeviceQueue& queue;
    const abi::BlockLaunch& launch;
    LoadedKernel* kernel; ///< null for a marker
    abi::NDRange range;
  };

  /// Creates a child of `parent`. The child waits for the events `waits`, and for one call of unblock() in addition.
  /// @returns null if the device queue is full
  /// @throws std::bad_alloc
  static Child* make(Parent& parent, const Description& description, std::span<const Ref<DeviceEvent>> waits,
                     Ref<DeviceEvent> event);
  /// Destroys the object and frees its memory.
  void destroy();

  bool is_marker() const { return kernel_ == nullptr; }
  DeviceQueue& queue() const { return *queue_; }
  bool has_event() const { return static_cast<bool>(event_); }
  ChildTimes& times() { return times_; }

  /// Called when an event that the child waits for is complete. @param status of the event
  void dependency_done(cl_int status);
  /// Removes one reason to wait. @returns whether it was the last one; then the caller has to make the child
  /// ready
  bool unblock() { return blockers_.drop(); }
  /// Whether an event that the child waited for has ended with an error, so that the kernel must not run.
  bool has_failed_dependency() const { return failed_dependency_.load(std::memory_order_relaxed); }

  /// Called when the kernel's work-items have ended.
  void note_end();
  /// Called when the child and all of its descendants are complete: completes its event.
  void complete();

private:
  friend ChildList;
  struct Layout;

  Child(Parent& parent, const Description& description, const Layout& layout, Ref<DeviceEvent> event);
  ~Child();
  void place(const Description& description, const Layout& layout);

  Child* next_ = nullptr;
  Ref<DeviceQueue> queue_;
  Ref<DeviceEvent> event_;
  ChildTimes times_;
  ReferenceCount blockers_;
  std::atomic<bool> failed_dependency_ = false;
  std::uint32_t alignment_;
  std::size_t bytes_;
  std::byte* hosted_literal_ =
      nullptr; ///< the block literal in memory of the context's CodeHost, if it has one
};

/// Completes an event unless it is complete already. Children that wait for the event for their last reason
/// become ready. The caller holds a reference to the event.
/// @param status CL_COMPLETE or an error
void complete_event(DeviceEvent& event, cl_int status, const ChildTimes& times);

} // namespace hostcl::runtime
