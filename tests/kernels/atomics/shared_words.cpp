// Words that many work-items change, and what they are told of each other.

#include "support/atomic_kernels.hpp"

#include <algorithm>
#include <numeric>

using namespace test::atomics;

namespace {

/// Runs a kernel k(cells, out) of `items` work-items on 64-bit cells of `start`. @returns what they hold,
/// then each item's result
std::pair<std::vector<cl_ulong>, std::vector<cl_ulong>> run_on_cells(const std::string& source, size_t cells,
                                                                     cl_ulong start, size_t group) {
  const test::Session session;
  const auto kernel = session.kernel(source.c_str(), "k", "-cl-std=CL3.0");
  auto memory = session.buffer(std::vector<cl_ulong>(cells, start)),
       out = session.buffer(std::vector<cl_ulong>(items));
  test::set_arguments(kernel, memory, out);
  session.run(kernel, items, group);
  return {session.read<cl_ulong>(memory, cells), session.read<cl_ulong>(out, items)};
}

constexpr size_t groups_of[] = {1, 5, 16, 100, 1000};

} // namespace

TEST_CASE("Atomics: values exchanged at one address are lost by nobody", "[shared_words]") {
  const std::string swaps = R"(kernel void k(volatile global atomic_ulong* cell, global ulong* out) {
      ulong own = get_global_id(0);
      for (int i = 0; i < 20; ++i)
        if ((own + i) % 3 != 0) own = atomic_exchange_explicit(cell, own, memory_order_relaxed);
      out[get_global_id(0)] = own; })";
  const std::string compares = R"(kernel void k(volatile global atomic_ulong* cell, global ulong* out) {
      ulong own = get_global_id(0), expected = 1234567;
      int successes = 0;
      for (int i = 0; i < 20 || successes == 0; ++i)
        if (atomic_compare_exchange_strong(cell, &expected, own)) { own = expected; ++successes; }
      out[get_global_id(0)] = own; })";
  for (const std::string& source : {swaps, compares})
    for (size_t group : groups_of) {
      auto [cell, values] = run_on_cells(source, 1, 1234567, group);
      values.push_back(cell[0]);
      std::sort(values.begin(), values.end());
      std::vector<cl_ulong> expected(items);
      std::iota(expected.begin(), expected.end(), 0);
      expected.push_back(1234567);
      CAPTURE(group, source);
      CHECK(values == expected);
    }
}

TEST_CASE("Atomics: a comparison that fails tells what is there, one that succeeds is unique",
          "[shared_words]") {
  const char* source = R"(kernel void k(volatile global atomic_ulong* cell, global ulong* out) {
      ulong seen = 7;
      bool won = atomic_compare_exchange_strong_explicit(cell, &seen, get_global_id(0) + 100,
                                                         memory_order_acq_rel, memory_order_relaxed);
      out[get_global_id(0)] = seen << 1 | won; })";
  for (size_t group : groups_of) {
    auto [cell, results] = run_on_cells(source, 1, 7, group);
    const auto winner = static_cast<size_t>(cell[0] - 100);
    CAPTURE(group, winner);
    REQUIRE(winner < items);
    CHECK(results[winner] == (7 << 1 | 1));
    results[winner] = cell[0] << 1;
    CHECK(results == std::vector<cl_ulong>(items, cell[0] << 1));
  }
}

TEST_CASE("Atomics: bits of words that neighbours share", "[shared_words]") {
  for (const std::string stride : {"1", "3"})
    for (size_t group : groups_of) {
      const std::string source = "#define I (get_global_id(0) * " + stride + R"()
        kernel void k(volatile global atomic_ulong* words, global ulong* out) {
          ulong bit = 1ul << I % 64, wrong = 0;
          for (int i = 0; i < 10; ++i) {
            wrong += (atomic_fetch_or_explicit(words + I / 64, bit, memory_order_relaxed) & bit) != 0;
            if (get_global_id(0) % 7 == 0) continue;
            wrong += (atomic_fetch_and(words + I / 64, ~bit) & bit) == 0;
          }
          out[get_global_id(0)] = wrong; })";
      auto [words, wrong] = run_on_cells(source, items * 3 / 64 + 1, 0, group);
      std::vector<cl_ulong> set(words.size()), repeated(items);
      for (size_t i = 0; i < items; i += 7) {
        const size_t bit = i * (stride == "1" ? 1 : 3);
        set[bit / 64] |= cl_ulong{1} << bit % 64;
        repeated[i] = 9;
      }
      CAPTURE(group, stride);
      CHECK(words == set);
      CHECK(wrong == repeated);
    }
}

TEST_CASE("Atomics: rows of words that groups share, from any word on", "[shared_words]") {
  const auto values = numbers(1000);
  for (const std::string order : {"relaxed", "acq_rel"}) {
    const std::string source = "#define ORDER memory_order_" + order + R"(
      kernel void k(global const uint* v, volatile global atomic_uint* n) {
        uint x = v[get_global_id(0)], at = get_group_id(0) * 13 % 51 + get_local_id(0);
        if (x % 5 == 0 || get_local_id(0) >= 50) return;
        atomic_fetch_add_explicit(n + at, x << 22, ORDER, memory_scope_device);
        atomic_fetch_xor_explicit(n + at + 101, x, ORDER, memory_scope_device);
        atomic_fetch_max_explicit(n + at + 202, x, ORDER, memory_scope_device);
        atomic_fetch_sub_explicit(n + at + 303, 3, ORDER, memory_scope_device);
      })";
    std::vector<cl_uint> expected(404, 7);
    for (size_t i = 0; i < items; ++i) {
      const cl_uint x = values[i];
      const size_t at = i / local * 13 % 51 + i % local;
      if (x % 5 == 0 || i % local >= 50) continue;
      expected[at] += x << 22;
      expected[at + 101] ^= x;
      expected[at + 202] = std::max(expected[at + 202], x);
      expected[at + 303] -= 3;
    }
    CAPTURE(order);
    CHECK(run(source.c_str(), values, std::vector<cl_uint>(404, 7), "-cl-std=CL3.0") == expected);
  }
}

TEST_CASE("Atomics: what rows of words held is returned once", "[shared_words]") {
  for (const size_t first : {0, 1, 2, 3}) {
    const std::string source = "#define FIRST " + std::to_string(first) + R"(
      kernel void k(global const uint* v, volatile global atomic_uint* n) {
        uint i = get_local_id(0);
        uint old = atomic_fetch_add(n + FIRST + i, i + 1);
        atomic_fetch_add(n + 200 + old / (i + 1), 1);
        atomic_store(n + 500 + get_global_id(0),
                     atomic_exchange(n + 400 - FIRST + i, get_group_id(0) + 1));
      })";
    std::vector<cl_uint> left =
        run(source.c_str(), numbers(1), std::vector<cl_uint>(500 + items), "-cl-std=CL3.0");
    const size_t groups = items / local;
    CAPTURE(first);
    for (size_t i = 0; i < local; ++i) {
      REQUIRE(left[first + i] == groups * (i + 1));
      REQUIRE(left[200 + i] == local); // each item saw each number of additions before its own once
      std::vector<cl_uint> seen = {left[400 - first + i]};
      for (size_t group = 0; group < groups; ++group)
        seen.push_back(left[500 + group * local + i]);
      std::ranges::sort(seen);
      for (size_t number = 0; number <= groups; ++number)
        REQUIRE(seen[number] == number);
    }
  }
}

TEST_CASE("Atomics: floats added to rows of words", "[shared_words]") {
  const auto values = numbers(1000);
  std::vector<cl_float> expected(101, 0.5f);
  for (size_t i = 0; i < items; ++i)
    expected[i % local + 1] += static_cast<float>(values[i]);
  CHECK(run(R"(kernel void k(global const uint* v, global float* sums) {
                 volatile global uint* at = (volatile global uint*)(sums + 1 + get_local_id(0));
                 uint seen = *at, expected;
                 do seen = atomic_cmpxchg(at, expected = seen,
                                          as_uint(as_float(expected) + v[get_global_id(0)]));
                 while (seen != expected); })",
            values, std::vector<cl_float>(101, 0.5f)) == expected);
}
