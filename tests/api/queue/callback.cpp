// clSetEventCallback (OpenCL 3.0 API, 5.11)

#include "support/session.hpp"

#include <atomic>
#include <thread>

namespace {

struct Record {
  std::atomic<int> calls = 0;
  std::atomic<cl_int> status = 99;
};

void CL_CALLBACK note(cl_event, cl_int status, void* data) {
  auto* record = static_cast<Record*>(data);
  record->status = status;
  ++record->calls;
}

/// A callback may come after the wait returns.
bool becomes(const std::atomic<int>& value, int expected) {
  for (int i = 0; i < 5000 && value != expected; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return value == expected;
}

test::Event marker_behind(const test::Session& session, cl_event gate) {
  test::Event event;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 1, &gate, event.address()));
  return event;
}

/// One callback for each state of an event.
struct Notes {
  explicit Notes(cl_event event) {
    CHECK_CL(clSetEventCallback(event, CL_SUBMITTED, note, &submitted));
    CHECK_CL(clSetEventCallback(event, CL_RUNNING, note, &running));
    CHECK_CL(clSetEventCallback(event, CL_COMPLETE, note, &complete));
  }
  bool are_complete() const {
    return becomes(submitted.calls, 1) && becomes(running.calls, 1) && becomes(complete.calls, 1);
  }
  Record submitted, running, complete;
};

} // namespace

TEST_CASE("clSetEventCallback: is called once for each state", "[callback]") {
  const test::Session session;
  const auto gate = test::user_event(session.context);
  const auto event = marker_behind(session, gate);
  const Notes notes(event);
  CHECK(notes.complete.calls == 0);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clFinish(session.queue));
  CHECK(notes.are_complete());
  CHECK(notes.complete.status == CL_COMPLETE);
}

TEST_CASE("clSetEventCallback: states come in their order, each with its status", "[callback]") {
  static std::atomic<int> turn;
  turn = 0;
  struct State {
    cl_int type;
    std::atomic<int> place = 0, calls = 0;
    std::atomic<cl_int> status = 99;
  } states[] = {{CL_COMPLETE}, {CL_RUNNING}, {CL_SUBMITTED}};
  const test::Session session;
  const auto gate = test::user_event(session.context);
  const auto event = marker_behind(session, gate);
  const auto note_turn = [](cl_event, cl_int status, void* data) {
    auto& state = *static_cast<State*>(data);
    state.place = turn++;
    state.status = status;
    ++state.calls;
  };
  for (State& state : states)
    CHECK_CL(clSetEventCallback(event, state.type, note_turn, &state));
  CHECK_CL(clFlush(session.queue));
  CHECK(becomes(states[2].calls, 1));
  CHECK(states[1].calls == 0);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clFinish(session.queue));
  for (State& state : states) {
    CHECK(becomes(state.calls, 1));
    CHECK(state.status == state.type);
  }
  CHECK(states[2].place == 0);
  CHECK(states[1].place == 1);
  CHECK(states[0].place == 2);
}

TEST_CASE("clSetEventCallback: every callback of a command that failed is called once", "[callback]") {
  const test::Session session;
  const auto gate = test::user_event(session.context);
  const auto event = marker_behind(session, gate);
  const Notes notes(event);
  CHECK_CL(clSetUserEventStatus(gate, -9));
  CHECK_CL(clFinish(session.queue));
  CHECK(notes.are_complete());
  CHECK(notes.complete.status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  // It never ran.
  CHECK(notes.running.status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  Record late;
  CHECK_CL(clSetEventCallback(event, CL_COMPLETE, note, &late));
  CHECK(becomes(late.calls, 1));
  CHECK(late.status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_CASE("clSetEventCallback: on a finished event it is called at once", "[callback]") {
  const test::Session session;
  test::Event event;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, event.address()));
  REQUIRE_CL(clFinish(session.queue));
  Record record;
  CHECK_CL(clSetEventCallback(event, CL_COMPLETE, note, &record));
  CHECK(becomes(record.calls, 1));
}

TEST_CASE("clSetEventCallback: gets the error of a failed command", "[callback]") {
  const test::Session session;
  const auto gate = test::user_event(session.context);
  const auto event = marker_behind(session, gate);
  Record command, user;
  CHECK_CL(clSetEventCallback(event, CL_COMPLETE, note, &command));
  CHECK_CL(clSetEventCallback(gate, CL_COMPLETE, note, &user));
  CHECK_CL(clSetUserEventStatus(gate, -9));
  CHECK(becomes(command.calls, 1));
  CHECK(becomes(user.calls, 1));
  CHECK(command.status < 0);
  CHECK(user.status == -9);
}

TEST_CASE("clSetEventCallback: a callback may enqueue and set user events", "[callback]") {
  struct World {
    test::Session session;
    test::Buffer buffer = session.buffer(std::vector<int>(16, 0));
    test::Event second = test::user_event(session.context);
    test::Event filled;
  } world;
  const auto gate = test::user_event(world.session.context);
  CHECK_CL(clSetEventCallback(
      gate, CL_COMPLETE,
      [](cl_event, cl_int, void* data) {
        auto& w = *static_cast<World*>(data);
        const cl_int pattern = 6;
        clEnqueueFillBuffer(w.session.queue, w.buffer, &pattern, 4, 0, 64, 0, nullptr, w.filled.address());
        clFlush(w.session.queue);
        clSetUserEventStatus(w.second, CL_COMPLETE);
      },
      &world));
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  const cl_event handle = world.second;
  CHECK_CL(clWaitForEvents(1, &handle));
  CHECK(world.session.read<int>(world.buffer, 16) == std::vector<int>(16, 6));
}

TEST_CASE("clSetEventCallback: a hundred callbacks on an event all come", "[callback]") {
  const test::Session session;
  const auto gate = test::user_event(session.context);
  Record record;
  for (int i = 0; i < 100; ++i)
    CHECK_CL(clSetEventCallback(gate, CL_COMPLETE, note, &record));
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK(becomes(record.calls, 100));
}

TEST_CASE("clSetEventCallback: a callback may release the last reference to its event", "[callback]") {
  const test::Session session;
  static std::atomic<int> calls;
  calls = 0;
  const auto release = [](cl_event event, cl_int, void*) {
    clReleaseEvent(event);
    ++calls;
  };
  for (const bool is_done : {false, true}) {
    auto event = test::user_event(session.context);
    if (is_done) CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
    CHECK_CL(clRetainEvent(event));
    const cl_event handle = event;
    event.reset();
    CHECK_CL(clSetEventCallback(handle, CL_COMPLETE, release, nullptr));
    if (!is_done) CHECK_CL(clSetUserEventStatus(handle, CL_COMPLETE));
  }
  CHECK(calls == 2);
}

TEST_CASE("clSetEventCallback: no callback is CL_INVALID_VALUE", "[callback]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  CHECK_STATUS(clSetEventCallback(event, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_CASE("clSetEventCallback: another state is CL_INVALID_VALUE", "[callback]") {
  const test::Session session;
  const auto event = test::user_event(session.context);
  CHECK_STATUS(clSetEventCallback(event, CL_QUEUED, note, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(clSetEventCallback(event, 17, note, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(clSetEventCallback(event, -1, note, nullptr), CL_INVALID_VALUE);
  CHECK_CL(clSetUserEventStatus(event, CL_COMPLETE));
}
