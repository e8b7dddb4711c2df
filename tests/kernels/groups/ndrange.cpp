// Shapes of NDRanges: every work-item runs once and knows its place (OpenCL 3.0 API, 3.2.1)

#include "support/session.hpp"

#include <set>

namespace {

/// Each work-item writes what it sees at its linear global id (without the offset).
constexpr const char* source = R"(
kernel void places(global ulong* out, global uint* visits, ulong offset_x, ulong offset_y, ulong offset_z) {
  size_t x = get_global_id(0) - offset_x, y = get_global_id(1) - offset_y, z = get_global_id(2) - offset_z;
  size_t i = x + get_global_size(0) * (y + get_global_size(1) * z);
  atomic_inc(visits + i);
  global ulong* o = out + i * 12;
  o[0] = get_global_id(0);
  o[1] = get_global_id(1);
  o[2] = get_global_id(2);
  o[3] = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
  o[4] = get_group_id(0);
  o[5] = get_group_id(1);
  o[6] = get_group_id(2);
  o[7] = get_local_size(0) * 1000000ul + get_local_size(1) * 1000 + get_local_size(2);
  o[8] = get_num_groups(0) * 1000000ul + get_num_groups(1) * 1000 + get_num_groups(2);
  o[9] = get_work_dim();
  o[10] = get_global_offset(0) + get_global_offset(1) + get_global_offset(2);
#if __OPENCL_C_VERSION__ >= 200
  o[11] = get_global_linear_id();
#else
  o[11] = i;
#endif
}
)";

struct Shape {
  test::Range global;
  size_t local[3] = {0, 0, 0}; ///< zeros: none given
  size_t offset[3] = {0, 0, 0};
};

size_t count(const Shape& s) {
  return s.global.size[0] * s.global.size[1] * s.global.size[2];
}

/// Runs the shape and compares every work-item with what the specification says.
void check(const test::Session& session, cl_kernel kernel, const Shape& shape) {
  const size_t items = count(shape);
  auto out = session.buffer(items * 12 * 8), visits = session.buffer(std::vector<cl_uint>(items, 0));
  test::set_arguments(kernel, out, visits, cl_ulong(shape.offset[0]), cl_ulong(shape.offset[1]),
                      cl_ulong(shape.offset[2]));
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, shape.global.dimensions, shape.offset,
                                    shape.global.size.data(), shape.local[0] ? shape.local : nullptr, 0,
                                    nullptr, nullptr));
  const auto seen = session.read<cl_uint>(visits, items);
  REQUIRE(seen == std::vector<cl_uint>(items, 1));
  const auto values = session.read<cl_ulong>(out, items * 12);
  size_t wrong = 0;
  for (size_t i = 0; i < items; ++i) {
    const cl_ulong* o = values.data() + i * 12;
    const size_t* g = shape.global.size.data();
    const size_t id[3] = {i % g[0], i / g[0] % g[1], i / g[0] / g[1]};
    bool good = o[9] == shape.global.dimensions && o[11] == i &&
                o[10] == shape.offset[0] + shape.offset[1] + shape.offset[2];
    for (int d = 0; d < 3; ++d)
      good = good && o[d] == id[d] + shape.offset[d];
    if (shape.local[0]) {
      size_t here[3], groups[3], local[3];
      for (int d = 0; d < 3; ++d) {
        const size_t enqueued = shape.local[d] ? shape.local[d] : 1;
        groups[d] = (g[d] + enqueued - 1) / enqueued;
        good = good && o[4 + d] == id[d] / enqueued;
        here[d] = id[d] % enqueued;
        local[d] = std::min(enqueued, g[d] - id[d] / enqueued * enqueued);
      }
      good = good && o[3] == here[0] + local[0] * (here[1] + local[1] * here[2]) &&
             o[7] == local[0] * 1000000 + local[1] * 1000 + local[2] &&
             o[8] == groups[0] * 1000000 + groups[1] * 1000 + groups[2];
    }
    wrong += !good;
  }
  CHECK(wrong == 0);
}

void check_all(const std::vector<Shape>& shapes, const char* options) {
  const test::Session session;
  const auto kernel = session.kernel(source, "places", options);
  for (const Shape& shape : shapes) {
    CAPTURE(shape.global.size[0], shape.global.size[1], shape.global.size[2], shape.local[0], shape.local[1],
            shape.local[2]);
    check(session, kernel, shape);
  }
}

} // namespace

TEST_CASE("NDRange: one dimension, groups of any size", "[ndrange]") {
  check_all({{1, {1, 1, 1}},
             {1000, {1, 1, 1}},
             {1024, {7 + 1, 1, 1}},
             {999, {27, 1, 1}},
             {4096, {256, 1, 1}},
             {8192, {4096, 1, 1}},
             {13, {13, 1, 1}}},
            "-cl-std=CL3.0");
}

TEST_CASE("NDRange: two and three dimensions", "[ndrange]") {
  check_all({{{16, 16}, {4, 4, 1}},
             {{64, 3}, {16, 3, 1}},
             {{1, 100}, {1, 10, 1}},
             {{3, 5, 7}, {1, 1, 1}},
             {{8, 12, 10}, {4, 3, 2}},
             {{1, 1, 64}, {1, 1, 32}},
             {{32, 8, 8}, {8, 8, 8}}},
            "-cl-std=CL3.0");
}

TEST_CASE("NDRange: rows of one vector, and then of another length", "[ndrange]") {
  check_all({{256, {8, 1, 1}},
             {256, {16, 1, 1}},
             {{16, 16}, {8, 8, 1}},
             {{32, 16}, {16, 16, 1}},
             {{1, 64}, {1, 8, 1}},
             {256, {32, 1, 1}},
             {{32, 16}, {32, 2, 1}},
             {100, {8, 1, 1}},
             {100, {16, 1, 1}},
             {{1, 1, 64}, {1, 1, 16}},
             {256, {64, 1, 1}},
             {8, {8, 1, 1}}},
            "-cl-std=CL3.0");
}

TEST_CASE("NDRange: offsets in every dimension", "[ndrange]") {
  check_all({{100, {10, 1, 1}, {5, 0, 0}},
             {{16, 6}, {8, 3, 1}, {1000, 7, 0}},
             {{4, 4, 4}, {2, 2, 2}, {1, 2, 3}},
             {{1, 1, 1}, {1, 1, 1}, {9, 8, 7}},
             {{16, 1, 1}, {8, 1, 1}, {0, 0, 7}},
             {{64, 1}, {0, 0, 0}, {0, 8, 0}},
             {64, {0, 0, 0}, {size_t(1) << 40, 0, 0}}},
            "-cl-std=CL3.0");
}

TEST_CASE("NDRange: ragged ranges have smaller last groups", "[ndrange]") {
  check_all({{10, {4, 1, 1}},
             {1000, {64, 1, 1}},
             {3, {64, 1, 1}},
             {{17, 13}, {8, 4, 1}},
             {{5, 7, 9}, {4, 4, 4}},
             {{33, 1, 3}, {16, 1, 2}, {9, 8, 7}}},
            "-cl-std=CL3.0");
}

TEST_CASE("NDRange: the enqueued local size may be larger than a dimension of the range", "[ndrange]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global ulong* o) {
      size_t i = get_global_linear_id() * 4;
      o[i] = get_enqueued_local_size(1); o[i + 1] = get_local_size(1);
      o[i + 2] = get_enqueued_local_size(2); o[i + 3] = get_local_size(2);
    })",
                                     "k", "-cl-std=CL3.0");
  auto buffer = session.buffer(8 * 32);
  test::set_arguments(kernel, buffer);
  const size_t global[3] = {8, 1, 1}, local[3] = {4, 2, 3};
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 3, nullptr, global, local, 0, nullptr, nullptr));
  const auto seen = session.read<cl_ulong>(buffer, 32);
  for (size_t i = 0; i < 32; i += 4)
    CHECK(std::vector(seen.begin() + i, seen.begin() + i + 4) == std::vector<cl_ulong>{2, 1, 3, 1});
}

TEST_CASE("NDRange: no local size works for every range", "[ndrange]") {
  check_all({{1},
             {2},
             {7},
             {97},
             {1021},
             {100000},
             {{1, 1}},
             {{1024, 1}},
             {{1, 1024}},
             {{37, 41}},
             {{11, 13, 17}},
             {{1, 1, 500}}},
            "-cl-std=CL3.0");
  check_all({{97}, {{37, 41}}, {{11, 13, 17}}, {1024}}, "-cl-std=CL1.2");
}

TEST_CASE("NDRange: no local size gives neither single items nor one huge group", "[ndrange]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(global ulong* o) { if (get_global_id(0) == 0) *o = "
                                     "get_local_size(0); }",
                                     "k");
  auto buffer = session.buffer(8);
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1 << 20);
  const auto size = session.read<cl_ulong>(buffer, 1)[0];
  CHECK(size > 8);
  CHECK(size <= 4096);
}

TEST_CASE("NDRange: more than four billion work-items in a dimension", "[ndrange]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global ulong* o) {
      size_t i = get_global_id(0);
      if ((i & 0x3ffffffful) == 4096 + 77) o[i >> 30] = i;
    })",
                                     "k", "-cl-std=CL3.0");
  if (!test::is_hostcl()) return;
  auto buffer = session.buffer(std::vector<cl_ulong>(8, 0));
  test::set_arguments(kernel, buffer);
  // Groups are large, and what most work-items do is cheap, so that this is a second of work at most.
  const size_t global = (size_t(1) << 32) + 4096 * 3, offset = 0, local = 4096;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, &offset, &global, &local, 0, nullptr, nullptr));
  const auto values = session.read<cl_ulong>(buffer, 8);
  for (cl_ulong i = 0; i < 5; ++i)
    CHECK(values[i] == (i << 30) + 4096 + 77);
}

TEST_CASE("NDRange: ids stay 64 bits wide behind a large offset", "[ndrange]") {
  const test::Session session;
  const auto kernel = session.kernel(
      "kernel void k(global ulong* o, ulong base) { size_t i = get_global_id(0); o[i - base] = i; }", "k");
  auto buffer = session.buffer(8 * 100);
  const cl_ulong base = (cl_ulong(1) << 32) - 50;
  test::set_arguments(kernel, buffer, base);
  const size_t global = 100, offset = base;
  REQUIRE_CL(
      clEnqueueNDRangeKernel(session.queue, kernel, 1, &offset, &global, nullptr, 0, nullptr, nullptr));
  const auto values = session.read<cl_ulong>(buffer, 100);
  for (cl_ulong i = 0; i < 100; ++i)
    REQUIRE(values[i] == base + i);
}

TEST_CASE("NDRange: dimensions beyond the range have size 1 and id 0", "[ndrange]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global ulong* o, uint d) {
      o[0] = get_global_size(d); o[1] = get_global_id(d); o[2] = get_local_size(d); o[3] = get_local_id(d);
      o[4] = get_num_groups(d); o[5] = get_group_id(d); o[6] = get_global_offset(d);
    })",
                                     "k");
  auto buffer = session.buffer(56);
  for (cl_uint d : {1u, 2u, 3u, 100u}) {
    CAPTURE(d);
    test::set_arguments(kernel, buffer, d);
    session.run(kernel, 1);
    CHECK(session.read<cl_ulong>(buffer, 7) == std::vector<cl_ulong>{1, 0, 1, 0, 1, 0, 0});
  }
}

TEST_CASE("NDRange: a million single-item groups all run", "[ndrange]") {
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(global uint* n) { atomic_inc(n); }", "k");
  auto buffer = session.buffer(std::vector<cl_uint>(1, 0));
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1 << 20, 1);
  CHECK(session.read<cl_uint>(buffer, 1)[0] == 1 << 20);
}
