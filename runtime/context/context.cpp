#include "runtime/context/context.hpp"

#include "runtime/support/options.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace hostcl::runtime {

namespace {

bool has_terminate_property(const std::vector<cl_context_properties>& list) {
  for (std::size_t i = 0; i + 1 < list.size(); i += 2)
    if (list[i] == CL_CONTEXT_TERMINATE_KHR) return list[i + 1] == CL_TRUE;
  return false;
}

} // namespace

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                 Notify notify, void* user_data, const abi::HostCallbacks& host_callbacks,
                 std::shared_ptr<compiler::CodeHost> code_host)
    : HandleObject(destroy_object<Context>),
      devices_(std::move(devices)),
      properties_(std::move(properties)),
      notify_(notify),
      user_data_(user_data),
      notify_mask_(notify ? SignalMask::of_this_thread() : SignalMask()),
      host_callbacks_(host_callbacks),
      code_host_(std::move(code_host)),
      is_terminable_(has_terminate_property(properties_)),
      fill_(options().clear ? std::byte{0} : first_device().quirks().fill_memory) {
  host_callbacks_.context = this;
}

Context::~Context() {
  if (code_host_)
    code_host_->stop("the end of its context"); // machine code, and with it the host, may outlive the context
  destructor_callbacks_.call(handle());
}

void Context::tell(const std::string& sentence) const {
  const ApplicationCode scope(notify_mask_);
  is_notifying_ = true;
  notify_(sentence.c_str(), nullptr, 0, user_data_);
  is_notifying_ = false;
}

bool Context::terminate() {
  if (is_terminated_.exchange(true)) return false;
  // A HostedCall that has seen the flag unset may begin after a stop(), so stop() is repeated until no HostedCall is
  // left. The number of attempts is limited for children of fork(), in which the calls of the parent's threads never
  // end.
  if (code_host_) code_host_->stop("the end of its context"); // also constructors of programs
  for (unsigned i = 0; hosted_calls_ != 0 && i < 10'000; ++i) {
    code_host_->stop("the end of its context");
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  user_events_.end_all();
  device_user_events_.end_all();
  return true;
}

Result<Context&> usable_context(cl_context handle) {
  TRY(Context & context, object_cast<Context>(handle));
  TRY(context.check_not_terminated());
  return context;
}

bool Context::has(const Device& device) const {
  return std::ranges::any_of(devices_, [&](const Ref<Device>& d) { return d.get() == &device; });
}

bool Context::has_svm(cl_device_svm_capabilities kinds) const {
  return std::ranges::any_of(devices_, [&](const auto& device) { return !(kinds & ~device->limits().svm); });
}

bool Context::has_image_format(const cl_image_format& format, cl_mem_object_type type,
                               cl_mem_flags flags) const {
  return std::ranges::any_of(devices_, [&](const auto& device) {
    return device->limits().has_images && device->has_image_format(format, type, flags);
  });
}

Status Context::check_images() const {
  if (most(&Limits::has_images)) [[likely]]
    return {};
  return fail(CL_INVALID_OPERATION, "no device of the context has images (CL_DEVICE_IMAGE_SUPPORT)");
}

std::uint64_t Context::max_allocation_bytes(const Device* device) const {
  if (device) return device->max_allocation_bytes();
  std::uint64_t least = first_device().max_allocation_bytes();
  for (const Ref<Device>& each : devices_)
    least = std::min(least, each->max_allocation_bytes());
  return least;
}

Device& Context::device_with_most_memory() const {
  const auto bytes = [](const Ref<Device>& device) { return device->memory_bytes(); };
  return (*std::ranges::max_element(devices_, {}, bytes))->root();
}

bool Context::reserve_memory(std::uint64_t bytes) {
  return device_with_most_memory().reserve_memory(bytes);
}

void Context::unreserve_memory(std::uint64_t bytes) {
  device_with_most_memory().unreserve_memory(bytes);
}

std::uint64_t Context::memory_in_use() const {
  return device_with_most_memory().memory_in_use();
}

namespace {

using C = Rows<Context>;
cl_uint device_count(const Context& c) {
  return static_cast<cl_uint>(c.devices().size());
}
std::vector<cl_device_id> device_handles(const Context& c) {
  std::vector<cl_device_id> handles;
  for (const auto& device : c.devices())
    handles.push_back(device->handle());
  return handles;
}

constexpr Row<Context> rows[] = {
    C::value<cl_uint, &Context::reference_count>(CL_CONTEXT_REFERENCE_COUNT),
    C::value<cl_uint, device_count>(CL_CONTEXT_NUM_DEVICES),
    C::array<device_handles>(CL_CONTEXT_DEVICES),
    C::array<&Context::properties>(CL_CONTEXT_PROPERTIES),
};

} // namespace

Status Context::info(cl_context_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
