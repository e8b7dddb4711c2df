// What the device does not offer says so with the specification's error.

#include "support/session.hpp"

TEST_CASE("clCreatePipe: without pipes it is CL_INVALID_OPERATION", "[unsupported]") {
  if (test::device_value<cl_bool>(CL_DEVICE_PIPE_SUPPORT)) return;
  const test::Session session;
  cl_int error = 1;
  CHECK(clCreatePipe(session.context, 0, 4, 16, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}

TEST_CASE("clCreateImage: without images it is CL_INVALID_OPERATION", "[unsupported]") {
  if (test::device_value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT)) return;
  const test::Session session;
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 8;
  cl_int error = 1;
  CHECK(clCreateImage(session.context, 0, &format, &description, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}

TEST_CASE("clCreateSampler: without images it is CL_INVALID_OPERATION", "[unsupported]") {
  if (test::device_value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT)) return;
  const test::Session session;
  cl_int error = 1;
  CHECK(clCreateSampler(session.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}

TEST_CASE("clGetSupportedImageFormats: without images there are none", "[unsupported]") {
  if (test::device_value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT)) return;
  const test::Session session;
  cl_uint count = 99;
  CHECK_CL(clGetSupportedImageFormats(session.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                                      &count));
  CHECK(count == 0);
}

TEST_CASE("clCreateProgramWithIL: without IL it is CL_INVALID_OPERATION", "[unsupported]") {
  if (!test::device_string(CL_DEVICE_IL_VERSION).empty()) return;
  const test::Session session;
  const cl_uint header[5] = {0x07230203, 0x10000, 0, 1, 0};
  cl_int error = 1;
  CHECK(clCreateProgramWithIL(session.context, header, sizeof header, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}
