// Handles that are not what a call needs: NULL, of another kind, released, or memory of the application.

#include "support/session.hpp"

#include <array>
#include <cstring>
#include <tuple>

namespace {

/// The error of a call with this as its first argument, and zeros as the others.
template <class Handle, class... Rest>
cl_int error_of(cl_int(CL_API_CALL* function)(Handle, Rest...), void* wrong) {
  return function(static_cast<Handle>(wrong), Rest{}...);
}

/// The same where the last argument is errcode_ret.
template <class Created, class Handle, class... Rest>
cl_int error_of(Created(CL_API_CALL* function)(Handle, Rest...), void* wrong) {
  cl_int error = CL_SUCCESS;
  std::tuple<Rest...> rest{};
  std::get<sizeof...(Rest) - 1>(rest) = &error;
  const auto created =
      std::apply([&](auto... arguments) { return function(static_cast<Handle>(wrong), arguments...); }, rest);
  CHECK(created == nullptr);
  return error;
}

struct Entry {
  const char* name;
  cl_int (*error_with)(void* wrong);
};
#define ENTRY(name) {#name, [](void* wrong) { return error_of(name, wrong); }}

template <class Function>
Function extension(const char* name) {
  auto function =
      reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(test::platform(), name));
  REQUIRE(function);
  return function;
}
#define EXTENSION(name) {#name, [](void* wrong) { return error_of(extension<name##_fn>(#name), wrong); }}

using clGetKernelSuggestedLocalWorkSizeKHR_fn = cl_int(CL_API_CALL*)(cl_command_queue, cl_kernel, cl_uint,
                                                                     const size_t*, const size_t*, size_t*);
using clSetKernelArgDevicePointerEXT_fn = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_ulong);

constexpr Entry on_platform[] = {ENTRY(clGetPlatformInfo), ENTRY(clGetDeviceIDs),
                                 ENTRY(clUnloadPlatformCompiler)};

constexpr Entry on_device[] = {
    ENTRY(clGetDeviceInfo),       ENTRY(clGetDeviceAndHostTimer), ENTRY(clGetHostTimer),
    ENTRY(clRetainDevice),        ENTRY(clReleaseDevice),         ENTRY(clCreateSubDevices),
    EXTENSION(clRetainDeviceEXT), EXTENSION(clReleaseDeviceEXT),  EXTENSION(clCreateSubDevicesEXT)};

constexpr Entry on_context[] = {
    ENTRY(clRetainContext),
    ENTRY(clReleaseContext),
    ENTRY(clGetContextInfo),
    ENTRY(clSetContextDestructorCallback),
    ENTRY(clCreateCommandQueue),
    ENTRY(clCreateCommandQueueWithProperties),
    ENTRY(clSetDefaultDeviceCommandQueue),
    ENTRY(clCreateBuffer),
    ENTRY(clCreateBufferWithProperties),
    ENTRY(clCreateImage),
    ENTRY(clCreateImageWithProperties),
    ENTRY(clCreateImage2D),
    ENTRY(clCreateImage3D),
    ENTRY(clGetSupportedImageFormats),
    ENTRY(clCreatePipe),
    ENTRY(clCreateSampler),
    ENTRY(clCreateSamplerWithProperties),
    ENTRY(clCreateProgramWithSource),
    ENTRY(clCreateProgramWithBinary),
    ENTRY(clCreateProgramWithBuiltInKernels),
    ENTRY(clCreateProgramWithIL),
    ENTRY(clLinkProgram),
    ENTRY(clCreateUserEvent),
    EXTENSION(clHostMemAllocINTEL),
    EXTENSION(clDeviceMemAllocINTEL),
    EXTENSION(clSharedMemAllocINTEL),
    EXTENSION(clMemFreeINTEL),
    EXTENSION(clMemBlockingFreeINTEL),
    EXTENSION(clGetMemAllocInfoINTEL),
};

constexpr Entry on_queue[] = {
    ENTRY(clRetainCommandQueue),
    ENTRY(clReleaseCommandQueue),
    ENTRY(clGetCommandQueueInfo),
    ENTRY(clSetCommandQueueProperty),
    ENTRY(clFlush),
    ENTRY(clFinish),
    ENTRY(clEnqueueReadBuffer),
    ENTRY(clEnqueueWriteBuffer),
    ENTRY(clEnqueueReadBufferRect),
    ENTRY(clEnqueueWriteBufferRect),
    ENTRY(clEnqueueCopyBuffer),
    ENTRY(clEnqueueCopyBufferRect),
    ENTRY(clEnqueueFillBuffer),
    ENTRY(clEnqueueMapBuffer),
    ENTRY(clEnqueueUnmapMemObject),
    ENTRY(clEnqueueMigrateMemObjects),
    ENTRY(clEnqueueReadImage),
    ENTRY(clEnqueueWriteImage),
    ENTRY(clEnqueueCopyImage),
    ENTRY(clEnqueueCopyImageToBuffer),
    ENTRY(clEnqueueCopyBufferToImage),
    ENTRY(clEnqueueFillImage),
    ENTRY(clEnqueueMapImage),
    ENTRY(clEnqueueNDRangeKernel),
    ENTRY(clEnqueueTask),
    ENTRY(clEnqueueNativeKernel),
    ENTRY(clEnqueueMarkerWithWaitList),
    ENTRY(clEnqueueBarrierWithWaitList),
    ENTRY(clEnqueueMarker),
    ENTRY(clEnqueueBarrier),
    ENTRY(clEnqueueWaitForEvents),
    ENTRY(clEnqueueSVMFree),
    ENTRY(clEnqueueSVMMemcpy),
    ENTRY(clEnqueueSVMMemFill),
    ENTRY(clEnqueueSVMMap),
    ENTRY(clEnqueueSVMUnmap),
    ENTRY(clEnqueueSVMMigrateMem),
    EXTENSION(clEnqueueMemFillINTEL),
    EXTENSION(clEnqueueMemsetINTEL),
    EXTENSION(clEnqueueMemcpyINTEL),
    EXTENSION(clEnqueueMigrateMemINTEL),
    EXTENSION(clEnqueueMemAdviseINTEL),
    EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR),
};

constexpr Entry on_memory[] = {ENTRY(clRetainMemObject),
                               ENTRY(clReleaseMemObject),
                               ENTRY(clGetMemObjectInfo),
                               ENTRY(clGetImageInfo),
                               ENTRY(clGetPipeInfo),
                               ENTRY(clCreateSubBuffer),
                               ENTRY(clSetMemObjectDestructorCallback)};

constexpr Entry on_sampler[] = {ENTRY(clRetainSampler), ENTRY(clReleaseSampler), ENTRY(clGetSamplerInfo)};

constexpr Entry on_program[] = {
    ENTRY(clRetainProgram),
    ENTRY(clReleaseProgram),
    ENTRY(clSetProgramReleaseCallback),
    ENTRY(clSetProgramSpecializationConstant),
    ENTRY(clBuildProgram),
    ENTRY(clCompileProgram),
    ENTRY(clGetProgramInfo),
    ENTRY(clGetProgramBuildInfo),
    ENTRY(clCreateKernel),
    ENTRY(clCreateKernelsInProgram),
};

constexpr Entry on_kernel[] = {
    ENTRY(clRetainKernel),
    ENTRY(clReleaseKernel),
    ENTRY(clSetKernelArg),
    ENTRY(clSetKernelArgSVMPointer),
    ENTRY(clSetKernelExecInfo),
    ENTRY(clCloneKernel),
    ENTRY(clGetKernelInfo),
    ENTRY(clGetKernelArgInfo),
    ENTRY(clGetKernelWorkGroupInfo),
    ENTRY(clGetKernelSubGroupInfo),
    EXTENSION(clSetKernelArgDevicePointerEXT),
    EXTENSION(clSetKernelArgMemPointerINTEL),
};

constexpr Entry on_event[] = {ENTRY(clRetainEvent),        ENTRY(clReleaseEvent),
                              ENTRY(clGetEventInfo),       ENTRY(clGetEventProfilingInfo),
                              ENTRY(clSetUserEventStatus), ENTRY(clSetEventCallback)};

/// Memory of the application that begins as an object does, so that loaders pass it on.
struct Foreign {
  alignas(64) std::array<std::byte, 512> bytes{};
  explicit Foreign(void* like) { std::memcpy(bytes.data(), like, 16); }
};

struct World {
  test::Session session;
  test::Buffer buffer = session.buffer(64);
  test::Program program = session.build("kernel void k(int a) {}");
  test::Kernel kernel = session.kernel(program, "k");
};

/// Every entry point with NULL, with a live object of another kind, with `released`, and with memory that is
/// no object.
template <size_t count>
void check(const Entry (&entries)[count], void* other_kind, void* released, cl_int expected) {
  Foreign foreign(other_kind);
  for (const Entry& entry : entries) {
    CAPTURE(entry.name);
    // Extension functions are not the loader's: NULL reaches the driver as well.
    CHECK_STATUS(entry.error_with(nullptr), expected);
    CHECK_STATUS(entry.error_with(other_kind), expected);
    CHECK_STATUS(entry.error_with(foreign.bytes.data()), expected);
    if (released) CHECK_STATUS(entry.error_with(released), expected);
  }
}

/// A handle whose object is gone; nothing may be created before it is used.
template <class Owner>
void* released(Owner owner) {
  void* handle = owner.get();
  owner.reset();
  return handle;
}

} // namespace

TEST_CASE("Every entry point on a platform: what is none is CL_INVALID_PLATFORM", "[handles]") {
  const World w;
  Foreign foreign(w.buffer.get());
  for (const Entry& entry : on_platform) {
    CAPTURE(entry.name);
    CHECK_STATUS(entry.error_with(w.buffer.get()), CL_INVALID_PLATFORM);
    CHECK_STATUS(entry.error_with(foreign.bytes.data()), CL_INVALID_PLATFORM);
  }
}

TEST_CASE("Every entry point on a device: what is none is CL_INVALID_DEVICE", "[handles]") {
  const World w;
  check(on_device, w.buffer.get(), nullptr, CL_INVALID_DEVICE);
}

TEST_CASE("Every entry point on a context: what is none is CL_INVALID_CONTEXT", "[handles]") {
  const World w;
  check(on_context, w.buffer.get(), released(test::make_context()), CL_INVALID_CONTEXT);
  CHECK(clSVMAlloc(reinterpret_cast<cl_context>(w.buffer.get()), CL_MEM_READ_WRITE, 64, 0) == nullptr);
}

TEST_CASE("Every entry point on a queue: what is none is CL_INVALID_COMMAND_QUEUE", "[handles]") {
  const World w;
  check(on_queue, w.buffer.get(), released(test::make_queue(w.session.context)), CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("Every entry point on a memory object: what is none is CL_INVALID_MEM_OBJECT", "[handles]") {
  const World w;
  check(on_memory, w.kernel.get(), released(w.session.buffer(64)), CL_INVALID_MEM_OBJECT);
}

TEST_CASE("Every entry point on a sampler: what is none is CL_INVALID_SAMPLER", "[handles]") {
  const World w;
  check(on_sampler, w.buffer.get(), nullptr, CL_INVALID_SAMPLER);
}

TEST_CASE("Every entry point on a program: what is none is CL_INVALID_PROGRAM", "[handles]") {
  const World w;
  check(on_program, w.buffer.get(), released(w.session.source("kernel void k() {}")), CL_INVALID_PROGRAM);
}

TEST_CASE("Every entry point on a kernel: what is none is CL_INVALID_KERNEL", "[handles]") {
  const World w;
  check(on_kernel, w.buffer.get(), released(w.session.kernel(w.program, "k")), CL_INVALID_KERNEL);
}

TEST_CASE("Every entry point on an event: what is none is CL_INVALID_EVENT", "[handles]") {
  const World w;
  check(on_event, w.buffer.get(), released(test::user_event(w.session.context)), CL_INVALID_EVENT);
}

TEST_CASE("A handle released more often than retained is not valid, though a command still uses the object",
          "[handles]") {
  const World w;
  const auto gate = test::user_event(w.session.context);
  const cl_event wait = gate;
  auto buffer = w.session.buffer(64);
  const int zero = 0;
  REQUIRE_CL(clEnqueueFillBuffer(w.session.queue, buffer, &zero, 4, 0, 64, 1, &wait, nullptr));
  const cl_mem handle = buffer;
  buffer.reset();
  CHECK_STATUS(clReleaseMemObject(handle), CL_INVALID_MEM_OBJECT);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clFinish(w.session.queue));
}

TEST_CASE("What is no platform among the properties of a context is CL_INVALID_PLATFORM", "[handles]") {
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

TEST_CASE("What is no device behind the first argument is CL_INVALID_DEVICE", "[handles]") {
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

TEST_CASE("What is no buffer behind the queue is CL_INVALID_MEM_OBJECT", "[handles]") {
  const World w;
  const auto queue = w.session.queue.get();
  char byte = 0;
  const size_t origin[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  void* const handles[] = {nullptr, w.kernel.get(), released(w.session.buffer(64))};
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

TEST_CASE("What is no program among programs is CL_INVALID_PROGRAM", "[handles]") {
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

TEST_CASE("What is no kernel behind the queue is CL_INVALID_KERNEL", "[handles]") {
  const World w;
  const auto suggest =
      extension<clGetKernelSuggestedLocalWorkSizeKHR_fn>("clGetKernelSuggestedLocalWorkSizeKHR");
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

TEST_CASE("What is no event in a list is an error of the list", "[handles]") {
  const World w;
  const auto wrong = reinterpret_cast<cl_event>(w.buffer.get());
  CHECK_STATUS(clWaitForEvents(1, &wrong), CL_INVALID_EVENT);
  CHECK_STATUS(clEnqueueWaitForEvents(w.session.queue, 1, &wrong), CL_INVALID_EVENT);
  CHECK_STATUS(clEnqueueMarkerWithWaitList(w.session.queue, 1, &wrong, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  CHECK_STATUS(clEnqueueBarrierWithWaitList(w.session.queue, 1, &wrong, nullptr), CL_INVALID_EVENT_WAIT_LIST);
}
