// clEnqueueReadBufferRect, clEnqueueWriteBufferRect, clEnqueueCopyBufferRect (OpenCL 3.0 API, 5.2.2
// and 5.2.3)

#include "support/session.hpp"

#include <numeric>

namespace {

/// A rectangle in memory as the rect calls describe it.
struct Rect {
  size_t origin[3];
  size_t row_pitch;
  size_t slice_pitch;
  size_t at(size_t x, size_t y, size_t z) const {
    return origin[0] + x + (origin[1] + y) * row_pitch + (origin[2] + z) * slice_pitch;
  }
};

constexpr size_t region[3] = {5, 4, 3};
constexpr Rect source{{3, 2, 1}, 20, 200};
constexpr Rect target{{7, 1, 2}, 31, 310};
constexpr size_t bytes = 2000;

std::vector<unsigned char> numbers() {
  std::vector<unsigned char> values(bytes);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

std::vector<unsigned char> expected_copy(const std::vector<unsigned char>& from) {
  std::vector<unsigned char> to(bytes, 0);
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      for (size_t x = 0; x < region[0]; ++x)
        to[target.at(x, y, z)] = from[source.at(x, y, z)];
  return to;
}

/// A rect call with one thing wrong: what is not given here is right.
struct Call {
  const size_t* buffer_origin = source.origin;
  const size_t* other_origin = target.origin;
  const size_t* size = region;
  size_t row = source.row_pitch, slice = source.slice_pitch;
  size_t other_row = target.row_pitch, other_slice = target.slice_pitch;
};

/// The status of the read, the write and the copy with these arguments; they have to agree.
cl_int status_of(const Call& c, bool null_pointer = false) {
  const test::Session session;
  auto buffer = session.buffer(numbers()), other = session.buffer(numbers());
  std::vector<unsigned char> host(bytes);
  void* data = null_pointer ? nullptr : host.data();
  const cl_int read =
      clEnqueueReadBufferRect(session.queue, buffer, CL_TRUE, c.buffer_origin, c.other_origin, c.size, c.row,
                              c.slice, c.other_row, c.other_slice, data, 0, nullptr, nullptr);
  const cl_int write =
      clEnqueueWriteBufferRect(session.queue, buffer, CL_TRUE, c.buffer_origin, c.other_origin, c.size, c.row,
                               c.slice, c.other_row, c.other_slice, data, 0, nullptr, nullptr);
  CHECK(test::Status{read} == test::Status{write});
  if (null_pointer) return read;
  const cl_int copy =
      clEnqueueCopyBufferRect(session.queue, buffer, other, c.buffer_origin, c.other_origin, c.size, c.row,
                              c.slice, c.other_row, c.other_slice, 0, nullptr, nullptr);
  CHECK(test::Status{read} == test::Status{copy});
  return read;
}

} // namespace

TEST_CASE("clEnqueueReadBufferRect: reads the rectangle", "[rect]") {
  const test::Session session;
  auto buffer = session.buffer(numbers());
  std::vector<unsigned char> host(bytes, 0);
  REQUIRE_CL(clEnqueueReadBufferRect(session.queue, buffer, CL_TRUE, source.origin, target.origin, region,
                                     source.row_pitch, source.slice_pitch, target.row_pitch,
                                     target.slice_pitch, host.data(), 0, nullptr, nullptr));
  CHECK(host == expected_copy(numbers()));
}

TEST_CASE("clEnqueueWriteBufferRect: writes the rectangle", "[rect]") {
  const test::Session session;
  auto buffer = session.buffer(std::vector<unsigned char>(bytes, 0));
  const auto host = numbers();
  REQUIRE_CL(clEnqueueWriteBufferRect(session.queue, buffer, CL_TRUE, target.origin, source.origin, region,
                                      target.row_pitch, target.slice_pitch, source.row_pitch,
                                      source.slice_pitch, host.data(), 0, nullptr, nullptr));
  CHECK(session.read<unsigned char>(buffer, bytes) == expected_copy(host));
}

TEST_CASE("clEnqueueCopyBufferRect: copies the rectangle", "[rect]") {
  const test::Session session;
  auto from = session.buffer(numbers()), to = session.buffer(std::vector<unsigned char>(bytes, 0));
  REQUIRE_CL(clEnqueueCopyBufferRect(session.queue, from, to, source.origin, target.origin, region,
                                     source.row_pitch, source.slice_pitch, target.row_pitch,
                                     target.slice_pitch, 0, nullptr, nullptr));
  CHECK(session.read<unsigned char>(to, bytes) == expected_copy(numbers()));
}

TEST_CASE("clEnqueueCopyBufferRect: pitches of 0 mean a dense rectangle", "[rect]") {
  const test::Session session;
  const auto values = numbers();
  auto from = session.buffer(values), to = session.buffer(std::vector<unsigned char>(bytes, 0));
  const size_t zero[3] = {};
  REQUIRE_CL(
      clEnqueueCopyBufferRect(session.queue, from, to, zero, zero, region, 0, 0, 0, 0, 0, nullptr, nullptr));
  const auto copied = session.read<unsigned char>(to, bytes);
  CHECK(std::equal(values.begin(), values.begin() + 60, copied.begin()));
  CHECK(copied[60] == 0);
}

TEST_CASE("Rect calls: rectangles with good arguments work", "[rect]") {
  CHECK_CL(status_of({}));
}

TEST_CASE("Rect calls: a NULL origin or region is CL_INVALID_VALUE", "[rect]") {
  CHECK_STATUS(status_of({.buffer_origin = nullptr}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.other_origin = nullptr}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.size = nullptr}), CL_INVALID_VALUE);
}

TEST_CASE("Rect calls: a NULL pointer is CL_INVALID_VALUE", "[rect]") {
  CHECK_STATUS(status_of({}, true), CL_INVALID_VALUE);
}

TEST_CASE("Rect calls: a rectangle out of bounds is CL_INVALID_VALUE", "[rect]") {
  const size_t far[3] = {0, 0, 8}, wide[3] = {5, 4, 20};
  CHECK_STATUS(status_of({.buffer_origin = far}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.size = wide}), CL_INVALID_VALUE);
  const size_t overflow[3] = {SIZE_MAX - 2, 0, 0};
  CHECK_STATUS(status_of({.buffer_origin = overflow}), CL_INVALID_VALUE);
}

TEST_CASE("Rect calls: a region with a 0 is CL_INVALID_VALUE", "[rect]") {
  for (int i = 0; i < 3; ++i) {
    size_t size[3] = {5, 4, 3};
    size[i] = 0;
    CHECK_STATUS(status_of({.size = size}), CL_INVALID_VALUE);
  }
}

TEST_CASE("Rect calls: a row pitch below the width is CL_INVALID_VALUE", "[rect]") {
  CHECK_STATUS(status_of({.row = 4}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.other_row = 4}), CL_INVALID_VALUE);
}

TEST_CASE("Rect calls: a slice pitch below height times row pitch is CL_INVALID_VALUE", "[rect]") {
  CHECK_STATUS(status_of({.slice = 60}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.other_slice = 31}), CL_INVALID_VALUE);
}

TEST_CASE("Rect calls: a slice pitch that is no multiple of the row pitch is CL_INVALID_VALUE", "[rect]") {
  CHECK_STATUS(status_of({.slice = 201}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.other_slice = 311}), CL_INVALID_VALUE);
}

TEST_CASE("Rect calls: a rectangle that ends beyond the address space is CL_INVALID_VALUE", "[rect]") {
  const size_t two_slices[3] = {1, 1, 2}, two_rows[3] = {1, 2, 1}, one_row[3] = {8, 1, 1};
  for (unsigned exponent = 56; exponent < 64; ++exponent) {
    const size_t pitch = size_t{1} << exponent;
    CHECK_STATUS(status_of({.size = two_slices, .other_row = pitch, .other_slice = 0}), CL_INVALID_VALUE);
    CHECK_STATUS(status_of({.size = two_rows, .other_row = pitch, .other_slice = 0}), CL_INVALID_VALUE);
    CHECK_STATUS(status_of({.size = two_slices, .other_row = 8, .other_slice = pitch}), CL_INVALID_VALUE);
    const size_t far[3] = {pitch, 0, 0};
    CHECK_STATUS(status_of({.other_origin = far, .size = one_row}), CL_INVALID_VALUE);
  }
}

TEST_CASE("Rect calls: pitches that no second row or slice has are not looked at", "[rect]") {
  const size_t start[3] = {}, one_row[3] = {8, 1, 1};
  CHECK_CL(status_of({.buffer_origin = start,
                      .other_origin = start,
                      .size = one_row,
                      .other_row = size_t{1} << 63,
                      .other_slice = 0}));
}

TEST_CASE("clEnqueueCopyBufferRect: different pitches in one buffer are CL_INVALID_VALUE", "[rect]") {
  const test::Session session;
  auto buffer = session.buffer(bytes);
  const size_t from[3] = {}, to[3] = {0, 0, 1};
  CHECK_STATUS(clEnqueueCopyBufferRect(session.queue, buffer, buffer, from, to, region, 20, 200, 25, 200, 0,
                                       nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueCopyBufferRect(session.queue, buffer, buffer, from, to, region, 20, 200, 20, 220, 0,
                                       nullptr, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueCopyBufferRect: overlapping rectangles are CL_MEM_COPY_OVERLAP", "[rect]") {
  const test::Session session;
  auto buffer = session.buffer(bytes);
  const size_t from[3] = {0, 0, 0}, near[3] = {4, 3, 2}, beside[3] = {5, 0, 0};
  CHECK_STATUS(clEnqueueCopyBufferRect(session.queue, buffer, buffer, from, near, region, 20, 200, 20, 200, 0,
                                       nullptr, nullptr),
               CL_MEM_COPY_OVERLAP);
  CHECK_CL(clEnqueueCopyBufferRect(session.queue, buffer, buffer, from, beside, region, 20, 200, 20, 200, 0,
                                   nullptr, nullptr));
}

TEST_CASE("clEnqueueCopyBufferRect: rectangles overlap across the ends of rows and slices", "[rect]") {
  const test::Session session;
  auto buffer = session.buffer(bytes);
  // The rectangles begin at bytes 172 and 125; bytes 185 to 187 belong to both.
  const size_t from[3] = {4, 3, 5}, to[3] = {5, 0, 4}, size[3] = {4, 3, 4};
  CHECK_STATUS(clEnqueueCopyBufferRect(session.queue, buffer, buffer, from, to, size, 6, 30, 6, 30, 0,
                                       nullptr, nullptr),
               CL_MEM_COPY_OVERLAP);
}

TEST_CASE("Rect calls: buffers that the host may not touch are CL_INVALID_OPERATION", "[rect]") {
  const test::Session session;
  std::vector<unsigned char> host(bytes);
  const size_t zero[3] = {};
  for (cl_mem_flags flags : {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS}) {
    auto buffer = session.buffer(bytes, flags);
    CHECK_STATUS(clEnqueueReadBufferRect(session.queue, buffer, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
                                         host.data(), 0, nullptr, nullptr),
                 CL_INVALID_OPERATION);
  }
  for (cl_mem_flags flags : {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS}) {
    auto buffer = session.buffer(bytes, flags);
    CHECK_STATUS(clEnqueueWriteBufferRect(session.queue, buffer, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
                                          host.data(), 0, nullptr, nullptr),
                 CL_INVALID_OPERATION);
  }
}
