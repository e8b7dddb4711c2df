// Tens of thousands of commands, events and callbacks: the time that they take grows with their number, not
// with its square, and what hangs together in a long chain does not exhaust the stack.

#include "support/session.hpp"

#include <atomic>
#include <ctime>
#include <thread>

namespace {

constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr int count = 30'000;

/// Seconds of processor time that the action takes. A command costs about a microsecond; the limit is for
/// what goes through all others for each.
template <class Action>
void check_time(Action action) {
  const std::clock_t begin = std::clock();
  action();
  CHECK(double(std::clock() - begin) / CLOCKS_PER_SEC < 3);
}

const cl_event* address(const cl_event& event) {
  return event ? &event : nullptr;
}

/// Marker after an event, or after all before it.
cl_event marker(cl_command_queue queue, const cl_event& wait = nullptr) {
  cl_event event = nullptr;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(queue, wait != nullptr, address(wait), &event));
  return event;
}

void release(const std::vector<cl_event>& events) {
  for (cl_event event : events)
    clReleaseEvent(event);
}

} // namespace

TEST_CASE("Many barriers, with commands between them and without", "[many]") {
  for (const cl_command_queue_properties properties : {cl_command_queue_properties{0}, out_of_order})
    for (const int between : {0, 1}) {
      const test::Session session(properties);
      const auto gate = test::user_event(session.context);
      const cl_event wait = gate;
      check_time([&] {
        for (int i = 0; i < count; ++i) {
          REQUIRE_CL(
              clEnqueueBarrierWithWaitList(session.queue, i % 2, address(i % 2 ? wait : nullptr), nullptr));
          for (int j = 0; j < between; ++j)
            REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1, &wait, nullptr));
        }
        REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
        REQUIRE_CL(clFinish(session.queue));
      });
    }
}

TEST_CASE("Many commands behind one barrier", "[many]") {
  const test::Session session(out_of_order);
  const auto gate = test::user_event(session.context), open = test::user_event(session.context);
  REQUIRE_CL(clSetUserEventStatus(open, CL_COMPLETE));
  const cl_event wait = gate, done = open;
  check_time([&] {
    REQUIRE_CL(clEnqueueBarrierWithWaitList(session.queue, 1, &wait, nullptr));
    for (int i = 0; i < count; ++i)
      REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1, &done, nullptr));
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    REQUIRE_CL(clFinish(session.queue));
  });
}

TEST_CASE("Many commands, each behind the one before", "[many]") {
  for (const cl_command_queue_properties properties : {cl_command_queue_properties{0}, out_of_order}) {
    const test::Session session(properties);
    const auto other = test::make_queue(session.context, properties);
    const auto gate = test::user_event(session.context);
    std::vector<cl_event> chain;
    check_time([&] {
      for (int i = 0; i < count; ++i)
        chain.push_back(
            marker(i % 2 ? other.get() : session.queue.get(), chain.empty() ? gate.get() : chain.back()));
      REQUIRE_CL(clFlush(session.queue));
      REQUIRE_CL(clFlush(other));
      REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
      CHECK_CL(test::wait(chain.back()));
      release(chain);
    });
  }
}

TEST_CASE("A failure goes through a long chain", "[many]") {
  const test::Session session(out_of_order);
  const auto gate = test::user_event(session.context);
  std::vector<cl_event> chain = {marker(session.queue, gate)};
  check_time([&] {
    for (int i = 0; i < count; ++i)
      chain.push_back(marker(session.queue, chain.back()));
    REQUIRE_CL(clSetUserEventStatus(gate, -5));
    CHECK_STATUS(test::wait(chain.back()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    release({chain.rbegin(), chain.rend()});
  });
}

TEST_CASE("Many commands behind one event, waited for from the last to the first", "[many]") {
  for (const cl_command_queue_properties properties : {cl_command_queue_properties{0}, out_of_order}) {
    const test::Session session(properties);
    const auto gate = test::user_event(session.context);
    std::vector<cl_event> events;
    check_time([&] {
      for (int i = 0; i < count; ++i)
        events.push_back(marker(session.queue, gate));
      REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
      for (auto event = events.rbegin(); event != events.rend(); ++event)
        REQUIRE_CL(test::wait(*event));
      release(events);
    });
  }
}

TEST_CASE("A command behind many others, and many behind those", "[many]") {
  const test::Session session(out_of_order);
  const auto gate = test::user_event(session.context);
  std::vector<cl_event> events;
  check_time([&] {
    for (int i = 0; i < count; ++i)
      events.push_back(marker(session.queue, gate));
    for (int i = 0; i < 10; ++i)
      REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, count, events.data(), nullptr));
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    REQUIRE_CL(clWaitForEvents(count, events.data()));
    REQUIRE_CL(clFinish(session.queue));
    release(events);
  });
}

TEST_CASE("Many markers, each behind all before it", "[many]") {
  for (const cl_command_queue_properties properties : {cl_command_queue_properties{0}, out_of_order}) {
    const test::Session session(properties);
    std::vector<cl_event> events;
    check_time([&] {
      for (int i = 0; i < count; ++i)
        events.push_back(marker(session.queue));
      REQUIRE_CL(clFinish(session.queue));
      release(events);
    });
  }
}

TEST_CASE("Many callbacks on one event", "[many]") {
  const test::Session session;
  const auto gate = test::user_event(session.context);
  const auto event = test::Event(marker(session.queue, gate));
  std::atomic<int> calls = 0;
  const auto note = [](cl_event, cl_int, void* calls) { ++*static_cast<std::atomic<int>*>(calls); };
  check_time([&] {
    for (int i = 0; i < 3 * count; ++i)
      REQUIRE_CL(clSetEventCallback(event, i % 2 ? CL_COMPLETE : CL_RUNNING, note, &calls));
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    REQUIRE_CL(clFinish(session.queue));
    while (calls < 3 * count)
      std::this_thread::yield();
    for (int i = 0; i < 3 * count; ++i) // it is done
      REQUIRE_CL(clSetEventCallback(event, CL_COMPLETE, note, &calls));
    CHECK(calls == 6 * count);
  });
}

TEST_CASE("Many queues with a command each", "[many]") {
  const test::Session session;
  const auto gate = test::user_event(session.context);
  std::vector<test::Queue> queues(2000);
  check_time([&] {
    for (test::Queue& queue : queues) {
      queue = test::make_queue(session.context);
      const cl_event wait = gate;
      REQUIRE_CL(clEnqueueMarkerWithWaitList(queue, 1, &wait, nullptr));
    }
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    for (test::Queue& queue : queues)
      REQUIRE_CL(clFinish(queue));
    queues.clear();
  });
}
