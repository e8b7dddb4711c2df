// HOSTCL_CHECK=uninitialised,arguments: what is wrong in a kernel is found, at its line and in its work-item, and right
// kernels have no finding. A process of its own, for checks are on for all of it, and write to a file.

#include "support/catch.hpp"
#include "support/session.hpp"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>

namespace {

using test::Local;
using test::Session;
using test::set_arguments;

/// The file that gets the findings of this process, and has no name of its own that would be left.
const std::string report = [] {
  char name[] = "/tmp/hostcl-findings-XXXXXX";
  const std::string file = "/proc/self/fd/" + std::to_string(mkstemp(name));
  unlink(name);
  setenv("HOSTCL_CHECK", "uninitialised,arguments", 1);
  setenv("HOSTCL_CHECK_REPORT", file.c_str(), 1);
  return file;
}();

/// Lines that `run` adds to the report.
std::vector<std::string> findings_of(const std::function<void()>& run) {
  const auto lines = [] {
    std::ifstream file(report);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);)
      if (!line.starts_with("{\"process\"")) all.push_back(line); // which says that the driver has begun
    return all;
  };
  const size_t before = lines().size();
  run();
  std::vector<std::string> all = lines();
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before));
  return all;
}

constexpr size_t items = 16;

/// Runs k(in, out, local, n): the first four numbers of `in` are 0, 1, 2, 3, the rest has no values; n is `items`.
std::vector<std::string> run_kernel(const std::string& text) {
  static int number = 0; // equal places are reported once
  const std::string source = "#line 1 \"" + std::to_string(++number) + ".cl\"\n" + text;
  return findings_of([&] {
    const Session session;
    const bool is_new = source.find("(global atomic_") != source.npos; // a type of OpenCL C 2.0
    const auto kernel = session.kernel(source.c_str(), "k", is_new ? "-cl-std=CL3.0" : "");
    const auto in = session.buffer(64 * sizeof(cl_int)), out = session.buffer(std::vector<cl_int>(1024));
    const cl_int numbers[] = {0, 1, 2, 3};
    REQUIRE_CL(
        clEnqueueWriteBuffer(session.queue, in, CL_TRUE, 0, sizeof numbers, numbers, 0, nullptr, nullptr));
    set_arguments(kernel, in, out, Local{items * sizeof(cl_int)}, cl_int(items));
    session.run(kernel, items, items);
  });
}

struct Case {
  const char* about;
  const char* source; ///< the defect is in line 2
  const char* finding;
  const char* item; ///< the first coordinate of the work-item's id, if it can be just one
};

void check(const Case& c) {
  CAPTURE(c.about);
  const auto found = run_kernel("kernel void k(global int* in, global int* out, local int* t, int n) {\n" +
                                std::string(c.source) + "\n}\n");
  REQUIRE(found.size() == 1);
  CAPTURE(found[0]);
  CHECK(found[0].find(c.finding) != std::string::npos);
  CHECK(found[0].find("\"kernel\":\"k\"") != std::string::npos);
  CHECK(found[0].find("\"line\":2,") != std::string::npos);
  if (c.item) CHECK(found[0].find("\"global_id\":[" + std::string(c.item) + ",0,0]") != std::string::npos);
}

const Case uninitialised[] = {
    {"a buffer's value is an output", "out[get_global_id(0)] = in[get_global_id(0) / 4 + 1];",
     "an uninitialised value from argument 0, 'in', is stored in global memory", "12"},
    {"a buffer's value decides a branch", "if (in[5] > 3) out[0] = 1;",
     "an uninitialised value from argument 0, 'in', decides a branch", nullptr},
    {"a loop ends by it", "for (int i = 0; i < (in[9] & 3); ++i) out[i] = i;", "decides a branch", nullptr},
    {"a buffer's value is an address", "if (get_global_id(0) == 2) t[in[7] & 7] = 1;",
     "an uninitialised value from argument 0, 'in', is an address", "2"},
    {"a private variable", "int x; if (n > 99) x = n; out[get_global_id(0)] = x;",
     "an uninitialised value of 'x' is stored in global memory", nullptr},
    {"a private variable in one work-item",
     "int x; if (get_global_id(0) != 3) x = 1; out[get_global_id(0)] = x;",
     "an uninitialised value of 'x' is stored in global memory", "3"},
    {"a private variable of an earlier round",
     "for (int i = 0; i < 2; ++i) { int x; if (i == 0) x = 1; out[get_global_id(0)] = x; }",
     "an uninitialised value of 'x'", nullptr},
    {"a private array", "int a[8]; for (int i = 0; i < 7; ++i) a[i] = i; out[get_global_id(0)] = a[n - 9];",
     "an uninitialised value of 'a' is stored in global memory", nullptr},
    {"a component of a vector",
     "float4 f; f.xzw = 4.2f; vstore4(floor(f), get_global_id(0), (global float*)out);",
     "is stored in global memory", nullptr},
    {"a member of a structure", "struct { char c; int i; } s; s.c = 1; out[get_global_id(0)] = s.i;",
     "an uninitialised value of 's'", nullptr},
    {"a local variable", "local int l[16]; int i = get_local_id(0); if (i != 8) l[i] = i; out[i] = l[i];",
     "an uninitialised value of 'l' is stored in global memory", "8"},
    {"a local argument",
     "int i = get_local_id(0); if (i != 9) t[i] = i; barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[i];",
     "an uninitialised value from argument 2, 't', is stored in global memory", "9"},
    {"a component of a local argument",
     "int i = get_local_id(0); local int2* v = (local int2*)t; if (i < 8 && i != 5) v[i] = (int2)(i); "
     "barrier(CLK_LOCAL_MEM_FENCE); if (i < 8) out[i] = v[i].y;",
     "an uninitialised value from argument 2, 't', is stored in global memory", "5"},
    {"arithmetic on it", "int x; out[get_global_id(0)] = (x * 3 + 1) >> 2 | 1 << 30;", "'x'", nullptr},
    {"an atomic", "atomic_add(in + 20, 1);",
     "an uninitialised value from argument 0, 'in', is updated in global memory", nullptr},
    {"a choice", "out[get_global_id(0)] = in[8] ? n : 5;", "an uninitialised value", nullptr},
    {"printf", "if (get_global_id(0) == 1) printf(\"\", in[40]);", "is printed", "1"},
};

TEST_CASE("uninitialised values are found where they decide something") {
  for (const Case& c : uninitialised)
    check(c);
}

const Case arguments[] = {
    {"a division by zero", "out[get_global_id(0)] = n / ((int)get_global_id(0) - 4);",
     "an integer is divided by zero", "4"},
    {"a remainder by zero", "out[get_global_id(0)] = (uint)n % (uint)get_global_id(0);",
     "an integer is divided by zero", "0"},
    {"the least integer by -1", "out[get_global_id(0)] = (n << 27) / (in[0] - 1);", "the least integer",
     nullptr},
    {"a vector's division", "int4 d = (int4)(1, 2, 3, in[0]); out[get_global_id(0)] = (n / d).x;",
     "an integer is divided by zero", nullptr},
    {"a conversion", "out[get_global_id(0)] = (int)(get_global_id(0) == 6 ? 3e9f : 1.f);",
     "a number is converted to an integer of 32 bits that cannot hold it", "6"},
    {"a conversion of NaN", "out[get_global_id(0)] = convert_int(nan(0u) * n);", "cannot hold it", nullptr},
    {"a conversion below zero", "out[get_global_id(0)] = convert_uchar4((float4)(-1.5f * n)).x;",
     "an integer of 8 bits", nullptr},
    {"a conversion that rounds to the nearest", "out[get_global_id(0)] = convert_char_rte(111.6f + n);",
     "an integer of 8 bits", nullptr},
    {"a conversion that rounds upwards",
     "out[get_global_id(0)] = convert_uchar2_rtp((float2)(239.2f + n, 239.0f + n)).x;",
     "an integer of 8 bits", nullptr},
    {"a conversion that rounds downwards", "out[get_global_id(0)] = convert_uint_rtn(15.5f - n);",
     "an integer of 32 bits", nullptr},
    {"a misaligned access", "out[get_global_id(0)] = *(global int*)((global char*)in + 2);",
     "read at an address that is not a multiple of 4", nullptr},
    {"a misaligned vector", "*(global int4*)(out + 4 * get_global_id(0) + 1) = (int4)(n);",
     "write at an address that is not a multiple of 16", nullptr},
    {"vload of misaligned elements",
     "out[get_global_id(0)] = vload2(0, (global int*)((global char*)in + 1)).x;", "vload2() at an address",
     nullptr},
    {"a misaligned atomic function",
     "out[get_global_id(0)] = atomic_add((volatile global int*)((global char*)in + 2), 1);",
     "atomic_add() at an address that is not a multiple of 4", nullptr},
    {"a misaligned exchange",
     "int e = 1; atomic_compare_exchange_strong((global atomic_int*)((global char*)out + 1), &e, n);",
     "atomic_compare_exchange_strong() at an address that is not a multiple of 4", nullptr},
    {"a misaligned long", "atomic_store((global atomic_long*)(out + 1 + 2 * get_global_id(0)), (long)n);",
     "atomic_store() at an address that is not a multiple of 8", nullptr},
    {"clamp", "out[get_global_id(0)] = clamp(n, 3, 3 - (int)get_global_id(0) / 15);",
     "clamp() with a minimum above the maximum", "15"},
    {"a wait for no event", "event_t e = 0; wait_group_events(1, &e); out[get_global_id(0)] = n;",
     "wait_group_events() with an event that no copy has returned", nullptr},
    {"a wait for different events",
     "event_t e[2]; e[0] = async_work_group_copy(t, in, 2, 0); e[1] = async_work_group_copy(t + 2, in + 2, "
     "2, 0);"
     " wait_group_events(1, e + (get_local_id(0) & 1)); out[get_global_id(0)] = n;",
     "wait_group_events() with an event that differs", nullptr},
    {"mul24", "out[get_global_id(0)] = mul24(n << 20, n);", "mul24() of a number that has more than 24 bits",
     nullptr},
};

TEST_CASE("undefined arithmetic and arguments are found") {
  for (const Case& c : arguments)
    check(c);
}

/// Bytes of this process that are in memory.
size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST_CASE("a large buffer that is never written takes no memory for what is known of it") {
  constexpr size_t bytes = size_t{3} << 30, count = bytes / sizeof(cl_int);
  if (test::device_value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE) < bytes) return;
  const Session session;
  const auto kernel = session.kernel("#line 1 \"large.cl\"\n"
                                     "kernel void k(global int* in, global int* out, ulong i) {\n"
                                     "out[get_global_id(0)] = in[i + get_global_id(0)];\n}",
                                     "k");
  const auto out = session.buffer(std::vector<cl_int>(16));
  const auto findings_at = [&](cl_mem in, size_t first) {
    return findings_of([&] {
             set_arguments(kernel, in, out, cl_ulong(first));
             session.run(kernel, 16, 16);
           })
        .size();
  };
  const size_t before = resident_bytes();
  const auto in = session.buffer(bytes);
  const cl_int one = 1;
  for (size_t i : {size_t{0}, count / 2, count - 32})
    REQUIRE_CL(clEnqueueFillBuffer(session.queue, in, &one, sizeof one, i * sizeof one, 16 * sizeof one, 0,
                                   nullptr, nullptr));
  for (size_t i : {size_t{0}, count / 2, count - 32})
    CHECK(findings_at(in, i) == 0);
  CHECK(findings_at(in, count - 16) == 1);
  CHECK(resident_bytes() - before < bytes / 4);
}

/// Kernels that do nothing wrong, though some of what they read was never written.
const char* const right[] = {
    // Conversions round before their results have to fit.
    "kernel void k(global int* in, global int* out, local int* t, int n) { out[0] = convert_char_rte(111.4f "
    "+ n) + "
    "convert_uchar_rtp(15.5f - n) + convert_uchar_rtn(239.9f + n) + convert_char_rtz(111.9f + n); }",
    // Padding is copied with a structure.
    "typedef struct { char a; int b; char c; } S; kernel void k(global S* in, global S* out, local S* t, int "
    "n) {"
    " S s; s.a = 1; s.b = 0x2000002; s.c = 3; if (get_local_id(0) == 0) *t = s; barrier(1);"
    " if (get_local_id(0) == 1) *out = *t; out[1] = s; out[2].b = in->b; }",
    // A fourth component fills up vectors of three.
    "kernel void k(global int* in, global float3* out, local int* t, int n) {"
    " float3 v; v.x = n; v.yz = (float2)(1.f, 2.f); out[get_global_id(0)] = sqrt(v) + cross(v, (float3)(n)); "
    "}",
    // Bits that do not count.
    "kernel void k(global int* in, global int* out, local int* t, int n) {"
    " int x = in[20]; out[0] = x & 0; out[1] = (x | 0xff) & 0xff; out[2] = (x << 8) & 0xff;"
    " if (((x & ~3) | 1) & 1) out[3] = 1; out[4] = (uchar)((x & 0xff00) | 5); }",
    // Groups have local memory of their own, and write it.
    "kernel void k(global int* in, global int* out, local int* t, int n) {"
    " local int sum; if (get_local_id(0) == 0) sum = 0; t[get_local_id(0)] = in[get_local_id(0) & 3];"
    " barrier(1); atomic_add(&sum, t[n - 1 - get_local_id(0)]); barrier(1); out[get_global_id(0)] = sum; }",
    // Pointers in memory, and generic ones.
    "kernel void k(global int* in, global int* out, local int* t, int n) {"
    " int x[4]; int* p[2]; p[0] = x; p[1] = x + 1; *p[0] = n; *p[1] = n; t[get_local_id(0)] = 2;"
    " out[get_global_id(0)] = x[0] + *p[1]; in[50] = 1; out[60] = in[50]; }",
    // All is written before it is read, by other work-items or not at all.
    "kernel void k(global int* in, global int* out, local int* t, int n) {"
    " int a[16]; for (int i = 0; i < n; ++i) a[i] = i; int s = 0; for (int i = 0; i < n; ++i) s += a[i];"
    " int x; if (s > 1000) x = 1; if (s > 1000) out[1] = x; out[get_global_id(0)] = s;"
    " async_work_group_copy(t, in, 4, 0); barrier(1); if (get_local_id(0) < 4) out[20] = t[get_local_id(0)]; "
    "}",
    // Events lie in memory, go on with others, and are waited for in any order.
    "kernel void k(global int* in, global int* out, local int* t, int n) {"
    " event_t e[3]; e[0] = async_work_group_copy(t, in, 1, 0); e[1] = async_work_group_copy(t + 1, in + 1, "
    "1, e[0]);"
    " e[2] = async_work_group_copy(t + 2, in + 2, 2, 0); event_t last = e[2]; wait_group_events(1, &last);"
    " wait_group_events(2, e); out[get_global_id(0)] = t[get_local_id(0) & 3]; }",
    // A component that a conversion goes over, and none uses.
    "kernel void k(global int* in, global int* out, local int* t, int n) {"
    " int4 v = convert_int4(as_float4(vload4(0, in + 2))); out[get_global_id(0)] = v.x + v.y; }",
    // What is defined at its borders.
    "kernel void k(global int* in, global int* out, local int* t, int n) {"
    " out[0] = (int)-2147483648.f; out[1] = convert_uchar(255.9f); out[2] = convert_int_sat(3e9f);"
    " out[3] = n << (n + 30); out[4] = clamp(n, 4, 4); out[5] = mul24(-8388608, n); out[6] = (uint)-0.5f;"
    " out[7] = n / -1; vstore4((int4)(1), 1, out + 9); out[30] = (char)convert_char(-128.9f); }",
};

TEST_CASE("right kernels have no finding") {
  for (const char* source : right) {
    CAPTURE(source);
    const auto found = run_kernel(source);
    CAPTURE(found);
    CHECK(found.empty());
  }
}

/// Findings of a kernel that copies what commands have left in a buffer of 16 numbers.
std::vector<std::string> findings_after(const std::function<void(const Session&, cl_mem)>& commands) {
  static int number = 0;
  return findings_of([&] {
    const Session session;
    const auto kernel =
        session.kernel(("#line 1 \"commands" + std::to_string(++number) + ".cl\"\n" +
                        "kernel void k(global int* in, global int* out) { int i = get_global_id(0);\n"
                        "out[i] = in[i]; }")
                           .c_str(),
                       "k");
    const auto in = session.buffer(items * sizeof(cl_int)), out = session.buffer(items * sizeof(cl_int));
    commands(session, in);
    set_arguments(kernel, in, out);
    session.run(kernel, items, items);
  });
}

TEST_CASE("what commands write counts as written, byte by byte") {
  const std::vector<cl_int> numbers(items);
  const cl_int one = 1;
  CHECK(findings_after([](const Session&, cl_mem) {}).size() == 1);
  CHECK(findings_after([&](const Session& session, cl_mem buffer) {
          REQUIRE_CL(clEnqueueWriteBuffer(session.queue, buffer, CL_TRUE, 0, 64, numbers.data(), 0, nullptr,
                                          nullptr));
        }).empty());
  const auto found = findings_after([&](const Session& session, cl_mem buffer) {
    REQUIRE_CL(
        clEnqueueWriteBuffer(session.queue, buffer, CL_TRUE, 0, 23, numbers.data(), 0, nullptr, nullptr));
    REQUIRE_CL(clEnqueueFillBuffer(session.queue, buffer, &one, 4, 24, 40, 0, nullptr, nullptr));
  });
  REQUIRE(found.size() == 1);
  CHECK(found[0].find("\"global_id\":[5,0,0]") != std::string::npos);
  CHECK(findings_after([&](const Session& session, cl_mem buffer) {
          cl_int error = 1;
          void* memory = clEnqueueMapBuffer(session.queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr,
                                            nullptr, &error);
          REQUIRE_CL(error);
          REQUIRE_CL(clEnqueueUnmapMemObject(session.queue, buffer, memory, 0, nullptr, nullptr));
        }).empty());
}

TEST_CASE("copies of uninitialised memory are uninitialised") {
  for (const bool writes : {false, true}) {
    const auto found = findings_after([&](const Session& session, cl_mem buffer) {
      const auto other = session.buffer(64), third = session.buffer(64);
      const std::vector<cl_int> numbers(items);
      if (writes)
        REQUIRE_CL(
            clEnqueueWriteBuffer(session.queue, other, CL_TRUE, 0, 64, numbers.data(), 0, nullptr, nullptr));
      REQUIRE_CL(clEnqueueCopyBuffer(session.queue, other, third, 0, 0, 64, 0, nullptr, nullptr));
      const size_t origin[] = {0, 0, 0}, region[] = {16, 4, 1};
      REQUIRE_CL(clEnqueueCopyBufferRect(session.queue, third, buffer, origin, origin, region, 16, 0, 16, 0,
                                         0, nullptr, nullptr));
    });
    CHECK(found.empty() == writes);
  }
}

} // namespace
