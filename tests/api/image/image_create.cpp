// clCreateImage and its like: what they refuse (OpenCL 3.0 API, 5.3.1)

#include "support/images.hpp"

namespace {

using test::image_of;
using test::image_status;
using test::rgba8;

// Names of newer headers
constexpr cl_mem_flags immutable = 1 << 6;
constexpr cl_channel_type raw10 = 0x10E3;

template <class Change>
cl_int status_of_2d(Change change, void* host = nullptr, cl_mem_flags flags = 0) {
  const test::Session session;
  cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4);
  change(session, description);
  return image_status(session.context, flags, &rgba8, &description, host);
}

cl_int status_of_flags(cl_mem_flags flags, void* host = nullptr) {
  return status_of_2d([](auto&, auto&) {}, host, flags);
}

cl_int status_of_format(cl_channel_order order, cl_channel_type type,
                        cl_mem_object_type image_type = CL_MEM_OBJECT_IMAGE2D, cl_mem_flags flags = 0) {
  const test::Session session;
  const cl_image_format format{order, type};
  const cl_image_desc description = image_of(image_type, 8, 4, 2);
  return image_status(session.context, flags, &format, &description);
}

char memory[4096];

} // namespace

TEST_CASE("clCreateImage: every type, format and access that is listed makes an image", "[image_create]") {
  const test::Session session;
  for (cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY})
    for (cl_mem_object_type type : test::image_types)
      for (const cl_image_format& format : test::image_formats(session.context, flags, type)) {
        CAPTURE(flags, type, format.image_channel_order, format.image_channel_data_type);
        cl_image_desc description = image_of(type, 8, 4, 2);
        const auto buffer = session.buffer(8 * 16);
        if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) description.buffer = buffer;
        CHECK_CL(image_status(session.context, flags, &format, &description));
      }
}

TEST_CASE("clCreateImageWithProperties: no properties are supported", "[image_create]") {
  const test::Session session;
  const cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4);
  const cl_mem_properties some[] = {CL_MEM_FLAGS, 1, 0}, none[] = {0};
  cl_int error = 1;
  CHECK(!clCreateImageWithProperties(session.context, some, 0, &rgba8, &description, nullptr, &error));
  CHECK_STATUS(error, CL_INVALID_PROPERTY);
  const test::Buffer image(
      clCreateImageWithProperties(session.context, none, 0, &rgba8, &description, nullptr, &error));
  CHECK_CL(error);
}

TEST_CASE("clCreateImage: contradictory and unknown flags are CL_INVALID_VALUE", "[image_create]") {
  CHECK_STATUS(status_of_flags(cl_mem_flags{1} << 40), CL_INVALID_VALUE);
  CHECK_STATUS(status_of_flags(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  CHECK_STATUS(status_of_flags(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS), CL_INVALID_VALUE);
  CHECK_STATUS(status_of_flags(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, memory), CL_INVALID_VALUE);
}

TEST_CASE("clCreateImage: an immutable image has contents and no access to write", "[image_create]") {
  if (!test::is_hostcl()) return;
  CHECK_STATUS(status_of_flags(immutable), CL_INVALID_VALUE);
  CHECK_STATUS(status_of_flags(immutable | CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, memory),
               CL_INVALID_VALUE);
  CHECK_STATUS(status_of_flags(immutable | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY, memory),
               CL_INVALID_VALUE);
  CHECK_CL(status_of_flags(immutable | CL_MEM_COPY_HOST_PTR, memory));
  CHECK_CL(status_of_flags(immutable | CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, memory));
}

TEST_CASE("clCreateImage: what is no format is CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", "[image_create]") {
  const test::Session session;
  const cl_image_desc description = image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4);
  CHECK_STATUS(image_status(session.context, 0, nullptr, &description), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  for (const auto& [order, type] :
       {std::pair(0, CL_UNORM_INT8), std::pair(CL_RGBA, 0), std::pair(CL_RGB, CL_UNORM_INT8),
        std::pair(CL_INTENSITY, CL_UNORM_SHORT_555), std::pair(CL_RGBA, CL_UNORM_SHORT_565),
        std::pair(CL_DEPTH, CL_UNORM_INT8), std::pair(CL_sRGBA, CL_FLOAT), std::pair(CL_BGRA, CL_FLOAT)}) {
    CAPTURE(order, type);
    CHECK_STATUS(status_of_format(order, type), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  }
}

TEST_CASE("clCreateImage: a format that OpenCL has and the device has not is CL_IMAGE_FORMAT_NOT_SUPPORTED",
          "[image_create]") {
  if (!test::is_hostcl()) return;
  CHECK_STATUS(status_of_format(CL_Rx, CL_UNORM_INT8), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  CHECK_STATUS(status_of_format(CL_RGBx, CL_UNORM_SHORT_565), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  CHECK_STATUS(status_of_format(CL_sRGBx, CL_UNORM_INT8), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  CHECK_STATUS(status_of_format(CL_DEPTH, CL_FLOAT, CL_MEM_OBJECT_IMAGE3D), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  CHECK_STATUS(status_of_format(CL_R, raw10), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  CHECK_CL(status_of_format(CL_R, raw10, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY));
}

TEST_CASE("clCreateImage: a wrong description is CL_INVALID_IMAGE_DESCRIPTOR", "[image_create]") {
  const test::Session session;
  CHECK_STATUS(image_status(session.context, 0, &rgba8, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
  const auto status = [](auto change, void* host = nullptr, cl_mem_flags flags = 0) {
    return status_of_2d(change, host, flags);
  };
  CHECK_STATUS(status([](auto&, auto& d) { d.image_type = CL_MEM_OBJECT_BUFFER; }),
               CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK_STATUS(status([](auto&, auto& d) { d.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER; }),
               CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK_STATUS(status([](auto&, auto& d) { d.num_samples = 4; }), CL_INVALID_IMAGE_DESCRIPTOR);
  CHECK_STATUS(status([](auto&, auto& d) { d.image_row_pitch = 64; }), CL_INVALID_IMAGE_DESCRIPTOR);
  for (size_t pitch : {28, 33})
    CHECK_STATUS(status([&](auto&, auto& d) { d.image_row_pitch = pitch; }, memory, CL_MEM_USE_HOST_PTR),
                 CL_INVALID_IMAGE_DESCRIPTOR);
  for (size_t pitch : {124, 132}) {
    const auto change = [&](auto&, auto& d) {
      d = image_of(CL_MEM_OBJECT_IMAGE3D, 8, 4, 2);
      d.image_slice_pitch = pitch;
    };
    CHECK_STATUS(status(change, memory, CL_MEM_USE_HOST_PTR), CL_INVALID_IMAGE_DESCRIPTOR);
  }
}

TEST_CASE("clCreateImage: sides of 0 or beyond the device's are CL_INVALID_IMAGE_SIZE", "[image_create]") {
  const test::Session session;
  const auto check = [&](const cl_image_desc& d) {
    CAPTURE(d.image_type, d.image_width, d.image_height, d.image_depth, d.image_array_size);
    CHECK_STATUS(image_status(session.context, 0, &rgba8, &d), CL_INVALID_IMAGE_SIZE);
  };
  const auto width = test::device_value<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH);
  const auto layers = test::device_value<size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  const auto depth = test::device_value<size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH);
  for (cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D}) {
    check(image_of(type, 0, 1, 1));
    check(image_of(type, width + 1, 1, 1));
  }
  check(image_of(CL_MEM_OBJECT_IMAGE2D, 1, 0));
  check(image_of(CL_MEM_OBJECT_IMAGE2D, 1, width + 1));
  check(image_of(CL_MEM_OBJECT_IMAGE3D, 1, 1, 0));
  check(image_of(CL_MEM_OBJECT_IMAGE3D, 1, 1, depth + 1));
  check(image_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 0));
  check(image_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, layers + 1));
}

TEST_CASE("clCreateImage: host_ptr goes with the flags that use it, or it is CL_INVALID_HOST_PTR",
          "[image_create]") {
  CHECK_STATUS(status_of_flags(CL_MEM_USE_HOST_PTR), CL_INVALID_HOST_PTR);
  CHECK_STATUS(status_of_flags(CL_MEM_COPY_HOST_PTR), CL_INVALID_HOST_PTR);
  CHECK_STATUS(status_of_flags(CL_MEM_ALLOC_HOST_PTR, memory), CL_INVALID_HOST_PTR);
  CHECK_CL(status_of_flags(CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, memory));
}

TEST_CASE("clCreateImage2D and clCreateImage3D: wrong pitches and depths are CL_INVALID_IMAGE_SIZE",
          "[image_create]") {
  const test::Session session;
  cl_int error = 1;
  CHECK(!clCreateImage2D(session.context, 0, &rgba8, 8, 4, 32, nullptr, &error));
  CHECK_STATUS(error, CL_INVALID_IMAGE_SIZE);
  CHECK(!clCreateImage2D(session.context, CL_MEM_USE_HOST_PTR, &rgba8, 8, 4, 28, memory, &error));
  CHECK_STATUS(error, CL_INVALID_IMAGE_SIZE);
  CHECK(!clCreateImage3D(session.context, 0, &rgba8, 8, 4, 1, 0, 0, nullptr, &error));
  CHECK_STATUS(error, CL_INVALID_IMAGE_SIZE);
  CHECK(!clCreateImage3D(session.context, CL_MEM_USE_HOST_PTR, &rgba8, 8, 4, 2, 32, 100, memory, &error));
  CHECK_STATUS(error, CL_INVALID_IMAGE_SIZE);
  const test::Buffer flat(clCreateImage2D(session.context, 0, &rgba8, 8, 4, 0, nullptr, &error));
  CHECK_CL(error);
  const test::Buffer deep(clCreateImage3D(session.context, 0, &rgba8, 8, 4, 2, 0, 0, nullptr, &error));
  CHECK_CL(error);
}
