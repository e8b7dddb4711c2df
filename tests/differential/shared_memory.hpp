#pragma once

// What a launch's arguments share, on a device: buffers with sub-buffers, shared virtual memory, or host memory of
// cl_intel_unified_shared_memory.

#include "differential/device.hpp"
#include "differential/sharing.hpp"

#include <CL/cl_ext.h>

#include <vector>

namespace differential {

class SharedArguments {
public:
  /// @throws Unsupported where the device has no such memory
  SharedArguments(cl_context context, cl_device_id device, const Range& range);
  SharedArguments(const SharedArguments&) = delete;
  ~SharedArguments();

  void set(cl_kernel kernel, cl_uint index, unsigned argument) const;

  /// What a launch has left within the argument's extent.
  std::vector<unsigned char> bytes(cl_command_queue queue, unsigned argument) const;

private:
  bool is_address(unsigned argument) const;
  void* address(unsigned argument) const;
  void* allocate(cl_device_id device, std::size_t bytes);
  void make_buffers();

  cl_context context_;
  const Range& range_;
  const Sharing& sharing_;
  clMemBlockingFreeINTEL_fn free_ = nullptr; ///< for host memory
  std::vector<void*> addresses_;             ///< of allocations
  std::vector<BufferOwner> buffers_;         ///< that are allocations
  std::vector<BufferOwner> parts_;           ///< those of the arguments
};

} // namespace differential
