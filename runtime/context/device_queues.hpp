#pragma once

// The device queues of a context, and the default one for each device.

#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <vector>

namespace hostcl::runtime {

class Device;
class DeviceQueue;

/// Belongs to a context. Any thread may call its methods.
class DeviceQueues {
public:
  /// Adds a new queue.
  /// @returns the queue. If the queue should be the default queue and the device has one already, returns that one;
  /// null if the device has the largest number of queues already
  Ref<DeviceQueue> add(Ref<DeviceQueue> made, bool is_default);
  /// Removes a queue that is being destroyed.
  void remove(const DeviceQueue& queue);
  /// The default queue of a device, or null. The list holds no reference to it.
  Ref<DeviceQueue> default_for(const Device& device);
  void set_default(const DeviceQueue& queue);

private:
  struct Known {
    DeviceQueue* queue;
    bool is_default;
  };
  Ref<DeviceQueue> default_locked(const Device& device) const;

  Lock lock_;
  std::vector<Known> known_;
};

} // namespace hostcl::runtime
