// Command buffers and threads, lifetimes of what they use, and schedulers without luck.

#include "support/command_buffer.hpp"

#include <atomic>
#include <thread>

namespace cb = test::cb;

namespace {

constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr size_t items = 64;

const char* const source = R"(
  kernel void count(global uint* p, uint x) { atomic_add(&p[get_global_id(0)], x); }
  kernel void spin(global volatile uint* stop, global uint* p) {
    while (!*stop) ; *p += 1;
  })";

struct World {
  explicit World(cl_command_queue_properties properties = 0) : session(properties) {}
  test::Session session;
  test::Program program = session.build(source);
  test::Kernel count = session.kernel(program, "count");
  test::Buffer numbers = session.buffer(std::vector<cl_uint>(items));

  cb::Buffer counting(cl_uint launches, std::vector<cb::Property> properties = {}) const {
    cb::Buffer buffer({session.queue}, std::move(properties));
    test::set_arguments(count, numbers, cl_uint{1});
    for (cl_uint i = 0; i < launches; ++i)
      buffer.launch(count, items);
    buffer.finalize();
    return buffer;
  }
  void check_all(cl_uint expected) const {
    REQUIRE_CL(clFinish(session.queue));
    CHECK(session.read<cl_uint>(numbers, items) == std::vector<cl_uint>(items, expected));
  }
};

template <class Function>
void on_threads(unsigned count, Function function) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back(function, i);
  for (std::thread& thread : threads)
    thread.join();
}

} // namespace

TEST_CASE("Command buffer: many threads enqueue it, in one queue and in their own",
          "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  const auto properties = GENERATE(cl_command_queue_properties{0}, out_of_order);
  const World w(properties);
  const auto buffer = w.counting(5, {cb::flags, cb::simultaneous_use});
  std::atomic<int> failures = 0;
  on_threads(6, [&](unsigned thread) {
    cl_int error = CL_SUCCESS;
    const test::Queue own(
        clCreateCommandQueueWithProperties(w.session.context, test::device(), nullptr, &error));
    for (int i = 0; i < 100; ++i) {
      cl_command_queue queue = own;
      cl_event event = nullptr;
      const bool owns = (thread + unsigned(i)) % 2;
      failures +=
          cb::functions().enqueue(owns, owns ? &queue : nullptr, buffer, 0, nullptr, &event) != CL_SUCCESS;
      if (i % 5 == 0) failures += clWaitForEvents(1, &event) != CL_SUCCESS;
      clReleaseEvent(event);
    }
    failures += clFinish(own) != CL_SUCCESS;
  });
  CHECK(failures == 0);
  w.check_all(6 * 100 * 5);
}

TEST_CASE("Command buffer: threads record into one at the same time", "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  const World w;
  const cb::Buffer buffer({w.session.queue});
  std::atomic<int> failures = 0;
  on_threads(4, [&](unsigned) {
    const test::Kernel kernel(clCloneKernel(w.count, nullptr));
    const cl_mem memory = w.numbers;
    const cl_uint one = 1;
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    clSetKernelArg(kernel, 1, sizeof one, &one);
    const size_t global = items;
    cb::Point last = 0;
    for (int i = 0; i < 200; ++i)
      failures += cb::functions().launch(buffer, nullptr, nullptr, kernel, 1, nullptr, &global, nullptr,
                                         last != 0, last ? &last : nullptr, &last, nullptr) != CL_SUCCESS;
  });
  CHECK(failures == 0);
  buffer.finalize();
  buffer.enqueue();
  w.check_all(800);
}

TEST_CASE("Command buffer: updates, enqueues and queries of several threads", "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  const World w(out_of_order);
  const cb::Buffer buffer({w.session.queue}, {cb::flags, cb::mutable_commands | cb::simultaneous_use});
  const auto other = w.session.buffer(std::vector<cl_uint>(items));
  test::set_arguments(w.count, w.numbers, cl_uint{1});
  const auto command = buffer.mutable_launch(w.count, items);
  buffer.launch(w.count, items);
  buffer.finalize();
  std::atomic<int> failures = 0;
  constexpr cl_uint iterations = 300;
  on_threads(4, [&](unsigned thread) {
    for (cl_uint i = 0; i < iterations; ++i) {
      if (thread < 2) {
        const cl_mem target = i % 2 ? w.numbers.get() : other.get();
        const cb::Argument argument{0, sizeof target, &target};
        cb::Config config;
        config.command = command;
        config.argument_count = 1;
        config.arguments = &argument;
        const cl_uint type = 0;
        const void* list = &config;
        failures += cb::functions().update(buffer, 1, &type, &list) != CL_SUCCESS;
      } else {
        failures += cb::functions().enqueue(0, nullptr, buffer, 0, nullptr, nullptr) != CL_SUCCESS;
        size_t size[3] = {};
        failures += cb::functions().command_info(command, cb::command_global_size, sizeof size, size,
                                                 nullptr) != CL_SUCCESS;
      }
    }
  });
  CHECK(failures == 0);
  REQUIRE_CL(clFinish(w.session.queue));
  const auto one = w.session.read<cl_uint>(w.numbers, items), two = w.session.read<cl_uint>(other, items);
  for (size_t i = 0; i < items; ++i)
    REQUIRE(one[i] + two[i] == 2 * 2 * iterations); // each enqueue ran both launches once
}

TEST_CASE("Command buffer: all that it uses may be released, and it while it is pending",
          "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  test::Session session;
  auto program = session.build(source);
  auto kernel = session.kernel(program, "count");
  auto numbers = session.buffer(std::vector<cl_uint>(items)),
       result = session.buffer(std::vector<cl_uint>(items));
  test::set_arguments(kernel, numbers, cl_uint{7});
  cb::Buffer buffer({session.queue});
  const auto launched = buffer.launch(kernel, items);
  REQUIRE_CL(cb::functions().copy_buffer(buffer, nullptr, nullptr, numbers, result, 0, 0, items * 4, 1,
                                         &launched, nullptr, nullptr));
  kernel.reset();
  program.reset();
  numbers.reset();
  buffer.finalize();
  const auto gate = test::user_event(session.context);
  std::vector<test::Event> events;
  for (int i = 0; i < 3; ++i)
    events.push_back(buffer.enqueue_event({gate}));
  REQUIRE_CL(cb::functions().release(buffer.release()));
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(test::wait(events.back()));
  CHECK(session.read<cl_uint>(result, items) == std::vector<cl_uint>(items, 21));
}

TEST_CASE("Command buffer: its buffers end with it, or with its last run", "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  const bool pending = GENERATE(false, true);
  const World w;
  static std::atomic<bool> gone;
  gone = false;
  auto numbers = w.session.buffer(std::vector<cl_uint>(items));
  REQUIRE_CL(clSetMemObjectDestructorCallback(numbers, [](cl_mem, void*) { gone = true; }, nullptr));
  test::set_arguments(w.count, numbers, cl_uint{1});
  cb::Buffer buffer({w.session.queue});
  buffer.launch(w.count, items);
  buffer.finalize();
  numbers.reset();
  CHECK_FALSE(gone);
  const auto gate = test::user_event(w.session.context);
  if (pending) REQUIRE_CL(clFlush(w.session.queue));
  const auto event = pending ? buffer.enqueue_event({gate}) : test::Event();
  REQUIRE_CL(cb::functions().release(buffer.release()));
  CHECK(gone == !pending);
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  REQUIRE_CL(clFinish(w.session.queue));
  CHECK(gone);
}

TEST_CASE("Command buffer: its buffers end with it in a native kernel", "[command_buffer_threads]") {
  const auto execution = test::device_value<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES);
  if (!cb::is_supported() || !(execution & CL_EXEC_NATIVE_KERNEL)) return;
  const World w;
  static bool gone, was_gone;
  gone = was_gone = false;
  auto numbers = w.session.buffer(std::vector<cl_uint>(items));
  REQUIRE_CL(clSetMemObjectDestructorCallback(numbers, [](cl_mem, void*) { gone = true; }, nullptr));
  test::set_arguments(w.count, numbers, cl_uint{1});
  cb::Buffer buffer({w.session.queue});
  buffer.launch(w.count, items);
  buffer.finalize();
  numbers.reset();
  static cb::Handle handle;
  handle = buffer.release();
  const auto release = [](void*) {
    cb::functions().release(handle);
    was_gone = gone;
  };
  REQUIRE_CL(
      clEnqueueNativeKernel(w.session.queue, release, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr));
  REQUIRE_CL(clFinish(w.session.queue));
  CHECK(was_gone);
}

TEST_CASE("Command buffer: its queue may be released before it, and is there for it",
          "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  World w;
  const auto event = [&] {
    auto queue = test::make_queue(w.session.context);
    const cb::Buffer buffer({queue});
    test::set_arguments(w.count, w.numbers, cl_uint{1});
    buffer.launch(w.count, items);
    queue.reset();
    buffer.finalize();
    return buffer.enqueue_event();
  }();
  CHECK_CL(test::wait(event));
  w.check_all(1);
}

TEST_CASE("Command buffer: released by other threads while they enqueue it", "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  const World w;
  constexpr unsigned threads = 4, iterations = 50;
  std::atomic<int> failures = 0;
  for (unsigned iteration = 0; iteration < iterations; ++iteration) {
    auto buffer = w.counting(2);
    const cb::Handle handle = buffer;
    for (unsigned i = 1; i < threads; ++i)
      REQUIRE_CL(cb::functions().retain(handle));
    buffer.release();
    on_threads(threads, [&](unsigned) {
      failures += cb::functions().enqueue(0, nullptr, handle, 0, nullptr, nullptr) != CL_SUCCESS;
      failures += cb::functions().release(handle) != CL_SUCCESS;
    });
  }
  CHECK(failures == 0);
  w.check_all(threads * iterations * 2);
}

TEST_CASE("Command buffer: callbacks of its events enqueue it again, and wait for it",
          "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  const auto properties = GENERATE(cl_command_queue_properties{0}, out_of_order);
  const World w(properties);
  const auto buffer = w.counting(1);
  struct Chain {
    cb::Handle buffer;
    std::atomic<int> left, failures;
    static void CL_CALLBACK go_on(cl_event, cl_int, void* data) {
      auto& chain = *static_cast<Chain*>(data);
      if (chain.left-- <= 0) return;
      cl_event next = nullptr;
      chain.failures += cb::functions().enqueue(0, nullptr, chain.buffer, 0, nullptr, &next) != CL_SUCCESS;
      chain.failures += clSetEventCallback(next, CL_COMPLETE, go_on, data) != CL_SUCCESS;
      if (chain.left % 3 == 0) chain.failures += clWaitForEvents(1, &next) != CL_SUCCESS;
      clReleaseEvent(next);
    }
  };
  Chain chain{buffer, 200, 0};
  const auto event = buffer.enqueue_event();
  REQUIRE_CL(clSetEventCallback(event, CL_COMPLETE, Chain::go_on, &chain));
  for (int i = 0; i < 10'000 && chain.left >= 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(chain.left < 0);
  CHECK(chain.failures == 0);
  w.check_all(201);
}

TEST_CASE("Command buffer: a kernel that the host lets end runs in the background",
          "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto spin = w.session.kernel(w.program, "spin");
  auto* stop = static_cast<cl_uint*>(
      clSVMAlloc(w.session.context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 4, 0));
  REQUIRE(stop);
  REQUIRE_CL(clSetKernelArgSVMPointer(spin, 0, stop));
  REQUIRE_CL(test::set_argument(spin, 1, w.numbers));
  const cb::Buffer buffer({w.session.queue});
  buffer.launch(spin, 1);
  buffer.finalize();
  for (cl_uint run = 1; run <= 3; ++run) {
    std::atomic_ref<cl_uint>{* stop} = 0u;
    const auto event = buffer.enqueue_event();
    REQUIRE_CL(clFlush(w.session.queue));
    for (int i = 0; i < 5000 && test::status_of(event) != CL_RUNNING; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(test::status_of(event) == CL_RUNNING);
    std::atomic_ref<cl_uint>{* stop} = 1u;
    REQUIRE_CL(test::wait(event));
    CHECK(w.session.read<cl_uint>(w.numbers, 1)[0] == run);
  }
  clSVMFree(w.session.context, stop);
}

TEST_CASE("Command buffer: queues of its commands may be enqueued in while it is recorded",
          "[command_buffer_threads]") {
  if (!cb::is_supported()) return;
  const World w;
  const auto inner = w.counting(1);
  const cb::Buffer buffer({w.session.queue});
  const size_t global = items;
  for (int i = 0; i < 10; ++i) {
    inner.enqueue();
    buffer.launch(w.count, items);
    REQUIRE_CL(
        clEnqueueNDRangeKernel(w.session.queue, w.count, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  }
  buffer.finalize();
  w.check_all(20);
  buffer.enqueue();
  w.check_all(30);
}
