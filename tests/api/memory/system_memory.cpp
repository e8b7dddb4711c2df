// Memory that neither OpenCL nor the test's own allocations know anything of, as the data of arrays and tensors of
// other libraries (NumPy, DLPack) is: a pointer from malloc() or mmap(), with an offset and strides.

#include "support/unified_memory.hpp"

#include <cstdlib>
#include <memory>

#include <sys/mman.h>

namespace {

bool has_system_memory() {
  return test::device_value<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES) &
         CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
}

/// A matrix as DLPack describes one.
struct Tensor {
  void* data;
  size_t byte_offset;
  size_t shape[2], strides[2]; ///< in elements
  float* first() const { return reinterpret_cast<float*>(static_cast<char*>(data) + byte_offset); }
  float& at(size_t row, size_t column) const { return first()[row * strides[0] + column * strides[1]]; }
};

constexpr const char* scale_source = R"(
kernel void scale(global float* to, ulong to_row, ulong to_column,
                  global const float* from, ulong from_row, ulong from_column) {
  const size_t row = get_global_id(0), column = get_global_id(1);
  to[row * to_row + column * to_column] = 2 * from[row * from_row + column * from_column];
})";

using Freed = std::unique_ptr<void, decltype(&std::free)>;

} // namespace

TEST_CASE("System memory: the device says that it shares it", "[system_memory]") {
  if (!has_system_memory()) return;
  const auto svm = test::device_value<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES);
  CHECK((svm & CL_DEVICE_SVM_ATOMICS) != 0);
  CHECK((svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0);
  if (!test::has_unified_memory()) return;
  const auto usm = test::device_value<cl_device_unified_shared_memory_capabilities_intel>(
      CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL);
  CHECK((usm & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) != 0);
  CHECK((usm & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL) != 0);
}

TEST_CASE("System memory: kernels work on tensors in place, with offsets and strides", "[system_memory]") {
  if (!has_system_memory()) return;
  constexpr size_t rows = 37, columns = 53, bytes = (rows * columns + 16) * sizeof(float);
  const Freed heap(std::malloc(bytes), std::free);
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(pages != MAP_FAILED);
  const Tensor from{heap.get(), 12, {rows, columns}, {columns, 1}};
  const Tensor to{pages, 20, {rows, columns}, {1, rows}}; // transposed, as Fortran has it
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column)
      from.at(row, column) = static_cast<float>(row * 100 + column);
  const test::UnifiedMemory unified;
  const auto& session = unified.session;
  const auto kernel = session.kernel(scale_source, "scale");
  using SetPointer = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, const void*);
  for (const SetPointer set :
       {SetPointer{clSetKernelArgSVMPointer}, unified.f.clSetKernelArgMemPointerINTEL}) {
    if (!set) continue;
    for (const auto& [index, tensor] : {std::pair(0u, &to), std::pair(3u, &from)}) {
      REQUIRE_CL(set(kernel, index, tensor->first()));
      REQUIRE_CL(test::set_argument(kernel, index + 1, static_cast<cl_ulong>(tensor->strides[0])));
      REQUIRE_CL(test::set_argument(kernel, index + 2, static_cast<cl_ulong>(tensor->strides[1])));
    }
    session.run(kernel, {rows, columns});
    for (size_t row = 0; row < rows; ++row)
      for (size_t column = 0; column < columns; ++column)
        REQUIRE(to.at(row, column) == 2 * static_cast<float>(row * 100 + column));
    std::fill_n(to.first(), rows * columns, 0.0f);
  }
  munmap(pages, bytes);
}

TEST_CASE("System memory: copies and fills of SVM and unified memory take it", "[system_memory]") {
  if (!has_system_memory() || !test::has_unified_memory()) return;
  const test::UnifiedMemory unified;
  const auto queue = unified.session.queue.get();
  constexpr size_t count = 1000, bytes = count * sizeof(int);
  const Freed first(std::malloc(bytes), std::free), second(std::malloc(bytes), std::free);
  const int pattern = 77;
  REQUIRE_CL(clEnqueueSVMMemFill(queue, first.get(), &pattern, sizeof pattern, bytes, 0, nullptr, nullptr));
  REQUIRE_CL(
      unified.f.clEnqueueMemcpyINTEL(queue, CL_TRUE, second.get(), first.get(), bytes, 0, nullptr, nullptr));
  CHECK(static_cast<int*>(second.get())[count - 1] == 77);
  const test::Allocation device(unified, test::Kind::device, bytes);
  REQUIRE_CL(unified.f.clEnqueueMemFillINTEL(queue, second.get(), &pattern, 1, bytes, 0, nullptr, nullptr));
  REQUIRE_CL(
      unified.f.clEnqueueMemcpyINTEL(queue, CL_FALSE, device.data, second.get(), bytes, 0, nullptr, nullptr));
  REQUIRE_CL(clEnqueueSVMMemcpy(queue, CL_TRUE, first.get(), device.data, bytes, 0, nullptr, nullptr));
  CHECK(static_cast<int*>(first.get())[count / 2] == 77 * 0x1010101);
}

TEST_CASE("System memory: kernels follow pointers that lie in it", "[system_memory]") {
  if (!has_system_memory()) return;
  const test::Session session;
  struct Node {
    Node* next;
    cl_int value;
  };
  constexpr int length = 100;
  Node* list = nullptr;
  for (int i = 0; i < length; ++i) {
    auto* node = static_cast<Node*>(std::malloc(sizeof(Node)));
    *node = {list, i};
    list = node;
  }
  const auto kernel = session.kernel(R"(
    struct node { global struct node* next; int value; };
    kernel void sum(global struct node* list, global int* result) {
      int total = 0;
      for (; list; list = list->next) total += list->value;
      *result = total;
    })",
                                     "sum");
  int result = 0;
  const cl_bool yes = CL_TRUE;
  REQUIRE_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, list));
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 1, &result));
  session.run(kernel, 1);
  CHECK(result == length * (length - 1) / 2);
  while (list)
    std::free(std::exchange(list, list->next));
}
