#pragma once

// cl_khr_external_memory with cl_khr_external_memory_opaque_fd and cl_khr_external_memory_dma_buf. A dma-buf
// needs a device that makes one; its handle takes any memory that can be mapped.

#include "support/images.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Names that older headers lack
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif

namespace test::shared_memory {

using Properties = std::vector<cl_mem_properties>;
inline constexpr cl_mem_properties opaque = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                   dma_buf = CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                                   device_list = CL_MEM_DEVICE_HANDLE_LIST_KHR;

inline bool has_external_memory() {
  return test::has_extension("cl_khr_external_memory_opaque_fd") &&
         test::has_extension("cl_khr_external_memory_dma_buf");
}

/// Memory that other processes could have, as the test sees it.
class Shared {
public:
  explicit Shared(size_t bytes) : bytes_(bytes), descriptor_(memfd_create("test", MFD_CLOEXEC)) {
    REQUIRE(descriptor_ >= 0);
    REQUIRE(ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0);
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    REQUIRE(mapped != MAP_FAILED);
    data_ = mapped;
  }
  ~Shared() {
    munmap(data_, bytes_);
    close(descriptor_);
  }
  Shared(const Shared&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  int descriptor() const { return descriptor_; }
  /// One for the driver.
  int given(int flags = O_RDWR) const {
    if (flags == O_RDWR) return fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    return open(("/proc/self/fd/" + std::to_string(descriptor_)).c_str(), flags | O_CLOEXEC);
  }

private:
  size_t bytes_;
  int descriptor_;
  void* data_;
};

inline cl_mem_properties property(int descriptor) {
  return static_cast<cl_mem_properties>(descriptor);
}
inline cl_mem_properties property(const void* handle) {
  return static_cast<cl_mem_properties>(reinterpret_cast<uintptr_t>(handle));
}

inline cl_int try_buffer(cl_context context, const Properties& list, size_t bytes, test::Buffer& buffer,
                         cl_mem_flags flags = 0, void* host = nullptr) {
  cl_int error = 1;
  buffer.reset(clCreateBufferWithProperties(context, list.data(), flags, bytes, host, &error));
  CHECK(static_cast<bool>(buffer) == (error == CL_SUCCESS));
  return error;
}
inline cl_int buffer_error(cl_context context, const Properties& list, size_t bytes, cl_mem_flags flags = 0,
                           void* host = nullptr) {
  test::Buffer buffer;
  return try_buffer(context, list, bytes, buffer, flags, host);
}
inline test::Buffer make_buffer(cl_context context, const Properties& list, size_t bytes,
                                cl_mem_flags flags = 0) {
  test::Buffer buffer;
  REQUIRE_CL(try_buffer(context, list, bytes, buffer, flags));
  return buffer;
}
inline cl_int image_error(cl_context context, const Properties& list, const cl_image_format& format,
                          const cl_image_desc& description, cl_mem_flags flags = 0, void* host = nullptr) {
  cl_int error = 1;
  const test::Buffer image(
      clCreateImageWithProperties(context, list.data(), flags, &format, &description, host, &error));
  CHECK(static_cast<bool>(image) == (error == CL_SUCCESS));
  return error;
}

inline cl_int acquire(cl_command_queue queue, cl_uint count, const cl_mem* objects, cl_uint wait_count = 0,
                      const cl_event* waits = nullptr, cl_event* event = nullptr) {
  return test::extension_function<clEnqueueAcquireExternalMemObjectsKHR_fn>(
      "clEnqueueAcquireExternalMemObjectsKHR")(queue, count, objects, wait_count, waits, event);
}
inline cl_int release(cl_command_queue queue, cl_uint count, const cl_mem* objects, cl_uint wait_count = 0,
                      const cl_event* waits = nullptr, cl_event* event = nullptr) {
  return test::extension_function<clEnqueueReleaseExternalMemObjectsKHR_fn>(
      "clEnqueueReleaseExternalMemObjectsKHR")(queue, count, objects, wait_count, waits, event);
}

} // namespace test::shared_memory
