// Launches of one kernel whose buffers overlap now and then: recorded, waiting, in several queues, enqueued by kernels;
// and kernels that compute with addresses.

#include "support/device_queue.hpp"
#include "support/mutable_dispatch.hpp"
#include "support/overlapping.hpp"

using namespace test::overlap;

namespace {

constexpr Places disjoint{0, 1024}, overlapping{0, 32};

/// What the kernel `name` leaves of numbers.
std::vector<cl_uint> result(std::vector<cl_uint> values, const char* name, const Places& places) {
  run_on_host(name, values.data() + places.in, values.data() + places.out);
  return values;
}

void set(Memory& memory, cl_kernel kernel, const Places& places) {
  memory.set(kernel, 0, places.in);
  memory.set(kernel, 1, places.out);
  REQUIRE_CL(test::set_argument(kernel, 2, cl_uint(count)));
}

void enqueue(cl_command_queue queue, cl_kernel kernel, const std::vector<cl_event>& waits = {}) {
  const size_t one = 1;
  REQUIRE_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, cl_uint(waits.size()),
                                    waits.empty() ? nullptr : waits.data(), nullptr));
}

} // namespace

TEST_CASE("Overlapping launches: arguments are those of the call that enqueues", "[overlapping_launches]") {
  const test::Session session;
  const auto program = session.build(source);
  for (const char* name : kernel_names) {
    const auto kernel = session.kernel(program, name);
    Parts first(session), second(session);
    const std::vector<cl_uint> before = first.fill(1);
    second.fill(1);
    const auto gate = test::user_event(session.context);
    set(first, kernel, overlapping);
    enqueue(session.queue, kernel, {gate});
    set(second, kernel, disjoint);
    enqueue(session.queue, kernel, {gate});
    set(second, kernel, overlapping);
    REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
    CAPTURE(name);
    CHECK(first.read() == result(before, name, overlapping));
    CHECK(second.read() == result(before, name, disjoint));
  }
}

TEST_CASE("Overlapping launches: several queues have launches of both kinds", "[overlapping_launches]") {
  const test::Session session;
  const auto program = session.build(source);
  const auto other_queue = test::make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const char* name : {"sum", "move", "count"}) {
    const auto first = session.kernel(program, name), second = session.kernel(program, name);
    Parts near(session), far(session);
    int wrong = 0;
    for (cl_uint iteration = 0; iteration < 100; ++iteration) {
      const std::vector<cl_uint> of_near = near.fill(iteration), of_far = far.fill(iteration + 1);
      set(near, first, overlapping);
      set(far, second, disjoint);
      enqueue(other_queue, first);
      enqueue(session.queue, second);
      REQUIRE_CL(clFlush(other_queue));
      REQUIRE_CL(clFinish(session.queue));
      REQUIRE_CL(clFinish(other_queue));
      wrong += near.read() != result(of_near, name, overlapping);
      wrong += far.read() != result(of_far, name, disjoint);
    }
    CAPTURE(name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("Overlapping launches: a command buffer's arguments change", "[overlapping_launches]") {
  if (!cb::is_supported()) return;
  const test::Session session;
  const auto program = session.build(source);
  for (const char* name : kernel_names) {
    const auto kernel = session.kernel(program, name);
    auto whole = session.buffer(words * sizeof(cl_uint));
    const auto part = [&](size_t word) {
      const cl_buffer_region region{word * sizeof(cl_uint), (count + 40) * sizeof(cl_uint)};
      return test::Buffer(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
    };
    const auto in = part(disjoint.in), out = part(disjoint.out), close = part(overlapping.out);
    test::set_arguments(kernel, in, out, cl_uint(count));
    const cb::Buffer buffer({session.queue}, {cb::flags, cb::mutable_commands});
    const cb::Command command = buffer.mutable_launch(kernel, 1);
    buffer.finalize();
    std::vector<cl_uint> values(words);
    for (size_t i = 0; i < words; ++i)
      values[i] = cl_uint(i * i);
    REQUIRE_CL(clEnqueueWriteBuffer(session.queue, whole, CL_TRUE, 0, words * sizeof(cl_uint), values.data(),
                                    0, nullptr, nullptr));
    CAPTURE(name);
    for (const Places& places : {disjoint, overlapping, disjoint, overlapping}) {
      const cl_mem written = places.out == disjoint.out ? out : close;
      const std::vector<cb::Argument> arguments{{1, sizeof written, &written}};
      buffer.update({test::mutable_dispatch::with_arguments(command, arguments)});
      for (int run = 0; run < 2; ++run) {
        values = result(values, name, places);
        buffer.enqueue();
        CHECK(session.read<cl_uint>(whole, words) == values);
      }
    }
  }
}

TEST_CASE("Overlapping launches: a block's pointers are of one buffer", "[overlapping_launches]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* in, global uint* out, uint n) {
      if (get_global_id(0) != 0) return;
      for (uint i = 0; i < n; ++i) out[i] += in[i];
      global uint *p = in, *q = in + 8;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        for (uint i = 0; i < n; ++i) q[2] += p[i] * 3 + 1;
      });
    })",
                                     "k", "-cl-std=CL3.0");
  std::vector<cl_uint> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = cl_uint(i * 5);
  const auto in = session.buffer(values), out = session.buffer(values);
  test::set_arguments(kernel, in, out, cl_uint(count));
  session.run(kernel, 1);
  for (size_t i = 0; i < count; ++i)
    values[10] += values[i] * 3 + 1;
  CHECK(session.read<cl_uint>(in, count) == values);
}

TEST_CASE("Overlapping launches: addresses that are compared, and numbers made of them",
          "[overlapping_launches]") {
  const test::Session session;
  const auto program = session.build(R"(
    kernel void numbers(global uint* in, global uint* out, uint n) {
      const ulong end = (ulong)(in + n), begin = (ulong)out;
      const ulong either = end == begin ? begin : end;
      for (uint i = 0; i < n; ++i) { *(global uint*)either += in[i]; out[1] += out[0]; }
    }
    kernel void difference(global uint* in, global uint* out, uint n) {
      const long far = out - in;
      for (uint i = 0; i < n; ++i) { in[far] += in[i]; out[1] += out[0]; }
    }
    kernel void compared(global uint* in, global uint* out, uint n) {
      global uint* end = in + n;
      for (uint i = 0; i < n; ++i) {
        if (end == out) *out += in[i];
        out[1] += out[0];
      }
    }
    kernel void stored(global uint* in, global uint* out, uint n) {
      union { global uint* pointer; ulong number; } end, begin;
      end.pointer = in + n;
      begin.pointer = out;
      end.number = end.number == begin.number ? begin.number : end.number;
      for (uint i = 0; i < n; ++i) { *end.pointer += in[i]; out[1] += out[0]; }
    }
    kernel void through_memory(global uint* in, global uint* out, uint n, global ulong* place) {
      *place = (ulong)out;
      for (uint i = 0; i < n; ++i) { **(global uint* global*)place += in[i]; out[1] += out[0]; }
    })");
  std::vector<cl_uint> values(2 * count);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = cl_uint(i * 3 + 2);
  const auto place = session.buffer(8);
  for (const char* name : {"numbers", "difference", "compared", "stored", "through_memory"}) {
    const auto kernel = session.kernel(program, name);
    const auto whole = session.buffer(values);
    const auto part = [&](size_t word) { // parts that touch each other
      const cl_buffer_region region{word * sizeof(cl_uint), count * sizeof(cl_uint)};
      return test::Buffer(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
    };
    const auto in = part(0), out = part(count);
    test::set_arguments(kernel, in, out, cl_uint(count));
    if (std::string_view(name) == "through_memory") REQUIRE_CL(test::set_argument(kernel, 3, place));
    session.run(kernel, 1);
    std::vector<cl_uint> expected = values;
    for (size_t i = 0; i < count; ++i) {
      expected[count] += expected[i];
      expected[count + 1] += expected[count];
    }
    CAPTURE(name);
    CHECK(session.read<cl_uint>(whole, values.size()) == expected);
  }
}
