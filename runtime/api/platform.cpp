// Platform and device queries, sub-devices, timers (OpenCL 3.0 API, chapter 4.1 to 4.3).
// Declared in runtime/api/api.hpp.

#include "runtime/queries/platform.hpp"
#include "runtime/api/api.hpp"
#include "runtime/object/device.hpp"
#include "runtime/object/device_fission.hpp"
#include "runtime/queries/device_info.hpp"
#include "runtime/queue/event.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/support/clock.hpp"

#include <algorithm>
#include <iterator>

namespace hostcl::runtime {

Status get_platform_ids(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  if (platforms && entries == 0) return fail(CL_INVALID_VALUE, "num_entries is 0 and platforms is not NULL");
  if (!platforms && !count) return fail(CL_INVALID_VALUE, "platforms and num_platforms are both NULL");
  Platform& platform = Platform::instance();
  if (platforms) platforms[0] = platform.handle();
  if (count) *count = 1;
  return {};
}

Status get_platform_info(cl_platform_id handle, cl_platform_info name, size_t size, void* value,
                         size_t* size_ret) {
  TRY(Platform & platform, platform_or_default(handle));
  return platform.info(name, Answer(size, value, size_ret));
}

namespace {

/// The devices of a type. The default device is the platform's first one.
Result<std::vector<Device*>> devices_of_type(const Platform& platform, cl_device_type type) {
  constexpr cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                   CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known)))
    return fail(CL_INVALID_DEVICE_TYPE, "device_type 0x", std::hex, type, " is not a device type");
  std::vector<Device*> found;
  std::ranges::copy_if(platform.devices(), std::back_inserter(found), [&](const Device* device) {
    return (type & device->type()) || ((type & CL_DEVICE_TYPE_DEFAULT) && device == &platform.device());
  });
  if (found.empty())
    return fail(CL_DEVICE_NOT_FOUND, "device_type is 0x", std::hex, type, "; the ",
                platform.devices().size() > 1 ? "first" : "only", " device has the type 0x",
                platform.device().type(), ", which HOSTCL_DEVICE_TYPE or HOSTCL_DEVICE can change");
  return found;
}

} // namespace

Status get_device_ids(cl_platform_id handle, cl_device_type type, cl_uint entries, cl_device_id* devices,
                      cl_uint* count) {
  TRY(Platform & platform, platform_or_default(handle));
  auto listed = devices_of_type(platform, type);
  if (!listed.ok()) {
    if (listed.error().code() == CL_DEVICE_NOT_FOUND && count) *count = 0;
    return std::move(listed).error();
  }
  if (devices && entries == 0) return fail(CL_INVALID_VALUE, "num_entries is 0 and devices is not NULL");
  if (!devices && !count) return fail(CL_INVALID_VALUE, "devices and num_devices are both NULL");
  const std::vector<Device*> found = std::move(listed).value();
  for (std::size_t i = 0; devices && i < std::min<std::size_t>(entries, found.size()); ++i)
    devices[i] = found[i]->handle();
  if (count) *count = static_cast<cl_uint>(found.size());
  return {};
}

Status get_device_info(cl_device_id handle, cl_device_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Device & device, object_cast<Device>(handle));
  return device_info(device, name, Answer(size, value, size_ret));
}

Status create_sub_devices(cl_device_id handle, const cl_device_partition_property* properties,
                          cl_uint entries, cl_device_id* devices, cl_uint* count) {
  TRY(Device & device, object_cast<Device>(handle));
  if (devices && entries == 0) return fail(CL_INVALID_VALUE, "num_devices is 0 and out_devices is not NULL");
  TRY(std::vector<Ref<Device>> parts, device.partitioned(properties, devices ? entries : 0));
  if (count) *count = static_cast<cl_uint>(parts.size());
  if (devices)
    for (std::size_t i = 0; i < parts.size(); ++i)
      devices[i] = expose(std::move(parts[i]));
  return {};
}

Status create_sub_devices_ext(cl_device_id handle, const cl_device_partition_property_ext* properties,
                              cl_uint entries, cl_device_id* devices, cl_uint* count) {
  TRY(object_cast<Device>(handle));
  TRY(auto core, fission::core_properties(properties));
  Status status = create_sub_devices(handle, core.data(), entries, devices, count);
  if (status.ok()) return {};
  Error error = std::move(status).error();
  return Error(fission::error_code(error.code()), std::string(error.sentence()));
}

Status get_device_and_host_timer(cl_device_id handle, cl_ulong* device_time, cl_ulong* host_time) {
  TRY(object_cast<Device>(handle));
  if (!device_time || !host_time) return fail(CL_INVALID_VALUE, "device_timestamp or host_timestamp is NULL");
  *device_time = *host_time = now_ns();
  return {};
}

Status get_host_timer(cl_device_id handle, cl_ulong* host_time) {
  TRY(object_cast<Device>(handle));
  if (!host_time) return fail(CL_INVALID_VALUE, "host_timestamp is NULL");
  *host_time = now_ns();
  return {};
}

} // namespace hostcl::runtime
