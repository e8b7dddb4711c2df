#include "runtime/launch/device_event.hpp"

#include "runtime/launch/child.hpp"

#include <bit>
#include <mutex>
#include <utility>

namespace hostcl::runtime {

namespace {

void end_with_context(_cl_event& event) {
  complete_event(static_cast<DeviceEvent&>(event), CL_CONTEXT_TERMINATED_KHR, {});
}

} // namespace

DeviceEvent::DeviceEvent(Context& context)
    : HandleObject(destroy_object<DeviceEvent>),
      context_(&context),
      status_(CL_SUBMITTED),
      place_(*this, end_with_context) {}

DeviceEvent::DeviceEvent(DeviceQueue& queue)
    : HandleObject(destroy_object<DeviceEvent>),
      context_(&queue.context()),
      queue_(queue),
      status_(CL_QUEUED),
      place_(*this, end_with_context) {}

DeviceEvent::~DeviceEvent() {
  if (queue_) queue_->unreserve_event();
}

Ref<DeviceEvent> DeviceEvent::find(std::uint64_t number, const Context& context) {
  auto* handle = std::bit_cast<_cl_event*>(number);
  if (!handle_arena::contains(handle) || !handle->is_live(kind) || !handle->try_retain()) return {};
  auto event = Ref<DeviceEvent>::adopt(static_cast<DeviceEvent*>(handle));
  // The slot may have got another object before try_retain().
  return event->is_live(kind) && event->context_ == &context ? std::move(event) : Ref<DeviceEvent>();
}

bool DeviceEvent::add(ChildWait& wait) {
  std::scoped_lock guard(lock_);
  if (status_.load(std::memory_order_relaxed) <= CL_COMPLETE) return false;
  (last_wait_ ? last_wait_->next : first_wait_) = &wait;
  last_wait_ = &wait;
  retain(); // kernels may release the event while the child waits for it
  return true;
}

ChildWait* DeviceEvent::complete(cl_int status, const ChildTimes& times) {
  std::scoped_lock guard(lock_);
  if (status_.load(std::memory_order_relaxed) <= CL_COMPLETE) return nullptr;
  times_ = times;
  if (captured_) write(times_, captured_);
  status_.store(status, std::memory_order_release);
  return std::exchange(first_wait_, nullptr);
}

void DeviceEvent::capture(std::uint64_t* value) {
  std::scoped_lock guard(lock_);
  captured_ = value;
  if (status_.load(std::memory_order_relaxed) <= CL_COMPLETE) write(times_, value);
}

void DeviceEvent::write(const ChildTimes& times, std::uint64_t* value) {
  value[0] = times.ended - times.started;
  value[1] = times.completed - times.started;
}

} // namespace hostcl::runtime
