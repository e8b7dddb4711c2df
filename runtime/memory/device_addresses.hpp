#pragma once

// Buffers whose addresses the application knows (cl_ext_buffer_device_address). If an argument of a launch,
// or the kernel's list CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, has an address in such a buffer, the launch keeps
// a reference to the buffer until the launch is complete.

#include "runtime/memory/memory.hpp"
#include "runtime/support/lock.hpp"

#include <cstdint>
#include <map>

namespace hostcl::runtime {

/// The list of these buffers. There is one object for each process; any thread may call its methods.
class DeviceAddresses {
public:
  static DeviceAddresses& instance();

  /// Adds a buffer whose memory the driver has allocated, or whose memory is external memory. remove() must
  /// be called before the memory is freed.
  void add(Memory& buffer, const std::byte* data);
  void remove(const Memory& buffer);
  /// The buffer that contains an address, or nothing.
  WeakMemory find(std::uint64_t address);

private:
  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards buffers_
  std::map<const std::byte*, Memory*> buffers_;
};

} // namespace hostcl::runtime
