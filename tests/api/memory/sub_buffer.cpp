// clCreateSubBuffer (OpenCL 3.0 API, 5.2.1)

#include "support/session.hpp"

#include <numeric>

namespace {

size_t alignment() {
  return test::device_value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
}

test::Buffer part(cl_mem buffer, size_t origin, size_t size, cl_mem_flags flags = 0,
                  cl_int* error = nullptr) {
  const cl_buffer_region region{origin, size};
  return test::Buffer(clCreateSubBuffer(buffer, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, error));
}

cl_int part_error(cl_mem_flags parent_flags, cl_mem_flags flags, size_t origin = 0, size_t size = 64) {
  const test::Session session;
  auto parent = session.buffer(4096, parent_flags);
  cl_int error = 1;
  const auto sub = part(parent, origin, size, flags, &error);
  CHECK(bool(sub) == (error == CL_SUCCESS));
  return error;
}

} // namespace

TEST_CASE("clCreateSubBuffer: reads and writes are those of the parent", "[sub_buffer]") {
  const test::Session session;
  const size_t align = alignment();
  std::vector<unsigned char> values(align * 4);
  std::iota(values.begin(), values.end(), 0);
  auto parent = session.buffer(values);
  auto sub = part(parent, align, align * 2);
  REQUIRE(sub);
  CHECK(session.read<unsigned char>(sub, align * 2) ==
        std::vector<unsigned char>(values.begin() + align, values.begin() + 3 * align));
  const unsigned char mark = 200;
  REQUIRE_CL(clEnqueueWriteBuffer(session.queue, sub, CL_TRUE, 3, 1, &mark, 0, nullptr, nullptr));
  CHECK(session.read<unsigned char>(parent, 1, align + 3)[0] == 200);
}

TEST_CASE("clCreateSubBuffer: a kernel sees its part", "[sub_buffer]") {
  const test::Session session;
  const size_t align = alignment();
  auto parent = session.buffer(std::vector<cl_int>(align, 1));
  auto sub = part(parent, align, align * 2);
  const auto kernel = session.kernel("kernel void add(global int* v) { v[get_global_id(0)] += 1; }", "add");
  test::set_arguments(kernel, sub);
  session.run(kernel, align * 2 / 4);
  const auto values = session.read<cl_int>(parent, align);
  CHECK(std::accumulate(values.begin(), values.end(), 0) == int(align + align / 2));
  CHECK(values[align / 4 - 1] == 1);
  CHECK(values[align / 4] == 2);
}

TEST_CASE("clCreateSubBuffer: outlives the handle of its parent", "[sub_buffer]") {
  const test::Session session;
  auto parent = session.buffer(std::vector<cl_int>(1024, 9));
  auto sub = part(parent, 0, 4096);
  parent.reset();
  CHECK(session.read<cl_int>(sub, 1024) == std::vector<cl_int>(1024, 9));
}

TEST_CASE("clCreateSubBuffer: queries tell parent, offset and size", "[sub_buffer]") {
  const test::Session session;
  const size_t align = alignment();
  auto parent = session.buffer(align * 4, CL_MEM_READ_ONLY);
  auto sub = part(parent, align, align);
  cl_mem associated = nullptr;
  size_t offset = 0, size = 0;
  cl_mem_flags flags = 0;
  CHECK_CL(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof associated, &associated, nullptr));
  CHECK_CL(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, nullptr));
  CHECK_CL(clGetMemObjectInfo(sub, CL_MEM_SIZE, sizeof size, &size, nullptr));
  CHECK_CL(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof flags, &flags, nullptr));
  CHECK(associated == parent.get());
  CHECK(offset == align);
  CHECK(size == align);
  CHECK((flags & CL_MEM_READ_ONLY) != 0);
}

TEST_CASE("clCreateSubBuffer: the host pointer is the parent's plus the origin", "[sub_buffer]") {
  const test::Session session;
  const size_t align = alignment();
  std::vector<char> memory(align * 4);
  auto parent = session.buffer(memory.size(), CL_MEM_USE_HOST_PTR, memory.data());
  auto sub = part(parent, align * 2, align);
  void* pointer = nullptr;
  CHECK_CL(clGetMemObjectInfo(sub, CL_MEM_HOST_PTR, sizeof pointer, &pointer, nullptr));
  CHECK(pointer == memory.data() + align * 2);
}

TEST_CASE("clCreateSubBuffer: flags that the parent allows work", "[sub_buffer]") {
  CHECK_CL(part_error(CL_MEM_READ_WRITE, CL_MEM_READ_ONLY));
  CHECK_CL(part_error(CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY));
  CHECK_CL(part_error(CL_MEM_READ_WRITE, CL_MEM_HOST_NO_ACCESS));
  CHECK_CL(part_error(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS));
}

TEST_CASE("clCreateSubBuffer: more device access than the parent has is CL_INVALID_VALUE", "[sub_buffer]") {
  CHECK_STATUS(part_error(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubBuffer: more host access than the parent has is CL_INVALID_VALUE", "[sub_buffer]") {
  CHECK_STATUS(part_error(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY), CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubBuffer: flags of host memory are CL_INVALID_VALUE", "[sub_buffer]") {
  CHECK_STATUS(part_error(0, CL_MEM_USE_HOST_PTR), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(0, CL_MEM_ALLOC_HOST_PTR), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(0, CL_MEM_COPY_HOST_PTR), CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubBuffer: an unknown type is CL_INVALID_VALUE", "[sub_buffer]") {
  const test::Session session;
  auto parent = session.buffer(4096);
  const cl_buffer_region region{0, 64};
  cl_int error = 1;
  CHECK(clCreateSubBuffer(parent, 0, 0x7777, &region, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubBuffer: no region is CL_INVALID_VALUE", "[sub_buffer]") {
  const test::Session session;
  auto parent = session.buffer(4096);
  cl_int error = 1;
  CHECK(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubBuffer: a region out of bounds is CL_INVALID_VALUE", "[sub_buffer]") {
  CHECK_STATUS(part_error(0, 0, 0, 4097), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(0, 0, 4096, 64), CL_INVALID_VALUE);
  CHECK_STATUS(part_error(0, 0, 128, SIZE_MAX - 64), CL_INVALID_VALUE);
}

TEST_CASE("clCreateSubBuffer: size 0 is CL_INVALID_BUFFER_SIZE", "[sub_buffer]") {
  CHECK_STATUS(part_error(0, 0, 0, 0), CL_INVALID_BUFFER_SIZE);
}

TEST_CASE("clCreateSubBuffer: an unaligned origin is CL_MISALIGNED_SUB_BUFFER_OFFSET", "[sub_buffer]") {
  CHECK_STATUS(part_error(0, 0, 1, 64), CL_MISALIGNED_SUB_BUFFER_OFFSET);
}

TEST_CASE("clCreateSubBuffer: a part of a part is CL_INVALID_MEM_OBJECT", "[sub_buffer]") {
  const test::Session session;
  auto parent = session.buffer(4096);
  auto sub = part(parent, 0, 2048);
  cl_int error = 1;
  CHECK_FALSE(part(sub, 0, 64, 0, &error));
  CHECK_STATUS(error, CL_INVALID_MEM_OBJECT);
}
