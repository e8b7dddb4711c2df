// Work-group collectives (OpenCL C 3.0, 6.15.15) and sub-group functions (6.15.19). Sub-groups have the width
// that the driver chooses, so facts about them hold for any width.

#include "support/session.hpp"

#include <cmath>
#include <numeric>

namespace {

/// Runs the kernel `k(global T* data)` on groups of `local` items.
template <class T>
std::vector<T> run(const std::string& text, std::vector<T> values, size_t local,
                   const char* options = "-cl-std=CL3.0") {
  const test::Session session;
  const auto kernel = session.kernel(text.c_str(), "k", options);
  auto buffer = session.buffer(values);
  REQUIRE_CL(test::set_argument(kernel, 0, buffer));
  session.run(kernel, values.size(), local);
  return session.read<T>(buffer, values.size());
}

std::string on_each(const std::string& type, const std::string& expression) {
  return "kernel void k(global " + type + "* data) { size_t i = get_global_id(0); " + type +
         " x = data[i]; data[i] = " + expression + "; }";
}

template <class T>
std::vector<T> counting(size_t count, T first = 1) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

} // namespace

TEST_CASE("Collectives: reductions give every item the same value", "[collective]") {
  for (size_t local : {1, 3, 64, 100, 256, 1000}) {
    CAPTURE(local);
    const auto sums = run(on_each("int", "work_group_reduce_add(x)"), counting<cl_int>(local * 2), local);
    const cl_int n = cl_int(local);
    CHECK(sums == [&] {
      std::vector<cl_int> expected(local, n * (n + 1) / 2);
      expected.resize(2 * local, n * (n + 1) / 2 + n * n);
      return expected;
    }());
    CHECK(run(on_each("float", "work_group_reduce_max(x)"), counting<cl_float>(local), local).front() == n);
    CHECK(run(on_each("long", "work_group_reduce_min(x)"), counting<cl_long>(local, -5), local).back() == -5);
  }
}

TEST_CASE("Collectives: scans follow the order of the linear local id", "[collective]") {
  for (size_t local : {1, 7, 64, 129, 640, 1024}) {
    CAPTURE(local);
    const auto inclusive =
        run(on_each("uint", "work_group_scan_inclusive_add(x)"), counting<cl_uint>(local), local);
    const auto exclusive =
        run(on_each("uint", "work_group_scan_exclusive_add(x)"), counting<cl_uint>(local), local);
    size_t wrong = 0;
    for (cl_uint i = 0; i < local; ++i)
      wrong += inclusive[i] != (i + 1) * (i + 2) / 2 || exclusive[i] != i * (i + 1) / 2;
    CHECK(wrong == 0);
  }
}

TEST_CASE("Collectives: an exclusive scan starts with the identity", "[collective]") {
  CHECK(run(on_each("int", "work_group_scan_exclusive_max(x)"), counting<cl_int>(8), 8).front() ==
        CL_INT_MIN);
  CHECK(run(on_each("float", "work_group_scan_exclusive_min(x)"), counting<cl_float>(8), 8).front() ==
        INFINITY);
}

TEST_CASE("Collectives: any, all and broadcast", "[collective]") {
  CHECK(run(on_each("int", "work_group_any(x == 37)"), counting<cl_int>(100), 50) == [] {
    std::vector<cl_int> v(100, 0);
    std::fill_n(v.begin(), 50, 1);
    return v;
  }());
  CHECK(run(on_each("int", "work_group_all(x > 0)"), counting<cl_int>(100), 100).back() == 1);
  CHECK(run(on_each("int", "work_group_broadcast(x, 13)"), counting<cl_int>(64), 64) ==
        std::vector<cl_int>(64, 14));
}

TEST_CASE("Sub-groups: their sizes add up to the group", "[collective]") {
  const auto sizes =
      run(on_each("uint", "work_group_reduce_add(get_sub_group_local_id() == 0 ? get_sub_group_size() : 0u)"),
          counting<cl_uint>(100), 100);
  CHECK(sizes.front() == 100);
  const auto ids =
      run(on_each("uint", "work_group_reduce_max(get_sub_group_id()) + 1 == get_num_sub_groups()"),
          counting<cl_uint>(100), 100);
  CHECK(ids.front() == 1);
}

TEST_CASE("Sub-groups: reductions, scans, ballots and shuffles agree with each other", "[collective]") {
  const std::string checks = R"(
    kernel void k(global int* data) {
      uint lane = get_sub_group_local_id(), size = get_sub_group_size();
      int x = data[get_global_id(0)], wrong = 0;
      wrong |= sub_group_reduce_add((int)lane) != size * (size - 1) / 2;
      wrong |= (sub_group_scan_inclusive_add(x) != sub_group_scan_exclusive_add(x) + x) << 1;
      wrong |= (sub_group_broadcast(lane, size - 1) != size - 1) << 2;
      uint4 ballot = sub_group_ballot(1);
      wrong |= (sub_group_ballot_bit_count(ballot) != size) << 3;
      wrong |= (sub_group_ballot_exclusive_scan(ballot) != lane) << 4;
      wrong |= (sub_group_ballot_find_msb(ballot) != size - 1 || sub_group_ballot_find_lsb(ballot) != 0) << 5;
      wrong |= (sub_group_shuffle(lane, size - 1 - lane) != size - 1 - lane) << 6;
      wrong |= (sub_group_elect() != (lane == 0)) << 7;
      wrong |= (sub_group_any(lane == 0) != 1 || sub_group_all(lane < size) != 1) << 8;
      wrong |= (popcount(get_sub_group_le_mask().x) != lane + 1) << 9;
      uint largest = get_max_sub_group_size(); // also in a last sub-group that is smaller
      wrong |= (sub_group_ballot_bit_count((uint4)(~0u)) != largest) << 10;
      wrong |= (sub_group_ballot_find_msb((uint4)(~0u)) != largest - 1) << 11;
      wrong |= (popcount(get_sub_group_ge_mask().x) != largest - lane) << 12;
      // cl_intel_subgroups_short, cl_intel_subgroups_char
      wrong |= (intel_sub_group_broadcast((short)lane, size - 1) != size - 1) << 13;
      wrong |= (intel_sub_group_reduce_max((char)lane) != size - 1) << 14;
      wrong |= (intel_sub_group_scan_exclusive_add((ushort)1) != lane) << 15;
      wrong |= (intel_sub_group_scan_inclusive_add((uchar)1) != lane + 1) << 16;
      data[get_global_id(0)] = wrong;
    })";
  for (size_t local : {1, 16, 50})
    CHECK(run(checks, counting<cl_int>(local * 4), local) == std::vector<cl_int>(local * 4, 0));
}

namespace {

struct Fold {
  const char* name;
  const char* start;                ///< of an exclusive scan (OpenCL C 3.0, 6.15.15)
  std::span<const cl_float> values; ///< each is the result for any number of itself
};
constexpr cl_float idempotent[] = {-0.0f, 0.0f, NAN, INFINITY, -INFINITY, -2.5f};
constexpr cl_float factors[] = {0.0f, 1.0f, NAN, INFINITY};
constexpr Fold folds[] = {{"add", "0", std::span(idempotent).first(5)},
                          {"mul", "1", factors},
                          {"min", "INFINITY", idempotent},
                          {"max", "-INFINITY", idempotent}};

/// A kernel that replaces a value which the work-items of a group have in common by a bit for each reduction
/// or scan with another result. Any NaN will do, but 0 is not -0.
std::string checks_of(const std::string& type, const Fold& fold) {
  const std::string op = fold.name;
  std::string text =
      "bool same(" + type + " x, " + type +
      " y) { return isnan(x) ? isnan(y) : x == y && signbit(x) == signbit(y); }\n"
      "kernel void k(global float* data) {\n"
      "  uint lane = get_sub_group_local_id(), item = get_local_linear_id(), wrong = 0, n = 0;\n"
      "  " +
      type + " x = data[get_global_id(0)], start = " + fold.start + ";\n";
  const auto check = [&](const std::string& call, const std::string& expected) {
    text += "  wrong |= (uint)!same(" + call + ", " + expected + ") << n++;\n";
  };
  check("work_group_reduce_" + op + "(x)", "x");
  check("work_group_scan_inclusive_" + op + "(x)", "x");
  check("work_group_scan_exclusive_" + op + "(x)", "item ? x : start");
  for (std::string family : {"sub_group_", "sub_group_non_uniform_"}) {
    if (family == "sub_group_" && op == "mul") continue; // there is none
    check(family + "reduce_" + op + "(x)", "x");
    check(family + "scan_inclusive_" + op + "(x)", "x");
    check(family + "scan_exclusive_" + op + "(x)", "lane ? x : start");
  }
  check("sub_group_clustered_reduce_" + op + "(x, 1)", "x");
  text += "  if (item % 3 == 1) {\n";
  check("sub_group_non_uniform_reduce_" + op + "(x)", "x");
  check("sub_group_non_uniform_scan_inclusive_" + op + "(x)", "x");
  check("sub_group_non_uniform_scan_exclusive_" + op + "(x)", "sub_group_elect() ? start : x");
  return text + "  }\n  data[get_global_id(0)] = wrong;\n}";
}

struct Elements {
  const char* type;
  size_t local; ///< the size of work-groups
};
constexpr Elements all_elements[] = {{"half", 21}, {"float", 37}, {"double", 64}};

void check_absent(const Elements& elements, const Fold& fold) {
  const auto& [type, local] = elements;
  std::vector<cl_float> values;
  for (cl_float value : fold.values)
    values.insert(values.end(), local, value);
  const std::vector<cl_float> wrong = run(checks_of(type, fold), values, local);
  for (size_t i = 0; i < wrong.size(); i += local) {
    CAPTURE(type, fold.name, values[i], local);
    CHECK(std::vector(wrong.begin() + i, wrong.begin() + i + local) == std::vector<cl_float>(local));
  }
}

} // namespace

TEST_CASE("Collectives: absent work-items change no result, not even its sign", "[collective][one_form]") {
  for (const Elements& elements : all_elements)
    for (const Fold& fold : folds)
      check_absent(elements, fold);
}

TEST_CASE("Collectives: absent work-items change no result, with one type for each operation",
          "[.short_collective]") {
  for (size_t i = 0; i < std::size(folds); ++i)
    check_absent(all_elements[i % std::size(all_elements)], folds[i]);
}

TEST_CASE("Collectives: sums and products of integers wrap", "[collective]") {
  const std::string text = "kernel void k(global int* data) { int x = data[get_global_id(0)];"
                           " int sum = work_group_reduce_add(x), product = work_group_reduce_mul(x);"
                           " data[get_global_id(0)] = (sum < x) + 2 * (product < x) + 4 * (sum < 0); }";
  CHECK(run(text, std::vector<cl_int>(64, CL_INT_MAX), 64) == std::vector<cl_int>(64, 1 + 2 + 4));
}
