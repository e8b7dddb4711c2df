// Native kernels that make blocking calls. One that would wait for its own end counts as complete from then
// on; a wait for anything else changes nothing for the commands after it.

#include "support/semaphores.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace {

constexpr cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

bool supported() {
  return test::is_hostcl() &&
         (test::device_value<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) &
          CL_EXEC_NATIVE_KERNEL);
}

/// What a native kernel does, and the status of its calls: Catch's own checks are not for other threads.
using Action = std::function<cl_int()>;

/// Enqueues a native kernel that takes the action.
void enqueue(cl_command_queue queue, const Action& action, const cl_event* wait, cl_event* event) {
  const Action* argument = &action;
  const auto act = [](void* arguments) { (**static_cast<const Action**>(arguments))(); };
  REQUIRE_CL(clEnqueueNativeKernel(queue, act, &argument, sizeof argument, 0, nullptr, nullptr, wait ? 1 : 0,
                                   wait, event));
}

test::Event marker(cl_command_queue queue, const cl_event& wait) {
  test::Event event;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(queue, 1, &wait, event.address()));
  return event;
}

struct World : test::Session {
  explicit World(cl_command_queue_properties properties)
      : Session(properties), other(test::make_queue(context, properties)) {}

  test::Queue other;
  test::Event gate = test::user_event(context);
  test::Event own; ///< of a native kernel after the gate

  /// Runs the native kernel in a background thread, and waits for all.
  void run(const Action& action) {
    const cl_event wait = gate;
    std::atomic<bool> is_done = false;
    cl_int status = CL_SUCCESS;
    const Action noted = [&] {
      status = action();
      is_done = true;
      return status;
    };
    enqueue(queue, noted, &wait, own.address());
    before();
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    REQUIRE_CL(clFlush(queue));
    while (!is_done)
      std::this_thread::yield();
    CHECK_CL(status);
    CHECK_CL(clFinish(queue));
    CHECK_CL(clFinish(other));
    CHECK_CL(test::wait(own));
  }
  std::function<void()> before = [] {}; ///< what is enqueued after the native kernel
};

} // namespace

TEST_CASE("A native kernel that waits for other commands holds up those behind it", "[native_waits]") {
  if (!supported()) return;
  World w(0);
  const auto memory = w.buffer(std::vector<int>{7}), source = w.buffer(std::vector<int>{8});
  const auto inner_gate = test::user_event(w.context);
  std::atomic<bool> has_begun = false;
  int read = 0, copy = 0;
  cl_int status = CL_INVALID_OPERATION;
  const Action action = [&] {
    has_begun = true;
    const cl_event wait = inner_gate;
    return status = clEnqueueReadBuffer(w.other, source, CL_TRUE, 0, 4, &read, 1, &wait, nullptr);
  };
  test::Event kernel, behind;
  enqueue(w.queue, action, nullptr, kernel.address());
  REQUIRE_CL(clEnqueueReadBuffer(w.queue, memory, CL_FALSE, 0, 4, &copy, 0, nullptr, behind.address()));
  REQUIRE_CL(clFlush(w.queue));
  while (!has_begun)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(test::status_of(kernel) == CL_RUNNING);
  CHECK(test::status_of(behind) > CL_RUNNING);
  REQUIRE_CL(clSetUserEventStatus(inner_gate, CL_COMPLETE));
  CHECK_CL(test::wait(behind));
  CHECK_CL(status);
  CHECK(read == 8);
  CHECK(copy == 7);
}

TEST_CASE("A native kernel waits for its own event", "[native_waits]") {
  if (!supported()) return;
  for (const auto order : orders) {
    World w(order);
    w.run([&] { return test::wait(w.own); });
  }
}

TEST_CASE("A native kernel waits for its queue, twice", "[native_waits]") {
  if (!supported()) return;
  for (const auto order : orders) {
    World w(order);
    w.run([&] {
      const cl_int first = clFinish(w.queue);
      return first == CL_SUCCESS ? clFinish(w.queue) : first;
    });
  }
}

TEST_CASE("A native kernel waits for a command of another queue that waits for it", "[native_waits]") {
  if (!supported()) return;
  for (const auto order : orders) {
    World w(order);
    test::Event first, second;
    w.before = [&] {
      first = marker(w.other, w.own);
      second = marker(w.other, first);
      REQUIRE_CL(clFlush(w.other));
    };
    w.run([&] { return test::wait(second); });
  }
}

TEST_CASE("A native kernel waits for a command that a barrier or the order puts behind it",
          "[native_waits]") {
  if (!supported()) return;
  for (const auto order : orders) {
    World w(order);
    const auto open = test::user_event(w.context);
    REQUIRE_CL(clSetUserEventStatus(open, CL_COMPLETE));
    test::Event behind;
    w.before = [&] {
      REQUIRE_CL(clEnqueueBarrierWithWaitList(w.queue, 0, nullptr, nullptr));
      behind = marker(w.queue, open);
    };
    w.run([&] { return test::wait(behind); });
  }
}

TEST_CASE("A native kernel waits for a command behind a barrier and a marker", "[native_waits]") {
  if (!supported()) return;
  for (const auto order : orders) {
    World w(order);
    const auto memory = w.buffer(std::vector<int>{7});
    test::Event filled;
    w.before = [&] {
      const int value = 8;
      REQUIRE_CL(clEnqueueBarrierWithWaitList(w.queue, 0, nullptr, nullptr));
      REQUIRE_CL(clEnqueueMarkerWithWaitList(w.queue, 0, nullptr, nullptr));
      REQUIRE_CL(clEnqueueFillBuffer(w.queue, memory, &value, sizeof value, 0, sizeof value, 0, nullptr,
                                     filled.address()));
    };
    w.run([&] { return test::wait(filled); });
  }
}

TEST_CASE("A native kernel that waits for what a signal behind it lets go counts as complete",
          "[native_waits]") {
  if (!supported() || !test::has_semaphores()) return;
  World w(0);
  const test::Semaphore semaphore(w.context);
  test::Event wait;
  w.before = [&] {
    semaphore.signal(w.queue);
    wait = semaphore.wait(w.other);
  };
  w.run([&] { return clFinish(w.other); });
  CHECK(test::status_of(wait) == CL_COMPLETE);
}
