// cl_img_unified_svm_external_memory_dma_buf 1.1: SVM allocations of memory that a file descriptor stands for. A
// dma-buf needs a device that makes one; the property takes any memory that can be mapped.

#include "support/imported_svm.hpp"

#include <atomic>
#include <cstdio>
#include <numeric>
#include <thread>
#include <utility>

using namespace test::imported_svm;
using namespace test::unified_svm;
using test::shared_memory::Shared;

namespace {

constexpr cl_properties never_written = 1 << 1 | 1 << 9;
using List = Properties;

cl_properties property(const void* address) {
  return reinterpret_cast<cl_properties>(address);
}
cl_properties property(int descriptor) {
  return static_cast<cl_properties>(descriptor);
}

bool is_mapped(const void* address, size_t bytes) {
  return msync(const_cast<void*>(address), bytes, MS_ASYNC) == 0;
}

struct World {
  test::Session session;
  Functions f;

  cl_int try_import(List list, size_t bytes, void** made, cl_uint type = 0) const {
    list.insert(list.end(), {associated_device, property(test::device()), 0});
    cl_int error = 1;
    *made = f.alloc(session.context, list.data(), type, bytes, &error);
    return error;
  }
  cl_int error_of(const List& list, size_t bytes) const {
    void* made = nullptr;
    const cl_int error = try_import(list, bytes, &made);
    CHECK(made == nullptr);
    return error;
  }
  void import(const Shared& memory, void* address, size_t bytes, cl_uint type = 0) const {
    void* made = nullptr;
    REQUIRE_CL(try_import({dma_buf, property(memory.descriptor()), at_address, property(address)}, bytes,
                          &made, type));
    CHECK(made == address);
  }
  void free(void* memory) const { CHECK_CL(f.free(session.context, nullptr, 0, memory)); }
};

} // namespace

TEST_CASE("Imported SVM is the memory of the descriptor, for kernels, commands and the host",
          "[unified_svm_import]") {
  if (!has_import()) return;
  const World w;
  constexpr size_t count = 5000, bytes = count * sizeof(cl_uint);
  const auto kernel = w.session.kernel("kernel void k(global uint* v) { v[get_global_id(0)] += 7; }", "k");
  size_t types = 0;
  REQUIRE_CL(clGetDeviceInfo(test::device(), device_types, 0, nullptr, &types));
  for (cl_uint type = 0; type < types / sizeof(cl_bitfield); ++type) {
    CAPTURE(type);
    const Shared memory(bytes);
    std::iota(memory.as<cl_uint>(), memory.as<cl_uint>() + count, 0u);
    std::byte* const address = free_addresses(bytes);
    w.import(memory, address, bytes, type);
    CHECK(fcntl(memory.descriptor(), F_GETFD) >= 0); // it is still the application's
    REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, address));
    w.session.run(kernel, count);
    const cl_uint written = 12;
    REQUIRE_CL(clEnqueueSVMMemcpy(w.session.queue, CL_TRUE, address + 4, &written, 4, 0, nullptr, nullptr));
    CHECK(memory.as<cl_uint>()[0] == 7);
    CHECK(memory.as<cl_uint>()[1] == 12);
    CHECK(memory.as<cl_uint>()[count - 1] == count + 6);
    memory.as<cl_uint>()[2] = 99;
    CHECK(reinterpret_cast<cl_uint*>(address)[2] == 99);
    w.free(address);
    CHECK_FALSE(is_mapped(address, bytes));
    CHECK(memory.as<cl_uint>()[2] == 99);
  }
}

TEST_CASE("Imported SVM: queries, and release by each function, after the last command",
          "[unified_svm_import]") {
  if (!has_import()) return;
  const World w;
  const Shared memory(8192);
  std::byte* const address = free_addresses(8192);
  w.import(memory, address, 5000);
  void* base = nullptr;
  size_t size = 0;
  CHECK_CL(
      w.f.info(w.session.context, nullptr, address + 4999, base_of_pointer, sizeof base, &base, nullptr));
  CHECK_CL(w.f.info(w.session.context, nullptr, address, size_of_pointer, sizeof size, &size, nullptr));
  CHECK(base == address);
  CHECK(size == 5000);
  const auto gate = test::user_event(w.session.context);
  const cl_event wait = gate;
  void* pointer = address;
  const cl_uchar value = 9;
  REQUIRE_CL(clEnqueueSVMMemFill(w.session.queue, address, &value, 1, 5000, 1, &wait, nullptr));
  REQUIRE_CL(clEnqueueSVMFree(w.session.queue, 1, &pointer, nullptr, nullptr, 0, nullptr, nullptr));
  CHECK(is_mapped(address, 5000));
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  REQUIRE_CL(clFinish(w.session.queue));
  CHECK(memory.as<cl_uchar>()[4999] == 9);
  CHECK(memory.as<cl_uchar>()[5000] == 0);
  CHECK_FALSE(is_mapped(address, 5000));
  w.import(memory, address, 8192); // the same addresses again
  clSVMFree(w.session.context, address);
  CHECK_FALSE(is_mapped(address, 8192));
}

TEST_CASE("Imported SVM at the application's own mapping: the mapping stays", "[unified_svm_import]") {
  if (!has_import()) return;
  const World w;
  constexpr size_t bytes = 5 * 4096;
  const Shared memory(bytes);
  auto* const address = memory.as<std::byte>();
  // Linux lists the mapping in two parts.
  REQUIRE(mprotect(address + 8192, 4096, PROT_READ) == 0);
  CHECK_STATUS(w.error_of({dma_buf, property(memory.descriptor()), at_address, property(address)}, bytes),
               CL_INVALID_PROPERTY);
  w.import(memory, address, 8192);
  const cl_uint value = 5;
  REQUIRE_CL(clEnqueueSVMMemFill(w.session.queue, address, &value, 4, 8192, 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(w.session.queue));
  w.free(address);
  CHECK(memory.as<cl_uint>()[2047] == 5);
  const List read_only{
      dma_buf, property(memory.descriptor()), at_address, property(address), access_flags, never_written};
  void* made = nullptr;
  REQUIRE_CL(w.try_import(read_only, bytes, &made));
  w.free(made);
  CHECK(is_mapped(address, bytes));
}

TEST_CASE("Imported SVM: each error of the properties", "[unified_svm_import]") {
  if (!has_import()) return;
  const World w;
  const Shared memory(8192), other(8192);
  const auto fd = property(memory.descriptor());
  std::byte* const address = free_addresses(8192);
  const auto at = property(address);
  struct Case {
    List list;
    size_t bytes;
    cl_int error;
  };
  const Case cases[] = {
      {{dma_buf, fd}, 4096, CL_INVALID_PROPERTY},
      {{at_address, at}, 4096, CL_INVALID_PROPERTY},
      {{dma_buf, fd, at_address, 0}, 4096, CL_INVALID_PROPERTY},
      {{dma_buf, fd, at_address, at + 64}, 4096, CL_INVALID_PROPERTY},
      {{dma_buf, fd, at_address, ~cl_properties{4095}}, 8192, CL_INVALID_PROPERTY},
      {{dma_buf, 1'000'000, at_address, at}, 4096, CL_INVALID_PROPERTY},
      {{dma_buf, fd | cl_properties{1} << 32, at_address, at}, 4096, CL_INVALID_PROPERTY},
      {{dma_buf, fd, dma_buf, fd, at_address, at}, 4096, CL_INVALID_PROPERTY},
      {{dma_buf, fd, at_address, at, at_address, at}, 4096, CL_INVALID_PROPERTY},
      {{dma_buf, fd, at_address, at, alignment_property, 3}, 4096, CL_INVALID_PROPERTY},
      {{dma_buf, fd, at_address, at}, 8193, CL_INVALID_BUFFER_SIZE},
      {{dma_buf, fd, at_address, property(other.as<void>())}, 4096, CL_INVALID_PROPERTY},
  };
  for (const Case& each : cases) {
    CAPTURE(each.list, each.bytes);
    CHECK_STATUS(w.error_of(each.list, each.bytes), each.error);
    CHECK_FALSE(is_mapped(address, 4096));
  }
  CHECK_CL(w.error_of({dma_buf, fd, at_address, at}, 0)); // no bytes, no allocation
}

TEST_CASE("Imported SVM: what is mapped at the address has to be the memory itself", "[unified_svm_import]") {
  if (!has_import()) return;
  const World w;
  const Shared memory(16384);
  const auto fd = property(memory.descriptor());
  const auto error_at = [&](void* address, size_t bytes) {
    return w.error_of({dma_buf, fd, at_address, property(address)}, bytes);
  };
  CHECK_STATUS(error_at(memory.as<std::byte>() + 4096, 4096), CL_INVALID_PROPERTY); // another part of it
  void* const copy = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, memory.descriptor(), 0);
  REQUIRE(copy != MAP_FAILED);
  CHECK_STATUS(error_at(copy, 8192), CL_INVALID_PROPERTY);
  REQUIRE(munmap(copy, 8192) == 0);
  // The first half is mapped.
  void* const half = free_addresses(16384);
  REQUIRE(mmap(half, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory.descriptor(), 0) == half);
  CHECK_STATUS(error_at(half, 16384), CL_INVALID_PROPERTY);
  w.import(memory, half, 8192);
  CHECK_STATUS(error_at(half, 8192), CL_INVALID_PROPERTY); // an allocation already
  CHECK_STATUS(error_at(half, 4096), CL_INVALID_PROPERTY);
  w.free(half);
  REQUIRE(munmap(half, 8192) == 0);
  // Memory that can only be read is for allocations that nobody writes.
  const int read_only = memory.given(O_RDONLY);
  void* made = half;
  List list{dma_buf, property(read_only), at_address, property(half)};
  CHECK_STATUS(w.try_import(list, 4096, &made), CL_INVALID_PROPERTY);
  list.insert(list.end(), {access_flags, never_written});
  REQUIRE_CL(w.try_import(list, 4096, &made));
  close(read_only);
  memory.as<cl_uint>()[1] = 42;
  CHECK(static_cast<cl_uint*>(made)[1] == 42);
  w.free(made);
}

TEST_CASE("Imported SVM: threads import at one address, and what is imported stays mapped",
          "[unified_svm_import]") {
  if (!has_import()) return;
  const World w;
  const Shared memory(8192);
  std::byte* const address = free_addresses(8192);
  std::atomic<int> imports = 0, unmapped = 0;
  const auto import_often = [&] {
    const List list{dma_buf, property(memory.descriptor()), at_address, property(address)};
    for (int i = 0; i < 4000; ++i) {
      void* made = nullptr;
      if (w.try_import(list, 8192, &made) != CL_SUCCESS) continue;
      ++imports;
      if (!is_mapped(made, 8192)) ++unmapped;
      w.f.free(w.session.context, nullptr, 0, made);
    }
  };
  std::thread others[3];
  for (std::thread& other : others)
    other = std::thread(import_often);
  import_often();
  for (std::thread& other : others)
    other.join();
  CHECK(imports >= 1);
  CHECK(unmapped == 0);
  CHECK_FALSE(is_mapped(address, 8192));
}

TEST_CASE("No SVM is imported if kernels run in another process", "[unified_svm_import]") {
  if (!test::has_guests()) return;
  CHECK_FALSE(has_import());
  const World w;
  const Shared memory(4096);
  CHECK_STATUS(
      w.error_of({dma_buf, property(memory.descriptor()), at_address, property(free_addresses(4096))}, 4096),
      CL_INVALID_PROPERTY);
}
