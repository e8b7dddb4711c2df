// Command-queues (OpenCL 3.0 API, 5.1)

#include "support/session.hpp"

namespace {

cl_int create(std::vector<cl_queue_properties> properties) {
  const test::Context context = test::make_context();
  cl_int error = 1;
  test::Queue queue(clCreateCommandQueueWithProperties(
      context, test::device(), properties.empty() ? nullptr : properties.data(), &error));
  CHECK(bool(queue) == (error == CL_SUCCESS));
  return error;
}

} // namespace

TEST_CASE("clCreateCommandQueueWithProperties: all host properties work", "[queue]") {
  CHECK_CL(create({}));
  CHECK_CL(create({0}));
  CHECK_CL(create({CL_QUEUE_PROPERTIES, 0, 0}));
  CHECK_CL(create({CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0}));
  CHECK_CL(create({CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}));
}

TEST_CASE("clCreateCommandQueueWithProperties: an unknown property is CL_INVALID_VALUE", "[queue]") {
  CHECK_STATUS(create({0x7777, 1, 0}), CL_INVALID_VALUE);
}

TEST_CASE("clCreateCommandQueueWithProperties: unknown bits are CL_INVALID_VALUE", "[queue]") {
  CHECK_STATUS(create({CL_QUEUE_PROPERTIES, cl_queue_properties(1) << 20, 0}), CL_INVALID_VALUE);
}

TEST_CASE(
    "clCreateCommandQueueWithProperties: a device queue where there is none is CL_INVALID_QUEUE_PROPERTIES",
    "[queue]") {
  if (test::device_value<cl_uint>(CL_DEVICE_MAX_ON_DEVICE_QUEUES) > 0) return;
  CHECK_STATUS(create({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}),
               CL_INVALID_QUEUE_PROPERTIES);
}

TEST_CASE("clCreateCommandQueueWithProperties: unknown priorities and throttles are CL_INVALID_VALUE",
          "[queue]") {
  CHECK_STATUS(create({CL_QUEUE_PRIORITY_KHR, 77, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(create({CL_QUEUE_THROTTLE_KHR, 77, 0}), CL_INVALID_VALUE);
}

TEST_CASE("clCreateCommandQueueWithProperties: priority and throttle hints are taken where listed",
          "[queue]") {
  if (test::has_extension("cl_khr_priority_hints"))
    CHECK_CL(create({CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, 0}));
  if (test::has_extension("cl_khr_throttle_hints"))
    CHECK_CL(create({CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_LOW_KHR, 0}));
}

TEST_CASE("clCreateCommandQueue: the 1.x call works", "[queue]") {
  const test::Context context = test::make_context();
  cl_int error = 1;
  test::Queue queue(clCreateCommandQueue(context, test::device(), CL_QUEUE_PROFILING_ENABLE, &error));
  CHECK_CL(error);
  CHECK(queue);
}

TEST_CASE("clCreateCommandQueue: unknown bits are CL_INVALID_VALUE", "[queue]") {
  const test::Context context = test::make_context();
  cl_int error = 1;
  CHECK(clCreateCommandQueue(context, test::device(), cl_command_queue_properties(1) << 20, &error) ==
        nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  CHECK(clCreateCommandQueue(context, test::device(), CL_QUEUE_ON_DEVICE, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
}

TEST_CASE("clSetCommandQueueProperty: changes properties, and tells those before", "[queue]") {
  if (!test::is_hostcl()) return; // CL_INVALID_OPERATION elsewhere
  const test::Session session;
  cl_command_queue_properties before = 99, now = 0;
  CHECK_CL(clSetCommandQueueProperty(session.queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &before));
  CHECK(before == 0);
  CHECK_CL(clGetCommandQueueInfo(session.queue, CL_QUEUE_PROPERTIES, sizeof now, &now, nullptr));
  CHECK(now == CL_QUEUE_PROFILING_ENABLE);
  CHECK_CL(clSetCommandQueueProperty(session.queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, nullptr));
  CHECK_CL(clGetCommandQueueInfo(session.queue, CL_QUEUE_PROPERTIES, sizeof now, &now, nullptr));
  CHECK(now == 0);
}

TEST_CASE("clSetCommandQueueProperty: unknown bits are CL_INVALID_VALUE", "[queue]") {
  const test::Session session;
  for (cl_command_queue_properties bits : {1 << 20, CL_QUEUE_ON_DEVICE})
    CHECK_STATUS(clSetCommandQueueProperty(session.queue, bits, CL_TRUE, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clCreateCommandQueue: NULL device is CL_INVALID_DEVICE", "[queue]") {
  const test::Context context = test::make_context();
  cl_int error = 1;
  CHECK(clCreateCommandQueue(context, nullptr, 0, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_DEVICE);
  CHECK(clCreateCommandQueueWithProperties(context, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_DEVICE);
}

TEST_CASE("clGetCommandQueueInfo: answers every query of the table", "[queue]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  cl_context context = nullptr;
  cl_device_id id = nullptr;
  cl_uint references = 0;
  cl_command_queue_properties properties = 0;
  cl_command_queue device_default = session.queue;
  cl_queue_properties list[3] = {};
  size_t bytes = 0;
  CHECK_CL(clGetCommandQueueInfo(session.queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr));
  CHECK_CL(clGetCommandQueueInfo(session.queue, CL_QUEUE_DEVICE, sizeof id, &id, nullptr));
  CHECK_CL(clGetCommandQueueInfo(session.queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references,
                                 nullptr));
  CHECK_CL(
      clGetCommandQueueInfo(session.queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr));
  CHECK(context == session.context.get());
  CHECK(id == test::device());
  CHECK(references == 1);
  CHECK(properties == CL_QUEUE_PROFILING_ENABLE);
  CHECK_CL(clGetCommandQueueInfo(session.queue, CL_QUEUE_DEVICE_DEFAULT, sizeof device_default,
                                 &device_default, nullptr));
  CHECK(device_default == nullptr);
  CHECK_CL(clGetCommandQueueInfo(session.queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &bytes));
  CHECK(bytes == sizeof list);
  CHECK(list[0] == CL_QUEUE_PROPERTIES);
  CHECK(list[1] == CL_QUEUE_PROFILING_ENABLE);
}

TEST_CASE("clGetCommandQueueInfo: the size of a host queue is CL_INVALID_COMMAND_QUEUE", "[queue]") {
  const test::Session session;
  cl_uint size = 0;
  CHECK_STATUS(clGetCommandQueueInfo(session.queue, CL_QUEUE_SIZE, sizeof size, &size, nullptr),
               CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("clGetCommandQueueInfo: an unknown query is CL_INVALID_VALUE", "[queue]") {
  const test::Session session;
  CHECK_STATUS(clGetCommandQueueInfo(session.queue, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetCommandQueueInfo: a too small value is CL_INVALID_VALUE", "[queue]") {
  const test::Session session;
  char byte;
  CHECK_STATUS(clGetCommandQueueInfo(session.queue, CL_QUEUE_DEVICE, 1, &byte, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clRetainCommandQueue and clReleaseCommandQueue count", "[queue]") {
  const test::Session session;
  cl_uint references = 0;
  CHECK_CL(clRetainCommandQueue(session.queue));
  CHECK_CL(clGetCommandQueueInfo(session.queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references,
                                 nullptr));
  CHECK(references == 2);
  CHECK_CL(clReleaseCommandQueue(session.queue));
}

TEST_CASE("clSetDefaultDeviceCommandQueue: without device queues it is CL_INVALID_OPERATION", "[queue]") {
  if (test::device_value<cl_device_device_enqueue_capabilities>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES))
    return;
  const test::Session session;
  CHECK_STATUS(clSetDefaultDeviceCommandQueue(session.context, test::device(), session.queue),
               CL_INVALID_OPERATION);
}

TEST_CASE("clFlush and clFinish work on an empty queue", "[queue]") {
  const test::Session session;
  CHECK_CL(clFlush(session.queue));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clFlush: what was flushed runs without a further call", "[queue]") {
  const test::Session session;
  const auto buffer = session.buffer(64);
  const cl_int pattern = 5;
  test::Event event;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 64, 0, nullptr, event.address()));
  REQUIRE_CL(clFlush(session.queue));
  cl_int status = CL_QUEUED;
  for (int i = 0; i < 100'000 && status != CL_COMPLETE; ++i)
    REQUIRE_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  for (int i = 0; i < 5'000 && status != CL_COMPLETE; ++i) {
    const timespec millisecond{0, 1'000'000};
    nanosleep(&millisecond, nullptr);
    REQUIRE_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  }
  CHECK(status == CL_COMPLETE);
}

TEST_CASE("Releasing a queue lets its commands end", "[queue]") {
  const test::Session session;
  auto buffer = session.buffer(4 << 20);
  auto queue = test::make_queue(session.context);
  const cl_int pattern = 7;
  test::Event event;
  REQUIRE_CL(clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, 4 << 20, 0, nullptr, event.address()));
  queue.reset();
  const cl_event handle = event;
  CHECK_CL(clWaitForEvents(1, &handle));
  CHECK(session.read<cl_int>(buffer, 1, (1 << 20) - 1)[0] == 7);
}
