#pragma once

// Semaphores of several processes, for programs without a test framework.

#include "process/world.hpp"

#include <CL/cl_ext.h>

#include <cstdint>

#include <unistd.h>

namespace test {

/// An extension's function of the device's platform. Fails the process if there is none.
template <class Function>
Function required_function(cl_device_id device, const char* name) {
  cl_platform_id platform = nullptr;
  clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
  const auto function = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
  require(function != nullptr, name);
  return function;
}

/// A semaphore with a handle. Released only on request, as applications do it that end.
class SharedSemaphore {
public:
  static constexpr cl_semaphore_properties_khr opaque = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;

  /// One that can be exported.
  explicit SharedSemaphore(const World& world, cl_semaphore_properties_khr handle_type = opaque)
      : device_(world.device) {
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR,
                                                CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                handle_type,
                                                0,
                                                0};
    make(world, list);
  }
  /// One that is imported.
  SharedSemaphore(const World& world, int descriptor, cl_semaphore_properties_khr handle_type = opaque)
      : device_(world.device) {
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                handle_type,
                                                static_cast<cl_semaphore_properties_khr>(descriptor), 0};
    make(world, list);
  }

  void wait(cl_command_queue queue, cl_event* event = nullptr) const {
    const auto enqueue =
        required_function<clEnqueueWaitSemaphoresKHR_fn>(device_, "clEnqueueWaitSemaphoresKHR");
    require(enqueue(queue, 1, &handle_, nullptr, 0, nullptr, event) == CL_SUCCESS, "a wait");
  }
  void signal(cl_command_queue queue) const {
    const auto enqueue =
        required_function<clEnqueueSignalSemaphoresKHR_fn>(device_, "clEnqueueSignalSemaphoresKHR");
    require(enqueue(queue, 1, &handle_, nullptr, 0, nullptr, nullptr) == CL_SUCCESS, "a signal");
  }
  void release() const {
    const auto release = required_function<clReleaseSemaphoreKHR_fn>(device_, "clReleaseSemaphoreKHR");
    require(release(handle_) == CL_SUCCESS, "clReleaseSemaphoreKHR");
  }
  int exported(cl_external_semaphore_handle_type_khr handle_type = opaque) const {
    const auto get =
        required_function<clGetSemaphoreHandleForTypeKHR_fn>(device_, "clGetSemaphoreHandleForTypeKHR");
    int descriptor = -2;
    require(get(handle_, device_, handle_type, sizeof descriptor, &descriptor, nullptr) == CL_SUCCESS,
            "clGetSemaphoreHandleForTypeKHR");
    return descriptor;
  }

private:
  void make(const World& world, const cl_semaphore_properties_khr* list) {
    const auto create = required_function<clCreateSemaphoreWithPropertiesKHR_fn>(
        device_, "clCreateSemaphoreWithPropertiesKHR");
    handle_ = create(world.context, list, nullptr);
    require(handle_ != nullptr, "clCreateSemaphoreWithPropertiesKHR");
  }
  cl_device_id device_;
  cl_semaphore_khr handle_ = nullptr;
};

/// Does what a signal of another process does to a shared payload.
inline bool signal_through(int descriptor) {
  const std::uint64_t one = 1;
  return write(descriptor, &one, sizeof one) == sizeof one;
}

} // namespace test
