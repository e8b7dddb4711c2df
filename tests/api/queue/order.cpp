// Markers, barriers, in-order and out-of-order execution (OpenCL 3.0 API, 5.12 and 5.13)

#include "support/session.hpp"

#include <atomic>
#include <thread>

namespace {

constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

/// A command that waits for the event, if there is one.
test::Event fill_behind(const test::Session& session, cl_mem buffer, cl_event gate) {
  const cl_int pattern = 1;
  test::Event event;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 64, gate ? 1 : 0,
                                 gate ? &gate : nullptr, event.address()));
  return event;
}

} // namespace

TEST_CASE("In order: a thousand dependent commands keep their order", "[order]") {
  const test::Session session;
  auto buffer = session.buffer(std::vector<cl_uint>(1, 1));
  const auto kernel =
      session.kernel("kernel void next(global uint* v) { *v = *v * 1664525u + 1013904223u; }", "next");
  test::set_arguments(kernel, buffer);
  const size_t one = 1;
  cl_uint expected = 1;
  for (int i = 0; i < 1000; ++i) {
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    expected = expected * 1664525u + 1013904223u;
  }
  CHECK(session.read<cl_uint>(buffer, 1)[0] == expected);
}

TEST_CASE("In order: a gate holds up all that follows", "[order]") {
  const test::Session session;
  auto buffer = session.buffer(std::vector<int>(16, 0));
  const auto gate = test::user_event(session.context);
  const cl_event wait = gate;
  const cl_int one = 1, two = 2;
  test::Event last;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &one, 4, 0, 64, 1, &wait, nullptr));
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &two, 4, 0, 32, 0, nullptr, last.address()));
  REQUIRE_CL(clFlush(session.queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(test::status_of(last) != CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  const auto values = session.read<int>(buffer, 16);
  CHECK(values[0] == 2);
  CHECK(values[15] == 1);
}

TEST_CASE("Out of order: a command that can run is not held up by one that cannot", "[order]") {
  const test::Session session(out_of_order);
  auto buffer = session.buffer(64);
  const auto gate = test::user_event(session.context);
  const cl_event wait = gate;
  const cl_int pattern = 1;
  test::Event held, free;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 32, 1, &wait, held.address()));
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 32, 32, 0, nullptr, free.address()));
  const cl_event handle = free;
  CHECK_CL(clWaitForEvents(1, &handle));
  CHECK(test::status_of(held) != CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("Out of order: two commands really run at the same time", "[order]") {
  if (std::thread::hardware_concurrency() < 2) return;
  const test::Session session(out_of_order);
  static std::atomic<int> inside;
  static std::atomic<bool> met;
  inside = 0;
  met = false;
  const auto meet = [](void*) {
    ++inside;
    for (int i = 0; i < 20'000 && inside < 2; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (inside == 2) met = true;
  };
  for (int i = 0; i < 2; ++i) {
    const cl_int error =
        clEnqueueNativeKernel(session.queue, meet, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr);
    REQUIRE_CL(error);
  }
  CHECK_CL(clFinish(session.queue));
  if (test::is_hostcl()) CHECK(met);
}

TEST_CASE("Out of order: a barrier separates what is before from what is after", "[order]") {
  const test::Session session(out_of_order);
  auto buffer = session.buffer(std::vector<int>(1, 0));
  const auto add = session.kernel("kernel void add(global int* v) { atomic_add(v, 1); }", "add");
  const auto twice = session.kernel("kernel void twice(global int* v) { *v *= 2; }", "twice");
  test::set_arguments(add, buffer);
  test::set_arguments(twice, buffer);
  const size_t one = 1;
  for (int i = 0; i < 10; ++i)
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, add, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clEnqueueBarrierWithWaitList(session.queue, 0, nullptr, nullptr));
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, twice, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clEnqueueBarrierWithWaitList(session.queue, 0, nullptr, nullptr));
  for (int i = 0; i < 10; ++i)
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, add, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(session.queue));
  CHECK(session.read<int>(buffer, 1)[0] == 30);
}

TEST_CASE("Out of order: a marker is complete when all before it are", "[order]") {
  const test::Session session(out_of_order);
  auto buffer = session.buffer(64);
  const auto gate = test::user_event(session.context);
  const cl_event wait = gate;
  const cl_int pattern = 1;
  test::Event held, marker, other;
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &pattern, 4, 0, 64, 1, &wait, held.address()));
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, marker.address()));
  REQUIRE_CL(clFlush(session.queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(test::status_of(marker) != CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clFinish(session.queue));
  CHECK(test::status_of(marker) == CL_COMPLETE);
}

TEST_CASE("Out of order: a marker with a wait list waits for that alone and holds up nothing", "[order]") {
  const test::Session session(out_of_order);
  auto buffer = session.buffer(64);
  const auto gate = test::user_event(session.context), listed = test::user_event(session.context);
  test::Event held = fill_behind(session, buffer, gate), marker;
  const cl_event list = listed;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1, &list, marker.address()));
  CHECK_CL(test::wait(fill_behind(session, buffer, nullptr)));
  CHECK(test::status_of(marker) != CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(listed, CL_COMPLETE));
  CHECK_CL(test::wait(marker));
  CHECK(test::status_of(held) != CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("Out of order: a barrier with a wait list holds up what follows for that list alone", "[order]") {
  const test::Session session(out_of_order);
  auto buffer = session.buffer(64);
  const auto gate = test::user_event(session.context), listed = test::user_event(session.context);
  test::Event held = fill_behind(session, buffer, gate), barrier;
  const cl_event list = listed;
  REQUIRE_CL(clEnqueueBarrierWithWaitList(session.queue, 1, &list, barrier.address()));
  test::Event behind = fill_behind(session, buffer, nullptr);
  REQUIRE_CL(clFlush(session.queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(test::status_of(barrier) != CL_COMPLETE);
  CHECK(test::status_of(behind) != CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(listed, CL_COMPLETE));
  CHECK_CL(test::wait(behind));
  CHECK(test::status_of(barrier) == CL_COMPLETE);
  CHECK(test::status_of(held) != CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("Out of order: a barrier without a wait list is complete after all before it", "[order]") {
  const test::Session session(out_of_order);
  auto buffer = session.buffer(64);
  const auto first = test::user_event(session.context), second = test::user_event(session.context);
  test::Event before = fill_behind(session, buffer, first), also = fill_behind(session, buffer, second),
              barrier;
  REQUIRE_CL(clEnqueueBarrierWithWaitList(session.queue, 0, nullptr, barrier.address()));
  test::Event behind = fill_behind(session, buffer, nullptr);
  CHECK_CL(clSetUserEventStatus(second, CL_COMPLETE));
  CHECK_CL(test::wait(also));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(test::status_of(barrier) != CL_COMPLETE);
  CHECK(test::status_of(behind) != CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(first, CL_COMPLETE));
  CHECK_CL(test::wait(behind));
  CHECK(test::status_of(before) == CL_COMPLETE);
  CHECK(test::status_of(barrier) == CL_COMPLETE);
}

TEST_CASE("A barrier whose wait list fails does not keep the queue from ending", "[order]") {
  for (cl_command_queue_properties properties : {cl_command_queue_properties(0), out_of_order}) {
    const test::Session session(properties);
    auto buffer = session.buffer(64);
    const auto gate = test::user_event(session.context);
    const cl_event list = gate;
    test::Event barrier, marker;
    REQUIRE_CL(clEnqueueBarrierWithWaitList(session.queue, 1, &list, barrier.address()));
    REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1, &list, marker.address()));
    test::Event behind = fill_behind(session, buffer, nullptr);
    CHECK_CL(clSetUserEventStatus(gate, -5));
    CHECK_STATUS(test::wait(barrier), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_STATUS(test::wait(marker), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_CL(clFinish(session.queue));
    CHECK(test::status_of(behind) <= CL_COMPLETE);
  }
}

TEST_CASE("In order: a marker with a wait list holds up what follows", "[order]") {
  const test::Session session;
  auto buffer = session.buffer(64);
  const auto gate = test::user_event(session.context);
  const cl_event list = gate;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1, &list, nullptr));
  test::Event behind = fill_behind(session, buffer, nullptr);
  REQUIRE_CL(clFlush(session.queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK(test::status_of(behind) != CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(test::wait(behind));
}

TEST_CASE("clEnqueueMarker, clEnqueueBarrier and clEnqueueWaitForEvents: the 1.x calls work", "[order]") {
  const test::Session session(out_of_order);
  test::Event event;
  CHECK_CL(clEnqueueMarker(session.queue, event.address()));
  CHECK_CL(clEnqueueBarrier(session.queue));
  const cl_event handle = event;
  CHECK_CL(clEnqueueWaitForEvents(session.queue, 1, &handle));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clEnqueueMarker: no event is CL_INVALID_VALUE", "[order]") {
  const test::Session session;
  CHECK_STATUS(clEnqueueMarker(session.queue, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clEnqueueWaitForEvents: no events are CL_INVALID_VALUE", "[order]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  const cl_event handle = event;
  CHECK_STATUS(clEnqueueWaitForEvents(session.queue, 0, &handle), CL_INVALID_VALUE);
  CHECK_STATUS(clEnqueueWaitForEvents(session.queue, 1, nullptr), CL_INVALID_VALUE);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("clEnqueueWaitForEvents: an event of another context is CL_INVALID_CONTEXT", "[order]") {
  const test::Session session, other;
  const auto event = test::user_event(other.context);
  const cl_event handle = event;
  CHECK_STATUS(clEnqueueWaitForEvents(session.queue, 1, &handle), CL_INVALID_CONTEXT);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("A non-blocking call does not run a kernel that waits for the host", "[order]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  auto* flag = static_cast<std::atomic<cl_int>*>(
      clSVMAlloc(session.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 4, 0));
  REQUIRE(flag);
  *flag = 0;
  const auto kernel = session.kernel(
      "kernel void spin(global atomic_int* flag) { while (atomic_load_explicit(flag, memory_order_acquire, "
      "memory_scope_all_svm_devices) == 0); }",
      "spin", "-cl-std=CL3.0");
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, flag));
  const size_t one = 1;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clFlush(session.queue));
  *flag = 1;
  CHECK_CL(clFinish(session.queue));
  clSVMFree(session.context, flag);
}
