#pragma once

// What kernels enqueue, and how one thing is complete only when all that came of it is.

#include "compiler/abi/launch.hpp"
#include "runtime/context/device_queue.hpp"
#include "runtime/launch/device_event.hpp"
#include "runtime/launch/launch_record.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hostcl::runtime {

class Child;
class Family;

/// Children in the order in which they were added.
struct ChildList {
  Child* first = nullptr;
  Child* last = nullptr;
  void add(Child& child);
  Child* take();
  /// Puts another list, which is not empty, in front of this one.
  void prepend(const ChildList& others);
  /// Takes all children, each of which has one thing less to wait for. Those that have nothing else begin.
  void unblock_all();
};

/// A kernel that enqueues others: the one that the host launched, or one of its descendants. It counts its own
/// run and its children that are not complete.
class Parent {
public:
  explicit Parent(Family& family, Parent* parent) : family_(family), parent_(parent) {}
  Parent(const Parent&) = delete;

  Family& family() const { return family_; }
  Parent* parent() const { return parent_; }
  cl_int status() const { return status_.load(std::memory_order_relaxed); }
  /// The first error of it and its descendants counts.
  void note_failure(cl_int status) {
    cl_int good = CL_COMPLETE;
    status_.compare_exchange_strong(good, status, std::memory_order_relaxed);
  }

  /// Children that wait for the end of this one's work-items.
  void wait_for_kernel(Child& child);
  /// Lets them begin.
  void release_children();

  void add_child() { incomplete_.fetch_add(1, std::memory_order_relaxed); }
  /// Its own run has ended, or a child is complete. @returns whether that was the last
  bool drop() { return incomplete_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

protected:
  ~Parent() = default;

private:
  Family& family_;
  Parent* parent_; ///< null for the kernel that the host launched
  std::atomic<std::uint32_t> incomplete_ = 1;
  std::atomic<cl_int> status_ = CL_COMPLETE;
  Lock lock_; ///< guards after_kernel_
  ChildList after_kernel_;
};

/// A kernel or a marker that a kernel enqueued. It is made with all that it needs in one piece of memory, and
/// destroys itself when it is complete.
class Child final : public Parent, public RunnableLaunch {
public:
  struct Description {
    DeviceQueue& queue;
    const abi::BlockLaunch& launch;
    LoadedKernel* kernel; ///< null for a marker
    abi::NDRange range;
  };

  /// Makes a child that waits for `description.launch.waits`, and for unblock() once. It counts as the parent's.
  /// @returns null if the queue is full
  /// @throws std::bad_alloc
  static Child* make(Parent& parent, const Description& description, std::span<DeviceEvent* const> waits,
                     Ref<DeviceEvent> event);
  /// Frees memory and whatever it holds.
  void destroy();

  bool is_marker() const { return kernel_ == nullptr; }
  DeviceQueue& queue() const { return *queue_; }
  bool has_event() const { return static_cast<bool>(event_); }
  ChildTimes& times() { return times_; }

  /// An event that it waited for is complete.
  void dependency_done(cl_int status);
  /// One thing less to wait for. @returns whether that was the last, so that the caller makes it ready
  bool unblock() { return blockers_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  /// Whether an event that it waited for ended with an error, so that it must not run.
  bool has_failed_dependency() const { return failed_dependency_.load(std::memory_order_relaxed); }

  /// Its work-items have ended.
  void note_end();
  /// It is complete, and so are all its descendants: tells its event.
  void complete();

private:
  friend ChildList;
  struct Layout;

  Child(Parent& parent, const Description& description, const Layout& layout, Ref<DeviceEvent> event);
  ~Child() = default;
  void place(const Description& description, const Layout& layout);

  Child* next_ = nullptr;
  Ref<DeviceQueue> queue_;
  Ref<DeviceEvent> event_;
  ChildTimes times_;
  std::atomic<std::uint32_t> blockers_ = 1;
  std::atomic<bool> failed_dependency_ = false;
  std::uint32_t alignment_;
  std::size_t bytes_;
};

/// Ends an event, unless that was done: children that wait for it may begin. The caller holds it.
/// @param status CL_COMPLETE or an error
void complete_event(DeviceEvent& event, cl_int status, const ChildTimes& times);

} // namespace hostcl::runtime
