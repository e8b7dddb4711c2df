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
  for (int iteration = 0; iteration < 2; ++iteration) {
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

TEST_CASE("Pipes: a work-item's packets keep their order, over many laps of the pipe", "[pipes]") {
  const test::Session session;
  for (cl_uint slots : {1, 2, 3, 5, 7, 8, 100, 1000}) {
    CAPTURE(slots);
    const test::Kernel kernel = session.kernel(R"(
      kernel void k(write_only pipe int p, read_only pipe int q, uint slots, global int* out) {
        int next = 0, expected = 0, v;
        for (int iteration = 0; iteration < 500; ++iteration) {
          uint n = iteration % (slots + 1);
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
    for (int iteration = 0; iteration < 500; ++iteration)
      written += static_cast<int>(static_cast<cl_uint>(iteration) % (slots + 1));
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
    CHECK(packets.size() + 4 > slots); // who needs one packet alone gets it
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
