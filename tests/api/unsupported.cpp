// What the device does not offer says so with the specification's error.

#include "support/session.hpp"

TEST_CASE("clCreatePipe: without pipes it is CL_INVALID_OPERATION", "[unsupported]") {
  if (test::device_value<cl_bool>(CL_DEVICE_PIPE_SUPPORT)) return;
  const test::Session session;
  cl_int error = 1;
  CHECK(clCreatePipe(session.context, 0, 4, 16, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}

TEST_CASE("Pipes: a buffer in the place of one is CL_INVALID_MEM_OBJECT", "[unsupported]") {
  const test::Session session;
  CHECK_STATUS(clGetPipeInfo(session.buffer(64), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr),
               CL_INVALID_MEM_OBJECT);
}
