// Kernels that cannot see their groups run in groups of the driver's choice, and give what they give in those that the
// application asks for: kernels, global sizes, offsets and local sizes of all kinds. Kernels that can see them keep theirs.

#include "support/session.hpp"

#include <functional>
#include <numeric>

namespace {

using Sizes = std::array<size_t, 3>;
using Numbers = std::vector<cl_uint>;

constexpr size_t deep = 11; ///< terms of a sum

constexpr const char* source = R"(
#define PLACE size_t w = get_global_size(0), h = get_global_size(1); \
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1), \
         z = get_global_id(2) - get_global_offset(2), i = x + w * (y + h * z)
kernel void moves(global uint* c, global const uint* a) {
  PLACE;
  c[i] = a[i] + 3 * get_global_id(0) + 1000 * get_global_id(1) + 100000 * get_global_id(2);
}
kernel void multiplies(global uint* c, global const uint* a) {
  PLACE;
  uint sum = 0;
  for (size_t k = 0; k < 11; ++k) sum += a[y * 11 + k] * a[k * w + x];
  c[i] = sum;
}
kernel void guards(global uint* c, global const uint* a) {
  PLACE;
  int n = w - 1, m = h - 1, column = x, row = y;
  if (column < n && row < m)
    for (int k = 0; k < 11; ++k) c[i] += a[row * 11 + k] * a[k * (n + 1) + column];
}
kernel void triangle(global uint* c, global const uint* a) {
  PLACE;
  int n = w, column = x, row = y;
  uint sum = a[row * n + column];
  for (int k = 0; k < row; ++k) sum += a[row] * a[k * n + column];
  c[i] = sum;
}
kernel void squares(global uint* c, global const uint* a) {
  PLACE;
  if (x >= w || y >= h) return;
  uint sum = 0;
  for (size_t k = 0; k < 11; ++k) sum += a[y * 11 + k] * a[x * 11 + k];
  c[i] = sum;
}
kernel void bounds(global uint* c, global const uint* a) {
  PLACE;
  int n = w - 1, m = h - 1, column = x, row = y;
  if (row <= 0 || row >= m || column >= n) return;
  uint sum = 7;
  for (int k = 0; k < 11; ++k) sum += a[row * 11 + k] * a[k * (n + 1) + column];
  c[i] = sum;
}
kernel void multiplies_down(global uint* c, global const uint* a) {
  PLACE;
  uint sum = 0;
  for (size_t k = 0; k < 11; ++k) sum += a[x * 11 + k] * a[k * h + y];
  c[(z * w + x) * h + y] = sum;
}
kernel void transposes(global uint* c, global const uint* a) {
  PLACE;
  c[(z * w + x) * h + y] = a[i];
}
kernel void counts(global uint* c, global const uint* a) {
  PLACE;
  atomic_inc(&c[i & 7]);
  if (atomic_inc(&c[8]) == 0xffffffff) c[9] = 1;
}
__attribute__((reqd_work_group_size(8, 4, 1))) kernel void requires(global uint* c, global const uint* a) {
  PLACE;
  uint sum = 0;
  for (size_t k = 0; k < 11; ++k) sum += a[y * 11 + k] * a[k * w + x];
  c[i] = sum + get_global_id(0);
}
kernel void sees(global uint* c, global const uint* a) {
  PLACE;
  c[i] = get_group_id(0) + 100 * get_group_id(1) + 10000 * get_group_id(2) + 1000000 * get_local_id(1);
}
)";

/// What a work-item does: its place, less the offset, the global size and offset, the local size, c and a.
struct Item {
  Sizes at, size, offset, local;
  size_t linear() const { return at[0] + size[0] * (at[1] + size[1] * at[2]); }
  size_t down() const { return (at[2] * size[0] + at[0]) * size[1] + at[1]; }
};

cl_uint product(const Numbers& a, size_t row, size_t column, size_t width) {
  cl_uint sum = 0;
  for (size_t k = 0; k < deep; ++k)
    sum += a[row * deep + k] * a[k * width + column];
  return sum;
}

struct Case {
  const char* kernel;
  std::function<void(const Item&, Numbers& c, const Numbers& a)> run;
};

const Case cases[] = {
    {"moves",
     [](const Item& item, Numbers& c, const Numbers& a) {
       cl_uint sum = a[item.linear()], factor[] = {3, 1000, 100'000};
       for (size_t d = 0; d < 3; ++d)
         sum += factor[d] * static_cast<cl_uint>(item.at[d] + item.offset[d]);
       c[item.linear()] = sum;
     }},
    {"multiplies",
     [](const Item& item, Numbers& c, const Numbers& a) {
       c[item.linear()] = product(a, item.at[1], item.at[0], item.size[0]);
     }},
    {"guards",
     [](const Item& item, Numbers& c, const Numbers& a) {
       if (item.at[0] + 1 < item.size[0] && item.at[1] + 1 < item.size[1])
         c[item.linear()] += product(a, item.at[1], item.at[0], item.size[0]);
     }},
    {"triangle",
     [](const Item& item, Numbers& c, const Numbers& a) {
       const size_t column = item.at[0], row = item.at[1];
       cl_uint sum = a[row * item.size[0] + column];
       for (size_t k = 0; k < row; ++k)
         sum += a[row] * a[k * item.size[0] + column];
       c[item.linear()] = sum;
     }},
    {"squares",
     [](const Item& item, Numbers& c, const Numbers& a) {
       cl_uint sum = 0;
       for (size_t k = 0; k < deep; ++k)
         sum += a[item.at[1] * deep + k] * a[item.at[0] * deep + k];
       c[item.linear()] = sum;
     }},
    {"bounds",
     [](const Item& item, Numbers& c, const Numbers& a) {
       if (item.at[0] + 1 < item.size[0] && item.at[1] > 0 && item.at[1] + 1 < item.size[1])
         c[item.linear()] = 7 + product(a, item.at[1], item.at[0], item.size[0]);
     }},
    {"multiplies_down",
     [](const Item& item, Numbers& c, const Numbers& a) {
       c[item.down()] = product(a, item.at[0], item.at[1], item.size[1]);
     }},
    {"transposes", [](const Item& item, Numbers& c, const Numbers& a) { c[item.down()] = a[item.linear()]; }},
    {"counts",
     [](const Item& item, Numbers& c, const Numbers&) {
       ++c[item.linear() & 7];
       ++c[8];
     }},
    {"sees",
     [](const Item& item, Numbers& c, const Numbers&) {
       cl_uint sum = 0, factor[] = {1, 100, 10'000};
       for (size_t d = 0; d < 3; ++d)
         sum += factor[d] * static_cast<cl_uint>(item.at[d] / item.local[d]);
       c[item.linear()] = sum + 1'000'000 * static_cast<cl_uint>(item.at[1] % item.local[1]);
     }},
};

constexpr Sizes global_sizes[] = {{4099, 1, 1}, {8192, 1, 1}, {64, 96, 1},  {130, 67, 1},
                                  {1, 5000, 1}, {33, 17, 9},  {256, 72, 1}, {1000, 24, 1},
                                  {3, 3, 2000}, {96, 64, 2},  {320, 128, 1}};
constexpr Sizes local_sizes[] = {{0, 0, 0},  {1, 1, 1},  {64, 1, 1},  {1, 64, 1},  {1, 1, 64},
                                 {3, 5, 1},  {8, 8, 1},  {2, 1, 1},   {16, 16, 1}, {7, 1, 3},
                                 {32, 8, 1}, {4, 64, 1}, {256, 1, 1}, {128, 2, 1}};

cl_uint dimensions_of(const Sizes& global) {
  return global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
}

Numbers numbers(cl_uint first, const Sizes& global) {
  const size_t most = std::max({global[0], global[1], global[2]});
  Numbers values(std::max(global[0] * global[1] * global[2], most * deep));
  std::iota(values.begin(), values.end(), first);
  return values;
}

Numbers expected(const Case& one, const Sizes& global, const Sizes& offset, const Sizes& local) {
  const Numbers a = numbers(1, global);
  Numbers c = numbers(7, global);
  Sizes at;
  for (at[2] = 0; at[2] < global[2]; ++at[2])
    for (at[1] = 0; at[1] < global[1]; ++at[1])
      for (at[0] = 0; at[0] < global[0]; ++at[0])
        one.run({at, global, offset, local}, c, a);
  return c;
}

Numbers run(const test::Session& session, cl_kernel kernel, const Sizes& global, const Sizes& offset,
            const Sizes& local) {
  auto c = session.buffer(numbers(7, global)), a = session.buffer(numbers(1, global));
  test::set_arguments(kernel, c, a);
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, dimensions_of(global), offset.data(),
                                    global.data(), local[0] ? local.data() : nullptr, 0, nullptr, nullptr));
  return session.read<cl_uint>(c, numbers(7, global).size());
}

/// The local size in the dimensions that the launch has.
Sizes within(Sizes local, const Sizes& global) {
  for (cl_uint d = dimensions_of(global); d < 3; ++d)
    local[d] = local[0] ? 1 : 0;
  return local;
}

} // namespace

TEST_CASE("Group-size-agnostic kernels: kernels give the same in groups of all sizes",
          "[group_size_agnostic]") {
  const test::Session session;
  const auto program = session.build(source, "-cl-std=CL3.0");
  for (const Case& one : cases) {
    const auto kernel = session.kernel(program, one.kernel);
    const bool sees_groups = one.kernel == std::string_view("sees");
    for (const Sizes& global : global_sizes)
      for (const size_t half : {0, 1}) {
        Sizes used_offset = half ? Sizes{5, 3, 1} : Sizes{};
        std::fill(used_offset.begin() + dimensions_of(global), used_offset.end(), 0);
        const Numbers same = sees_groups ? Numbers() : expected(one, global, used_offset, {1, 1, 1});
        // Each global size has half of the local sizes with an offset; the next global size has the other half.
        for (size_t i = (size_t(&global - global_sizes) + half) % 2; i < std::size(local_sizes); i += 2) {
          const Sizes local = within(local_sizes[i], global);
          if (sees_groups && !local[0]) continue;
          CAPTURE(one.kernel, global[0], global[1], global[2], half, local[0], local[1], local[2]);
          const Numbers result = run(session, kernel, global, used_offset, local);
          CHECK((result == (sees_groups ? expected(one, global, used_offset, local) : same)));
        }
      }
  }
}

TEST_CASE("Group-size-agnostic kernels: a kernel may require a size that it cannot see",
          "[group_size_agnostic]") {
  const test::Session session;
  const auto program = session.build(source, "-cl-std=CL3.0");
  const auto kernel = session.kernel(program, "requires");
  for (const Sizes& global : {Sizes{128, 96, 1}, Sizes{1024, 12, 1}, Sizes{64, 64, 3}}) {
    const Case one{"requires", [](const Item& item, Numbers& c, const Numbers& a) {
                     c[item.linear()] =
                         product(a, item.at[1], item.at[0], item.size[0]) + static_cast<cl_uint>(item.at[0]);
                   }};
    for (int iteration = 0; iteration < 2; ++iteration) {
      CAPTURE(global[0], global[1], global[2], iteration);
      CHECK((run(session, kernel, global, {}, {8, 4, 1}) == expected(one, global, {}, {8, 4, 1})));
    }
  }
}

TEST_CASE("Group-size-agnostic kernels: OpenCL C 1.2, whose groups divide the global size",
          "[group_size_agnostic]") {
  const test::Session session;
  const auto program = session.build(source, "-cl-std=CL1.2");
  for (const Case& one : cases) {
    if (one.kernel == std::string_view("sees")) continue;
    const auto kernel = session.kernel(program, one.kernel);
    for (const Sizes& global : {Sizes{1000, 40, 1}, Sizes{5000, 1, 1}, Sizes{40, 1000, 1}})
      for (const Sizes& local : {Sizes{0, 0, 0}, Sizes{5, 1, 1}, Sizes{40, 1, 1}, Sizes{8, 1, 1}}) {
        CAPTURE(one.kernel, global[0], global[1], local[0]);
        CHECK((run(session, kernel, global, {}, local) == expected(one, global, {}, {1, 1, 1})));
      }
  }
}

TEST_CASE("Group-size-agnostic kernels: work-items that wait for a lock, each in a group of its own, get it",
          "[group_size_agnostic]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void locks(global volatile int* lock, global int* sum) {
      while (atomic_xchg(lock, 1)) ;
      *sum += get_global_id(0);
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(lock, 0);
    })",
                                     "locks");
  auto lock = session.buffer(std::vector<cl_int>{0}), sum = session.buffer(std::vector<cl_int>{0});
  test::set_arguments(kernel, lock, sum);
  for (int iteration = 1; iteration <= 2; ++iteration) {
    session.run(kernel, 4096, 1);
    CHECK(session.read<cl_int>(sum, 1)[0] == iteration * (4096 * 4095 / 2));
  }
}
