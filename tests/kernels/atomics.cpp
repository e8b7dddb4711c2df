// Atomics that are combined on their way to memory leave there what one by one would.

#include "support/session.hpp"

#include <algorithm>
#include <numeric>

namespace {

constexpr size_t items = 10'000, local = 100;

/// Scattered and repeated numbers below `limit`.
std::vector<cl_uint> numbers(size_t limit) {
  std::vector<cl_uint> values(items);
  cl_uint state = 1;
  for (cl_uint& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<cl_uint>((state >> 8) % limit);
  }
  return values;
}

/// What a kernel k(values, cells) leaves in `cells`.
template <class T>
std::vector<T> run(const char* source, const std::vector<cl_uint>& values, std::vector<T> cells,
                   const char* options = "") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k", options);
  auto in = session.buffer(values), out = session.buffer(cells);
  test::set_arguments(kernel, in, out);
  session.run(kernel, items, local);
  return session.read<T>(out, cells.size());
}

} // namespace

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

namespace {

/// Runs k(values, count, out) with `cells` cells of `out`, and returns the count and the cells.
std::pair<cl_uint, std::vector<cl_uint>> append(const char* source, const std::vector<cl_uint>& values,
                                                size_t cells, const test::Range& global,
                                                const test::Range& group) {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  auto in = session.buffer(values), count = session.buffer(std::vector<cl_uint>(1, 3)),
       out = session.buffer(std::vector<cl_uint>(cells));
  test::set_arguments(kernel, in, count, out);
  session.run(kernel, global, group);
  return {session.read<cl_uint>(count, 1)[0], session.read<cl_uint>(out, cells)};
}

std::vector<cl_uint> sorted(std::vector<cl_uint> values) {
  std::sort(values.begin(), values.end());
  return values;
}

} // namespace

TEST_CASE("Atomics: values that are appended lie side by side, each once", "[atomics]") {
  auto values = numbers(1 << 20);
  for (size_t i = 0; i < items; ++i) {
    values[i] |= 1;
    if (i % 3 == 0 || (i > 4000 && i < 5500)) values[i] = 0; // whole vectors and groups append nothing
  }
  std::vector<cl_uint> expected;
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), [](cl_uint v) { return v != 0; });
  const char* source = R"(
    kernel void k(global const uint* v, global uint* n, global uint* out) {
      uint i = get_global_id(0) + get_global_size(0) * get_global_id(1);
      if (v[i]) out[atomic_inc(n) - 3] = v[i];
    })";
  const auto check = [&](const test::Range& global, const test::Range& group) {
    auto [count, cells] = append(source, values, items, global, group);
    CAPTURE(global.size[0], group.size[0], group.size[1]);
    CHECK(count == 3 + expected.size());
    cells.resize(expected.size());
    CHECK(sorted(cells) == sorted(expected));
  };
  for (size_t group : {1, 5, 16, 100, 1000, 2000})
    check(items, group);
  check({100, 100}, {10, 10});
  check({200, 50}, {100, 5});
  check({1000, 10}, {40, 1});
}

TEST_CASE("Atomics: groups that are run as one append what each of them would", "[atomics]") {
  constexpr size_t many = 1 << 16;
  std::vector<cl_uint> values(many);
  std::iota(values.begin(), values.end(), 0u);
  std::vector<cl_uint> expected = values;
  std::erase_if(expected, [](cl_uint value) { return value % 7 == 0; });
  const test::Session session;
  const char* global = R"(
    kernel void k(global const uint* v, global uint* n, global uint* out) {
      uint x = v[get_global_id(0)];
      if (x % 7) out[atomic_inc(n) - 3] = x;
    })";
  const char* by_group = R"(
    kernel void k(global const uint* v, global uint* n, global uint* out) {
      uint x = v[get_group_id(0) * get_local_size(0) + get_local_size(0) - 1 - get_local_id(0)];
      if (x % 7) out[atomic_inc(n) - 3] = x;
    })";
  for (const char* source : {global, by_group})
    for (const size_t group : {16, 64, 100, 256}) {
      auto [count, cells] = append(source, values, many, group == 100 ? 65500 : many, group);
      const size_t left = group == 100 ? 65500 - 65500 / 7 - 1 : expected.size();
      CAPTURE(group);
      CHECK(count == 3 + left);
      cells.resize(left);
      CHECK(sorted(cells) == std::vector<cl_uint>(expected.begin(), expected.begin() + left));
    }
}

TEST_CASE("Atomics: what is appended may find no room, and its place may wrap", "[atomics]") {
  auto values = numbers(1 << 20);
  for (cl_uint& value : values)
    value |= 1;
  constexpr size_t room = 4321, cells = 1 << 16;
  auto [count, found] = append(R"(
    kernel void k(global const uint* v, global uint* n, global uint* out) {
      uint i = get_global_id(0), at = atomic_inc(n) - 3;
      if (v[i] % 4 == 1 && at < 4321) out[at] = v[i];
    })",
                               values, cells, items, local);
  CHECK(count == 3 + items);
  CHECK(std::all_of(found.begin() + room, found.end(), [](cl_uint cell) { return cell == 0; }));
  CHECK(std::all_of(found.begin(), found.begin() + room, [](cl_uint cell) { return cell % 4 < 2; }));

  const auto wrapped = append(R"(
    kernel void k(global const uint* v, global uint* n, global uint* out) {
      out[(ushort)(atomic_inc(n) + 65525)] = v[get_global_id(0)];
    })",
                              values, cells, items, local)
                           .second;
  std::vector<cl_uint> all(wrapped.end() - 8, wrapped.end());
  all.insert(all.end(), wrapped.begin(), wrapped.begin() + (items - 8));
  CHECK(sorted(all) == sorted(values));
}

TEST_CASE("Atomics: numbers of all sizes are appended", "[atomics]") {
  auto values = numbers(1 << 7);
  std::vector<cl_uint> expected;
  for (cl_uint value : values)
    if (value % 3 == 0) expected.push_back(value);
  for (const std::string type : {"uchar", "ushort", "ulong", "float", "double"}) {
    CAPTURE(type);
    const std::string source = "kernel void k(global const uint* v, global uint* n, global uint* out) {"
                               "  uint i = get_global_id(0);"
                               "  if (v[i] % 3 == 0) ((global " +
                               type +
                               "*)out)[atomic_inc(n) - 3] = v[i];"
                               "}"
                               "kernel void narrow(global const " +
                               type +
                               "* in, global uint* out) {"
                               "  out[get_global_id(0)] = in[get_global_id(0)];"
                               "}";
    const test::Session session;
    auto in = session.buffer(values), count = session.buffer(std::vector<cl_uint>(1, 3)),
         out = session.buffer(std::vector<cl_uint>(2 * items)),
         result = session.buffer(std::vector<cl_uint>(items));
    const auto kernel = session.kernel(source.c_str(), "k"),
               narrow = session.kernel(source.c_str(), "narrow");
    test::set_arguments(kernel, in, count, out);
    session.run(kernel, items, local);
    test::set_arguments(narrow, out, result);
    session.run(narrow, items, local);
    CHECK(sorted(session.read<cl_uint>(result, expected.size())) == sorted(expected));
  }
}

TEST_CASE("Atomics: what additions and subtractions return is what some order of the items gives",
          "[atomics]") {
  const auto values = numbers(100);
  const cl_uint total = std::accumulate(values.begin(), values.end(), 0u);
  SECTION("an item's own amount is left free behind what it got") {
    auto [count, cells] = append(R"(
      kernel void k(global const uint* v, global uint* n, global uint* out) {
        uint i = get_global_id(0), x = v[i];
        out[i] = atomic_add(n, x);
      })",
                                 values, items, items, 250);
    CHECK(count == 3 + total);
    std::vector<std::pair<cl_uint, cl_uint>> parts;
    for (size_t i = 0; i < items; ++i)
      if (values[i]) parts.emplace_back(cells[i], values[i]);
    std::sort(parts.begin(), parts.end());
    cl_uint next = 3;
    size_t wrong = 0;
    for (auto [start, amount] : parts) {
      wrong += start != next;
      next += amount;
    }
    CHECK(wrong == 0);
  }
  SECTION("several in a kernel, one behind a barrier, one in a loop, one after items have returned") {
    auto [count, cells] = append(R"(
      kernel void k(global const uint* v, global uint* n, global uint* out) {
        uint i = get_global_id(0), size = get_global_size(0);
        out[i] = atomic_inc(n);
        local uint seen[250];
        seen[get_local_id(0)] = out[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[size + i] = atomic_dec(n) + 0 * seen[(get_local_id(0) + 1) % 250];
        for (uint round = 0; round < v[i] % 4; ++round)
          atomic_xchg(&out[4 * size + i], atomic_add(n, 2));
        if (v[i] % 2) return;
        out[2 * size + i] = atomic_add(n, 1);
        out[3 * size + i] = 1;
      })",
                                 values, 5 * items, items, 250);
    cl_uint expected = 3, returned = 0;
    for (cl_uint value : values)
      expected += 2 * (value % 4) + (value % 2 == 0);
    for (size_t i = 0; i < items; ++i)
      returned += cells[3 * items + i];
    CHECK(count == expected);
    CHECK(returned == static_cast<cl_uint>(
                          std::count_if(values.begin(), values.end(), [](cl_uint v) { return v % 2 == 0; })));
  }
}

TEST_CASE("Atomics: each group appends to a list of its own", "[atomics]") {
  const auto values = numbers(100);
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global const uint* v, global ulong* n, global uint* out) {
      size_t i = get_global_id(0), group = get_group_id(0);
      if (v[i] < 30) out[group * get_local_size(0) + atom_inc(&n[group])] = v[i] + 1;
    })",
                                     "k");
  auto in = session.buffer(values), counts = session.buffer(std::vector<cl_ulong>(items / local)),
       out = session.buffer(std::vector<cl_uint>(items));
  test::set_arguments(kernel, in, counts, out);
  session.run(kernel, items, local);
  const auto sizes = session.read<cl_ulong>(counts, items / local);
  const auto cells = session.read<cl_uint>(out, items);
  for (size_t group = 0; group < items / local; ++group) {
    std::vector<cl_uint> expected;
    for (size_t i = group * local; i < (group + 1) * local; ++i)
      if (values[i] < 30) expected.push_back(values[i] + 1);
    std::vector<cl_uint> found(cells.begin() + group * local, cells.begin() + group * local + sizes[group]);
    CHECK(sorted(found) == sorted(expected));
  }
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

TEST_CASE("Atomics: floats added by compare-exchange arrive, each rounded where it arrives", "[atomics]") {
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

TEST_CASE("Atomics: a loop around compare-exchange tells what it found", "[atomics]") {
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

TEST_CASE("Atomics: values exchanged at one address are lost by nobody", "[atomics]") {
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

TEST_CASE("Atomics: a comparison that fails tells what is there, one that succeeds is unique", "[atomics]") {
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

TEST_CASE("Atomics: bits of words that neighbours share", "[atomics]") {
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

TEST_CASE("Atomics: rows of words that groups share, from any word on", "[atomics]") {
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

TEST_CASE("Atomics: what rows of words held is returned once", "[atomics]") {
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

TEST_CASE("Atomics: floats added to rows of words", "[atomics]") {
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
