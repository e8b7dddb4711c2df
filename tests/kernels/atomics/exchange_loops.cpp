// Loops around compare-exchange do what the atomic operation does that they stand for.

#include "support/atomic_kernels.hpp"

#include <algorithm>
#include <string_view>

using namespace test::atomics;

namespace {

/// Ways to add a float in OpenCL C: by what the last exchange saw, by looking each time, and as C11 has it.
constexpr const char* float_additions[] = {
    R"(#define ADD(space)                                                                        \
         volatile space uint* bits = (volatile space uint*)cell;                                   \
         uint seen = *bits, expected;                                                              \
         do {                                                                                      \
           expected = seen;                                                                        \
           seen = atomic_cmpxchg(bits, expected, as_uint(as_float(expected) + x));                 \
         } while (seen != expected);                                                               \
         return as_float(expected);)",
    R"(#define ADD(space)                                                                        \
         union { float f; uint u; } old, new;                                                      \
         do {                                                                                      \
           old.f = *cell;                                                                          \
           new.f = old.f + x;                                                                      \
         } while (atomic_cmpxchg((volatile space uint*)cell, old.u, new.u) != old.u);              \
         return old.f;)",
    R"(#define ADD(space)                                                                        \
         volatile space atomic_float* object = (volatile space atomic_float*)cell;                 \
         float old = atomic_load_explicit(object, memory_order_relaxed, memory_scope_device);      \
         while (!atomic_compare_exchange_weak_explicit(object, &old, old + x, memory_order_relaxed, \
                                                       memory_order_relaxed, memory_scope_device));  \
         return old;)"};

std::string with_addition(const char* addition, const char* kernel) {
  return std::string(addition) + R"(
    float add(volatile global float* cell, float x) { ADD(global) }
    float add_local(volatile local float* cell, float x) { ADD(local) }
  )" + kernel;
}

std::vector<float> run_floats(const std::string& source, const std::vector<cl_uint>& values,
                              const std::vector<float>& cells) {
  const test::Session session;
  const auto kernel = session.kernel(session.build(source.c_str(), "-cl-std=CL3.0"), "k");
  auto in = session.buffer(values), out = session.buffer(cells);
  test::set_arguments(kernel, in, out);
  session.run(kernel, items, local);
  return session.read<float>(out, cells.size());
}

} // namespace

TEST_CASE("Atomics: floats added by compare-exchange arrive, each rounded where it arrives",
          "[exchange_loops]") {
  const auto values = numbers(3000);
  for (const char* addition : float_additions) {
    std::vector<float> expected(1000, 1.0f);
    for (cl_uint value : values)
      expected[value % 1000] += 0.5f * static_cast<float>(value % 7);
    CHECK(run_floats(with_addition(addition, R"(
            kernel void k(global const uint* v, volatile global float* f) {
              uint x = v[get_global_id(0)];
              add(&f[x % 1000], 0.5f * (x % 7));
            })"),
                     values, std::vector<float>(1000, 1.0f)) == expected);
    // Each one is lost in rounding; their sum would not be.
    CHECK(run_floats(with_addition(addition, R"(
            kernel void k(global const uint* v, volatile global float* f) {
              add(f, 1.0f);
              add(&f[1 + v[get_global_id(0)] % 3], 1.0f);
            })"),
                     values, std::vector<float>(4, 16777216.0f)) == std::vector<float>(4, 16777216.0f));
    // What is returned is what was there.
    CHECK(run_floats(with_addition(addition, R"(
            kernel void k(global const uint* v, volatile global float* f) {
              f[1 + (uint)add(f, 1.0f)] += 1.0f;
            })"),
                     values, std::vector<float>(items + 1, 0.0f)) == [] {
      std::vector<float> once(items + 1, 1.0f);
      once[0] = items;
      return once;
    }());
    std::vector<float> histogram(50);
    for (cl_uint value : values)
      histogram[value % 50] += 2.0f;
    CHECK(run_floats(with_addition(addition, R"(
            kernel void k(global const uint* v, volatile global float* f) {
              local float own[50];
              for (uint i = get_local_id(0); i < 50; i += get_local_size(0)) own[i] = 0;
              barrier(CLK_LOCAL_MEM_FENCE);
              add_local(&own[v[get_global_id(0)] % 50], 2.0f);
              barrier(CLK_LOCAL_MEM_FENCE);
              for (uint i = get_local_id(0); i < 50; i += get_local_size(0)) add(&f[i], own[i]);
            })"),
                     values, std::vector<float>(50)) == histogram);
  }
}

TEST_CASE("Atomics: a loop around compare-exchange tells what it found", "[exchange_loops]") {
  const auto values = numbers(1000);
  const test::Session session;
  for (const std::string type : {"uint", "ulong"}) {
    const std::string source = "typedef " + type + R"( T;
      kernel void k(global const uint* v, volatile global T* n, global T* out) {
        T origValue, oldValue;
        do {
          origValue = *n;
          oldValue = atom_cmpxchg(n, origValue, origValue + v[get_global_id(0)]);
        } while (oldValue != origValue);
        out[get_global_id(0)] = oldValue;
      })";
    const auto kernel = session.kernel(source.c_str(), "k");
    auto in = session.buffer(values), sum = session.buffer(std::vector<cl_ulong>(1)),
         out = session.buffer(items * sizeof(cl_ulong));
    test::set_arguments(kernel, in, sum, out);
    session.run(kernel, items, local);
    std::vector<cl_ulong> found;
    if (type == "ulong")
      found = session.read<cl_ulong>(out, items);
    else
      for (cl_uint each : session.read<cl_uint>(out, items))
        found.push_back(each);
    std::vector<std::pair<cl_ulong, cl_ulong>> parts;
    for (size_t i = 0; i < items; ++i)
      if (values[i]) parts.emplace_back(found[i], values[i]);
    std::sort(parts.begin(), parts.end());
    cl_ulong next = 0;
    size_t wrong = 0;
    for (auto [start, amount] : parts) {
      wrong += start != next;
      next += amount;
    }
    CAPTURE(type);
    CHECK(wrong == 0);
    CHECK(session.read<cl_ulong>(sum, 1)[0] == next);
  }
}
