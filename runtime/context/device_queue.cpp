#include "runtime/context/device_queue.hpp"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

namespace hostcl::runtime {

DeviceQueue::DeviceQueue(Context& context, Device& device, Settings settings)
    : HandleObject(destroy_object<DeviceQueue>),
      context_(Ref<Context>(context)),
      device_(Ref<Device>(device)),
      settings_(std::move(settings)) {}

DeviceQueue::~DeviceQueue() {
  context_->device_queues().remove(*this);
}

bool DeviceQueue::take(std::atomic<std::size_t>& used, std::size_t amount, std::size_t limit) {
  std::size_t now = used.load(std::memory_order_relaxed);
  do {
    if (amount > limit - now) return false;
  } while (!used.compare_exchange_weak(now, now + amount, std::memory_order_relaxed));
  return true;
}

namespace {

using Q = Rows<DeviceQueue>;
cl_context context_of(const DeviceQueue& q) {
  return q.context().handle();
}
cl_device_id device_of(const DeviceQueue& q) {
  return q.device().handle();
}
cl_command_queue default_queue_of(const DeviceQueue& q) {
  const Ref<DeviceQueue> queue = q.context().device_queues().default_for(q.device());
  return queue ? queue->handle() : nullptr;
}

} // namespace

Status DeviceQueue::info(cl_command_queue_info name, Answer answer) const {
  static constexpr Row<DeviceQueue> rows[] = {
      Q::value<cl_context, context_of>(CL_QUEUE_CONTEXT),
      Q::value<cl_device_id, device_of>(CL_QUEUE_DEVICE),
      Q::value<cl_uint, &DeviceQueue::reference_count>(CL_QUEUE_REFERENCE_COUNT),
      {CL_QUEUE_PROPERTIES,
       [](const DeviceQueue& q, Answer& a) {
         return a.bytes(&q.settings_.properties, sizeof(q.settings_.properties));
       }},
      {CL_QUEUE_SIZE, [](const DeviceQueue& q,
                         Answer& a) { return a.bytes(&q.settings_.bytes, sizeof(q.settings_.bytes)); }},
      {CL_QUEUE_PROPERTIES_ARRAY,
       [](const DeviceQueue& q, Answer& a) {
         return a.array(std::span<const cl_queue_properties>(q.settings_.list));
       },
       "3.0"},
      Q::value<cl_command_queue, default_queue_of>(CL_QUEUE_DEVICE_DEFAULT, "2.1"),
  };
  return answer_query(rows, *this, name, answer);
}

// ---- The queues of a context

Ref<DeviceQueue> DeviceQueues::default_locked(const Device& device) const {
  for (const Known& known : known_)
    if (known.is_default && &known.queue->device() == &device && known.queue->try_retain())
      return Ref<DeviceQueue>::adopt(known.queue);
  return {};
}

Ref<DeviceQueue> DeviceQueues::default_for(const Device& device) {
  std::scoped_lock guard(lock_);
  return default_locked(device);
}

Ref<DeviceQueue> DeviceQueues::add(Ref<DeviceQueue> made, bool is_default) {
  const Device& device = made->device();
  std::scoped_lock guard(lock_);
  if (is_default)
    if (Ref<DeviceQueue> existing = default_locked(device)) return existing;
  const auto is_of_device = [&](const Known& known) { return &known.queue->device() == &device; };
  if (std::ranges::count_if(known_, is_of_device) >= device.limits().device_queues) return {};
  known_.push_back({made.get(), is_default});
  return made;
}

void DeviceQueues::remove(const DeviceQueue& queue) {
  std::scoped_lock guard(lock_);
  std::erase_if(known_, [&](const Known& known) { return known.queue == &queue; });
}

void DeviceQueues::set_default(const DeviceQueue& queue) {
  std::scoped_lock guard(lock_);
  for (Known& known : known_)
    if (&known.queue->device() == &queue.device()) known.is_default = known.queue == &queue;
}

} // namespace hostcl::runtime
