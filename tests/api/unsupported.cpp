// What the device does not offer says so with the specification's error.

#include "support/session.hpp"

TEST_CASE("clCreatePipe: without pipes it is CL_INVALID_OPERATION", "[unsupported]") {
  if (test::device_value<cl_bool>(CL_DEVICE_PIPE_SUPPORT)) return;
  const test::Session session;
  cl_int error = 1;
  CHECK(clCreatePipe(session.context, 0, 4, 16, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}

TEST_CASE("Images: without them every way to make one is CL_INVALID_OPERATION", "[unsupported]") {
  if (test::device_value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT)) return;
  const test::Session session;
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 8;
  cl_int error = 1;
  CHECK(clCreateImage(session.context, 0, &format, &description, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
  CHECK(clCreateImageWithProperties(session.context, nullptr, 0, &format, &description, nullptr, &error) ==
        nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
  CHECK(clCreateImage2D(session.context, 0, &format, 8, 8, 0, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
  CHECK(clCreateImage3D(session.context, 0, &format, 8, 8, 2, 0, 0, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}

TEST_CASE("Images: a buffer in the place of one is CL_INVALID_MEM_OBJECT", "[unsupported]") {
  const test::Session session;
  const auto queue = session.queue.get();
  const auto owner = session.buffer(64);
  const cl_mem buffer = owner;
  const size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
  cl_uint color[4] = {};
  size_t pitch = 0;
  cl_int error = CL_SUCCESS;
  const auto check = [](cl_int code) { CHECK_STATUS(code, CL_INVALID_MEM_OBJECT); };
  check(clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, nullptr, nullptr));
  check(clEnqueueReadImage(queue, buffer, CL_TRUE, origin, region, 0, 0, color, 0, nullptr, nullptr));
  check(clEnqueueWriteImage(queue, buffer, CL_TRUE, origin, region, 0, 0, color, 0, nullptr, nullptr));
  check(clEnqueueFillImage(queue, buffer, color, origin, region, 0, nullptr, nullptr));
  check(clEnqueueCopyImage(queue, buffer, buffer, origin, origin, region, 0, nullptr, nullptr));
  check(clEnqueueCopyImageToBuffer(queue, buffer, buffer, origin, region, 0, 0, nullptr, nullptr));
  check(clEnqueueCopyBufferToImage(queue, buffer, buffer, 0, origin, region, 0, nullptr, nullptr));
  CHECK(clEnqueueMapImage(queue, buffer, CL_TRUE, CL_MAP_READ, origin, region, &pitch, &pitch, 0, nullptr,
                          nullptr, &error) == nullptr);
  check(error);
}

TEST_CASE("Pipes: a buffer in the place of one is CL_INVALID_MEM_OBJECT", "[unsupported]") {
  const test::Session session;
  CHECK_STATUS(clGetPipeInfo(session.buffer(64), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
}

TEST_CASE("Samplers: without images every way to make one is CL_INVALID_OPERATION", "[unsupported]") {
  if (test::device_value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT)) return;
  const test::Session session;
  cl_int error = 1;
  CHECK(clCreateSampler(session.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
  CHECK(clCreateSamplerWithProperties(session.context, nullptr, &error) == nullptr);
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

TEST_CASE("clGetSupportedImageFormats: wrong flags, types and lists are CL_INVALID_VALUE", "[unsupported]") {
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

TEST_CASE("clCreateProgramWithIL: without IL it is CL_INVALID_OPERATION", "[unsupported]") {
  if (!test::device_string(CL_DEVICE_IL_VERSION).empty()) return;
  const test::Session session;
  const cl_uint header[5] = {0x07230203, 0x10000, 0, 1, 0};
  cl_int error = 1;
  CHECK(clCreateProgramWithIL(session.context, header, sizeof header, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}
