// Contexts (OpenCL 3.0 API, 4.4). Declared in runtime/api/api.hpp.

#include "runtime/context/context.hpp"
#include "runtime/api/api.hpp"
#include "runtime/guest/guest.hpp"
#include "runtime/host_callbacks/host_callbacks.hpp"
#include "runtime/queries/platform.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/support/options.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

namespace hostcl::runtime {

namespace {

Result<std::vector<cl_context_properties>> checked_properties(const cl_context_properties* list) {
  std::vector<cl_context_properties> copy;
  if (!list) return copy;
  std::set<cl_context_properties> seen;
  for (; *list; list += 2) {
    switch (list[0]) {
    case CL_CONTEXT_PLATFORM:
      TRY(object_cast<Platform>(reinterpret_cast<cl_platform_id>(list[1])));
      break;
    case CL_CONTEXT_INTEROP_USER_SYNC:
      if (list[1] != CL_TRUE && list[1] != CL_FALSE)
        return fail(CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC is ", list[1],
                    "; it must be CL_TRUE or CL_FALSE");
      break;
    case CL_CONTEXT_TERMINATE_KHR:
      if (const Device& device = Platform::instance().device();
          device.description() && !Platform::instance().has_extension("cl_khr_terminate_context"))
        return fail(CL_INVALID_PROPERTY,
                    "CL_CONTEXT_TERMINATE_KHR is a property of cl_khr_terminate_context, which the "
                    "device ",
                    device.description()->name, " lacks");
      if (list[1] != CL_TRUE && list[1] != CL_FALSE)
        return fail(CL_INVALID_PROPERTY, "CL_CONTEXT_TERMINATE_KHR is ", list[1],
                    "; it must be CL_TRUE or CL_FALSE");
      break;
    default:
      return fail(CL_INVALID_PROPERTY, "context property 0x", std::hex, list[0], " is not supported");
    }
    if (!seen.insert(list[0]).second)
      return fail(CL_INVALID_PROPERTY, "context property 0x", std::hex, list[0], " is given twice");
    copy.insert(copy.end(), {list[0], list[1]});
  }
  copy.push_back(0);
  return copy;
}

Status check_notify(Context::Notify notify, void* user_data) {
  if (!notify && user_data) return fail(CL_INVALID_VALUE, "user_data is given without pfn_notify");
  return {};
}

/// The process for the kernels of a context; null if they run in this one.
Result<std::shared_ptr<guest::Guest>> guest_for(Device& device) {
  if (options().guest != CompilerPlace::process) return std::shared_ptr<guest::Guest>();
  auto guest = guest::Guest::create(device.workers(Priority::normal).threads(), machine().memory);
  if (!guest)
    return fail(CL_OUT_OF_HOST_MEMORY,
                "no memory that a guest process could share (HOSTCL_GUEST): ", std::strerror(errno));
  return guest;
}

} // namespace

Result<cl_context> create_context(const cl_context_properties* properties, cl_uint count,
                                  const cl_device_id* handles, Context::Notify notify, void* user_data) {
  TRY(auto copy, checked_properties(properties));
  if (!handles || count == 0)
    return fail(CL_INVALID_VALUE, "num_devices is 0 or devices is NULL; a context needs at least one device");
  TRY(check_notify(notify, user_data));
  std::vector<Ref<Device>> devices;
  for (cl_uint i = 0; i < count; ++i) {
    TRY(Device & device, object_cast<Device>(handles[i]));
    if (!device.limits().is_available)
      return fail(CL_DEVICE_NOT_AVAILABLE, "devices[", i, "] is not available (CL_DEVICE_AVAILABLE)");
    if (std::ranges::none_of(devices, [&](const auto& d) { return d.get() == &device; }))
      devices.push_back(Ref<Device>(device));
  }
  TRY(auto guest, guest_for(*devices.front()));
  return expose(make_object<Context>(std::move(devices), std::move(copy), notify, user_data, host_callbacks(),
                                     std::move(guest)));
}

Result<cl_context> create_context_from_type(const cl_context_properties* properties, cl_device_type type,
                                            Context::Notify notify, void* user_data) {
  // Errors of these arguments take precedence over an invalid type.
  TRY(checked_properties(properties));
  TRY(check_notify(notify, user_data));
  cl_uint count = 0;
  TRY(get_device_ids(nullptr, type, 0, nullptr, &count));
  std::vector<cl_device_id> devices(count);
  TRY(get_device_ids(nullptr, type, count, devices.data(), nullptr));
  std::vector<cl_device_id> available;
  for (cl_device_id handle : devices) {
    TRY(const Device& device, object_cast<Device>(handle));
    if (device.limits().is_available) available.push_back(handle);
  }
  if (available.empty())
    return fail(CL_DEVICE_NOT_AVAILABLE, "no device of device_type 0x", std::hex, type,
                " is available (CL_DEVICE_AVAILABLE)");
  return create_context(properties, static_cast<cl_uint>(available.size()), available.data(), notify,
                        user_data);
}

Status get_context_info(cl_context handle, cl_context_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Context & context, object_cast<Context>(handle));
  return context.info(name, Answer(size, value, size_ret));
}

Status set_context_destructor_callback(cl_context handle, DestructorCallbacks<cl_context>::Callback callback,
                                       void* user_data) {
  TRY(Context & context, usable_context(handle));
  if (!callback) return fail(CL_INVALID_VALUE, "pfn_notify is NULL");
  context.destructor_callbacks().add(callback, user_data);
  return {};
}

Status terminate_context(cl_context handle) {
  TRY(Context & context, usable_context(handle));
  if (!context.is_terminable())
    return fail(CL_INVALID_OPERATION, "the context was created without CL_CONTEXT_TERMINATE_KHR");
  const Ref<Context> held(context); // a callback may release the application's references
  if (!context.terminate()) return context.check_not_terminated(); // another thread was faster
  Queue::publish_all();
  context.notify("the context has been terminated by clTerminateContextKHR");
  return {};
}

} // namespace hostcl::runtime
