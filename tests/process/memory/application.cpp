#include "application.hpp"
#include "counted_calls.hpp"
#include "support/command_buffer_api.hpp"
#include "support/spirv_kernels.hpp"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace counted;

const char* source = R"(
kernel void scale(global int* v, int factor, local int* t) {
  size_t l = get_local_id(0);
  t[l] = v[get_global_id(0)] * factor;
  barrier(CLK_LOCAL_MEM_FENCE);
  v[get_global_id(0)] = t[l];
})";
constexpr size_t items = 4096, bytes = items * sizeof(cl_int);

cl_device_id device;
cl_int values[items];
void* const host = values;

void CL_CALLBACK on_error(const char*, const void*, size_t, void*) {}
void CL_CALLBACK on_event(cl_event, cl_int, void*) {}

/// Writes, launches and reads back; the result is right if no command failed.
void launch(cl_command_queue queue, cl_kernel kernel, cl_mem buffer) {
  for (cl_int i = 0; i < cl_int(items); ++i)
    values[i] = i;
  const size_t global = items, local = 64;
  cl_event written = nullptr, ran = nullptr, read = nullptr;
  call("clEnqueueWriteBuffer", clEnqueueWriteBuffer, queue, buffer, CL_FALSE, 0, bytes, host, 0, nullptr,
       &written) &&
      call("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel, queue, kernel, 1, nullptr, &global, &local, 1,
           &written, &ran) &&
      call("clSetEventCallback", clSetEventCallback, ran, CL_COMPLETE, on_event, nullptr) &&
      call("clEnqueueReadBuffer", clEnqueueReadBuffer, queue, buffer, CL_FALSE, 0, bytes, host, 1, &ran,
           &read);
  finish(queue);
  const Event owned[] = {Event(written), Event(ran), Event(read)};
  if (!read || !completed(written) || !completed(ran) || !completed(read)) return;
  for (cl_int i = 0; i < cl_int(items); ++i)
    if (values[i] != 3 * i) fail("the result", values[i]);
}

/// A map, and commands that wait for the application.
void use_memory(cl_context context, cl_command_queue queue, cl_mem buffer) {
  const size_t origin[3] = {0, 0, 0}, region[3] = {64, 4, 1};
  call("clEnqueueReadBufferRect", clEnqueueReadBufferRect, queue, buffer, CL_TRUE, origin, origin, region,
       128, 0, 128, 0, host, 0, nullptr, nullptr);
  void* mapped = make("clEnqueueMapBuffer", clEnqueueMapBuffer, queue, buffer, CL_TRUE, CL_MAP_READ, 0, bytes,
                      0, nullptr, nullptr);
  if (mapped &&
      !call("clEnqueueUnmapMemObject", clEnqueueUnmapMemObject, queue, buffer, mapped, 0, nullptr, nullptr))
    without_failures([&] { // the region is still mapped
      if (cl_int code = clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr))
        fail("clEnqueueUnmapMemObject after one that failed", code);
    });
  Event gate(make("clCreateUserEvent", clCreateUserEvent, context));
  if (gate) {
    const cl_int pattern = 5;
    call("clEnqueueFillBuffer", clEnqueueFillBuffer, queue, buffer, &pattern, sizeof pattern, 0, bytes, 1,
         gate.address(), nullptr);
    call("clEnqueueMarkerWithWaitList", clEnqueueMarkerWithWaitList, queue, 0, nullptr, nullptr);
    call("clFlush", clFlush, queue);
    if (!call("clSetUserEventStatus", clSetUserEventStatus, gate, CL_COMPLETE))
      without_failures([&] { clSetUserEventStatus(gate, CL_COMPLETE); });
  }
  finish(queue);
}

/// A mipmapped image, a view of it, and commands on a level.
void use_images(cl_context context, cl_command_queue queue) {
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8}, srgb{CL_RGBA, CL_UNORM_INT8},
      linear{CL_sRGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 32;
  const Buffer plain(make("clCreateImage", clCreateImage, context, 0, &srgb, &description, nullptr));
  if (plain) {
    description.mem_object = plain;
    const Buffer view(
        make("clCreateImage of an image", clCreateImage, context, 0, &linear, &description, nullptr));
  }
  description.mem_object = nullptr;
  description.num_mip_levels = 3;
  const Buffer image(
      make("clCreateImage with mipmaps", clCreateImage, context, 0, &format, &description, nullptr));
  const cl_sampler_properties properties[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
  const Sampler sampler(
      make("clCreateSamplerWithProperties", clCreateSamplerWithProperties, context, properties));
  if (!image) return;
  const size_t origin[3] = {4, 0, 1}, region[3] = {8, 8, 1};
  const cl_uint color[4] = {1, 2, 3, 4};
  call("clEnqueueFillImage", clEnqueueFillImage, queue, image, color, origin, region, 0, nullptr, nullptr);
  call("clEnqueueReadImage", clEnqueueReadImage, queue, image, CL_TRUE, origin, region, 0, 0, host, 0,
       nullptr, nullptr);
  size_t row = 0;
  void* mapped = make("clEnqueueMapImage", clEnqueueMapImage, queue, image, CL_TRUE, CL_MAP_WRITE, origin,
                      region, &row, nullptr, 0, nullptr, nullptr);
  if (mapped &&
      !call("clEnqueueUnmapMemObject", clEnqueueUnmapMemObject, queue, image, mapped, 0, nullptr, nullptr))
    without_failures([&] { clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr); });
  finish(queue);
}

/// An extension's function.
template <class Function>
Function extension(const char* name) {
  cl_platform_id platform = nullptr;
  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
}
#define EXTENSION(name) extension<name##_fn>(#name)

/// A signal and its wait, or a copy of it for others.
void use_semaphore(cl_context context, cl_command_queue queue, cl_semaphore_properties_khr handle_type) {
  const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR,
                                              CL_SEMAPHORE_TYPE_BINARY_KHR,
                                              CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                              handle_type,
                                              0,
                                              0};
  const cl_semaphore_khr semaphore = make("clCreateSemaphoreWithPropertiesKHR",
                                          EXTENSION(clCreateSemaphoreWithPropertiesKHR), context, list);
  if (!semaphore) return;
  cl_event waited = nullptr;
  if (call("clEnqueueSignalSemaphoresKHR", EXTENSION(clEnqueueSignalSemaphoresKHR), queue, 1, &semaphore,
           nullptr, 0, nullptr, nullptr))
    call("clEnqueueWaitSemaphoresKHR", EXTENSION(clEnqueueWaitSemaphoresKHR), queue, 1, &semaphore, nullptr,
         0, nullptr, &waited);
  int descriptor = -1;
  call("clGetSemaphoreHandleForTypeKHR", EXTENSION(clGetSemaphoreHandleForTypeKHR), semaphore, device,
       static_cast<cl_external_semaphore_handle_type_khr>(handle_type), sizeof descriptor, &descriptor,
       nullptr);
  if (descriptor >= 0) close(descriptor);
  if (EXTENSION(clReleaseSemaphoreKHR)(semaphore) != CL_SUCCESS) fail("clReleaseSemaphoreKHR", 0);
  finish(queue);
  const Event owned(waited);
  if (waited) completed(waited);
}

void use_external_memory(cl_context context) {
  const int memory = memfd_create("memory", MFD_CLOEXEC);
  if (ftruncate(memory, bytes) != 0) fail("ftruncate", 0);
  const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                    static_cast<cl_mem_properties>(memory), 0};
  const Buffer buffer(make("clCreateBufferWithProperties of external memory", clCreateBufferWithProperties,
                           context, list, 0, bytes, nullptr));
  if (!buffer && close(memory) != 0) fail("the descriptor is gone", 0);
}

/// Updates the first launch of a command buffer, remaps it, and runs both. A failed enqueue runs nothing.
void replay(const test::cb::Functions& functions, test::cb::Handle buffer, test::cb::Command command,
            cl_command_queue queue, cl_command_queue other) {
  const size_t global = 64;
  test::cb::Config config;
  config.command = command;
  config.global_size = &global;
  const cl_uint type = 0;
  const void* list = &config;
  call("clUpdateMutableCommandsKHR", functions.update, buffer, 1, &type, &list);
  const cl_command_queue queues[] = {other, queue};
  test::cb::Command copied = nullptr;
  const test::cb::Handle copy =
      make("clRemapCommandBufferKHR", functions.remap, buffer, CL_FALSE, 2, queues, 1, &command, &copied);
  for (test::cb::Handle each : {buffer, copy}) {
    cl_event event = nullptr;
    if (each) call("clEnqueueCommandBufferKHR", functions.enqueue, 0, nullptr, each, 0, nullptr, &event);
    finish(queue);
    finish(other);
    const Event owner(event);
    if (event) completed(event);
  }
  if (copy && functions.release(copy) != CL_SUCCESS) fail("clReleaseCommandBufferKHR", 0);
}

/// A command buffer of two queues, with a launch that can be changed.
void use_command_buffer(cl_context context, cl_command_queue queue, cl_kernel kernel) {
  static const test::cb::Functions functions = test::cb::functions_of(device);
  const Queue other(make("clCreateCommandQueueWithProperties", clCreateCommandQueueWithProperties, context,
                         device, nullptr));
  if (!other) return;
  const cl_command_queue queues[] = {queue, other};
  const cl_properties properties[] = {test::cb::flags, test::cb::mutable_commands, 0};
  const test::cb::Handle buffer = make("clCreateCommandBufferKHR", functions.create, 2, queues, properties);
  if (!buffer) return;
  const size_t global = 128, local = 64;
  cl_uint point = 0;
  test::cb::Command command = nullptr;
  if (call("clCommandNDRangeKernelKHR", functions.launch, buffer, queue, nullptr, kernel, 1, nullptr, &global,
           &local, 0, nullptr, &point, &command) &&
      call("clCommandNDRangeKernelKHR", functions.launch, buffer, other, nullptr, kernel, 1, nullptr, &global,
           &local, 1, &point, nullptr, nullptr) &&
      call("clFinalizeCommandBufferKHR", functions.finalize, buffer))
    replay(functions, buffer, command, queue, other);
  if (functions.release(buffer) != CL_SUCCESS) fail("clReleaseCommandBufferKHR", 0);
}

/// Calls that are wrong say so, or that there is no memory to say so.
void misuse(cl_context context, cl_command_queue queue) {
  const auto wrong = [](const char* what, cl_int code, cl_int expected) {
    if (code != expected) good(what, code == CL_SUCCESS ? 1 : code);
  };
  cl_int code = CL_SUCCESS;
  {
    const Counted counted;
    clCreateBuffer(context, 0, 0, nullptr, &code);
  }
  wrong("clCreateBuffer without a size", code, CL_INVALID_BUFFER_SIZE);
  {
    const Counted counted;
    code = clReleaseKernel(reinterpret_cast<cl_kernel>(queue));
  }
  wrong("clReleaseKernel of a queue", code, CL_INVALID_KERNEL);
  static const auto words = test::spirv::specialised_kernel();
  {
    const Counted counted;
    clCreateProgramWithIL(context, words.data(), (words.size() - 3) * sizeof words[0], &code);
  }
  wrong("clCreateProgramWithIL of a part", code, CL_INVALID_VALUE);
}

void use_queue(cl_context context, cl_command_queue_properties flags, cl_kernel kernel, cl_mem buffer) {
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, flags, 0};
  const Queue queue(make("clCreateCommandQueueWithProperties", clCreateCommandQueueWithProperties, context,
                         device, properties));
  if (!queue) return;
  launch(queue, kernel, buffer);
  use_memory(context, queue, buffer);
  use_images(context, queue);
  for (const cl_semaphore_properties_khr type :
       {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR})
    use_semaphore(context, queue, type);
  use_external_memory(context);
  use_command_buffer(context, queue, kernel);
  misuse(context, queue);
}

/// A program from SPIR-V, which is not built.
void use_il(cl_context context) {
  static const auto words = test::spirv::specialised_kernel();
  const Program program(make("clCreateProgramWithIL", clCreateProgramWithIL, context, words.data(),
                             words.size() * sizeof words[0]));
  const cl_uint value = 1;
  if (program)
    call("clSetProgramSpecializationConstant", clSetProgramSpecializationConstant, program,
         test::spirv::spec_uint, sizeof value, &value);
}

} // namespace

void application(cl_device_id chosen) {
  device = chosen;
  const Context context(make("clCreateContext", clCreateContext, nullptr, 1, &device, on_error, nullptr));
  if (!context) return;
  Buffer buffer(make("clCreateBuffer", clCreateBuffer, context, CL_MEM_COPY_HOST_PTR, bytes, host));
  use_il(context);
  const Program program(
      make("clCreateProgramWithSource", clCreateProgramWithSource, context, 1, &source, nullptr));
  if (!buffer || !program ||
      !call("clBuildProgram", clBuildProgram, program, 0, nullptr, "-DX=1", nullptr, nullptr))
    return;
  const Kernel kernel(make("clCreateKernel", clCreateKernel, program, "scale"));
  const cl_int factor = 3;
  if (!kernel || !call("clSetKernelArg", clSetKernelArg, kernel, 0, sizeof(cl_mem), buffer.address()) ||
      !call("clSetKernelArg", clSetKernelArg, kernel, 1, sizeof factor, &factor) ||
      !call("clSetKernelArg", clSetKernelArg, kernel, 2, 64 * sizeof(cl_int), nullptr))
    return;
  for (cl_command_queue_properties flags : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
    use_queue(context, flags, kernel, buffer);
}
