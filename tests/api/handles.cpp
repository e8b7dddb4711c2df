// Handles that are of another kind. (NULL is caught by the loader; a driver sees the rest.)

#include "support/session.hpp"

namespace {

/// A handle of the right platform but of the wrong kind: the loader lets it through to the driver.
template <class T>
T as(void* handle) {
  return static_cast<T>(handle);
}

struct World {
  test::Session session;
  test::Buffer buffer = session.buffer(64);
  test::Program program = session.build("kernel void k(int a) {}");
  test::Kernel kernel = session.kernel(program, "k");
  test::Event event{clCreateUserEvent(session.context, nullptr)};
  ~World() { clSetUserEventStatus(event, CL_COMPLETE); }
};

} // namespace

TEST_CASE("A buffer as platform is CL_INVALID_PLATFORM", "[handles]") {
  World w;
  CHECK_STATUS(clGetPlatformInfo(as<cl_platform_id>(w.buffer.get()), CL_PLATFORM_NAME, 0, nullptr, nullptr),
               CL_INVALID_PLATFORM);
  cl_uint count = 0;
  CHECK_STATUS(clGetDeviceIDs(as<cl_platform_id>(w.buffer.get()), CL_DEVICE_TYPE_ALL, 0, nullptr, &count),
               CL_INVALID_PLATFORM);
}

TEST_CASE("A buffer as device is CL_INVALID_DEVICE", "[handles]") {
  World w;
  const auto wrong = as<cl_device_id>(w.buffer.get());
  cl_int error = 1;
  CHECK_STATUS(clGetDeviceInfo(wrong, CL_DEVICE_NAME, 0, nullptr, nullptr), CL_INVALID_DEVICE);
  CHECK(clCreateCommandQueueWithProperties(w.session.context, wrong, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_DEVICE);
  CHECK(clCreateContext(nullptr, 1, &wrong, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_DEVICE);
  CHECK_STATUS(clBuildProgram(w.program, 1, &wrong, "", nullptr, nullptr), CL_INVALID_DEVICE);
  CHECK_STATUS(clGetProgramBuildInfo(w.program, wrong, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr),
               CL_INVALID_DEVICE);
  CHECK_STATUS(clGetKernelWorkGroupInfo(w.kernel, wrong, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr),
               CL_INVALID_DEVICE);
  CHECK_STATUS(clRetainDevice(wrong), CL_INVALID_DEVICE);
  CHECK_STATUS(clReleaseDevice(wrong), CL_INVALID_DEVICE);
}

TEST_CASE("A buffer as context is CL_INVALID_CONTEXT", "[handles]") {
  World w;
  const auto wrong = as<cl_context>(w.buffer.get());
  cl_int error = 1;
  const char* text = "kernel void k() {}";
  CHECK_STATUS(clGetContextInfo(wrong, CL_CONTEXT_DEVICES, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
  CHECK_STATUS(clRetainContext(wrong), CL_INVALID_CONTEXT);
  CHECK_STATUS(clReleaseContext(wrong), CL_INVALID_CONTEXT);
  CHECK(clCreateBuffer(wrong, 0, 64, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
  CHECK(clCreateCommandQueueWithProperties(wrong, test::device(), nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
  CHECK(clCreateProgramWithSource(wrong, 1, &text, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
  CHECK(clCreateUserEvent(wrong, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
  CHECK(clLinkProgram(wrong, 0, nullptr, "", 1, w.program.address(), nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
  CHECK(clSVMAlloc(wrong, CL_MEM_READ_WRITE, 64, 0) == nullptr);
}

TEST_CASE("A buffer as queue is CL_INVALID_COMMAND_QUEUE", "[handles]") {
  World w;
  const auto wrong = as<cl_command_queue>(w.buffer.get());
  CHECK_STATUS(clFinish(wrong), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clFlush(wrong), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clRetainCommandQueue(wrong), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clReleaseCommandQueue(wrong), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clGetCommandQueueInfo(wrong, CL_QUEUE_DEVICE, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clEnqueueMarkerWithWaitList(wrong, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("A kernel as memory object is CL_INVALID_MEM_OBJECT", "[handles]") {
  World w;
  const auto wrong = as<cl_mem>(w.kernel.get());
  char byte = 0;
  cl_int error = 1;
  const cl_buffer_region region{0, 64};
  CHECK_STATUS(clGetMemObjectInfo(wrong, CL_MEM_SIZE, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clRetainMemObject(wrong), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clReleaseMemObject(wrong), CL_INVALID_MEM_OBJECT);
  CHECK(clCreateSubBuffer(wrong, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_MEM_OBJECT);
  const auto queue = w.session.queue.get();
  CHECK_STATUS(clEnqueueReadBuffer(queue, wrong, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueWriteBuffer(queue, wrong, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueCopyBuffer(queue, wrong, w.buffer, 0, 0, 1, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueCopyBuffer(queue, w.buffer, wrong, 0, 0, 1, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueFillBuffer(queue, wrong, &byte, 1, 0, 1, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  CHECK(clEnqueueMapBuffer(queue, wrong, CL_TRUE, CL_MAP_READ, 0, 1, 0, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueUnmapMemObject(queue, wrong, &byte, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clSetMemObjectDestructorCallback(wrong, [](cl_mem, void*) {}, nullptr), CL_INVALID_MEM_OBJECT);
}

TEST_CASE("A buffer as program is CL_INVALID_PROGRAM", "[handles]") {
  World w;
  const auto wrong = as<cl_program>(w.buffer.get());
  cl_int error = 1;
  CHECK_STATUS(clBuildProgram(wrong, 0, nullptr, "", nullptr, nullptr), CL_INVALID_PROGRAM);
  CHECK_STATUS(clCompileProgram(wrong, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
               CL_INVALID_PROGRAM);
  CHECK_STATUS(clGetProgramInfo(wrong, CL_PROGRAM_SOURCE, 0, nullptr, nullptr), CL_INVALID_PROGRAM);
  CHECK_STATUS(clGetProgramBuildInfo(wrong, test::device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr),
               CL_INVALID_PROGRAM);
  CHECK(clCreateKernel(wrong, "k", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PROGRAM);
  CHECK_STATUS(clCreateKernelsInProgram(wrong, 0, nullptr, nullptr), CL_INVALID_PROGRAM);
  CHECK(clLinkProgram(w.session.context, 0, nullptr, "", 1, &wrong, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PROGRAM);
  CHECK_STATUS(clRetainProgram(wrong), CL_INVALID_PROGRAM);
  CHECK_STATUS(clReleaseProgram(wrong), CL_INVALID_PROGRAM);
}

TEST_CASE("A buffer as kernel is CL_INVALID_KERNEL", "[handles]") {
  World w;
  const auto wrong = as<cl_kernel>(w.buffer.get());
  cl_int error = 1, value = 0;
  const size_t one = 1;
  CHECK_STATUS(clSetKernelArg(wrong, 0, 4, &value), CL_INVALID_KERNEL);
  CHECK_STATUS(clSetKernelArgSVMPointer(wrong, 0, nullptr), CL_INVALID_KERNEL);
  CHECK_STATUS(clSetKernelExecInfo(wrong, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr), CL_INVALID_KERNEL);
  CHECK_STATUS(clGetKernelInfo(wrong, CL_KERNEL_FUNCTION_NAME, 0, nullptr, nullptr), CL_INVALID_KERNEL);
  CHECK_STATUS(clGetKernelArgInfo(wrong, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr), CL_INVALID_KERNEL);
  CHECK_STATUS(
      clGetKernelWorkGroupInfo(wrong, test::device(), CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr),
      CL_INVALID_KERNEL);
  CHECK(clCloneKernel(wrong, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_KERNEL);
  CHECK_STATUS(clRetainKernel(wrong), CL_INVALID_KERNEL);
  CHECK_STATUS(clReleaseKernel(wrong), CL_INVALID_KERNEL);
  CHECK_STATUS(clEnqueueNDRangeKernel(w.session.queue, wrong, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
               CL_INVALID_KERNEL);
  CHECK_STATUS(clEnqueueTask(w.session.queue, wrong, 0, nullptr, nullptr), CL_INVALID_KERNEL);
}

TEST_CASE("A buffer as event is CL_INVALID_EVENT", "[handles]") {
  World w;
  const auto wrong = as<cl_event>(w.buffer.get());
  cl_ulong time = 0;
  CHECK_STATUS(clWaitForEvents(1, &wrong), CL_INVALID_EVENT);
  CHECK_STATUS(clGetEventInfo(wrong, CL_EVENT_CONTEXT, 0, nullptr, nullptr), CL_INVALID_EVENT);
  CHECK_STATUS(clGetEventProfilingInfo(wrong, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
               CL_INVALID_EVENT);
  CHECK_STATUS(clSetUserEventStatus(wrong, CL_COMPLETE), CL_INVALID_EVENT);
  CHECK_STATUS(
      clSetEventCallback(wrong, CL_COMPLETE, [](cl_event, cl_int, void*) {}, nullptr), CL_INVALID_EVENT);
  CHECK_STATUS(clRetainEvent(wrong), CL_INVALID_EVENT);
  CHECK_STATUS(clReleaseEvent(wrong), CL_INVALID_EVENT);
  CHECK_STATUS(clEnqueueMarkerWithWaitList(w.session.queue, 1, &wrong, nullptr), CL_INVALID_EVENT_WAIT_LIST);
}

TEST_CASE("NULL handles give the error of their kind", "[handles]") {
  CHECK_STATUS(clRetainContext(nullptr), CL_INVALID_CONTEXT);
  CHECK_STATUS(clReleaseContext(nullptr), CL_INVALID_CONTEXT);
  CHECK_STATUS(clFinish(nullptr), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(clRetainMemObject(nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clReleaseMemObject(nullptr), CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clReleaseProgram(nullptr), CL_INVALID_PROGRAM);
  CHECK_STATUS(clReleaseKernel(nullptr), CL_INVALID_KERNEL);
  CHECK_STATUS(clReleaseEvent(nullptr), CL_INVALID_EVENT);
  CHECK_STATUS(clGetDeviceInfo(nullptr, CL_DEVICE_NAME, 0, nullptr, nullptr), CL_INVALID_DEVICE);
}
