// Reservations of work-items in pipes (OpenCL C, 6.15.14).

#include "support/pipes.hpp"

#include <algorithm>
#include <numeric>

namespace {

using test::make_pipe;
using test::with_pipes;

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

TEST_CASE("Pipes: reservations are ordered as they are made, and visible when all before are committed",
          "[pipe_reservations]") {
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
    CHECK(out[2] == 0); // after `first`, which is not committed
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
          "[pipe_reservations]") {
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
          "[pipe_reservations]") {
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

TEST_CASE("Pipes: reservations go around the end of the pipe", "[pipe_reservations]") {
  const test::Session session;
  const std::vector<int> out = run_on_both_ends(session, R"(
    kernel void k(write_only pipe int p, read_only pipe int q, global int* out) {
      int next = 0, expected = 0, v;
      for (int iteration = 0; iteration < 1000; ++iteration) {
        uint n = 1 + iteration % 7;
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

TEST_CASE("Pipes: helpers take them, reservations lie in any memory", "[pipe_reservations]") {
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

TEST_CASE("Pipes: a packet of another size than the pipe's", "[pipe_reservations]") {
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
