// Part of queue.hpp: queries of a queue.

#include "runtime/context/device_queue.hpp"
#include "runtime/queue/queue.hpp"

namespace hostcl::runtime {

namespace {

using Q = Rows<Queue>;
cl_context context_of(const Queue& q) {
  return q.context().handle();
}
cl_device_id device_of(const Queue& q) {
  return q.device().handle();
}
cl_command_queue default_device_queue_of(const Queue& q) {
  const Ref<DeviceQueue> queue = q.context().device_queues().default_for(q.device());
  return queue ? queue->handle() : nullptr;
}
Status no_size(const Queue&, Answer&) {
  return fail(CL_INVALID_COMMAND_QUEUE,
              "CL_QUEUE_SIZE is a query of device queues; command_queue is a host queue");
}

constexpr Row<Queue> rows[] = {
    Q::value<cl_context, context_of>(CL_QUEUE_CONTEXT),
    Q::value<cl_device_id, device_of>(CL_QUEUE_DEVICE),
    Q::value<cl_uint, &Queue::reference_count>(CL_QUEUE_REFERENCE_COUNT),
    Q::value<cl_command_queue_properties, &Queue::properties>(CL_QUEUE_PROPERTIES),
    Q::array<&Queue::property_list>(CL_QUEUE_PROPERTIES_ARRAY, "3.0"),
    Q::value<cl_command_queue, default_device_queue_of>(CL_QUEUE_DEVICE_DEFAULT, "2.1"),
    {CL_QUEUE_SIZE, no_size, "2.0"},
};

} // namespace

Status Queue::info(cl_command_queue_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
