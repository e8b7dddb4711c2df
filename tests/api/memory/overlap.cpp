// Commands that overlap: within an out-of-order queue and between queues (OpenCL 3.0 API, 5.1 and 5.13). That
// they do is hostcl's promise, not the specification's.

#include "support/session.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace {

using std::chrono::milliseconds;

constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

/// A test that fails goes on after so long.
constexpr milliseconds patience(5000);

/// Two words that the host and kernels share: how many work-items are inside, and whether they may leave.
/// They may after `patience` at the latest, so that a failure does not hang.
class Gate {
public:
  explicit Gate(const test::Session& session)
      : context_(session.context),
        words_(static_cast<std::atomic<cl_int>*>(
            clSVMAlloc(context_, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 8, 0))) {
    REQUIRE(words_);
    words_[0] = 0;
    words_[1] = 0;
    watchdog_ = std::thread([this] {
      for (auto waited = milliseconds(0); waited < patience && !is_open(); waited += milliseconds(1))
        std::this_thread::sleep_for(milliseconds(1));
      if (!is_open()) timed_out_ = true;
      words_[1] = 1;
    });
  }
  Gate(const Gate&) = delete;
  ~Gate() {
    open();
    watchdog_.join();
    clSVMFree(context_, words_);
  }

  void open() { words_[1] = 1; }
  bool is_open() const { return words_[1]; }
  bool timed_out() const { return timed_out_; }
  int inside() const { return words_[0]; }
  void enter() { ++words_[0]; }
  void await_inside(int count) const {
    while (inside() < count && !is_open())
      std::this_thread::yield();
  }
  void* words() const { return words_; }

private:
  cl_context context_;
  std::atomic<cl_int>* words_;
  std::atomic<bool> timed_out_ = false;
  std::thread watchdog_;
};

/// A kernel whose work-items stay until the gate opens.
test::Kernel spinning(const test::Session& session, const Gate& gate) {
  auto kernel = session.kernel(
      "kernel void spin(global atomic_int* words) {"
      "  atomic_fetch_add_explicit(words, 1, memory_order_relaxed, memory_scope_all_svm_devices);"
      "  while (!atomic_load_explicit(words + 1, memory_order_acquire, memory_scope_all_svm_devices)); }",
      "spin", "-cl-std=CL3.0");
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, gate.words()));
  return kernel;
}

/// A kernel with enough to do for several threads.
struct Sum {
  explicit Sum(const test::Session& session)
      : result(session.buffer(std::vector<cl_uint>(groups, 0))),
        kernel(session.kernel("kernel void sum(global uint* v) { uint x = get_group_id(0);"
                              "  for (int i = 0; i < 50000; ++i) x = x * 1664525u + 1013904223u;"
                              "  v[get_group_id(0)] = x; }",
                              "sum")) {
    test::set_arguments(kernel, result);
  }
  static constexpr size_t groups = 64;
  test::Buffer result;
  test::Kernel kernel;
};

void launch(cl_command_queue queue, cl_kernel kernel, size_t groups, cl_event* event = nullptr,
            std::vector<cl_event> waits = {}) {
  const size_t one = 1;
  REQUIRE_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &groups, &one,
                                    static_cast<cl_uint>(waits.size()),
                                    waits.empty() ? nullptr : waits.data(), event));
}

/// A native kernel that stays until the gate opens.
void stay(cl_command_queue queue, Gate& gate, cl_event* event = nullptr) {
  Gate* argument = &gate;
  const auto function = [](void* data) {
    Gate& g = **static_cast<Gate**>(data);
    g.enter();
    while (!g.is_open())
      std::this_thread::sleep_for(milliseconds(1));
  };
  REQUIRE_CL(clEnqueueNativeKernel(queue, function, &argument, sizeof argument, 0, nullptr, nullptr, 0,
                                   nullptr, event));
}

/// Asks, but does not help.
bool completes(cl_event event, const Gate& gate) {
  for (;;) {
    cl_int status = CL_QUEUED;
    REQUIRE_CL(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
    if (gate.is_open()) return false;
    if (status <= CL_COMPLETE) return status == CL_COMPLETE;
    std::this_thread::sleep_for(milliseconds(1));
  }
}

} // namespace

TEST_CASE("Overlap: a long kernel on all threads does not hold up a kernel of another queue", "[overlap]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto other = test::make_queue(session.context);
  const Sum sum(session);
  launch(other, sum.kernel, Sum::groups);
  REQUIRE_CL(clFinish(other));
  Gate gate(session);
  const auto spin = spinning(session, gate);
  launch(session.queue, spin, 64);
  REQUIRE_CL(clFlush(session.queue));
  gate.await_inside(1);
  SECTION("whose end a thread waits for") {
    launch(other, sum.kernel, Sum::groups);
    CHECK_CL(clFinish(other));
  }
  SECTION("whose end nobody waits for") {
    test::Event event;
    launch(other, sum.kernel, Sum::groups, event.address());
    CHECK(completes(event, gate));
  }
  SECTION("which is new") {
    const Sum unknown(session);
    launch(other, unknown.kernel, Sum::groups);
    CHECK_CL(clFinish(other));
  }
  SECTION("nor a large copy") {
    const auto from = session.buffer(16 << 20), to = session.buffer(16 << 20);
    REQUIRE_CL(clEnqueueCopyBuffer(other, from, to, 0, 0, 16 << 20, 0, nullptr, nullptr));
    CHECK_CL(clFinish(other));
  }
  CHECK_FALSE(gate.is_open());
  gate.open();
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("Overlap: what stays for long does not hold up the rest of an out-of-order queue", "[overlap]") {
  if (!test::is_hostcl()) return;
  const test::Session session(out_of_order);
  auto buffer = session.buffer(std::vector<cl_int>(16, 0));
  const Sum sum(session);
  Gate gate(session);
  const auto spin = spinning(session, gate);
  launch(session.queue, spin, 1);
  stay(session.queue, gate);
  REQUIRE_CL(clFlush(session.queue));
  gate.await_inside(1);
  std::vector<test::Event> events(4);
  const cl_int five = 5;
  launch(session.queue, sum.kernel, 1, events[0].address());
  launch(session.queue, sum.kernel, Sum::groups, events[1].address());
  REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &five, 4, 0, 32, 0, nullptr, events[2].address()));
  REQUIRE_CL(clEnqueueCopyBuffer(session.queue, buffer, buffer, 0, 32, 32, 1, events[2].address(),
                                 events[3].address()));
  SECTION("when a thread waits") {
    for (const cl_event event : {events[3].get(), events[0].get(), events[1].get()})
      CHECK_CL(clWaitForEvents(1, &event));
  }
  SECTION("when nobody waits") {
    for (const test::Event& event : events)
      CHECK(completes(event, gate));
  }
  CHECK_FALSE(gate.is_open());
  gate.open();
  CHECK_CL(clFinish(session.queue));
  CHECK(session.read<cl_int>(buffer, 16) == std::vector<cl_int>(16, 5));
}

TEST_CASE("Overlap: more commands that stay than there are cores do not hold up others", "[overlap]") {
  if (!test::is_hostcl()) return;
  const test::Session session(out_of_order);
  const auto in_order = test::make_queue(session.context);
  const Sum sum(session);
  Gate gate(session);
  const int staying = static_cast<int>(std::thread::hardware_concurrency()) + 2;
  for (int i = 0; i < staying; ++i)
    stay(session.queue, gate);
  REQUIRE_CL(clFlush(session.queue));
  test::Event event;
  launch(in_order, sum.kernel, Sum::groups, event.address());
  CHECK(completes(event, gate));
  gate.await_inside(staying);
  CHECK(gate.inside() == staying);
  CHECK_FALSE(gate.is_open());
  gate.open();
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("Overlap: waiting for one command of an out-of-order queue does not begin a long one",
          "[overlap]") {
  if (!test::is_hostcl()) return;
  const test::Session session(out_of_order);
  const auto buffer = session.buffer(std::vector<cl_int>(16, 0));
  for (int iteration = 0; iteration < 20; ++iteration) {
    Gate gate(session);
    for (int i = 0; i < 4; ++i)
      stay(session.queue, gate);
    const cl_int value = iteration;
    test::Event event;
    REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &value, 4, 0, 64, 0, nullptr, event.address()));
    const cl_event handle = event;
    CHECK_CL(clWaitForEvents(1, &handle));
    CHECK_FALSE(gate.is_open());
    gate.open();
    CHECK_CL(clFinish(session.queue));
  }
}

TEST_CASE("Overlap: commands of one work-group each are in flight together", "[overlap]") {
  if (!test::is_hostcl()) return;
  const test::Session session(out_of_order);
  const auto first = test::make_queue(session.context), second = test::make_queue(session.context);
  Gate gate(session);
  const auto spin = spinning(session, gate);
  SECTION("kernels of an out-of-order queue") {
    for (int i = 0; i < 3; ++i)
      launch(session.queue, spin, 1);
    REQUIRE_CL(clFlush(session.queue));
  }
  SECTION("kernels of in-order queues") {
    for (cl_command_queue queue : {session.queue.get(), first.get(), second.get()}) {
      launch(queue, spin, 1);
      REQUIRE_CL(clFlush(queue));
    }
  }
  SECTION("a native kernel, one kernel, and one behind an event of the user") {
    const auto user = test::user_event(session.context);
    launch(session.queue, spin, 1, nullptr, {user});
    stay(session.queue, gate);
    launch(session.queue, spin, 1);
    REQUIRE_CL(clFlush(session.queue));
    gate.await_inside(2);
    CHECK(gate.inside() == 2);
    CHECK_CL(clSetUserEventStatus(user, CL_COMPLETE));
  }
  gate.await_inside(3);
  CHECK(gate.inside() == 3);
  CHECK_FALSE(gate.timed_out());
  gate.open();
  for (cl_command_queue queue : {session.queue.get(), first.get(), second.get()})
    CHECK_CL(clFinish(queue));
}

TEST_CASE("Overlap: the commands of a queue do not wait for those of others that have much to do",
          "[overlap]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  std::vector<test::Queue> busy;
  const Sum sum(session);
  test::Event last;
  for (int i = 0; i < 4; ++i)
    busy.push_back(test::make_queue(session.context));
  Gate gate(session);
  launch(session.queue, sum.kernel, 1);
  REQUIRE_CL(clFinish(session.queue));
  for (int i = 0; i < 25; ++i)
    for (cl_command_queue queue : busy)
      launch(queue, sum.kernel, Sum::groups, i == 24 && queue == busy.back() ? last.address() : nullptr);
  for (cl_command_queue queue : busy)
    REQUIRE_CL(clFlush(queue));
  test::Event event;
  launch(session.queue, sum.kernel, 1, event.address());
  CHECK(completes(event, gate));
  cl_int status = CL_COMPLETE;
  REQUIRE_CL(clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  CHECK(status != CL_COMPLETE);
  for (cl_command_queue queue : busy)
    CHECK_CL(clFinish(queue));
}

namespace {

test::Queue queue_of_priority(cl_context context, cl_queue_properties priority) {
  const cl_queue_properties properties[] = {CL_QUEUE_PRIORITY_KHR, priority, 0};
  cl_int error = 1;
  test::Queue queue(clCreateCommandQueueWithProperties(context, test::device(), properties, &error));
  REQUIRE_CL(error);
  return queue;
}

/// Lets a command of each priority wait for a thread, and says whether they began in order of priority.
bool begins_with_the_highest(const test::Session& session, Gate& gate) {
  static std::atomic<int> turn;
  struct Argument {
    int* place;
  };
  const auto take_turn = [](void* data) { *static_cast<Argument*>(data)->place = turn++; };
  turn = 0;
  int place[3] = {-1, -1, -1};
  const auto start = test::user_event(session.context);
  const cl_event wait = start;
  std::vector<test::Queue> queues;
  std::vector<test::Event> events(3);
  for (cl_queue_properties priority :
       {CL_QUEUE_PRIORITY_LOW_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_HIGH_KHR}) {
    const size_t i = queues.size();
    Argument argument{place + i};
    queues.push_back(queue_of_priority(session.context, priority));
    REQUIRE_CL(clEnqueueNativeKernel(queues[i], take_turn, &argument, sizeof argument, 0, nullptr, nullptr, 1,
                                     &wait, events[i].address()));
    REQUIRE_CL(clFlush(queues[i]));
  }
  REQUIRE_CL(clSetUserEventStatus(start, CL_COMPLETE));
  for (const test::Event& event : events)
    CHECK(completes(event, gate));
  return place[2] == 0 && place[1] == 1 && place[0] == 2;
}

} // namespace

TEST_CASE("Overlap: of the queues that wait for a thread, the one of the highest priority is next",
          "[overlap]") {
  if (!test::is_hostcl()) return;
  const test::Session session(out_of_order);
  Gate gate(session);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (int i = 0; i < std::max(2, cores); ++i)
    stay(session.queue, gate);
  REQUIRE_CL(clFlush(session.queue));
  gate.await_inside(std::max(2, cores));
  // A thread may come free between the first and the last that is made to wait.
  bool in_order = false;
  for (int attempt = 0; attempt < 10 && !in_order; ++attempt)
    in_order = begins_with_the_highest(session, gate);
  CHECK(in_order);
  gate.open();
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("Overlap: profiling shows commands of an out-of-order queue at the same time", "[overlap]") {
  if (!test::is_hostcl()) return;
  const test::Session session(out_of_order | CL_QUEUE_PROFILING_ENABLE);
  Gate gate(session);
  test::Event first, second, last;
  stay(session.queue, gate, first.address());
  stay(session.queue, gate, second.address());
  const cl_event both[] = {first, second};
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 2, both, last.address()));
  REQUIRE_CL(clFlush(session.queue));
  gate.await_inside(2);
  gate.open();
  CHECK_CL(clFinish(session.queue));
  const auto at = [](cl_event event, cl_profiling_info query) {
    cl_ulong time = 0;
    REQUIRE_CL(clGetEventProfilingInfo(event, query, sizeof time, &time, nullptr));
    return time;
  };
  for (const cl_event event : {first.get(), second.get(), last.get()}) {
    CHECK(at(event, CL_PROFILING_COMMAND_QUEUED) <= at(event, CL_PROFILING_COMMAND_SUBMIT));
    CHECK(at(event, CL_PROFILING_COMMAND_SUBMIT) <= at(event, CL_PROFILING_COMMAND_START));
    CHECK(at(event, CL_PROFILING_COMMAND_START) <= at(event, CL_PROFILING_COMMAND_END));
  }
  CHECK(at(first, CL_PROFILING_COMMAND_START) < at(second, CL_PROFILING_COMMAND_END));
  CHECK(at(second, CL_PROFILING_COMMAND_START) < at(first, CL_PROFILING_COMMAND_END));
  CHECK(at(last, CL_PROFILING_COMMAND_START) >= at(first, CL_PROFILING_COMMAND_END));
  CHECK(at(last, CL_PROFILING_COMMAND_START) >= at(second, CL_PROFILING_COMMAND_END));
}

TEST_CASE("Overlap: queue and context may go while several commands run", "[overlap]") {
  if (!test::is_hostcl()) return;
  const test::Session owner;
  Gate gate(owner);
  std::vector<test::Event> events(3);
  {
    const test::Session session(out_of_order);
    for (test::Event& event : events)
      stay(session.queue, gate, event.address());
    REQUIRE_CL(clFlush(session.queue));
    gate.await_inside(2);
  }
  gate.await_inside(3);
  CHECK_FALSE(gate.timed_out());
  gate.open();
  for (const test::Event& event : events) {
    const cl_event handle = event;
    CHECK_CL(clWaitForEvents(1, &handle));
  }
}
