// clEnqueueNativeKernel (OpenCL 3.0 API, 5.10)

#include "support/session.hpp"

namespace {

bool supported() {
  return test::device_value<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) &
         CL_EXEC_NATIVE_KERNEL;
}

struct Arguments {
  int* values;
  int count;
};

void CL_CALLBACK count_up(void* data) {
  const auto* arguments = static_cast<Arguments*>(data);
  for (int i = 0; i < arguments->count; ++i)
    arguments->values[i] += i;
}

void CL_CALLBACK nothing(void*) {}

} // namespace

TEST_CASE("clEnqueueNativeKernel: gets a copy of its arguments and the buffer's memory", "[native]") {
  if (!supported()) return;
  const test::Session session;
  auto buffer = session.buffer(std::vector<int>(100, 7));
  Arguments arguments{nullptr, 100};
  const cl_mem object = buffer;
  const void* place = &arguments.values;
  REQUIRE_CL(clEnqueueNativeKernel(session.queue, count_up, &arguments, sizeof arguments, 1, &object, &place,
                                   0, nullptr, nullptr));
  arguments.count = 0;
  const auto values = session.read<int>(buffer, 100);
  for (int i = 0; i < 100; ++i)
    REQUIRE(values[i] == 7 + i);
}

TEST_CASE("clEnqueueNativeKernel: no function is CL_INVALID_VALUE", "[native]") {
  if (!supported()) return;
  const test::Session session;
  CHECK_STATUS(
      clEnqueueNativeKernel(session.queue, nullptr, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
      CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueNativeKernel: a size without arguments is CL_INVALID_VALUE", "[native]") {
  if (!supported()) return;
  const test::Session session;
  CHECK_STATUS(
      clEnqueueNativeKernel(session.queue, nothing, nullptr, 8, 0, nullptr, nullptr, 0, nullptr, nullptr),
      CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueNativeKernel: arguments without a size are CL_INVALID_VALUE", "[native]") {
  if (!supported()) return;
  const test::Session session;
  int argument = 0;
  CHECK_STATUS(
      clEnqueueNativeKernel(session.queue, nothing, &argument, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
      CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueNativeKernel: a count of buffers without their lists is CL_INVALID_VALUE", "[native]") {
  if (!supported()) return;
  const test::Session session;
  auto buffer = session.buffer(64);
  const cl_mem object = buffer;
  Arguments arguments{};
  const void* place = &arguments.values;
  const auto enqueue = [&](void* args, cl_uint count, const cl_mem* list, const void** places) {
    return clEnqueueNativeKernel(session.queue, nothing, args, args ? sizeof arguments : 0, count, list,
                                 places, 0, nullptr, nullptr);
  };
  CHECK_STATUS(enqueue(&arguments, 1, nullptr, &place), CL_INVALID_VALUE);
  CHECK_STATUS(enqueue(&arguments, 1, &object, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(enqueue(&arguments, 0, &object, &place), CL_INVALID_VALUE);
  CHECK_STATUS(enqueue(nullptr, 1, &object, &place), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueNativeKernel: NULL in the list is CL_INVALID_MEM_OBJECT", "[native]") {
  if (!supported() || !test::is_hostcl()) return;
  const test::Session session;
  const cl_mem object = nullptr;
  Arguments arguments{};
  const void* place = &arguments.values;
  CHECK_STATUS(clEnqueueNativeKernel(session.queue, nothing, &arguments, sizeof arguments, 1, &object, &place,
                                     0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
}
