#pragma once

// cl_khr_command_buffer 1.0.0 with cl_khr_command_buffer_multi_device 0.9.2 and
// cl_khr_command_buffer_mutable_dispatch 0.9.5. Older headers have other signatures, structures and values
// under the same names, so the names here are the tests' own.

#include <CL/cl.h>

#include <type_traits>

namespace test::cb {

using Handle = struct _cl_command_buffer_khr*;
using Command = struct _cl_mutable_command_khr*;
using Property = cl_properties;
using Point = cl_uint;

inline constexpr cl_int invalid_command_buffer = -1138, invalid_sync_point_wait_list = -1139,
                        incompatible_command_queue = -1140, invalid_mutable_command = -1141;
inline constexpr cl_uint state_recording = 0, state_executable = 1, state_finalized = 2;
inline constexpr Property flags = 0x1293, buffer_asserts = 0x12B7, fields = 0x12B1, asserts = 0x12B8;
inline constexpr Property simultaneous_use = 1, mutable_commands = 2, device_side_sync = 4;
inline constexpr Property global_offset = 1, global_size = 2, local_size = 4, arguments = 8, exec_info = 16;
inline constexpr Property no_additional_work_groups = 1;
inline constexpr cl_uint queues = 0x1294, num_queues = 0x1295, reference_count = 0x1296, state = 0x1297,
                         properties_array = 0x1298, context = 0x1299;
inline constexpr cl_uint command_queue = 0x12A0, command_buffer = 0x12A1, command_properties = 0x12A2,
                         command_kernel = 0x12A3, dimensions = 0x12A4, command_global_offset = 0x12A5,
                         command_global_size = 0x12A6, command_local_size = 0x12A7, command_type = 0x12AD;
inline constexpr cl_command_type command_command_buffer = 0x12A8;

struct Argument {
  cl_uint index;
  size_t size;
  const void* value;
};
struct ExecInfo {
  cl_uint name;
  size_t size;
  const void* value;
};
struct Config {
  Command command = nullptr;
  cl_uint argument_count = 0, svm_argument_count = 0, exec_info_count = 0, work_dim = 0;
  const Argument* arguments = nullptr;
  const Argument* svm_arguments = nullptr;
  const ExecInfo* exec_infos = nullptr;
  const size_t* global_offset = nullptr;
  const size_t* global_size = nullptr;
  const size_t* local_size = nullptr;
};

template <class... Args>
using Function = cl_int(CL_API_CALL*)(Args...);
/// A function that records a command.
template <class... Args>
using Records =
    Function<Handle, cl_command_queue, const Property*, Args..., cl_uint, const Point*, Point*, Command*>;

struct Functions {
  Handle(CL_API_CALL* create)(cl_uint, const cl_command_queue*, const Property*, cl_int*);
  Function<Handle> retain, release, finalize;
  Function<cl_uint, cl_command_queue*, Handle, cl_uint, const cl_event*, cl_event*> enqueue;
  Records<> barrier;
  Records<cl_mem, cl_mem, size_t, size_t, size_t> copy_buffer;
  Records<cl_mem, cl_mem, const size_t*, const size_t*, const size_t*, size_t, size_t, size_t, size_t>
      copy_buffer_rect;
  Records<cl_mem, cl_mem, size_t, const size_t*, const size_t*> copy_buffer_to_image;
  Records<cl_mem, cl_mem, const size_t*, const size_t*, const size_t*> copy_image;
  Records<cl_mem, cl_mem, const size_t*, const size_t*, size_t> copy_image_to_buffer;
  Records<cl_mem, const void*, size_t, size_t, size_t> fill_buffer;
  Records<cl_mem, const void*, const size_t*, const size_t*> fill_image;
  Records<cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*> launch;
  Records<void*, const void*, size_t> svm_copy;
  Records<void*, const void*, size_t, size_t> svm_fill;
  Function<Handle, cl_uint, size_t, void*, size_t*> info;
  Handle(CL_API_CALL* remap)(Handle, cl_bool, cl_uint, const cl_command_queue*, cl_uint, const Command*,
                             Command*, cl_int*);
  Function<Handle, cl_uint, const cl_uint*, const void**> update;
  Function<Command, cl_uint, size_t, void*, size_t*> command_info;
};

/// The functions of the device's platform; those that it lacks are null.
inline Functions functions_of(cl_device_id device) {
  cl_platform_id platform = nullptr;
  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  Functions f{};
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        clGetExtensionFunctionAddressForPlatform(platform, name));
  };
  find(f.create, "clCreateCommandBufferKHR");
  find(f.retain, "clRetainCommandBufferKHR");
  find(f.release, "clReleaseCommandBufferKHR");
  find(f.finalize, "clFinalizeCommandBufferKHR");
  find(f.enqueue, "clEnqueueCommandBufferKHR");
  find(f.barrier, "clCommandBarrierWithWaitListKHR");
  find(f.copy_buffer, "clCommandCopyBufferKHR");
  find(f.copy_buffer_rect, "clCommandCopyBufferRectKHR");
  find(f.copy_buffer_to_image, "clCommandCopyBufferToImageKHR");
  find(f.copy_image, "clCommandCopyImageKHR");
  find(f.copy_image_to_buffer, "clCommandCopyImageToBufferKHR");
  find(f.fill_buffer, "clCommandFillBufferKHR");
  find(f.fill_image, "clCommandFillImageKHR");
  find(f.launch, "clCommandNDRangeKernelKHR");
  find(f.svm_copy, "clCommandSVMMemcpyKHR");
  find(f.svm_fill, "clCommandSVMMemFillKHR");
  find(f.info, "clGetCommandBufferInfoKHR");
  find(f.remap, "clRemapCommandBufferKHR");
  find(f.update, "clUpdateMutableCommandsKHR");
  find(f.command_info, "clGetMutableCommandInfoKHR");
  return f;
}

} // namespace test::cb
