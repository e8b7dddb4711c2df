#pragma once

// A session with a default queue on the device, for kernels that enqueue kernels.

#include "support/session.hpp"

#include <initializer_list>

namespace test {

inline constexpr cl_command_queue_properties on_device =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

/// A queue on the device; `bytes` of 0 leaves its size to the driver.
inline Queue make_device_queue(cl_context context, cl_command_queue_properties more = 0, cl_uint bytes = 0) {
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, on_device | more,
                                            bytes ? cl_queue_properties{CL_QUEUE_SIZE} : 0, bytes, 0};
  cl_int error = 1;
  Queue queue(clCreateCommandQueueWithProperties(context, device(), properties, &error));
  REQUIRE_CL(error);
  return queue;
}

inline bool has_device_queues() {
  return device_value<cl_device_device_enqueue_capabilities>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) &
         CL_DEVICE_QUEUE_SUPPORTED;
}

struct EnqueueSession : Session {
  explicit EnqueueSession(cl_command_queue_properties properties = 0, cl_uint bytes = 0)
      : Session(properties), device_queue(make_device_queue(context, CL_QUEUE_ON_DEVICE_DEFAULT, bytes)) {}

  /// What kernel k(out) of the source leaves in `count` numbers that are 0 before.
  std::vector<cl_int> results(const char* text, size_t count, Range global = 1,
                              const char* options = "-cl-std=CL3.0") const {
    const auto kernel = this->kernel(text, "k", options);
    const auto out = buffer(std::vector<cl_int>(count));
    set_arguments(kernel, out);
    run(kernel, global);
    return read<cl_int>(out, count);
  }

  Queue device_queue;
};

} // namespace test
