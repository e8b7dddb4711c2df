// clCreateBuffer, clCreateBufferWithProperties (OpenCL 3.0 API, 5.2.1)

#include "support/session.hpp"

#include <algorithm>
#include <numeric>

namespace {

cl_int create(cl_mem_flags flags, size_t bytes, void* host = nullptr) {
  const test::Context context = test::make_context();
  cl_int error = 1;
  test::Buffer buffer(clCreateBuffer(context, flags, bytes, host, &error));
  CHECK(bool(buffer) == (error == CL_SUCCESS));
  return error;
}

cl_int create_with(std::vector<cl_mem_properties> properties) {
  const test::Context context = test::make_context();
  cl_int error = 1;
  test::Buffer buffer(clCreateBufferWithProperties(context, properties.empty() ? nullptr : properties.data(),
                                                   CL_MEM_READ_WRITE, 64, nullptr, &error));
  return error;
}

} // namespace

TEST_CASE("clCreateBuffer: every sensible combination of flags works", "[buffer]") {
  for (cl_mem_flags access : {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY})
    for (cl_mem_flags host : {0, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS})
      for (cl_mem_flags pointer : {0, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR,
                                   CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR}) {
        alignas(128) static char memory[256];
        const bool from_host = pointer & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
        CAPTURE(access, host, pointer);
        CHECK_CL(create(access | host | pointer, sizeof memory, from_host ? memory : nullptr));
      }
}

TEST_CASE("clCreateBuffer: copies the host's values", "[buffer]") {
  const test::Session session;
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 5);
  CHECK(session.read<int>(session.buffer(values), 1000) == values);
}

TEST_CASE("clCreateBuffer: a small buffer without values holds zeros, although its memory was used before",
          "[buffer]") {
  const test::Session session;
  for (const size_t count : {1, 137, 4096})
    for (int i = 0; i < 4; ++i) {
      (void)session.buffer(std::vector<cl_int>(count, -1));
      const auto buffer = session.buffer(count * sizeof(cl_int));
      CAPTURE(count, i);
      CHECK(session.read<cl_int>(buffer, count) == std::vector<cl_int>(count, 0));
    }
}

TEST_CASE("clCreateBuffer: host memory is used in place", "[buffer]") {
  const test::Session session;
  std::vector<cl_int> values(1024, 1);
  auto buffer = session.buffer(values.size() * 4, CL_MEM_USE_HOST_PTR, values.data());
  const auto kernel =
      session.kernel("kernel void twice(global int* v) { v[get_global_id(0)] += 41; }", "twice");
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1024);
  cl_int error = 1;
  void* mapped =
      clEnqueueMapBuffer(session.queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4096, 0, nullptr, nullptr, &error);
  CHECK_CL(error);
  CHECK(mapped == values.data());
  CHECK(values == std::vector<cl_int>(1024, 42));
  CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, mapped, 0, nullptr, nullptr));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clCreateBuffer: host memory of any alignment is used", "[buffer]") {
  const test::Session session;
  std::vector<char> bytes(257, 3);
  auto buffer = session.buffer(256, CL_MEM_USE_HOST_PTR, bytes.data() + 1);
  const auto kernel = session.kernel("kernel void add(global char* v) { v[get_global_id(0)] += 1; }", "add");
  test::set_arguments(kernel, buffer);
  session.run(kernel, 256);
  CHECK(session.read<char>(buffer, 256) == std::vector<char>(256, 4));
}

TEST_CASE("clCreateBufferWithProperties: flags, sizes and pointers are checked as by clCreateBuffer",
          "[buffer]") {
  const test::Session session;
  char memory[64];
  const auto create = [&](cl_mem_flags flags, size_t size, void* host) {
    cl_int error = CL_SUCCESS;
    CHECK(clCreateBufferWithProperties(session.context, nullptr, flags, size, host, &error) == nullptr);
    return error;
  };
  CHECK_STATUS(create(cl_mem_flags{1} << 40, 64, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(create(0, 0, nullptr), CL_INVALID_BUFFER_SIZE);
  CHECK_STATUS(create(0, 64, memory), CL_INVALID_HOST_PTR);
}

TEST_CASE("clCreateBuffer: size 0 is CL_INVALID_BUFFER_SIZE", "[buffer]") {
  CHECK_STATUS(create(CL_MEM_READ_WRITE, 0), CL_INVALID_BUFFER_SIZE);
}

TEST_CASE("clCreateBuffer: more than the largest allocation is CL_INVALID_BUFFER_SIZE", "[buffer]") {
  const auto most = test::device_value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  CHECK_STATUS(create(CL_MEM_READ_WRITE, most + 1), CL_INVALID_BUFFER_SIZE);
  CHECK_STATUS(create(CL_MEM_READ_WRITE, SIZE_MAX), CL_INVALID_BUFFER_SIZE);
}

TEST_CASE("clCreateBuffer: two kinds of device access are CL_INVALID_VALUE", "[buffer]") {
  CHECK_STATUS(create(CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64), CL_INVALID_VALUE);
  CHECK_STATUS(create(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY, 64), CL_INVALID_VALUE);
  CHECK_STATUS(create(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64), CL_INVALID_VALUE);
}

TEST_CASE("clCreateBuffer: two kinds of host access are CL_INVALID_VALUE", "[buffer]") {
  CHECK_STATUS(create(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 64), CL_INVALID_VALUE);
  CHECK_STATUS(create(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64), CL_INVALID_VALUE);
}

TEST_CASE("clCreateBuffer: use of host memory excludes allocation and copy", "[buffer]") {
  char memory[64] = {};
  CHECK_STATUS(create(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, memory), CL_INVALID_VALUE);
  CHECK_STATUS(create(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, memory), CL_INVALID_VALUE);
}

TEST_CASE("clCreateBuffer: unknown flags are CL_INVALID_VALUE", "[buffer]") {
  CHECK_STATUS(create(cl_mem_flags(1) << 40, 64), CL_INVALID_VALUE);
}

TEST_CASE("clCreateBuffer: a host pointer that is not used is CL_INVALID_HOST_PTR", "[buffer]") {
  char memory[64];
  CHECK_STATUS(create(CL_MEM_READ_WRITE, 64, memory), CL_INVALID_HOST_PTR);
}

TEST_CASE("clCreateBuffer: a missing host pointer is CL_INVALID_HOST_PTR", "[buffer]") {
  CHECK_STATUS(create(CL_MEM_USE_HOST_PTR, 64), CL_INVALID_HOST_PTR);
  CHECK_STATUS(create(CL_MEM_COPY_HOST_PTR, 64), CL_INVALID_HOST_PTR);
}

TEST_CASE("clCreateBuffer: larger than its SVM allocation is CL_INVALID_BUFFER_SIZE", "[buffer]") {
  if (!test::is_hostcl()) return;
  const test::Context context = test::make_context();
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
  REQUIRE(memory);
  for (cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
    cl_int error = 1;
    test::Buffer buffer(clCreateBuffer(context, flags, 128, memory, &error));
    CHECK_STATUS(error, CL_INVALID_BUFFER_SIZE);
  }
  clSVMFree(context, memory);
}

TEST_CASE("clCreateBufferWithProperties: an empty list works", "[buffer]") {
  CHECK_CL(create_with({}));
  CHECK_CL(create_with({0}));
}

TEST_CASE("clCreateBufferWithProperties: an unknown property is CL_INVALID_PROPERTY", "[buffer]") {
  CHECK_STATUS(create_with({0x7777, 1, 0}), CL_INVALID_PROPERTY);
}

TEST_CASE("Buffers are aligned for every type", "[buffer]") {
  const test::Session session;
  const auto align = test::device_value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  for (size_t bytes : {1, 7, 100, 5000}) {
    auto buffer = session.buffer(bytes);
    void* mapped = clEnqueueMapBuffer(session.queue, buffer, CL_TRUE, CL_MAP_READ, 0, bytes, 0, nullptr,
                                      nullptr, nullptr);
    CHECK(reinterpret_cast<uintptr_t>(mapped) % align == 0);
    CHECK_CL(clEnqueueUnmapMemObject(session.queue, buffer, mapped, 0, nullptr, nullptr));
    CHECK_CL(clFinish(session.queue));
  }
}

TEST_CASE("Buffers that live at the same time never share memory, however others come and go", "[buffer]") {
  const test::Session session;
  struct Live {
    test::Buffer buffer;
    size_t bytes;
    unsigned char value;
  };
  std::vector<Live> live;
  unsigned random = 1;
  for (int iteration = 0; iteration < 120; ++iteration) {
    random = random * 1664525u + 1013904223u;
    if (live.size() == 6) live.erase(live.begin() + (random >> 16) % live.size());
    const size_t bytes = (size_t{1} << (17 + (random >> 8) % 7)) + (random >> 12) % 4096;
    const auto value = static_cast<unsigned char>(iteration);
    live.push_back({session.buffer(bytes), bytes, value});
    REQUIRE_CL(
        clEnqueueFillBuffer(session.queue, live.back().buffer, &value, 1, 0, bytes, 0, nullptr, nullptr));
  }
  for (const Live& l : live) {
    const auto values = session.read<unsigned char>(l.buffer, l.bytes);
    CHECK(std::all_of(values.begin(), values.end(), [&](unsigned char v) { return v == l.value; }));
  }
}

TEST_CASE("clCreateBuffer: more than the device's memory is CL_MEM_OBJECT_ALLOCATION_FAILURE", "[buffer]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto most = test::device_value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const auto memory = test::device_value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  std::vector<test::Buffer> buffers; // never written: no page of them is used
  cl_int error = CL_SUCCESS;
  while (error == CL_SUCCESS && buffers.size() <= memory / most)
    buffers.emplace_back(clCreateBuffer(session.context, CL_MEM_READ_WRITE, most, nullptr, &error));
  CHECK_STATUS(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  buffers.clear();
  CHECK(session.buffer(most));
}
