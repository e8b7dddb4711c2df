// HOSTCL_CHECK=races: kernels that are proved to be free of races in some launches (compiler/passes/checks/freedom/race_freedom.hpp).
// Each has a launch just outside of the proof, in which its race is found, and mostly one inside, which has no report.

#include "support/findings.hpp"
#include "support/session.hpp"

#include <optional>

namespace {

struct Launch {
  size_t global[2] = {64, 1}, local[2] = {16, 1};
  size_t offset = 0;
  cl_uint n = 0;
  bool one_buffer = false; ///< for both parameters
};

/// The kernel is `kernel void k(global int* a, global int* b, uint n, local int* t)`, its body begins in line 2.
struct Case {
  const char *name, *body;
  std::optional<Launch> wrong, right;
};

const Case cases[] = {
    {"rows that are one element too long", "for (uint j = 0; j <= n; ++j) a[i * 4 + j] = i;", Launch{.n = 4},
     Launch{.n = 3}},
    {"rows of another length than n", "for (uint j = 0; j < n; ++j) a[i * 4 + j] = i;", Launch{.n = 5},
     Launch{.n = 4}},
    {"rows whose distance is n", "for (uint j = 0; j < 4; ++j) a[i * n + j] = i;", Launch{.n = 3},
     Launch{.n = 4}},
    {"rows in the wrong direction", "for (int j = 0; j < 4; ++j) a[(63 - i) * 4 + 8 - j * (int)n] = i;",
     Launch{.n = 2}, Launch{.n = 1}},
    {"half of an id", "a[i / 2] = i;", Launch{}, {}},
    {"the lowest bit of an id turned", "a[i] = 1; b[i] = a[i ^ 1];", Launch{}, {}},
    {"a mask", "a[i & n] = i;", Launch{.n = 31}, Launch{.n = 127}},
    {"one buffer for two parameters", "a[i] = b[i + 1];", Launch{.one_buffer = true}, Launch{}},
    {"one buffer that both write", "a[i] = 1; b[i + 1] = 2;", Launch{.one_buffer = true}, Launch{}},
    {"ids with the offset, and without", "a[i] = 1; b[i] = a[get_group_id(0) * get_local_size(0) + l];",
     Launch{.offset = 8}, Launch{}},
    {"an offset that only the launch knows", "a[i] = 1; b[i] = a[i + n];", Launch{.n = 1}, Launch{.n = 0}},
    {"an index that wraps at 32 bits", "if (i % 4 == 0) a[(uint)i * n] = i;", Launch{.n = 1U << 30},
     Launch{.n = 1}},
    {"an index that wraps at 16 bits", "a[(ushort)(i * n)] = i;", Launch{.n = 1U << 14}, Launch{.n = 3}},
    {"an index that wraps at 8 bits", "a[(uchar)(i * n)] = i;", Launch{.n = 8}, Launch{.n = 3}},
    {"a distance of zero", "a[i * n] = i;", Launch{.n = 0}, Launch{.n = 1}},
    {"a negative distance", "a[500 + i * (int)n] = i; b[i] = a[500 + i * (int)n - 1];", Launch{.n = ~0U},
     Launch{.n = ~1U}},
    {"rows of less than the launch's width", "a[get_global_id(1) * n + i] = i;",
     Launch{{16, 4}, {4, 2}, 0, 15}, Launch{{16, 4}, {4, 2}, 0, 16}},
    {"columns of less than its height", "a[i * n + get_global_id(1)] = i;", Launch{{16, 4}, {4, 2}, 0, 3},
     Launch{{16, 4}, {4, 2}, 0, 4}},
    {"an id of one dimension in a launch of two", "a[i] = get_global_id(1);", Launch{{16, 4}, {4, 2}},
     Launch{{16, 1}, {4, 1}}},
    {"the size of the last group", "a[get_group_id(0) * get_local_size(0) + l] = i;",
     Launch{{40, 1}, {16, 1}}, Launch{{48, 1}, {16, 1}}},
    {"steps that are one too short", "for (uint j = i; j < 256; j += n) a[j] = i;", Launch{.n = 63},
     Launch{.n = 64}},
    {"steps of the launch's size",
     "for (size_t j = i; j < 256; j += get_global_size(0)) a[j + n * (j & 1)] = i;",
     Launch{.n = 1},
     {}},
    {"vectors that overlap", "vstore4((int4)(i), 0, a + i * n);", Launch{.n = 3}, Launch{.n = 4}},
    {"bytes of a word by turns", "((global uchar*)a)[i % 3] = i;", Launch{}, {}},
    {"halves of a word by turns", "((local ushort*)t)[i % 2] = i;", Launch{}, {}},
    {"a byte that is read between others",
     "global uchar* c = (global uchar*)b; if (i) a[i] = c[i % 3]; else c[n] = 9;", Launch{.n = 2},
     Launch{.n = 3}},
    {"bytes of a word beside the word", "((global uchar*)a)[i] = 1; b[i] = a[n];", Launch{.n = 3},
     Launch{.n = 64}},
    {"what memory adds", "a[i * 4 + (b[i] & 7)] = 1; a[i * 4 + 4] = 2;", Launch{}, {}},
    {"what memory adds, less than the distance", "a[i * 8 + (b[i] & 7)] = 1;", {}, Launch{}},
    {"a neighbour in local memory", "t[l] = i; a[i] = t[(l + n) % 16];", Launch{.n = 1}, {}},
    {"a barrier for the other memory",
     "t[l] = i; barrier(CLK_GLOBAL_MEM_FENCE); a[i] = t[15 - l];",
     Launch{},
     {}},
    {"a barrier with other flags in one work-item",
     "t[l] = i; barrier(l == n ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE); a[i] = t[15 - l];",
     Launch{.n = 3}, Launch{.n = 16}},
    {"a barrier", "t[l] = i; barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[15 - l];", {}, Launch{}},
    {"a barrier that is passed in one of two ways",
     "t[l] = i; if (n) barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[15 - l];", Launch{}, Launch{.n = 1}},
    {"no barrier at the end of a loop",
     "for (uint j = 0; j < n; ++j) { t[l] = j; barrier(CLK_LOCAL_MEM_FENCE); a[i] += t[15 - l]; }",
     Launch{.n = 2}, Launch{.n = 1}},
    {"sides of a branch in turn, without a barrier",
     "for (uint j = 0; j < n; ++j) { if (j & 1) a[i] += t[15 - l]; else t[l] = j; }", Launch{.n = 2},
     Launch{.n = 1}},
    {"sides of a branch", "if (n) t[l] = i; else a[i] = t[15 - l];", {}, Launch{.n = 1}},
    {"the first work-item's element, read by all", "if (l == 0) t[0] = i; a[i] = t[0];", Launch{}, {}},
    {"two work-items' element",
     "if (l == 0) a[get_group_id(0)] = 1; if (l == 1) a[get_group_id(0)] = 2;",
     Launch{},
     {}},
    {"the first work-item's element of each group", "if (l == 0) a[get_group_id(0)] = 1;", {}, Launch{}},
    {"the first work-items of rows",
     "if (l == 0) a[get_group_id(0)] = get_global_id(1);",
     Launch{{16, 4}, {4, 2}},
     {}},
    {"a group's element", "a[get_group_id(0)] = i;", Launch{}, Launch{{4, 1}, {1, 1}}},
    {"atomic operations alone", "atomic_inc(&a[i & 3]); atomic_add(&b[0], a == b);", {}, Launch{}},
    {"atomic operations beside plain accesses", "atomic_inc(&a[i]); b[i] = a[i + n];", Launch{.n = 1},
     Launch{.n = 0}},
    {"atomic operations in local memory", "atomic_inc(&t[l & 3]); a[i] = t[l & 3];", Launch{}, {}},
    {"atomic operations in local memory before a barrier",
     "atomic_inc(&t[l & 3]); barrier(CLK_LOCAL_MEM_FENCE); a[i] = t[l & 3];",
     {},
     Launch{}},
    {"what a counter gives", "a[atomic_inc(b)] = i;", Launch{.one_buffer = true}, Launch{}},
    {"halves of what a counter gives", "a[atomic_inc(b) / 2] = i;", Launch{}, {}},
    {"the low bits of what a counter gives", "a[(uchar)(atomic_inc(b) << 4)] = i;", Launch{}, {}},
    {"what one of two counters gives", "a[atomic_inc(&b[i & 1])] = i;", Launch{{16, 1}, {16, 1}}, {}},
    {"what two counters give",
     "if (i & 1) a[atomic_inc(b)] = i; else a[atomic_inc(b + 1)] = i;",
     Launch{{16, 1}, {16, 1}},
     {}},
    {"what a counter gives that goes both ways",
     "if (i & 1) a[64 + atomic_inc(b)] = i; else atomic_dec(b);",
     Launch{{16, 1}, {16, 1}},
     {}},
    {"what a counter gives beside a store",
     "if (i & 1) a[64 + atomic_inc(b)] = i; else atomic_xchg(b, 0);",
     Launch{{16, 1}, {16, 1}},
     {}},
    {"what a counter gives, and an id", "a[63 - i + atomic_inc(b)] = i;", Launch{{16, 1}, {16, 1}}, {}},
    {"vectors that overlap, by a counter", "vstore4((int4)(i), 0, a + 2 * atomic_inc(b));", Launch{}, {}},
    {"a neighbour's element, by a counter",
     "int c = atomic_inc(b); a[c] = i; a[c + 1] = i + 64;",
     Launch{},
     {}},
};

/// The findings of a launch. Each place is reported once in a process, so kernels have names of their own.
std::vector<test::Finding> findings(const char* body, const Launch& launch) {
  static int count = 0;
  const std::string name = "k" + std::to_string(count++);
  const std::string source = "kernel void " + name +
                             "(global int* a, global int* b, uint n, local int* t) {\n"
                             "size_t i = get_global_id(0), l = get_local_id(0); " +
                             body + "}\n";
  const test::Session session;
  const test::Kernel kernel = session.kernel(source.c_str(), name.c_str(), "-cl-std=CL3.0");
  const test::Buffer a = session.buffer(std::vector<int>(1 << 16)),
                     b = session.buffer(std::vector<int>(1 << 16));
  test::set_arguments(kernel, a, launch.one_buffer ? a : b, launch.n, test::Local{1024});
  const test::Findings found;
  const size_t offset[2] = {launch.offset, 0};
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 2, offset, launch.global, launch.local, 0, nullptr,
                                    nullptr));
  REQUIRE_CL(clFinish(session.queue));
  return found.all();
}

} // namespace

TEST_CASE("Races just outside of a proof are found", "[races]") {
  for (const Case& test : cases) {
    if (!test.wrong) continue;
    CAPTURE(test.name, test.body);
    const std::vector<test::Finding> found = findings(test.body, *test.wrong);
    CHECK(!found.empty());
    for (const test::Finding& finding : found) {
      CHECK(finding.check == "races");
      CHECK(finding.line == 2);
    }
  }
}

TEST_CASE("Launches that keep to a proof have no report", "[races]") {
  for (const Case& test : cases) {
    if (!test.right) continue;
    CAPTURE(test.name, test.body);
    CHECK(findings(test.body, *test.right).empty());
  }
}

TEST_CASE("One kernel has launches with races and without", "[races]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(
      "kernel void one(global int* a, uint n) { a[get_global_id(0) * n] = get_global_id(0); }", "one");
  const test::Buffer a = session.buffer(std::vector<int>(1 << 16));
  for (const cl_uint n : {1U, 2U, 0U, 3U}) {
    const test::Findings found;
    test::set_arguments(kernel, a, n);
    session.run(kernel, 64, 16);
    CHECK(found.all().empty() == (n != 0));
  }
}

TEST_CASE("Races in functions that are not to be inlined are found", "[races]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(
      "__attribute__((noinline)) void put(global int* a, size_t at, int value) { a[at] = value; }\n"
      "kernel void puts(global int* a, uint n) {\n"
      "  size_t i = get_global_id(0);\n"
      "  put(a, i, 1);\n"
      "  put(a, i + n, i + 2);\n"
      "}",
      "puts");
  const test::Buffer a = session.buffer(std::vector<int>(1 << 16));
  for (const cl_uint n : {64U, 1U}) {
    const test::Findings found;
    test::set_arguments(kernel, a, n);
    session.run(kernel, 64, 16);
    CHECK(found.all().empty() == (n == 64));
  }
}
