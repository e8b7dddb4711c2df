// Queues on the device (OpenCL 3.0 API, 5.1)

#include "support/device_queue.hpp"

#include <array>

namespace {

cl_int create(std::vector<cl_queue_properties> properties, cl_context context = nullptr) {
  const test::Context own = context ? test::Context() : test::make_context();
  cl_int error = 1;
  const test::Queue queue(clCreateCommandQueueWithProperties(context ? context : own.get(), test::device(),
                                                             properties.data(), &error));
  CHECK(bool(queue) == (error == CL_SUCCESS));
  return error;
}

template <class T>
T queue_value(cl_command_queue queue, cl_command_queue_info query) {
  T value{};
  REQUIRE_CL(clGetCommandQueueInfo(queue, query, sizeof value, &value, nullptr));
  return value;
}

} // namespace

TEST_CASE("Device queues: the device's limits are at least the specification's", "[device_queue]") {
  if (!test::has_device_queues()) return;
  CHECK(test::device_value<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE) >= 16 << 10);
  CHECK(test::device_value<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE) >= 256 << 10);
  CHECK(test::device_value<cl_uint>(CL_DEVICE_MAX_ON_DEVICE_QUEUES) >= 1);
  CHECK(test::device_value<cl_uint>(CL_DEVICE_MAX_ON_DEVICE_EVENTS) >= 1024);
  constexpr cl_command_queue_properties least =
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  CHECK((test::device_value<cl_command_queue_properties>(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES) & least) ==
        least);
  CHECK(test::device_value<cl_bool>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT));
}

TEST_CASE("Device queues: all their properties work", "[device_queue]") {
  if (!test::has_device_queues()) return;
  const auto largest = test::device_value<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  for (const cl_command_queue_properties more :
       {cl_command_queue_properties{0}, cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE},
        cl_command_queue_properties{CL_QUEUE_ON_DEVICE_DEFAULT},
        cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE_DEFAULT}}) {
    CHECK_CL(create({CL_QUEUE_PROPERTIES, test::on_device | more, 0}));
    CHECK_CL(create({CL_QUEUE_PROPERTIES, test::on_device | more, CL_QUEUE_SIZE, largest, 0}));
    CHECK_CL(create({CL_QUEUE_SIZE, 4096, CL_QUEUE_PROPERTIES, test::on_device | more, 0}));
  }
}

TEST_CASE("Device queues: properties that are not valid are CL_INVALID_VALUE", "[device_queue]") {
  if (!test::has_device_queues()) return;
  const auto largest = test::device_value<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  CHECK_STATUS(create({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}), CL_INVALID_VALUE);
  CHECK_STATUS(
      create({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}),
      CL_INVALID_VALUE);
  CHECK_STATUS(create({CL_QUEUE_PROPERTIES, test::on_device | cl_queue_properties(1) << 20, 0}),
               CL_INVALID_VALUE);
  CHECK_STATUS(
      create({CL_QUEUE_PROPERTIES, test::on_device, CL_QUEUE_SIZE, largest + cl_queue_properties{1}, 0}),
      CL_INVALID_VALUE);
  CHECK_STATUS(create({CL_QUEUE_SIZE, 4096, 0}), CL_INVALID_VALUE);
}

TEST_CASE("Device queues: hints for host queues are CL_INVALID_QUEUE_PROPERTIES", "[device_queue]") {
  if (!test::has_device_queues()) return;
  if (test::has_extension("cl_khr_priority_hints"))
    CHECK_STATUS(
        create({CL_QUEUE_PROPERTIES, test::on_device, CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, 0}),
        CL_INVALID_QUEUE_PROPERTIES);
  if (test::has_extension("cl_khr_throttle_hints"))
    CHECK_STATUS(
        create({CL_QUEUE_PROPERTIES, test::on_device, CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_LOW_KHR, 0}),
        CL_INVALID_QUEUE_PROPERTIES);
}

TEST_CASE("Device queues: queries answer", "[device_queue]") {
  if (!test::has_device_queues()) return;
  const auto context = test::make_context();
  const auto queue = test::make_device_queue(context, CL_QUEUE_PROFILING_ENABLE, 8192);
  CHECK(queue_value<cl_context>(queue, CL_QUEUE_CONTEXT) == context.get());
  CHECK(queue_value<cl_device_id>(queue, CL_QUEUE_DEVICE) == test::device());
  CHECK(queue_value<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT) == 1);
  CHECK(queue_value<cl_uint>(queue, CL_QUEUE_SIZE) == 8192);
  CHECK(queue_value<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES) ==
        (test::on_device | CL_QUEUE_PROFILING_ENABLE));
  using List = std::array<cl_queue_properties, 5>;
  CHECK(queue_value<List>(queue, CL_QUEUE_PROPERTIES_ARRAY) ==
        List{CL_QUEUE_PROPERTIES, test::on_device | CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_SIZE, 8192, 0});
  CHECK(queue_value<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT) == nullptr);
  CHECK_STATUS(clGetCommandQueueInfo(queue, 0x7777, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_uint size;
  CHECK_STATUS(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 2, &size, nullptr), CL_INVALID_VALUE);
  const auto plain = test::make_device_queue(context);
  CHECK(queue_value<cl_uint>(plain, CL_QUEUE_SIZE) ==
        test::device_value<cl_uint>(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
}

TEST_CASE("Device queues: references are counted, and a released handle is CL_INVALID_COMMAND_QUEUE",
          "[device_queue]") {
  if (!test::has_device_queues()) return;
  const auto context = test::make_context();
  auto queue = test::make_device_queue(context);
  CHECK_CL(clRetainCommandQueue(queue));
  CHECK(queue_value<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT) == 2);
  CHECK_CL(clReleaseCommandQueue(queue));
  const cl_command_queue gone = queue.release();
  CHECK_CL(clReleaseCommandQueue(gone));
  CHECK_STATUS(clReleaseCommandQueue(gone), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clRetainCommandQueue(gone), CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("Device queues: the default is one per device and context", "[device_queue]") {
  if (!test::has_device_queues()) return;
  const auto context = test::make_context();
  const auto host = test::make_queue(context);
  CHECK(queue_value<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT) == nullptr);
  {
    const auto first = test::make_device_queue(context, CL_QUEUE_ON_DEVICE_DEFAULT);
    const auto second = test::make_device_queue(context, CL_QUEUE_ON_DEVICE_DEFAULT, 4096);
    CHECK(second.get() == first.get());
    CHECK(queue_value<cl_uint>(first, CL_QUEUE_REFERENCE_COUNT) == 2);
    CHECK(queue_value<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT) == first.get());
    CHECK(queue_value<cl_command_queue>(first, CL_QUEUE_DEVICE_DEFAULT) == first.get());
    const auto other = test::make_context();
    CHECK(test::make_device_queue(other, CL_QUEUE_ON_DEVICE_DEFAULT).get() != first.get());
  }
  CHECK(queue_value<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT) == nullptr);
}

TEST_CASE("clSetDefaultDeviceCommandQueue: another queue becomes the default", "[device_queue]") {
  if (!test::has_device_queues()) return;
  const auto context = test::make_context();
  const auto host = test::make_queue(context);
  const auto first = test::make_device_queue(context, CL_QUEUE_ON_DEVICE_DEFAULT);
  {
    const auto second = test::make_device_queue(context);
    CHECK_CL(clSetDefaultDeviceCommandQueue(context, test::device(), second));
    CHECK(queue_value<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT) == second.get());
    CHECK_CL(clSetDefaultDeviceCommandQueue(context, test::device(), first));
    CHECK(queue_value<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT) == first.get());
    CHECK_CL(clSetDefaultDeviceCommandQueue(context, test::device(), second));
  }
  CHECK(queue_value<cl_command_queue>(host, CL_QUEUE_DEVICE_DEFAULT) == nullptr);
}

TEST_CASE("clSetDefaultDeviceCommandQueue: what is not valid", "[device_queue]") {
  if (!test::has_device_queues()) return;
  const auto context = test::make_context(), other = test::make_context();
  const auto host = test::make_queue(context);
  const auto queue = test::make_device_queue(context), foreign = test::make_device_queue(other);
  CHECK_STATUS(clSetDefaultDeviceCommandQueue(nullptr, test::device(), queue), CL_INVALID_CONTEXT);
  CHECK_STATUS(clSetDefaultDeviceCommandQueue(context, nullptr, queue), CL_INVALID_DEVICE);
  CHECK_STATUS(clSetDefaultDeviceCommandQueue(context, test::device(), nullptr), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clSetDefaultDeviceCommandQueue(context, test::device(), host), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clSetDefaultDeviceCommandQueue(context, test::device(), foreign), CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("Device queues: functions for host queues take them as CL_INVALID_COMMAND_QUEUE",
          "[device_queue]") {
  if (!test::has_device_queues()) return;
  const test::Session session;
  const auto queue = test::make_device_queue(session.context);
  const auto kernel = session.kernel("kernel void k() {}", "k");
  const auto buffer = session.buffer(64);
  const size_t one = 1;
  char byte = 0;
  CHECK_STATUS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
               CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr),
               CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clEnqueueFillBuffer(queue, buffer, &byte, 1, 0, 64, 0, nullptr, nullptr),
               CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clEnqueueMarkerWithWaitList(queue, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clFlush(queue), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clFinish(queue), CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("clSetKernelArg: a queue on the device of the same context alone is a queue_t", "[device_queue]") {
  if (!test::has_device_queues()) return;
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(queue_t q) {}", "k", "-cl-std=CL3.0");
  auto own = test::make_device_queue(session.context);
  const auto context = test::make_context();
  const auto foreign = test::make_device_queue(context);
  const cl_command_queue host = session.queue, good = own, other = foreign, none = nullptr;
  CHECK_CL(clSetKernelArg(kernel, 0, sizeof good, &good));
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof host, &host), CL_INVALID_DEVICE_QUEUE);
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof none, &none), CL_INVALID_DEVICE_QUEUE);
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof good, nullptr), CL_INVALID_DEVICE_QUEUE);
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof other, &other), CL_INVALID_DEVICE_QUEUE);
  CHECK_STATUS(clSetKernelArg(kernel, 0, 4, &good), CL_INVALID_ARG_SIZE);
  session.run(kernel, 1);
  own.reset();
  const size_t one = 1;
  CHECK_STATUS(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
               CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("Device queues: there can be as many as CL_DEVICE_MAX_ON_DEVICE_QUEUES", "[device_queue]") {
  if (!test::has_device_queues()) return;
  const auto context = test::make_context();
  const auto most = test::device_value<cl_uint>(CL_DEVICE_MAX_ON_DEVICE_QUEUES);
  if (most > 1 << 16) return;
  std::vector<test::Queue> queues;
  for (cl_uint i = 0; i < most; ++i)
    queues.push_back(test::make_device_queue(context));
  if (test::is_hostcl())
    CHECK_STATUS(create({CL_QUEUE_PROPERTIES, test::on_device, 0}, context), CL_OUT_OF_RESOURCES);
  queues.pop_back();
  CHECK_CL(create({CL_QUEUE_PROPERTIES, test::on_device, 0}, context));
}

TEST_CASE("Programs: kernels of blocks are hidden from the host", "[device_queue]") {
  if (!test::has_device_queues()) return;
  const test::Session session;
  const auto program = session.build(R"(
    kernel void a(global int* p) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ p[0] = 1; }); }
    kernel void b(global int* p) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ p[0] = 2; }); })",
                                     "-cl-std=CL3.0");
  cl_uint count = 0;
  REQUIRE_CL(clCreateKernelsInProgram(program, 0, nullptr, &count));
  CHECK(count == 2);
  size_t kernels = 0, bytes = 0;
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr));
  CHECK(kernels == 2);
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &bytes));
  std::string names(bytes - 1, ' ');
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, bytes, names.data(), nullptr));
  CHECK((names == "a;b" || names == "b;a"));
  cl_int error = 0;
  CHECK(clCreateKernel(program, "__a_block_invoke_kernel", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_KERNEL_NAME);
}
