// Atomic counters that hand out places: what is appended lies side by side, each once.

#include "support/atomic_kernels.hpp"

#include <algorithm>
#include <numeric>

using namespace test::atomics;

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

TEST_CASE("Atomics: values that are appended lie side by side, each once", "[append]") {
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

TEST_CASE("Atomics: groups that are run as one append what each of them would", "[append]") {
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

TEST_CASE("Atomics: groups whose kernel can tell them from each other are not run as one", "[append]") {
  constexpr cl_uint groups = 2048;
  std::vector<cl_uint> values(groups * 16);
  std::iota(values.begin(), values.end(), 0u);
  struct Sight {
    cl_uint group;
    const char* value;
    cl_uint (*of)(cl_uint group, cl_uint local);
  };
  constexpr Sight sights[] = {
      {16, "v[get_group_id(0) * get_local_size(0) + get_local_id(1)]",
       [](cl_uint g, cl_uint) { return g * 16; }},
      {16, "v[get_group_id(0) * get_local_size(1) + get_local_id(1)]", [](cl_uint g, cl_uint) { return g; }},
      {16, "v[get_group_id(0) * get_enqueued_local_size(2) + get_local_id(0)]",
       [](cl_uint g, cl_uint l) { return g + l; }},
      {16, "v[get_group_id(1) * get_local_size(0) + get_local_id(0)]", [](cl_uint, cl_uint l) { return l; }},
      {16, "get_local_size(0)", [](cl_uint, cl_uint) -> cl_uint { return 16; }},
      {16, "get_num_groups(0)", [](cl_uint, cl_uint) -> cl_uint { return groups; }},
      {12, "get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id()",
       [](cl_uint, cl_uint l) { return l; }},
      // A sub-group lies in one group.
      {12, "sub_group_reduce_max((uint)(get_global_id(0) / 12)) == get_global_id(0) / 12",
       [](cl_uint, cl_uint) -> cl_uint { return 1; }},
  };
  const test::Session session;
  for (const auto& [group, value, expected_of] : sights) {
    CAPTURE(value);
    const std::string source =
        std::string("kernel void k(global const uint* v, global uint* n, global uint* out) {"
                    "uint x = ") +
        value + "; out[atomic_inc(n)] = x; }";
    const auto kernel = session.kernel(source.c_str(), "k", "-cl-std=CL3.0");
    const size_t launched = groups * group;
    auto in = session.buffer(values), count = session.buffer(std::vector<cl_uint>(1)),
         out = session.buffer(std::vector<cl_uint>(launched));
    test::set_arguments(kernel, in, count, out);
    session.run(kernel, launched, group);
    std::vector<cl_uint> expected;
    for (cl_uint id = 0; id < launched; ++id)
      expected.push_back(expected_of(id / group, id % group));
    const bool agrees = sorted(session.read<cl_uint>(out, launched)) == sorted(expected);
    CHECK(agrees);
  }
}

TEST_CASE("Atomics: groups of a size that the kernel requires append what each of them would", "[append]") {
  constexpr size_t many = 1 << 16;
  std::vector<cl_uint> values(many);
  std::iota(values.begin(), values.end(), 0u);
  for (const size_t group : {16, 32, 64, 100, 128, 1000}) {
    const size_t launched = many / group * group;
    const std::string attribute =
        "__attribute__((reqd_work_group_size(" + std::to_string(group) + ", 1, 1))) ";
    for (const char* body : {"out[atomic_inc(n) - 3] = v[get_global_id(0)];",
                             "out[atomic_add(n, 1u) - 3] = get_global_id(0);"}) {
      const std::string source =
          attribute + "kernel void k(global const uint* v, global uint* n, global uint* out) {" + body + "}";
      const test::Session session;
      const auto kernel = session.kernel(source.c_str(), "k");
      auto in = session.buffer(values), count = session.buffer(std::vector<cl_uint>(1, 3)),
           out = session.buffer(std::vector<cl_uint>(many));
      test::set_arguments(kernel, in, count, out);
      // Again in code that is made for such launches, once there is some.
      for (cl_uint iteration = 1; iteration <= 3; ++iteration) {
        const cl_uint three = 3;
        REQUIRE_CL(clEnqueueWriteBuffer(session.queue, count, CL_TRUE, 0, 4, &three, 0, nullptr, nullptr));
        session.run(kernel, launched, group);
        CAPTURE(group, body, iteration);
        CHECK(session.read<cl_uint>(count, 1)[0] == 3 + launched);
        auto cells = session.read<cl_uint>(out, launched);
        CHECK(sorted(cells) == std::vector<cl_uint>(values.begin(), values.begin() + launched));
      }
    }
  }
}

TEST_CASE("Atomics: what is appended may find no room, and its place may wrap", "[append]") {
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

TEST_CASE("Atomics: numbers of all sizes are appended", "[append]") {
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
          "[append]") {
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
        for (uint iteration = 0; iteration < v[i] % 4; ++iteration)
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

TEST_CASE("Atomics: each group appends to a list of its own", "[append]") {
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
