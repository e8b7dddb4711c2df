// Reservations of work-groups and sub-groups in pipes (OpenCL C, 6.15.14, 6.15.19.4).

#include "support/pipes.hpp"

#include <algorithm>
#include <numeric>

namespace {

using test::make_pipe;
using test::with_pipes;

} // namespace

TEST_CASE("Pipes: a work-group's reservation is one piece of the pipe", "[pipe_groups]") {
  const test::Session session;
  const test::Program program = session.build(R"(
    kernel void w(write_only pipe uint2 p, global const uint* in, global int* bad) {
      local uint scratch[512];
      uint lid = get_local_linear_id(), n = get_local_size(0) * get_local_size(1);
      scratch[n - 1 - lid] = in[get_group_id(0) * n + lid];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int iteration = 0; iteration < 2; ++iteration) {
        reserve_id_t id = work_group_reserve_write_pipe(p, n);
        if (is_valid_reserve_id(id)) {
          uint2 v = (uint2)(get_group_id(0) * 2 + iteration, scratch[lid]);
          if (write_pipe(p, id, lid, &v) != 0) *bad = 1;
          work_group_commit_write_pipe(p, id);
        } else *bad = 2;
      }
    }
    kernel void r(read_only pipe uint2 p, global uint2* out, global int* bad) {
      uint lid = get_local_linear_id(), n = get_local_size(0) * get_local_size(1);
      reserve_id_t id = work_group_reserve_read_pipe(p, 2 * n);
      if (!is_valid_reserve_id(id)) { *bad = 3; return; }
      for (uint i = lid; i < 2 * n; i += n)
        if (read_pipe(p, id, i, &out[get_group_id(0) * 2 * n + i]) != 0) *bad = 4;
      work_group_commit_read_pipe(p, id);
    })",
                                              with_pipes);
  const test::Kernel w = session.kernel(program, "w"), r = session.kernel(program, "r");
  for (const auto& [x, y] :
       {std::pair<size_t, size_t>{1, 1}, {5, 1}, {16, 1}, {64, 1}, {100, 1}, {256, 1}, {8, 4}, {5, 3}}) {
    const size_t n = x * y, groups = 40;
    CAPTURE(x, y);
    std::vector<cl_uint> numbers(n * groups);
    std::iota(numbers.begin(), numbers.end(), 1000u);
    const test::Buffer in = session.buffer(numbers), bad = session.buffer(std::vector<int>(1, 0));
    const test::Buffer out = session.buffer(2 * numbers.size() * sizeof(cl_uint2));
    const test::Buffer pipe = make_pipe(session.context, 8, static_cast<cl_uint>(2 * numbers.size()));
    test::set_arguments(w, pipe, in, bad);
    test::set_arguments(r, pipe, out, bad);
    session.run(w, {x * groups, y}, {x, y});
    session.run(r, {x * groups, y}, {x, y});
    CHECK(session.read<int>(bad, 1)[0] == 0);
    const std::vector<cl_uint2> packets = session.read<cl_uint2>(out, 2 * numbers.size());
    // Groups read pieces in any order, but each piece is one reservation's, or two of them.
    std::vector<cl_uint> pieces;
    bool is_whole = true;
    for (size_t first = 0; first < packets.size(); first += n) {
      const cl_uint piece = packets[first].s[0];
      pieces.push_back(piece);
      for (size_t i = 0; i < n; ++i)
        is_whole &=
            packets[first + i].s[0] == piece && packets[first + i].s[1] == 1000 + (piece / 2 + 1) * n - 1 - i;
    }
    CHECK(is_whole);
    std::sort(pieces.begin(), pieces.end());
    std::vector<cl_uint> expected(2 * groups);
    std::iota(expected.begin(), expected.end(), 0u);
    CHECK(pieces == expected);
  }
}

TEST_CASE("Pipes: a group's reservations keep the order of its program", "[pipe_groups]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(R"(
    kernel void k(write_only pipe int p) {
      for (int iteration = 0; iteration < 5; ++iteration) {
        reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
        int v = iteration * 1000 + get_local_id(0);
        write_pipe(p, id, get_local_id(0), &v);
        work_group_commit_write_pipe(p, id);
      }
    })",
                                             "k", with_pipes);
  for (size_t n : {1, 4, 24, 100}) {
    const test::Buffer pipe = make_pipe(session.context, 4, 1000);
    test::set_arguments(kernel, pipe);
    session.run(kernel, n, n);
    std::vector<int> expected;
    for (int iteration = 0; iteration < 5; ++iteration)
      for (int i = 0; i < static_cast<int>(n); ++i)
        expected.push_back(iteration * 1000 + i);
    CHECK(test::drain<int>(session, pipe, "int", 1000) == expected);
  }
}

TEST_CASE("Pipes: a group's reservation that does not fit is invalid for all of the group", "[pipe_groups]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(R"(
    kernel void k(write_only pipe int p, global int* valid) {
      reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
      valid[get_global_id(0)] = is_valid_reserve_id(id);
      if (is_valid_reserve_id(id)) {
        int v = get_group_id(0);
        write_pipe(p, id, get_local_id(0), &v);
        work_group_commit_write_pipe(p, id);
      }
    })",
                                             "k", with_pipes);
  constexpr size_t n = 32, groups = 20;
  const test::Buffer pipe = make_pipe(session.context, 4, 5 * n + n / 2),
                     valid = session.buffer(n * groups * 4);
  test::set_arguments(kernel, pipe, valid);
  session.run(kernel, n * groups, n);
  const std::vector<int> all = session.read<int>(valid, n * groups);
  size_t whole = 0;
  for (size_t group = 0; group < groups; ++group) {
    const auto sum = std::accumulate(&all[group * n], &all[group * n] + n, 0);
    CHECK((sum == 0 || sum == n));
    whole += sum == n;
  }
  CHECK(whole == 5);
  CHECK(test::drain<int>(session, pipe, "int", 6 * n).size() == 5 * n);
}

TEST_CASE("Pipes: a sub-group's reservation is one piece of the pipe", "[pipe_groups]") {
  const test::Session session;
  const test::Program program = session.build(R"(
    kernel void w(write_only pipe uint4 p, global int* bad) {
      uint n = get_sub_group_size(), lane = get_sub_group_local_id();
      if (get_sub_group_id() % 3 == 1) return;
      reserve_id_t id = sub_group_reserve_write_pipe(p, n);
      if (is_valid_reserve_id(id)) {
        uint4 v = (uint4)(get_group_id(0), get_sub_group_id(), lane, n);
        if (write_pipe(p, id, lane, &v) != 0) *bad = 1;
        sub_group_commit_write_pipe(p, id);
      } else *bad = 2;
    }
    kernel void r(read_only pipe uint4 p, global int* bad) {
      uint n = get_sub_group_size(), lane = get_sub_group_local_id();
      if (get_sub_group_id() % 3 == 1) return;
      reserve_id_t id = sub_group_reserve_read_pipe(p, n);
      uint4 v;
      if (!is_valid_reserve_id(id)) { *bad = 3; return; }
      if (read_pipe(p, id, lane, &v) != 0) *bad = 4;
      sub_group_commit_read_pipe(p, id);
    })",
                                              with_pipes);
  for (size_t group : {1, 16, 50, 128}) {
    CAPTURE(group);
    const test::Kernel w = session.kernel(program, "w"), r = session.kernel(program, "r");
    const test::Buffer pipe = make_pipe(session.context, 16, 5000);
    const test::Buffer bad = session.buffer(std::vector<int>(1, 0));
    test::set_arguments(w, pipe, bad);
    test::set_arguments(r, pipe, bad);
    session.run(w, 20 * group, group);
    const auto packets = test::drain<cl_uint4>(session, pipe, "uint4", 5000);
    CHECK(packets.size() >= 20);
    bool is_whole = true;
    for (size_t first = 0; first < packets.size(); first += packets[first].s[3])
      for (cl_uint i = 0; i < packets[first].s[3]; ++i) {
        const cl_uint4& packet = packets.at(first + i);
        is_whole &=
            packet.s[0] == packets[first].s[0] && packet.s[1] == packets[first].s[1] && packet.s[2] == i;
      }
    CHECK(is_whole);
    session.run(w, 20 * group, group);
    session.run(r, 20 * group, group);
    CHECK(session.read<int>(bad, 1)[0] == 0);
    CHECK(test::drain<cl_uint4>(session, pipe, "uint4", 5000).empty());
  }
}
