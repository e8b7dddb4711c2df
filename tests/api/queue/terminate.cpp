// clTerminateContextKHR (cl_khr_terminate_context)

#include "support/command_buffer.hpp"
#include "support/device_queue.hpp"
#include "support/semaphores.hpp"
#include "support/stops.hpp"

#include <cstdlib>
#include <functional>
#include <random>

namespace {

constexpr cl_int terminated = CL_CONTEXT_TERMINATED_KHR;
constexpr cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

bool runs_in_guest() {
  const char* guest = std::getenv("HOSTCL_GUEST");
  return guest && std::string_view(guest) == "process";
}

/// Runs `call` on another thread, which blocks; terminates the context; and returns the result of the call.
cl_int result_of_blocked(cl_context context, const std::function<cl_int()>& call) {
  cl_int result = 1;
  std::atomic<bool> has_begun = false;
  std::thread thread([&] {
    has_begun = true;
    result = call();
  });
  while (!has_begun)
    std::this_thread::yield();
  CHECK_CL(test::terminate(context));
  thread.join();
  return result;
}

/// Terminates the context while a launch of one work-item runs, which would not end by itself.
void check_running_launch_ends(const test::TerminableSession& session, cl_kernel kernel) {
  const size_t one = 1;
  test::Event event;
  REQUIRE_CL(
      clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.address()));
  test::wait_until_running(event);
  CHECK_CL(test::terminate(session.context));
  CHECK_STATUS(clFinish(session.queue), terminated);
  CHECK(test::status_of(event) == terminated);
}

} // namespace

TEST_CASE("Contexts that can be terminated: property, query and errors", "[terminate]") {
  if (!test::can_terminate()) return;
  CHECK(test::device_value<cl_bitfield>(CL_DEVICE_TERMINATE_CAPABILITY_KHR) ==
        CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR);
  const cl_device_id device = test::device();
  cl_int error = 1;
  const cl_context_properties wrong[] = {CL_CONTEXT_TERMINATE_KHR, 2, 0};
  CHECK(clCreateContext(wrong, 1, &device, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PROPERTY);
  const cl_context_properties no[] = {CL_CONTEXT_TERMINATE_KHR, CL_FALSE, 0};
  const test::Context refuses(clCreateContext(no, 1, &device, nullptr, nullptr, &error));
  REQUIRE_CL(error);
  CHECK_STATUS(test::terminate(refuses), CL_INVALID_OPERATION);
  CHECK_STATUS(test::terminate(test::make_context()), CL_INVALID_OPERATION);
  CHECK_STATUS(test::terminate(nullptr), CL_INVALID_CONTEXT);
  const auto context = test::make_terminable_context();
  CHECK_CL(test::terminate(context));
  CHECK_STATUS(test::terminate(context), terminated);
}

TEST_CASE("clTerminateContextKHR: commands that have not begun end with CL_CONTEXT_TERMINATED_KHR",
          "[terminate]") {
  if (!test::can_terminate()) return;
  for (const auto order : orders) {
    const test::TerminableSession session(order | CL_QUEUE_PROFILING_ENABLE);
    const auto gate = test::user_event(session.context);
    const auto first = test::marker(session.queue, {gate}), second = test::marker(session.queue, {first});
    const test::Ends ends(first), gate_ends(gate);
    CHECK_CL(test::terminate(session.context));
    CHECK_STATUS(test::wait(second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(test::status_of(first) == terminated);
    CHECK(test::status_of(second) == terminated);
    CHECK(ends.first() == terminated);
    CHECK_STATUS(clFinish(session.queue), terminated);
    CHECK_CL(clFlush(session.queue));
    cl_ulong time = 0;
    CHECK_STATUS(clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
                 CL_PROFILING_INFO_NOT_AVAILABLE);
    const test::Ends late(second);
    CHECK(late.first() == terminated);

    CHECK(gate_ends.first() == terminated);
    CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_STATUS(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
    CHECK(test::status_of(gate) == terminated);
    CHECK((ends.calls == 1 && gate_ends.calls == 1));
  }
}

TEST_CASE("clTerminateContextKHR: commands that are complete stay complete", "[terminate]") {
  if (!test::can_terminate()) return;
  const test::TerminableSession session(CL_QUEUE_PROFILING_ENABLE);
  const auto set = test::user_event(session.context);
  CHECK_CL(clSetUserEventStatus(set, CL_COMPLETE));
  const auto event = test::marker(session.queue, {});
  REQUIRE_CL(test::wait(event));
  CHECK_CL(test::terminate(session.context));
  CHECK(test::status_of(event) == CL_COMPLETE);
  CHECK(test::status_of(set) == CL_COMPLETE);
}

TEST_CASE("clTerminateContextKHR: a launch that would take minutes ends", "[terminate]") {
  if (!test::can_terminate()) return;
  const test::TerminableSession session;
  const auto kernel = session.kernel(test::spin_source, "spin");
  const auto buffer = session.buffer(64);
  test::set_arguments(kernel, buffer);
  const size_t items = 1 << 24;
  test::Event event;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                                    event.address()));
  const auto later = test::marker(session.queue, {});
  test::wait_until_running(event);
  CHECK_CL(test::terminate(session.context));
  CHECK_STATUS(clFinish(session.queue), terminated);
  CHECK(test::status_of(event) == terminated);
  CHECK(test::status_of(later) == terminated);
}

TEST_CASE("clTerminateContextKHR: an endless kernel in a guest process ends", "[terminate]") {
  if (!test::can_terminate() || !runs_in_guest()) return;
  const test::TerminableSession session;
  const auto kernel = session.kernel("kernel void k(global volatile int* go) { while (*go == 0); }", "k");
  const auto buffer = session.buffer(std::vector<cl_int>(1));
  test::set_arguments(kernel, buffer);
  check_running_launch_ends(session, kernel);
}

TEST_CASE("clTerminateContextKHR: threads that wait return", "[terminate]") {
  if (!test::can_terminate()) return;
  for (const auto order : orders) {
    const auto check = [&](auto call, cl_int expected) {
      const test::TerminableSession session(order);
      const auto gate = test::user_event(session.context);
      const auto event = test::marker(session.queue, {gate});
      CHECK_STATUS(result_of_blocked(session.context, [&] { return call(session, gate, event); }), expected);
    };
    using Session = const test::Session&;
    check([](Session s, cl_event, cl_event) { return clFinish(s.queue); }, terminated);
    check([](Session, cl_event, cl_event e) { return clWaitForEvents(1, &e); },
          CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    check([](Session, cl_event gate, cl_event) { return clWaitForEvents(1, &gate); },
          CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
}

TEST_CASE("clTerminateContextKHR: blocking reads and maps fail", "[terminate]") {
  if (!test::can_terminate()) return;
  for (const auto order : orders) {
    const test::TerminableSession session(order);
    const auto buffer = session.buffer(64);
    const auto gate = test::user_event(session.context);
    const cl_event wait = gate;
    char bytes[64];
    CHECK_STATUS(result_of_blocked(session.context,
                                   [&] {
                                     return clEnqueueReadBuffer(session.queue, buffer, CL_TRUE, 0, 64, bytes,
                                                                1, &wait, nullptr);
                                   }),
                 terminated);
    const test::TerminableSession other(order);
    const auto mapped = other.buffer(64);
    const auto other_gate = test::user_event(other.context);
    const auto held = test::marker(other.queue, {other_gate});
    const cl_event other_wait = held;
    CHECK_STATUS(result_of_blocked(other.context,
                                   [&] {
                                     cl_int error = 1;
                                     CHECK(clEnqueueMapBuffer(other.queue, mapped, CL_TRUE, CL_MAP_READ, 0,
                                                              64, 1, &other_wait, nullptr,
                                                              &error) == nullptr);
                                     return error;
                                   }),
                 terminated);
  }
}

TEST_CASE("clTerminateContextKHR: later calls fail, except queries and releases", "[terminate]") {
  if (!test::can_terminate()) return;
  const test::TerminableSession session;
  const auto buffer = session.buffer(64);
  const auto program = session.build("kernel void k(global int* p) { *p = 1; }");
  const auto kernel = session.kernel(program, "k");
  test::set_arguments(kernel, buffer);
  void* const memory = clSVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 0);
  REQUIRE_CL(test::terminate(session.context));

  cl_int error = 1;
  const auto fails = [&](auto* made) {
    CHECK(made == nullptr);
    CHECK_STATUS(error, terminated);
    error = 1;
  };
  const char* text = "";
  const cl_buffer_region region{0, 16};
  fails(clCreateBuffer(session.context, 0, 64, nullptr, &error));
  fails(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  fails(clCreateCommandQueueWithProperties(session.context, test::device(), nullptr, &error));
  fails(clCreateUserEvent(session.context, &error));
  fails(clCreateProgramWithSource(session.context, 1, &text, nullptr, &error));
  fails(clCreateKernel(program, "k", &error));
  fails(clCloneKernel(kernel, &error));
  CHECK(clSVMAlloc(session.context, CL_MEM_READ_WRITE, 64, 0) == nullptr);
  const size_t one = 1;
  const int value = 0;
  const cl_command_queue queue = session.queue;
  CHECK_STATUS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
               terminated);
  CHECK_STATUS(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr), terminated);
  CHECK_STATUS(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), terminated);
  CHECK_STATUS(
      clSetContextDestructorCallback(session.context, [](cl_context, void*) {}, nullptr), terminated);

  cl_uint count = 0;
  CHECK_CL(clGetContextInfo(session.context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, nullptr));
  CHECK(count == 1);
  CHECK_CL(clRetainContext(session.context));
  CHECK_CL(clReleaseContext(session.context));
  size_t size = 0;
  CHECK_CL(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, nullptr));
  CHECK(size == 64);
  static std::atomic<int> destroyed;
  destroyed = 0;
  CHECK_CL(clSetMemObjectDestructorCallback(buffer, [](cl_mem, void*) { ++destroyed; }, nullptr));
  CHECK_CL(clRetainMemObject(buffer));
  CHECK_CL(clReleaseMemObject(buffer));
  clSVMFree(session.context, memory);
}

TEST_CASE("clTerminateContextKHR: the context's callback is called, and a context is destroyed as always",
          "[terminate]") {
  if (!test::can_terminate()) return;
  static std::atomic<int> calls, destroyed;
  calls = destroyed = 0;
  auto context = test::make_terminable_context([](const char*, const void*, size_t, void*) { ++calls; });
  CHECK_CL(clSetContextDestructorCallback(context, [](cl_context, void*) { ++destroyed; }, nullptr));
  {
    const auto queue = test::make_queue(context);
    const auto gate = test::user_event(context);
    const auto event = test::marker(queue, {gate});
    CHECK_CL(test::terminate(context));
    CHECK(calls == 1);
    CHECK_STATUS(clFinish(queue), terminated);
  }
  context.reset();
  // The thread that ran the last command may hold the queue for a moment longer.
  while (destroyed == 0)
    std::this_thread::yield();
}

TEST_CASE("clTerminateContextKHR: may be called in a callback", "[terminate]") {
  if (!test::can_terminate()) return;
  for (const auto order : orders) {
    const test::TerminableSession session(order);
    const auto start = test::user_event(session.context), gate = test::user_event(session.context);
    const auto first = test::marker(session.queue, {start}), second = test::marker(session.queue, {gate});
    static std::atomic<cl_int> result;
    result = 1;
    REQUIRE_CL(clSetEventCallback(
        first, CL_COMPLETE,
        [](cl_event, cl_int, void* context) { result = test::terminate(static_cast<cl_context>(context)); },
        session.context.get()));
    CHECK_CL(clSetUserEventStatus(start, CL_COMPLETE));
    CHECK_STATUS(test::wait(second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(test::status_of(first) == CL_COMPLETE);
    CHECK_STATUS(clFinish(session.queue), terminated);
    CHECK_CL(result.load());
  }
}

TEST_CASE("clTerminateContextKHR: children that wait for a user event of their kernel end", "[terminate]") {
  if (!test::can_terminate() || !test::has_device_queues()) return;
  const test::TerminableSession session;
  const auto device_queue = test::make_device_queue(session.context, CL_QUEUE_ON_DEVICE_DEFAULT);
  const auto kernel = session.kernel(R"(
    kernel void k(global int* out) {
      clk_event_t never = create_user_event();
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &never, 0, ^{ *out = 1; });
    })",
                                     "k", "-cl-std=CL3.0");
  const auto out = session.buffer(std::vector<cl_int>(1));
  test::set_arguments(kernel, out);
  check_running_launch_ends(session, kernel);
}

TEST_CASE("clTerminateContextKHR: waits for semaphores and command buffers end", "[terminate]") {
  if (!test::can_terminate() || !test::has_semaphores() || !test::cb::is_supported()) return;
  const test::TerminableSession session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const test::Semaphore single(session.context);
  const auto shared = test::Semaphore::exportable(session.context, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
  const auto imported =
      test::Semaphore::imported(session.context, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                shared.exported(CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR).detach());
  const auto kernel = session.kernel("kernel void k(global int* p) { *p = 1; }", "k");
  const auto buffer = session.buffer(64);
  test::set_arguments(kernel, buffer);
  const test::cb::Buffer commands({session.queue.get()});
  commands.launch(kernel, 1);
  commands.finalize();
  const auto gate = test::user_event(session.context);
  const auto waits = single.wait(session.queue), waits_too = imported.wait(session.queue),
             signals = single.signal(session.queue, {gate}), replay = commands.enqueue_event({gate});
  CHECK_CL(test::terminate(session.context));
  CHECK_STATUS(clFinish(session.queue), terminated);
  for (const cl_event event : {waits.get(), waits_too.get(), signals.get(), replay.get()})
    CHECK(test::status_of(event) == terminated);
}

TEST_CASE("clTerminateContextKHR: several threads at once, while others enqueue", "[terminate]") {
  if (!test::can_terminate()) return;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const test::TerminableSession session(orders[seed % 2]);
    const auto program = session.build("kernel void k(global int* p) { p[get_global_id(0)] += 1; }");
    const auto buffer = session.buffer(4096 * sizeof(cl_int));
    const auto kernel = session.kernel(program, "k");
    test::set_arguments(kernel, buffer);
    const test::Queue other = test::make_queue(session.context, orders[seed / 2 % 2]);
    std::vector<cl_event> events;
    std::atomic<unsigned> enqueued = 0, ended = 0;
    std::atomic<cl_int> last = CL_SUCCESS; ///< status of the first call that failed
    const auto enqueue = [&] {             // until the context has been terminated
      std::minstd_rand random(seed);
      const cl_mem memory = buffer;
      for (cl_int status = CL_SUCCESS; status == CL_SUCCESS; last = status) {
        const cl_command_queue queue = random() % 2 ? session.queue.get() : other.get();
        const cl_event* wait = events.empty() || random() % 2 ? nullptr : &events[random() % events.size()];
        const cl_uint waits = wait ? 1 : 0;
        const size_t size = 4096;
        const cl_int zero = 0;
        cl_event event = nullptr;
        switch (random() % 4) {
        case 0:
          event = clCreateUserEvent(session.context, &status);
          break;
        case 1:
          status = clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, 4096, waits, wait, &event);
          break;
        case 2:
          status = clEnqueueMarkerWithWaitList(queue, waits, wait, &event);
          break;
        default:
          status = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, waits, wait, &event);
        }
        if (!event) continue;
        events.push_back(event);
        ++enqueued;
        clSetEventCallback(
            event, CL_COMPLETE,
            [](cl_event, cl_int, void* count) { ++*static_cast<std::atomic<unsigned>*>(count); }, &ended);
      }
    };
    std::thread enqueuer(enqueue);
    while (enqueued < seed * 20 && last == CL_SUCCESS)
      std::this_thread::yield();
    std::atomic<int> successes = 0;
    const auto stop = [&] { successes += test::terminate(session.context) == CL_SUCCESS; };
    std::thread stopper(stop);
    stop();
    stopper.join();
    enqueuer.join();
    CHECK(successes == 1);
    CHECK_STATUS(last.load(), terminated);
    CHECK_STATUS(clFinish(session.queue), terminated);
    CHECK_STATUS(clFinish(other), terminated);
    while (ended < events.size()) // callbacks may come after clFinish has returned
      std::this_thread::yield();
    CHECK(ended == events.size());
    for (const cl_event event : events) {
      const cl_int status = test::status_of(event);
      CHECK((status == CL_COMPLETE || status == terminated));
      clReleaseEvent(event);
    }
  }
}
