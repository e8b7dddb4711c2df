// Commands that end with an error. Those after them run all the same; the application is told once: by the
// event, or by the next call that blocks until they are done.

#include "support/session.hpp"

#include <stdexcept>

namespace {

constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

bool supported() {
  return test::is_hostcl() &&
         (test::device_value<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) &
          CL_EXEC_NATIVE_KERNEL);
}

void CL_CALLBACK throws(void*) {
  throw std::runtime_error("a native kernel that fails");
}

/// Enqueues a command that ends with CL_OUT_OF_RESOURCES.
void enqueue_failure(cl_command_queue queue, cl_event* event = nullptr) {
  REQUIRE_CL(clEnqueueNativeKernel(queue, throws, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, event));
}

struct World : test::Session {
  explicit World(cl_command_queue_properties properties = 0) : Session(properties) {}
  test::Buffer memory = buffer(std::vector<int>(16, 7));

  cl_int read(cl_uint count = 0, const cl_event* waits = nullptr, cl_event* event = nullptr) const {
    int value = 0;
    return clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4, &value, count, waits, event);
  }
  cl_int fill(int value, cl_uint count = 0, const cl_event* waits = nullptr,
              cl_event* event = nullptr) const {
    return clEnqueueFillBuffer(queue, memory, &value, 4, 0, 64, count, waits, event);
  }
};

} // namespace

TEST_CASE("clFinish tells once that a command failed, with an event or without", "[failure]") {
  if (!supported()) return;
  for (const cl_command_queue_properties properties : {cl_command_queue_properties{0}, out_of_order}) {
    const World w(properties);
    enqueue_failure(w.queue);
    CHECK_STATUS(clFinish(w.queue), CL_OUT_OF_RESOURCES);
    CHECK_CL(clFinish(w.queue));
    test::Event event;
    enqueue_failure(w.queue, event.address());
    CHECK_STATUS(clFinish(w.queue), CL_OUT_OF_RESOURCES);
    CHECK_CL(clFinish(w.queue));
    CHECK_CL(w.read());
    CHECK_STATUS(test::wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(test::status_of(event) == CL_OUT_OF_RESOURCES);
  }
}

TEST_CASE("A blocking command of an in-order queue tells that one before it failed", "[failure]") {
  if (!supported()) return;
  const World w;
  for (const bool with_event : {false, true}) {
    test::Event event, late;
    const auto prepare = [&] {
      event.reset();
      enqueue_failure(w.queue, with_event ? event.address() : nullptr);
    };
    int value = 0;
    cl_int error = 0;
    prepare();
    CHECK_STATUS(w.read(), CL_OUT_OF_RESOURCES);
    CHECK_CL(w.read());
    prepare();
    CHECK_STATUS(w.read(0, nullptr, late.address()), CL_OUT_OF_RESOURCES);
    CHECK_FALSE(late);
    prepare();
    CHECK_STATUS(clEnqueueWriteBuffer(w.queue, w.memory, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr),
                 CL_OUT_OF_RESOURCES);
    prepare();
    CHECK(clEnqueueMapBuffer(w.queue, w.memory, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error) ==
          nullptr);
    CHECK_STATUS(error, CL_OUT_OF_RESOURCES);
    cl_uint maps = 9;
    CHECK_CL(clGetMemObjectInfo(w.memory, CL_MEM_MAP_COUNT, sizeof maps, &maps, nullptr));
    CHECK(maps == 0);
    prepare();
    CHECK_STATUS(clEnqueueSVMMemcpy(w.queue, CL_TRUE, &value, &error, 4, 0, nullptr, nullptr),
                 CL_OUT_OF_RESOURCES);
    CHECK_CL(clFinish(w.queue));
  }
}

TEST_CASE("Commands behind one that failed run all the same", "[failure]") {
  if (!supported()) return;
  const World w;
  test::Event event;
  enqueue_failure(w.queue, event.address());
  CHECK_CL(w.fill(9));
  CHECK_STATUS(clFinish(w.queue), CL_OUT_OF_RESOURCES);
  CHECK(w.Session::read<int>(w.memory, 16) == std::vector<int>(16, 9));
}

TEST_CASE("Of a failure that its event has told, clFinish and blocking commands say nothing", "[failure]") {
  if (!supported()) return;
  const World w;
  for (const bool asks : {false, true}) {
    test::Event event, dependant;
    enqueue_failure(w.queue, event.address());
    const cl_event handle = event;
    CHECK_CL(w.fill(1, 1, &handle, dependant.address()));
    CHECK_CL(clFlush(w.queue));
    if (asks) {
      while (test::status_of(dependant) > CL_COMPLETE)
        ;
    } else {
      CHECK_STATUS(test::wait(dependant), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    }
    CHECK_CL(w.read());
    CHECK_CL(clFinish(w.queue));
  }
}

TEST_CASE("A blocking command that fails itself tells of those before it as well", "[failure]") {
  if (!supported()) return;
  const World w;
  test::Event event;
  enqueue_failure(w.queue, event.address());
  const cl_event handle = event;
  CHECK_STATUS(w.read(1, &handle), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK_CL(clFinish(w.queue));
}

TEST_CASE("Out of order: a blocking command tells of failures that a barrier puts before it", "[failure]") {
  if (!supported()) return;
  const World w(out_of_order);
  test::Event event;
  enqueue_failure(w.queue, event.address());
  CHECK_CL(w.read()); // they have nothing to do with each other
  CHECK_CL(clEnqueueBarrierWithWaitList(w.queue, 0, nullptr, nullptr));
  CHECK_STATUS(w.read(), CL_OUT_OF_RESOURCES);
  CHECK_CL(w.read());
  enqueue_failure(w.queue);
  CHECK_CL(w.read());
  CHECK_STATUS(clFinish(w.queue), CL_OUT_OF_RESOURCES);
}

TEST_CASE("A queue tells of commands that were given up because one of another queue failed", "[failure]") {
  if (!supported()) return;
  const World w;
  const auto other = test::make_queue(w.context);
  test::Event event;
  enqueue_failure(other, event.address());
  CHECK_CL(clFlush(other));
  const cl_event handle = event;
  CHECK_CL(w.fill(1, 1, &handle));
  CHECK_STATUS(w.read(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK_CL(clFinish(w.queue));
  CHECK_STATUS(clFinish(other), CL_OUT_OF_RESOURCES);
}

TEST_CASE("Of commands that a user event gives up, clFinish and blocking commands say nothing", "[failure]") {
  for (const cl_command_queue_properties properties : {cl_command_queue_properties{0}, out_of_order}) {
    const World w(properties);
    const auto gate = test::user_event(w.context);
    test::Event first, second;
    cl_event handle = gate;
    CHECK_CL(w.fill(1, 1, &handle, first.address()));
    handle = first;
    CHECK_CL(w.fill(2, 1, &handle, second.address()));
    CHECK_CL(clSetUserEventStatus(gate, -5));
    CHECK_CL(clFinish(w.queue));
    handle = second;
    CHECK_CL(w.fill(3, 1, &handle)); // after the failure
    CHECK_CL(w.read());
    CHECK_CL(clFinish(w.queue));
    CHECK(w.Session::read<int>(w.memory, 16) == std::vector<int>(16, 7));
  }
}

namespace {

/// What the destructor callback of a buffer that a failing command has released last finds.
struct Released {
  cl_command_queue queue;
  cl_int status = 1; ///< of clFinish
};

test::Buffer released_with(const World& w, Released& released) {
  test::Buffer buffer = w.buffer(64);
  REQUIRE_CL(clSetMemObjectDestructorCallback(
      buffer,
      [](cl_mem, void* data) {
        auto* released = static_cast<Released*>(data);
        released->status = clFinish(released->queue);
      },
      &released));
  return buffer;
}

} // namespace

TEST_CASE("clFinish in a destructor callback tells that the command which released the object failed",
          "[failure]") {
  if (!supported()) return;
  const World w;
  Released released{w.queue};
  test::Buffer buffer = released_with(w, released);
  const auto gate = test::user_event(w.context);
  const cl_event wait = gate;
  const cl_mem memory = buffer;
  void* argument = nullptr;
  const void* place = &argument;
  REQUIRE_CL(clEnqueueNativeKernel(w.queue, throws, &argument, sizeof argument, 1, &memory, &place, 1, &wait,
                                   nullptr));
  buffer.reset();
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  const cl_int status = clFinish(w.queue);
  CHECK_STATUS(released.status, CL_OUT_OF_RESOURCES);
  CHECK_CL(status); // the application has been told
}

TEST_CASE("clFinish in a destructor callback of an aborted command makes it no failure", "[failure]") {
  if (!supported()) return;
  const World w;
  const auto other = test::make_queue(w.context);
  Released released{w.queue};
  test::Buffer buffer = released_with(w, released);
  const auto gate = test::user_event(w.context);
  const cl_event wait = gate;
  test::Event filled;
  const int zero = 0;
  REQUIRE_CL(clEnqueueFillBuffer(w.queue, buffer, &zero, sizeof zero, 0, 64, 1, &wait, filled.address()));
  const cl_event after = filled;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(other, 1, &after, nullptr));
  buffer.reset();
  REQUIRE_CL(clSetUserEventStatus(gate, -5));
  CHECK_CL(clFinish(w.queue));
  CHECK_CL(clFinish(other));
  CHECK_CL(released.status);
}
