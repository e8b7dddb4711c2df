// Semaphores (OpenCL 3.1 API, "Semaphores": cl_khr_semaphore, cl_khr_external_semaphore and its handles).
// Declared in runtime/api/api.hpp.

#include "runtime/semaphore/semaphore.hpp"
#include "runtime/api/api.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/semaphore/semaphore_work.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace hostcl::runtime {

// ---- Creation

namespace {

using Property = cl_semaphore_properties_khr;

/// The descriptor of a semaphore that a property contains. Unlike a descriptor of memory, the descriptor may be -1,
/// which stands for a fence that has been signalled. The application may have extended the 32-bit number with zeros or
/// with its sign.
Result<int> semaphore_descriptor_of(Property value) {
  const auto descriptor = static_cast<int>(value);
  if (value != static_cast<Property>(descriptor) && value != static_cast<cl_uint>(descriptor))
    return fail(CL_INVALID_PROPERTY, "0x", std::hex, value, " is not a file descriptor");
  return descriptor;
}

/// Reads the property list of clCreateSemaphoreWithPropertiesKHR().
class PropertyReader {
public:
  explicit PropertyReader(const Context& context, const Property* list) : context_(context), next_(list) {}
  Result<SemaphoreProperties> read();

private:
  Status read_property(Property name);
  std::vector<Property> read_list();
  Status read_import(Property name);
  Status read_export_types();
  Status find_devices();
  Property take() {
    properties_.list.push_back(*next_);
    return *next_++;
  }

  const Context& context_;
  const Property* next_;
  std::vector<Property> names_;
  std::optional<std::vector<Property>> devices_;
  SemaphoreProperties properties_;
};

Result<SemaphoreProperties> PropertyReader::read() {
  while (const Property name = take()) {
    if (std::ranges::count(names_, name)) // before reading its value, which may be missing
      return fail(CL_INVALID_PROPERTY, "semaphore property 0x", std::hex, name, " is given twice");
    names_.push_back(name);
    TRY(read_property(name));
  }
  if (context_.devices().size() > 1 && !devices_)
    return fail(CL_INVALID_PROPERTY,
                "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR is missing; it is needed, as the context has ",
                context_.devices().size(), " devices");
  TRY(find_devices());
  if (!std::ranges::count(names_, Property{CL_SEMAPHORE_TYPE_KHR}))
    return fail(CL_INVALID_VALUE, "CL_SEMAPHORE_TYPE_KHR is missing");
  if (properties_.export_types.size() > 1)
    return fail(CL_INVALID_VALUE, "CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR has ",
                properties_.export_types.size(), " types; it may have one");
  if (properties_.import_type && std::ranges::count(names_, Property{CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR}))
    return fail(CL_INVALID_OPERATION,
                "a semaphore that is imported cannot have CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR");
  return std::move(properties_);
}

Status PropertyReader::read_property(Property name) {
  switch (name) {
  case CL_SEMAPHORE_TYPE_KHR:
    if (const Property type = take(); type != CL_SEMAPHORE_TYPE_BINARY_KHR)
      return fail(CL_INVALID_PROPERTY, "CL_SEMAPHORE_TYPE_KHR is ", type,
                  "; it must be CL_SEMAPHORE_TYPE_BINARY_KHR");
    return {};
  case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
    devices_ = read_list();
    return {};
  case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
    return read_export_types();
  case CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR:
  case CL_SEMAPHORE_HANDLE_SYNC_FD_KHR:
    return read_import(name);
  default:
    return fail(CL_INVALID_PROPERTY, "semaphore property 0x", std::hex, name, " is not supported");
  }
}

std::vector<Property> PropertyReader::read_list() {
  std::vector<Property> list;
  while (const Property value = take())
    list.push_back(value);
  return list;
}

Status PropertyReader::read_export_types() {
  for (const Property type : read_list()) {
    if (!std::ranges::count(semaphore_handle_types, type))
      return fail(CL_INVALID_PROPERTY, "CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR has 0x", std::hex, type,
                  ", which is not supported");
    properties_.export_types.push_back(static_cast<cl_external_semaphore_handle_type_khr>(type));
  }
  return {};
}

Status PropertyReader::read_import(Property name) {
  if (properties_.import_type)
    return fail(CL_INVALID_PROPERTY, "more than one handle is given; a semaphore is imported from one");
  TRY(properties_.descriptor, semaphore_descriptor_of(take()));
  properties_.import_type = static_cast<cl_external_semaphore_handle_type_khr>(name);
  const int descriptor = properties_.descriptor;
  if (const char* defect = name == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR ? defect_of_fence(descriptor)
                                                                   : defect_of_shared_descriptor(descriptor))
    return fail(CL_INVALID_PROPERTY, "file descriptor ", descriptor, " ", defect);
  return {};
}

Status PropertyReader::find_devices() {
  if (!devices_) {
    properties_.devices = context_.devices();
    return {};
  }
  if (devices_->size() != 1)
    return fail(CL_INVALID_DEVICE, "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR has ", devices_->size(),
                " devices; it must have one");
  TRY(Device & device, object_cast<Device>(reinterpret_cast<cl_device_id>(devices_->front())));
  if (!context_.has(device))
    return fail(CL_INVALID_DEVICE,
                "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR has a device that is not one of the context");
  properties_.devices.push_back(Ref<Device>(device));
  return {};
}

} // namespace

Result<cl_semaphore_khr> create_semaphore_with_properties(cl_context handle,
                                                          const cl_semaphore_properties_khr* list) {
  TRY(Context & context, usable_context(handle));
  if (!list) return fail(CL_INVALID_VALUE, "sema_props is NULL");
  TRY(SemaphoreProperties properties, PropertyReader(context, list).read());
  TRY(Ref<Semaphore> semaphore, Semaphore::create(context, std::move(properties)));
  return expose(std::move(semaphore));
}

// ---- Commands

namespace {

/// The semaphores of a wait or of a signal command, after the checks that both commands need.
Result<std::vector<Ref<Semaphore>>> semaphores_for(const Queue& queue, cl_uint count,
                                                   const cl_semaphore_khr* handles) {
  if (!count || !handles) return fail(CL_INVALID_VALUE, "num_sema_objects is 0 or sema_objects is NULL");
  std::vector<Ref<Semaphore>> semaphores;
  for (cl_uint i = 0; i < count; ++i) {
    TRY(Semaphore & semaphore, object_cast<Semaphore>(handles[i]));
    semaphores.push_back(Ref<Semaphore>(semaphore));
  }
  for (const auto& semaphore : semaphores)
    if (!semaphore->is_usable_on(queue.device()))
      return fail(CL_INVALID_COMMAND_QUEUE,
                  "the device of command_queue is not in the list of devices of semaphore ",
                  static_cast<const void*>(semaphore.get()));
  for (const auto& semaphore : semaphores)
    if (&semaphore->context() != &queue.context())
      return fail(CL_INVALID_CONTEXT, "semaphore ", static_cast<const void*>(semaphore.get()),
                  " and the command queue belong to different contexts");
  return semaphores;
}

/// A wait list that contains events of the application and internal events of the driver.
class AllEvents {
public:
  explicit AllEvents(const WaitList& list) : handles_(list.events, list.events + list.count) {}
  void add(Event& event) { handles_.push_back(event.handle()); }
  WaitList list() const { return {handles_.data(), static_cast<cl_uint>(handles_.size())}; }

private:
  std::vector<cl_event> handles_;
};

/// The waits of one command.
struct Waits {
  std::vector<PendingWait> all;
  std::vector<BeginWaitsWork::Begun> shared, others;
};

Result<Waits> prepare_waits(Context& context, const std::vector<Ref<Semaphore>>& semaphores) {
  Waits waits;
  for (const auto& semaphore : semaphores) {
    std::shared_ptr<Payload> payload = semaphore->payload();
    TRY(payload->prepare_wait());
    Ref<Event> event = make_object<Event>(context);
    (payload->is_shared() ? waits.shared : waits.others).push_back({payload, {event}});
    waits.all.push_back({std::move(payload), std::move(event)});
  }
  return waits;
}

/// Delays the command that begins the waits until the command that ends the waits has been enqueued. If the second
/// command cannot be enqueued, the destructor makes the first one fail as well.
class Gate {
public:
  explicit Gate(Context& context) : event_(make_object<Event>(context)) {}
  ~Gate() {
    if (event_->is_done()) return;
    event_->set_aborted();
    event_->advance(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  Gate(const Gate&) = delete;
  void open() { event_->advance(CL_COMPLETE); }
  Event& event() { return *event_; }

private:
  Ref<Event> event_;
};

Status submit_waits(Queue& queue, Waits waits, const WaitList& list, cl_event* event) {
  std::optional<Gate> gate;
  if (!waits.shared.empty()) {
    gate.emplace(queue.context());
    AllEvents before(list);
    before.add(gate->event());
    TRY(queue.submit<BeginWaitsWork>({.type = CL_COMMAND_SEMAPHORE_WAIT_KHR, .waits = before.list()},
                                     std::move(waits.shared)));
  }
  AllEvents before(list);
  for (const PendingWait& wait : waits.all)
    before.add(*wait.event);
  TRY(queue.submit<WaitWork>({.type = CL_COMMAND_SEMAPHORE_WAIT_KHR, .waits = before.list(), .event = event},
                             std::move(waits.all)));
  if (gate) gate->open();
  for (auto& [payload, wait] : waits.others)
    payload->add_wait(std::move(wait));
  return {};
}

} // namespace

Status enqueue_wait_semaphores(cl_command_queue queue_handle, cl_uint semaphore_count,
                               const cl_semaphore_khr* handles, const cl_semaphore_payload_khr*,
                               cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(auto semaphores, semaphores_for(queue, semaphore_count, handles));
  TRY(WaitList list, WaitList::good(queue.context(), count, waits));
  TRY(Waits prepared, prepare_waits(queue.context(), semaphores));
  return submit_waits(queue, std::move(prepared), list, event);
}

Status enqueue_signal_semaphores(cl_command_queue queue_handle, cl_uint semaphore_count,
                                 const cl_semaphore_khr* handles, const cl_semaphore_payload_khr*,
                                 cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(auto semaphores, semaphores_for(queue, semaphore_count, handles));
  TRY(WaitList list, WaitList::good(queue.context(), count, waits));
  std::vector<PendingSignal> signals;
  std::vector<SignalNode> nodes;
  for (const auto& semaphore : semaphores) {
    signals.push_back({semaphore->payload(), std::make_shared<Signal>()});
    nodes.push_back({signals.back().signal});
  }
  TRY(queue.submit<SignalWork>({.type = CL_COMMAND_SEMAPHORE_SIGNAL_KHR, .waits = list, .event = event},
                               signals));
  for (std::size_t i = 0; i < signals.size(); ++i)
    signals[i].payload->add_signal(std::move(nodes[i]));
  return {};
}

// ---- Queries and handles

Status get_semaphore_info(cl_semaphore_khr handle, cl_semaphore_info_khr name, size_t size, void* value,
                          size_t* size_ret) {
  TRY(Semaphore & semaphore, object_cast<Semaphore>(handle));
  return semaphore.info(name, Answer(size, value, size_ret));
}

Status get_semaphore_handle_for_type(cl_semaphore_khr handle, cl_device_id device_handle,
                                     cl_external_semaphore_handle_type_khr type, size_t size, void* value,
                                     size_t* size_ret) {
  TRY(Semaphore & semaphore, object_cast<Semaphore>(handle));
  TRY(Device & device, object_cast<Device>(device_handle));
  if (!semaphore.is_usable_on(device))
    return fail(CL_INVALID_DEVICE, "device is not in the semaphore's list of devices");
  if (!semaphore.is_exported_as(type))
    return fail(CL_INVALID_VALUE, "handle_type 0x", std::hex, type,
                " is not in CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR");
  if (value && size < sizeof(int))
    return fail(CL_INVALID_VALUE, "handle_size is ", size, "; it must be at least the ", sizeof(int),
                " bytes of a file descriptor");
  if (value) {
    TRY(int descriptor, semaphore.payload()->exported(semaphore.context()));
    std::memcpy(value, &descriptor, sizeof descriptor);
  }
  if (size_ret) *size_ret = sizeof(int);
  return {};
}

Status reimport_semaphore_sync_fd(cl_semaphore_khr handle, cl_semaphore_reimport_properties_khr* properties,
                                  int descriptor) {
  TRY(Semaphore & semaphore, object_cast<Semaphore>(handle));
  if (semaphore.properties().import_type != CL_SEMAPHORE_HANDLE_SYNC_FD_KHR)
    return fail(CL_INVALID_SEMAPHORE_KHR, "the semaphore was not imported from a sync fd");
  if (properties && *properties)
    return fail(CL_INVALID_VALUE, "reimport property 0x", std::hex, *properties, " is not supported");
  if (const char* defect = defect_of_fence(descriptor))
    return fail(CL_INVALID_VALUE, "file descriptor ", descriptor, " ", defect);
  semaphore.reimport(descriptor);
  return {};
}

} // namespace hostcl::runtime
