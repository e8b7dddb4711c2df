#pragma once

// cl_khr_semaphore and cl_khr_external_semaphore for tests: their functions, and owners of semaphores.

#include "support/session.hpp"

#include <initializer_list>
#include <utility>
#include <vector>

#include <poll.h>
#include <unistd.h>

// Names that older headers lack
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#endif
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif
using clReImportSemaphoreSyncFdKHR_fn = cl_int(CL_API_CALL*)(cl_semaphore_khr, cl_properties*, int);

namespace test {

inline bool has_semaphores() {
  return has_extension("cl_khr_external_semaphore_sync_fd") &&
         has_extension("cl_khr_external_semaphore_opaque_fd");
}

struct SemaphoreFunctions {
#define FUNCTION(name) name##_fn name = extension_function<name##_fn>(#name)
  FUNCTION(clCreateSemaphoreWithPropertiesKHR);
  FUNCTION(clEnqueueWaitSemaphoresKHR);
  FUNCTION(clEnqueueSignalSemaphoresKHR);
  FUNCTION(clGetSemaphoreInfoKHR);
  FUNCTION(clRetainSemaphoreKHR);
  FUNCTION(clReleaseSemaphoreKHR);
  FUNCTION(clGetSemaphoreHandleForTypeKHR);
  FUNCTION(clReImportSemaphoreSyncFdKHR);
#undef FUNCTION
};
inline const SemaphoreFunctions& semaphore_functions() {
  static const SemaphoreFunctions functions;
  return functions;
}

/// A file descriptor of the test's own.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.detach()) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int get() const { return number_; }
  int detach() { return std::exchange(number_, -1); }
  bool is_readable() const {
    pollfd polled{number_, POLLIN, 0};
    return poll(&polled, 1, 0) == 1 && (polled.revents & POLLIN);
  }

private:
  int number_;
};

using SemaphoreProperties = std::vector<cl_semaphore_properties_khr>;

/// A binary semaphore.
class Semaphore {
public:
  explicit Semaphore(cl_context context, const SemaphoreProperties& more = {}) {
    SemaphoreProperties list{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR};
    list.insert(list.end(), more.begin(), more.end());
    list.push_back(0);
    cl_int error = 1;
    handle_ = f.clCreateSemaphoreWithPropertiesKHR(context, list.data(), &error);
    REQUIRE_CL(error);
    REQUIRE(handle_);
  }
  Semaphore(Semaphore&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ~Semaphore() { release(); }
  void release() {
    if (handle_) f.clReleaseSemaphoreKHR(std::exchange(handle_, nullptr));
  }

  static Semaphore exportable(cl_context context, cl_semaphore_properties_khr type) {
    return Semaphore(context, {CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type, 0});
  }
  static Semaphore imported(cl_context context, cl_semaphore_properties_khr type, int descriptor) {
    return Semaphore(context, {type, static_cast<cl_semaphore_properties_khr>(descriptor)});
  }

  cl_semaphore_khr get() const { return handle_; }

  Event signal(cl_command_queue queue, const std::vector<cl_event>& waits = {}) const {
    Event event;
    REQUIRE_CL(f.clEnqueueSignalSemaphoresKHR(queue, 1, &handle_, nullptr, static_cast<cl_uint>(waits.size()),
                                              waits.empty() ? nullptr : waits.data(), event.address()));
    return event;
  }
  Event wait(cl_command_queue queue, const std::vector<cl_event>& waits = {}) const {
    Event event;
    REQUIRE_CL(f.clEnqueueWaitSemaphoresKHR(queue, 1, &handle_, nullptr, static_cast<cl_uint>(waits.size()),
                                            waits.empty() ? nullptr : waits.data(), event.address()));
    return event;
  }
  template <class T>
  T info(cl_semaphore_info_khr name) const {
    T value{};
    size_t size = 0;
    REQUIRE_CL(f.clGetSemaphoreInfoKHR(handle_, name, sizeof value, &value, &size));
    CHECK(size == sizeof value);
    return value;
  }
  bool is_signaled() const {
    const auto payload = info<cl_semaphore_payload_khr>(CL_SEMAPHORE_PAYLOAD_KHR);
    CHECK(payload <= 1);
    return payload == 1;
  }
  Descriptor exported(cl_external_semaphore_handle_type_khr type) const {
    int descriptor = -2;
    size_t size = 0;
    REQUIRE_CL(
        f.clGetSemaphoreHandleForTypeKHR(handle_, device(), type, sizeof descriptor, &descriptor, &size));
    CHECK(size == sizeof descriptor);
    return Descriptor(descriptor);
  }

private:
  const SemaphoreFunctions& f = semaphore_functions();
  cl_semaphore_khr handle_ = nullptr;
};

} // namespace test
