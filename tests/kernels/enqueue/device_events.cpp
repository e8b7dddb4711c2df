// Events on the device (OpenCL C 3.0, 6.15.17.8): dependency graphs, user events, markers, profiling

#include "support/device_queue.hpp"

#include <chrono>
#include <thread>

namespace {

using Ints = std::vector<cl_int>;

/// The end status of a launch of kernel k(out) with one work-item.
cl_int status_of_launch(const test::EnqueueSession& session, const char* source) {
  const auto kernel = session.kernel(source, "k", "-cl-std=CL3.0");
  const auto out = session.buffer(Ints(64));
  test::set_arguments(kernel, out);
  const size_t one = 1;
  test::Event event;
  REQUIRE_CL(
      clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, event.address()));
  test::wait(event);
  return test::status_of(event);
}

} // namespace

TEST_CASE("clk_event_t: a graph of children runs in its order", "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  // Each row of the triangle waits for all of the row before it.
  const auto results = session.results(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t row[16];
      for (int r = 0; r < 16; ++r) {
        clk_event_t next[16];
        for (int i = 0; i <= r; ++i)
          enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), r, r ? row : 0, &next[i], ^{
            for (int j = 0; j < r; ++j)
              if (o[16 * (r - 1) + j] != 8) atomic_inc((volatile global int*)o + 256);
            atomic_inc((volatile global int*)o + 16 * r + i);
          });
        for (int i = 0; i < r; ++i) release_event(row[i]);
        for (int i = 0; i <= r; ++i) row[i] = next[i];
      }
      for (int i = 0; i < 16; ++i) release_event(row[i]);
    })",
                                       257);
  CHECK(results[256] == 0);
  for (int r = 0; r < 16; ++r)
    for (int i = 0; i <= r; ++i)
      CHECK(results[16 * r + i] == 8);
}

TEST_CASE("enqueue_marker: waits for all of its events, and may replace one of them", "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t events[2], first, second;
      for (int i = 0; i < 2; ++i)
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(100), 0, 0, &events[i], ^{
          atomic_inc((volatile global int*)o);
        });
      first = events[0];
      second = events[1];
      o[3] = enqueue_marker(q, 2, events, &events[0]);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &events[0], 0, ^{ o[1] = o[0]; });
      o[2] = enqueue_marker(q, 1, &events[0], 0);
      release_event(first); release_event(second); release_event(events[0]);
    })",
                        4) == Ints{200, 200, 0, 0});
}

TEST_CASE("User events: children wait for the status that another child sets", "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t user = create_user_event();
      o[0] = is_valid_event(user);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, 0, ^{ o[2] = o[1]; });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        o[1] = 7;
        set_user_event_status(user, CL_COMPLETE);
        release_event(user);
      });
    })",
                        3) == Ints{1, 7, 7});
}

TEST_CASE("User events: what waits for one keeps it when kernels have released it", "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      for (int i = 0; i < 100; ++i) {
        clk_event_t user = create_user_event();
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, 0,
                       ^{ atomic_inc((volatile global int*)o); });
        release_event(user);
        o[1] |= is_valid_event(user);
        set_user_event_status(user, CL_COMPLETE);
      }
    })",
                        2) == Ints{100, 0});
}

TEST_CASE("User events: an error ends what waits for it, and the launch", "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK_STATUS(status_of_launch(session, R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t user = create_user_event(), after;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &after, ^{ o[1] = 1; });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &after, 0, ^{ o[2] = 1; });
      set_user_event_status(user, -77);
      release_event(user);
      release_event(after);
    })"),
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  // The queue goes on.
  CHECK(session.results("kernel void k(global int* o) { o[0] = 5; }", 1) == Ints{5});
}

TEST_CASE("clk_event_t: references keep an event, and what is none is not valid", "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    kernel void k(global int* o) {
      clk_event_t user = create_user_event(), none = CLK_NULL_EVENT, copy = user;
      o[0] = is_valid_event(user);
      retain_event(user);
      release_event(user);
      o[1] = is_valid_event(user);
      o[2] = copy == user;
      o[3] = user != none;
      o[4] = is_valid_event(none);
      o[5] = none == CLK_NULL_EVENT;
      release_event(copy);
      o[6] = is_valid_event(user);
      clk_event_t child;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0, 0, &child, ^{ o[7] = 1; });
      o[8] = is_valid_event(child);
      retain_event(child);
      release_event(child);
      o[9] = is_valid_event(child);
      release_event(child);
    })",
                        10) == Ints{1, 1, 1, 1, 0, 1, 0, 1, 1, 1});
}

TEST_CASE("clk_event_t: in global, local and private memory, and passed to functions", "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto program = session.build(R"(
    bool valid(clk_event_t e) { return is_valid_event(e); }
    kernel void make(global clk_event_t* events, global int* o) {
      local clk_event_t shared_events[8];
      clk_event_t own[3];
      const int i = get_local_id(0);
      own[i % 3] = create_user_event();
      shared_events[i] = own[i % 3];
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &own[i % 3], 0,
                     ^{ atomic_inc((volatile global int*)o); });
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      events[i] = shared_events[7 - i]; // from here on another launch may release it
    }
    kernel void set(global clk_event_t* events, global int* o) {
      const int i = get_global_id(0);
      if (valid(events[i])) {
        atomic_inc((volatile global int*)o + 1);
        clk_event_t e = events[i];
        set_user_event_status(e, CL_COMPLETE);
        release_event(e);
      }
    })",
                                     "-cl-std=CL3.0");
  const auto make = session.kernel(program, "make"), set = session.kernel(program, "set");
  const auto events = session.buffer(std::vector<cl_ulong>(8)), out = session.buffer(Ints(2));
  test::set_arguments(make, events, out);
  test::set_arguments(set, events, out);
  const auto other = test::make_queue(session.context);
  const size_t eight = 8;
  test::Event made;
  REQUIRE_CL(
      clEnqueueNDRangeKernel(session.queue, make, 1, nullptr, &eight, &eight, 0, nullptr, made.address()));
  REQUIRE_CL(clFlush(session.queue));
  // The children of the first launch wait for the second, in another queue: the first must have begun.
  for (cl_int valid = 0; valid < 8; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    REQUIRE_CL(clEnqueueNDRangeKernel(other, set, 1, nullptr, &eight, &eight, 0, nullptr, nullptr));
    REQUIRE_CL(clEnqueueReadBuffer(other, out, CL_TRUE, 4, 4, &valid, 0, nullptr, nullptr));
  }
  CHECK_CL(test::wait(made));
  CHECK(session.read<cl_int>(out, 2) == Ints{8, 8});
}

TEST_CASE("User events: a command of the same out-of-order queue sets what another one waits for",
          "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto program = session.build(R"(
    kernel void make(global clk_event_t* event) { *event = create_user_event(); }
    kernel void wait(global clk_event_t* event, global int* o) {
      clk_event_t e = *event;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e, 0, ^{ o[1] = o[0]; });
    }
    kernel void set(global clk_event_t* event, global int* o) {
      o[0] = 3;
      set_user_event_status(*event, CL_COMPLETE);
    })",
                                     "-cl-std=CL3.0");
  const auto make = session.kernel(program, "make"), wait = session.kernel(program, "wait"),
             set = session.kernel(program, "set");
  const auto event = session.buffer(8), out = session.buffer(Ints(2));
  test::set_arguments(make, event);
  test::set_arguments(wait, event, out);
  test::set_arguments(set, event, out);
  for (int iteration = 0; iteration < 20; ++iteration) {
    session.run(make, 1);
    const size_t one = 1;
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, wait, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, set, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    REQUIRE_CL(clFinish(session.queue));
    CHECK(session.read<cl_int>(out, 2) == Ints{3, 3});
  }
}

TEST_CASE("User events: a thread that waits for one command does not begin another whose children wait",
          "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto program = session.build(R"(
    kernel void make(global clk_event_t* event, int status) {
      *event = create_user_event();
      if (status == CL_COMPLETE) set_user_event_status(*event, status);
    }
    kernel void wait(global clk_event_t* event, global int* o) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, event, 0, ^{ ++*o; });
    }
    kernel void set(global clk_event_t* event) { set_user_event_status(*event, CL_COMPLETE); }
    kernel void nothing() {})",
                                     "-cl-std=CL3.0");
  const auto make = session.kernel(program, "make"), wait = session.kernel(program, "wait"),
             set = session.kernel(program, "set"), nothing = session.kernel(program, "nothing");
  const auto event = session.buffer(8), out = session.buffer(Ints(1));
  const size_t one = 1;
  // The first launches tell that all of these are short.
  test::set_arguments(make, event, cl_int{CL_COMPLETE});
  test::set_arguments(wait, event, out);
  test::set_arguments(set, event);
  for (const auto* kernel : {&make, &wait, &set, &nothing})
    session.run(*kernel, 1);
  test::set_arguments(make, event, cl_int{CL_SUBMITTED});
  for (cl_int iteration = 2; iteration < 20; ++iteration) {
    session.run(make, 1);
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, wait, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    test::Event done;
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, nothing, 1, nullptr, &one, nullptr, 0, nullptr,
                                      done.address()));
    CHECK_CL(test::wait(done));
    session.run(set, 1);
    CHECK(session.read<cl_int>(out, 1) == Ints{iteration});
  }
}

TEST_CASE("capture_event_profiling_info: the time of a child, and of it with its children",
          "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto kernel = session.kernel(R"(
    void spin(global ulong* t, int iterations) {
      ulong x = t[8];
      for (int i = 0; i < iterations; ++i) x = x * 6364136223846793005UL + 1442695040888963407UL;
      t[8] = x;
    }
    kernel void k(global ulong* t) {
      queue_t q = get_default_queue();
      clk_event_t parent, late;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &parent, ^{
        spin(t, 1000);
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ spin(t, 3000000); });
      });
      capture_event_profiling_info(parent, CLK_PROFILING_COMMAND_EXEC_TIME, t);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &parent, 0, ^{
        t[4] = t[1];
        capture_event_profiling_info(parent, CLK_PROFILING_COMMAND_EXEC_TIME, t + 2);
        release_event(parent);
      });
    })",
                                     "k", "-cl-std=CL3.0");
  const auto times = session.buffer(std::vector<cl_ulong>(9));
  test::set_arguments(kernel, times);
  session.run(kernel, 1);
  const auto t = session.read<cl_ulong>(times, 5);
  CHECK(t[0] > 0);
  CHECK(t[1] > t[0] + 100'000);
  CHECK(t[1] < 60'000'000'000);
  CHECK(t[2] == t[0]);
  CHECK(t[3] == t[1]);
  CHECK(t[4] == t[1]); // it is there before what waits for the event begins
}

TEST_CASE("CL_PROFILING_COMMAND_COMPLETE: children count, and do not for CL_PROFILING_COMMAND_END",
          "[device_events]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session(CL_QUEUE_PROFILING_ENABLE);
  const auto kernel = session.kernel(R"(
    kernel void k(global ulong* t) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        ulong x = t[0];
        for (int i = 0; i < 3000000; ++i) x = x * 6364136223846793005UL + 1442695040888963407UL;
        t[0] = x;
      });
    })",
                                     "k", "-cl-std=CL3.0");
  const auto times = session.buffer(std::vector<cl_ulong>(1));
  test::set_arguments(kernel, times);
  for (int iteration = 0; iteration < 2; ++iteration) {
    test::Event event;
    const size_t one = 1;
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr,
                                      event.address()));
    REQUIRE_CL(test::wait(event));
    const auto time = [&](cl_profiling_info query) {
      cl_ulong value = 0;
      REQUIRE_CL(clGetEventProfilingInfo(event, query, sizeof value, &value, nullptr));
      return value;
    };
    const cl_ulong start = time(CL_PROFILING_COMMAND_START), end = time(CL_PROFILING_COMMAND_END);
    const cl_ulong complete = time(CL_PROFILING_COMMAND_COMPLETE);
    CHECK(start <= end);
    CHECK(complete > end + 100'000);
  }
}
