#include "runtime/semaphore/semaphore.hpp"

#include <algorithm>
#include <utility>

namespace hostcl::runtime {

Semaphore::Semaphore(Context& context, SemaphoreProperties properties, std::shared_ptr<Payload> payload)
    : HandleObject(destroy_object<Semaphore>),
      context_(Ref<Context>(context)),
      properties_(std::move(properties)),
      payload_(std::move(payload)) {}

Semaphore::~Semaphore() {
  payload_->abandon();
}

Result<Ref<Semaphore>> Semaphore::create(Context& context, SemaphoreProperties properties) {
  const auto import_type = properties.import_type;
  const int imported = properties.descriptor;
  if (import_type) {
    const auto payload =
        import_type == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR ? make_fence_payload() : make_shared_payload(true);
    Ref<Semaphore> semaphore = make_object<Semaphore>(context, std::move(properties), payload);
    // Last: if the call fails, the descriptor still belongs to the application.
    payload->own(FileDescriptor(imported));
    return semaphore;
  }
  if (!std::ranges::count(properties.export_types, cl_uint{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR}))
    return make_object<Semaphore>(context, std::move(properties), make_paired_payload());
  TRY(FileDescriptor descriptor, make_shared_descriptor());
  const auto payload = make_shared_payload(false);
  payload->own(std::move(descriptor));
  return make_object<Semaphore>(context, std::move(properties), payload);
}

bool Semaphore::is_usable_on(const Device& device) const {
  return std::ranges::any_of(properties_.devices, [&](const auto& each) { return each.get() == &device; });
}

bool Semaphore::is_exported_as(cl_external_semaphore_handle_type_khr type) const {
  return std::ranges::find(properties_.export_types, type) != properties_.export_types.end();
}

std::shared_ptr<Payload> Semaphore::payload() const {
  std::scoped_lock guard(lock_);
  return payload_;
}

void Semaphore::reimport(int fence) {
  std::shared_ptr<Payload> payload = make_fence_payload();
  payload->own(FileDescriptor(fence));
  {
    std::scoped_lock guard(lock_);
    payload_.swap(payload);
  }
  payload->abandon();
}

// ---- Queries

namespace {

using S = Rows<Semaphore>;

cl_context context_of(const Semaphore& semaphore) {
  return semaphore.context().handle();
}
bool is_signaled(const Semaphore& semaphore) {
  return semaphore.payload()->is_signaled();
}
const std::vector<cl_semaphore_properties_khr>& properties_of(const Semaphore& semaphore) {
  return semaphore.properties().list;
}
std::vector<cl_device_id> devices_of(const Semaphore& semaphore) {
  std::vector<cl_device_id> handles;
  for (const auto& device : semaphore.properties().devices)
    handles.push_back(device->handle());
  return handles;
}
const std::vector<cl_external_semaphore_handle_type_khr>& export_types_of(const Semaphore& semaphore) {
  return semaphore.properties().export_types;
}
bool is_exportable(const Semaphore& semaphore) {
  return !export_types_of(semaphore).empty();
}

constexpr Row<Semaphore> rows[] = {
    S::value<cl_context, context_of>(CL_SEMAPHORE_CONTEXT_KHR),
    S::value<cl_uint, &Semaphore::reference_count>(CL_SEMAPHORE_REFERENCE_COUNT_KHR),
    S::array<properties_of>(CL_SEMAPHORE_PROPERTIES_KHR),
    S::constant<cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR>(CL_SEMAPHORE_TYPE_KHR),
    S::value<cl_semaphore_payload_khr, is_signaled>(CL_SEMAPHORE_PAYLOAD_KHR),
    S::array<devices_of>(CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR),
    S::array<export_types_of>(CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR),
    S::value<cl_bool, is_exportable>(CL_SEMAPHORE_EXPORTABLE_KHR),
};

} // namespace

Status Semaphore::info(cl_semaphore_info_khr name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
