// cl_intel_unified_shared_memory 1.2.0: allocations, and kernels that use them

#include "support/unified_memory.hpp"
#include "support/choice.hpp"

#include <atomic>

namespace {

using test::Allocation, test::Kind, test::kinds;
using World = test::UnifiedMemory;

} // namespace

TEST_CASE("Unified memory: every function is found, and the device can do all", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const test::UnifiedMemoryFunctions f;
  CHECK(f.clHostMemAllocINTEL);
  CHECK(f.clDeviceMemAllocINTEL);
  CHECK(f.clSharedMemAllocINTEL);
  CHECK(f.clMemFreeINTEL);
  CHECK(f.clMemBlockingFreeINTEL);
  CHECK(f.clGetMemAllocInfoINTEL);
  CHECK(f.clSetKernelArgMemPointerINTEL);
  CHECK(f.clEnqueueMemFillINTEL);
  CHECK(f.clEnqueueMemsetINTEL);
  CHECK(f.clEnqueueMemcpyINTEL);
  CHECK(f.clEnqueueMigrateMemINTEL);
  CHECK(f.clEnqueueMemAdviseINTEL);
  if (!test::is_hostcl()) return;
  for (cl_device_info name :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL})
    CHECK(test::device_value<cl_device_unified_shared_memory_capabilities_intel>(name) ==
          (name == CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL && test::has_guests() ? 0 : 0xf));
}

TEST_CASE("Unified memory: allocations are aligned as asked", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  for (const Kind kind : kinds)
    for (const cl_uint alignment : {0, 1, 2, 16, 128}) {
      void* memory = w.allocate(kind, 100, alignment);
      REQUIRE(memory);
      CHECK(reinterpret_cast<uintptr_t>(memory) % (alignment ? alignment : 128) == 0);
      CHECK_CL(w.f.clMemFreeINTEL(w.session.context, memory));
    }
}

TEST_CASE("Unified memory: wrong arguments of allocations are refused", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  const auto most = test::device_value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  for (const Kind kind : kinds) {
    CHECK_STATUS(w.failure(kind, 64, 3), CL_INVALID_VALUE);
    CHECK_STATUS(w.failure(kind, 64, 1u << 20), CL_INVALID_VALUE);
    CHECK_STATUS(w.failure(kind, 64, 0, {0x7777, 1, 0}), CL_INVALID_PROPERTY);
    CHECK_STATUS(w.failure(kind, 64, 0, {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 10, 0}), CL_INVALID_PROPERTY);
    CHECK_STATUS(w.failure(kind, 64, 0, {CL_MEM_ALLOC_FLAGS_INTEL, 1, CL_MEM_ALLOC_FLAGS_INTEL, 1, 0}),
                 CL_INVALID_PROPERTY);
    CHECK_STATUS(w.failure(kind, 0), CL_INVALID_BUFFER_SIZE);
    CHECK_STATUS(w.failure(kind, most + 1), CL_INVALID_BUFFER_SIZE);
  }
  cl_int error = CL_SUCCESS;
  CHECK(w.f.clHostMemAllocINTEL(nullptr, nullptr, 64, 0, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
  CHECK(w.f.clDeviceMemAllocINTEL(w.session.context, nullptr, nullptr, 64, 0, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_DEVICE);
  CHECK(w.f.clHostMemAllocINTEL(w.session.context, nullptr, 0, 0, nullptr) == nullptr);
}

TEST_CASE("Unified memory: only shared allocations have an initial placement", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  for (const cl_mem_properties_intel flag :
       {CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL}) {
    CHECK_STATUS(w.failure(Kind::host, 64, 0, {CL_MEM_ALLOC_FLAGS_INTEL, flag, 0}), CL_INVALID_PROPERTY);
    CHECK_STATUS(w.failure(Kind::device, 64, 0, {CL_MEM_ALLOC_FLAGS_INTEL, flag, 0}), CL_INVALID_PROPERTY);
    void* memory = w.allocate(Kind::shared, 64, 0, {CL_MEM_ALLOC_FLAGS_INTEL, flag, 0});
    REQUIRE(memory);
    CHECK(w.info<cl_mem_alloc_flags_intel>(memory, CL_MEM_ALLOC_FLAGS_INTEL) == flag);
    CHECK_CL(w.f.clMemFreeINTEL(w.session.context, memory));
  }
  CHECK_STATUS(
      w.failure(Kind::shared, 64, 0,
                {CL_MEM_ALLOC_FLAGS_INTEL,
                 CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0}),
      CL_INVALID_PROPERTY);
}

TEST_CASE("clSharedMemAllocINTEL: without a device there is none to ask for", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  void* memory = w.f.clSharedMemAllocINTEL(w.session.context, nullptr, nullptr, 64, 0, nullptr);
  REQUIRE(memory);
  CHECK(w.info<cl_unified_shared_memory_type_intel>(memory, CL_MEM_ALLOC_TYPE_INTEL) ==
        CL_MEM_TYPE_SHARED_INTEL);
  CHECK(w.info<cl_device_id>(memory, CL_MEM_ALLOC_DEVICE_INTEL) == nullptr);
  CHECK_CL(w.f.clMemFreeINTEL(w.session.context, memory));
}

TEST_CASE("clMemFreeINTEL: NULL is fine, what is no allocation is CL_INVALID_VALUE", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  int variable = 0;
  void* svm = clSVMAlloc(w.session.context, CL_MEM_READ_WRITE, 64, 0);
  for (auto* release : {w.f.clMemFreeINTEL, w.f.clMemBlockingFreeINTEL}) {
    CHECK_CL(release(w.session.context, nullptr));
    CHECK_STATUS(release(nullptr, nullptr), CL_INVALID_CONTEXT);
    CHECK_STATUS(release(w.session.context, &variable), CL_INVALID_VALUE);
    CHECK_STATUS(release(w.session.context, svm), CL_INVALID_VALUE);
    void* memory = w.allocate(Kind::shared, 64);
    const auto other = test::make_context();
    CHECK_STATUS(release(other, memory), CL_INVALID_VALUE);
    CHECK_STATUS(release(w.session.context, static_cast<char*>(memory) + 1), CL_INVALID_VALUE);
    CHECK_CL(release(w.session.context, memory));
    CHECK_STATUS(release(w.session.context, memory), CL_INVALID_VALUE);
  }
  clSVMFree(w.session.context, svm);
}

TEST_CASE("clMemBlockingFreeINTEL: waits for kernels that use the memory", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  const auto kernel = w.session.kernel("kernel void k(global int* v) { v[get_global_id(0)] += 1; }", "k");
  for (int iteration = 0; iteration < 5; ++iteration) {
    void* memory = w.allocate(Kind::device, 4 << 20);
    REQUIRE(memory);
    REQUIRE_CL(w.f.clSetKernelArgMemPointerINTEL(kernel, 0, memory));
    const size_t items = 1 << 20;
    test::Event done;
    REQUIRE_CL(clEnqueueNDRangeKernel(w.session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                      done.address()));
    REQUIRE_CL(w.f.clMemBlockingFreeINTEL(w.session.context, memory));
    cl_int status = CL_QUEUED;
    REQUIRE_CL(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
    CHECK(status == CL_COMPLETE);
  }
}

TEST_CASE("clGetMemAllocInfoINTEL: tells type, base, size and device, inside the allocation as well",
          "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  const cl_unified_shared_memory_type_intel types[] = {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL,
                                                       CL_MEM_TYPE_SHARED_INTEL};
  for (const Kind kind : kinds) {
    Allocation memory(w, kind, 1000);
    for (const int offset : {0, 1, 249}) {
      const int* inside = memory.data + offset;
      CHECK(w.info<cl_unified_shared_memory_type_intel>(inside, CL_MEM_ALLOC_TYPE_INTEL) ==
            types[static_cast<int>(kind)]);
      CHECK(w.info<void*>(inside, CL_MEM_ALLOC_BASE_PTR_INTEL) == memory.data);
      CHECK(w.info<size_t>(inside, CL_MEM_ALLOC_SIZE_INTEL) == 1000);
      CHECK(w.info<cl_device_id>(inside, CL_MEM_ALLOC_DEVICE_INTEL) ==
            (kind == Kind::host ? nullptr : test::device()));
      CHECK(w.info<cl_mem_alloc_flags_intel>(inside, CL_MEM_ALLOC_FLAGS_INTEL) == 0);
    }
  }
}

TEST_CASE("clGetMemAllocInfoINTEL: other pointers are of unknown type", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  int variable = 0;
  void* svm = clSVMAlloc(w.session.context, CL_MEM_READ_WRITE, 64, 0);
  for (const void* pointer : {static_cast<const void*>(nullptr), static_cast<const void*>(&variable),
                              static_cast<const void*>(svm)}) {
    CHECK(w.info<cl_unified_shared_memory_type_intel>(pointer, CL_MEM_ALLOC_TYPE_INTEL) ==
          CL_MEM_TYPE_UNKNOWN_INTEL);
    CHECK(w.info<void*>(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL) == nullptr);
    CHECK(w.info<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL) == 0);
    CHECK(w.info<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL) == nullptr);
    CHECK(w.info<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL) == 0);
  }
  clSVMFree(w.session.context, svm);
}

TEST_CASE("clGetMemAllocInfoINTEL: wrong contexts, queries and sizes are refused", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  char value[16];
  CHECK_STATUS(w.f.clGetMemAllocInfoINTEL(nullptr, value, CL_MEM_ALLOC_SIZE_INTEL, 8, value, nullptr),
               CL_INVALID_CONTEXT);
  CHECK_STATUS(w.f.clGetMemAllocInfoINTEL(w.session.context, value, 0x1234, 8, value, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(
      w.f.clGetMemAllocInfoINTEL(w.session.context, value, CL_MEM_ALLOC_SIZE_INTEL, 7, value, nullptr),
      CL_INVALID_VALUE);
}

TEST_CASE("clSetKernelArgMemPointerINTEL: kernels use each kind, with an offset", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  const auto kernel =
      w.session.kernel("kernel void k(global int* v, constant int* c) { int i = get_global_id(0);"
                       "  v[i] = i + c[0]; }",
                       "k");
  for (const Kind kind : kinds) {
    Allocation memory(w, kind, 4096), constants(w, Kind::host, 64);
    constants.data[1] = 7;
    REQUIRE_CL(w.f.clSetKernelArgMemPointerINTEL(kernel, 0, memory.data + 8));
    REQUIRE_CL(w.f.clSetKernelArgMemPointerINTEL(kernel, 1, constants.data + 1));
    w.session.run(kernel, 1000);
    std::vector<int> values(1000);
    REQUIRE_CL(w.f.clEnqueueMemcpyINTEL(w.session.queue, CL_TRUE, values.data(), memory.data + 8, 4000, 0,
                                        nullptr, nullptr));
    for (int i = 0; i < 1000; ++i)
      REQUIRE(values[i] == i + 7);
  }
}

TEST_CASE("clSetKernelArgMemPointerINTEL: any pointer value is valid, other arguments are not",
          "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  const auto kernel = w.session.kernel("kernel void k(global int* v, int n, local int* l) {}", "k");
  int variable = 0;
  CHECK_CL(w.f.clSetKernelArgMemPointerINTEL(kernel, 0, nullptr));
  CHECK_CL(w.f.clSetKernelArgMemPointerINTEL(kernel, 0, &variable));
  CHECK_STATUS(w.f.clSetKernelArgMemPointerINTEL(nullptr, 0, &variable), CL_INVALID_KERNEL);
  CHECK_STATUS(w.f.clSetKernelArgMemPointerINTEL(kernel, 3, &variable), CL_INVALID_ARG_INDEX);
  CHECK_STATUS(w.f.clSetKernelArgMemPointerINTEL(kernel, 1, &variable), CL_INVALID_ARG_VALUE);
  CHECK_STATUS(w.f.clSetKernelArgMemPointerINTEL(kernel, 2, &variable), CL_INVALID_ARG_VALUE);
}

TEST_CASE("clSetKernelExecInfo: kernels follow pointers to allocations", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  Allocation table(w, Kind::shared, 64), target(w, Kind::device, 64), result(w, Kind::host, 64);
  const int value = 42;
  REQUIRE_CL(w.f.clEnqueueMemFillINTEL(w.session.queue, target.data, &value, 4, 64, 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(w.session.queue));
  *reinterpret_cast<int**>(table.data) = target.data;
  const auto kernel = w.session.kernel("kernel void k(global ulong* table, global int* out) {"
                                       "  *out = *(global int*)table[0]; }",
                                       "k");
  REQUIRE_CL(w.f.clSetKernelArgMemPointerINTEL(kernel, 0, table.data));
  REQUIRE_CL(w.f.clSetKernelArgMemPointerINTEL(kernel, 1, result.data));
  const cl_bool yes = CL_TRUE;
  for (const cl_kernel_exec_info name :
       {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    CHECK_CL(clSetKernelExecInfo(kernel, name, sizeof yes, &yes));
    CHECK_STATUS(clSetKernelExecInfo(kernel, name, 1, &yes), CL_INVALID_VALUE);
    CHECK_STATUS(clSetKernelExecInfo(kernel, name, sizeof yes, nullptr), CL_INVALID_VALUE);
  }
  void* pointers[] = {target.data};
  CHECK_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof pointers, pointers));
  CHECK_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, nullptr));
  CHECK_STATUS(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 7, pointers),
               CL_INVALID_VALUE);
  CHECK_STATUS(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 8, nullptr), CL_INVALID_VALUE);
  w.session.run(kernel, 1);
  CHECK(result.data[0] == 42);
}

TEST_CASE("Unified memory: atomics of kernel and host meet", "[unified_memory]") {
  if (!test::has_unified_memory()) return;
  const World w;
  Allocation memory(w, Kind::shared, 64);
  memory.data[0] = 0;
  const auto kernel = w.session.kernel("kernel void k(global int* v) { atomic_inc(v); }", "k");
  REQUIRE_CL(w.f.clSetKernelArgMemPointerINTEL(kernel, 0, memory.data));
  const size_t items = 1 << 16;
  REQUIRE_CL(
      clEnqueueNDRangeKernel(w.session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clFlush(w.session.queue));
  std::atomic_ref<int> counter(memory.data[0]);
  for (int i = 0; i < 1000; ++i)
    counter.fetch_add(1);
  REQUIRE_CL(clFinish(w.session.queue));
  CHECK(memory.data[0] == 1000 + (1 << 16));
}
