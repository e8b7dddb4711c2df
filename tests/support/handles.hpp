#pragma once

// Owners of OpenCL objects. Each converts to the raw handle, so that tests call the API as an application
// does.

#include <CL/cl.h>

#include <utility>

namespace test {

template <class T, cl_int(CL_API_CALL* Release)(T)>
class Owner {
public:
  Owner() = default;
  explicit Owner(T handle) : handle_(handle) {}
  Owner(Owner&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owner& operator=(Owner&& other) noexcept {
    if (this != &other) reset(std::exchange(other.handle_, nullptr));
    return *this;
  }
  ~Owner() { reset(); }

  operator T() const { return handle_; }
  T get() const { return handle_; }
  T* address() { return &handle_; }
  T release() { return std::exchange(handle_, nullptr); }
  void reset(T handle = nullptr) {
    if (handle_) Release(handle_);
    handle_ = handle;
  }
  explicit operator bool() const { return handle_ != nullptr; }

private:
  T handle_ = nullptr;
};

using Context = Owner<cl_context, clReleaseContext>;
using Queue = Owner<cl_command_queue, clReleaseCommandQueue>;
using Buffer = Owner<cl_mem, clReleaseMemObject>;
using Sampler = Owner<cl_sampler, clReleaseSampler>;
using Program = Owner<cl_program, clReleaseProgram>;
using Kernel = Owner<cl_kernel, clReleaseKernel>;
using Event = Owner<cl_event, clReleaseEvent>;
using Device = Owner<cl_device_id, clReleaseDevice>;

/// A handle whose object is gone; nothing may be created before it is used.
template <class Owner>
void* released(Owner owner) {
  void* handle = owner.get();
  owner.reset();
  return handle;
}

} // namespace test
