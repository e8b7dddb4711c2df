// Pipes between kernels that run at once.

#include "support/pipes.hpp"

#include <algorithm>

namespace {

using test::make_pipe;
using test::with_pipes;

/// Writers wait while the pipe is full, readers while it is empty: each work-item writes or reads `each`
/// packets, whatever they are given to do it with.
constexpr const char* waiting = R"(
  kernel void w(write_only pipe uint p, uint each) {
    for (uint i = 0; i < each; ++i) {
      uint v = get_global_id(0) * each + i;
      while (write_pipe(p, &v) != 0) {}
    }
  }
  kernel void w_reserved(write_only pipe uint p, uint each) {
    for (uint i = 0; i < each; i += 2) {
      reserve_id_t id;
      do id = reserve_write_pipe(p, 2); while (!is_valid_reserve_id(id));
      for (uint k = 2; k-- > 0;) { uint v = get_global_id(0) * each + i + k; write_pipe(p, id, k, &v); }
      commit_write_pipe(p, id);
    }
  }
  kernel void r(read_only pipe uint p, uint each, global uint* seen) {
    for (uint i = 0; i < each; ++i) {
      uint v;
      while (read_pipe(p, &v) != 0) {}
      atomic_inc(&seen[v]);
    }
  }
  kernel void r_reserved(read_only pipe uint p, uint each, global uint* seen) {
    for (uint i = 0; i < each; i += 2) {
      reserve_id_t id;
      do id = reserve_read_pipe(p, 2); while (!is_valid_reserve_id(id));
      for (uint k = 0; k < 2; ++k) { uint v; read_pipe(p, id, k, &v); atomic_inc(&seen[v]); }
      commit_read_pipe(p, id);
    }
  })";

bool all_once(const std::vector<cl_uint>& seen) {
  return std::all_of(seen.begin(), seen.end(), [](cl_uint times) { return times == 1; });
}

} // namespace

TEST_CASE("Pipes: kernels in two queues wait for each other's packets", "[pipe_contention]") {
  if (!test::is_hostcl()) return; // OpenCL does not promise that both run
  const test::Session session;
  const test::Queue other = test::make_queue(session.context);
  const test::Program program = session.build(waiting, with_pipes);
  for (const auto& [write, read] :
       {std::pair{"w", "r"}, {"w_reserved", "r"}, {"w", "r_reserved"}, {"w_reserved", "r_reserved"}})
    for (const cl_uint slots : {2u, 7u, 1000u}) {
      constexpr cl_uint items = 40, each = 100;
      CAPTURE(write, read, slots);
      const test::Kernel w = session.kernel(program, write), r = session.kernel(program, read);
      const test::Buffer pipe = make_pipe(session.context, 4, slots);
      const test::Buffer seen = session.buffer(std::vector<cl_uint>(items * each, 0));
      test::set_arguments(w, pipe, each);
      test::set_arguments(r, pipe, each, seen);
      const size_t global = items, local = 1;
      REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, w, 1, nullptr, &global, &local, 0, nullptr, nullptr));
      REQUIRE_CL(clEnqueueNDRangeKernel(other, r, 1, nullptr, &global, &local, 0, nullptr, nullptr));
      REQUIRE_CL(clFlush(session.queue));
      REQUIRE_CL(clFlush(other));
      REQUIRE_CL(clFinish(session.queue));
      REQUIRE_CL(clFinish(other));
      CHECK(all_once(session.read<cl_uint>(seen, items * each)));
      CHECK(test::drain<cl_uint>(session, pipe, "uint", slots).empty());
    }
}

TEST_CASE("Pipes: launches of many work-items at once lose nothing", "[pipe_contention]") {
  const test::Session session;
  const test::Program program = session.build(R"(
    kernel void w(write_only pipe uint4 p, uint first, global uint* failed) {
      uint i = first + get_global_id(0);
      uint4 v = (uint4)(i, ~i, i * 3, i ^ 0x5555);
      if (write_pipe(p, &v) != 0) failed[i] = 1;
    }
    kernel void r(read_only pipe uint4 p, global uint* seen, global uint* torn) {
      uint4 v;
      while (read_pipe(p, &v) == 0) {
        atomic_inc(&seen[v.x]);
        if (v.y != ~v.x || v.z != v.x * 3 || v.w != (v.x ^ 0x5555)) atomic_inc(torn);
      }
    })",
                                              with_pipes);
  constexpr cl_uint items = 1 << 16, launches = 12;
  for (const cl_uint slots : {items * launches, 5000u}) {
    CAPTURE(slots);
    const test::Buffer pipe = make_pipe(session.context, 16, slots);
    const test::Buffer failed = session.buffer(std::vector<cl_uint>(items * launches, 0)),
                       seen = session.buffer(std::vector<cl_uint>(items * launches, 0)),
                       torn = session.buffer(std::vector<cl_uint>(1, 0));
    std::vector<test::Queue> queues;
    for (cl_uint q = 0; q < 3; ++q)
      queues.push_back(test::make_queue(session.context));
    for (cl_uint launch = 0; launch < launches; ++launch) {
      const cl_command_queue queue = queues[launch % queues.size()];
      const test::Kernel w = session.kernel(program, "w"), r = session.kernel(program, "r");
      test::set_arguments(w, pipe, launch * items, failed);
      test::set_arguments(r, pipe, seen, torn);
      const size_t global = items, local = 64, readers = 256;
      REQUIRE_CL(clEnqueueNDRangeKernel(queue, w, 1, nullptr, &global, &local, 0, nullptr, nullptr));
      REQUIRE_CL(clEnqueueNDRangeKernel(queue, r, 1, nullptr, &readers, nullptr, 0, nullptr, nullptr));
      REQUIRE_CL(clFlush(queue));
    }
    for (const test::Queue& queue : queues)
      REQUIRE_CL(clFinish(queue));
    const test::Kernel r = session.kernel(program, "r");
    test::set_arguments(r, pipe, seen, torn);
    session.run(r, 1);
    const auto not_written = session.read<cl_uint>(failed, items * launches),
               read = session.read<cl_uint>(seen, items * launches);
    bool is_right = true;
    for (size_t i = 0; i < read.size(); ++i)
      is_right &= read[i] + not_written[i] == 1;
    CHECK(is_right);
    CHECK(session.read<cl_uint>(torn, 1)[0] == 0);
    if (slots != 5000) CHECK(std::count(not_written.begin(), not_written.end(), 1u) == 0);
  }
}

TEST_CASE("Pipes: each work-item's packets keep their order among others'", "[pipe_contention]") {
  const test::Session session;
  const test::Kernel w = session.kernel(R"(
    kernel void w(write_only pipe uint p, uint each) {
      for (uint i = 0; i < each; ++i) { uint v = get_global_id(0) << 16 | i; write_pipe(p, &v); }
      reserve_id_t id = reserve_write_pipe(p, 3);
      for (uint i = 0; i < 3; ++i) { uint v = get_global_id(0) << 16 | (each + i); write_pipe(p, id, i, &v); }
      commit_write_pipe(p, id);
    })",
                                        "w", with_pipes);
  constexpr cl_uint items = 2000, each = 20;
  const test::Buffer pipe = make_pipe(session.context, 4, items * (each + 3));
  test::set_arguments(w, pipe, each);
  session.run(w, items);
  const auto packets = test::drain<cl_uint>(session, pipe, "uint", items * (each + 3));
  REQUIRE(packets.size() == items * (each + 3));
  std::vector<cl_uint> next(items, 0);
  bool is_right = true;
  for (size_t i = 0; i < packets.size(); ++i) {
    const cl_uint item = packets[i] >> 16, number = packets[i] & 0xffff;
    is_right &= number == next.at(item)++;
    if (number == each)
      is_right &= packets.at(i + 1) == packets[i] + 1 && packets.at(i + 2) == packets[i] + 2;
  }
  CHECK(is_right);
}
