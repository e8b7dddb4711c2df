// Atomics that are combined on their way to memory leave there what one by one would.

#include "support/atomic_kernels.hpp"

#include <algorithm>

using namespace test::atomics;

TEST_CASE("Atomics: counts at scattered addresses, few and more than a table holds", "[atomics]") {
  for (size_t bins : {1, 7, 256, 512, 5000, 100'000}) {
    const auto values = numbers(bins);
    std::vector<cl_uint> expected(bins, 3);
    for (cl_uint value : values)
      ++expected[value];
    CAPTURE(bins);
    CHECK(run("kernel void k(global const uint* v, global uint* n) { atomic_inc(&n[v[get_global_id(0)]]); }",
              values, std::vector<cl_uint>(bins, 3)) == expected);
  }
}

TEST_CASE("Atomics: sums of 64 bits far apart share entries of a table", "[atomics]") {
  constexpr size_t sums = 40, pitch = 512;
  const auto values = numbers(sums);
  std::vector<cl_ulong> expected(sums * pitch);
  for (size_t value : values)
    expected[value * pitch] -= value + (cl_ulong{1} << 40);
  CHECK(run("kernel void k(global const uint* v, global ulong* n) {"
            "  uint x = v[get_global_id(0)];"
            "  atom_sub(&n[x * 512], x + (1ul << 40)); }",
            values, std::vector<cl_ulong>(sums * pitch)) == expected);
}

TEST_CASE("Atomics: addresses that come again after many that do not", "[atomics]") {
  constexpr size_t cells = 100'000, values_of_each = 40;
  const auto values = numbers(cells);
  // Anywhere for a while, then in a few places.
  const auto place = [&](size_t item, size_t i) {
    const cl_uint value = values[(item * 31 + i) % items];
    return i / 10 % 2 == 0 ? value : value % 50 * 7;
  };
  const std::string head = R"(
    uint place(global const uint* v, uint i) {
      uint value = v[(get_global_id(0) * 31 + i) % 10000];
      return i / 10 % 2 == 0 ? value : value % 50 * 7;
    })";
  std::vector<cl_uint> counts(cells);
  std::vector<cl_ulong> largest(cells);
  for (size_t item = 0; item < items; ++item)
    for (size_t i = 0; i < values_of_each; ++i) {
      ++counts[place(item, i)];
      cl_ulong& cell = largest[place(item, i)];
      cell = std::max(cell, cl_ulong{item} << 30);
    }
  CHECK(run((head + R"(
    kernel void k(global const uint* v, global uint* n) {
      for (uint i = 0; i < 40; ++i) atomic_inc(&n[place(v, i)]);
    })")
                .c_str(),
            values, std::vector<cl_uint>(cells)) == counts);
  CHECK(run((head + R"(
    kernel void k(global const uint* v, global ulong* n) {
      for (uint i = 0; i < 40; ++i) atom_max(&n[place(v, i)], get_global_id(0) << 30);
    })")
                .c_str(),
            values, std::vector<cl_ulong>(cells)) == largest);
  CHECK(run((head + R"(
    kernel void k(global const uint* v, volatile global atomic_float* n) {
      for (uint i = 0; i < 40; ++i)
        atomic_fetch_add_explicit(n + place(v, i), 1, memory_order_relaxed, memory_scope_device);
    })")
                .c_str(),
            values, std::vector<cl_float>(cells),
            "-cl-std=CL3.0") == std::vector<cl_float>(counts.begin(), counts.end()));
}

TEST_CASE("Atomics: groups of one work-item have room for tables beside local memory", "[atomics]") {
  const auto values = numbers(256);
  std::vector<cl_uint> expected(768);
  for (cl_uint value : values) {
    expected[value] += 1;
    expected[256 + value] |= 1u << value % 32;
    expected[512 + value] = std::max(expected[512 + value], value);
  }
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global const uint* v, global uint* n) {
      local uint mine[1000];
      uint x = v[get_global_id(0)];
      for (uint i = 0; i < 1000; ++i) mine[i] = x + i;
      barrier(CLK_LOCAL_MEM_FENCE);
      x = mine[x] - x;
      atomic_inc(&n[x]); atomic_or(&n[256 + x], 1u << x % 32); atomic_max(&n[512 + x], x);
    })",
                                     "k");
  auto in = session.buffer(values), out = session.buffer(std::vector<cl_uint>(768));
  test::set_arguments(kernel, in, out);
  session.run(kernel, items, 1);
  CHECK(session.read<cl_uint>(out, 768) == expected);
}

TEST_CASE("Atomics: addresses that are computed, not loaded, stay scattered", "[atomics]") {
  CHECK(
      run("kernel void k(global const uint* v, global int* n) { atomic_add(n + get_global_id(0) % 16, 3); }",
          numbers(1), std::vector<cl_int>(16)) == std::vector<cl_int>(16, 3 * items / 16));
}

TEST_CASE("Atomics: one address, under conditions that hold for some, all and none", "[atomics]") {
  const auto values = numbers(1000);
  std::vector<cl_uint> expected(6, 50);
  for (cl_uint value : values) {
    expected[0] += value % 2 ? value : 0;
    expected[1] -= 2;
    expected[2] = std::max(expected[2], value);
    expected[3] = std::min(expected[3], value + 20);
    expected[4] ^= value;
  }
  // The last pointer is invalid: an update that no work-item executes does not touch memory.
  CHECK(run(R"(kernel void k(global const uint* restrict v, global uint* restrict n) {
                 uint x = v[get_global_id(0)];
                 if (x % 2) atomic_add(n, x);
                 atomic_sub(n + 1, 2);
                 atomic_max(n + 2, x);
                 atomic_min(n + 3, x + 20);
                 atomic_xor(n + 4, x);
                 if (x > 1000) atomic_inc((global uint*)8);
               })",
            values, std::vector<cl_uint>(6, 50)) == expected);
}

TEST_CASE("Atomics: each group has a cell", "[atomics]") {
  const auto values = numbers(1000);
  std::vector<cl_int> expected(items / local, -7);
  for (size_t i = 0; i < items; ++i)
    expected[i / local] += static_cast<cl_int>(values[i]);
  CHECK(run("kernel void k(global const uint* v, global int* n) {"
            "  atomic_add(&n[get_group_id(0)], (int)v[get_global_id(0)]); }",
            values, std::vector<cl_int>(items / local, -7)) == expected);
}

TEST_CASE("Atomics: plain reads behind a barrier see all updates of the group", "[atomics]") {
  const auto values = numbers(10);
  std::vector<cl_uint> sums(items / local), seen(items);
  for (size_t i = 0; i < items; ++i)
    sums[i / local] += values[i];
  std::vector<cl_uint> expected(2 * items);
  for (size_t i = 0; i < items; ++i)
    expected[i] = i < sums.size() ? sums[i] : 0, expected[items + i] = sums[i / local];
  CHECK(run(R"(kernel void k(global const uint* v, global uint* n) {
                 global uint* sum = &n[get_group_id(0)];
                 atomic_add(sum, v[get_global_id(0)]);
                 barrier(CLK_GLOBAL_MEM_FENCE);
                 n[get_global_size(0) + get_global_id(0)] = *sum;
               })",
            values, std::vector<cl_uint>(2 * items)) == expected);
}

TEST_CASE("Atomics: a work-item reads its own updates", "[atomics]") {
  const auto values = numbers(100);
  std::vector<cl_uint> expected(items);
  for (size_t i = 0; i < items; ++i)
    expected[i] = 2 * (5 + values[i]);
  CHECK(run(R"(kernel void k(global const uint* v, global uint* n) {
                 size_t i = get_global_id(0);
                 atomic_add(&n[i], v[i]);
                 n[i] *= 2;
               })",
            values, std::vector<cl_uint>(items, 5)) == expected);
}

TEST_CASE("Atomics: histograms in local memory", "[atomics]") {
  const auto values = numbers(300);
  std::vector<cl_uint> expected(300);
  for (cl_uint value : values)
    ++expected[value];
  CHECK(run(R"(kernel void k(global const uint* v, global uint* n) {
                 local uint own[300];
                 for (uint bin = get_local_id(0); bin < 300; bin += get_local_size(0)) own[bin] = 0;
                 barrier(CLK_LOCAL_MEM_FENCE);
                 if (get_group_id(0) == 0)
                   for (uint i = get_local_id(0); i < get_global_size(0); i += get_local_size(0))
                     atomic_inc(&own[v[i]]);
                 barrier(CLK_LOCAL_MEM_FENCE);
                 for (uint bin = get_local_id(0); bin < 300; bin += get_local_size(0))
                   atomic_add(&n[bin], own[bin]);
               })",
            values, std::vector<cl_uint>(300)) == expected);
}
