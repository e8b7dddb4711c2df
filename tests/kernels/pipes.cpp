// The pipe functions of OpenCL C (6.15.14, 6.15.19.4).

#include "support/pipes.hpp"

#include <algorithm>
#include <numeric>

namespace {

using test::make_pipe;
using test::with_pipes;

/// Packets of `bytes` bytes that differ in all of them.
std::vector<cl_uchar> packets_of(size_t count, size_t bytes) {
  std::vector<cl_uchar> data(count * bytes);
  for (size_t i = 0; i < count; ++i)
    for (size_t b = 0; b < bytes; ++b)
      data[i * bytes + b] = static_cast<cl_uchar>((i * 7 + b * 31 + (i >> 8) * 13) & 0xff);
  return data;
}

/// The packets as strings, sorted: work-items may write and read them in any order.
/// @param used bytes at the start of each packet that are not padding
std::vector<std::string> sorted_packets(const std::vector<cl_uchar>& data, size_t bytes, size_t used) {
  std::vector<std::string> packets;
  for (size_t i = 0; i < data.size(); i += bytes)
    packets.emplace_back(reinterpret_cast<const char*>(&data[i]), used);
  std::sort(packets.begin(), packets.end());
  return packets;
}

/// Writes packets of a type by one work-item each, and reads them by as many.
void check_type(const test::Session& session, const std::string& declaration, const std::string& type,
                size_t bytes, size_t count, size_t group, size_t padding = 0) {
  CAPTURE(type, bytes, count, group);
  const std::string source =
      declaration + "kernel void w(global const " + type + "* in, write_only pipe " + type +
      " p, global int* status) { " + type +
      " v = in[get_global_id(0)]; status[get_global_id(0)] = write_pipe(p, &v); }\n"
      "kernel void r(read_only pipe " +
      type + " p, global " + type +
      "* out, global int* status) { status[get_global_id(0)] = read_pipe(p, out + get_global_id(0)); }";
  const test::Program program = session.build(source.c_str(), with_pipes);
  const test::Kernel w = session.kernel(program, "w"), r = session.kernel(program, "r");
  const std::vector<cl_uchar> data = packets_of(count, bytes);
  const test::Buffer in = session.buffer(data), out = session.buffer(data.size());
  const test::Buffer status = session.buffer(std::vector<int>(count, 99));
  const test::Buffer pipe =
      make_pipe(session.context, static_cast<cl_uint>(bytes), static_cast<cl_uint>(count));
  test::set_arguments(w, in, pipe, status);
  test::set_arguments(r, pipe, out, status);
  const auto check_status = [&](int expected) {
    const std::vector<int> all = session.read<int>(status, count);
    CHECK(std::all_of(all.begin(), all.end(), [&](int s) { return expected < 0 ? s < 0 : s == expected; }));
  };
  for (int round = 0; round < 2; ++round) {
    session.run(w, count, group);
    check_status(0);
    session.run(w, count, group);
    check_status(-1); // the pipe is full
    session.run(r, count, group);
    check_status(0);
    const auto read = session.read<cl_uchar>(out, data.size());
    CHECK((sorted_packets(read, bytes, bytes - padding) == sorted_packets(data, bytes, bytes - padding)));
    session.run(r, count, group);
    check_status(-1); // the pipe is empty
  }
}

/// Runs a kernel k(write_only pipe int, read_only pipe int, global int*) once, with the same pipe for both,
/// and returns what it has left in the 64 numbers.
std::vector<int> run_on_both_ends(const test::Session& session, const char* source, cl_uint max_packets,
                                  const char* options = with_pipes) {
  const test::Kernel kernel = session.kernel(source, "k", options);
  const test::Buffer pipe = make_pipe(session.context, 4, max_packets);
  const test::Buffer out = session.buffer(std::vector<int>(64, 0));
  test::set_arguments(kernel, pipe, pipe, out);
  session.run(kernel, 1);
  return session.read<int>(out, 64);
}

} // namespace

TEST_CASE("Pipes: packets of every type arrive whole, each once", "[pipes]") {
  const test::Session session;
  const size_t group = GENERATE(1, 16, 50);
  for (const auto& [scalar, bytes] : {std::pair<std::string, size_t>{"char", 1},
                                      {"ushort", 2},
                                      {"int", 4},
                                      {"ulong", 8},
                                      {"float", 4},
                                      {"double", 8}})
    for (size_t width : {1, 2, 3, 4, 8, 16}) {
      if (group != 16 && width != 1 && width != 3) continue;
      check_type(session, "", width == 1 ? scalar : scalar + std::to_string(width),
                 bytes * (width == 3 ? 4 : width), 600, group, width == 3 ? bytes : 0);
    }
  check_type(session, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n", "half4", 8, 600, group);
}

TEST_CASE("Pipes: packets may be structures of any size", "[pipes]") {
  const test::Session session;
  for (size_t bytes : {1, 2, 3, 5, 7, 12, 24, 33, 100, 1000, 1024, 4095})
    check_type(session, "typedef struct { uchar b[" + std::to_string(bytes) + "]; } packet;\n", "packet",
               bytes, 200, 40);
  check_type(session, "typedef struct { uchar b[65536]; } packet;\n", "packet", 65536, 5, 5);
  check_type(session, "typedef struct { float4 b[2]; int a; char c; } packet;\n", "packet", 48, 300, 20, 11);
  check_type(session, "typedef union { int a; char c[3]; } packet;\n", "packet", 4, 300, 20);
}

TEST_CASE("Pipes: a work-item's packets keep their order, over many rounds of the pipe", "[pipes]") {
  const test::Session session;
  for (cl_uint slots : {1, 2, 3, 5, 7, 8, 100, 1000}) {
    CAPTURE(slots);
    const test::Kernel kernel = session.kernel(R"(
      kernel void k(write_only pipe int p, read_only pipe int q, uint slots, global int* out) {
        int next = 0, expected = 0, v;
        for (int round = 0; round < 500; ++round) {
          uint n = round % (slots + 1);
          for (uint i = 0; i < n; ++i) if (write_pipe(p, &next) == 0) ++next; else out[0]++;
          if (get_pipe_num_packets(p) != n || get_pipe_num_packets(q) != n) out[1]++;
          for (uint i = 0; i < n; ++i) {
            if (read_pipe(q, &v) != 0) out[2]++;
            if (v != expected++) out[3]++;
          }
          if (read_pipe(q, &v) >= 0) out[4]++;
        }
        if (get_pipe_max_packets(p) != slots || get_pipe_max_packets(q) != slots) out[5]++;
        out[6] = next;
      })",
                                               "k", with_pipes);
    const test::Buffer pipe = make_pipe(session.context, 4, slots),
                       out = session.buffer(std::vector<int>(7, 0));
    test::set_arguments(kernel, pipe, pipe, slots, out);
    session.run(kernel, 1);
    int written = 0;
    for (int round = 0; round < 500; ++round)
      written += static_cast<int>(static_cast<cl_uint>(round) % (slots + 1));
    CHECK(session.read<int>(out, 7) == std::vector<int>{0, 0, 0, 0, 0, 0, written});
  }
}

TEST_CASE("Pipes: what does not fit is refused, the rest is not", "[pipes]") {
  const test::Session session;
  const test::Program program = session.build(R"(
    kernel void w(write_only pipe uint p, global uint* done) {
      uint v = get_global_id(0);
      if (write_pipe(p, &v) == 0) atomic_inc(done);
    }
    kernel void r(read_only pipe uint p, global uint* done, global uint* seen) {
      uint v;
      if (read_pipe(p, &v) == 0) { atomic_inc(done); atomic_inc(&seen[v]); }
    })",
                                              with_pipes);
  const test::Kernel w = session.kernel(program, "w"), r = session.kernel(program, "r");
  for (size_t slots : {1, 3, 17, 1000, 4999})
    for (size_t group : {1, 7, 64, 500}) {
      const size_t items = 5000 / group * group;
      if (slots > items) continue;
      CAPTURE(slots, group);
      const test::Buffer pipe = make_pipe(session.context, 4, static_cast<cl_uint>(slots));
      const test::Buffer done = session.buffer(std::vector<cl_uint>(2, 0));
      const test::Buffer seen = session.buffer(std::vector<cl_uint>(items, 0));
      test::set_arguments(w, pipe, done);
      session.run(w, items, group);
      CHECK(session.read<cl_uint>(done, 1)[0] == slots);
      test::set_arguments(r, pipe, done, seen);
      session.run(r, items, group);
      CHECK(session.read<cl_uint>(done, 1)[0] == 2 * slots);
      const std::vector<cl_uint> counts = session.read<cl_uint>(seen, items);
      CHECK(std::count(counts.begin(), counts.end(), 1u) == static_cast<std::ptrdiff_t>(slots));
      CHECK(std::accumulate(counts.begin(), counts.end(), 0u) == slots);
    }
}

TEST_CASE("Pipes: reservations are ordered as they are made, and visible when all before are committed",
          "[pipes]") {
  const test::Session session;
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL2.0", "-cl-std=CLC++1.0", "-cl-std=CLC++2021"}) {
    CAPTURE(options);
    const std::vector<int> out = run_on_both_ends(session, R"(
      kernel void k(write_only pipe int p, read_only pipe int q, global int* out) {
        int v;
        reserve_id_t first = reserve_write_pipe(p, 3), second = reserve_write_pipe(p, 2);
        out[0] = is_valid_reserve_id(first) && is_valid_reserve_id(second);
        for (int i = 0; i < 2; ++i) { v = 20 + i; out[1] |= write_pipe(p, second, i, &v); }
        commit_write_pipe(p, second);
        out[2] = get_pipe_num_packets(q);
        out[3] = read_pipe(q, &v);
        for (int i = 2; i >= 0; --i) { v = 10 + i; out[4] |= write_pipe(p, first, i, &v); }
        v = 7; write_pipe(p, first, 1, &v); v = 11; write_pipe(p, first, 1, &v);
        out[5] = get_pipe_num_packets(q);
        commit_write_pipe(p, first);
        out[6] = get_pipe_num_packets(q);
        reserve_id_t r = reserve_read_pipe(q, 2), s = reserve_read_pipe(q, 2);
        out[7] = is_valid_reserve_id(r) && is_valid_reserve_id(s) && !is_valid_reserve_id(reserve_read_pipe(q, 2));
        for (int i = 0; i < 2; ++i) { read_pipe(q, r, i, &out[8 + i]); read_pipe(q, s, i, &out[10 + i]); }
        read_pipe(q, r, 0, &out[12]);
        commit_read_pipe(q, s);
        out[13] = get_pipe_num_packets(q);
        read_pipe(q, &out[14]);
        commit_read_pipe(q, r);
        out[15] = get_pipe_num_packets(q);
      })",
                                                  8, options);
    CHECK(out[0] == 1);
    CHECK(out[1] == 0);
    CHECK(out[2] == 0); // behind `first`, which is not committed
    CHECK(out[3] < 0);
    CHECK(out[4] == 0);
    CHECK(out[5] == 0);
    CHECK(out[6] == 5);
    CHECK(out[7] == 1);
    CHECK(std::vector<int>(&out[8], &out[13]) == std::vector<int>{10, 11, 12, 20, 10});
    CHECK(out[13] == 5); // `r`, before them, is not committed
    CHECK(out[14] == 21);
    CHECK(out[15] == 0);
  }
}

TEST_CASE("Pipes: reservations that do not fit are invalid, as are packets that they do not have",
          "[pipes]") {
  const test::Session session;
  const std::vector<int> out = run_on_both_ends(session, R"(
    kernel void k(write_only pipe int p, read_only pipe int q, global int* out) {
      int v = 5;
      out[0] = is_valid_reserve_id(reserve_write_pipe(p, 6));
      out[1] = is_valid_reserve_id(reserve_write_pipe(p, 0xffffffff));
      out[2] = is_valid_reserve_id(reserve_read_pipe(q, 1));
      out[3] = is_valid_reserve_id(CLK_NULL_RESERVE_ID);
      reserve_id_t all = reserve_write_pipe(p, 5);
      out[4] = is_valid_reserve_id(all);
      out[5] = is_valid_reserve_id(reserve_write_pipe(p, 1));
      out[6] = write_pipe(p, &v);
      out[7] = write_pipe(p, all, 4, &v);
      out[8] = write_pipe(p, all, 5, &v);
      out[9] = write_pipe(p, all, 0xffffffff, &v);
      commit_write_pipe(p, all);
      reserve_id_t none = reserve_write_pipe(p, 0);
      out[10] = is_valid_reserve_id(none);
      out[11] = write_pipe(p, none, 0, &v);
      commit_write_pipe(p, none);
      out[12] = get_pipe_num_packets(q);
    })",
                                                5);
  for (int i : {0, 1, 2, 3, 5})
    CHECK(out[i] == 0);
  CHECK(out[4] == 1);
  CHECK(out[6] < 0);
  CHECK(out[7] == 0);
  CHECK(out[8] < 0);
  CHECK(out[9] < 0);
  CHECK(out[10] == 1); // nothing always fits
  CHECK(out[11] < 0);
  CHECK(out[12] == 5);
}

TEST_CASE("Pipes: programs may have debug information, and the null reservation any number of times",
          "[pipes]") {
  const test::Session session;
  for (int program = 0; program < 20; ++program) {
    const std::string source = R"(
      kernel void k(write_only pipe int p, read_only pipe int q, global int* out) {
        int v = NUMBER;
        reserve_id_t ids[2];
        ids[0] = reserve_write_pipe(p, 1);
        ids[1] = CLK_NULL_RESERVE_ID;
        reserve_id_t id = out[1] ? ids[1] : ids[0], none = out[1] ? id : CLK_NULL_RESERVE_ID;
        out[0] = is_valid_reserve_id(id) + 2 * is_valid_reserve_id(none) + 4 * is_valid_reserve_id(ids[1]);
        write_pipe(p, id, 0, &v);
        commit_write_pipe(p, id);
        read_pipe(q, &out[2]);
      })";
    for (const char* options : {"-cl-std=CL3.0 -g", "-cl-std=CLC++2021"}) {
      const std::string number = " -DNUMBER=" + std::to_string(program);
      const std::vector<int> out = run_on_both_ends(session, source.c_str(), 4, (options + number).c_str());
      CHECK(std::vector<int>(&out[0], &out[3]) == std::vector<int>{1, 0, program});
    }
  }
}

TEST_CASE("Pipes: reservations go around the end of the pipe", "[pipes]") {
  const test::Session session;
  const std::vector<int> out = run_on_both_ends(session, R"(
    kernel void k(write_only pipe int p, read_only pipe int q, global int* out) {
      int next = 0, expected = 0, v;
      for (int round = 0; round < 1000; ++round) {
        uint n = 1 + round % 7;
        reserve_id_t w = reserve_write_pipe(p, n);
        for (uint i = 0; i < n; ++i) { out[0] |= write_pipe(p, w, i, &next); ++next; }
        commit_write_pipe(p, w);
        reserve_id_t r = reserve_read_pipe(q, n);
        for (uint i = 0; i < n; ++i) {
          out[1] |= read_pipe(q, r, i, &v);
          if (v != expected++) out[2]++;
        }
        commit_read_pipe(q, r);
      }
      out[3] = next;
    })",
                                                7);
  CHECK(std::vector<int>(&out[0], &out[4]) == std::vector<int>{0, 0, 0, 1000 / 7 * 28 + 21});
}

TEST_CASE("Pipes: helpers take them, reservations lie in any memory", "[pipes]") {
  const test::Session session;
  const std::vector<int> out = run_on_both_ends(session, R"(
    typedef struct { reserve_id_t id; uint n; } part;
    int put(write_only pipe int p, int v) { return write_pipe(p, &v); }
    void fill(write_only pipe int p, part* x, int v) {
      for (uint i = 0; i < x->n; ++i) { int w = v + i; write_pipe(p, x->id, i, &w); }
    }
    part reserve(write_only pipe int p, uint n) { part x; x.id = reserve_write_pipe(p, n); x.n = n; return x; }
    kernel void k(write_only pipe int p, read_only pipe int q, global int* out) {
      local reserve_id_t in_local[2];
      local int values[2];
      put(p, 1);
      put(p, 2);
      part parts[3];
      for (int i = 0; i < 3; ++i) parts[i] = reserve(p, i + 1);
      for (int i = 2; i >= 0; --i) { fill(p, &parts[i], 10 * (i + 1)); commit_write_pipe(p, parts[i].id); }
      in_local[out[63]] = reserve_read_pipe(q, 1);
      in_local[1] = reserve_read_pipe(q, 1);
      for (int i = 0; i < 2; ++i) { read_pipe(q, in_local[i], 0, &values[i]); commit_read_pipe(q, in_local[i]); }
      out[0] = values[0]; out[1] = values[1];
      for (int i = 2; read_pipe(q, &out[i]) == 0; ++i);
    })",
                                                16);
  CHECK(std::vector<int>(&out[0], &out[9]) == std::vector<int>{1, 2, 10, 20, 21, 30, 31, 32, 0});
}

TEST_CASE("Pipes: a packet of another size than the pipe's", "[pipes]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(R"(
    kernel void k(write_only pipe int4 p, read_only pipe int4 q, global int* out) {
      int4 v = (int4)(1, 2, 3, 4), w = 0;
      out[0] = write_pipe(p, &v);
      reserve_id_t id = reserve_write_pipe(p, 1);
      out[1] = write_pipe(p, id, 0, &v);
      commit_write_pipe(p, id);
      out[2] = read_pipe(q, &w);
      vstore4(w, 1, out);
    })",
                                             "k", with_pipes);
  const test::Buffer out = session.buffer(std::vector<int>(8, 0)), small = make_pipe(session.context, 15, 4),
                     large = make_pipe(session.context, 17, 4);
  test::set_arguments(kernel, small, small, out);
  session.run(kernel, 1);
  const std::vector<int> refused = session.read<int>(out, 2);
  CHECK(refused[0] < 0);
  CHECK(refused[1] < 0);
  test::set_arguments(kernel, large, large, out);
  session.run(kernel, 1);
  CHECK(session.read<int>(out, 8) == std::vector<int>{0, 0, 0, 0, 1, 2, 3, 4});
}

TEST_CASE("Pipes: a work-group's reservation is one piece of the pipe", "[pipes]") {
  const test::Session session;
  const test::Program program = session.build(R"(
    kernel void w(write_only pipe uint2 p, global const uint* in, global int* bad) {
      local uint scratch[512];
      uint lid = get_local_linear_id(), n = get_local_size(0) * get_local_size(1);
      scratch[n - 1 - lid] = in[get_group_id(0) * n + lid];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int round = 0; round < 2; ++round) {
        reserve_id_t id = work_group_reserve_write_pipe(p, n);
        if (is_valid_reserve_id(id)) {
          uint2 v = (uint2)(get_group_id(0) * 2 + round, scratch[lid]);
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

TEST_CASE("Pipes: a group's reservations keep the order of its program", "[pipes]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(R"(
    kernel void k(write_only pipe int p) {
      for (int round = 0; round < 5; ++round) {
        reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
        int v = round * 1000 + get_local_id(0);
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
    for (int round = 0; round < 5; ++round)
      for (int i = 0; i < static_cast<int>(n); ++i)
        expected.push_back(round * 1000 + i);
    CHECK(test::drain<int>(session, pipe, "int", 1000) == expected);
  }
}

TEST_CASE("Pipes: a group's reservation that does not fit is invalid for all of the group", "[pipes]") {
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

TEST_CASE("Pipes: a sub-group's reservation is one piece of the pipe", "[pipes]") {
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

TEST_CASE("Pipes: kernels pass packets on, from several pipes to several", "[pipes]") {
  const test::Session session;
  const test::Program program = session.build(R"(
    kernel void source(write_only pipe uint a, write_only pipe uint b) {
      uint v = get_global_id(0);
      if (v % 3 == 0) write_pipe(a, &v); else write_pipe(b, &v);
    }
    kernel void stage(read_only pipe uint a, read_only pipe uint b, write_only pipe uint2 c) {
      uint v;
      while (read_pipe(a, &v) == 0) { uint2 w = (uint2)(v, 1); write_pipe(c, &w); }
      while (read_pipe(b, &v) == 0) { uint2 w = (uint2)(v, 2); write_pipe(c, &w); }
    })",
                                              with_pipes);
  const test::Kernel source = session.kernel(program, "source"), stage = session.kernel(program, "stage");
  constexpr cl_uint n = 20000;
  const test::Buffer a = make_pipe(session.context, 4, n), b = make_pipe(session.context, 4, n),
                     c = make_pipe(session.context, 8, n);
  test::set_arguments(source, a, b);
  test::set_arguments(stage, a, b, c);
  session.run(source, n);
  session.run(stage, 500);
  const auto packets = test::drain<cl_uint2>(session, c, "uint2", n);
  REQUIRE(packets.size() == n);
  std::vector<bool> seen(n);
  bool is_right = true;
  for (const cl_uint2& packet : packets) {
    is_right &= packet.s[1] == (packet.s[0] % 3 == 0 ? 1u : 2u) && !seen.at(packet.s[0]);
    seen.at(packet.s[0]) = true;
  }
  CHECK(is_right);
}

TEST_CASE("Pipes: lanes reserve different numbers of packets", "[pipes]") {
  const test::Session session;
  const test::Program program = session.build(R"(
    kernel void w(write_only pipe uint p, global uint* written) {
      uint i = get_global_id(0), n = i % 5;
      reserve_id_t id = reserve_write_pipe(p, n);
      if (is_valid_reserve_id(id)) {
        for (uint k = 0; k < n; ++k) { uint v = i * 8 + k; write_pipe(p, id, k, &v); }
        commit_write_pipe(p, id);
        written[i] = n;
      }
    })",
                                              with_pipes);
  const test::Kernel w = session.kernel(program, "w");
  constexpr cl_uint items = 3000;
  for (cl_uint slots : {1u, 10u, 333u, 5999u, 6000u}) {
    CAPTURE(slots);
    const test::Buffer pipe = make_pipe(session.context, 4, slots);
    const test::Buffer written = session.buffer(std::vector<cl_uint>(items, 0));
    test::set_arguments(w, pipe, written);
    session.run(w, items, 100);
    const std::vector<cl_uint> counts = session.read<cl_uint>(written, items);
    const std::vector<cl_uint> packets = test::drain<cl_uint>(session, pipe, "uint", slots);
    CHECK(packets.size() == std::accumulate(counts.begin(), counts.end(), 0u));
    CHECK(packets.size() + 4 > slots); // whoever needs one packet alone gets it
    bool is_whole = true;
    for (size_t i = 0; i < packets.size();) {
      const cl_uint item = packets[i] / 8;
      for (cl_uint k = 0; k < counts.at(item); ++k, ++i)
        is_whole &= packets.at(i) == item * 8 + k;
      if (counts.at(item) == 0) break;
    }
    CHECK(is_whole);
  }
}

TEST_CASE("Pipes: a pipe of 2^20 packets, filled and emptied by one reservation", "[pipes]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(R"(
    kernel void k(write_only pipe int p, read_only pipe int q, global int* out) {
      reserve_id_t id = work_group_reserve_write_pipe(p, 1 << 20);
      for (int i = get_local_id(0); i < 1 << 20; i += get_local_size(0)) write_pipe(p, id, i, &i);
      work_group_commit_write_pipe(p, id);
      barrier(CLK_GLOBAL_MEM_FENCE);
      id = work_group_reserve_read_pipe(q, 1 << 20);
      for (int i = get_local_id(0); i < 1 << 20; i += get_local_size(0)) {
        int v = -1;
        read_pipe(q, id, i, &v);
        if (v != i) out[1] = 1;
      }
      work_group_commit_read_pipe(q, id);
      out[0] = get_pipe_max_packets(q);
    })",
                                             "k", with_pipes);
  const test::Buffer pipe = make_pipe(session.context, 4, 1 << 20),
                     out = session.buffer(std::vector<int>(2, 0));
  test::set_arguments(kernel, pipe, pipe, out);
  session.run(kernel, 128, 128);
  CHECK(session.read<int>(out, 2) == std::vector<int>{1 << 20, 0});
}

TEST_CASE("Pipes: what is never committed blocks the pipe, but nobody", "[pipes]") {
  const test::Session session;
  const test::Program program = session.build(R"(
    kernel void forgets(write_only pipe int p) { reserve_write_pipe(p, 1); }
    kernel void w(write_only pipe int p, global int* out) { int v = 1; out[get_global_id(0)] = write_pipe(p, &v); }
    kernel void r(read_only pipe int p, global int* out) { int v; out[get_global_id(0)] = read_pipe(p, &v); })",
                                              with_pipes);
  const test::Kernel forgets = session.kernel(program, "forgets"), w = session.kernel(program, "w"),
                     r = session.kernel(program, "r");
  const test::Buffer pipe = make_pipe(session.context, 4, 20), out = session.buffer(64);
  test::set_arguments(forgets, pipe);
  test::set_arguments(w, pipe, out);
  test::set_arguments(r, pipe, out);
  session.run(forgets, 1);
  session.run(w, 16);
  CHECK(session.read<int>(out, 16) == std::vector<int>(16, 0));
  session.run(r, 16);
  CHECK(session.read<int>(out, 16) == std::vector<int>(16, -1));
}
