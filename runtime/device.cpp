#include "runtime/device.hpp"

#include "compiler/compiler.hpp"
#include "runtime/machine.hpp"
#include "runtime/platform.hpp"

#include <algorithm>
#include <cstring>

namespace hostcl::runtime {

namespace {

/// Extensions that are the runtime's own; those of the language come from the compiler.
constexpr compiler::NamedVersion runtime_extensions[] = {
    {"cl_ext_buffer_device_address", CL_MAKE_VERSION(1, 0, 2)},
    {"cl_intel_unified_shared_memory", CL_MAKE_VERSION(1, 2, 0)},
    {"cl_khr_create_command_queue", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_device_uuid", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_extended_versioning", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_priority_hints", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_suggested_local_work_size", CL_MAKE_VERSION(1, 0, 0)},
    {"cl_khr_throttle_hints", CL_MAKE_VERSION(1, 0, 0)},
};

std::vector<cl_name_version> all_extensions() {
  std::vector<cl_name_version> list;
  for (const auto& extension : compiler::language_extensions())
    list.push_back(name_version(extension.name, extension.version));
  for (const auto& extension : runtime_extensions)
    if (!has_language_extension(extension.name))
      list.push_back(name_version(extension.name, extension.version));
  return list;
}

} // namespace

Device::Device(Platform& platform)
    : HandleObject(destroy_object<Device>),
      platform_(platform),
      compute_units_(machine().threads),
      workers_(compute_units_),
      extensions_(all_extensions()),
      extension_names_(joined_names(extensions_)) {}

Device::Device(Device& parent, unsigned compute_units, std::vector<cl_device_partition_property> partition)
    : HandleObject(destroy_object<Device>),
      platform_(parent.platform_),
      parent_(Ref<Device>(parent)),
      compute_units_(compute_units),
      workers_(compute_units),
      partition_(std::move(partition)),
      extensions_(parent.extensions_),
      extension_names_(parent.extension_names_) {}

Device::~Device() = default;

std::uint64_t Device::memory_bytes() const {
  return machine().memory;
}

std::uint64_t Device::local_memory_bytes() const {
  // Local memory is ordinary memory that stays in the executing thread's own cache as long as it fits.
  // Applications scale groups and buffers with this figure: a quarter of the cache leaves room for what they
  // stream through it.
  static constexpr std::uint64_t least = 64 << 10;
  static constexpr std::uint64_t most = 256 << 10;
  return std::clamp(caches().second_level / 4, least, most);
}

bool Device::has_sub_groups() {
  static const bool has =
      has_language_feature("__opencl_c_subgroups") || has_language_extension("cl_khr_subgroups");
  return has;
}

unsigned Device::vector_width() {
  static const unsigned width = std::max(1u, compiler::host_cpu().vector_bits / 32);
  return width;
}

cl_name_version name_version(std::string_view name, cl_version version) {
  cl_name_version result{};
  result.version = version;
  std::memcpy(result.name, name.data(), std::min(name.size(), sizeof(result.name) - 1));
  return result;
}

std::string joined_names(const std::vector<cl_name_version>& list) {
  std::string names;
  for (const auto& entry : list) {
    if (!names.empty()) names += ' ';
    names += entry.name;
  }
  return names;
}

bool has_language_feature(std::string_view name) {
  return std::ranges::any_of(compiler::language_features(), [&](const auto& f) { return name == f.name; });
}

bool has_language_extension(std::string_view name) {
  return std::ranges::any_of(compiler::language_extensions(), [&](const auto& e) { return name == e.name; });
}

Status retain_device(cl_device_id handle) {
  TRY(Device & device, object_cast<Device>(handle));
  if (!device.is_root()) device.retain_for_application();
  return {};
}

Status release_device(cl_device_id handle) {
  TRY(Device & device, object_cast<Device>(handle));
  if (device.is_root()) return {};
  return release_handle<Device>(handle);
}

namespace {

Result<std::vector<unsigned>> equal_parts(const Device& device, cl_device_partition_property units) {
  if (units <= 0) return fail(CL_INVALID_VALUE, "CL_DEVICE_PARTITION_EQUALLY with ", units, " compute units");
  if (static_cast<std::uint64_t>(units) > device.compute_units())
    return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "CL_DEVICE_PARTITION_EQUALLY with ", units,
                " compute units of ", device.compute_units());
  return std::vector<unsigned>(device.compute_units() / units, static_cast<unsigned>(units));
}

Result<std::vector<unsigned>> counted_parts(const Device& device,
                                            const cl_device_partition_property* counts) {
  std::vector<unsigned> parts;
  std::uint64_t total = 0;
  for (; *counts != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++counts) {
    if (parts.size() == device.compute_units())
      return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "more than ", device.compute_units(), " sub-devices");
    if (*counts < 0 || static_cast<std::uint64_t>(*counts) > device.compute_units() - total)
      return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "the counts add up to more than the device's ",
                  device.compute_units(), " compute units");
    if (*counts == 0) return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "a sub-device of 0 compute units");
    total += *counts;
    parts.push_back(static_cast<unsigned>(*counts));
  }
  if (parts.empty()) return fail(CL_INVALID_DEVICE_PARTITION_COUNT, "the list of counts is empty");
  return parts;
}

} // namespace

Result<std::vector<Ref<Device>>> Device::partitioned(const cl_device_partition_property* properties,
                                                     std::size_t limit) {
  if (!properties) return fail(CL_INVALID_VALUE, "properties is NULL");
  std::vector<unsigned> parts;
  std::vector<cl_device_partition_property> used;
  switch (properties[0]) {
  case CL_DEVICE_PARTITION_EQUALLY: {
    TRY(parts, equal_parts(*this, properties[1]));
    used.assign({properties[0], properties[1], 0});
    break;
  }
  case CL_DEVICE_PARTITION_BY_COUNTS: {
    TRY(parts, counted_parts(*this, properties + 1));
    used.push_back(properties[0]);
    used.insert(used.end(), parts.begin(), parts.end());
    used.insert(used.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
    break;
  }
  default:
    return fail(CL_INVALID_VALUE, "partition type 0x", std::hex, properties[0], " is not supported");
  }
  if (properties[0] == CL_DEVICE_PARTITION_EQUALLY && parts.size() == 1)
    return fail(CL_DEVICE_PARTITION_FAILED, "a part of ", parts[0], " compute units is the whole device");
  if (limit && parts.size() > limit)
    return fail(CL_INVALID_VALUE, "num_devices is ", limit, ", the partition makes ", parts.size());
  std::vector<Ref<Device>> devices;
  for (unsigned units : parts)
    devices.push_back(make_object<Device>(*this, units, used));
  return devices;
}

} // namespace hostcl::runtime
