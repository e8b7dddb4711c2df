#pragma once

// The CPU as an OpenCL device, and sub-devices, which use some of its threads.

#include "compiler/settings/settings.hpp"
#include "runtime/description/described_device.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/threads/parallel.hpp"
#include "runtime/threads/topology.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime {

class Platform;

/// The root device, or a sub-device. Applications own sub-devices by handles.
class Device : public HandleObject<_cl_device_id, Kind::device, CL_INVALID_DEVICE> {
public:
  /// The newest revision of the specification whose changes have all been compared with the driver.
  static constexpr cl_version host_version = CL_MAKE_VERSION(3, 1, 1);
  static constexpr cl_uint max_dimensions = 3;
  static constexpr cl_uint base_address_alignment = 128; ///< bytes, of all allocations: the size of long16

  /// Makes a root device, which lives as long as the platform. Retaining and releasing it has no effect.
  /// @param settings of the compiler, which contexts of the device get
  /// @param description null: the device is the host
  Device(Platform& platform, compiler::SettingsPtr settings,
         std::shared_ptr<const DescribedDevice> description = nullptr);
  /// Describes a sub-device.
  struct Part {
    unsigned compute_units;
    Processors processors; ///< one for each compute unit; empty if they are not known
    bool is_bound;         ///< whether its threads are bound to these processors
  };
  Device(Device& parent, Part part, std::vector<cl_device_partition_property> partition);
  ~Device();

  bool is_root() const { return !parent_; }
  Device& root() { return parent_ ? parent_->root() : *this; }
  const Device& root() const { return parent_ ? parent_->root() : *this; }
  Platform& platform() const { return platform_; }
  const compiler::SettingsPtr& settings() const { return settings_; }
  Device* parent() const { return parent_.get(); }
  /// The description that the device keeps to; null for the host.
  const DescribedDevice* description() const { return description_.get(); }
  const Limits& limits() const { return *limits_; }
  /// Behaviour of the described device that no query tells; the host has no quirks.
  const Quirks& quirks() const;
  /// CL_KERNEL_WORK_GROUP_SIZE of a kernel with this many bytes of private variables.
  std::uint64_t max_group_items(std::uint64_t private_bytes) const;
  /// CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
  std::size_t preferred_multiple() const;
  bool has_extension(std::string_view name) const;
  bool has_embedded_profile() const { return description_ && description_->is_embedded; }
  /// CL_DEVICE_NUMERIC_VERSION
  cl_version version() const { return description_ ? description_->version : host_version; }
  /// Whether the device has an image format that the host has.
  bool has_image_format(const cl_image_format& format, cl_mem_object_type type, cl_mem_flags flags) const {
    return !description_ || description_->has_image_format(format, type, flags);
  }
  /// CL_DEVICE_TYPE_CPU, unless the description or HOSTCL_DEVICE_TYPE says otherwise.
  cl_device_type type() const;
  unsigned compute_units() const { return compute_units_; }
  Workers& workers(Priority priority = Priority::normal) const {
    return workers_[static_cast<std::size_t>(priority)];
  }
  /// The processors of the device, one for each compute unit; empty if compute units have no processors of
  /// their own.
  const Processors& processors() const { return is_root() ? root_processors() : processors_; }

  const std::vector<cl_name_version>& extensions() const { return extensions_; }
  const std::string& extension_names() const { return extension_names_; }
  const std::vector<cl_device_partition_property>& partition() const { return partition_; }

  /// CL_DEVICE_GLOBAL_MEM_SIZE: bytes that may be allocated on the device in all.
  std::uint64_t memory_bytes() const;
  /// CL_DEVICE_MAX_MEM_ALLOC_SIZE: bytes of a single allocation, at most half of the machine's memory and
  /// memory_bytes().
  std::uint64_t max_allocation_bytes() const;
  std::uint64_t local_memory_bytes() const;
  /// Counts bytes that are allocated on a root device. @returns false, and counts nothing, if the device has too little
  /// memory left
  bool reserve_memory(std::uint64_t bytes);
  std::uint64_t memory_in_use() const { return reserved_bytes_.load(std::memory_order_relaxed); }
  void unreserve_memory(std::uint64_t bytes) { reserved_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  static bool has_sub_groups();
  /// Whether kernels reach all memory of the application. Kernels in a guest process (HOSTCL_GUEST) reach only what the
  /// driver has allocated.
  static bool shares_all_memory();
  /// Whether the device may report an extension. With HOSTCL_GUEST, no extension that imports memory is reported.
  static bool may_have(std::string_view extension);
  /// The number of 32-bit elements of the widest vector that kernels use: the widest vector that the CPU executes at
  /// full speed.
  unsigned vector_width() const;

  /// clCreateSubDevices(). Fails if there would be more than `limit` sub-devices; 0 means no limit.
  Result<std::vector<Ref<Device>>> partitioned(const cl_device_partition_property* properties,
                                               std::size_t limit);
  /// The ways in which the device can be partitioned.
  std::vector<cl_device_partition_property> partition_types() const;
  /// The NUMA nodes and caches by which the device can be partitioned, and
  /// CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE.
  cl_device_affinity_domain affinity_domains() const;

private:
  static const Processors& root_processors();

  Platform& platform_;
  compiler::SettingsPtr settings_;
  std::shared_ptr<const DescribedDevice> description_;
  const Limits* limits_;
  Ref<Device> parent_;
  unsigned compute_units_;
  Processors processors_;                  ///< of a sub-device
  mutable std::array<Workers, 3> workers_; ///< by priority
  std::vector<cl_device_partition_property> partition_;
  std::vector<cl_name_version> extensions_;
  std::string extension_names_;
  std::atomic<std::uint64_t> reserved_bytes_ = 0; ///< of a root device
};

cl_name_version name_version(std::string_view name, cl_version version);
/// The names, separated by spaces.
std::string joined_names(const std::vector<cl_name_version>& list);
/// Whether the compiler supports an optional feature of OpenCL C 3.0, or an extension of the language.
bool has_language_feature(std::string_view name);
bool has_language_extension(std::string_view name);

Status retain_device(cl_device_id device);
Status release_device(cl_device_id device);

} // namespace hostcl::runtime
