// Images with the storage of buffers and other images (cl_khr_image2d_from_buffer, cl_ext_image_from_buffer; OpenCL
// 3.0 API, 5.3.1)

#include "support/images.hpp"

#include <numeric>

namespace {

using test::image_of;
using test::image_status;
using test::rgba8;

constexpr cl_image_format r32{CL_R, CL_UNSIGNED_INT32};

cl_image_desc within(cl_mem memory, cl_image_desc description, size_t row = 0, size_t slice = 0) {
  description.mem_object = memory;
  description.image_row_pitch = row;
  description.image_slice_pitch = slice;
  return description;
}

cl_uint texel(const test::Session& s, cl_mem image, size_t x, size_t y, size_t z) {
  const size_t origin[3] = {x, y, z}, region[3] = {1, 1, 1};
  cl_uint value = 0;
  REQUIRE_CL(clEnqueueReadImage(s.queue, image, CL_TRUE, origin, region, 0, 0, &value, 0, nullptr, nullptr));
  return value;
}

std::vector<cl_uint> numbers(size_t count) {
  std::vector<cl_uint> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

} // namespace

TEST_CASE("An image of a buffer has the buffer's bytes as texels, with the pitches that are given",
          "[image_storage]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const auto buffer = s.buffer(numbers(1000));
  const auto make = [&](cl_mem_object_type type, size_t row, size_t slice) {
    return test::make_image(s.context, r32, within(buffer, image_of(type, 6, 5, 3), 4 * row, 4 * slice));
  };
  CHECK(texel(s, make(CL_MEM_OBJECT_IMAGE1D, 0, 0), 5, 0, 0) == 5);
  CHECK(texel(s, make(CL_MEM_OBJECT_IMAGE1D_ARRAY, 10, 20), 5, 4, 0) == 85);
  CHECK(texel(s, make(CL_MEM_OBJECT_IMAGE2D, 0, 0), 5, 4, 0) == 29);
  CHECK(texel(s, make(CL_MEM_OBJECT_IMAGE2D, 10, 0), 5, 4, 0) == 45);
  CHECK(texel(s, make(CL_MEM_OBJECT_IMAGE2D_ARRAY, 10, 60), 5, 4, 2) == 165);
  CHECK(texel(s, make(CL_MEM_OBJECT_IMAGE3D, 7, 70), 5, 4, 2) == 173);
}

TEST_CASE("An image of a sub-buffer begins where that does", "[image_storage]") {
  const test::Session s;
  const auto buffer = s.buffer(numbers(1000));
  const cl_buffer_region region{512, 256};
  cl_int error = 1;
  const test::Buffer part(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  REQUIRE_CL(error);
  const auto image =
      test::make_image(s.context, r32, within(part, image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 64)));
  CHECK(texel(s, image, 3, 0, 0) == 131);
  CHECK_STATUS(
      [&] {
        const cl_image_desc larger = within(part, image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 65));
        return image_status(s.context, 0, &r32, &larger);
      }(),
      CL_INVALID_IMAGE_SIZE);
}

TEST_CASE("Images of a buffer: wrong pitches and addresses are CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
          "[image_storage]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const auto buffer = s.buffer(4096);
  const auto check = [&](const cl_image_desc& description) {
    CHECK_STATUS(image_status(s.context, 0, &r32, &description), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  };
  check(within(buffer, image_of(CL_MEM_OBJECT_IMAGE2D, 6, 5), 20));
  check(within(buffer, image_of(CL_MEM_OBJECT_IMAGE2D, 6, 5), 26));
  check(within(buffer, image_of(CL_MEM_OBJECT_IMAGE3D, 6, 5, 2), 24, 96));
  check(within(buffer, image_of(CL_MEM_OBJECT_IMAGE3D, 6, 5, 2), 24, 124));
  alignas(16) static char memory[64];
  const auto odd = s.buffer(32, CL_MEM_USE_HOST_PTR, memory + 1);
  check(within(odd, image_of(CL_MEM_OBJECT_IMAGE2D, 2, 2)));
}

TEST_CASE("Images of a buffer: a buffer that is too small is CL_INVALID_IMAGE_SIZE", "[image_storage]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const auto buffer = s.buffer(119);
  for (const cl_image_desc& d :
       {image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 30), image_of(CL_MEM_OBJECT_IMAGE2D, 6, 5),
        image_of(CL_MEM_OBJECT_IMAGE3D, 6, 5, 1), image_of(CL_MEM_OBJECT_IMAGE1D, 30)}) {
    const cl_image_desc description = within(buffer, d);
    CHECK_STATUS(image_status(s.context, 0, &r32, &description), CL_INVALID_IMAGE_SIZE);
  }
}

TEST_CASE("Images of memory objects: flags must not allow more than theirs, and have no host pointer",
          "[image_storage]") {
  const test::Session s;
  const auto check = [&](cl_mem_flags parent, cl_mem_flags flags, cl_int expected) {
    CAPTURE(parent, flags);
    const auto buffer = s.buffer(120, parent);
    const cl_image_desc description = within(buffer, image_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 30));
    CHECK_STATUS(image_status(s.context, flags, &r32, &description), expected);
  };
  check(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_INVALID_VALUE);
  check(CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_INVALID_VALUE);
  check(CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, CL_INVALID_VALUE);
  check(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE);
  check(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE);
  check(CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR, CL_INVALID_VALUE);
  check(CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_SUCCESS);
  check(CL_MEM_READ_ONLY, 0, CL_SUCCESS);
}

TEST_CASE("A 2D image shows the texels of another one in a compatible order", "[image_storage]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4);
  const std::pair<cl_image_format, cl_image_format> views[] = {
      {rgba8, {CL_sRGBA, CL_UNORM_INT8}},
      {{CL_sBGRA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8}},
      {{CL_R, CL_FLOAT}, {CL_DEPTH, CL_FLOAT}}};
  const size_t origin[3] = {2, 1, 0}, region[3] = {1, 1, 1};
  for (const auto& [format, view_format] : views) {
    const auto image = test::make_image(s.context, format, description);
    const auto view = test::make_image(s.context, view_format, within(image, description));
    const cl_uint value = 0x3e123456;
    REQUIRE_CL(
        clEnqueueWriteImage(s.queue, image, CL_TRUE, origin, region, 0, 0, &value, 0, nullptr, nullptr));
    CHECK(texel(s, view, 2, 1, 0) == value);
    CHECK(test::image_value<cl_mem>(view, CL_IMAGE_BUFFER) == nullptr);
    CHECK_STATUS(clEnqueueCopyImage(s.queue, view, view, origin, origin, region, 0, nullptr, nullptr),
                 CL_MEM_COPY_OVERLAP);
  }
}

TEST_CASE("Views of 2D images: other orders, types and sizes are refused", "[image_storage]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4);
  const auto image = test::make_image(s.context, rgba8, description);
  const auto status = [&](const cl_image_format& format, const cl_image_desc& d) {
    return image_status(s.context, 0, &format, &d);
  };
  const cl_image_desc same = within(image, description);
  CHECK_STATUS(status({CL_BGRA, CL_UNORM_INT8}, same), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK_STATUS(status({CL_RGBA, CL_UNSIGNED_INT8}, same), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  const cl_image_format srgb{CL_sRGBA, CL_UNORM_INT8};
  CHECK_STATUS(status(srgb, within(image, image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4))),
               CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK_STATUS(status(srgb, within(image, image_of(CL_MEM_OBJECT_IMAGE1D, 8))), CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK_STATUS(status(srgb, within(image, description, 64)), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_CASE("Images of what is no memory object are CL_INVALID_IMAGE_DESCRIPTOR", "[image_storage]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const cl_image_desc description =
      within(reinterpret_cast<cl_mem>(s.queue.get()), image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4));
  CHECK_STATUS(image_status(s.context, 0, &rgba8, &description), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_CASE("An image lies in shared virtual memory that the application gives, and not beyond",
          "[image_storage]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  auto* memory = static_cast<cl_uint*>(clSVMAlloc(s.context, CL_MEM_READ_WRITE, 128, 0));
  REQUIRE(memory);
  std::iota(memory, memory + 32, 0);
  {
    const auto image =
        test::make_image(s.context, r32, image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4), CL_MEM_USE_HOST_PTR, memory);
    CHECK(texel(s, image, 3, 2, 0) == 19);
    cl_bool is_svm = CL_FALSE;
    REQUIRE_CL(clGetMemObjectInfo(image, CL_MEM_USES_SVM_POINTER, sizeof(is_svm), &is_svm, nullptr));
    CHECK(is_svm == CL_TRUE);
    const cl_image_desc larger = image_of(CL_MEM_OBJECT_IMAGE2D, 8, 5);
    CHECK_STATUS(image_status(s.context, CL_MEM_USE_HOST_PTR, &r32, &larger, memory), CL_INVALID_HOST_PTR);
  }
  clSVMFree(s.context, memory);
}
