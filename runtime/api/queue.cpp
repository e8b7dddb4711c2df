// Command queues, markers, barriers (OpenCL 3.0 API, 5.1, 5.12, 5.15). Declared in runtime/api/api.hpp.

#include "runtime/queue/queue.hpp"
#include "runtime/api/api.hpp"
#include "runtime/api/destination.hpp"
#include "runtime/checks/commands.hpp"
#include "runtime/context/device_queue.hpp"
#include "runtime/queue/transfer.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace hostcl::runtime {

namespace {

constexpr cl_command_queue_properties host_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties device_properties = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

/// Checks the properties of OpenCL 1.x, all of which the device supports.
Status check_host_properties(cl_command_queue_properties properties) {
  if (properties & ~host_properties)
    return fail(CL_INVALID_VALUE, "properties 0x", std::hex, properties,
                " has bits that a host queue cannot have");
  return {};
}

/// Checks the properties of a device queue, which must be out-of-order.
Status check_device_properties(cl_command_queue_properties properties) {
  if ((properties & ~(host_properties | device_properties)) || !(properties & CL_QUEUE_ON_DEVICE) ||
      !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    return fail(CL_INVALID_VALUE, "CL_QUEUE_PROPERTIES is 0x", std::hex, properties,
                "; CL_QUEUE_ON_DEVICE needs CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, and "
                "CL_QUEUE_ON_DEVICE_DEFAULT needs CL_QUEUE_ON_DEVICE");
  return {};
}

struct ParsedProperties {
  cl_command_queue_properties properties = 0;
  Priority priority = Priority::normal;
  std::vector<cl_queue_properties> list;

  bool is_on_device() const { return properties & device_properties; }
  /// The value of a property in the list, if the property is there.
  std::optional<cl_queue_properties> find(cl_queue_properties name) const {
    for (std::size_t i = 0; i + 1 < list.size(); i += 2)
      if (list[i] == name) return list[i + 1];
    return std::nullopt;
  }
};

/// Checks that the properties fit a queue on the host, or a queue on the device.
Status check_properties(const ParsedProperties& parsed) {
  const auto size = parsed.find(CL_QUEUE_SIZE);
  if (!parsed.is_on_device()) {
    TRY(check_host_properties(parsed.properties));
    if (size)
      return fail(CL_INVALID_VALUE,
                  "CL_QUEUE_SIZE is given without CL_QUEUE_ON_DEVICE; only device queues have a size");
    return {};
  }
  TRY(check_device_properties(parsed.properties));
  if (size && (*size == 0 || *size > Limits().device_queue_bytes))
    return fail(CL_INVALID_VALUE, "CL_QUEUE_SIZE is ", *size, "; it must be in 1 to ",
                Limits().device_queue_bytes);
  for (const cl_queue_properties hint : {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR})
    if (parsed.find(hint))
      return fail(CL_INVALID_QUEUE_PROPERTIES, "property 0x", std::hex, hint,
                  " is a hint for host queues, which a device queue cannot have");
  return {};
}

// A throttle hint is accepted and ignored: the operating system decides how much power a core uses.
Result<ParsedProperties> parse_properties(const cl_queue_properties* list) {
  ParsedProperties parsed;
  if (!list) return parsed;
  for (; *list; list += 2) {
    cl_queue_properties value = list[1];
    switch (list[0]) {
    case CL_QUEUE_PROPERTIES:
      parsed.properties = value;
      break;
    case CL_QUEUE_SIZE:
      break;
    case CL_QUEUE_PRIORITY_KHR:
      if (value != CL_QUEUE_PRIORITY_HIGH_KHR && value != CL_QUEUE_PRIORITY_MED_KHR &&
          value != CL_QUEUE_PRIORITY_LOW_KHR)
        return fail(CL_INVALID_VALUE, "CL_QUEUE_PRIORITY_KHR is ", value,
                    "; it must be a CL_QUEUE_PRIORITY_*_KHR");
      parsed.priority = value == CL_QUEUE_PRIORITY_HIGH_KHR  ? Priority::high
                        : value == CL_QUEUE_PRIORITY_LOW_KHR ? Priority::low
                                                             : Priority::normal;
      break;
    case CL_QUEUE_THROTTLE_KHR:
      if (value != CL_QUEUE_THROTTLE_HIGH_KHR && value != CL_QUEUE_THROTTLE_MED_KHR &&
          value != CL_QUEUE_THROTTLE_LOW_KHR)
        return fail(CL_INVALID_VALUE, "CL_QUEUE_THROTTLE_KHR is ", value,
                    "; it must be a CL_QUEUE_THROTTLE_*_KHR");
      break;
    default:
      return fail(CL_INVALID_VALUE, "queue property 0x", std::hex, list[0], " is not known");
    }
    parsed.list.insert(parsed.list.end(), {list[0], value});
  }
  parsed.list.push_back(0);
  TRY(check_properties(parsed));
  return parsed;
}

/// Checks that the device supports the properties, which are valid.
Status check_support(const Device& device, const ParsedProperties& parsed) {
  const Limits& limits = device.limits();
  if (!parsed.is_on_device()) {
    if (const auto lacking = parsed.properties & ~limits.queue_properties)
      return fail(CL_INVALID_QUEUE_PROPERTIES, "properties 0x", std::hex, parsed.properties, " has 0x",
                  lacking, ", which CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, 0x", limits.queue_properties,
                  ", lacks");
    return {};
  }
  if (!limits.has_device_queues)
    return fail(CL_INVALID_QUEUE_PROPERTIES,
                "CL_QUEUE_ON_DEVICE is given; the device has no queues on the device "
                "(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES is 0)");
  if (const auto size = parsed.find(CL_QUEUE_SIZE); size && *size > limits.device_queue_bytes)
    return fail(CL_INVALID_QUEUE_PROPERTIES, "CL_QUEUE_SIZE is ", *size,
                "; it must be at most CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, ", limits.device_queue_bytes);
  return {};
}

/// Creates a device queue. If a default queue is asked for and the device has one, returns that one.
Result<cl_command_queue> make_device_queue(Context& context, Device& device, ParsedProperties parsed) {
  const auto bytes = static_cast<cl_uint>(
      parsed.find(CL_QUEUE_SIZE)
          .value_or(std::min(DeviceQueue::preferred_bytes, device.limits().device_queue_bytes)));
  const bool is_default = parsed.properties & CL_QUEUE_ON_DEVICE_DEFAULT;
  Ref<DeviceQueue> made = make_object<DeviceQueue>(
      context, device, DeviceQueue::Settings{parsed.properties, bytes, std::move(parsed.list)});
  const DeviceQueue* created = made.get();
  Ref<DeviceQueue> queue = context.device_queues().add(std::move(made), is_default);
  if (!queue)
    return fail(CL_OUT_OF_RESOURCES, "the device has ", device.limits().device_queues,
                " device queues in this context, which is CL_DEVICE_MAX_ON_DEVICE_QUEUES");
  if (queue.get() == created) return expose(std::move(queue));
  queue->retain_for_application();
  return queue->handle();
}

Result<cl_command_queue> make_queue(cl_context context_handle, cl_device_id device_handle,
                                    Result<ParsedProperties> (*parse)(const void*), const void* properties) {
  TRY(Context & context, usable_context(context_handle));
  TRY(Device & device, object_cast<Device>(device_handle));
  if (!context.has(device)) return fail(CL_INVALID_DEVICE, "device is not a device of the context");
  TRY(ParsedProperties parsed, parse(properties));
  TRY(check_support(device, parsed));
  if (parsed.is_on_device()) return make_device_queue(context, device, std::move(parsed));
  return expose(
      make_object<Queue>(context, device, parsed.properties, parsed.priority, std::move(parsed.list)));
}

Status submit_empty(Queue& queue, cl_command_type type, cl_uint count, const cl_event* waits, cl_event* event,
                    Queue::Ordering ordering) {
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  return queue.submit<EmptyWork>({.type = type, .waits = list, .event = event, .ordering = ordering});
}

} // namespace

Result<cl_command_queue> create_command_queue(cl_context context, cl_device_id device,
                                              cl_command_queue_properties properties) {
  return make_queue(
      context, device,
      [](const void* given) -> Result<ParsedProperties> {
        ParsedProperties parsed;
        parsed.properties = *static_cast<const cl_command_queue_properties*>(given);
        TRY(check_host_properties(parsed.properties));
        return parsed;
      },
      &properties);
}

Result<cl_command_queue> create_command_queue_with_properties(cl_context context, cl_device_id device,
                                                              const cl_queue_properties* properties) {
  return make_queue(
      context, device,
      [](const void* given) { return parse_properties(static_cast<const cl_queue_properties*>(given)); },
      properties);
}

namespace {

/// Few functions accept a device queue; for the others its handle is not valid.
bool is_device_queue(cl_command_queue handle) {
  return handle_arena::contains(handle) && handle->is_live(DeviceQueue::kind);
}

} // namespace

Status retain_command_queue(cl_command_queue handle) {
  return is_device_queue(handle) ? retain_handle<DeviceQueue>(handle) : retain_handle<Queue>(handle);
}

Status release_command_queue(cl_command_queue handle) {
  return is_device_queue(handle) ? release_handle<DeviceQueue>(handle) : release_handle<Queue>(handle);
}

Status get_command_queue_info(cl_command_queue handle, cl_command_queue_info name, size_t size, void* value,
                              size_t* size_ret) {
  if (is_device_queue(handle)) {
    TRY(DeviceQueue & queue, object_cast<DeviceQueue>(handle));
    return queue.info(name, Answer(size, value, size_ret));
  }
  TRY(Queue & queue, object_cast<Queue>(handle));
  return queue.info(name, Answer(size, value, size_ret));
}

Status set_default_device_command_queue(cl_context context_handle, cl_device_id device_handle,
                                        cl_command_queue handle) {
  TRY(Context & context, usable_context(context_handle));
  TRY(Device & device, object_cast<Device>(device_handle));
  if (!context.has(device)) return fail(CL_INVALID_DEVICE, "device is not a device of the context");
  if (!device.limits().has_device_queues)
    return fail(CL_INVALID_OPERATION, "the device has no queues on the device "
                                      "(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES is 0)");
  TRY(DeviceQueue & queue, object_cast<DeviceQueue>(handle));
  if (&queue.context() != &context || &queue.device() != &device)
    return fail(CL_INVALID_COMMAND_QUEUE, "command_queue belongs to another context or device");
  context.device_queues().set_default(queue);
  return {};
}

Status set_command_queue_property(cl_command_queue handle, cl_command_queue_properties properties,
                                  cl_bool enable, cl_command_queue_properties* old) {
  TRY(Queue & queue, object_cast<Queue>(handle));
  TRY(check_host_properties(properties));
  queue.drain();
  checks::host_knows_ends_of(&queue);
  if (old) *old = queue.properties();
  queue.set_properties(enable ? queue.properties() | properties : queue.properties() & ~properties);
  return {};
}

Status flush(cl_command_queue handle) {
  TRY(Queue & queue, object_cast<Queue>(handle));
  queue.flush();
  return {};
}

Status finish(cl_command_queue handle) {
  TRY(Queue & queue, object_cast<Queue>(handle));
  return queue.finish();
}

Status enqueue_marker_with_wait_list(cl_command_queue handle, cl_uint count, const cl_event* waits,
                                     cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(handle));
  return submit_empty(queue, CL_COMMAND_MARKER, count, waits, event,
                      count ? Queue::Ordering::normal : Queue::Ordering::after_all);
}

Status enqueue_barrier_with_wait_list(cl_command_queue handle, cl_uint count, const cl_event* waits,
                                      cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(handle));
  return submit_empty(queue, CL_COMMAND_BARRIER, count, waits, event,
                      count ? Queue::Ordering::barrier : Queue::Ordering::barrier_after_all);
}

Status command_barrier(cl_command_buffer_khr buffer, cl_command_queue queue,
                       const cl_command_properties_khr* properties, cl_uint count,
                       const cl_sync_point_khr* waits, cl_sync_point_khr* sync_point,
                       cl_mutable_command_khr* handle) {
  ToCommandBuffer destination(buffer, queue, properties, count, waits, sync_point, handle);
  TRY(destination.resolve());
  TRY(destination.check_waits());
  return destination.take_barrier();
}

Status enqueue_marker(cl_command_queue handle, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(handle));
  if (!event) return fail(CL_INVALID_VALUE, "event is NULL");
  return submit_empty(queue, CL_COMMAND_MARKER, 0, nullptr, event, Queue::Ordering::after_all);
}

Status enqueue_barrier(cl_command_queue handle) {
  TRY(Queue & queue, object_cast<Queue>(handle));
  return submit_empty(queue, CL_COMMAND_BARRIER, 0, nullptr, nullptr, Queue::Ordering::barrier_after_all);
}

Status enqueue_wait_for_events(cl_command_queue handle, cl_uint count, const cl_event* events) {
  TRY(Queue & queue, object_cast<Queue>(handle));
  if (!count || !events) return fail(CL_INVALID_VALUE, "num_events is 0 or event_list is NULL");
  auto list = WaitList::checked(queue.context(), count, events);
  if (!list.ok()) {
    Error error = std::move(list).error();
    if (error.code() == CL_INVALID_EVENT_WAIT_LIST)
      return Error(CL_INVALID_EVENT, std::string(error.sentence()));
    return error;
  }
  return submit_empty(queue, CL_COMMAND_BARRIER, count, events, nullptr, Queue::Ordering::barrier);
}

} // namespace hostcl::runtime
