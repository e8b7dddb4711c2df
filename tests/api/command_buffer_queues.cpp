// Command buffers across several queues and sub-devices, and their copies for other ones
// (cl_khr_command_buffer_multi_device).

#include "support/command_buffer.hpp"

#include <memory>
#include <random>
#include <thread>

namespace cb = test::cb;

namespace {

constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

const char* const source = R"(
  kernel void step(global uint* p, uint x) { *p = *p * 3 + x; }
  kernel void sum(global const uint* a, global const uint* b, global uint* out) { *out = *a * 5 + *b; })";

/// A context with its devices: the whole one and one of its parts, or the whole one alone where it has none.
struct World {
  std::vector<test::Device> parts;
  std::vector<cl_device_id> devices{test::device()};
  test::Context context;
  test::Program program;
  test::Kernel step, sum;

  World() {
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_uint count = 0;
    if (clCreateSubDevices(test::device(), equally, 0, nullptr, &count) == CL_SUCCESS) {
      std::vector<cl_device_id> made(count);
      REQUIRE_CL(clCreateSubDevices(test::device(), equally, count, made.data(), nullptr));
      parts.reserve(count);
      for (cl_device_id part : made)
        parts.emplace_back(part);
      devices.insert(devices.end(), made.begin(), made.end());
    }
    cl_int error = CL_SUCCESS;
    context.reset(
        clCreateContext(nullptr, cl_uint(devices.size()), devices.data(), nullptr, nullptr, &error));
    REQUIRE_CL(error);
    const char* text = source;
    program.reset(clCreateProgramWithSource(context, 1, &text, nullptr, &error));
    REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    step.reset(clCreateKernel(program, "step", &error));
    sum.reset(clCreateKernel(program, "sum", &error));
    REQUIRE_CL(error);
  }
  test::Queue queue(size_t device, cl_command_queue_properties properties = 0) const {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = CL_SUCCESS;
    test::Queue made(
        clCreateCommandQueueWithProperties(context, devices[device % devices.size()], list, &error));
    REQUIRE_CL(error);
    return made;
  }
  test::Buffer zero() const {
    cl_int error = CL_SUCCESS;
    cl_uint value = 0;
    test::Buffer made(
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof value, &value, &error));
    REQUIRE_CL(error);
    return made;
  }
};

cl_uint number(cl_command_queue queue, cl_mem buffer) {
  cl_uint value = 0;
  REQUIRE_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr));
  return value;
}

struct Node {
  size_t queue;
  std::vector<cb::Point> waits;
};

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
    for (int i = 0; i < 1000 && waited < run; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(waited == run);
  }
}

TEST_CASE("Several queues: other queues take their places, each of the same device",
          "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1), other_first = w.queue(0, out_of_order),
             other_second = w.queue(1, out_of_order);
  const auto value = w.zero();
  const cb::Buffer buffer({first, second});
  test::set_arguments(w.step, value, cl_uint{1});
  buffer.launch(w.step, 1, {buffer.launch(w.step, 1, {}, first)}, second);
  buffer.finalize();
  cl_command_queue queues[] = {other_first, other_second}, swapped[] = {other_second, other_first};
  REQUIRE_CL(cb::functions().enqueue(2, queues, buffer, 0, nullptr, nullptr));
  CHECK_CL(clFinish(other_first));
  CHECK_CL(clFinish(other_second));
  CHECK(number(first, value) == 4);
  if (w.devices.size() > 1)
    CHECK_STATUS(cb::functions().enqueue(2, swapped, buffer, 0, nullptr, nullptr), CL_INVALID_DEVICE);
}

TEST_CASE("Several queues: threads that enqueue them in opposite orders do not wait for each other",
          "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1);
  std::vector<test::Buffer> values;
  std::vector<cb::Buffer> buffers;
  for (int i = 0; i < 2; ++i) {
    values.push_back(w.zero());
    test::set_arguments(w.step, values.back(), cl_uint{1});
    std::vector<cl_command_queue> queues = {first, second};
    if (i) std::swap(queues[0], queues[1]);
    buffers.emplace_back(queues);
    std::vector<cb::Point> last;
    for (int j = 0; j < 6; ++j)
      last = {buffers.back().launch(w.step, 1, last, queues[size_t(j) % 2])};
    buffers.back().finalize();
  }
  const auto run = [&](size_t i) {
    for (int j = 0; j < 300; ++j) {
      if (cb::functions().enqueue(0, nullptr, buffers[i], 0, nullptr, nullptr) != CL_SUCCESS) return;
      if (j % 16 == 0) clFinish(i ? first : second);
    }
  };
  std::thread other(run, size_t{1});
  run(0);
  other.join();
  CHECK_CL(clFinish(first));
  CHECK_CL(clFinish(second));
  cl_uint expected = 0;
  for (int i = 0; i < 6 * 300; ++i)
    expected = expected * 3 + 1;
  for (const test::Buffer& value : values)
    CHECK(number(first, value) == expected);
}

TEST_CASE("clRemapCommandBufferKHR: the copy runs in other queues and is changed alone",
          "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1);
  const auto value = w.zero();
  const cb::Buffer buffer({first}, {cb::flags, cb::mutable_commands});
  test::set_arguments(w.step, value, cl_uint{1});
  const auto command = buffer.mutable_launch(w.step, 1);
  buffer.launch(w.step, 1);
  const bool finalized = GENERATE(true, false);
  if (finalized) buffer.finalize();
  const cl_command_queue target = second;
  cb::Command copied = nullptr;
  cl_int error = 1;
  const cb::Buffer copy(cb::functions().remap(buffer, CL_FALSE, 1, &target, 1, &command, &copied, &error));
  REQUIRE_CL(error);
  CHECK(copy.current_state() == buffer.current_state());
  CHECK(copied != command);
  cl_command_queue queue = nullptr;
  cb::Handle owner = nullptr;
  CHECK_CL(cb::functions().command_info(copied, cb::command_queue, sizeof queue, &queue, nullptr));
  CHECK(queue == target);
  CHECK_CL(cb::functions().command_info(copied, cb::command_buffer, sizeof owner, &owner, nullptr));
  CHECK(owner == copy);
  if (!finalized) {
    test::set_arguments(w.step, value, cl_uint{100});
    copy.launch(w.step, 1);
    copy.finalize();
    buffer.finalize();
  }
  CHECK_CL(test::wait(copy.enqueue_event()));
  CHECK(number(second, value) == (finalized ? 4 : 112));
  const cl_uint ten = 10;
  const cb::Argument argument{1, sizeof ten, &ten};
  cb::Config config;
  config.argument_count = 1;
  config.arguments = &argument;
  config.command = command;
  CHECK_STATUS(copy.try_update({config}), cb::invalid_mutable_command);
  config.command = copied;
  copy.update({config});
  CHECK_CL(test::wait(buffer.enqueue_event()));
  CHECK(number(second, value) == ((finalized ? 4 : 112) * 3 + 1) * 3 + 1);
}

TEST_CASE("clRemapCommandBufferKHR: automatic, for any number of queues", "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto first = w.queue(0), second = w.queue(1);
  const auto value = w.zero();
  const cb::Buffer buffer({first, second});
  test::set_arguments(w.step, value, cl_uint{1});
  std::vector<cb::Point> last;
  for (int i = 0; i < 7; ++i)
    last = {buffer.launch(w.step, 1, last, i % 3 ? second : first)};
  buffer.finalize();
  cl_uint expected = 0;
  for (const cl_uint count : {1u, 2u, 3u}) {
    std::vector<test::Queue> queues;
    std::vector<cl_command_queue> handles;
    for (cl_uint i = 0; i < count; ++i) {
      queues.push_back(w.queue(i + 1, i ? out_of_order : 0));
      handles.push_back(queues.back());
    }
    cl_int error = 1;
    const cb::Buffer copy(
        cb::functions().remap(buffer, CL_TRUE, count, handles.data(), 0, nullptr, nullptr, &error));
    REQUIRE_CL(error);
    CHECK_CL(test::wait(copy.enqueue_event()));
    for (int i = 0; i < 7; ++i)
      expected = expected * 3 + 1;
    CHECK(number(first, value) == expected);
  }
}

TEST_CASE("clRemapCommandBufferKHR: its errors", "[command_buffer_queues]") {
  if (!cb::is_supported()) return;
  const World w;
  const test::Session other;
  const auto first = w.queue(0);
  const auto value = w.zero();
  const cb::Buffer buffer({first}, {cb::flags, cb::mutable_commands}), empty({first});
  test::set_arguments(w.step, value, cl_uint{1});
  const auto command = buffer.mutable_launch(w.step, 1);
  cb::Command result = nullptr;
  const auto status = [&](cb::Handle of, cl_bool automatic, const std::vector<cl_command_queue>& queues,
                          cl_uint count = 0, const cb::Command* handles = nullptr,
                          cb::Command* made = nullptr) {
    cl_int error = 1;
    const cb::Buffer copy(cb::functions().remap(of, automatic, cl_uint(queues.size()),
                                                queues.empty() ? nullptr : queues.data(), count, handles,
                                                made, &error));
    CHECK((copy != nullptr) == (error == CL_SUCCESS));
    return error;
  };
  const cl_command_queue q = first;
  CHECK_STATUS(status(buffer, CL_FALSE, {}), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {q, q}), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {q}, 1, nullptr, &result), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {q}, 1, &command, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {q}, 0, &command, &result), CL_INVALID_VALUE);
  CHECK_STATUS(status(empty, CL_FALSE, {q}, 1, &command, &result), CL_INVALID_VALUE);
  const cb::Command none = nullptr;
  CHECK_STATUS(status(buffer, CL_FALSE, {q}, 1, &none, &result), CL_INVALID_VALUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {nullptr}), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(status(buffer, CL_FALSE, {other.queue}), CL_INVALID_CONTEXT);
  CHECK(result == nullptr);
  CHECK_CL(status(buffer, CL_TRUE, {q, q}));
  if (w.devices.size() < 2) return;
  // Built for one part only, the kernel cannot move to the whole device.
  cl_int error = CL_SUCCESS;
  const char* text = source;
  const test::Program program(clCreateProgramWithSource(w.context, 1, &text, nullptr, &error));
  REQUIRE_CL(clBuildProgram(program, 1, &w.devices[1], "", nullptr, nullptr));
  const test::Kernel kernel(clCreateKernel(program, "step", &error));
  test::set_arguments(kernel, value, cl_uint{1});
  const auto part = w.queue(1);
  const cb::Buffer bound({part});
  bound.launch(kernel, 1);
  CHECK_STATUS(status(bound, CL_FALSE, {q}), CL_INVALID_PROGRAM_EXECUTABLE);
}
