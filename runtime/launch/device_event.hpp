#pragma once

// Events that kernels use (clk_event_t): the state of a kernel or marker that another kernel enqueued, or one that
// kernels set themselves. The references that kernels hold are counted as those of an application are for its
// objects, so that any number is recognised that does not stand for a live event.

#include "runtime/context/device_queue.hpp"
#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <cstdint>

namespace hostcl::runtime {

class Child;

/// A child's wait for one event. It lies in the child.
struct ChildWait {
  Child* child = nullptr;
  ChildWait* next = nullptr;
};

/// When a command began, when its own work-items had finished, and when all that it enqueued had as well, in
/// nanoseconds.
struct ChildTimes {
  std::uint64_t started = 0, ended = 0, completed = 0;
};

class DeviceEvent : public HandleObject<_cl_event, Kind::device_event, CL_INVALID_EVENT> {
public:
  /// A user event.
  DeviceEvent();
  /// An event of a command in the queue, which has reserved it.
  explicit DeviceEvent(DeviceQueue& queue);
  ~DeviceEvent();

  /// The live event that the number stands for, or null.
  static DeviceEvent* find(std::uint64_t number);

  bool is_user_event() const { return !queue_; }
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  /// CL_COMPLETE or an error, the first time it is called.
  /// @returns what waits for it, each with a reference to the event: complete_event() in child.hpp lets it begin
  ChildWait* complete(cl_int status, const ChildTimes& times);
  /// Lets a child wait. @returns false if there is nothing to wait for
  bool add(ChildWait& wait);
  /// Has two times written to `value` when the command is complete.
  void capture(std::uint64_t* value);

private:
  static void write(const ChildTimes& times, std::uint64_t* value);

  Ref<DeviceQueue> queue_;
  std::atomic<cl_int> status_;
  Lock lock_; ///< guards changes of status_ and the members below
  ChildWait* first_wait_ = nullptr;
  ChildWait* last_wait_ = nullptr;
  std::uint64_t* captured_ = nullptr;
  ChildTimes times_;
};

} // namespace hostcl::runtime
