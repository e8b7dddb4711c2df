// clGetImageRequirementsInfoEXT (cl_ext_image_requirements_info)

#include "support/images.hpp"

namespace {

using test::image_of;
using test::rgba8;

// Names of newer headers
constexpr cl_uint row_alignment = 0x1290, slice_alignment = 0x1291, base_alignment = 0x1292, bytes = 0x12B2,
                  max_width = 0x12B3, max_height = 0x12B4, max_depth = 0x12B5, max_layers = 0x12B6;

using Query = cl_int(CL_API_CALL*)(cl_context, const cl_mem_properties*, cl_mem_flags, const cl_image_format*,
                                   const cl_image_desc*, cl_uint, size_t, void*, size_t*);

/// A query with one thing different from one that succeeds.
struct Call {
  const cl_mem_properties* properties = nullptr;
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  const cl_image_format* format = &rgba8;
  const cl_image_desc* description = nullptr;
};

template <class T>
cl_int ask(const test::Session& s, cl_uint name, T& value, const Call& c = {}) {
  const auto query = test::extension_function<Query>("clGetImageRequirementsInfoEXT");
  REQUIRE(query);
  return query(s.context, c.properties, c.flags, c.format, c.description, name, sizeof(value), &value,
               nullptr);
}

template <class T>
T answer(cl_uint name, const Call& call = {}) {
  const test::Session s;
  T value{};
  REQUIRE_CL(ask(s, name, value, call));
  return value;
}

cl_int status_of(cl_uint name, const Call& call) {
  const test::Session s;
  size_t value = 0;
  return ask(s, name, value, call);
}

} // namespace

TEST_CASE("clGetImageRequirementsInfoEXT: addresses and pitches are aligned to a texel",
          "[image_requirements]") {
  if (!test::is_hostcl()) return;
  const cl_image_format large{CL_RGBA, CL_FLOAT};
  for (cl_uint name : {row_alignment, slice_alignment, base_alignment}) {
    CHECK(answer<size_t>(name) == 4);
    CHECK(answer<size_t>(name, {.format = &large}) == 16);
    CHECK(answer<size_t>(name, {.format = nullptr}) == 16);
  }
}

TEST_CASE("clGetImageRequirementsInfoEXT: a buffer of the size takes the image, a smaller one does not",
          "[image_requirements]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  for (cl_mem_object_type type : test::image_types) {
    cl_image_desc description = image_of(type, 7, 5, 3);
    const auto size = answer<size_t>(bytes, {.description = &description});
    const auto fits = s.buffer(size), small = s.buffer(size - 1);
    description.buffer = fits;
    const auto image = test::make_image(s.context, rgba8, description);
    size_t own = 0;
    REQUIRE_CL(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(own), &own, nullptr));
    CHECK(own == size);
    description.buffer = small;
    CHECK_STATUS(test::image_status(s.context, 0, &rgba8, &description), CL_INVALID_IMAGE_SIZE);
  }
}

TEST_CASE("clGetImageRequirementsInfoEXT: the longest sides are the device's", "[image_requirements]") {
  if (!test::is_hostcl()) return;
  const cl_image_desc flat = image_of(CL_MEM_OBJECT_IMAGE2D, 0, 4),
                      deep = image_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 0),
                      layers = image_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 0);
  CHECK(answer<cl_uint>(max_width, {.description = &flat}) ==
        test::device_value<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH));
  CHECK(answer<cl_uint>(max_height, {.description = &flat}) ==
        test::device_value<size_t>(CL_DEVICE_IMAGE2D_MAX_HEIGHT));
  CHECK(answer<cl_uint>(max_depth, {.description = &deep}) ==
        test::device_value<size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH));
  CHECK(answer<cl_uint>(max_layers, {.description = &layers}) ==
        test::device_value<size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
  CHECK(answer<cl_uint>(max_width) == test::device_value<size_t>(CL_DEVICE_IMAGE3D_MAX_WIDTH));
}

TEST_CASE("clGetImageRequirementsInfoEXT: sides that the type has not are CL_INVALID_IMAGE_DESCRIPTOR",
          "[image_requirements]") {
  if (!test::is_hostcl()) return;
  const auto check = [](cl_uint name, cl_mem_object_type type) {
    const cl_image_desc description = image_of(type, 4, 4, 4);
    CHECK_STATUS(status_of(name, {.description = &description}), CL_INVALID_IMAGE_DESCRIPTOR);
  };
  check(max_height, CL_MEM_OBJECT_IMAGE1D);
  check(max_height, CL_MEM_OBJECT_IMAGE1D_ARRAY);
  check(max_depth, CL_MEM_OBJECT_IMAGE2D);
  check(max_layers, CL_MEM_OBJECT_IMAGE3D);
}

TEST_CASE("clGetImageRequirementsInfoEXT: wrong arguments have the specification's errors",
          "[image_requirements]") {
  if (!test::is_hostcl()) return;
  const cl_mem_properties property[] = {CL_MEM_FLAGS, 1, 0};
  const cl_image_format wrong{CL_INTENSITY, CL_UNORM_SHORT_555};
  const cl_image_desc no_image = image_of(CL_MEM_OBJECT_BUFFER, 4),
                      empty = image_of(CL_MEM_OBJECT_IMAGE1D, 0);
  CHECK_STATUS(status_of(row_alignment, {.properties = property}), CL_INVALID_PROPERTY);
  CHECK_STATUS(status_of(row_alignment, {.flags = ~cl_mem_flags{0}}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of(row_alignment, {.format = &wrong}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  CHECK_STATUS(status_of(row_alignment, {.description = &no_image}), CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK_STATUS(status_of(row_alignment, {.description = &empty}), CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK_STATUS(status_of(CL_IMAGE_FORMAT, {}), CL_INVALID_VALUE);
  CHECK_STATUS(status_of(bytes, {}), CL_INVALID_VALUE);
  const cl_image_desc line = image_of(CL_MEM_OBJECT_IMAGE1D, 4);
  CHECK_STATUS(status_of(bytes, {.format = nullptr, .description = &line}), CL_INVALID_VALUE);
  const test::Session s;
  cl_uint too_small = 0;
  CHECK_STATUS(ask(s, row_alignment, too_small), CL_INVALID_VALUE);
}
