// clCancelCommandsIMG (cl_img_cancel_command)

#include "support/command_buffer.hpp"
#include "support/semaphores.hpp"
#include "support/several_queues.hpp"
#include "support/stops.hpp"

#include <deque>
#include <random>

namespace {

using test::cancelled;

constexpr cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

bool has_native_kernels() {
  return test::device_value<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) &
         CL_EXEC_NATIVE_KERNEL;
}

/// Enqueues a native kernel that counts its runs.
test::Event count_run(cl_command_queue queue, std::atomic<int>& runs, const std::vector<cl_event>& waits) {
  auto* counter = &runs;
  const auto run = [](void* arguments) { ++**static_cast<std::atomic<int>**>(arguments); };
  test::Event event;
  REQUIRE_CL(clEnqueueNativeKernel(queue, run, &counter, sizeof counter, 0, nullptr, nullptr,
                                   static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                                   event.address()));
  return event;
}

} // namespace

TEST_CASE("clCancelCommandsIMG: errors", "[cancel]") {
  if (!test::can_cancel()) return;
  const auto cancel = test::extension_function<test::CancelCommands>("clCancelCommandsIMG");
  const test::Session session;
  const cl_event gate = test::user_event(session.context).release();
  CHECK_CL(cancel(nullptr, 0));
  CHECK_STATUS(cancel(nullptr, 1), CL_INVALID_VALUE);
  CHECK_STATUS(cancel(&gate, 0), CL_INVALID_VALUE);
  const cl_event list[] = {gate, nullptr};
  CHECK_STATUS(cancel(list, 2), CL_INVALID_EVENT);
  CHECK_CL(cancel(list, 1)); // a user event belongs to no command
  CHECK(test::status_of(gate) == CL_SUBMITTED);
  CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clReleaseEvent(gate));
}

TEST_CASE("clCancelCommandsIMG: cancels queued commands and those that wait for them", "[cancel]") {
  if (!test::can_cancel()) return;
  for (const auto order : orders)
    for (const bool flushes : {false, true}) {
      const test::Session session(order | CL_QUEUE_PROFILING_ENABLE);
      const auto kernel = session.kernel("kernel void k(global int* p) { *p += 1; }", "k");
      const auto buffer = session.buffer(std::vector<cl_int>(1));
      test::set_arguments(kernel, buffer);
      const auto gate = test::user_event(session.context);
      const auto launch = [&](cl_event wait) {
        const size_t one = 1;
        test::Event event;
        REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 1, &wait,
                                          event.address()));
        return event;
      };
      const auto first = launch(gate), second = launch(first),
                 third = test::marker(session.queue, {second, gate});
      const test::Ends ends(first), last_ends(third);
      if (flushes) CHECK_CL(clFlush(session.queue));
      CHECK_CL(test::cancel({first}));
      CHECK(test::status_of(first) == cancelled); // at once
      CHECK(ends.first() == cancelled);
      CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
      CHECK_STATUS(test::wait(third), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
      CHECK(test::status_of(second) == cancelled);
      CHECK(test::status_of(third) == cancelled);
      CHECK(last_ends.first() == cancelled);
      const auto after = test::marker(session.queue, {first});
      CHECK_STATUS(test::wait(after), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
      CHECK(test::status_of(after) == cancelled);
      CHECK_CL(clFinish(session.queue)); // the application knows
      CHECK(session.read<cl_int>(buffer, 1) == std::vector<cl_int>{0});
      cl_ulong time = 0;
      CHECK_STATUS(clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr),
                   CL_PROFILING_INFO_NOT_AVAILABLE);
      CHECK_CL(test::cancel({first, second, third})); // once more
      CHECK((ends.calls == 1 && last_ends.calls == 1));
    }
}

TEST_CASE("clCancelCommandsIMG: a cancelled command does not wait for a user event any longer", "[cancel]") {
  if (!test::can_cancel()) return;
  for (const auto order : orders) {
    const test::Session session(order);
    const auto gate = test::user_event(session.context);
    const auto event = test::marker(session.queue, {gate, gate}),
               later = test::marker(session.queue, {event}), last = test::marker(session.queue, {});
    CHECK_CL(test::cancel({event}));
    CHECK_CL(clFinish(session.queue));
    CHECK(test::status_of(event) == cancelled);
    CHECK(test::status_of(later) == cancelled);
    CHECK(test::status_of(last) == CL_COMPLETE);
    CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  }
}

TEST_CASE("clCancelCommandsIMG: threads that wait for the command return", "[cancel]") {
  if (!test::can_cancel()) return;
  for (const auto order : orders) {
    const test::Session session(order);
    const auto gate = test::user_event(session.context);
    const auto event = test::marker(session.queue, {gate});
    cl_int waited = 1, finished = 1;
    std::atomic<int> begun = 0;
    std::thread waits([&] {
      ++begun;
      waited = test::wait(event);
    });
    std::thread finishes([&] {
      ++begun;
      finished = clFinish(session.queue);
    });
    while (begun < 2)
      std::this_thread::yield();
    CHECK_CL(test::cancel({event}));
    waits.join();
    finishes.join();
    CHECK_STATUS(waited, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_CL(finished);
    CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  }
}

TEST_CASE("clCancelCommandsIMG: commands that run or are complete are not affected", "[cancel]") {
  if (!test::can_cancel() || !has_native_kernels()) return;
  const test::Session session;
  struct Run {
    std::atomic<bool> has_begun = false, may_end = false;
  } run, *argument = &run;
  const auto body = [](void* arguments) {
    Run& r = **static_cast<Run**>(arguments);
    r.has_begun = true;
    while (!r.may_end)
      std::this_thread::yield();
  };
  test::Event event;
  REQUIRE_CL(clEnqueueNativeKernel(session.queue, body, &argument, sizeof argument, 0, nullptr, nullptr, 0,
                                   nullptr, event.address()));
  const auto later = test::marker(session.queue, {event});
  REQUIRE_CL(clFlush(session.queue));
  while (!run.has_begun)
    std::this_thread::yield();
  CHECK_CL(test::cancel({event}));
  CHECK(test::status_of(event) == CL_RUNNING);
  run.may_end = true;
  CHECK_CL(test::wait(later));
  CHECK_CL(test::cancel({event, later}));
  CHECK(test::status_of(event) == CL_COMPLETE);
  CHECK(test::status_of(later) == CL_COMPLETE);
}

TEST_CASE("clCancelCommandsIMG: a semaphore keeps the signal for which a cancelled command waited",
          "[cancel]") {
  if (!test::can_cancel() || !test::has_semaphores()) return;
  const test::Session session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const test::Semaphore semaphore(session.context);
  const auto event = semaphore.wait(session.queue);
  CHECK_CL(test::cancel({event}));
  CHECK_CL(clFinish(session.queue));
  CHECK(test::status_of(event) == cancelled);
  CHECK_FALSE(semaphore.is_signaled());
  CHECK_CL(test::wait(semaphore.signal(session.queue)));
  CHECK(semaphore.is_signaled());
  CHECK_CL(test::wait(semaphore.wait(session.queue)));
  CHECK_FALSE(semaphore.is_signaled());
}

TEST_CASE("clCancelCommandsIMG: command buffers, also of several queues", "[cancel]") {
  if (!test::can_cancel() || !cb::is_supported()) return;
  const test::several_queues::World w;
  const auto first = w.queue(0), second = w.queue(1);
  const auto value = w.zero();
  test::set_arguments(w.step, value, cl_uint{1});
  for (const bool is_single : {true, false}) {
    const std::vector<cl_command_queue> queues =
        is_single ? std::vector<cl_command_queue>{first.get()}
                  : std::vector<cl_command_queue>{first.get(), second.get()};
    const cb::Buffer buffer(queues, {cb::flags, cb::device_side_sync});
    const cb::Point point = buffer.launch(w.step, 1, {}, first);
    buffer.launch(w.step, 1, {point}, queues.back());
    buffer.finalize();
    const auto gate = test::user_event(w.context);
    const auto event = buffer.enqueue_event({gate});
    CHECK_CL(test::cancel({event}));
    CHECK(test::status_of(event) == cancelled);
    CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_CL(clFinish(first));
    CHECK_CL(clFinish(second));
    CHECK(test::several_queues::number(first, value) == 0);
    CHECK_CL(test::wait(buffer.enqueue_event()));
    CHECK(test::several_queues::number(first, value) == 4);
    const cl_uint zero = 0;
    CHECK_CL(clEnqueueWriteBuffer(first, value, CL_TRUE, 0, sizeof zero, &zero, 0, nullptr, nullptr));
  }
}

TEST_CASE("clCancelCommandsIMG: of many commands, those run that are complete", "[cancel]") {
  if (!test::can_cancel() || !has_native_kernels()) return;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const test::Session session(orders[seed % 2]);
    const test::Queue other = test::make_queue(session.context, orders[seed / 2 % 2]);
    std::minstd_rand random(seed);
    constexpr std::size_t count = 200;
    std::array<std::atomic<int>, count> runs{};
    std::vector<test::Event> gates, events;
    std::deque<test::Ends> ends;
    for (std::size_t i = 0; i < 4; ++i)
      gates.push_back(test::user_event(session.context));
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<cl_event> waits;
      if (random() % 4 == 0) waits.push_back(gates[random() % gates.size()]);
      while (!events.empty() && random() % 3 == 0)
        waits.push_back(events[random() % events.size()]);
      events.push_back(count_run(random() % 2 ? session.queue : other, runs[i], waits));
      ends.emplace_back(events.back());
    }
    std::thread canceller([&] {
      std::minstd_rand choice(seed + 1);
      for (std::size_t i = 0; i < count / 4; ++i) {
        const cl_event event = events[choice() % count];
        test::cancel({event});
      }
    });
    for (const test::Event& gate : gates)
      CHECK_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_CL(clFinish(session.queue));
    CHECK_CL(clFinish(other));
    canceller.join();
    for (std::size_t i = 0; i < count; ++i) {
      const cl_int status = ends[i].first();
      CHECK((status == CL_COMPLETE || status == cancelled));
      CHECK(test::status_of(events[i]) == status);
      CHECK(runs[i] == (status == CL_COMPLETE ? 1 : 0));
      CHECK(ends[i].calls == 1);
    }
  }
}
