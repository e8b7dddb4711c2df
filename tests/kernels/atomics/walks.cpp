// Loops in which the work-items of a group go through memory side by side, and update atomics: these take their steps
// together where all of a group have one more. Results are compared with plain C++.

#include "support/session.hpp"

#include <algorithm>
#include <climits>
#include <map>
#include <tuple>

namespace {

constexpr size_t bin_count = 64;

/// for (T i = first + stride * id, j = id; i < end; i += step, j += n)
struct Walk {
  std::string type; ///< of the counter
  std::string test; ///< < or <=
  cl_long first, stride, step, end;
};

const std::vector<Walk> walks = {
    {"ulong", "<", 0, 1, 300, 5000},
    {"ulong", "<=", 0, 1, 300, 4999},
    {"uint", "<", 0, 1, 300, 4096},
    {"int", "<", -700, 1, 300, 2100},
    {"int", "<=", -700, 4, 1200, 19000},
    {"int", "<", 2147482000, 1, 300, 2147483200},   // near the largest number
    {"uint", "<", 4294967040, 1, 300, 1500},        // the first begin far after the end
    {"uint", "<=", 4294966000, 1, 300, 4294966500}, // near the largest number
    {"long", "<", 0, 1, 300, 0},                    // no steps
    {"long", "<", 0, 1, 300, 77},                   // one step of a part of a group
    {"long", "<", 0, 1000, 300000, 5000000},        // far apart
    {"ulong", "<", ~cl_long{199}, 1, 300, 4000},
};

/// Bytes to read, one for each step of each work-item.
std::vector<cl_uchar> bytes() {
  std::vector<cl_uchar> values(40'000);
  cl_uint state = 7;
  for (cl_uchar& value : values)
    value = static_cast<cl_uchar>((state = state * 1664525 + 1013904223) >> 24);
  return values;
}

template <class T>
void count(std::vector<cl_uint>& bins, const Walk& walk, const std::vector<cl_uchar>& data, size_t items) {
  using Number = std::make_unsigned_t<T>;
  const auto end = static_cast<T>(walk.end);
  for (size_t item = 0; item < items; ++item) {
    auto i = static_cast<T>(static_cast<Number>(walk.first) +
                            static_cast<Number>(walk.stride) * static_cast<Number>(item));
    for (size_t j = item; walk.test == "<" ? i < end : i <= end; j += items) {
      REQUIRE(j < data.size());
      bins[data[j] % bin_count] += 1;
      i = static_cast<T>(static_cast<Number>(i) + static_cast<Number>(walk.step));
    }
  }
}

std::vector<cl_uint> expected(const Walk& walk, const std::vector<cl_uchar>& data, size_t items) {
  std::vector<cl_uint> bins(bin_count);
  const std::map<std::string,
                 void (*)(std::vector<cl_uint>&, const Walk&, const std::vector<cl_uchar>&, size_t)>
      counts = {{"int", count<cl_int>},
                {"uint", count<cl_uint>},
                {"long", count<cl_long>},
                {"ulong", count<cl_ulong>}};
  counts.at(walk.type)(bins, walk, data, items);
  return bins;
}

std::string source_of(const Walk& walk, bool in_local) {
  const std::string loop = "  " + walk.type + " i = first + " + std::to_string(walk.stride) + " * (" +
                           walk.type + ")get_global_id(0);\n" + "  for (ulong j = get_global_id(0); i " +
                           walk.test +
                           " end; i += step, j += get_global_size(0)) atomic_inc(&COUNTS[data[j] % 64]);\n";
  const std::string head = "kernel void k(global const uchar* restrict data, global uint* restrict bins, " +
                           walk.type + " first, " + walk.type + " step, " + walk.type + " end) {\n";
  if (!in_local) return "#define COUNTS bins\n" + head + loop + "}\n";
  return "#define COUNTS own\n" + head +
         "  local uint own[64];\n"
         "  for (uint b = get_local_id(0); b < 64; b += get_local_size(0)) own[b] = 0;\n"
         "  barrier(CLK_LOCAL_MEM_FENCE);\n" +
         loop +
         "  barrier(CLK_LOCAL_MEM_FENCE);\n"
         "  for (uint b = get_local_id(0); b < 64; b += get_local_size(0)) atomic_add(&bins[b], "
         "own[b]);\n}\n";
}

cl_int set_number(cl_kernel kernel, cl_uint index, const std::string& type, cl_long value) {
  return clSetKernelArg(kernel, index, type.ends_with("int") ? 4 : 8, &value);
}

} // namespace

TEST_CASE("Walks: each work-item takes its own number of steps", "[walks]") {
  const test::Session session;
  const auto data = bytes();
  const auto in = session.buffer(data);
  for (const Walk& walk : walks)
    for (const bool in_local : {false, true}) {
      const std::string source = source_of(walk, in_local);
      const auto kernel = session.kernel(source.c_str(), "k", "-cl-std=CL3.0");
      for (const auto& [items, group] :
           {std::pair<size_t, size_t>{300, 20}, {300, 64}, {300, 1}, {1024, 256}}) {
        if (walk.stride != 1 && items != 300) continue;
        const auto bins = session.buffer(std::vector<cl_uint>(bin_count));
        REQUIRE_CL(test::set_argument(kernel, 0, in));
        REQUIRE_CL(test::set_argument(kernel, 1, bins));
        for (const auto& [index, value] : {std::pair{2U, walk.first}, {3U, walk.step}, {4U, walk.end}})
          REQUIRE_CL(set_number(kernel, index, walk.type, value));
        session.run(kernel, items, group);
        CAPTURE(source, items, group, walk.first, walk.end);
        CHECK(session.read<cl_uint>(bins, bin_count) == expected(walk, data, items));
      }
    }
}

TEST_CASE("Walks: sums that a work-item carries along, in rows of several groups", "[walks]") {
  const char* source = R"(kernel void k(global const uint* restrict a, global int* restrict low, uint size) {
      int sum = get_global_id(1);
      for (uint i = get_global_id(0); i < size; i += get_global_size(0)) {
        sum = sum * 3 + a[i + get_global_id(1)];
        if (sum & 1) atomic_min(&low[sum & 15], sum);
        else atomic_min(&low[i & 15], sum - 1);
      } })";
  const test::Session session;
  constexpr size_t items = 96, rows = 6;
  for (const cl_uint size : {0U, 5U, 96U, 1000U, 1024U}) {
    std::vector<cl_uint> a(1100);
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = static_cast<cl_uint>(i * 2654435761U >> 5);
    std::vector<cl_int> low(16);
    for (size_t y = 0; y < rows; ++y)
      for (size_t x = 0; x < items; ++x) {
        auto sum = static_cast<cl_uint>(y);
        for (size_t i = x; i < size; i += items) {
          sum = sum * 3 + a[i + y];
          cl_int& place = low[sum & 1 ? sum & 15 : i & 15];
          place = std::min(place, static_cast<cl_int>(sum & 1 ? sum : sum - 1));
        }
      }
    const auto kernel = session.kernel(source, "k");
    const auto in = session.buffer(a), out = session.buffer(std::vector<cl_int>(16));
    for (const auto& local :
         {test::Range(16, 2), test::Range(32, 1), test::Range(1, 6), test::Range(96, 3)}) {
      test::set_arguments(kernel, in, out, size);
      session.run(kernel, test::Range(items, rows), local);
      CAPTURE(size, local.size[0]);
      CHECK(session.read<cl_int>(out, 16) == low);
    }
  }
}

TEST_CASE("Walks: updates of one address in a loop", "[walks]") {
  // Rows are sums of a work-item, of a group and of all; conditions, early ends and loops in loops.
  const char* source =
      R"(kernel void k(global const int* restrict a, global int* restrict out, int n, int limit) {
      local int sum, most;
      local long wide;
      int id = get_global_id(0), x = get_local_id(0);
      if (x == 0) { sum = 7; most = INT_MIN; wide = 1L << 40; }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = id; i < n; i += get_global_size(0)) {
        if (a[i] & 1) atomic_add(&sum, a[i]);
        else atomic_sub(&sum, 3);
        atomic_max(&most, a[i]);
        atom_add(&wide, (long)a[i] << 8);
        if (a[i] == limit) break;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (x == 0) {
        atomic_add(&out[0], sum);
        atomic_max(&out[1], most);
        atomic_add(&out[2], (int)(wide >> 8));
      }
      for (int j = 0; j < id % 3; ++j)
        for (int i = j; i < id % 7; ++i) atomic_xor(&out[3 + (id & 3)], a[i] + j);
      for (int i = 0; i < id % 5; ++i) {
        atomic_inc(&out[7]);
        atomic_min(&out[8], a[id + i]);
        atomic_or(&out[9], 1 << (a[id + i] & 31));
      } })";
  constexpr size_t items = 160;
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  std::vector<cl_int> a(3000);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<cl_int>((i * 2654435761U >> 7) % 1000) - 300;
  for (const size_t group : {1, 16, 40, 160})
    for (const cl_int n : {0, 3, 160, 1000, 2999})
      for (const cl_int limit : {5000, 17}) {
        std::vector<cl_int> expected(10);
        expected[1] = INT_MIN;
        for (size_t first = 0; first < items; first += group) {
          cl_int sum = 7, most = INT_MIN;
          cl_long wide = cl_long{1} << 40;
          for (size_t id = first; id < first + group; ++id)
            for (size_t i = id; i < static_cast<size_t>(n); i += items) {
              sum += a[i] & 1 ? a[i] : -3;
              most = std::max(most, a[i]);
              wide += cl_long{a[i]} * 256;
              if (a[i] == limit) break;
            }
          expected[0] += sum;
          expected[1] = std::max(expected[1], most);
          expected[2] =
              static_cast<cl_int>(static_cast<cl_uint>(expected[2]) + static_cast<cl_uint>(wide >> 8));
        }
        for (size_t id = 0; id < items; ++id) {
          for (size_t j = 0; j < id % 3; ++j)
            for (size_t i = j; i < id % 7; ++i)
              expected[3 + (id & 3)] ^= a[i] + static_cast<cl_int>(j);
          for (size_t i = 0; i < id % 5; ++i) {
            ++expected[7];
            expected[8] = std::min(expected[8], a[id + i]);
            expected[9] |= static_cast<cl_int>(1U << (a[id + i] & 31));
          }
        }
        std::vector<cl_int> start(10);
        start[1] = INT_MIN;
        const auto in = session.buffer(a), out = session.buffer(start);
        test::set_arguments(kernel, in, out, n, limit);
        session.run(kernel, items, group);
        CAPTURE(group, n, limit);
        CHECK(session.read<cl_int>(out, 10) == expected);
      }
}
