#pragma once

// Queues on the device, in which kernels enqueue kernels (children). A device queue only limits how much is enqueued in
// it. The device-enqueue tree of the children (family.hpp) decides which child waits for which other child, and which
// child runs next.

#include "runtime/context/context.hpp"
#include "runtime/object/device.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace hostcl::runtime {

/// A device queue. Its handle is a cl_command_queue, but its kind differs from that of host queues, so functions for
/// host queues refuse the handle.
class DeviceQueue : public HandleObject<_cl_command_queue, Kind::device_queue, CL_INVALID_COMMAND_QUEUE> {
public:
  static constexpr cl_uint preferred_bytes = 16 << 20;
  static constexpr cl_uint max_events = 1 << 20; ///< of one queue

  struct Settings {
    cl_command_queue_properties properties = 0;
    cl_uint bytes = preferred_bytes;
    std::vector<cl_queue_properties> list; ///< the list as the application gave it
  };

  DeviceQueue(Context& context, Device& device, Settings settings);
  ~DeviceQueue();

  Context& context() const { return *context_; }
  Device& device() const { return *device_; }
  bool is_profiled() const { return settings_.properties & CL_QUEUE_PROFILING_ENABLE; }

  /// Reserves bytes of the queue for a kernel, until the kernel has ended. @returns false if the queue is full
  bool reserve(std::size_t bytes) { return take(used_bytes_, bytes, settings_.bytes); }
  void unreserve(std::size_t bytes) { used_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  bool reserve_event() { return take(events_, 1, max_events); }
  void unreserve_event() { events_.fetch_sub(1, std::memory_order_relaxed); }

  Status info(cl_command_queue_info name, Answer answer) const;

private:
  static bool take(std::atomic<std::size_t>& used, std::size_t amount, std::size_t limit);

  Ref<Context> context_;
  Ref<Device> device_;
  Settings settings_;
  std::atomic<std::size_t> used_bytes_ = 0;
  std::atomic<std::size_t> events_ = 0;
};

} // namespace hostcl::runtime
