// First arguments that are not the handle a call needs: NULL, a handle of another kind, a released one, or
// memory of the application.

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
Function required(const char* name) {
  const auto function = test::extension_function<Function>(name);
  REQUIRE(function);
  return function;
}
#define EXTENSION(name) {#name, [](void* wrong) { return error_of(required<name##_fn>(#name), wrong); }}

using clGetKernelSuggestedLocalWorkSizeKHR_fn = test::SuggestLocalSize;
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
    EXTENSION(clTerminateContextKHR),
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
    EXTENSION(clGetImageRequirementsInfoEXT),
    EXTENSION(clCreateProgramWithILKHR),
    EXTENSION(clHostMemAllocINTEL),
    EXTENSION(clDeviceMemAllocINTEL),
    EXTENSION(clSharedMemAllocINTEL),
    EXTENSION(clMemFreeINTEL),
    EXTENSION(clMemBlockingFreeINTEL),
    EXTENSION(clGetMemAllocInfoINTEL),
    EXTENSION(clCreateSemaphoreWithPropertiesKHR),
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
    EXTENSION(clEnqueueWaitSemaphoresKHR),
    EXTENSION(clEnqueueSignalSemaphoresKHR),
    EXTENSION(clEnqueueAcquireExternalMemObjectsKHR),
    EXTENSION(clEnqueueReleaseExternalMemObjectsKHR),
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

using clReImportSemaphoreSyncFdKHR_fn = cl_int(CL_API_CALL*)(cl_semaphore_khr, cl_properties*, int);
constexpr Entry on_semaphore[] = {EXTENSION(clRetainSemaphoreKHR), EXTENSION(clReleaseSemaphoreKHR),
                                  EXTENSION(clGetSemaphoreInfoKHR), EXTENSION(clGetSemaphoreHandleForTypeKHR),
                                  EXTENSION(clReImportSemaphoreSyncFdKHR)};

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
  check(on_context, w.buffer.get(), test::released(test::make_context()), CL_INVALID_CONTEXT);
  CHECK(clSVMAlloc(reinterpret_cast<cl_context>(w.buffer.get()), CL_MEM_READ_WRITE, 64, 0) == nullptr);
}

TEST_CASE("Every entry point on a queue: what is none is CL_INVALID_COMMAND_QUEUE", "[handles]") {
  const World w;
  check(on_queue, w.buffer.get(), test::released(test::make_queue(w.session.context)),
        CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("Every entry point on a memory object: what is none is CL_INVALID_MEM_OBJECT", "[handles]") {
  const World w;
  check(on_memory, w.kernel.get(), test::released(w.session.buffer(64)), CL_INVALID_MEM_OBJECT);
}

TEST_CASE("Every entry point on a sampler: what is none is CL_INVALID_SAMPLER", "[handles]") {
  const World w;
  test::Sampler sampler(clCreateSamplerWithProperties(w.session.context, nullptr, nullptr));
  check(on_sampler, w.buffer.get(), test::released(std::move(sampler)), CL_INVALID_SAMPLER);
}

TEST_CASE("Every entry point on a program: what is none is CL_INVALID_PROGRAM", "[handles]") {
  const World w;
  check(on_program, w.buffer.get(), test::released(w.session.source("kernel void k() {}")),
        CL_INVALID_PROGRAM);
}

TEST_CASE("Every entry point on a kernel: what is none is CL_INVALID_KERNEL", "[handles]") {
  const World w;
  check(on_kernel, w.buffer.get(), test::released(w.session.kernel(w.program, "k")), CL_INVALID_KERNEL);
}

TEST_CASE("Every entry point on an event: what is none is CL_INVALID_EVENT", "[handles]") {
  const World w;
  check(on_event, w.buffer.get(), test::released(test::user_event(w.session.context)), CL_INVALID_EVENT);
}

TEST_CASE("Every entry point on a semaphore: what is none is CL_INVALID_SEMAPHORE_KHR", "[handles]") {
  if (!test::has_extension("cl_khr_external_semaphore_sync_fd")) return;
  const World w;
  const cl_semaphore_properties_khr type[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  const auto semaphore = required<clCreateSemaphoreWithPropertiesKHR_fn>(
      "clCreateSemaphoreWithPropertiesKHR")(w.session.context, type, nullptr);
  CHECK_CL(required<clReleaseSemaphoreKHR_fn>("clReleaseSemaphoreKHR")(semaphore));
  check(on_semaphore, w.buffer.get(), semaphore, CL_INVALID_SEMAPHORE_KHR);
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
