// Work-group barriers wherever the specification allows them

#include "support/barrier_case.hpp"

#include <numeric>

namespace {

using test::check, test::Values;

cl_int sum_of_ids(size_t group, size_t size) {
  cl_int sum = 0;
  for (size_t i = 0; i < size; ++i)
    sum += cl_int(group * size + i);
  return sum;
}

} // namespace

TEST_CASE("Barrier: a tree reduction in a loop", "[barrier]") {
  for (size_t local : {1, 2, 64, 256, 4096})
    check({R"(
      kernel void k(global int* o, local int* t) {
        size_t l = get_local_id(0);
        t[l] = get_global_id(0);
        for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
          barrier(CLK_LOCAL_MEM_FENCE);
          if (l < s) t[l] += t[l + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        o[get_global_id(0)] = t[0];
      })",
           local * 3, local, [](Values& v, size_t group, size_t size) {
             std::fill(v.begin(), v.end(), sum_of_ids(group, size));
           }});
}

TEST_CASE("Barrier: a scan with two barriers in an iteration", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      size_t l = get_local_id(0);
      t[l] = l + 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t d = 1; d < get_local_size(0); d *= 2) {
        int v = l >= d ? t[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      o[get_global_id(0)] = t[l];
    })",
         100 * 7, 100, [](Values& v, size_t, size_t) {
           for (size_t i = 0; i < v.size(); ++i)
             v[i] = cl_int((i + 1) * (i + 2) / 2);
         }});
}

TEST_CASE("Barrier: under conditions that are uniform in the group", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      size_t l = get_local_id(0), n = get_local_size(0);
      t[l] = get_global_id(0);
      int r = 0;
      if (get_group_id(0) % 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        r = t[n - 1 - l];
      } else if (get_group_id(0) % 4 == 0) {
        for (int i = 0; i < (int)get_group_id(0) + 1; ++i) {
          barrier(CLK_LOCAL_MEM_FENCE);
          r += t[(l + i) % n];
        }
      } else {
        r = -5;
      }
      o[get_global_id(0)] = r;
    })",
         48 * 9, 48, [](Values& v, size_t group, size_t n) {
           for (size_t l = 0; l < n; ++l) {
             const auto id = [&](size_t i) { return cl_int(group * n + i); };
             if (group % 2)
               v[l] = id(n - 1 - l);
             else if (group % 4 == 0) {
               v[l] = 0;
               for (size_t i = 0; i < group + 1; ++i)
                 v[l] += id((l + i) % n);
             } else
               v[l] = -5;
           }
         }});
}

TEST_CASE("Barrier: items leave a loop in different ways, but in the same iteration", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), n = get_local_size(0), r = -1;
      t[l] = l;
      for (int i = 0; i < 1000; ++i) {
        if (i == 5 && l % 3 == 0) { r = 1000 + t[l]; break; }
        r = -2;
        if (i == 5 && l % 3 != 0) { r = 2000 + t[l]; break; }
        barrier(CLK_LOCAL_MEM_FENCE);
        int next = t[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = next;
      }
      o[get_global_id(0)] = r;
    })",
         24 * 3, 24, [](Values& v, size_t, size_t n) {
           for (size_t l = 0; l < n; ++l)
             v[l] = cl_int((l % 3 == 0 ? 1000 : 2000) + (l + 5) % n);
         }});
}

TEST_CASE("Barrier: loops of different lengths around a barrier that no item reaches", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      size_t l = get_local_id(0), n = get_local_size(0);
      t[l] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (size_t i = 0; i < 2 + l; ++i) {
        t[l] += i;
        if (l >= n) barrier(CLK_LOCAL_MEM_FENCE);
      }
      o[get_global_id(0)] = t[l];
    })",
         20 * 2, 20, [](Values& v, size_t, size_t n) {
           for (size_t l = 0; l < n; ++l)
             v[l] = cl_int((l + 1) * (l + 2) / 2);
         }});
}

TEST_CASE("Barrier: items reach one barrier in different ways", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), n = get_local_size(0), r = 0;
      t[l] = l;
      if (l % 2) { r = 10; } else { if (t[l] > n) goto skip; r = 20; }
      barrier(CLK_LOCAL_MEM_FENCE);
      r += t[(l + 1) % n];
    skip:
      o[get_global_id(0)] = r;
    })",
         16 * 2, 16, [](Values& v, size_t, size_t n) {
           for (size_t l = 0; l < n; ++l)
             v[l] = cl_int((l % 2 ? 10 : 20) + (l + 1) % n);
         }});
}

TEST_CASE("Barrier: items part around a condition that keeps all from a barrier", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), n = get_local_size(0), r = 1;
      t[l] = l;
      if (l % 2) {
        if (t[l] > n) barrier(CLK_LOCAL_MEM_FENCE);
        r = 5;
      }
      o[get_global_id(0)] = r;
    })",
         16 * 2, 16, [](Values& v, size_t, size_t n) {
           for (size_t l = 0; l < n; ++l)
             v[l] = l % 2 ? 5 : 1;
         }});
}

TEST_CASE("Barrier: after an early return of whole groups", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      size_t l = get_local_id(0), n = get_local_size(0);
      o[get_global_id(0)] = -7;
      if (get_group_id(0) % 3 == 1) return;
      t[l] = l;
      barrier(CLK_LOCAL_MEM_FENCE);
      int v = t[(l + 1) % n];
      if (get_group_id(0) % 3 == 2) { o[get_global_id(0)] = v; return; }
      barrier(CLK_LOCAL_MEM_FENCE);
      t[l] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      o[get_global_id(0)] = t[(l + 1) % n];
    })",
         20 * 9, 20, [](Values& v, size_t group, size_t n) {
           for (size_t l = 0; l < n; ++l)
             v[l] = group % 3 == 1 ? -7 : cl_int((l + (group % 3 == 2 ? 1 : 2)) % n);
         }});
}

TEST_CASE("Barrier: in called functions, also twice and nested", "[barrier]") {
  check({R"(
    int neighbour(local int* t, int v) {
      t[get_local_id(0)] = v;
      barrier(CLK_LOCAL_MEM_FENCE);
      int r = t[(get_local_id(0) + 1) % get_local_size(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      return r;
    }
    int twice(local int* t, int v) { return neighbour(t, neighbour(t, v) * 2); }
    kernel void k(global int* o, local int* t) {
      o[get_global_id(0)] = twice(t, get_local_id(0)) + neighbour(t, 1);
    })",
         30 * 3, 30, [](Values& v, size_t, size_t n) {
           for (size_t l = 0; l < n; ++l)
             v[l] = cl_int((l + 2) % n * 2 + 1);
         }});
}

TEST_CASE("Barrier: in functions that ask not to be inlined, as ids are", "[barrier]") {
  check({R"(
    __attribute__((noinline)) void wait(void) { barrier(CLK_LOCAL_MEM_FENCE); }
    __attribute__((noinline)) void wait_twice(void) { wait(); wait(); }
    __attribute__((noinline)) int next(void) { return (get_local_id(0) + 1) % get_local_size(0); }
    __attribute__((noinline)) int sum(local int* t, int n) { int s = 0; for (int i = 0; i < n; ++i) s += t[i]; return s; }
    kernel void k(global int* o, local int* t) {
      t[get_local_id(0)] = get_local_id(0);
      wait_twice();
      int v = t[next()] + sum(t, get_local_id(0));
      wait();
      o[get_global_id(0)] = v;
    })",
         24 * 2, 24, [](Values& v, size_t, size_t n) {
           for (size_t l = 0; l < n; ++l)
             v[l] = cl_int((l + 1) % n + l * (l - 1) / 2);
         }});
}

TEST_CASE("Barrier: divergent code between barriers", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), n = get_local_size(0), r = 0;
      t[l] = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l % 3 == 0) { for (int i = 0; i < l; ++i) r += i; } else if (l % 3 == 1) r = -l; else { t[l] = 4; r = 1; }
      t[l] += r;
      barrier(CLK_LOCAL_MEM_FENCE);
      switch (l % 4) {
        case 0: r = t[(l + 1) % n]; break;
        case 1: r = t[(l + 2) % n]; break;
        default: r += 100;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      o[get_global_id(0)] = r;
    })",
         64 * 2, 64, [](Values& v, size_t, size_t size) {
           const int n = int(size);
           Values t(n), r(n);
           for (int l = 0; l < n; ++l) {
             r[l] = l % 3 == 0 ? l * (l - 1) / 2 : l % 3 == 1 ? -l : 1;
             t[l] = (l % 3 == 2 ? 4 : 0) + r[l];
           }
           for (int l = 0; l < n; ++l)
             v[l] = l % 4 == 0 ? t[(l + 1) % n] : l % 4 == 1 ? t[(l + 2) % n] : r[l] + 100;
         }});
}

TEST_CASE("Barrier: loops whose trip count is an argument or a value in memory", "[barrier]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global int* o, local int* t, int iterations, global const int* more) {
      int l = get_local_id(0), n = get_local_size(0), v = l;
      do {
        t[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = t[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
      } while (--iterations > 0);
      while (1) {
        if (l == 0) t[0] = *more - v * 0 - iterations;
        barrier(CLK_LOCAL_MEM_FENCE);
        int stop = t[0] <= 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (stop) break;
        iterations++;
        v += 10;
      }
      o[get_global_id(0)] = v;
    })",
                                     "k");
  auto buffer = session.buffer(4 * 50), more = session.buffer(std::vector<cl_int>{4});
  test::set_arguments(kernel, buffer, test::Local{200}, cl_int(3), more);
  session.run(kernel, 50, 50);
  const auto values = session.read<cl_int>(buffer, 50);
  for (int i = 0; i < 50; ++i)
    REQUIRE(values[i] == (i + 3) % 50 + 40);
}

TEST_CASE("Barrier: global memory is visible to the group after it", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      size_t g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
      o[g] = l * 3;
      barrier(CLK_GLOBAL_MEM_FENCE);
      int v = o[g - l + (l + 1) % n];
      barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      o[g] = v;
    })",
         64 * 5, 64, [](Values& v, size_t, size_t n) {
           for (size_t l = 0; l < n; ++l)
             v[l] = cl_int((l + 1) % n * 3);
         }});
}

TEST_CASE("Barrier: in two and three dimensions, transposing a tile", "[barrier]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global const int* in, global int* out, int width) {
      local int tile[16][17];
      int x = get_local_id(0), y = get_local_id(1);
      tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      int ox = get_group_id(1) * 16 + x, oy = get_group_id(0) * 16 + y;
      out[oy * width + ox] = tile[x][y];
    })",
                                     "k");
  constexpr int width = 128;
  std::vector<cl_int> values(width * width);
  std::iota(values.begin(), values.end(), 0);
  auto in = session.buffer(values), out = session.buffer(values.size() * 4);
  test::set_arguments(kernel, in, out, cl_int(width));
  session.run(kernel, {width, width}, {16, 16});
  const auto result = session.read<cl_int>(out, values.size());
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x)
      REQUIRE(result[x * width + y] == values[y * width + x]);
}

TEST_CASE("Barrier: in the smaller groups at the end of a ragged range", "[barrier]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global int* o, local int* t) {
      size_t l = get_local_id(0), n = get_local_size(0);
      t[l] = get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      o[get_global_id(0)] = t[(l + 1) % n];
    })",
                                     "k", "-cl-std=CL3.0");
  for (size_t global : {1, 63, 65, 1000}) {
    auto buffer = session.buffer(global * 4);
    test::set_arguments(kernel, buffer, test::Local{256});
    session.run(kernel, global, 64);
    const auto values = session.read<cl_int>(buffer, global);
    for (size_t i = 0; i < global; ++i) {
      const size_t first = i / 64 * 64, n = std::min<size_t>(64, global - first);
      REQUIRE(values[i] == cl_int(first + (i - first + 1) % n));
    }
  }
}

TEST_CASE("Barrier: work_group_barrier of OpenCL C 2.0 and 3.0, with scopes", "[barrier]") {
  const test::Session session;
  const char* source = R"(
    kernel void k(global int* o, local int* t) {
      size_t l = get_local_id(0), n = get_local_size(0);
      t[l] = l;
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      int v = t[(l + 1) % n];
      work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
      t[l] = v;
      work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
      o[get_global_id(0)] = t[(l + 1) % n];
    })";
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    const auto kernel = session.kernel(source, "k", options);
    auto buffer = session.buffer(4 * 128);
    test::set_arguments(kernel, buffer, test::Local{256});
    session.run(kernel, 128, 64);
    const auto values = session.read<cl_int>(buffer, 128);
    for (int i = 0; i < 128; ++i)
      REQUIRE(values[i] == (i % 64 + 2) % 64);
  }
}

TEST_CASE("Barrier: behind one exit of a loop, which items leave in different iterations", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), n = get_local_size(0), i = 0;
      for (;;) {
        if (i >= l) break;
        i += 2;
        if (n == 1234567) return;
      }
      t[l] = i;
      barrier(CLK_LOCAL_MEM_FENCE);
      o[get_global_id(0)] = t[n - 1 - l];
    })",
         20 * 2, 20, [](Values& v, size_t, size_t n) {
           for (size_t l = 0; l < n; ++l)
             v[l] = cl_int((n - l) / 2 * 2);
         }});
}

TEST_CASE("Barrier: a loop of each item before it, in a loop", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), v = l, r = 0, i = 0;
    next:
      if (v > 0) {
        v -= 1;
        r += 2;
        goto next;
      }
      t[l] = r;
      barrier(CLK_LOCAL_MEM_FENCE);
      r += t[l ^ 1];
      barrier(CLK_LOCAL_MEM_FENCE);
      v = l;
      if (++i < 3) goto next;
      o[get_global_id(0)] = r;
    })",
         20 * 2, 20, [](Values& v, size_t, size_t n) {
           const auto id = [](size_t l) { return cl_int(l); };
           for (size_t l = 0; l < n; ++l) {
             cl_int own = 0, other = 0;
             for (int i = 0; i < 3; ++i) {
               own += 2 * id(l), other += 2 * id(l ^ 1);
               const cl_int sum = own + other;
               own = other = sum;
             }
             v[l] = own;
           }
         }});
}

TEST_CASE("Barrier: in two loops that all items leave together", "[barrier]") {
  check({R"(
    kernel void k(global int* o, local int* t) {
      int l = get_local_id(0), n = get_local_size(0), k = 0, i = 1, before = 0, last = 1;
      for (;;) {
        ++k;
        t[l] = k * 100 + before;
        before = last;
        do {
          barrier(CLK_LOCAL_MEM_FENCE);
          if (i >= n) goto out;
          ++i;
        } while (i & 3);
        last = l + i;
      }
    out:
      o[get_global_id(0)] = t[n - 1 - l];
    })",
         16 * 2, 16, [](Values& v, size_t, size_t n) {
           for (size_t l = 0; l < n; ++l) // rounds begin with i = 1, 4, 8, 12 and 16
             v[l] = cl_int(500 + n - 1 - l + 12);
         }});
}
