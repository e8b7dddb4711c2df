// Events and user events (OpenCL 3.0 API, 5.11)

#include "support/session.hpp"

#include <atomic>
#include <functional>
#include <thread>

namespace {} // namespace

TEST_CASE("clCreateUserEvent: starts as submitted, without a queue", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  cl_command_queue queue = session.queue;
  cl_command_type type = 0;
  cl_uint references = 0;
  cl_context context = nullptr;
  CHECK(test::status_of(event) == CL_SUBMITTED);
  CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr));
  CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr));
  CHECK_CL(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr));
  CHECK_CL(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, nullptr));
  CHECK(queue == nullptr);
  CHECK(type == CL_COMMAND_USER);
  CHECK(references == 1);
  CHECK(context == session.context.get());
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("clSetUserEventStatus: completes the event", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
  CHECK(test::status_of(event) == CL_COMPLETE);
  CHECK_CL(test::wait(event));
}

TEST_CASE("clSetUserEventStatus: twice is CL_INVALID_OPERATION", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
  CHECK_STATUS(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
  CHECK_STATUS(clSetUserEventStatus(event, -1), CL_INVALID_OPERATION);
}

TEST_CASE("clSetUserEventStatus: a status that is neither complete nor negative is CL_INVALID_VALUE",
          "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  for (cl_int status : {CL_RUNNING, CL_SUBMITTED, CL_QUEUED, 77})
    CHECK_STATUS(clSetUserEventStatus(event, status), CL_INVALID_VALUE);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("clSetUserEventStatus: the event of a command is CL_INVALID_EVENT", "[event]") {
  const test::Session session;
  test::Event event;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, event.address()));
  CHECK_STATUS(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_EVENT);
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clSetUserEventStatus: failure runs through the whole chain of dependants", "[event]") {
  const test::Session session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  auto buffer = session.buffer(std::vector<int>(16, 1));
  const auto gate = test::user_event(session.context);
  const cl_int pattern = 2;
  std::vector<test::Event> chain(5);
  cl_event before = gate;
  for (test::Event& event : chain) {
    REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 64, 1, &before, event.address()));
    before = event;
  }
  CHECK_CL(clSetUserEventStatus(gate, -7));
  CHECK_STATUS(test::wait(chain.back()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  for (const test::Event& event : chain)
    CHECK(test::status_of(event) < 0);
  CHECK_CL(clFinish(session.queue));
  CHECK(session.read<int>(buffer, 16) == std::vector<int>(16, 1));
}

TEST_CASE("clSetUserEventStatus: failure reaches dependants in other queues, which do not run", "[event]") {
  const test::Session session;
  const auto second = test::make_queue(session.context),
             third = test::make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static std::atomic<int> calls;
  calls = 0;
  const auto count = [](void*) { ++calls; };
  const auto gate = test::user_event(session.context);
  test::Event native, marker, last, independent;
  const cl_event on_gate = gate;
  REQUIRE_CL(clEnqueueNativeKernel(session.queue, count, nullptr, 0, 0, nullptr, nullptr, 1, &on_gate,
                                   native.address()));
  const cl_event on_native = native;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(second, 1, &on_native, marker.address()));
  const cl_event on_marker = marker;
  REQUIRE_CL(
      clEnqueueNativeKernel(third, count, nullptr, 0, 0, nullptr, nullptr, 1, &on_marker, last.address()));
  REQUIRE_CL(clEnqueueNativeKernel(third, count, nullptr, 0, 0, nullptr, nullptr, 0, nullptr,
                                   independent.address()));
  CHECK_CL(clSetUserEventStatus(gate, -1234));
  for (cl_command_queue queue : {third.get(), second.get(), session.queue.get()})
    CHECK_CL(clFinish(queue));
  CHECK(test::status_of(gate) == -1234);
  for (const test::Event& event : {std::cref(native), std::cref(marker), std::cref(last)}) {
    CHECK(test::status_of(event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_STATUS(test::wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  CHECK_CL(test::wait(independent));
  CHECK(calls == 1);
  const cl_event all[] = {independent, last};
  CHECK_STATUS(clWaitForEvents(2, all), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_CASE("clWaitForEvents: waits for another thread's user event", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  std::atomic<bool> set = false;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    set = true;
    clSetUserEventStatus(event, CL_COMPLETE);
  });
  CHECK_CL(test::wait(event));
  CHECK(set);
  other.join();
}

TEST_CASE("clWaitForEvents: no events are CL_INVALID_VALUE", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  const cl_event handle = event;
  CHECK_STATUS(clWaitForEvents(0, &handle), CL_INVALID_VALUE);
  CHECK_STATUS(clWaitForEvents(1, nullptr), CL_INVALID_VALUE);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("clWaitForEvents: NULL among the events is CL_INVALID_EVENT", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
  const cl_event list[] = {event, nullptr};
  CHECK_STATUS(clWaitForEvents(2, list), CL_INVALID_EVENT);
}

TEST_CASE("clWaitForEvents: events of two contexts are CL_INVALID_CONTEXT", "[event]") {
  const auto first = test::make_context(), second = test::make_context();
  const auto a = test::user_event(first), b = test::user_event(second);
  CHECK_CL(clSetUserEventStatus(a, CL_COMPLETE));
  CHECK_CL(clSetUserEventStatus(b, CL_COMPLETE));
  const cl_event list[] = {a, b};
  CHECK_STATUS(clWaitForEvents(2, list), CL_INVALID_CONTEXT);
}

TEST_CASE("clWaitForEvents: a failed event is CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  CHECK_CL(clSetUserEventStatus(event, -3));
  CHECK(test::status_of(event) == -3);
  CHECK_STATUS(test::wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_CASE("clGetEventInfo: an unknown query is CL_INVALID_VALUE", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  CHECK_STATUS(clGetEventInfo(event, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("clGetEventInfo: a too small value is CL_INVALID_VALUE", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  char byte;
  CHECK_STATUS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, 1, &byte, nullptr), CL_INVALID_VALUE);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("clRetainEvent and clReleaseEvent count", "[event]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  cl_uint references = 0;
  CHECK_CL(clRetainEvent(event));
  CHECK_CL(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr));
  CHECK(references == 2);
  CHECK_CL(clReleaseEvent(event));
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("Events order commands of two queues", "[event]") {
  const test::Session session;
  const auto other = test::make_queue(session.context);
  auto buffer = session.buffer(std::vector<int>(1, 0));
  const auto kernel =
      session.kernel("kernel void twice_plus_one(global int* v) { *v = 2 * *v + 1; }", "twice_plus_one");
  test::set_arguments(kernel, buffer);
  const size_t one = 1;
  test::Event last;
  for (int i = 0; i < 20; ++i) {
    test::Event next;
    const cl_event wait_for = last;
    REQUIRE_CL(clEnqueueNDRangeKernel(i % 2 ? other : session.queue, kernel, 1, nullptr, &one, nullptr,
                                      last ? 1 : 0, last ? &wait_for : nullptr, next.address()));
    REQUIRE_CL(clFlush(i % 2 ? other : session.queue));
    last = std::move(next);
  }
  REQUIRE_CL(test::wait(last));
  CHECK(session.read<int>(buffer, 1)[0] == (1 << 20) - 1);
}

TEST_CASE("Releasing an event of a running command is fine", "[event]") {
  const test::Session session;
  auto buffer = session.buffer(8 << 20);
  const cl_int pattern = 1;
  for (int i = 0; i < 50; ++i) {
    cl_event event = nullptr;
    REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 1 << 20, 0, nullptr, &event));
    REQUIRE_CL(clReleaseEvent(event));
  }
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("A list of a thousand events is waited for", "[event]") {
  const test::Session session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::vector<test::Event> events(1000);
  std::vector<cl_event> list;
  for (test::Event& event : events) {
    REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, event.address()));
    list.push_back(event);
  }
  test::Event last;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1000, list.data(), last.address()));
  CHECK_CL(test::wait(last));
  CHECK_CL(clWaitForEvents(1000, list.data()));
}
