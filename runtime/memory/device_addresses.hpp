#pragma once

// Buffers whose addresses the application knows (cl_ext_buffer_device_address). A launch that is given an
// address uses the buffer around it, which must not go before the launch is complete.

#include "runtime/memory/memory.hpp"
#include "runtime/support/lock.hpp"

#include <cstdint>
#include <map>

namespace hostcl::runtime {

class DeviceAddresses {
public:
  static DeviceAddresses& instance();

  /// For buffers that own their memory; remove() before it is freed.
  void add(Memory& buffer, const std::byte* data);
  void remove(const Memory& buffer);
  /// The buffer around an address, or nothing.
  WeakMemory find(std::uint64_t address);

private:
  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards buffers_
  std::map<const std::byte*, Memory*> buffers_;
};

} // namespace hostcl::runtime
