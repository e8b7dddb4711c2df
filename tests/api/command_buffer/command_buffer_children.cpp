// Command buffers with launches of kernels that enqueue kernels (CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR).

#include "support/command_buffer.hpp"
#include "support/device_queue.hpp"

#include <numeric>

namespace cb = test::cb;

namespace {

bool is_supported() {
  return cb::is_supported() && test::has_device_queues();
}

/// Each work-item has a child add `x` to its number 4 times; then all numbers are doubled by a child of one item.
const char* const source = R"(
  kernel void grow(global int* p, int x) {
    const int i = get_global_id(0);
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4),
                   ^{ atomic_add(&p[i], x); });
  }
  kernel void twice(global int* p, int n) {
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n),
                   ^{ p[get_global_id(0)] *= 2; });
  })";

constexpr cl_int items = 50;

struct World {
  explicit World(cl_command_queue_properties properties = 0) : session(properties) {}
  test::EnqueueSession session;
  test::Program program = session.build(source, "-cl-std=CL3.0");
  test::Kernel grow = session.kernel(program, "grow"), twice = session.kernel(program, "twice");
  test::Buffer numbers = session.buffer(std::vector<cl_int>(items));

  cb::Buffer recorded(std::vector<cb::Property> properties = {}) const {
    cb::Buffer buffer({session.queue}, std::move(properties));
    test::set_arguments(grow, numbers, cl_int{3});
    test::set_arguments(twice, numbers, items);
    const cb::Point first = buffer.launch(grow, items);
    const cb::Point second = buffer.launch(twice, 1, {first});
    buffer.launch(grow, items, {second});
    buffer.finalize();
    return buffer;
  }
  std::vector<cl_int> read() const {
    REQUIRE_CL(clFinish(session.queue));
    return session.read<cl_int>(numbers, items);
  }
};

cl_int after(int runs) {
  cl_int value = 0;
  for (int run = 0; run < runs; ++run)
    value = (value + 12) * 2 + 12;
  return value;
}

} // namespace

TEST_CASE("Command buffer: children are complete before the next launch, in each run",
          "[command_buffer_children]") {
  if (!is_supported()) return;
  const World w(GENERATE(cl_command_queue_properties{0}, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
  const auto buffer = w.recorded();
  for (int run = 1; run <= 5; ++run) {
    CHECK_CL(clWaitForEvents(1, buffer.enqueue_event().address()));
    CHECK(w.read() == std::vector<cl_int>(items, after(run)));
  }
}

TEST_CASE("Command buffer: runs with children follow each other while they are pending",
          "[command_buffer_children]") {
  if (!is_supported()) return;
  const World w;
  const auto buffer = w.recorded({cb::flags, cb::simultaneous_use});
  for (int run = 0; run < 6; ++run)
    buffer.enqueue();
  CHECK(w.read() == std::vector<cl_int>(items, after(6)));
}

TEST_CASE("Command buffer: children run after kernels, programs and the command buffer are released",
          "[command_buffer_children]") {
  if (!is_supported()) return;
  World w;
  {
    const auto buffer = w.recorded();
    w.grow = test::Kernel();
    w.twice = test::Kernel();
    w.program = test::Program();
    buffer.enqueue();
  }
  CHECK(w.read() == std::vector<cl_int>(items, after(1)));
}

TEST_CASE("Command buffer: the default queue on the device is that of the enqueue",
          "[command_buffer_children]") {
  if (!is_supported()) return;
  World w;
  const auto buffer = w.recorded();
  const test::Event gate = test::user_event(w.session.context);
  auto event = buffer.enqueue_event({gate});
  w.session.device_queue = test::Queue(); // while the command waits
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  CHECK_CL(clWaitForEvents(1, event.address()));
  CHECK(w.read() == std::vector<cl_int>(items, after(1)));
}
