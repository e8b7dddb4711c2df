// Command buffers: what they record, their states, and the order of their commands (cl_khr_command_buffer).

#include "support/command_buffer.hpp"
#include "support/images.hpp"

#include <atomic>
#include <numeric>
#include <thread>

namespace cb = test::cb;

namespace {

constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr size_t items = 1000;

const char* const source = R"(
  kernel void add(global uint* p, uint x) { p[get_global_id(0)] += x; }
  kernel void twice(global uint* p) { p[get_global_id(0)] *= 2; })";

struct World {
  explicit World(cl_command_queue_properties properties = 0) : session(properties) {}
  test::Session session;
  test::Program program = session.build(source);
  test::Kernel add = session.kernel(program, "add"), twice = session.kernel(program, "twice");
  test::Buffer numbers = session.buffer(std::vector<cl_uint>(items));

  cb::Buffer buffer(std::vector<cb::Property> properties = {}) const {
    return cb::Buffer({session.queue}, std::move(properties));
  }
  std::vector<cl_uint> read() const {
    REQUIRE_CL(clFinish(session.queue)); // the queue may be out of order
    return session.read<cl_uint>(numbers, items);
  }
  void check_all(cl_uint expected) const { CHECK(read() == std::vector<cl_uint>(items, expected)); }
};

template <class T>
T info(cb::Handle buffer, cl_uint name) {
  T value{};
  size_t size = 0;
  REQUIRE_CL(cb::functions().info(buffer, name, sizeof value, &value, &size));
  CHECK(size == sizeof value);
  return value;
}

} // namespace

TEST_CASE("Command buffer: recorded launches run each time, in order, with the arguments as they were",
          "[command_buffer]") {
  if (!cb::is_supported()) return;
  const auto properties = GENERATE(cl_command_queue_properties{0}, out_of_order);
  const World w(properties);
  const auto buffer = w.buffer();
  cb::Point last = 0;
  const auto record = [&](cl_kernel kernel) {
    last = buffer.launch(kernel, items, last ? std::vector{last} : std::vector<cb::Point>{});
  };
  test::set_arguments(w.add, w.numbers, cl_uint{3});
  test::set_arguments(w.twice, w.numbers);
  record(w.add);
  test::set_arguments(w.add, w.numbers, cl_uint{10});
  record(w.twice);
  record(w.add);
  test::set_arguments(w.add, w.numbers, cl_uint{100000});
  buffer.finalize();
  w.check_all(0); // recording runs nothing
  cl_uint expected = 0;
  for (int run = 0; run < 5; ++run) {
    CHECK_CL(clWaitForEvents(1, buffer.enqueue_event().address()));
    expected = (expected + 3) * 2 + 10;
    w.check_all(expected);
  }
}

TEST_CASE("Command buffer: states are recording and executable, and commands are recorded in the first",
          "[command_buffer]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto buffer = w.buffer();
  CHECK(buffer.current_state() == cb::state_recording);
  test::set_arguments(w.add, w.numbers, cl_uint{1});
  buffer.launch(w.add, items);
  CHECK(buffer.current_state() == cb::state_recording);
  buffer.finalize();
  CHECK(buffer.current_state() == cb::state_executable);
  buffer.enqueue();
  CHECK(buffer.current_state() == cb::state_executable);
  w.check_all(1);
  CHECK(buffer.current_state() == cb::state_executable);
}

TEST_CASE("Command buffer: what it tells of itself", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const World w;
  const std::vector<cb::Property> given = {cb::flags, cb::simultaneous_use | cb::mutable_commands,
                                           cb::buffer_asserts, cb::no_additional_work_groups};
  const auto buffer = w.buffer(given);
  CHECK(info<cl_uint>(buffer, cb::num_queues) == 1);
  CHECK(info<cl_command_queue>(buffer, cb::queues) == w.session.queue.get());
  CHECK(info<cl_context>(buffer, cb::context) == w.session.context.get());
  // Loaders find the dispatch table where other objects have it.
  CHECK(*reinterpret_cast<void**>(static_cast<cb::Handle>(buffer)) ==
        *reinterpret_cast<void**>(w.session.queue.get()));
  CHECK(info<cl_uint>(buffer, cb::reference_count) == 1);
  REQUIRE_CL(cb::functions().retain(buffer));
  CHECK(info<cl_uint>(buffer, cb::reference_count) == 2);
  REQUIRE_CL(cb::functions().release(buffer));
  CHECK(info<cl_uint>(buffer, cb::reference_count) == 1);
  std::array<cb::Property, 5> list{};
  size_t size = 0;
  CHECK_CL(cb::functions().info(buffer, cb::properties_array, sizeof list, list.data(), &size));
  CHECK(size == sizeof list);
  CHECK(std::vector(list.begin(), list.begin() + 4) == given);
  CHECK(list[4] == 0);
  const auto plain = w.buffer();
  CHECK_CL(cb::functions().info(plain, cb::properties_array, 0, nullptr, &size));
  CHECK(size == 0);
}

TEST_CASE("Command buffer: copies and fills of buffers", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const test::Session session;
  std::vector<cl_uchar> bytes(64);
  std::iota(bytes.begin(), bytes.end(), cl_uchar{1});
  const auto from = session.buffer(bytes), to = session.buffer(std::vector<cl_uchar>(64));
  const cb::Buffer buffer({session.queue});
  const auto& f = cb::functions();
  const cl_ushort pattern = 0xABCD;
  REQUIRE_CL(f.fill_buffer(buffer, nullptr, nullptr, to, &pattern, 2, 0, 64, 0, nullptr, nullptr, nullptr));
  REQUIRE_CL(f.copy_buffer(buffer, nullptr, nullptr, from, to, 4, 10, 6, 0, nullptr, nullptr, nullptr));
  const size_t source_origin[3] = {1, 1, 0}, target_origin[3] = {4, 2, 0}, region[3] = {2, 2, 1};
  REQUIRE_CL(f.copy_buffer_rect(buffer, nullptr, nullptr, from, to, source_origin, target_origin, region, 8,
                                0, 16, 0, 0, nullptr, nullptr, nullptr));
  buffer.finalize();
  std::vector<cl_uchar> expected(64);
  for (size_t i = 0; i < 64; ++i)
    expected[i] = i % 2 ? 0xAB : 0xCD;
  std::copy_n(bytes.begin() + 4, 6, expected.begin() + 10);
  for (size_t row = 0; row < 2; ++row)
    std::copy_n(bytes.begin() + ptrdiff_t((row + 1) * 8 + 1), 2,
                expected.begin() + ptrdiff_t((row + 2) * 16 + 4));
  for (int run = 0; run < 3; ++run) {
    const cl_uchar zero = 0;
    REQUIRE_CL(clEnqueueFillBuffer(session.queue, to, &zero, 1, 0, 64, 0, nullptr, nullptr));
    buffer.enqueue();
    CHECK(session.read<cl_uchar>(to, 64) == expected);
  }
}

TEST_CASE("Command buffer: copies and fills of images", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const test::Session session;
  const auto& f = cb::functions();
  const auto description = test::image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_int error = CL_SUCCESS;
  const test::Buffer first(
      clCreateImage(session.context, CL_MEM_READ_WRITE, &format, &description, nullptr, &error));
  REQUIRE_CL(error);
  const test::Buffer second(
      clCreateImage(session.context, CL_MEM_READ_WRITE, &format, &description, nullptr, &error));
  REQUIRE_CL(error);
  std::vector<cl_uint> values(16);
  std::iota(values.begin(), values.end(), 100u);
  const auto in = session.buffer(values), out = session.buffer(std::vector<cl_uint>(16));
  const cb::Buffer buffer({session.queue});
  const size_t zero[3] = {0, 0, 0}, all[3] = {4, 4, 1}, one[3] = {1, 1, 0}, square[3] = {2, 2, 1};
  const cl_uint color[4] = {7, 0, 0, 0};
  REQUIRE_CL(f.copy_buffer_to_image(buffer, nullptr, nullptr, in, first, 0, zero, all, 0, nullptr, nullptr,
                                    nullptr));
  REQUIRE_CL(f.fill_image(buffer, nullptr, nullptr, second, color, zero, all, 0, nullptr, nullptr, nullptr));
  REQUIRE_CL(
      f.fill_image(buffer, nullptr, nullptr, first, color, zero, square, 0, nullptr, nullptr, nullptr));
  REQUIRE_CL(
      f.copy_image(buffer, nullptr, nullptr, first, second, one, zero, square, 0, nullptr, nullptr, nullptr));
  REQUIRE_CL(f.copy_image_to_buffer(buffer, nullptr, nullptr, second, out, zero, all, 0, 0, nullptr, nullptr,
                                    nullptr));
  buffer.finalize();
  std::vector<cl_uint> expected(16, 7);
  expected[0] = 7;   // filled in `first`
  expected[1] = 106; // (2, 1) of `first`
  expected[4] = 109; // (1, 2)
  expected[5] = 110;
  for (int run = 0; run < 3; ++run) {
    buffer.enqueue();
    CHECK(session.read<cl_uint>(out, 16) == expected);
  }
}

TEST_CASE("Command buffer: copies and fills of shared virtual memory", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const test::Session session;
  const auto& f = cb::functions();
  auto* memory = static_cast<cl_uint*>(clSVMAlloc(session.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
  REQUIRE(memory);
  const cb::Buffer buffer({session.queue});
  const cl_uint pattern = 0x12345678;
  REQUIRE_CL(f.svm_fill(buffer, nullptr, nullptr, memory, &pattern, 4, 32, 0, nullptr, nullptr, nullptr));
  REQUIRE_CL(f.svm_copy(buffer, nullptr, nullptr, memory + 8, memory, 32, 0, nullptr, nullptr, nullptr));
  buffer.finalize();
  for (int run = 0; run < 3; ++run) {
    std::fill_n(memory, 16, 0u);
    buffer.enqueue();
    REQUIRE_CL(clFinish(session.queue));
    CHECK(std::vector(memory, memory + 16) == std::vector<cl_uint>(16, pattern));
  }
  clSVMFree(session.context, memory);
}

TEST_CASE("Command buffer: local arguments, images, samplers and printf in its kernels", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const test::Session session;
  const auto program = session.build(R"(
    kernel void k(read_only image2d_t image, sampler_t s, local uint* a, local uint* b, global uint* out) {
      const uint i = get_local_id(0), last = get_local_size(0) - 1;
      a[i] = i; b[i] = 2 * i;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] += a[last - i] + b[i] + read_imageui(image, s, (int2)(1, 2)).x;
      if (get_global_id(0) == 100000) printf("never");
    })");
  const auto kernel = session.kernel(program, "k");
  const auto description = test::image_of(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  std::vector<cl_uint> texels(16);
  texels[9] = 5000;
  cl_int error = CL_SUCCESS;
  test::Buffer image(clCreateImage(session.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                   &description, texels.data(), &error));
  REQUIRE_CL(error);
  test::Sampler sampler(
      clCreateSampler(session.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
  REQUIRE_CL(error);
  const auto out = session.buffer(std::vector<cl_uint>(64));
  test::set_arguments(kernel, image, sampler.get(), test::Local{64}, test::Local{64}, out);
  const cb::Buffer buffer({session.queue});
  const size_t global = 64, local = 16;
  REQUIRE_CL(cb::functions().launch(buffer, nullptr, nullptr, kernel, 1, nullptr, &global, &local, 0, nullptr,
                                    nullptr, nullptr));
  buffer.finalize();
  image.reset(); // the command buffer keeps it
  sampler.reset();
  for (cl_uint run = 1; run <= 3; ++run) {
    buffer.enqueue();
    const auto values = session.read<cl_uint>(out, 64);
    for (cl_uint i = 0; i < 64; ++i)
      REQUIRE(values[i] == run * (15 - i % 16 + 2 * (i % 16) + 5000));
  }
}

TEST_CASE("Command buffer: offsets, dimensions and launches without work-items", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const test::Session session;
  const auto program = session.build(R"(
    kernel void k(global uint* out) { out[get_global_id(1) * 8 + get_global_id(0)] += 1; })");
  const auto kernel = session.kernel(program, "k");
  const auto out = session.buffer(std::vector<cl_uint>(64));
  test::set_arguments(kernel, out);
  const cb::Buffer buffer({session.queue});
  const size_t offset[2] = {1, 2}, global[2] = {4, 3}, none[2] = {0, 3};
  REQUIRE_CL(cb::functions().launch(buffer, nullptr, nullptr, kernel, 2, offset, global, nullptr, 0, nullptr,
                                    nullptr, nullptr));
  REQUIRE_CL(cb::functions().launch(buffer, nullptr, nullptr, kernel, 2, offset, none, nullptr, 0, nullptr,
                                    nullptr, nullptr));
  buffer.finalize();
  buffer.enqueue();
  buffer.enqueue();
  const auto values = session.read<cl_uint>(out, 64);
  for (size_t y = 0; y < 8; ++y)
    for (size_t x = 0; x < 8; ++x)
      REQUIRE(values[y * 8 + x] == (x >= 1 && x < 5 && y >= 2 && y < 5 ? 2 : 0));
}

TEST_CASE("Command buffer: without commands its event completes behind its wait list", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto buffer = w.buffer();
  buffer.finalize();
  const auto gate = test::user_event(w.session.context);
  const auto event = buffer.enqueue_event({gate});
  CHECK(test::status_of(event) > CL_COMPLETE);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(test::wait(event));
}

TEST_CASE("Command buffer: it waits for its list, and what comes after it in the queue waits for it",
          "[command_buffer]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto buffer = w.buffer();
  test::set_arguments(w.add, w.numbers, cl_uint{5});
  test::set_arguments(w.twice, w.numbers);
  buffer.launch(w.add, items);
  buffer.finalize();
  const auto gate = test::user_event(w.session.context);
  const auto event = buffer.enqueue_event({gate});
  const size_t global = items;
  REQUIRE_CL(
      clEnqueueNDRangeKernel(w.session.queue, w.twice, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clFlush(w.session.queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(test::status_of(event) > CL_RUNNING);
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  w.check_all(10);
}

TEST_CASE("Command buffer: a failed wait list is its end, and it runs the next time", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto buffer = w.buffer();
  test::set_arguments(w.add, w.numbers, cl_uint{5});
  buffer.launch(w.add, items);
  buffer.finalize();
  const auto gate = test::user_event(w.session.context);
  const auto event = buffer.enqueue_event({gate});
  REQUIRE_CL(clSetUserEventStatus(gate, -77));
  CHECK_STATUS(test::wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK_STATUS(test::status_of(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  w.check_all(0);
  buffer.enqueue();
  w.check_all(5);
}

TEST_CASE("Command buffer: its event has the type, the queue and the times of one command",
          "[command_buffer]") {
  if (!cb::is_supported()) return;
  const World w(CL_QUEUE_PROFILING_ENABLE);
  const auto buffer = w.buffer();
  test::set_arguments(w.add, w.numbers, cl_uint{5});
  for (int i = 0; i < 3; ++i)
    buffer.launch(w.add, items);
  buffer.finalize();
  const auto event = buffer.enqueue_event();
  REQUIRE_CL(test::wait(event));
  cl_command_type type = 0;
  cl_command_queue queue = nullptr;
  CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr));
  CHECK(type == cb::command_command_buffer);
  CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr));
  CHECK(queue == w.session.queue.get());
  cl_ulong before = 0;
  for (const cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                       CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
    cl_ulong time = 0;
    CHECK_CL(clGetEventProfilingInfo(event, name, sizeof time, &time, nullptr));
    CHECK(time >= before);
    CHECK(time > 0);
    before = time;
  }
}

TEST_CASE("Command buffer: a queue of the same device may take the place of its own", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto buffer = w.buffer();
  test::set_arguments(w.add, w.numbers, cl_uint{5});
  test::set_arguments(w.twice, w.numbers);
  buffer.launch(w.add, items);
  buffer.launch(w.twice, items);
  buffer.finalize();
  for (const auto properties : {cl_command_queue_properties{0}, out_of_order}) {
    const auto queue = test::make_queue(w.session.context, properties);
    cl_command_queue other = queue;
    cl_event event = nullptr;
    REQUIRE_CL(cb::functions().enqueue(1, &other, buffer, 0, nullptr, &event));
    const test::Event owner(event);
    CHECK_CL(test::wait(event));
    cl_command_queue found = nullptr;
    CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof found, &found, nullptr));
    CHECK(found == other);
  }
  w.check_all(30);
}

TEST_CASE("Command buffer: 100,000 commands", "[command_buffer]") {
  if (!cb::is_supported()) return;
  const test::Session session;
  const auto program = session.build("kernel void k(global uint* p, uint x) { *p = *p * 3 + x; }");
  const auto kernel = session.kernel(program, "k");
  const auto sum = session.buffer(std::vector<cl_uint>(1));
  const cb::Buffer buffer({session.queue});
  constexpr cl_uint count = 100'000;
  cl_uint expected = 0;
  for (cl_uint i = 0; i < count; ++i) {
    test::set_arguments(kernel, sum, i);
    buffer.launch(kernel, 1);
    expected = expected * 3 + i;
  }
  buffer.finalize();
  buffer.enqueue();
  CHECK(session.read<cl_uint>(sum, 1)[0] == expected);
}
