#pragma once

// The CPU as a device, and sub-devices: parts of it with fewer threads.

#include "compiler/abi/launch.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/threads/parallel.hpp"
#include "runtime/threads/topology.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime {

class Platform;

class Device : public HandleObject<_cl_device_id, Kind::device, CL_INVALID_DEVICE> {
public:
  static constexpr std::size_t max_work_group_size = abi::max_group_items;
  static constexpr cl_uint max_dimensions = 3;
  static constexpr std::size_t max_parameter_bytes = 4096;
  static constexpr std::size_t max_image_side = 65536;    ///< of images of one or two dimensions
  static constexpr std::size_t max_image_3d_side = 16384; ///< of images of three
  static constexpr std::size_t max_image_layers = 16384;
  static constexpr cl_uint max_image_arguments = 128; ///< of each access
  static constexpr cl_uint max_samplers = 128;
  static constexpr cl_uint max_pipe_arguments = 128;
  static constexpr cl_uint max_pipe_packet_bytes = 65536;
  /// Pipes have no limit but their packets; applications make tables of that many.
  static constexpr cl_uint max_pipe_reservations = 65536;
  static constexpr cl_uint base_address_alignment = 128; ///< bytes, for sub-buffers: sizeof(long16)

  /// The root device. It lives as long as the platform; retaining and releasing it has no effect.
  explicit Device(Platform& platform);
  /// The description of one sub-device.
  struct Part {
    unsigned compute_units;
    Processors processors; ///< one for each compute unit, or none if they are not known
    bool is_bound;         ///< its threads stay on its processors
  };
  Device(Device& parent, Part part, std::vector<cl_device_partition_property> partition);
  ~Device();

  bool is_root() const { return !parent_; }
  Device& root() { return parent_ ? parent_->root() : *this; }
  Platform& platform() const { return platform_; }
  Device* parent() const { return parent_.get(); }
  /// CL_DEVICE_TYPE_CPU unless HOSTCL_DEVICE_TYPE says otherwise.
  cl_device_type type() const;
  unsigned compute_units() const { return compute_units_; }
  Workers& workers(Priority priority = Priority::normal) const {
    return workers_[static_cast<std::size_t>(priority)];
  }
  /// One for each compute unit; none if that is not so.
  const Processors& processors() const { return is_root() ? root_processors() : processors_; }

  const std::vector<cl_name_version>& extensions() const { return extensions_; }
  const std::string& extension_names() const { return extension_names_; }
  const std::vector<cl_device_partition_property>& partition() const { return partition_; }

  /// Bytes of memory the device may give out in all, and at once.
  std::uint64_t memory_bytes() const;
  std::uint64_t max_allocation_bytes() const { return memory_bytes() / 2; }
  std::uint64_t local_memory_bytes() const;
  static bool has_sub_groups();
  /// Work-items of 32-bit elements in the widest vector.
  static unsigned vector_width();

  /// clCreateSubDevices. Fails if there are more parts than `limit`, which 0 does not set.
  Result<std::vector<Ref<Device>>> partitioned(const cl_device_partition_property* properties,
                                               std::size_t limit);
  /// Ways to partition the device.
  std::vector<cl_device_partition_property> partition_types() const;
  /// Nodes and caches along which it can be split, with CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE.
  cl_device_affinity_domain affinity_domains() const;

private:
  static const Processors& root_processors();

  Platform& platform_;
  Ref<Device> parent_;
  unsigned compute_units_;
  Processors processors_;                  ///< of a sub-device
  mutable std::array<Workers, 3> workers_; ///< by priority
  std::vector<cl_device_partition_property> partition_;
  std::vector<cl_name_version> extensions_;
  std::string extension_names_;
};

cl_name_version name_version(std::string_view name, cl_version version);
/// The names with spaces between them.
std::string joined_names(const std::vector<cl_name_version>& list);
/// Whether the compiler has an optional feature of OpenCL C 3.0 or an extension.
bool has_language_feature(std::string_view name);
bool has_language_extension(std::string_view name);

Status retain_device(cl_device_id device);
Status release_device(cl_device_id device);

} // namespace hostcl::runtime
