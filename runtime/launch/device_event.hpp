#pragma once

// Events that kernels use (clk_event_t): the state of a kernel or marker that a kernel has enqueued, or a
// user event that kernels set themselves. Kernels hold references to them as an application does to its
// objects. A value of clk_event_t that is not a live event is recognised, as a handle is.

#include "runtime/context/device_queue.hpp"
#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <atomic>
#include <cstdint>

namespace hostcl::runtime {

class Child;

/// Says that a child waits for one event. An element of the event's list of waiting children, in the memory of the
/// child.
struct ChildWait {
  Child* child = nullptr;
  ChildWait* next = nullptr;
};

/// When a command began, when its own work-items had ended, and when all of its descendants had ended as
/// well, in nanoseconds.
struct ChildTimes {
  std::uint64_t started = 0, ended = 0, completed = 0;
};

/// An event of device-side enqueueing. Kernels, and the child that it belongs to, hold references to it; any
/// thread may call its methods.
class DeviceEvent : public HandleObject<_cl_event, Kind::device_event, CL_INVALID_EVENT> {
public:
  /// Makes a user event.
  explicit DeviceEvent(Context& context);
  /// Makes the event of a command in the device queue. The caller has reserved a place for the event in the queue; the
  /// destructor gives this place back.
  explicit DeviceEvent(DeviceQueue& queue);
  ~DeviceEvent();
  /// Called by make_object().
  void begun() {
    if (is_user_event()) context_->device_user_events().add(place_);
  }

  /// The live event of the context that a value of clk_event_t stands for, or null. Kernels may pass any value, and release
  /// an event while another work-item uses it.
  static Ref<DeviceEvent> find(std::uint64_t number, const Context& context);

  bool is_user_event() const { return !queue_; }
  cl_int status() const { return status_.load(std::memory_order_acquire); }
  /// Sets the status, CL_COMPLETE or an error. Only the first call has an effect.
  /// @returns the children that wait for the event; each element has a reference to the event.
  /// complete_event() in child.hpp unblocks them.
  ChildWait* complete(cl_int status, const ChildTimes& times);
  /// Makes a child wait for the event. @returns false if the event is complete, so that there is nothing to
  /// wait for
  bool add(ChildWait& wait);
  /// capture_event_profiling_info(): writes two durations to `value` when the command is complete, or at once if it is
  /// complete already.
  void capture(std::uint64_t* value);

private:
  static void write(const ChildTimes& times, std::uint64_t* value);

  Context* context_; ///< used by begun(), and otherwise only compared
  Ref<DeviceQueue> queue_;
  std::atomic<cl_int> status_;
  Lock lock_; ///< guards changes of status_ and the members below
  ChildWait* first_wait_ = nullptr;
  ChildWait* last_wait_ = nullptr;
  std::uint64_t* captured_ = nullptr;
  ChildTimes times_;
  UserEvents::Place place_;
};

} // namespace hostcl::runtime
