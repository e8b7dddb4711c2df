// Launches that end because a work-item traps: their events, what waits for them, and everything else, which goes on.

#include "support/command_buffer.hpp"
#include "support/device_queue.hpp"
#include "support/trap_session.hpp"

#include <fstream>
#include <thread>

namespace {

using Ints = std::vector<cl_int>;

constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

constexpr const char* trapping = "kernel void k(global int* o, int bad) {\n"
                                 "  int i = get_global_id(0);\n"
                                 "  if (i == bad) __builtin_trap();\n"
                                 "  o[i & 63] = 1;\n"
                                 "}\n";

struct World : test::TrapSession {
  explicit World(cl_command_queue_properties properties = 0) : TrapSession(properties) {}
  test::Kernel kernel = Session::kernel(trapping, "k", "-g");
  test::Buffer out = buffer(Ints(64));

  /// Without waits, a kernel of which one work-item traps if `bad` is its number.
  void launch(cl_command_queue queue, cl_int bad, cl_event* event = nullptr,
              const cl_event* wait = nullptr) const {
    test::set_arguments(kernel, out, bad);
    const std::size_t items = 64;
    REQUIRE_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, wait ? 1 : 0, wait, event));
  }
};

/// Kilobytes of memory that the process has touched, and its threads.
struct Usage {
  long kilobytes = 0, threads = 0;
  Usage() {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("VmRSS:")) kilobytes = std::stol(line.substr(6));
      if (line.starts_with("Threads:")) threads = std::stol(line.substr(8));
    }
  }
};

} // namespace

TEST_CASE("A trap is its event's error, and that of what waits for it; later commands run", "[trap]") {
  if (!test::is_hostcl()) return;
  for (const cl_command_queue_properties properties : {cl_command_queue_properties{0}, out_of_order}) {
    World w(properties);
    test::Event event, dependant, later;
    w.launch(w.queue, 7, event.address());
    const cl_event handle = event;
    w.launch(w.queue, -1, dependant.address(), &handle);
    w.launch(w.queue, -1, later.address());
    CHECK_STATUS(clFinish(w.queue), test::trapped);
    CHECK_CL(clFinish(w.queue));
    CHECK(test::status_of(event) == test::trapped);
    CHECK(test::status_of(dependant) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(test::status_of(later) == CL_COMPLETE);
    CHECK_STATUS(test::wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(w.sentences.have({"kernel 'k' ended by a trap at program.cl:3:", "work-item (7, 0, 0)"}));
  }
}

TEST_CASE("A blocking command after a trap in an in-order queue tells of it", "[trap]") {
  if (!test::is_hostcl()) return;
  const World w;
  w.launch(w.queue, 1);
  cl_int value = 0;
  CHECK_STATUS(clEnqueueReadBuffer(w.queue, w.out, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr),
               test::trapped);
  CHECK_CL(clEnqueueReadBuffer(w.queue, w.out, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
}

TEST_CASE("A trap leaves other queues alone", "[trap]") {
  if (!test::is_hostcl()) return;
  const World w;
  const auto other = test::make_queue(w.context);
  for (int iteration = 0; iteration < 20; ++iteration) {
    w.launch(w.queue, iteration);
    w.launch(other, -1);
    CHECK_CL(clFlush(w.queue));
    CHECK_CL(clFinish(other));
    CHECK_STATUS(clFinish(w.queue), test::trapped);
  }
}

TEST_CASE("Threads that launch kernels which trap do not disturb each other", "[trap]") {
  if (!test::is_hostcl()) return;
  const World w;
  struct Lane {
    test::Queue queue;
    test::Kernel kernel;
    int wrong = 0;
  };
  std::vector<Lane> lanes;
  for (int i = 0; i < 4; ++i)
    lanes.push_back({test::make_queue(w.context), w.Session::kernel(trapping, "k")});
  for (const Lane& lane : lanes)
    test::set_arguments(lane.kernel, w.out, -1);
  const auto run = [](Lane& lane) {
    const std::size_t items = 64;
    for (cl_int iteration = 0; iteration < 60; ++iteration) {
      const cl_int bad = iteration % 2 ? -1 : iteration;
      clSetKernelArg(lane.kernel, 1, sizeof bad, &bad);
      clEnqueueNDRangeKernel(lane.queue, lane.kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
      lane.wrong += clFinish(lane.queue) != (bad < 0 ? CL_SUCCESS : test::trapped);
    }
  };
  std::vector<std::thread> threads;
  for (Lane& lane : lanes)
    threads.emplace_back(run, std::ref(lane));
  for (std::thread& thread : threads)
    thread.join();
  for (const Lane& lane : lanes)
    CHECK(lane.wrong == 0);
}

TEST_CASE("Work-groups that have not begun when a work-item traps do not run", "[trap]") {
  if (!test::is_hostcl()) return;
  const test::TrapSession session;
  const auto kernel = session.kernel("kernel void k(global int* o, int bad) { size_t g = get_group_id(0);"
                                     "if (get_global_id(0) == bad) __builtin_trap(); o[g] = 1; }",
                                     "k");
  constexpr std::size_t groups = 1 << 16, items = groups * 16, local = 16;
  const auto out = session.buffer(Ints(groups));
  test::set_arguments(kernel, out, 0);
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr));
  CHECK_STATUS(clFinish(session.queue), test::trapped);
  const auto begun = session.read<cl_int>(out, groups);
  CHECK(std::ranges::count(begun, 1) < std::ptrdiff_t{groups});
}

TEST_CASE("A thousand traps leave neither memory nor threads behind", "[trap]") {
  if (!test::is_hostcl()) return;
  const World w;
  const auto trap = [&](int times) {
    for (int i = 0; i < times; ++i) {
      w.launch(w.queue, i & 63);
      REQUIRE(clFinish(w.queue) == test::trapped);
    }
  };
  trap(300);
  const Usage before;
  trap(1000);
  const Usage after;
  CHECK(after.kilobytes - before.kilobytes < 1500);
  CHECK(after.threads < before.threads + 100);
}

TEST_CASE("A trap in kernels that flush subnormal numbers leaves the thread's mode as it was", "[trap]") {
  if (!test::is_hostcl()) return;
  const test::TrapSession session;
  const auto kernel = session.kernel(trapping, "k", "-cl-denorms-are-zero");
  const auto out = session.buffer(Ints(64));
  const std::size_t items = 64;
  test::set_arguments(kernel, out, 3);
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  CHECK_STATUS(clFinish(session.queue), test::trapped);
  volatile float tiny = 1e-40F, one = 1;
  CHECK(tiny * one != 0.0F);
}

TEST_CASE("A trap in a command buffer ends its command, and the next run is as good as any", "[trap]") {
  if (!test::is_hostcl()) return;
  World w;
  const auto bad = w.buffer(Ints(1, 5));
  const auto kernel =
      w.Session::kernel("kernel void k(global int* o, global const int* bad) {"
                        "if (get_global_id(0) == *bad) __builtin_trap(); o[get_global_id(0)] += 1; }",
                        "k");
  test::set_arguments(kernel, w.out, bad);
  const test::cb::Buffer buffer({w.queue});
  for (int i = 0; i < 3; ++i)
    buffer.launch(kernel, 64);
  buffer.finalize();
  for (const bool traps : {true, false, true}) {
    const cl_int number = traps ? 5 : -1;
    REQUIRE_CL(clEnqueueWriteBuffer(w.queue, bad, CL_TRUE, 0, 4, &number, 0, nullptr, nullptr));
    const auto event = buffer.enqueue_event();
    CHECK_STATUS(test::wait(event), traps ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS);
    CHECK(test::status_of(event) == (traps ? test::trapped : CL_COMPLETE));
  }
  CHECK(w.sentences.have({"work-item (5, 0, 0)"}));
}

TEST_CASE("A trap of an enqueued kernel ends its ancestors, and that of a parent leaves its children",
          "[trap]") {
  if (!test::is_hostcl() || !test::has_device_queues()) return;
  test::TrapSession session;
  const auto device_queue = test::make_device_queue(session.context, CL_QUEUE_ON_DEVICE_DEFAULT);
  const auto kernel = session.kernel(R"(
    kernel void k(global int* o, int parent, int child) {
      int l = get_local_id(0);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), ^{
        if (get_global_id(0) == child) __builtin_trap();
        o[get_global_id(0)] = 1;
      });
      if (parent) __builtin_trap();
    })",
                                     "k", "-cl-std=CL3.0");
  for (const auto& [parent, child] : {std::pair{0, -1}, {1, -1}, {0, 3}, {1, 3}}) {
    CAPTURE(parent, child);
    const auto out = session.buffer(Ints(8));
    test::set_arguments(kernel, out, parent, child);
    const std::size_t one = 1;
    test::Event event;
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr,
                                      event.address()));
    test::wait(event);
    CHECK(test::status_of(event) == (parent || child >= 0 ? test::trapped : CL_COMPLETE));
    if (child < 0) CHECK(session.read<cl_int>(out, 8) == Ints(8, 1));
  }
}
