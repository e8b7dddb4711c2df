// Values of all kinds that live across work-group barriers

#include "support/barrier_case.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace {

using test::check, test::Values;

} // namespace

TEST_CASE("Barrier: in nested loops, with values that live across them", "[barrier_values]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      size_t l = get_local_id(0), n = get_local_size(0);
      int mine = l, outer = 0;
      for (int i = 0; i < 3; ++i) {
        outer += i * (int)l;
        for (int j = 0; j < 4; ++j) {
          t[l] = mine;
          barrier(CLK_LOCAL_MEM_FENCE);
          mine = t[(l + j + 1) % n] + i;
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        for (int j = i; j > 0; --j) {
          t[l] = mine + outer;
          barrier(CLK_LOCAL_MEM_FENCE);
          mine = t[(l * 3) % n] - outer;
          barrier(CLK_LOCAL_MEM_FENCE);
        }
      }
      o[get_global_id(0)] = mine * 1000 + outer;
    })",
         35 * 4, 35, [](Values& v, size_t, size_t n) {
           Values mine(n), outer(n, 0), t(n);
           std::iota(mine.begin(), mine.end(), 0);
           for (int i = 0; i < 3; ++i) {
             for (size_t l = 0; l < n; ++l)
               outer[l] += i * int(l);
             for (int j = 0; j < 4; ++j) {
               t = mine;
               for (size_t l = 0; l < n; ++l)
                 mine[l] = t[(l + j + 1) % n] + i;
             }
             for (int j = i; j > 0; --j) {
               for (size_t l = 0; l < n; ++l)
                 t[l] = mine[l] + outer[l];
               for (size_t l = 0; l < n; ++l)
                 mine[l] = t[(l * 3) % n] - outer[l];
             }
           }
           for (size_t l = 0; l < n; ++l)
             v[l] = mine[l] * 1000 + outer[l];
         }});
}

TEST_CASE("Barrier: private arrays keep their values", "[barrier_values]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), n = get_local_size(0);
      int p[16];
      for (int i = 0; i < 16; ++i) p[i] = l * i;
      for (int iteration = 0; iteration < 3; ++iteration) {
        t[l] = p[(l + iteration) % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
        p[iteration] = t[(l + 5) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      int s = 0;
      for (int i = 0; i < 16; ++i) s += p[i] * (i + 1);
      o[get_global_id(0)] = s;
    })",
         33 * 4, 33, [](Values& v, size_t, size_t size) {
           const int n = int(size);
           std::vector<std::array<int, 16>> p(n);
           for (int l = 0; l < n; ++l)
             for (int i = 0; i < 16; ++i)
               p[l][i] = l * i;
           for (int iteration = 0; iteration < 3; ++iteration) {
             Values t(n);
             for (int l = 0; l < n; ++l)
               t[l] = p[l][(l + iteration) % 16];
             for (int l = 0; l < n; ++l)
               p[l][iteration] = t[(l + 5) % n];
           }
           for (int l = 0; l < n; ++l) {
             v[l] = 0;
             for (int i = 0; i < 16; ++i)
               v[l] += p[l][i] * (i + 1);
           }
         }});
}

TEST_CASE("Barrier: large private arrays in groups of 4096 items", "[barrier_values]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), n = get_local_size(0);
      int p[256];
      for (int i = 0; i < 256; ++i) p[i] = l + i;
      t[l] = p[l % 256];
      barrier(CLK_LOCAL_MEM_FENCE);
      o[get_global_id(0)] = p[(l * 7) % 256] + t[(l + 1) % n];
    })",
         4096 * 2, 4096, [](Values& v, size_t, size_t size) {
           const int n = int(size);
           for (int l = 0; l < n; ++l)
             v[l] = l + l * 7 % 256 + (l + 1) % n + (l + 1) % n % 256;
         }});
}

TEST_CASE("Barrier: pointers, vectors, structures and booleans live across", "[barrier_values]") {
  check({R"(
    typedef struct { int a; float4 f; char c[3]; } S;
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), n = get_local_size(0);
      S s = { l, (float4)(l, l + 1, l + 2, l + 3), { 1, 2, 3 } };
      int8 v = (int8)(l) + (int8)(0, 1, 2, 3, 4, 5, 6, 7);
      global int* place = o + get_global_id(0);
      local int* mine = t + l;
      bool odd = l & 1;
      *mine = l;
      barrier(CLK_LOCAL_MEM_FENCE);
      int x = t[(l + 1) % n];
      barrier(CLK_LOCAL_MEM_FENCE);
      *place = x + s.a + (int)s.f.z + s.c[2] + v.s7 + (odd ? 1000 : 0) + *mine;
    })",
         40 * 3, 40, [](Values& v, size_t, size_t n) {
           for (size_t i = 0; i < n; ++i) {
             const int l = int(i);
             v[i] = int((i + 1) % n) + l + l + 2 + 3 + l + 7 + (l & 1 ? 1000 : 0) + l;
           }
         }});
}

TEST_CASE("Barrier: what an atomic on local memory returned lives across", "[barrier_values]") {
  for (size_t local : {1, 5, 64, 256})
    check({R"(
      kernel void k(global int* o, local int* t) {
        local int tickets;
        size_t l = get_local_id(0);
        t[l] = 0;
        if (l == 0) tickets = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int mine = atomic_inc(&tickets);
        barrier(CLK_LOCAL_MEM_FENCE);
        t[mine] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        int sum = 0;
        for (size_t i = 0; i < get_local_size(0); ++i) sum += t[i];
        o[get_global_id(0)] = sum + tickets;
      })",
           4 * local, local, [](Values& values, size_t, size_t size) {
             std::fill(values.begin(), values.end(), cl_int(2 * size));
           }});
}

TEST_CASE("Barrier: a value that is the same for all, chosen before it", "[barrier_values]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel __attribute__((reqd_work_group_size(100, 1, 1))) void k(global int* o, int m, int n) {
      local int t[100];
      int i = get_global_id(0), l = get_local_id(0), x = m;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (n != 0) {
        x = x << (x & 7);
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = i & 63;
        barrier(CLK_LOCAL_MEM_FENCE);
        o[n + i] = (int)(float)t[l];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      o[i] = 512 * x + l;
    })",
                                     "k");
  const auto buffer = session.buffer(Values(200));
  test::set_arguments(kernel, buffer, 3, 100);
  session.run(kernel, 100, 100);
  Values expected(100);
  std::iota(expected.begin(), expected.end(), 512 * (3 << 3));
  for (cl_int i = 0; i < 100; ++i)
    expected.push_back(i & 63);
  CHECK(session.read<cl_int>(buffer, 200) == expected);
}
