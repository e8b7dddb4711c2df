// Command buffers across several queues and sub-devices, and their copies for other ones
// (cl_khr_command_buffer_multi_device).

#include "support/command_buffer.hpp"
#include "support/several_queues.hpp"

#include <memory>
#include <random>
#include <thread>

namespace cb = test::cb;

namespace {

using namespace test::several_queues;

} // namespace

TEST_CASE("Several queues: what the platform and the devices tell", "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  cl_bitfield capabilities = 0;
  CHECK_CL(clGetPlatformInfo(test::platform(), 0x0908, sizeof capabilities, &capabilities, nullptr));
  CHECK(capabilities == 7);
  for (cl_device_id device : w.devices) {
    cl_uint count = 0;
    cl_device_id with = nullptr;
    size_t size = 0;
    CHECK_CL(clGetDeviceInfo(device, 0x12AB, sizeof count, &count, nullptr));
    CHECK(count == 1);
    CHECK_CL(clGetDeviceInfo(device, 0x12AC, sizeof with, &with, &size));
    CHECK(size == sizeof with);
    CHECK(with == test::device());
    CHECK_CL(clGetDeviceInfo(device, 0x12A9, sizeof capabilities, &capabilities, nullptr));
    CHECK(capabilities == (1 | 2 | 4 | 16)); // printf, children, simultaneous use, several queues
    CHECK_CL(clGetDeviceInfo(device, 0x12AA, sizeof capabilities, &capabilities, nullptr));
    CHECK(capabilities == 0);
    CHECK_CL(clGetDeviceInfo(device, 0x129A, sizeof capabilities, &capabilities, nullptr));
    CHECK(capabilities == (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE));
    CHECK_CL(clGetDeviceInfo(device, 0x12B0, sizeof capabilities, &capabilities, nullptr));
    CHECK(capabilities == 31);
  }
}

TEST_CASE("Several queues: sync points order commands of different ones", "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto properties = GENERATE(cl_command_queue_properties{0}, out_of_order);
  const auto first = w.queue(0, properties), second = w.queue(1, properties);
  const auto value = w.zero();
  const cb::Buffer buffer({first, second}, {cb::flags, cb::device_side_sync});
  cl_uint expected = 0;
  std::vector<cb::Point> last;
  for (cl_uint i = 0; i < 50; ++i) {
    test::set_arguments(w.step, value, i);
    last = {buffer.launch(w.step, 1, last, i / 3 % 2 ? second : first)};
    expected = expected * 3 + i;
  }
  buffer.finalize();
  cl_uint all = 0;
  for (int run = 0; run < 10; ++run) {
    CHECK_CL(test::wait(buffer.enqueue_event()));
    for (cl_uint i = 0; i < 50; ++i)
      all = all * 3 + i;
    CHECK(number(first, value) == all);
  }
}

TEST_CASE("Several queues: random graphs give what one queue gives", "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  std::minstd_rand random(GENERATE(range(1u, 13u)));
  const auto below = [&](size_t limit) { return size_t(random()) % limit; };
  const size_t queue_count = 1 + below(4), command_count = 60;
  std::vector<test::Queue> queues;
  std::vector<cl_command_queue> handles;
  for (size_t i = 0; i < queue_count; ++i) {
    queues.push_back(w.queue(below(w.devices.size()), below(2) ? out_of_order : 0));
    handles.push_back(queues.back());
  }
  const cb::Buffer buffer(handles);
  // Each command computes a number of those of two earlier ones that it waits for, one way or another.
  std::vector<test::Buffer> values;
  std::vector<cl_uint> expected;
  std::vector<cb::Point> points;
  for (size_t i = 0; i < 2; ++i) {
    values.push_back(w.zero());
    expected.push_back(0);
    points.push_back(0);
  }
  std::vector<cb::Point> since_barrier;
  for (size_t i = 2; i < command_count; ++i) {
    const cl_command_queue queue = handles[below(queue_count)];
    values.push_back(w.zero());
    if (below(10) == 0) {
      cb::Point point = 0;
      REQUIRE_CL(cb::functions().barrier(buffer, queue, nullptr, 0, nullptr, &point, nullptr));
      for (cb::Point& known : points)
        known = 0; // nothing has to wait for these any more
    }
    const size_t a = below(i), b = below(i);
    std::vector<cb::Point> waits;
    for (const size_t source : {a, b})
      if (points[source]) waits.push_back(points[source]);
    if (i == 2) { // the numbers that all others begin with
      const cl_uint seven = 7;
      cb::Point point = 0;
      REQUIRE_CL(cb::functions().fill_buffer(buffer, queue, nullptr, values[0], &seven, 4, 0, 4, 0, nullptr,
                                             &point, nullptr));
      REQUIRE_CL(cb::functions().fill_buffer(buffer, queue, nullptr, values[1], &seven, 4, 0, 4, 1, &point,
                                             nullptr, nullptr));
      REQUIRE_CL(cb::functions().barrier(buffer, queue, nullptr, 1, &point, nullptr, nullptr));
      expected[0] = expected[1] = 7;
    }
    test::set_arguments(w.sum, values[a], values[b], values[i]);
    points.push_back(buffer.launch(w.sum, 1, waits, queue));
    expected.push_back(expected[a] * 5 + expected[b]);
  }
  buffer.finalize();
  for (int run = 0; run < 3; ++run) {
    CHECK_CL(test::wait(buffer.enqueue_event()));
    for (size_t i = 0; i < command_count; ++i)
      REQUIRE(number(handles[0], values[i]) == expected[i]);
  }
}

TEST_CASE("Several queues: in-order queues order the command buffer with their other commands",
          "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1);
  const auto a = w.zero(), b = w.zero();
  const cb::Buffer buffer({first, second});
  test::set_arguments(w.step, a, cl_uint{1});
  buffer.launch(w.step, 1, {}, first);
  test::set_arguments(w.step, b, cl_uint{2});
  buffer.launch(w.step, 1, {}, second);
  buffer.finalize();
  const size_t one = 1;
  cl_uint expected = 0;
  test::set_arguments(w.step, b, cl_uint{10});
  for (int i = 0; i < 20; ++i) {
    REQUIRE_CL(clEnqueueNDRangeKernel(second, w.step, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    buffer.enqueue();
    REQUIRE_CL(clEnqueueNDRangeKernel(second, w.step, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    expected = ((expected * 3 + 10) * 3 + 2) * 3 + 10;
  }
  CHECK_CL(clFinish(second));
  CHECK(number(second, b) == expected);
  CHECK_CL(clFinish(first));
}

TEST_CASE("Several queues: the event is of no queue, and has times if one of them is profiled",
          "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const bool profiled = GENERATE(true, false);
  const auto first = w.queue(0), second = w.queue(1, profiled ? CL_QUEUE_PROFILING_ENABLE : 0);
  const auto value = w.zero();
  const size_t commands = GENERATE(0, 1, 2);
  const cb::Buffer buffer({first, second});
  test::set_arguments(w.step, value, cl_uint{1});
  std::vector<cb::Point> last;
  for (size_t i = 0; i < commands; ++i)
    last = {buffer.launch(w.step, 1, last, i ? second : first)};
  buffer.finalize();
  const auto gate = test::user_event(w.context);
  const auto event = buffer.enqueue_event({gate});
  CHECK(test::status_of(event) > CL_RUNNING);
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(test::wait(event));
  cl_command_queue queue = first;
  cl_command_type type = 0;
  CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr));
  CHECK(queue == nullptr);
  CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr));
  CHECK(type == cb::command_command_buffer);
  cl_ulong before = 0, time = 0;
  for (const cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                       CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
    CHECK_STATUS(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr),
                 profiled ? CL_SUCCESS : CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(time >= before);
    before = time;
  }
}

TEST_CASE("Several queues: a failed wait list ends all commands", "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1);
  const auto value = w.zero();
  const cb::Buffer buffer({first, second});
  test::set_arguments(w.step, value, cl_uint{1});
  buffer.launch(w.step, 1, {buffer.launch(w.step, 1, {}, first)}, second);
  buffer.finalize();
  const auto gate = test::user_event(w.context);
  const auto event = buffer.enqueue_event({gate});
  REQUIRE_CL(clSetUserEventStatus(gate, -5));
  CHECK_STATUS(test::wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK_CL(clFinish(first));
  CHECK_CL(clFinish(second));
  CHECK(number(first, value) == 0);
  CHECK_CL(test::wait(buffer.enqueue_event()));
  CHECK(number(first, value) == 4);
}

TEST_CASE("Several queues: a callback for CL_RUNNING may wait for the command buffer",
          "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1);
  const auto value = w.zero();
  const cb::Buffer buffer({first, second});
  test::set_arguments(w.step, value, cl_uint{1});
  buffer.launch(w.step, 1, {buffer.launch(w.step, 1, {}, first)}, second);
  buffer.finalize();
  static std::atomic<int> waited;
  waited = 0;
  for (int run = 1; run <= 10; ++run) {
    const auto gate = test::user_event(w.context);
    const auto event = buffer.enqueue_event({gate});
    REQUIRE_CL(clSetEventCallback(
        event, CL_RUNNING,
        [](cl_event running, cl_int, void*) {
          if (clWaitForEvents(1, &running) == CL_SUCCESS) ++waited;
        },
        nullptr));
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_CL(test::wait(event));
    REQUIRE_CL(clFinish(first));
    for (int i = 0; i < 20'000 && waited < run; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(waited == run);
  }
}
