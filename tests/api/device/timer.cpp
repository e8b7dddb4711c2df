// clGetDeviceAndHostTimer, clGetHostTimer (OpenCL 3.0 API, 4.3)

#include "support/session.hpp"

namespace {

bool supported() {
  cl_ulong device = 0, host = 0;
  return clGetDeviceAndHostTimer(test::device(), &device, &host) != CL_INVALID_OPERATION;
}

} // namespace

TEST_CASE("clGetDeviceAndHostTimer: both clocks go forward", "[timer]") {
  if (!supported()) return;
  cl_ulong device[2] = {}, host[2] = {};
  CHECK_CL(clGetDeviceAndHostTimer(test::device(), &device[0], &host[0]));
  CHECK_CL(clGetDeviceAndHostTimer(test::device(), &device[1], &host[1]));
  CHECK(device[0] > 0);
  CHECK(device[1] >= device[0]);
  CHECK(host[1] >= host[0]);
}

TEST_CASE("clGetHostTimer: is the host part of the pair", "[timer]") {
  if (!supported()) return;
  cl_ulong device = 0, before = 0, now = 0, after = 0;
  CHECK_CL(clGetDeviceAndHostTimer(test::device(), &device, &before));
  CHECK_CL(clGetHostTimer(test::device(), &now));
  CHECK_CL(clGetDeviceAndHostTimer(test::device(), &device, &after));
  CHECK(before <= now);
  CHECK(now <= after);
}

TEST_CASE("clGetDeviceAndHostTimer: profiling uses the device clock", "[timer]") {
  if (!supported()) return;
  test::Session session(CL_QUEUE_PROFILING_ENABLE);
  cl_ulong before = 0, after = 0, host = 0, queued = 0, end = 0;
  test::Event event;
  REQUIRE_CL(clGetDeviceAndHostTimer(test::device(), &before, &host));
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, event.address()));
  REQUIRE_CL(clFinish(session.queue));
  REQUIRE_CL(clGetDeviceAndHostTimer(test::device(), &after, &host));
  REQUIRE_CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, nullptr));
  REQUIRE_CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr));
  CHECK(before <= queued);
  CHECK(end <= after);
}

TEST_CASE("clGetDeviceAndHostTimer: a NULL time stamp is CL_INVALID_VALUE", "[timer]") {
  if (!supported()) return;
  cl_ulong time = 0;
  CHECK_STATUS(clGetDeviceAndHostTimer(test::device(), nullptr, &time), CL_INVALID_VALUE);
  CHECK_STATUS(clGetDeviceAndHostTimer(test::device(), &time, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetHostTimer: a NULL time stamp is CL_INVALID_VALUE", "[timer]") {
  if (!supported()) return;
  CHECK_STATUS(clGetHostTimer(test::device(), nullptr), CL_INVALID_VALUE);
}
