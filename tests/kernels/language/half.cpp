// Half numbers in kernels, bit for bit: what is an instruction on one CPU is done in float on the next, and
// calls a function of the driver on a third. CTest runs this for several CPUs.

#include "support/session.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace {

using Half = _Float16;

/// Any NaN is as good as another.
cl_ushort bits(Half value) {
  cl_ushort result = 0;
  std::memcpy(&result, &value, sizeof result);
  return value != value ? 0x7e00 : result;
}

/// All of them, in an order in which neighbours have nothing in common.
std::vector<Half> all_halves() {
  std::vector<Half> values(1 << 16);
  for (unsigned i = 0; i < values.size(); ++i) {
    auto pattern = static_cast<cl_ushort>(i * 40503u);
    std::memcpy(&values[i], &pattern, sizeof pattern);
  }
  return values;
}

/// What `body` makes of each of `inputs`: it computes `r`, a To, from `x`, a From.
template <class To, class From>
std::vector<To> map(const std::vector<From>& inputs, const std::string& to, const std::string& from,
                    const std::string& body) {
  const test::Session session;
  const std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global " + to +
                             "* o, global const " + from + "* a) { size_t i = get_global_id(0); " + from +
                             " x = a[i]; " + to + " r; " + body + " o[i] = r; }";
  const auto kernel = session.kernel(source.c_str(), "k");
  auto results = session.buffer(inputs.size() * sizeof(To)), arguments = session.buffer(inputs);
  test::set_arguments(kernel, results, arguments);
  session.run(kernel, inputs.size());
  return session.read<To>(results, inputs.size());
}

template <class From>
void check_halves(const std::vector<From>& inputs, const std::string& from, const std::string& body,
                  const std::function<Half(std::size_t)>& expected) {
  const std::vector<Half> results = map<Half>(inputs, "half", from, body);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (bits(results[i]) != bits(expected(i)) && ++wrong <= 3)
      UNSCOPED_INFO(body << " of " << static_cast<double>(inputs[i]) << ": "
                         << static_cast<double>(results[i]) << ", not " << static_cast<double>(expected(i)));
  CHECK(wrong == 0);
}

/// Numbers that lie next to a half, next to the middle of two, and beyond the largest one, for From.
template <class From>
std::vector<From> near_halves() {
  std::vector<From> values;
  for (const Half half : all_halves()) {
    const double value = half;
    if (!(std::fabs(value) < 1e5)) continue;
    const double middle = value + std::ldexp(1, std::max(std::ilogb(value), -14) - 11);
    for (const double next : {value, middle, middle * (1 + 1e-12), middle * (1 - 1e-12), value * 1e4})
      values.push_back(static_cast<From>(next));
  }
  return values;
}

} // namespace

TEST_CASE("Half: a double, a float or an integer is rounded once", "[half]") {
  const auto doubles = near_halves<double>();
  check_halves(doubles, "double", "r = x;", [&](auto i) { return static_cast<Half>(doubles[i]); });
  const auto floats = near_halves<float>();
  check_halves(floats, "float", "r = x;", [&](auto i) { return static_cast<Half>(floats[i]); });
  const auto longs = near_halves<cl_long>();
  check_halves(longs, "long", "r = x;",
               [&](auto i) { return static_cast<Half>(static_cast<double>(longs[i])); });
  check_halves(longs, "long", "r = (ulong)(x < 0 ? -x : x);",
               [&](auto i) { return static_cast<Half>(std::fabs(static_cast<double>(longs[i]))); });
}

TEST_CASE("Half: vstore_half rounds a double once, as its name says", "[half]") {
  const auto doubles = near_halves<double>();
  const auto between = [&](auto i, bool up) {
    const double value = doubles[i];
    const auto nearest = static_cast<Half>(value);
    if (up ? nearest >= value : nearest <= value) return nearest;
    auto pattern = bits(nearest);
    pattern = static_cast<cl_ushort>(pattern + ((pattern >> 15 != 0) == up ? -1 : 1));
    Half result{};
    std::memcpy(&result, &pattern, sizeof result);
    return result;
  };
  const std::string store = "(x, 0, &r);";
  check_halves(doubles, "double", "vstore_half_rte" + store,
               [&](auto i) { return static_cast<Half>(doubles[i]); });
  check_halves(doubles, "double", "vstore_half_rtz" + store,
               [&](auto i) { return between(i, doubles[i] < 0); });
  check_halves(doubles, "double", "vstore_half_rtp" + store, [&](auto i) { return between(i, true); });
  check_halves(doubles, "double", "vstore_half_rtn" + store, [&](auto i) { return between(i, false); });
}

TEST_CASE("Half: numbers become float, double and integers", "[half]") {
  const auto halves = all_halves();
  const auto floats = map<float>(halves, "float", "half", "r = x;");
  const auto doubles = map<double>(halves, "double", "half", "r = x + vload_half(0, &x) - x;");
  const auto longs = map<cl_long>(halves, "long", "half", "r = convert_long_sat(x);");
  const auto bytes = map<cl_uchar>(halves, "uchar", "half", "r = convert_uchar_sat_rtp(x);");
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const double value = halves[i];
    if (!std::isfinite(value)) continue;
    wrong += floats[i] != static_cast<float>(value) || doubles[i] != value;
    wrong += longs[i] != static_cast<cl_long>(value);
    wrong += bytes[i] != std::clamp(std::ceil(value), 0.0, 255.0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("Half: each operation rounds its result", "[half]") {
  const auto halves = all_halves();
  const auto x = [&](auto i) { return static_cast<float>(halves[i]); };
  const auto check = [&](const std::string& body, auto expected) {
    check_halves(halves, "half", body, [&](auto i) { return static_cast<Half>(expected(x(i))); });
  };
  check("r = x + 3.25h;", [](float v) { return v + 3.25f; });
  check("r = x * 0.3h;", [](float v) { return v * static_cast<float>(static_cast<Half>(0.3f)); });
  check("r = 1.0h / x;", [](float v) { return 1 / v; });
  check("r = sqrt(x);", [](float v) { return std::sqrt(v); });
  check("r = rint(x);", [](float v) { return std::rint(v); });
  check("r = round(x);", [](float v) { return std::round(v); });
  check("r = fabs(x) - floor(x);", [](float v) {
    return static_cast<float>(static_cast<Half>(std::fabs(v))) -
           static_cast<float>(static_cast<Half>(std::floor(v)));
  });
  // If an argument is a signalling NaN, fmax() may return it; rint() makes it quiet.
  check("r = fmin(fmax(rint(x), -2.0h), 2.0h);",
        [](float v) { return std::fmin(std::fmax(std::rint(v), -2.0f), 2.0f); });
  check("r = x < 1.5h ? -x : x;", [](float v) { return v < 1.5f ? -v : v; });
}

TEST_CASE("Half: work-groups add, compare and scan", "[half]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global half8* o) {
      uint i = get_local_id(0);
      half x = (half)i - 20.5h;
      half8 r = 0;
      r.s0 = work_group_reduce_add(x);
      r.s1 = work_group_reduce_max(x) + work_group_reduce_min(x);
      r.s2 = work_group_scan_inclusive_add(x);
      r.s3 = work_group_scan_exclusive_max(x);
      r.s4 = work_group_broadcast(x, 7);
      o[i] = r;
    })",
                                     "k", "-cl-std=CL3.0");
  auto results = session.buffer(64 * sizeof(cl_half8));
  test::set_arguments(kernel, results);
  session.run(kernel, 64, 64);
  const auto values = session.read<std::array<Half, 8>>(results, 64);
  float sum = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    const float own = static_cast<float>(i) - 20.5f;
    sum += own;
    CHECK(static_cast<float>(values[i][0]) == 64 * 11);
    CHECK(static_cast<float>(values[i][1]) == 22);
    CHECK(static_cast<float>(values[i][2]) == sum);
    CHECK(static_cast<float>(values[i][3]) == (i ? own - 1 : -std::numeric_limits<float>::infinity()));
    CHECK(static_cast<float>(values[i][4]) == -13.5f);
  }
}
