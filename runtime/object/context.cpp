#include "runtime/object/context.hpp"

#include "compiler/printf.hpp"
#include "runtime/checks/services.hpp"
#include "runtime/device_queue/enqueuer.hpp"
#include "runtime/queue/running_kernel.hpp"
#include "runtime/queue/traps.hpp"
#include "runtime/support/log.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <new>
#include <string>

namespace hostcl::runtime {

namespace {

/// Bytes given out by all contexts: they share the device's memory.
std::atomic<std::uint64_t> memory_in_use{0};

/// Whether the launch that prints may print that much; writes once that it may not.
bool may_print(std::size_t bytes) {
  const std::uint64_t most = options().printf_size;
  const RunningKernel* kernel = running_kernel();
  if (most == 0 || !kernel) return true;
  const std::uint64_t before = kernel->printed->fetch_add(bytes, std::memory_order_relaxed);
  if (before <= most && bytes <= most - before) return true;
  if (before <= most)
    log(LogLevel::warn, "kernel '", kernel->signature->name, "' has printed ", before,
        " bytes in one launch; what it prints more is dropped (HOSTCL_PRINTF_SIZE=", most, ")");
  kernel->printed->store(most + 1, std::memory_order_relaxed);
  return false;
}

/// abi::Services::print: all contexts print to standard output.
std::int32_t print(void*, const char* format, const std::byte* arguments) {
  try {
    std::string message;
    const bool is_correct = compiler::format_message(message, format, arguments);
    if (!may_print(message.size())) return -1;
    std::fwrite(message.data(), 1, message.size(), stdout);
    std::fflush(stdout); // complete when the kernel is, for any process that reads the file then
    return is_correct ? 0 : -1;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

} // namespace

Context::Context(std::vector<Ref<Device>> devices, std::vector<cl_context_properties> properties,
                 Notify notify, void* user_data)
    : HandleObject(destroy_object<Context>),
      devices_(std::move(devices)),
      properties_(std::move(properties)),
      notify_(notify),
      user_data_(user_data),
      notify_mask_(notify ? SignalMask::of_this_thread() : SignalMask()),
      services_{} {
  services_.context = this;
  services_.print = print;
  add_enqueue_services(services_);
  add_trap_service(services_);
  checks::add_services(services_);
}

Context::~Context() {
  destructor_callbacks_.call(handle());
}

void Context::tell(const std::string& sentence) const {
  const ApplicationCode mark(notify_mask_);
  is_notifying_ = true;
  notify_(sentence.c_str(), nullptr, 0, user_data_);
  is_notifying_ = false;
}

bool Context::has(const Device& device) const {
  return std::ranges::any_of(devices_, [&](const Ref<Device>& d) { return d.get() == &device; });
}

bool Context::reserve_memory(std::uint64_t bytes) {
  std::uint64_t limit = first_device().memory_bytes();
  auto used = memory_in_use.load(std::memory_order_relaxed);
  do {
    if (used > limit || bytes > limit - used) return false;
  } while (!memory_in_use.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

void Context::unreserve_memory(std::uint64_t bytes) {
  memory_in_use.fetch_sub(bytes, std::memory_order_relaxed);
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
