// Mipmapped images (cl_khr_mipmap_image)

#include "support/images.hpp"

#include <algorithm>
#include <array>

namespace {

using test::image_of;
using test::image_status;
using test::rgba8;

constexpr cl_image_format r32{CL_R, CL_UNSIGNED_INT32};

cl_image_desc with_levels(cl_image_desc description, cl_uint levels) {
  description.num_mip_levels = levels;
  return description;
}

/// A type of image, its dimensions, and the sides of its levels.
struct Case {
  cl_mem_object_type type;
  unsigned dimensions;
  std::vector<std::array<size_t, 3>> levels;
};

const Case cases[] = {
    {CL_MEM_OBJECT_IMAGE1D, 1, {{11, 1, 1}, {5, 1, 1}, {2, 1, 1}, {1, 1, 1}}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 2, {{11, 3, 1}, {5, 3, 1}, {2, 3, 1}}},
    {CL_MEM_OBJECT_IMAGE2D, 2, {{11, 3, 1}, {5, 1, 1}, {2, 1, 1}, {1, 1, 1}}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, 3, {{5, 9, 3}, {2, 4, 3}, {1, 2, 3}, {1, 1, 3}}},
    {CL_MEM_OBJECT_IMAGE3D, 3, {{5, 9, 3}, {2, 4, 1}, {1, 2, 1}, {1, 1, 1}}},
};

test::Buffer make(const test::Session& s, const Case& c) {
  const auto& [x, y, z] = c.levels[0];
  return test::make_image(s.context, r32,
                          with_levels(image_of(c.type, x, y, z), static_cast<cl_uint>(c.levels.size())));
}

std::array<size_t, 4> origin_of(const Case& c, size_t level) {
  std::array<size_t, 4> origin{};
  origin[c.dimensions] = level;
  return origin;
}

std::vector<cl_uint> read(const test::Session& s, cl_mem image, const Case& c, size_t level) {
  const auto& region = c.levels[level];
  std::vector<cl_uint> texels(region[0] * region[1] * region[2]);
  REQUIRE_CL(clEnqueueReadImage(s.queue, image, CL_TRUE, origin_of(c, level).data(), region.data(), 0, 0,
                                texels.data(), 0, nullptr, nullptr));
  return texels;
}

void fill(const test::Session& s, cl_mem image, const Case& c, size_t level, cl_uint value) {
  const cl_uint color[4] = {value, 0, 0, 0};
  REQUIRE_CL(clEnqueueFillImage(s.queue, image, color, origin_of(c, level).data(), c.levels[level].data(), 0,
                                nullptr, nullptr));
}

} // namespace

TEST_CASE("Mipmaps: each level has its own texels and half the sides of the one before", "[image_mipmap]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  for (const Case& c : cases) {
    CAPTURE(c.type);
    const auto image = make(s, c);
    size_t bytes = 0, size = 0;
    for (size_t level = 0; level < c.levels.size(); ++level) {
      fill(s, image, c, level, static_cast<cl_uint>(100 + level));
      bytes += 4 * c.levels[level][0] * c.levels[level][1] * c.levels[level][2];
    }
    for (size_t level = 0; level < c.levels.size(); ++level)
      CHECK(
          std::ranges::all_of(read(s, image, c, level), [&](cl_uint texel) { return texel == 100 + level; }));
    REQUIRE_CL(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(size), &size, nullptr));
    CHECK(size == bytes);
    CHECK(test::image_value<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS) == c.levels.size());
  }
}

TEST_CASE("Mipmaps: a level is copied to another image's, mapped and written", "[image_mipmap]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  for (const Case& c : cases) {
    CAPTURE(c.type);
    const auto image = make(s, c), other = make(s, c);
    const auto& region = c.levels[1];
    const auto origin = origin_of(c, 1);
    fill(s, image, c, 1, 7);
    REQUIRE_CL(clEnqueueCopyImage(s.queue, image, other, origin.data(), origin.data(), region.data(), 0,
                                  nullptr, nullptr));
    CHECK(read(s, other, c, 1) == read(s, image, c, 1));
    size_t row = 0, slice = 0;
    cl_int error = 1;
    auto* mapped =
        static_cast<cl_uint*>(clEnqueueMapImage(s.queue, other, CL_TRUE, CL_MAP_WRITE, origin.data(),
                                                region.data(), &row, &slice, 0, nullptr, nullptr, &error));
    REQUIRE_CL(error);
    CHECK(row == 4 * region[0]);
    CHECK(*mapped == 7);
    *mapped = 8;
    REQUIRE_CL(clEnqueueUnmapMemObject(s.queue, other, mapped, 0, nullptr, nullptr));
    CHECK(read(s, other, c, 1)[0] == 8);
  }
}

TEST_CASE("Mipmaps: a level that the image has not is CL_INVALID_MIP_LEVEL", "[image_mipmap]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const size_t region[3] = {1, 1, 1};
  cl_uint value = 0;
  for (const Case& c : cases)
    for (size_t level : {c.levels.size(), SIZE_MAX}) {
      const auto image = make(s, c);
      const auto origin = origin_of(c, level);
      CHECK_STATUS(clEnqueueReadImage(s.queue, image, CL_TRUE, origin.data(), region, 0, 0, &value, 0,
                                      nullptr, nullptr),
                   CL_INVALID_MIP_LEVEL);
    }
}

TEST_CASE("Mipmaps: regions are bounded by their level", "[image_mipmap]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const auto image = make(s, cases[2]);
  const size_t origin[3] = {4, 0, 1}, one[3] = {1, 1, 1}, two[3] = {2, 1, 1};
  cl_uint values[2] = {};
  CHECK_CL(clEnqueueReadImage(s.queue, image, CL_TRUE, origin, one, 0, 0, values, 0, nullptr, nullptr));
  CHECK_STATUS(clEnqueueReadImage(s.queue, image, CL_TRUE, origin, two, 0, 0, values, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("Mipmaps: not of buffers, raw formats and host memory, nor more levels than the longest side has",
          "[image_mipmap]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  static char memory[1024];
  const cl_image_format raw{CL_R, 0x10E3}; // CL_UNSIGNED_INT_RAW10_EXT
  const cl_image_desc square = image_of(CL_MEM_OBJECT_IMAGE2D, 8, 8);
  const auto status = [&](const cl_image_desc& d, const cl_image_format& format = rgba8,
                          cl_mem_flags flags = 0) {
    return image_status(s.context, flags, &format, &d, flags ? memory : nullptr);
  };
  CHECK_CL(status(with_levels(square, 4)));
  CHECK_CL(status(with_levels(square, 1)));
  CHECK_STATUS(status(with_levels(square, 18)), CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK_STATUS(status(with_levels(square, 2), raw), CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK_STATUS(status(with_levels(square, 2), rgba8, CL_MEM_COPY_HOST_PTR), CL_INVALID_HOST_PTR);
  const auto buffer = s.buffer(1024);
  cl_image_desc of_buffer = with_levels(square, 2);
  of_buffer.buffer = buffer;
  CHECK_STATUS(status(of_buffer), CL_INVALID_IMAGE_DESCRIPTOR);
}
