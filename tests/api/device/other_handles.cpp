// Handles after the first argument, or in lists, that are not what a call needs

#include "support/session.hpp"

namespace {

struct World {
  test::Session session;
  test::Buffer buffer = session.buffer(64);
  test::Program program = session.build("kernel void k(int a) {}");
  test::Kernel kernel = session.kernel(program, "k");
};

} // namespace

TEST_CASE("What is no platform among the properties of a context is CL_INVALID_PLATFORM", "[other_handles]") {
  const World w;
  const cl_device_id id = test::device();
  const cl_context_properties list[] = {CL_CONTEXT_PLATFORM,
                                        reinterpret_cast<cl_context_properties>(w.buffer.get()), 0};
  cl_int error = CL_SUCCESS;
  CHECK(clCreateContext(list, 1, &id, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PLATFORM);
  CHECK(clCreateContextFromType(list, CL_DEVICE_TYPE_CPU, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PLATFORM);
}

TEST_CASE("What is no device behind the first argument is CL_INVALID_DEVICE", "[other_handles]") {
  const World w;
  void* const handles[] = {nullptr, w.buffer.get()};
  for (void* handle : handles) {
    const auto wrong = static_cast<cl_device_id>(handle);
    cl_int error = CL_SUCCESS;
    CHECK(clCreateCommandQueueWithProperties(w.session.context, wrong, nullptr, &error) == nullptr);
    CHECK_STATUS(error, CL_INVALID_DEVICE);
    CHECK(clCreateCommandQueue(w.session.context, wrong, 0, &error) == nullptr);
    CHECK_STATUS(error, CL_INVALID_DEVICE);
    CHECK_STATUS(clSetDefaultDeviceCommandQueue(w.session.context, wrong, w.session.queue),
                 CL_INVALID_DEVICE);
    if (wrong) {
      CHECK(clCreateContext(nullptr, 1, &wrong, nullptr, nullptr, &error) == nullptr);
      CHECK_STATUS(error, CL_INVALID_DEVICE);
      CHECK_STATUS(clGetKernelWorkGroupInfo(w.kernel, wrong, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr),
                   CL_INVALID_DEVICE);
      CHECK_STATUS(clGetKernelSubGroupInfo(w.kernel, wrong, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0,
                                           nullptr, nullptr),
                   CL_INVALID_DEVICE);
    }
    CHECK_STATUS(clBuildProgram(w.program, 1, &wrong, "", nullptr, nullptr), CL_INVALID_DEVICE);
    CHECK_STATUS(clCompileProgram(w.program, 1, &wrong, "", 0, nullptr, nullptr, nullptr, nullptr),
                 CL_INVALID_DEVICE);
    const cl_program input = w.program;
    CHECK(clLinkProgram(w.session.context, 1, &wrong, "", 1, &input, nullptr, nullptr, &error) == nullptr);
    CHECK_STATUS(error, CL_INVALID_DEVICE);
    CHECK_STATUS(clGetProgramBuildInfo(w.program, wrong, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr),
                 CL_INVALID_DEVICE);
    const size_t length = 4;
    const unsigned char bytes[length] = {};
    const unsigned char* binary = bytes;
    CHECK(clCreateProgramWithBinary(w.session.context, 1, &wrong, &length, &binary, nullptr, &error) ==
          nullptr);
    CHECK_STATUS(error, CL_INVALID_DEVICE);
    CHECK(clCreateProgramWithBuiltInKernels(w.session.context, 1, &wrong, "k", &error) == nullptr);
    CHECK_STATUS(error, CL_INVALID_DEVICE);
  }
}

TEST_CASE("What is no buffer behind the queue is CL_INVALID_MEM_OBJECT", "[other_handles]") {
  const World w;
  const auto queue = w.session.queue.get();
  char byte = 0;
  const size_t origin[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  void* const handles[] = {nullptr, w.kernel.get(), test::released(w.session.buffer(64))};
  for (void* handle : handles) {
    const auto wrong = static_cast<cl_mem>(handle);
    CHECK_STATUS(clEnqueueReadBuffer(queue, wrong, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr),
                 CL_INVALID_MEM_OBJECT);
    CHECK_STATUS(clEnqueueWriteBuffer(queue, wrong, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr),
                 CL_INVALID_MEM_OBJECT);
    CHECK_STATUS(clEnqueueReadBufferRect(queue, wrong, CL_TRUE, origin, origin, one, 0, 0, 0, 0, &byte, 0,
                                         nullptr, nullptr),
                 CL_INVALID_MEM_OBJECT);
    CHECK_STATUS(clEnqueueWriteBufferRect(queue, wrong, CL_TRUE, origin, origin, one, 0, 0, 0, 0, &byte, 0,
                                          nullptr, nullptr),
                 CL_INVALID_MEM_OBJECT);
    for (const auto [from, to] : {std::pair(wrong, w.buffer.get()), std::pair(w.buffer.get(), wrong)}) {
      CHECK_STATUS(clEnqueueCopyBuffer(queue, from, to, 0, 0, 1, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
      CHECK_STATUS(
          clEnqueueCopyBufferRect(queue, from, to, origin, origin, one, 0, 0, 0, 0, 0, nullptr, nullptr),
          CL_INVALID_MEM_OBJECT);
    }
    CHECK_STATUS(clEnqueueFillBuffer(queue, wrong, &byte, 1, 0, 1, 0, nullptr, nullptr),
                 CL_INVALID_MEM_OBJECT);
    cl_int error = CL_SUCCESS;
    CHECK(clEnqueueMapBuffer(queue, wrong, CL_TRUE, CL_MAP_READ, 0, 1, 0, nullptr, nullptr, &error) ==
          nullptr);
    CHECK_STATUS(error, CL_INVALID_MEM_OBJECT);
    CHECK_STATUS(clEnqueueUnmapMemObject(queue, wrong, &byte, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
    CHECK_STATUS(clEnqueueMigrateMemObjects(queue, 1, &wrong, 0, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  }
}

TEST_CASE("A buffer in the place of an image is CL_INVALID_MEM_OBJECT", "[other_handles]") {
  const test::Session session;
  const auto queue = session.queue.get();
  const auto owner = session.buffer(64);
  const cl_mem buffer = owner;
  const size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
  cl_uint color[4] = {};
  size_t pitch = 0;
  cl_int error = CL_SUCCESS;
  const auto check = [](cl_int code) { CHECK_STATUS(code, CL_INVALID_MEM_OBJECT); };
  check(clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, nullptr, nullptr));
  check(clEnqueueReadImage(queue, buffer, CL_TRUE, origin, region, 0, 0, color, 0, nullptr, nullptr));
  check(clEnqueueWriteImage(queue, buffer, CL_TRUE, origin, region, 0, 0, color, 0, nullptr, nullptr));
  check(clEnqueueFillImage(queue, buffer, color, origin, region, 0, nullptr, nullptr));
  check(clEnqueueCopyImage(queue, buffer, buffer, origin, origin, region, 0, nullptr, nullptr));
  check(clEnqueueCopyImageToBuffer(queue, buffer, buffer, origin, region, 0, 0, nullptr, nullptr));
  check(clEnqueueCopyBufferToImage(queue, buffer, buffer, 0, origin, region, 0, nullptr, nullptr));
  CHECK(clEnqueueMapImage(queue, buffer, CL_TRUE, CL_MAP_READ, origin, region, &pitch, &pitch, 0, nullptr,
                          nullptr, &error) == nullptr);
  check(error);
}

TEST_CASE("What is no program among programs is CL_INVALID_PROGRAM", "[other_handles]") {
  const World w;
  const auto source = w.session.source("kernel void k() {}");
  const char* name = "header.h";
  void* const handles[] = {nullptr, w.buffer.get()};
  for (void* handle : handles) {
    const auto wrong = static_cast<cl_program>(handle);
    cl_int error = CL_SUCCESS;
    CHECK(clLinkProgram(w.session.context, 0, nullptr, "", 1, &wrong, nullptr, nullptr, &error) == nullptr);
    CHECK_STATUS(error, CL_INVALID_PROGRAM);
    CHECK_STATUS(clCompileProgram(source, 0, nullptr, "", 1, &wrong, &name, nullptr, nullptr),
                 CL_INVALID_PROGRAM);
  }
}

TEST_CASE("What is no kernel behind the queue is CL_INVALID_KERNEL", "[other_handles]") {
  const World w;
  const auto suggest =
      test::extension_function<test::SuggestLocalSize>("clGetKernelSuggestedLocalWorkSizeKHR");
  REQUIRE(suggest);
  const size_t one = 1;
  size_t local = 0;
  void* const handles[] = {nullptr, w.buffer.get()};
  for (void* handle : handles) {
    const auto wrong = static_cast<cl_kernel>(handle);
    CHECK_STATUS(
        clEnqueueNDRangeKernel(w.session.queue, wrong, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
        CL_INVALID_KERNEL);
    CHECK_STATUS(clEnqueueTask(w.session.queue, wrong, 0, nullptr, nullptr), CL_INVALID_KERNEL);
    CHECK_STATUS(suggest(w.session.queue, wrong, 1, nullptr, &one, &local), CL_INVALID_KERNEL);
  }
}

TEST_CASE("What is no event in a list is an error of the list", "[other_handles]") {
  const World w;
  const auto wrong = reinterpret_cast<cl_event>(w.buffer.get());
  CHECK_STATUS(clWaitForEvents(1, &wrong), CL_INVALID_EVENT);
  CHECK_STATUS(clEnqueueWaitForEvents(w.session.queue, 1, &wrong), CL_INVALID_EVENT);
  CHECK_STATUS(clEnqueueMarkerWithWaitList(w.session.queue, 1, &wrong, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  CHECK_STATUS(clEnqueueBarrierWithWaitList(w.session.queue, 1, &wrong, nullptr), CL_INVALID_EVENT_WAIT_LIST);
}
