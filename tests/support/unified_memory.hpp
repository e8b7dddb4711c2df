#pragma once

// cl_intel_unified_shared_memory for tests: its functions, and owners of allocations.

#include "support/session.hpp"

#include <utility>
#include <vector>

namespace test {

/// The functions of the extension, found as an application finds them.
struct UnifiedMemoryFunctions {
#define FUNCTION(name) name##_fn name = extension_function<name##_fn>(#name)
  FUNCTION(clHostMemAllocINTEL);
  FUNCTION(clDeviceMemAllocINTEL);
  FUNCTION(clSharedMemAllocINTEL);
  FUNCTION(clMemFreeINTEL);
  FUNCTION(clMemBlockingFreeINTEL);
  FUNCTION(clGetMemAllocInfoINTEL);
  FUNCTION(clSetKernelArgMemPointerINTEL);
  FUNCTION(clEnqueueMemFillINTEL);
  FUNCTION(clEnqueueMemsetINTEL);
  FUNCTION(clEnqueueMemcpyINTEL);
  FUNCTION(clEnqueueMigrateMemINTEL);
  FUNCTION(clEnqueueMemAdviseINTEL);
#undef FUNCTION
};

enum class Kind { host, device, shared };
constexpr Kind kinds[] = {Kind::host, Kind::device, Kind::shared};

struct UnifiedMemory {
  Session session;
  UnifiedMemoryFunctions f;

  void* allocate(Kind kind, size_t size, cl_uint alignment = 0,
                 std::vector<cl_mem_properties_intel> properties = {}, cl_int* error = nullptr) const {
    const auto* list = properties.empty() ? nullptr : properties.data();
    switch (kind) {
    case Kind::host:
      return f.clHostMemAllocINTEL(session.context, list, size, alignment, error);
    case Kind::device:
      return f.clDeviceMemAllocINTEL(session.context, device(), list, size, alignment, error);
    case Kind::shared:
      return f.clSharedMemAllocINTEL(session.context, device(), list, size, alignment, error);
    }
    return nullptr;
  }
  cl_int failure(Kind kind, size_t size, cl_uint alignment = 0,
                 std::vector<cl_mem_properties_intel> properties = {}) const {
    cl_int error = CL_SUCCESS;
    const void* made = allocate(kind, size, alignment, std::move(properties), &error);
    CHECK(made == nullptr);
    return error;
  }
  template <class T>
  T info(const void* pointer, cl_mem_info_intel name) const {
    T value{};
    size_t size = 0;
    CHECK_CL(f.clGetMemAllocInfoINTEL(session.context, pointer, name, sizeof value, &value, &size));
    CHECK(size == sizeof value);
    return value;
  }
};

/// An allocation that the test frees.
struct Allocation {
  const UnifiedMemory& world;
  int* data;
  Allocation(const UnifiedMemory& w, Kind kind, size_t bytes)
      : world(w), data(static_cast<int*>(w.allocate(kind, bytes))) {
    REQUIRE(data);
  }
  ~Allocation() { CHECK_CL(world.f.clMemBlockingFreeINTEL(world.session.context, data)); }
};

inline bool has_unified_memory() {
  return has_extension("cl_intel_unified_shared_memory");
}

} // namespace test
