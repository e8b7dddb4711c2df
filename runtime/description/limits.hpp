#pragma once

// The limits that calls are checked against. The initial values are the host's limits; a device description may set
// stricter ones (described_device.hpp). Test: tests/process/described_devices.cpp

#include "compiler/abi/launch.hpp"
#include "runtime/support/cl.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

struct Limits {
  static constexpr std::uint64_t unlimited =
      ~std::uint64_t{0}; ///< the machine's memory and caches are the limit

  bool is_available = true, has_compiler = true, has_linker = true;
  std::size_t work_group_size = abi::max_group_items;
  std::array<std::size_t, 3> work_item_sizes = {abi::max_group_items, abi::max_group_items,
                                                abi::max_group_items};
  cl_uint sub_groups = abi::max_group_items; ///< of a work-group
  bool has_non_uniform_groups = true;
  std::size_t parameter_bytes = 4096;
  cl_uint constant_arguments = 4096 / 8; ///< as many pointers as fit into the parameters
  std::uint64_t constant_bytes = unlimited;
  std::uint64_t memory_bytes = unlimited;
  std::uint64_t allocation_bytes = unlimited;
  std::uint64_t local_bytes = unlimited;
  std::size_t printf_bytes = std::size_t{1} << 20;
  cl_uint base_address_bits = 8 * 128; ///< for sub-buffers: the size of long16

  bool has_images = true;
  std::size_t image_2d_width = 65536, image_2d_height = 65536;
  std::size_t image_3d_width = 16384, image_3d_height = 16384, image_3d_depth = 16384;
  std::size_t image_layers = 16384;
  std::size_t image_buffer_texels = INT32_MAX;
  /// In texels; 0: the device has no 2D images of buffers.
  cl_uint image_pitch_alignment = 1, image_base_alignment = 1;
  cl_uint read_image_arguments = 128, write_image_arguments = 128, read_write_image_arguments = 128;
  cl_uint samplers = 128;

  bool has_pipes = true;
  cl_uint pipe_arguments = 128;
  cl_uint pipe_packet_bytes = 65536;
  /// CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS. The implementation has no limit but the number of packets of the pipe. It
  /// reports a small number, because applications allocate tables of this size.
  cl_uint pipe_reservations = 65536;

  cl_command_queue_properties queue_properties =
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  bool has_device_queues = true;
  cl_uint device_queue_bytes = 256 << 20;
  cl_uint device_queues = 1024; ///< of one device in one context
  cl_device_svm_capabilities svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                   CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
  cl_device_exec_capabilities execution = CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL;
};

} // namespace hostcl::runtime
