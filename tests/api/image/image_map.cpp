// clEnqueueMapImage and unmapping (OpenCL 3.0 API, 5.3.6 and 5.5.2)

#include "support/images.hpp"

#include <numeric>

namespace {

using test::image_of;
using test::rgba8;

struct Mapping {
  unsigned char* data = nullptr;
  size_t row = 99, slice = 99;
  cl_int error = 1;
};

Mapping map(const test::Session& s, cl_mem image, cl_map_flags flags, const size_t* origin,
            const size_t* region) {
  Mapping m;
  m.data = static_cast<unsigned char*>(clEnqueueMapImage(s.queue, image, CL_TRUE, flags, origin, region,
                                                         &m.row, &m.slice, 0, nullptr, nullptr, &m.error));
  return m;
}

void unmap(const test::Session& s, cl_mem image, void* data) {
  CHECK_CL(clEnqueueUnmapMemObject(s.queue, image, data, 0, nullptr, nullptr));
  CHECK_CL(clFinish(s.queue));
}

std::vector<unsigned char> numbers(size_t count) {
  std::vector<unsigned char> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

} // namespace

TEST_CASE("clEnqueueMapImage: the region begins at the pointer, with the pitches that are returned",
          "[image_map]") {
  const test::Session s;
  auto texels = numbers(size_t{4} * 6 * 5 * 3);
  const size_t origin[3] = {1, 2, 1}, region[3] = {2, 2, 2};
  for (cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY}) {
    const auto image =
        test::make_image(s.context, rgba8, image_of(type, 6, 5, 3), CL_MEM_COPY_HOST_PTR, texels.data());
    const Mapping m = map(s, image, CL_MAP_READ, origin, region);
    REQUIRE_CL(m.error);
    for (size_t z = 0; z < 2; ++z)
      for (size_t y = 0; y < 2; ++y)
        for (size_t x = 0; x < 8; ++x)
          CHECK(m.data[z * m.slice + y * m.row + x] == texels[((1 + z) * 5 + 2 + y) * 24 + 4 + x]);
    unmap(s, image, m.data);
  }
}

TEST_CASE("clEnqueueMapImage: the slice pitch is 0 for 1D and 2D images, and that of a layer for 1D arrays",
          "[image_map]") {
  const test::Session s;
  const size_t origin[3] = {}, region[3] = {1, 1, 1};
  const auto slice_of = [&](cl_mem_object_type type) {
    const auto image = test::make_image(s.context, rgba8, image_of(type, 6, 5));
    const Mapping m = map(s, image, CL_MAP_READ, origin, region);
    REQUIRE_CL(m.error);
    unmap(s, image, m.data);
    return m.slice;
  };
  CHECK(slice_of(CL_MEM_OBJECT_IMAGE1D) == 0);
  CHECK(slice_of(CL_MEM_OBJECT_IMAGE2D) == 0);
  CHECK(slice_of(CL_MEM_OBJECT_IMAGE1D_ARRAY) >= 24);
}

TEST_CASE("clEnqueueMapImage: what is written there is in the image", "[image_map]") {
  const test::Session s;
  const auto image = test::make_image(s.context, rgba8, image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4));
  const size_t zero[3] = {}, all[3] = {4, 4, 1}, origin[3] = {1, 3, 0}, region[3] = {2, 1, 1};
  const std::vector<unsigned char> blank(64, 0);
  REQUIRE_CL(
      clEnqueueWriteImage(s.queue, image, CL_TRUE, zero, all, 0, 0, blank.data(), 0, nullptr, nullptr));
  const Mapping m = map(s, image, CL_MAP_WRITE_INVALIDATE_REGION, origin, region);
  REQUIRE_CL(m.error);
  const auto values = numbers(8);
  std::copy(values.begin(), values.end(), m.data);
  unmap(s, image, m.data);
  auto expected = blank;
  std::copy(values.begin(), values.end(), expected.begin() + 52);
  std::vector<unsigned char> read(64);
  REQUIRE_CL(clEnqueueReadImage(s.queue, image, CL_TRUE, zero, all, 0, 0, read.data(), 0, nullptr, nullptr));
  CHECK(read == expected);
}

TEST_CASE("clEnqueueMapImage: an image with CL_MEM_USE_HOST_PTR is mapped where the application has it",
          "[image_map]") {
  const test::Session s;
  auto memory = numbers(40 * 5);
  cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE2D, 6, 5);
  description.image_row_pitch = 40;
  const auto image = test::make_image(s.context, rgba8, description, CL_MEM_USE_HOST_PTR, memory.data());
  const size_t origin[3] = {2, 3, 0}, region[3] = {4, 2, 1};
  const Mapping m = map(s, image, CL_MAP_READ, origin, region);
  REQUIRE_CL(m.error);
  CHECK(m.data == memory.data() + 3 * 40 + 8);
  CHECK(m.row == 40);
  unmap(s, image, m.data);
}

TEST_CASE("clEnqueueMapImage: regions for writing must not overlap, and may lie side by side",
          "[image_map]") {
  const test::Session s;
  const auto image = test::make_image(s.context, rgba8, image_of(CL_MEM_OBJECT_IMAGE2D, 8, 8));
  const size_t left[3] = {}, right[3] = {4, 0, 0}, middle[3] = {2, 4, 0}, half[3] = {4, 8, 1},
               some[3] = {4, 2, 1};
  const Mapping first = map(s, image, CL_MAP_WRITE, left, half);
  REQUIRE_CL(first.error);
  const Mapping second = map(s, image, CL_MAP_WRITE, right, half);
  CHECK_CL(second.error);
  CHECK_STATUS(map(s, image, CL_MAP_WRITE, middle, some).error, CL_INVALID_OPERATION);
  const Mapping reading = map(s, image, CL_MAP_READ, middle, some);
  CHECK_CL(reading.error);
  cl_uint count = 0;
  REQUIRE_CL(clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, sizeof(count), &count, nullptr));
  CHECK(count == 3);
  for (const Mapping& m : {first, second, reading})
    unmap(s, image, m.data);
  const Mapping again = map(s, image, CL_MAP_WRITE, middle, some);
  CHECK_CL(again.error);
  unmap(s, image, again.data);
}

TEST_CASE("clEnqueueMapImage: regions of different extents may be mapped for writing side by side",
          "[image_map]") {
  const test::Session s;
  const auto image = test::make_image(s.context, rgba8, image_of(CL_MEM_OBJECT_IMAGE2D, 8, 8));
  const size_t left[3] = {}, half[3] = {4, 8, 1}, right[3] = {4, 3, 0}, small[3] = {2, 2, 1};
  const Mapping first = map(s, image, CL_MAP_WRITE, left, half);
  REQUIRE_CL(first.error);
  const Mapping second = map(s, image, CL_MAP_WRITE, right, small);
  REQUIRE_CL(second.error);
  for (const Mapping& m : {first, second})
    unmap(s, image, m.data);
}

TEST_CASE("clEnqueueMapImage: pitches that are NULL, and wrong flags, are CL_INVALID_VALUE", "[image_map]") {
  const test::Session s;
  const size_t origin[3] = {}, region[3] = {1, 1, 1};
  const auto status = [&](cl_mem_object_type type, cl_map_flags flags, size_t* row, size_t* slice) {
    const auto image = test::make_image(s.context, rgba8, image_of(type, 4, 4));
    cl_int error = 1;
    void* data = clEnqueueMapImage(s.queue, image, CL_TRUE, flags, origin, region, row, slice, 0, nullptr,
                                   nullptr, &error);
    if (data) unmap(s, image, data);
    return error;
  };
  size_t row = 0, slice = 0;
  CHECK_CL(status(CL_MEM_OBJECT_IMAGE2D, CL_MAP_READ, &row, nullptr));
  CHECK_STATUS(status(CL_MEM_OBJECT_IMAGE2D, CL_MAP_READ, nullptr, &slice), CL_INVALID_VALUE);
  for (cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE1D_ARRAY})
    CHECK_STATUS(status(type, CL_MAP_READ, &row, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(status(CL_MEM_OBJECT_IMAGE2D, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, &row, &slice),
               CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueMapImage: what the host must not access is CL_INVALID_OPERATION", "[image_map]") {
  const test::Session s;
  const size_t origin[3] = {}, region[3] = {1, 1, 1};
  const auto check = [&](cl_mem_flags flags, cl_map_flags access, cl_int expected) {
    const auto image = test::make_image(s.context, rgba8, image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4), flags);
    const Mapping m = map(s, image, access, origin, region);
    CHECK_STATUS(m.error, expected);
    if (m.data) unmap(s, image, m.data);
  };
  check(CL_MEM_HOST_WRITE_ONLY, CL_MAP_READ, CL_INVALID_OPERATION);
  check(CL_MEM_HOST_WRITE_ONLY, CL_MAP_WRITE, CL_SUCCESS);
  check(CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE, CL_INVALID_OPERATION);
  check(CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE_INVALIDATE_REGION, CL_INVALID_OPERATION);
  check(CL_MEM_HOST_NO_ACCESS, CL_MAP_READ, CL_INVALID_OPERATION);
}
