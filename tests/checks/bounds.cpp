// HOSTCL_CHECK=bounds: every access outside its object is found, with its place in the source, the first work-item that
// makes it, and the object; it is not performed, and the kernel goes on. Kernels that keep to their objects are not
// reported.

#include "support/findings.hpp"
#include "support/imported_svm.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace {

using Ints = std::vector<cl_int>;

/// What one finding is to say.
struct Expected {
  int line;
  const char *access, *object, *place;
  std::array<std::uint64_t, 3> work_item;
};

/// Kernels take a buffer of 64 ints, one of 64 ints that are read, and 64 ints of local memory; they run 64 work-items in
/// groups of 16.
struct Case {
  const char* name;
  const char* source;
  std::vector<Expected> expected;
};

#define PARAMETERS "(global int* out, global const int* in, local int* scratch)"
#define KERNEL(name) "kernel void " name PARAMETERS " {\n"
#define IDS "  int i = get_global_id(0), l = get_local_id(0);\n"

const Case cases[] = {
    {"write behind",
     KERNEL("a1") IDS "  out[i + 1] = 7; }",
     {{3, "write", "'out'", "at byte 256", {63, 0, 0}}}},
    {"read behind",
     KERNEL("a2") IDS "  out[i] = in[2 * i]; }",
     {{3, "read", "'in'", "at byte 256", {32, 0, 0}}}},
    {"read in front",
     KERNEL("a3") IDS "  out[i] = in[i - 1]; }",
     {{3, "read", "'in'", "at byte -4", {0, 0, 0}}}},
    {"index that wraps",
     KERNEL("a4") IDS "  out[i + 0x40000000u] = 1; }",
     {{3, "write", "'out'", "at byte 4294967296", {0, 0, 0}}}},
    {"far behind",
     KERNEL("a5") IDS "  out[i + (1L << 40)] = 1; }",
     {{3, "write", "'out'", "at byte 4398046511104", {0, 0, 0}}}},
    {"half of a vector",
     KERNEL("a6") IDS "  if (i == 5) vstore4((int4)(1), 0, out + 61); }",
     {{3, "write", "'out'", "at byte 244", {5, 0, 0}}}},
    {"vector pointer",
     KERNEL("a7") IDS "  if (i == 5) out[0] = ((global const int4*)in)[16].x; }",
     {{3, "read", "'in'", "at byte 256", {5, 0, 0}}}},
    {"byte of the last word",
     KERNEL("a8") IDS "  ((global char*)out)[255 + (i == 9)] = 1; }",
     {{3, "write", "'out'", "at byte 256", {9, 0, 0}}}},
    {"atomic",
     KERNEL("a9") IDS "  atomic_add(out + i * 2, 1); }",
     {{3, "update", "'out'", "at byte 256", {32, 0, 0}}}},
    {"compare-exchange",
     KERNEL("b1") IDS "  if (i == 3) atomic_cmpxchg(out + 64, 0, 1); }",
     {{3, "update", "'out'", "at byte 256", {3, 0, 0}}}},
    {"loop",
     KERNEL("b2") IDS
     "  int s = 0;\n  for (int k = 0; k <= 4; ++k)\n    s += in[i * 4 / 4 + k * 16];\n  out[i] = s; }",
     {{5, "read", "'in'", "at byte 256", {0, 0, 0}}}},
    {"walking pointer",
     KERNEL("b3") IDS
     "  global const int* p = in;\n  int s = 0;\n  while (p <= in + 64) s += *p++;\n  out[i] = s; }",
     {{5, "read", "'in'", "at byte 256", {0, 0, 0}}}},
    {"local argument",
     KERNEL("b4") IDS "  scratch[l * 5] = i;\n  barrier(1);\n  out[i] = scratch[l]; }",
     {{3, "write", "'scratch'", "at byte 260", {13, 0, 0}}}},
    {"local variable",
     KERNEL("b5") "  local int t[16];\n" IDS "  t[l + 1] = i;\n  barrier(1);\n  out[i] = t[l]; }",
     {{4, "write", "variable 't'", "at byte 64", {15, 0, 0}}}},
    {"private array",
     KERNEL("b6") IDS "  int t[4] = {1, 2, 3, 4};\n  out[i] = t[i & 7]; }",
     {{4, "read", "variable 't'", "at byte 16", {4, 0, 0}}}},
    {"private array, constant index",
     KERNEL("b7") IDS "  int t[4] = {1, 2, 3, 4};\n  out[i] = t[4]; }",
     {{4, "read", "variable 't'", "at byte 16", {0, 0, 0}}}},
    {"private array, unrolled loop",
     KERNEL("b8") IDS "  int t[4];\n  for (int k = 0; k <= 4; ++k)\n    t[k] = k;\n  out[i] = t[i & 3]; }",
     {{5, "write", "variable 't'", "at byte 16", {0, 0, 0}}}},
    {"constant table",
     "constant int table[4] = {1, 2, 3, 4};\n" KERNEL("b9") IDS "  out[i] = table[i / 8]; }",
     {{4, "read", "variable 'table'", "at byte 16", {32, 0, 0}}}},
    {"one of two buffers",
     KERNEL("c1") IDS "  global const int* p = i & 1 ? in : out;\n  if (i > 60) out[0] = p[i + 2]; }",
     {{4, "read", "", "at address", {62, 0, 0}}}},
    {"helper",
     "int get(global const int* p, int i) {\n  return p[i];\n}\n" KERNEL("c2") IDS
     "  out[i] = get(in + 1, i); }",
     {{2, "read", "'in'", "at byte 256", {63, 0, 0}}}},
    {"helper that is not to be inlined",
     "__attribute__((noinline)) int get(global const int* p, int i) {\n  return p[i];\n}\n" KERNEL("z1") IDS
     "  out[i] = get(in + 1, i); }",
     {{2, "read", "'in'", "at byte 256", {63, 0, 0}}}},
    {"generic pointer",
     "int get(const int* p, int i) {\n  return p[i];\n}\n" KERNEL("c3") IDS "  out[i] = get(in, i + 1); }",
     {{2, "read", "'in'", "at byte 256", {63, 0, 0}}}},
    {"copy of a structure",
     "typedef struct { int x[8]; } S;\n" KERNEL("c4") IDS
     "  if (i == 2) *(global S*)(out + 60) = *(global const S*)in; }",
     {{4, "write", "'out'", "at byte 240", {2, 0, 0}}}},
    {"null",
     KERNEL("c5") IDS "  global int* p = (global int*)(size_t)(i == 100);\n  if (i == 7) p[2] = 1; }",
     {{4, "write", "null", "at address", {7, 0, 0}}}},
    {"null in local memory",
     KERNEL("e1") IDS "  local int* p = 0;\n  if (i == 7) p[2] = 1; }",
     {{4, "write", "a null pointer", "at address", {7, 0, 0}}}},
    {"null in private memory",
     KERNEL("e2") IDS "  private int* p = 0;\n  if (i == 7) out[i] = p[in[2]]; }",
     {{4, "read", "a null pointer", "at address", {7, 0, 0}}}},
    {"one of two local variables",
     KERNEL("e3") "  local int s[4], t[8];\n" IDS "  local int* p = in[1] ? s : t;\n  p[l] = i;\n"
                  "  barrier(1);\n  out[i] = s[l & 3] + t[l & 7]; }",
     {{5, "write", "unknown memory", "at byte 16", {4, 0, 0}}}},
    {"two places",
     KERNEL("c6") IDS "  out[i + 64] = in[i + 64]; }",
     {{3, "write", "'out'", "at byte 256", {0, 0, 0}}, {3, "read", "'in'", "at byte 256", {0, 0, 0}}}},
    {"async copy",
     KERNEL("c7") IDS "  event_t e = async_work_group_copy(scratch, in + 32, 48, 0);\n  wait_group_events(1, "
                      "&e);\n  out[i] = scratch[l]; }",
     {{3, "read", "'in'", "at byte 256", {0, 0, 0}}}},
    {"second dimension",
     KERNEL("c8") "  out[get_global_id(1) * 64 + get_global_id(0) + 1] = 1; }",
     {{2, "write", "'out'", "at byte 256", {63, 0, 0}}}},
    // What keeps to its objects.
    {"all of them",
     KERNEL("d1") IDS "  scratch[l] = in[i];\n  barrier(1);\n  out[i] = scratch[15 - l]; }",
     {}},
    {"guarded",
     KERNEL("d2") IDS "  if (i + 1 < 64) out[i] = in[i + 1];\n  if (i > 0) out[i] += in[i - 1]; }",
     {}},
    {"last bytes",
     KERNEL("d3") IDS "  ((global char*)out)[255] = 1; if (i == 60) vstore4(vload4(15, in), 0, out + i); }",
     {}},
    {"end pointer",
     KERNEL("d4") IDS
     "  int s = 0;\n  for (global const int *p = in, *e = in + 64; p != e; ++p) s += *p;\n  out[i] = s; }",
     {}},
    {"backwards",
     KERNEL("d5") IDS
     "  int s = 0;\n  for (global const int* p = in + 64; p-- != in;) s += *p;\n  out[i] = s; }",
     {}},
    {"in and out again",
     KERNEL("d6") IDS "  global const int* p = in + 1000;\n  out[i] = (p - 1000)[i]; }",
     {}},
    {"loop without iterations", KERNEL("d7") IDS "  for (int k = 64; k < in[0]; ++k) out[k] = in[k]; }", {}},
    {"spare private elements",
     KERNEL("d8") IDS "  int t[8];\n  for (int k = 0; k < 8; ++k) t[k] = k;\n  out[i] = t[(i * 7) & 7]; }",
     {}},
};

} // namespace

TEST_CASE("Accesses outside their object are found", "[bounds]") {
  const test::Session session;
  for (const Case& c : cases) {
    INFO(c.name << "\n" << c.source);
    const test::Findings findings;
    Ints values(64);
    std::iota(values.begin(), values.end(), 0);
    const auto out = session.buffer(Ints(64, -1)), in = session.buffer(values);
    const std::string name = std::string(std::strstr(c.source, "kernel void ") + 12, 2);
    const auto kernel = session.kernel(c.source, name.c_str(), "-cl-std=CL3.0");
    test::set_arguments(kernel, out, in, test::Local{256});
    session.run(kernel, 64, 16);
    auto found = findings.all();
    REQUIRE(found.size() == c.expected.size());
    std::ranges::sort(found, {}, [](const auto& f) { return std::pair(f.line, -f.column); });
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Expected& expected = c.expected[found.size() == 1 ? 0 : found[i].access == "write" ? 0 : 1];
      CHECK(found[i].check == "bounds");
      CHECK(found[i].kernel == name);
      CHECK(found[i].line == expected.line);
      CHECK(found[i].access == expected.access);
      CHECK_THAT(found[i].object, Catch::Matchers::ContainsSubstring(expected.object));
      CHECK_THAT(found[i].place, Catch::Matchers::StartsWith(expected.place));
      CHECK(found[i].global_id == expected.work_item);
      CHECK_FALSE(found[i].source.empty());
    }
  }
}

TEST_CASE("A wrong access is not performed, and all others are", "[bounds]") {
  const test::Session session;
  const test::Findings findings;
  const auto memory = session.buffer(Ints(64, 5));
  const cl_buffer_region region{128, 64}; // ints 32 to 47
  cl_int error;
  const test::Buffer part(
      clCreateSubBuffer(memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  REQUIRE_CL(error);
  const auto kernel =
      session.kernel("kernel void part(global int* a) { a[(int)get_global_id(0) - 24] += 1; }", "part");
  test::set_arguments(kernel, part);
  session.run(kernel, 64, 8);
  Ints expected(64, 5);
  std::fill(expected.begin() + 32, expected.begin() + 48, 6);
  CHECK(session.read<cl_int>(memory, 64) == expected);
  REQUIRE(findings.all().size() == 2); // a read and a write
  for (const test::Finding& finding : findings.all())
    CHECK(finding.object == "argument 0, 'a', of 64 bytes");
}

TEST_CASE("Sizes of launches and arguments decide, not those that the code was compiled for", "[bounds]") {
  const test::Session session;
  const auto kernel = session.kernel("kernel void sizes(global int* a, int n) { for (int k = 0; k < n; ++k) "
                                     "a[get_global_id(0) * n + k] = k; }",
                                     "sizes");
  const auto memory = session.buffer(Ints(1024));
  struct Launch {
    std::size_t items;
    cl_int n;
    bool is_right;
  };
  for (const Launch& launch : {Launch{64, 16, true},
                               {128, 8, true},
                               {1024, 1, true},
                               {1000, 0, true},
                               {1, 1024, true},
                               {8, -5, true},
                               {64, 17, false}}) {
    INFO(launch.items << " work-items, n = " << launch.n);
    const test::Findings findings;
    test::set_arguments(kernel, memory, launch.n);
    session.run(kernel, launch.items);
    CHECK(findings.all().empty() == launch.is_right);
  }
}

TEST_CASE("Shared virtual memory is found by its address", "[bounds]") {
  const test::Session session;
  auto* list = static_cast<cl_int**>(
      clSVMAlloc(session.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
  auto* data = static_cast<cl_int*>(
      clSVMAlloc(session.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 256, 0));
  REQUIRE(list);
  REQUIRE(data);
  list[0] = data;
  const auto kernel = session.kernel("typedef struct { global int* data; } List;\n"
                                     "kernel void svm(global List* list) {\n"
                                     "  list->data[get_global_id(0)] = 3;\n"
                                     "}",
                                     "svm");
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, list));
  for (const bool is_right : {true, false}) {
    const test::Findings findings;
    session.run(kernel, is_right ? 64 : 80, 16);
    REQUIRE(findings.all().size() == (is_right ? 0 : 1));
    if (!is_right) {
      CHECK(findings.all()[0].line == 3);
      CHECK(findings.all()[0].global_id[0] == 64);
    }
  }
  // A pointer into the middle of it.
  const auto middle =
      session.kernel("kernel void middle(global int* p) { p[(int)get_global_id(0) - 32] = 1; }", "middle");
  REQUIRE_CL(clSetKernelArgSVMPointer(middle, 0, data + 32));
  for (const bool is_right : {true, false}) {
    const test::Findings findings;
    session.run(middle, is_right ? 64 : 80, 16);
    CHECK(findings.all().size() == (is_right ? 0 : 1));
  }
  clSVMFree(session.context, list);
  clSVMFree(session.context, data);
}

TEST_CASE("Imported SVM is found by its address until it is freed", "[bounds]") {
  using namespace test::imported_svm;
  if (!has_import()) return;
  const test::Session session;
  const test::unified_svm::Functions f;
  const test::shared_memory::Shared memory(8192);
  std::byte* const address = free_addresses(8192);
  // Half of the file. The kernel goes on in the other half, which the application has mapped.
  void* const rest =
      mmap(address + 4096, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory.descriptor(), 4096);
  REQUIRE(rest == address + 4096);
  const auto kernel = session.kernel("kernel void imported(global int* p) {\n"
                                     "  p[get_global_id(0)] = 3;\n"
                                     "}",
                                     "imported");
  const cl_properties list[] = {dma_buf, static_cast<cl_properties>(memory.descriptor()), at_address,
                                reinterpret_cast<cl_properties>(address), 0};
  for (const bool is_right : {true, false}) { // the second at the same address, after a release
    cl_int error = 1;
    REQUIRE(f.alloc(session.context, list, 0, 4096, &error) == address);
    REQUIRE_CL(error);
    REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, address));
    const test::Findings findings;
    session.run(kernel, is_right ? 1024 : 1040, 16);
    REQUIRE(findings.all().size() == (is_right ? 0 : 1));
    if (!is_right) CHECK(findings.all()[0].global_id[0] == 1024);
    CHECK(memory.as<cl_int>()[1024] == 0);
    CHECK_CL(f.free(session.context, nullptr, 0, address));
  }
  REQUIRE(munmap(rest, 4096) == 0);
}
