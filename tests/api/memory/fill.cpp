// clEnqueueFillBuffer (OpenCL 3.0 API, 5.2.3)

#include "support/session.hpp"

#include <numeric>

namespace {

cl_int fill(const test::Session& s, cl_mem buffer, const void* pattern, size_t pattern_size, size_t offset,
            size_t size) {
  return clEnqueueFillBuffer(s.queue, buffer, pattern, pattern_size, offset, size, 0, nullptr, nullptr);
}

constexpr char pattern[256] = {};

} // namespace

TEST_CASE("clEnqueueFillBuffer: repeats patterns of every size, and touches nothing else", "[fill]") {
  const test::Session session;
  for (size_t size = 1; size <= 128; size *= 2) {
    CAPTURE(size);
    std::vector<unsigned char> piece(size), expected(4096, 0xEE);
    std::iota(piece.begin(), piece.end(), 1);
    auto buffer = session.buffer(expected);
    REQUIRE_CL(fill(session, buffer, piece.data(), size, size * 3, size * 20));
    for (size_t i = 0; i < 20; ++i)
      std::copy(piece.begin(), piece.end(), expected.begin() + size * (3 + i));
    CHECK(session.read<unsigned char>(buffer, 4096) == expected);
  }
}

TEST_CASE("clEnqueueFillBuffer: many zeros, which huge pages have when they are new, touch nothing else",
          "[fill]") {
  const test::Session session;
  constexpr size_t bytes = 100 << 20, first = (3 << 20) + 5, filled = 90 << 20;
  const char zero = 0, other = 90;
  std::vector<char> memory(bytes), expected(bytes, other);
  std::fill_n(expected.begin() + first, filled, zero);
  const auto own = session.buffer(bytes);
  const auto application = session.buffer(bytes, CL_MEM_USE_HOST_PTR, memory.data());
  for (cl_mem buffer : {cl_mem{own}, cl_mem{application}})
    for (int iteration = 0; iteration < 2; ++iteration) {
      REQUIRE_CL(fill(session, buffer, &other, 1, 0, bytes));
      REQUIRE_CL(fill(session, buffer, &zero, 1, first, filled));
      CHECK(session.read<char>(buffer, bytes) == expected);
    }
}

TEST_CASE("clEnqueueFillBuffer: the pattern is copied before the call returns", "[fill]") {
  const test::Session session;
  auto buffer = session.buffer(4096);
  const auto gate = test::user_event(session.context);
  const cl_event wait = gate;
  cl_int value = 17;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &value, 4, 0, 4096, 1, &wait, nullptr));
  value = 99;
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(session.read<cl_int>(buffer, 1024) == std::vector<cl_int>(1024, 17));
}

TEST_CASE("clEnqueueFillBuffer: size 0 fills nothing", "[fill]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  CHECK_CL(fill(session, buffer, pattern, 4, 0, 0));
}

TEST_CASE("clEnqueueFillBuffer: out of bounds is CL_INVALID_VALUE", "[fill]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  CHECK_STATUS(fill(session, buffer, pattern, 4, 0, 68), CL_INVALID_VALUE);
  CHECK_STATUS(fill(session, buffer, pattern, 4, 64, 4), CL_INVALID_VALUE);
  CHECK_STATUS(fill(session, buffer, pattern, 4, SIZE_MAX - 3, 8), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueFillBuffer: no pattern is CL_INVALID_VALUE", "[fill]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  CHECK_STATUS(fill(session, buffer, nullptr, 4, 0, 64), CL_INVALID_VALUE);
  CHECK_STATUS(fill(session, buffer, pattern, 0, 0, 64), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueFillBuffer: a pattern size that is no power of two to 128 is CL_INVALID_VALUE",
          "[fill]") {
  const test::Session session;
  auto buffer = session.buffer(768);
  for (size_t size : {3, 6, 12, 48, 96, 256}) {
    CAPTURE(size);
    CHECK_STATUS(fill(session, buffer, pattern, size, 0, 768), CL_INVALID_VALUE);
  }
}

TEST_CASE("clEnqueueFillBuffer: an offset or size that is no multiple of the pattern is CL_INVALID_VALUE",
          "[fill]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  CHECK_STATUS(fill(session, buffer, pattern, 8, 4, 8), CL_INVALID_VALUE);
  CHECK_STATUS(fill(session, buffer, pattern, 8, 8, 12), CL_INVALID_VALUE);
}
