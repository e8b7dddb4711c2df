// Loops that work-items of a group enter side by side, and that step by the size of the group or of the launch: each
// work-item runs its own iterations, whatever the others run. Also values of guarded code that are used behind barriers.

#include "support/session.hpp"

#include <vector>

TEST_CASE("Strided loops: each work-item runs its own iterations", "[strided_loops]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* o, int first, int end, int step) {
      uint count = 0, last = 0;
      for (int i = first + (int)get_global_id(0); i < end; i += step) {
        last = i;
        count += 1 + o[get_global_size(0) + (i & 63)];
      }
      o[get_global_id(0)] = count * 1000 + last;
    })",
                                     "k");
  for (const size_t local : {1, 7, 16, 64})
    for (const int end : {0, 1, 15, 64, 100, 127, 128, 129, 300})
      for (const int step : {1, 5, 64, 128}) {
        const size_t global = local * 2;
        const auto buffer = session.buffer(std::vector<cl_uint>(global + 64, 0));
        test::set_arguments(kernel, buffer, cl_int(-3), cl_int(end), cl_int(step));
        session.run(kernel, global, local);
        const auto values = session.read<cl_uint>(buffer, global);
        CAPTURE(local, end, step);
        size_t wrong = 0;
        for (size_t id = 0; id < global; ++id) {
          cl_uint count = 0, last = 0;
          for (int i = int(id) - 3; i < end; i += step, ++count)
            last = cl_uint(i);
          wrong += values[id] != count * 1000 + last;
        }
        CHECK(wrong == 0);
      }
}

TEST_CASE("Strided loops: the start is not read from memory again", "[strided_loops]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* o, int n) {
      local int base;
      int l = get_local_id(0);
      if (l == 0) base = n - 10;
      barrier(CLK_LOCAL_MEM_FENCE);
      int start = base;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l == 0) base = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = start + l; i < n; i += get_local_size(0)) o[i] = i + 1;
    })",
                                     "k");
  constexpr size_t size = 400;
  for (const cl_int n : {110, 133, 200}) {
    const auto buffer = session.buffer(std::vector<cl_uint>(size, 0));
    test::set_arguments(kernel, buffer, n);
    session.run(kernel, 16, 16);
    const auto values = session.read<cl_uint>(buffer, size);
    size_t wrong = 0;
    for (size_t i = 0; i < size; ++i)
      wrong += values[i] != (int(i) >= n - 10 && int(i) < n ? i + 1 : 0);
    CAPTURE(n);
    CHECK(wrong == 0);
  }
}

TEST_CASE("Guards: values of guarded code behind barriers", "[strided_loops]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* o, global const uint* a, local uint* t, int n, int m) {
      int i = get_global_id(0), l = get_local_id(0);
      uint x = 7;
      if (i < n) x = a[i] + 1;
      t[l] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i < n && i >= m) o[i] = x * 3 + t[get_local_size(0) - 1 - l];
    })",
                                     "k");
  constexpr size_t size = 256, local = 64;
  std::vector<cl_uint> numbers(size);
  for (size_t i = 0; i < size; ++i)
    numbers[i] = cl_uint(i * i);
  const auto a = session.buffer(numbers);
  for (const cl_int n : {0, 1, 63, 64, 65, 200, 256})
    for (const cl_int m : {0, 1, 70}) {
      const auto buffer = session.buffer(std::vector<cl_uint>(size, 0));
      test::set_arguments(kernel, buffer, a, test::Local{local * 4}, n, m);
      session.run(kernel, size, local);
      const auto values = session.read<cl_uint>(buffer, size);
      const auto x = [&](size_t i) { return int(i) < n ? numbers[i] + 1 : 7; };
      size_t wrong = 0;
      for (size_t i = 0; i < size; ++i) {
        const size_t other = i / local * local + local - 1 - i % local;
        wrong += values[i] != (int(i) < n && int(i) >= m ? x(i) * 3 + x(other) : 0);
      }
      CAPTURE(n, m);
      CHECK(wrong == 0);
    }
}
