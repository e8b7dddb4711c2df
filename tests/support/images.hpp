#pragma once

// Images for tests.

#include "support/session.hpp"

#include <vector>

namespace test {

inline constexpr cl_image_format rgba8{CL_RGBA, CL_UNORM_INT8};
inline constexpr cl_image_format r_float{CL_R, CL_FLOAT};

inline constexpr cl_mem_object_type image_types[] = {
    CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};

/// Sides that the type has no use for are left out of the description.
inline cl_image_desc image_of(cl_mem_object_type type, size_t width, size_t height = 1, size_t depth = 1) {
  cl_image_desc result{};
  result.image_type = type;
  result.image_width = width;
  switch (type) {
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    result.image_array_size = height;
    break;
  case CL_MEM_OBJECT_IMAGE2D:
    result.image_height = height;
    break;
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    result.image_height = height;
    result.image_array_size = depth;
    break;
  case CL_MEM_OBJECT_IMAGE3D:
    result.image_height = height;
    result.image_depth = depth;
    break;
  default:
    break;
  }
  return result;
}

inline std::vector<cl_image_format> image_formats(cl_context context, cl_mem_flags flags,
                                                  cl_mem_object_type type) {
  cl_uint count = 0;
  REQUIRE_CL(clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count));
  std::vector<cl_image_format> formats(count);
  if (count) REQUIRE_CL(clGetSupportedImageFormats(context, flags, type, count, formats.data(), nullptr));
  return formats;
}

/// The status of clCreateImage; the image is released again.
inline cl_int image_status(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                           const cl_image_desc* description, void* host = nullptr) {
  cl_int error = 1;
  const Buffer image(clCreateImage(context, flags, format, description, host, &error));
  CHECK(static_cast<bool>(image) == (error == CL_SUCCESS));
  return error;
}

inline Buffer make_image(cl_context context, const cl_image_format& format, const cl_image_desc& description,
                         cl_mem_flags flags = 0, void* host = nullptr) {
  cl_int error = 1;
  Buffer image(clCreateImage(context, flags, &format, &description, host, &error));
  REQUIRE_CL(error);
  return image;
}

template <class T>
T image_value(cl_mem image, cl_image_info name) {
  T value{};
  REQUIRE_CL(clGetImageInfo(image, name, sizeof(value), &value, nullptr));
  return value;
}

} // namespace test
