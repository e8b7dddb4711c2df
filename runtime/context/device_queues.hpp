#pragma once

// The queues on devices of one context, and which of them are the defaults.

#include "runtime/object/object.hpp"
#include "runtime/support/lock.hpp"

#include <vector>

namespace hostcl::runtime {

class Device;
class DeviceQueue;

class DeviceQueues {
public:
  /// Takes note of a new queue. @returns it, or the device's default if the new one should be that and there is
  /// one already; null if the device has as many as it can
  Ref<DeviceQueue> add(Ref<DeviceQueue> made, bool is_default);
  /// Forgets a queue that is being destroyed.
  void remove(const DeviceQueue& queue);
  /// The default queue of a device, or null. Being the default keeps no queue alive.
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
