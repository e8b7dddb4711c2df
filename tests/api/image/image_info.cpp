// clGetImageInfo, and clGetMemObjectInfo for images (OpenCL 3.0 API, 5.3.7 and 5.5.6)

#include "support/images.hpp"

#include <array>

namespace {

using test::image_of;
using test::image_value;
using test::rgba8;

struct Sizes {
  size_t row, slice, width, height, depth, layers;
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

Sizes sizes_of(cl_mem image) {
  return {image_value<size_t>(image, CL_IMAGE_ROW_PITCH), image_value<size_t>(image, CL_IMAGE_SLICE_PITCH),
          image_value<size_t>(image, CL_IMAGE_WIDTH),     image_value<size_t>(image, CL_IMAGE_HEIGHT),
          image_value<size_t>(image, CL_IMAGE_DEPTH),     image_value<size_t>(image, CL_IMAGE_ARRAY_SIZE)};
}

template <class T>
T memory_value(cl_mem image, cl_mem_info name) {
  T value{};
  REQUIRE_CL(clGetMemObjectInfo(image, name, sizeof(value), &value, nullptr));
  return value;
}

char memory[8192];

} // namespace

TEST_CASE("clGetImageInfo: sides that the type has not are 0, and pitches have no gaps", "[image_info]") {
  const test::Session s;
  const auto check = [&](cl_mem_object_type type, const Sizes& expected) {
    CAPTURE(type);
    const auto image = test::make_image(s.context, rgba8, image_of(type, 7, 5, 3));
    CHECK(sizes_of(image) == expected);
    CHECK(memory_value<cl_mem_object_type>(image, CL_MEM_TYPE) == type);
  };
  check(CL_MEM_OBJECT_IMAGE1D, {28, 0, 7, 0, 0, 0});
  check(CL_MEM_OBJECT_IMAGE1D_ARRAY, {28, 28, 7, 0, 0, 5});
  check(CL_MEM_OBJECT_IMAGE2D, {28, 0, 7, 5, 0, 0});
  check(CL_MEM_OBJECT_IMAGE2D_ARRAY, {28, 140, 7, 5, 0, 3});
  check(CL_MEM_OBJECT_IMAGE3D, {28, 140, 7, 5, 3, 0});
}

TEST_CASE("clGetImageInfo: pitches are those that the application gave", "[image_info]") {
  const test::Session s;
  for (cl_mem_flags flags : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
    cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE3D, 7, 5, 3);
    description.image_row_pitch = 32;
    description.image_slice_pitch = 192;
    const auto image = test::make_image(s.context, rgba8, description, flags, memory);
    CHECK(sizes_of(image) == Sizes{32, 192, 7, 5, 3, 0});
    description.image_slice_pitch = 0;
    CHECK(sizes_of(test::make_image(s.context, rgba8, description, flags, memory)).slice == 160);
  }
}

TEST_CASE("clGetImageInfo: format, element size, levels and samples", "[image_info]") {
  const test::Session s;
  const std::pair<cl_image_format, size_t> formats[] = {
      {rgba8, 4}, {{CL_RGBA, CL_FLOAT}, 16}, {{CL_R, CL_HALF_FLOAT}, 2}, {{CL_BGRA, CL_UNORM_INT8}, 4}};
  for (const auto& [format, bytes] : formats) {
    const auto image = test::make_image(s.context, format, image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4));
    const auto answer = image_value<cl_image_format>(image, CL_IMAGE_FORMAT);
    CHECK(answer.image_channel_order == format.image_channel_order);
    CHECK(answer.image_channel_data_type == format.image_channel_data_type);
    CHECK(image_value<size_t>(image, CL_IMAGE_ELEMENT_SIZE) == bytes);
    CHECK(image_value<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS) == 0);
    CHECK(image_value<cl_uint>(image, CL_IMAGE_NUM_SAMPLES) == 0);
    CHECK(image_value<cl_mem>(image, CL_IMAGE_BUFFER) == nullptr);
  }
}

TEST_CASE("clGetImageInfo: an unknown query and a value that is too small are CL_INVALID_VALUE",
          "[image_info]") {
  const test::Session s;
  const auto image = test::make_image(s.context, rgba8, image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4));
  size_t value = 0, bytes = 0;
  CHECK_STATUS(clGetImageInfo(image, CL_MEM_SIZE, sizeof(value), &value, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof(value) - 1, &value, nullptr), CL_INVALID_VALUE);
  CHECK_CL(clGetImageInfo(image, CL_IMAGE_WIDTH, 0, nullptr, &bytes));
  CHECK(bytes == sizeof(size_t));
}

TEST_CASE("clGetMemObjectInfo: an image has flags, size and host pointer", "[image_info]") {
  const test::Session s;
  const cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  const auto own = test::make_image(s.context, rgba8, description);
  CHECK(memory_value<cl_mem_flags>(own, CL_MEM_FLAGS) == CL_MEM_READ_WRITE);
  CHECK(memory_value<size_t>(own, CL_MEM_SIZE) == 64);
  CHECK(memory_value<void*>(own, CL_MEM_HOST_PTR) == nullptr);
  CHECK(memory_value<cl_context>(own, CL_MEM_CONTEXT) == s.context);
  const auto user = test::make_image(s.context, rgba8, description, CL_MEM_USE_HOST_PTR, memory);
  CHECK(memory_value<void*>(user, CL_MEM_HOST_PTR) == memory);
}

TEST_CASE("An image of a buffer names it and keeps it", "[image_info]") {
  const test::Session s;
  auto buffer = s.buffer(std::vector<cl_uint>{1, 2, 3, 4, 5, 6, 7, 8});
  cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 8);
  description.buffer = buffer;
  const auto image = test::make_image(s.context, {CL_R, CL_UNSIGNED_INT32}, description);
  CHECK(image_value<cl_mem>(image, CL_IMAGE_BUFFER) == buffer.get());
  CHECK(memory_value<cl_mem>(image, CL_MEM_ASSOCIATED_MEMOBJECT) == buffer.get());
  CHECK(memory_value<size_t>(image, CL_MEM_OFFSET) == 0);
  buffer.reset();
  const size_t origin[3] = {6, 0, 0}, region[3] = {2, 1, 1};
  std::array<cl_uint, 2> read{};
  REQUIRE_CL(
      clEnqueueReadImage(s.queue, image, CL_TRUE, origin, region, 0, 0, read.data(), 0, nullptr, nullptr));
  CHECK(read == std::array<cl_uint, 2>{7, 8});
}
