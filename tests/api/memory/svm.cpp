// Shared virtual memory (OpenCL 3.0 API, 5.6)

#include "support/session.hpp"

#include <atomic>
#include <memory>
#include <numeric>
#include <thread>

namespace {

bool supports(cl_device_svm_capabilities bits) {
  return (test::device_value<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES) & bits) == bits;
}

struct World {
  test::Session session;
  int* memory = static_cast<int*>(clSVMAlloc(session.context, CL_MEM_READ_WRITE, 4096, 0));
  World() { REQUIRE(memory); }
  ~World() {
    clFinish(session.queue);
    clSVMFree(session.context, memory);
  }
};

} // namespace

TEST_CASE("clSVMAlloc: memory is aligned as asked", "[svm]") {
  const test::Session session;
  for (cl_uint align : {0, 1, 2, 4, 8, 16, 32, 64, 128}) {
    void* memory = clSVMAlloc(session.context, CL_MEM_READ_WRITE, 100, align);
    REQUIRE(memory);
    CHECK(reinterpret_cast<uintptr_t>(memory) % (align ? align : 128) == 0);
    clSVMFree(session.context, memory);
  }
}

TEST_CASE("clSVMAlloc: what cannot be is NULL", "[svm]") {
  const test::Session session;
  const auto most = test::device_value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  CHECK(clSVMAlloc(session.context, CL_MEM_READ_WRITE, 0, 0) == nullptr);
  CHECK(clSVMAlloc(session.context, CL_MEM_READ_WRITE, most + 1, 0) == nullptr);
  CHECK(clSVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 3) == nullptr);
  CHECK(clSVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 1u << 30) == nullptr);
  CHECK(clSVMAlloc(session.context, CL_MEM_SVM_ATOMICS, 64, 0) == nullptr);
  CHECK(clSVMAlloc(session.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0) == nullptr);
  CHECK(clSVMAlloc(session.context, CL_MEM_USE_HOST_PTR, 64, 0) == nullptr);
  CHECK(clSVMAlloc(session.context, cl_svm_mem_flags(1) << 40, 64, 0) == nullptr);
}

TEST_CASE("clSVMFree: NULL is fine", "[svm]") {
  const test::Session session;
  clSVMFree(session.context, nullptr);
}

TEST_CASE("clSetKernelArgSVMPointer: a kernel writes what the host reads", "[svm]") {
  World w;
  const auto kernel =
      w.session.kernel("kernel void k(global int* v) { v[get_global_id(0)] = get_global_id(0); }", "k");
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, w.memory + 24));
  w.session.run(kernel, 1000);
  REQUIRE_CL(clEnqueueSVMMap(w.session.queue, CL_TRUE, CL_MAP_READ, w.memory, 4096, 0, nullptr, nullptr));
  for (int i = 0; i < 1000; ++i)
    REQUIRE(w.memory[24 + i] == i);
  REQUIRE_CL(clEnqueueSVMUnmap(w.session.queue, w.memory, 0, nullptr, nullptr));
}

TEST_CASE("clSetKernelArgSVMPointer: NULL is a null pointer", "[svm]") {
  World w;
  const auto kernel = w.session.kernel("kernel void k(global int* v, global int* a) { *v = a == 0; }", "k");
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, w.memory));
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 1, nullptr));
  w.session.run(kernel, 1);
  CHECK(w.memory[0] == 1);
}

TEST_CASE("clSetKernelArgSVMPointer: an index past the end is CL_INVALID_ARG_INDEX", "[svm]") {
  World w;
  const auto kernel = w.session.kernel("kernel void k(global int* v) { *v = 1; }", "k");
  CHECK_STATUS(clSetKernelArgSVMPointer(kernel, 1, w.memory), CL_INVALID_ARG_INDEX);
}

TEST_CASE("clSetKernelArgSVMPointer: an argument that is no pointer is CL_INVALID_ARG_VALUE", "[svm]") {
  World w;
  const auto kernel = w.session.kernel("kernel void k(int v) { }", "k");
  CHECK_STATUS(clSetKernelArgSVMPointer(kernel, 0, w.memory), CL_INVALID_ARG_VALUE);
}

TEST_CASE("clSetKernelExecInfo: pointers inside structures are followed", "[svm]") {
  World w;
  struct Node {
    Node* next;
    cl_int value;
  };
  std::vector<void*> nodes;
  Node* head = nullptr;
  for (int i = 0; i < 10; ++i) {
    auto* node = static_cast<Node*>(clSVMAlloc(w.session.context, CL_MEM_READ_WRITE, sizeof(Node), 0));
    *node = {head, i + 1};
    head = node;
    nodes.push_back(node);
  }
  const auto kernel = w.session.kernel(R"(
    typedef struct Node { global struct Node* next; int value; } Node;
    kernel void k(global int* sum, global Node* list) {
      int s = 0;
      for (; list; list = list->next) s += list->value++;
      *sum = s;
    })",
                                       "k");
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, w.memory));
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 1, head));
  REQUIRE_CL(
      clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, nodes.size() * sizeof(void*), nodes.data()));
  w.session.run(kernel, 1);
  CHECK(w.memory[0] == 55);
  CHECK(head->value == 11);
  for (void* node : nodes)
    clSVMFree(w.session.context, node);
}

TEST_CASE("clSetKernelExecInfo: wrong values are CL_INVALID_VALUE", "[svm]") {
  World w;
  const auto kernel = w.session.kernel("kernel void k(global int* v) { *v = 1; }", "k");
  const cl_bool yes = CL_TRUE;
  CHECK_STATUS(clSetKernelExecInfo(kernel, 0x1234, sizeof yes, &yes), CL_INVALID_VALUE);
  CHECK_STATUS(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, &w.memory), CL_INVALID_VALUE);
  CHECK_STATUS(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes),
               CL_INVALID_VALUE);
  const bool has_system_memory = supports(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  CHECK_STATUS(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes),
               has_system_memory ? CL_SUCCESS : CL_INVALID_OPERATION);
}

TEST_CASE("Fine-grained system memory: any host pointer is an argument", "[svm]") {
  if (!supports(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) return;
  const test::Session session;
  std::vector<int> heap(100, 1);
  int stack[100] = {};
  const auto kernel = session.kernel(
      "kernel void k(global int* a, global int* b) { int i = get_global_id(0); b[i] = a[i] + i; }", "k");
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, heap.data()));
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 1, stack));
  session.run(kernel, 100);
  for (int i = 0; i < 100; ++i)
    REQUIRE(stack[i] == 1 + i);
}

TEST_CASE("clCreateBuffer: a buffer over SVM shares it", "[svm]") {
  World w;
  auto buffer = w.session.buffer(4096, CL_MEM_USE_HOST_PTR, w.memory);
  cl_bool uses = CL_FALSE;
  CHECK_CL(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, nullptr));
  CHECK(uses == CL_TRUE);
  const cl_int pattern = 12;
  REQUIRE_CL(clEnqueueFillBuffer(w.session.queue, buffer, &pattern, 4, 0, 4096, 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(w.session.queue));
  CHECK(w.memory[1023] == 12);
}

TEST_CASE("clEnqueueSVMMemcpy: copies between SVM and host, both ways", "[svm]") {
  World w;
  std::vector<int> host(1024), back(1024);
  std::iota(host.begin(), host.end(), 3);
  REQUIRE_CL(clEnqueueSVMMemcpy(w.session.queue, CL_FALSE, w.memory, host.data(), 4096, 0, nullptr, nullptr));
  REQUIRE_CL(clEnqueueSVMMemcpy(w.session.queue, CL_TRUE, back.data(), w.memory, 4096, 0, nullptr, nullptr));
  CHECK(back == host);
}

TEST_CASE("clEnqueueSVMMemcpy: a NULL pointer is CL_INVALID_VALUE", "[svm]") {
  World w;
  int value = 0;
  CHECK_STATUS(clEnqueueSVMMemcpy(w.session.queue, CL_TRUE, nullptr, &value, 4, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueSVMMemcpy(w.session.queue, CL_TRUE, w.memory, nullptr, 4, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueSVMMemcpy: overlap is CL_MEM_COPY_OVERLAP", "[svm]") {
  World w;
  CHECK_STATUS(clEnqueueSVMMemcpy(w.session.queue, CL_TRUE, w.memory, w.memory + 4, 64, 0, nullptr, nullptr),
               CL_MEM_COPY_OVERLAP);
  CHECK_STATUS(clEnqueueSVMMemcpy(w.session.queue, CL_TRUE, w.memory + 4, w.memory, 64, 0, nullptr, nullptr),
               CL_MEM_COPY_OVERLAP);
  CHECK_CL(clEnqueueSVMMemcpy(w.session.queue, CL_TRUE, w.memory + 16, w.memory, 64, 0, nullptr, nullptr));
}

TEST_CASE(
    "clEnqueueSVMMemcpy: behind a failed event, blocking, is CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
    "[svm]") {
  World w;
  const auto failed = test::user_event(w.session.context);
  REQUIRE_CL(clSetUserEventStatus(failed, -5));
  const cl_event wait = failed;
  int value = 0;
  CHECK_STATUS(clEnqueueSVMMemcpy(w.session.queue, CL_TRUE, &value, w.memory, 4, 1, &wait, nullptr),
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK_STATUS(clEnqueueSVMMap(w.session.queue, CL_TRUE, CL_MAP_READ, w.memory, 4, 1, &wait, nullptr),
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_CASE("clEnqueueSVMMemFill: fills with patterns of every size", "[svm]") {
  World w;
  for (size_t size = 1; size <= 128; size *= 2) {
    CAPTURE(size);
    std::vector<unsigned char> pattern(size);
    std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(size));
    REQUIRE_CL(
        clEnqueueSVMMemFill(w.session.queue, w.memory, pattern.data(), size, 4096, 0, nullptr, nullptr));
    REQUIRE_CL(clFinish(w.session.queue));
    const auto* bytes = reinterpret_cast<unsigned char*>(w.memory);
    for (size_t i = 0; i < 4096; ++i)
      REQUIRE(bytes[i] == pattern[i % size]);
  }
}

TEST_CASE("clEnqueueSVMMemFill: wrong pointers, patterns and sizes are CL_INVALID_VALUE", "[svm]") {
  World w;
  const char pattern[256] = {};
  const auto fill = [&](void* pointer, const void* data, size_t pattern_size, size_t size) {
    return clEnqueueSVMMemFill(w.session.queue, pointer, data, pattern_size, size, 0, nullptr, nullptr);
  };
  CHECK_STATUS(fill(nullptr, pattern, 4, 64), CL_INVALID_VALUE);
  CHECK_STATUS(fill(reinterpret_cast<char*>(w.memory) + 1, pattern, 4, 64), CL_INVALID_VALUE);
  CHECK_STATUS(fill(w.memory, nullptr, 4, 64), CL_INVALID_VALUE);
  CHECK_STATUS(fill(w.memory, pattern, 0, 64), CL_INVALID_VALUE);
  CHECK_STATUS(fill(w.memory, pattern, 3, 63), CL_INVALID_VALUE);
  CHECK_STATUS(fill(w.memory, pattern, 256, 256), CL_INVALID_VALUE);
  CHECK_STATUS(fill(w.memory, pattern, 4, 63), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueSVMMap: to invalidate excludes reading and writing", "[svm]") {
  World w;
  for (cl_map_flags flags : {CL_MAP_READ, CL_MAP_WRITE})
    CHECK_STATUS(clEnqueueSVMMap(w.session.queue, CL_TRUE, flags | CL_MAP_WRITE_INVALIDATE_REGION, w.memory,
                                 64, 0, nullptr, nullptr),
                 CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueSVMMap: wrong pointers, sizes and flags are CL_INVALID_VALUE", "[svm]") {
  World w;
  CHECK_STATUS(clEnqueueSVMMap(w.session.queue, CL_TRUE, CL_MAP_READ, nullptr, 64, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueSVMMap(w.session.queue, CL_TRUE, CL_MAP_READ, w.memory, 0, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(
      clEnqueueSVMMap(w.session.queue, CL_TRUE, cl_map_flags(1) << 10, w.memory, 64, 0, nullptr, nullptr),
      CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueSVMUnmap(w.session.queue, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueSVMMigrateMem: moves, and refuses what is beyond an allocation", "[svm]") {
  World w;
  const void* pointers[] = {w.memory};
  size_t sizes[] = {4096};
  const size_t beyond[] = {4097};
  const void* nothing[] = {nullptr};
  CHECK_CL(clEnqueueSVMMigrateMem(w.session.queue, 1, pointers, sizes, 0, 0, nullptr, nullptr));
  CHECK_CL(clEnqueueSVMMigrateMem(w.session.queue, 1, pointers, nullptr, CL_MIGRATE_MEM_OBJECT_HOST, 0,
                                  nullptr, nullptr));
  CHECK_STATUS(clEnqueueSVMMigrateMem(w.session.queue, 0, pointers, sizes, 0, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueSVMMigrateMem(w.session.queue, 1, nullptr, sizes, 0, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueSVMMigrateMem(w.session.queue, 1, pointers, sizes, 1 << 10, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueSVMMigrateMem(w.session.queue, 1, pointers, beyond, 0, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  sizes[0] = 0;
  CHECK_CL(clEnqueueSVMMigrateMem(w.session.queue, 1, nothing, sizes, 0, 0, nullptr, nullptr));
  if (!supports(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) return;
  int other = 0;
  const void* of_the_system[] = {&other};
  sizes[0] = sizeof other;
  CHECK_CL(clEnqueueSVMMigrateMem(w.session.queue, 1, of_the_system, sizes, 0, 0, nullptr, nullptr));
}

TEST_CASE("clEnqueueSVMFree: frees after what is before it", "[svm]") {
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(global int* v) { v[get_global_id(0)] += 1; }", "k");
  void* memory = clSVMAlloc(session.context, CL_MEM_READ_WRITE, 1 << 20, 0);
  REQUIRE(memory);
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, memory));
  const size_t items = 1 << 18;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clEnqueueSVMFree(session.queue, 1, &memory, nullptr, nullptr, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clEnqueueSVMFree: a callback frees instead", "[svm]") {
  const test::Session session;
  static std::atomic<int> freed;
  freed = 0;
  void* pointers[] = {clSVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 0),
                      clSVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 0)};
  cl_context context = session.context;
  REQUIRE_CL(clEnqueueSVMFree(
      session.queue, 2, pointers,
      [](cl_command_queue, cl_uint count, void* list[], void* data) {
        for (cl_uint i = 0; i < count; ++i) {
          clSVMFree(static_cast<cl_context>(data), list[i]);
          freed += 1;
        }
      },
      context, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
  CHECK(freed == 2);
}

TEST_CASE("clEnqueueSVMFree: a list without a count, and a count without a list, are CL_INVALID_VALUE",
          "[svm]") {
  World w;
  void* pointers[] = {w.memory};
  CHECK_STATUS(clEnqueueSVMFree(w.session.queue, 0, pointers, nullptr, nullptr, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueSVMFree(w.session.queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
}
