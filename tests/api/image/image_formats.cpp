// clGetSupportedImageFormats (OpenCL 3.0 API, 5.3.2)

#include "support/images.hpp"

#include <algorithm>
#include <cstring>

namespace {

bool has(const std::vector<cl_image_format>& list, cl_channel_order order, cl_channel_type type) {
  return std::ranges::any_of(list, [&](const cl_image_format& format) {
    return format.image_channel_order == order && format.image_channel_data_type == type;
  });
}

constexpr cl_channel_type of_four_channels[] = {
    CL_UNORM_INT8,    CL_UNORM_INT16,    CL_SIGNED_INT8,    CL_SIGNED_INT16, CL_SIGNED_INT32,
    CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};

} // namespace

TEST_CASE("clGetSupportedImageFormats: has the formats that OpenCL demands for each type",
          "[image_formats]") {
  const test::Session session;
  for (cl_mem_object_type type : test::image_types) {
    CAPTURE(type);
    for (cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE}) {
      const auto list = test::image_formats(session.context, flags, type);
      CHECK(has(list, CL_BGRA, CL_UNORM_INT8));
      for (cl_channel_type channel : of_four_channels)
        CHECK(has(list, CL_RGBA, channel));
    }
    const auto both = test::image_formats(session.context, CL_MEM_KERNEL_READ_AND_WRITE, type);
    for (cl_channel_type channel : of_four_channels) {
      if (channel == CL_UNORM_INT16) continue;
      CHECK(has(both, CL_RGBA, channel));
      CHECK(has(both, CL_R, channel));
    }
  }
}

TEST_CASE(
    "clGetSupportedImageFormats: lists a format once, depth for 2D images only, raw formats for reading",
    "[image_formats]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto count = [&](cl_mem_flags flags, cl_mem_object_type type) {
    auto list = test::image_formats(session.context, flags, type);
    for (const cl_image_format& format : list)
      CHECK(std::ranges::count_if(list, [&](const cl_image_format& other) {
              return std::memcmp(&format, &other, sizeof(format)) == 0;
            }) == 1);
    return list.size();
  };
  CHECK(count(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D) == 113);
  CHECK(count(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D) == 111);
  CHECK(count(CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D) == 111);
  CHECK(count(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D_ARRAY) == 111);
  CHECK(count(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE3D) == 109);
  CHECK(count(CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE1D_BUFFER) == 109);
}

TEST_CASE("clGetSupportedImageFormats: writes no more entries than there is room for", "[image_formats]") {
  const test::Session session;
  cl_image_format formats[3] = {{1, 1}, {1, 1}, {1, 1}};
  cl_uint count = 0;
  REQUIRE_CL(clGetSupportedImageFormats(session.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 2, formats,
                                        &count));
  CHECK(count > 2);
  CHECK(formats[1].image_channel_order != 1);
  CHECK(formats[2].image_channel_order == 1);
}

TEST_CASE("clGetSupportedImageFormats: wrong flags, types and lists are CL_INVALID_VALUE",
          "[image_formats]") {
  const test::Session session;
  cl_image_format format{};
  cl_uint count = 0;
  const auto formats = [&](cl_mem_flags flags, cl_mem_object_type type, cl_image_format* list) {
    return clGetSupportedImageFormats(session.context, flags, type, 0, list, &count);
  };
  CHECK_STATUS(formats(cl_mem_flags{1} << 40, CL_MEM_OBJECT_IMAGE2D, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(formats(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(formats(CL_MEM_READ_ONLY, CL_MEM_OBJECT_BUFFER, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(formats(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, &format), CL_INVALID_VALUE);
  CHECK_CL(formats(CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE1D_BUFFER, nullptr));
}
