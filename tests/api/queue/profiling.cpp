// clGetEventProfilingInfo (OpenCL 3.0 API, 5.14)

#include "support/session.hpp"

#include <chrono>

namespace {

cl_ulong at(cl_event event, cl_profiling_info query) {
  cl_ulong time = 0;
  REQUIRE_CL(clGetEventProfilingInfo(event, query, sizeof time, &time, nullptr));
  return time;
}

} // namespace

TEST_CASE("clGetEventProfilingInfo: times are in order", "[profiling]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  auto buffer = session.buffer(1 << 20);
  const cl_int pattern = 3;
  test::Event event;
  REQUIRE_CL(
      clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 1 << 20, 0, nullptr, event.address()));
  REQUIRE_CL(clFinish(session.queue));
  const cl_ulong times[] = {at(event, CL_PROFILING_COMMAND_QUEUED), at(event, CL_PROFILING_COMMAND_SUBMIT),
                            at(event, CL_PROFILING_COMMAND_START), at(event, CL_PROFILING_COMMAND_END),
                            at(event, CL_PROFILING_COMMAND_COMPLETE)};
  CHECK(times[0] > 0);
  CHECK(std::is_sorted(std::begin(times), std::end(times)));
  CHECK(times[3] > times[2]);
}

TEST_CASE("clGetEventProfilingInfo: an in-order queue's commands do not overlap", "[profiling]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  auto buffer = session.buffer(1 << 20);
  const cl_int pattern = 3;
  std::vector<test::Event> events(20);
  for (test::Event& event : events)
    REQUIRE_CL(
        clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 1 << 20, 0, nullptr, event.address()));
  REQUIRE_CL(clFinish(session.queue));
  for (size_t i = 1; i < events.size(); ++i)
    CHECK(at(events[i], CL_PROFILING_COMMAND_START) >= at(events[i - 1], CL_PROFILING_COMMAND_END));
}

TEST_CASE("clGetEventProfilingInfo: the time is in nanoseconds", "[profiling]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  const auto sleep = [](void*) {
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
  };
  test::Event event;
  REQUIRE_CL(clEnqueueNativeKernel(session.queue, sleep, nullptr, 0, 0, nullptr, nullptr, 0, nullptr,
                                   event.address()));
  REQUIRE_CL(clFinish(session.queue));
  const cl_ulong spent = at(event, CL_PROFILING_COMMAND_END) - at(event, CL_PROFILING_COMMAND_START);
  CHECK(spent >= 19'000'000);
  CHECK(spent < 5'000'000'000);
}

TEST_CASE("clGetEventProfilingInfo: the times are those of the host timer, and waiting is not running",
          "[profiling]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  const auto device_time = [] {
    cl_ulong device = 0, host = 0;
    REQUIRE_CL(clGetDeviceAndHostTimer(test::device(), &device, &host));
    return device;
  };
  const auto gate = test::user_event(session.context);
  test::Event event;
  const cl_event wait = gate;
  const cl_ulong before = device_time();
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1, &wait, event.address()));
  const cl_ulong enqueued = device_time();
  REQUIRE_CL(clFlush(session.queue));
  const cl_ulong flushed = device_time();
  const timespec pause{0, 5'000'000};
  nanosleep(&pause, nullptr);
  const cl_ulong opened = device_time();
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  REQUIRE_CL(clFinish(session.queue));
  const cl_ulong finished = device_time();
  CHECK(at(event, CL_PROFILING_COMMAND_QUEUED) >= before);
  CHECK(at(event, CL_PROFILING_COMMAND_QUEUED) <= enqueued);
  if (test::is_hostcl()) CHECK(at(event, CL_PROFILING_COMMAND_SUBMIT) <= flushed);
  CHECK(at(event, CL_PROFILING_COMMAND_START) >= opened);
  CHECK(at(event, CL_PROFILING_COMMAND_END) <= finished);
}

TEST_CASE("clGetEventProfilingInfo: a command that failed has no times", "[profiling]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  const auto gate = test::user_event(session.context);
  test::Event event;
  const cl_event wait = gate;
  cl_ulong time = 0;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1, &wait, event.address()));
  CHECK_CL(clSetUserEventStatus(gate, -3));
  CHECK_CL(clFinish(session.queue));
  CHECK_STATUS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
               CL_PROFILING_INFO_NOT_AVAILABLE);
}

TEST_CASE("clGetEventProfilingInfo: a queue without profiling is CL_PROFILING_INFO_NOT_AVAILABLE",
          "[profiling]") {
  const test::Session session;
  test::Event event;
  cl_ulong time = 0;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, event.address()));
  REQUIRE_CL(clFinish(session.queue));
  CHECK_STATUS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof time, &time, nullptr),
               CL_PROFILING_INFO_NOT_AVAILABLE);
}

TEST_CASE("clGetEventProfilingInfo: an unfinished command is CL_PROFILING_INFO_NOT_AVAILABLE",
          "[profiling]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  const auto gate = test::user_event(session.context);
  test::Event event;
  const cl_event wait = gate;
  cl_ulong time = 0;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1, &wait, event.address()));
  CHECK_STATUS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
               CL_PROFILING_INFO_NOT_AVAILABLE);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clGetEventProfilingInfo: a user event is CL_PROFILING_INFO_NOT_AVAILABLE", "[profiling]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  const auto event = test::user_event(session.context);
  cl_ulong time = 0;
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
  CHECK_STATUS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
               CL_PROFILING_INFO_NOT_AVAILABLE);
}

TEST_CASE("clGetEventProfilingInfo: an unknown query is CL_INVALID_VALUE", "[profiling]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  test::Event event;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, event.address()));
  REQUIRE_CL(clFinish(session.queue));
  cl_ulong time = 0;
  CHECK_STATUS(clGetEventProfilingInfo(event, 0x1234, sizeof time, &time, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetEventProfilingInfo: a too small value is CL_INVALID_VALUE", "[profiling]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  test::Event event;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, event.address()));
  REQUIRE_CL(clFinish(session.queue));
  char byte;
  CHECK_STATUS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 1, &byte, nullptr), CL_INVALID_VALUE);
}
