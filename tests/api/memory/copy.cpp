// clEnqueueCopyBuffer (OpenCL 3.0 API, 5.2.3)

#include "support/session.hpp"

#include <numeric>

namespace {

cl_int copy(const test::Session& s, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
            size_t size) {
  return clEnqueueCopyBuffer(s.queue, from, to, from_offset, to_offset, size, 0, nullptr, nullptr);
}

} // namespace

TEST_CASE("clEnqueueCopyBuffer: copies the region and nothing else", "[copy]") {
  const test::Session session;
  std::vector<int> values(100000), expected(100000, -1);
  std::iota(values.begin(), values.end(), 0);
  auto from = session.buffer(values), to = session.buffer(expected);
  REQUIRE_CL(copy(session, from, to, 400, 800, 200000));
  std::copy_n(values.begin() + 100, 50000, expected.begin() + 200);
  CHECK(session.read<int>(to, expected.size()) == expected);
}

TEST_CASE("clEnqueueCopyBuffer: a large copy is complete", "[copy]") {
  const test::Session session;
  const size_t bytes = 64 << 20;
  auto from = session.buffer(bytes), to = session.buffer(bytes);
  const cl_uint pattern = 0x12345678;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, from, &pattern, 4, 0, bytes, 0, nullptr, nullptr));
  REQUIRE_CL(copy(session, from, to, 0, 0, bytes));
  const auto values = session.read<cl_uint>(to, bytes / 4);
  CHECK(std::count(values.begin(), values.end(), pattern) == long(bytes / 4));
}

TEST_CASE("clEnqueueCopyBuffer: within a buffer, apart", "[copy]") {
  const test::Session session;
  auto buffer = session.buffer(std::vector<int>{1, 2, 3, 4, 0, 0, 0, 0});
  REQUIRE_CL(copy(session, buffer, buffer, 0, 16, 16));
  CHECK(session.read<int>(buffer, 8) == std::vector<int>{1, 2, 3, 4, 1, 2, 3, 4});
}

TEST_CASE("clEnqueueCopyBuffer: size 0 copies nothing", "[copy]") {
  const test::Session session;
  auto from = session.buffer(64), to = session.buffer(64);
  CHECK_CL(copy(session, from, to, 0, 0, 0));
}

TEST_CASE("clEnqueueCopyBuffer: a source out of bounds is CL_INVALID_VALUE", "[copy]") {
  const test::Session session;
  auto from = session.buffer(64), to = session.buffer(128);
  CHECK_STATUS(copy(session, from, to, 0, 0, 65), CL_INVALID_VALUE);
  CHECK_STATUS(copy(session, from, to, SIZE_MAX, 0, 2), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueCopyBuffer: a destination out of bounds is CL_INVALID_VALUE", "[copy]") {
  const test::Session session;
  auto from = session.buffer(128), to = session.buffer(64);
  CHECK_STATUS(copy(session, from, to, 0, 0, 65), CL_INVALID_VALUE);
  CHECK_STATUS(copy(session, from, to, 0, SIZE_MAX, 2), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueCopyBuffer: overlap in a buffer is CL_MEM_COPY_OVERLAP", "[copy]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  CHECK_STATUS(copy(session, buffer, buffer, 0, 0, 16), CL_MEM_COPY_OVERLAP);
  CHECK_STATUS(copy(session, buffer, buffer, 0, 15, 16), CL_MEM_COPY_OVERLAP);
  CHECK_STATUS(copy(session, buffer, buffer, 15, 0, 16), CL_MEM_COPY_OVERLAP);
  CHECK_CL(copy(session, buffer, buffer, 16, 0, 16));
}

TEST_CASE("clEnqueueCopyBuffer: overlap of two sub-buffers is CL_MEM_COPY_OVERLAP", "[copy]") {
  const test::Session session;
  const size_t align = test::device_value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  auto parent = session.buffer(align * 4);
  const cl_buffer_region low{0, align * 2}, high{align, align * 2};
  test::Buffer first(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, nullptr));
  test::Buffer second(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, nullptr));
  CHECK_STATUS(copy(session, first, second, align, 0, align), CL_MEM_COPY_OVERLAP);
  CHECK_CL(copy(session, first, second, 0, 0, align));
}
