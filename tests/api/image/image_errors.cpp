// What commands on images refuse (OpenCL 3.0 API, 5.3.3 to 5.3.6)

#include "support/images.hpp"

namespace {

using test::image_of;
using test::rgba8;

constexpr size_t zero[4] = {}, one[3] = {1, 1, 1};

/// A call with one thing wrong: what is not given here is right for a 2D image of 8 x 4.
struct Call {
  const size_t* origin = zero;
  const size_t* region = one;
  size_t row = 0, slice = 0;
  bool null_pointer = false;
};

char memory[4096];
constexpr float color[4] = {0, 0.25f, 0.5f, 1};

/// The status of all commands on a region of the image; they have to agree.
cl_int status_of(const test::Session& s, cl_mem image, const Call& c = {}) {
  void* data = c.null_pointer ? nullptr : memory;
  const cl_int read = clEnqueueReadImage(s.queue, image, CL_TRUE, c.origin, c.region, c.row, c.slice, data, 0,
                                         nullptr, nullptr);
  CHECK_STATUS(clEnqueueWriteImage(s.queue, image, CL_TRUE, c.origin, c.region, c.row, c.slice, data, 0,
                                   nullptr, nullptr),
               read);
  if (c.row || c.slice) return read;
  CHECK_STATUS(clEnqueueFillImage(s.queue, image, c.null_pointer ? nullptr : color, c.origin, c.region, 0,
                                  nullptr, nullptr),
               read);
  if (c.null_pointer) return read;
  const auto buffer = s.buffer(4096);
  CHECK_STATUS(clEnqueueCopyImageToBuffer(s.queue, image, buffer, c.origin, c.region, 0, 0, nullptr, nullptr),
               read);
  CHECK_STATUS(clEnqueueCopyBufferToImage(s.queue, buffer, image, 0, c.origin, c.region, 0, nullptr, nullptr),
               read);
  size_t row = 0, slice = 0;
  cl_int error = 1;
  void* mapped = clEnqueueMapImage(s.queue, image, CL_TRUE, CL_MAP_READ, c.origin, c.region, &row, &slice, 0,
                                   nullptr, nullptr, &error);
  CHECK_STATUS(error, read);
  if (mapped) CHECK_CL(clEnqueueUnmapMemObject(s.queue, image, mapped, 0, nullptr, nullptr));
  return read;
}

cl_int status_of(const Call& call, const cl_image_desc& description = image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4)) {
  const test::Session session;
  return status_of(session, test::make_image(session.context, rgba8, description), call);
}

test::Buffer with_flags(const test::Session& s, cl_mem_flags flags) {
  return test::make_image(s.context, rgba8, image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4), flags,
                          flags & CL_MEM_COPY_HOST_PTR ? memory : nullptr);
}

cl_int copy(const test::Session& s, cl_mem from, cl_mem to, const size_t* from_origin,
            const size_t* to_origin, const size_t* region) {
  return clEnqueueCopyImage(s.queue, from, to, from_origin, to_origin, region, 0, nullptr, nullptr);
}

} // namespace

TEST_CASE("Commands on images: NULL is CL_INVALID_VALUE", "[image_errors]") {
  CHECK_CL(status_of(Call{}));
  CHECK_STATUS(status_of({.origin = nullptr}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.region = nullptr}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.null_pointer = true}), CL_INVALID_VALUE);
}

TEST_CASE("Commands on images: regions that are empty or beyond the image are CL_INVALID_VALUE",
          "[image_errors]") {
  const size_t empty[3] = {1, 0, 1}, wide[3] = {9, 1, 1}, huge[3] = {SIZE_MAX, 1, 1}, end[3] = {8, 0, 0},
               low[3] = {0, 3, 0}, two[3] = {1, 2, 1};
  CHECK_STATUS(status_of({.region = empty}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.region = wide}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.origin = low, .region = huge}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.origin = end}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.origin = low, .region = two}), CL_INVALID_VALUE);
}

TEST_CASE("Commands on images: dimensions that the image has not are 0 and 1, or CL_INVALID_VALUE",
          "[image_errors]") {
  const size_t deep[3] = {1, 1, 2}, behind[3] = {0, 0, 1}, high[3] = {1, 2, 1}, below[3] = {0, 1, 0};
  CHECK_STATUS(status_of({.region = deep}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.origin = behind}), CL_INVALID_VALUE);
  const cl_image_desc line = image_of(CL_MEM_OBJECT_IMAGE1D, 8);
  CHECK_STATUS(status_of({.region = high}, line), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.origin = below}, line), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueReadImage: pitches that are too small, or that the type has not, are CL_INVALID_VALUE",
          "[image_errors]") {
  const size_t region[3] = {8, 2, 1}, box[3] = {8, 2, 2};
  const cl_image_desc volume = image_of(CL_MEM_OBJECT_IMAGE3D, 8, 4, 2);
  CHECK_STATUS(status_of({.region = region, .row = 31}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.region = region, .slice = 64}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of({.region = box, .slice = 63}, volume), CL_INVALID_VALUE);
  CHECK_CL(status_of({.region = box, .row = 33, .slice = 67}, volume));
}

TEST_CASE("clEnqueueReadImage: a region that ends beyond the address space is CL_INVALID_VALUE",
          "[image_errors]") {
  const size_t rows[3] = {8, 2, 1}, slices[3] = {8, 1, 2};
  const cl_image_desc volume = image_of(CL_MEM_OBJECT_IMAGE3D, 8, 4, 2);
  cl_image_desc lines = image_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 8);
  lines.image_array_size = 4;
  for (unsigned exponent = 56; exponent < 64; ++exponent) {
    const size_t pitch = size_t{1} << exponent;
    CHECK_STATUS(status_of({.region = rows, .row = pitch}), CL_INVALID_VALUE);
    CHECK_STATUS(status_of({.region = slices, .row = pitch}, volume), CL_INVALID_VALUE);
    CHECK_STATUS(status_of({.region = slices, .slice = pitch}, volume), CL_INVALID_VALUE);
    CHECK_STATUS(status_of({.region = rows, .slice = pitch}, lines), CL_INVALID_VALUE);
  }
  CHECK_CL(status_of({.region = one, .row = size_t{1} << 63}));
}

TEST_CASE("Commands on images: what the host must not access is CL_INVALID_OPERATION", "[image_errors]") {
  const test::Session s;
  const auto read = [&](cl_mem image) {
    return clEnqueueReadImage(s.queue, image, CL_TRUE, zero, one, 0, 0, memory, 0, nullptr, nullptr);
  };
  const auto write = [&](cl_mem image) {
    return clEnqueueWriteImage(s.queue, image, CL_TRUE, zero, one, 0, 0, memory, 0, nullptr, nullptr);
  };
  CHECK_STATUS(read(with_flags(s, CL_MEM_HOST_WRITE_ONLY)), CL_INVALID_OPERATION);
  CHECK_STATUS(read(with_flags(s, CL_MEM_HOST_NO_ACCESS)), CL_INVALID_OPERATION);
  CHECK_CL(read(with_flags(s, CL_MEM_HOST_READ_ONLY)));
  CHECK_STATUS(write(with_flags(s, CL_MEM_HOST_READ_ONLY)), CL_INVALID_OPERATION);
  CHECK_STATUS(write(with_flags(s, CL_MEM_HOST_NO_ACCESS)), CL_INVALID_OPERATION);
  CHECK_CL(write(with_flags(s, CL_MEM_HOST_WRITE_ONLY)));
}

TEST_CASE("Commands on images: writing to an immutable one is CL_INVALID_OPERATION", "[image_errors]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  constexpr cl_mem_flags immutable = 1 << 6; // CL_MEM_IMMUTABLE_EXT
  const auto image = with_flags(s, immutable | CL_MEM_COPY_HOST_PTR), other = with_flags(s, 0);
  const auto buffer = s.buffer(64);
  CHECK_STATUS(clEnqueueWriteImage(s.queue, image, CL_TRUE, zero, one, 0, 0, memory, 0, nullptr, nullptr),
               CL_INVALID_OPERATION);
  CHECK_STATUS(clEnqueueFillImage(s.queue, image, memory, zero, one, 0, nullptr, nullptr),
               CL_INVALID_OPERATION);
  CHECK_STATUS(copy(s, other, image, zero, zero, one), CL_INVALID_OPERATION);
  CHECK_CL(copy(s, image, other, zero, zero, one));
  CHECK_STATUS(clEnqueueCopyBufferToImage(s.queue, buffer, image, 0, zero, one, 0, nullptr, nullptr),
               CL_INVALID_OPERATION);
  cl_int error = 1;
  CHECK(!clEnqueueMapImage(s.queue, image, CL_TRUE, CL_MAP_WRITE, zero, one, nullptr, nullptr, 0, nullptr,
                           nullptr, &error));
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}

TEST_CASE("clEnqueueCopyImage: formats that differ are CL_IMAGE_FORMAT_MISMATCH", "[image_errors]") {
  const test::Session s;
  const cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4);
  const auto image = test::make_image(s.context, rgba8, description);
  for (const cl_image_format& format : {cl_image_format{CL_BGRA, CL_UNORM_INT8}, {CL_RGBA, CL_UNSIGNED_INT8}})
    CHECK_STATUS(copy(s, image, test::make_image(s.context, format, description), zero, zero, one),
                 CL_IMAGE_FORMAT_MISMATCH);
}

TEST_CASE("clEnqueueCopyImage: overlapping regions of one image are CL_MEM_COPY_OVERLAP, others are copied",
          "[image_errors]") {
  const test::Session s;
  const auto image = test::make_image(s.context, rgba8, image_of(CL_MEM_OBJECT_IMAGE3D, 8, 8, 8));
  const size_t region[3] = {3, 3, 3}, inside[3] = {2, 2, 2}, right[3] = {3, 0, 0}, down[3] = {0, 3, 1},
               back[3] = {2, 2, 3};
  CHECK_STATUS(copy(s, image, image, zero, zero, region), CL_MEM_COPY_OVERLAP);
  CHECK_STATUS(copy(s, image, image, zero, inside, region), CL_MEM_COPY_OVERLAP);
  for (const size_t* origin : {right, down, back})
    CHECK_CL(copy(s, image, image, zero, origin, region));
}

TEST_CASE("Copies between images and buffers: what is beyond the buffer is CL_INVALID_VALUE",
          "[image_errors]") {
  const test::Session s;
  const auto image = with_flags(s, 0);
  const auto buffer = s.buffer(64);
  const size_t region[3] = {4, 4, 1};
  CHECK_CL(clEnqueueCopyImageToBuffer(s.queue, image, buffer, zero, region, 0, 0, nullptr, nullptr));
  for (size_t offset : {size_t{1}, size_t{65}, SIZE_MAX}) {
    CHECK_STATUS(
        clEnqueueCopyImageToBuffer(s.queue, image, buffer, zero, region, offset, 0, nullptr, nullptr),
        CL_INVALID_VALUE);
    CHECK_STATUS(
        clEnqueueCopyBufferToImage(s.queue, buffer, image, offset, zero, region, 0, nullptr, nullptr),
        CL_INVALID_VALUE);
  }
}

TEST_CASE("Copies between a buffer and a 1D image of it are CL_INVALID_MEM_OBJECT", "[image_errors]") {
  const test::Session s;
  const auto buffer = s.buffer(64);
  cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4);
  description.buffer = buffer;
  const auto image = test::make_image(s.context, rgba8, description);
  CHECK_STATUS(clEnqueueCopyImageToBuffer(s.queue, image, buffer, zero, one, 32, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
  CHECK_STATUS(clEnqueueCopyBufferToImage(s.queue, buffer, image, 32, zero, one, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
}

TEST_CASE("An image in the place of a buffer is CL_INVALID_MEM_OBJECT", "[image_errors]") {
  const test::Session s;
  const auto image = with_flags(s, 0);
  const auto buffer = s.buffer(64);
  const auto check = [](cl_int code) { CHECK_STATUS(code, CL_INVALID_MEM_OBJECT); };
  const cl_buffer_region part{0, 4};
  cl_int error = 1;
  check(clEnqueueReadBuffer(s.queue, image, CL_TRUE, 0, 4, memory, 0, nullptr, nullptr));
  check(clEnqueueWriteBuffer(s.queue, image, CL_TRUE, 0, 4, memory, 0, nullptr, nullptr));
  check(clEnqueueCopyBuffer(s.queue, image, buffer, 0, 0, 4, 0, nullptr, nullptr));
  check(clEnqueueCopyBuffer(s.queue, buffer, image, 0, 0, 4, 0, nullptr, nullptr));
  check(clEnqueueFillBuffer(s.queue, image, memory, 4, 0, 4, 0, nullptr, nullptr));
  check(clEnqueueReadBufferRect(s.queue, image, CL_TRUE, zero, zero, one, 0, 0, 0, 0, memory, 0, nullptr,
                                nullptr));
  check(clEnqueueCopyImageToBuffer(s.queue, image, image, zero, one, 0, 0, nullptr, nullptr));
  check(clEnqueueCopyBufferToImage(s.queue, image, image, 0, zero, one, 0, nullptr, nullptr));
  CHECK(!clEnqueueMapBuffer(s.queue, image, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error));
  check(error);
  CHECK(!clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
  check(error);
}
