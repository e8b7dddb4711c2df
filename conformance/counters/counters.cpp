// cl_ext_atomic_counters_32 and cl_ext_atomic_counters_64

#include "tests/support/session.hpp"

#include <algorithm>
#include <numeric>
#include <regex>

namespace {

constexpr cl_device_info max_counters = 0x4032; // CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT

/// Runs a test for both widths; the source says COUNTER and VALUE.
template <class T>
struct Width {
  using value = T;
  static constexpr const char* options =
      sizeof(T) == 4 ? "-DCOUNTER=counter32_t -DVALUE=uint" : "-DCOUNTER=counter64_t -DVALUE=ulong";
};
using Narrow = Width<cl_uint>;
using Wide = Width<cl_ulong>;

constexpr const char* pragmas = "#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable\n"
                                "#pragma OPENCL EXTENSION cl_ext_atomic_counters_64 : enable\n";

test::Kernel kernel(const test::Session& session, const std::string& source, const char* options) {
  return session.kernel((pragmas + source).c_str(), "k", options);
}

constexpr const char* count_up =
    "kernel void k(COUNTER c, global VALUE* seen) { seen[get_global_id(0)] = atomic_inc(c); }";
constexpr const char* count_down =
    "kernel void k(COUNTER c, global VALUE* seen) { seen[get_global_id(0)] = atomic_dec(c); }";

/// Every value from first on, once.
template <class T>
bool is_range(std::vector<T> values, T first) {
  std::sort(values.begin(), values.end());
  for (T& value : values)
    if (value != first++) return false;
  return true;
}

bool offered() {
  return test::has_extension("cl_ext_atomic_counters_32") || test::has_extension("cl_ext_atomic_counters_64");
}

} // namespace

TEST_CASE("Counters: both extensions are listed, with versions", "[counters]") {
  if (!test::is_hostcl() && !offered()) return;
  CHECK(test::has_extension("cl_ext_atomic_counters_32"));
  CHECK(test::has_extension("cl_ext_atomic_counters_64"));
  size_t bytes = 0;
  REQUIRE_CL(clGetDeviceInfo(test::device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes));
  std::vector<cl_name_version> list(bytes / sizeof(cl_name_version));
  REQUIRE_CL(clGetDeviceInfo(test::device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, bytes, list.data(), nullptr));
  const auto versions = std::count_if(list.begin(), list.end(), [](const cl_name_version& entry) {
    return std::string(entry.name).find("cl_ext_atomic_counters_") == 0 && entry.version > 0;
  });
  CHECK(versions == 2);
}

TEST_CASE("Counters: CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT is at least 8", "[counters]") {
  if (!test::is_hostcl() && !offered()) return;
  CHECK(test::device_value<cl_uint>(max_counters) >= 8);
}

TEMPLATE_TEST_CASE("Counters: inc returns the old value, each once, and the buffer has the last",
                   "[counters]", Narrow, Wide) {
  if (!offered()) return;
  using T = typename TestType::value;
  const test::Session session;
  const auto up = kernel(session, count_up, TestType::options);
  for (size_t items : {1, 7, 1000, 100000}) {
    auto counter = session.buffer(std::vector<T>{5, 77}), seen = session.buffer(items * sizeof(T));
    test::set_arguments(up, counter, seen);
    session.run(up, items);
    CAPTURE(items);
    CHECK(is_range(session.read<T>(seen, items), T(5)));
    CHECK(session.read<T>(counter, 2) == std::vector<T>{T(5 + items), 77});
  }
}

TEMPLATE_TEST_CASE("Counters: dec returns the old value, each once, and the buffer has the last",
                   "[counters]", Narrow, Wide) {
  if (!offered()) return;
  using T = typename TestType::value;
  const test::Session session;
  const auto down = kernel(session, count_down, TestType::options);
  auto counter = session.buffer(std::vector<T>{100000}), seen = session.buffer(5000 * sizeof(T));
  test::set_arguments(down, counter, seen);
  session.run(down, 5000);
  CHECK(is_range(session.read<T>(seen, 5000), T(95001)));
  CHECK(session.read<T>(counter, 1)[0] == 95000);
}

TEST_CASE("Counters: the 64-bit one counts past 32 bits", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto up = kernel(session, count_up, Wide::options);
  const cl_ulong first = 0xffffff00u;
  auto counter = session.buffer(std::vector<cl_ulong>{first}), seen = session.buffer(1000 * 8);
  test::set_arguments(up, counter, seen);
  session.run(up, 1000);
  CHECK(is_range(session.read<cl_ulong>(seen, 1000), first));
  CHECK(session.read<cl_ulong>(counter, 1)[0] == first + 1000);
}

TEMPLATE_TEST_CASE("Counters: the buffer does not change while the kernel runs", "[counters]", Narrow, Wide) {
  if (!offered()) return;
  using T = typename TestType::value;
  const test::Session session;
  // The buffer is also a plain argument: its value stays the initial one for every item.
  const auto watch = kernel(session,
                            "kernel void k(COUNTER c, volatile global VALUE* same, global uint* changed) {"
                            "  atomic_inc(c); if (*same != 3) atomic_inc(changed); }",
                            TestType::options);
  auto counter = session.buffer(std::vector<T>{3}), changed = session.buffer(std::vector<cl_uint>{0});
  test::set_arguments(watch, counter, counter, changed);
  session.run(watch, 50000);
  CHECK(session.read<cl_uint>(changed, 1)[0] == 0);
  CHECK(session.read<T>(counter, 1)[0] == 50003);
}

TEMPLATE_TEST_CASE("Counters: only some items count, also in loops and after barriers", "[counters]", Narrow,
                   Wide) {
  if (!offered()) return;
  using T = typename TestType::value;
  const test::Session session;
  const auto some = kernel(session, R"(
    kernel void k(COUNTER c, global VALUE* seen) {
      uint i = get_global_id(0);
      for (uint round = 0; round < i % 4; ++round) seen[atomic_inc(c)] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i % 3 == 0) seen[atomic_inc(c)] = 1;
    })",
                           TestType::options);
  constexpr size_t items = 1200, total = items / 4 * 6 + items / 3;
  auto counter = session.buffer(std::vector<T>{0}), seen = session.buffer(std::vector<T>(total + 8, 0));
  test::set_arguments(some, counter, seen);
  session.run(some, items, 100);
  std::vector<T> expected(total, 1);
  expected.resize(total + 8, 0);
  CHECK(session.read<T>(seen, total + 8) == expected);
  CHECK(session.read<T>(counter, 1)[0] == total);
}

TEMPLATE_TEST_CASE("Counters: they pass to functions", "[counters]", Narrow, Wide) {
  if (!offered()) return;
  using T = typename TestType::value;
  const test::Session session;
  const auto nested = kernel(session, R"(
    VALUE next(COUNTER c) { return atomic_inc(c); }
    VALUE two(COUNTER c, int dummy) { next(c); return next(c); }
    kernel void k(COUNTER c, global VALUE* seen) { seen[get_global_id(0)] = two(c, 1); })",
                             TestType::options);
  auto counter = session.buffer(std::vector<T>{0}), seen = session.buffer(500 * sizeof(T));
  test::set_arguments(nested, counter, seen);
  session.run(nested, 500);
  CHECK(session.read<T>(counter, 1)[0] == 1000);
}

TEST_CASE("Counters: eight of them, of both widths, are independent", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto eight = kernel(session, R"(
    kernel void k(counter32_t a, counter64_t b, counter32_t c, counter64_t d, counter32_t e, counter64_t f,
                  counter32_t g, counter64_t h) {
      uint i = get_global_id(0);
      atomic_inc(a); atomic_dec(b);
      if (i % 2) atomic_inc(c);
      if (i % 4 == 0) atomic_dec(d);
      if (i % 5 == 0) { atomic_inc(e); atomic_inc(e); }
      if (i == 3) atomic_inc(f);
      atomic_dec(g);
      if (i > 1000) atomic_inc(h);
    })",
                            "");
  std::vector<test::Buffer> buffers;
  for (int i = 0; i < 8; ++i) {
    buffers.push_back(session.buffer(std::vector<cl_ulong>{10000}));
    REQUIRE_CL(test::set_argument(eight, i, buffers.back()));
  }
  session.run(eight, 1000);
  const cl_ulong expected[] = {11000, 9000, 10500, 9750, 10400, 10001, 9000, 10000};
  for (int i = 0; i < 8; ++i)
    CHECK(session.read<cl_ulong>(buffers[i], 1)[0] == expected[i]);
}

TEMPLATE_TEST_CASE("Counters: sub-buffers and host memory are counted in", "[counters]", Narrow, Wide) {
  if (!offered()) return;
  using T = typename TestType::value;
  const test::Session session;
  const auto up = kernel(session, count_up, TestType::options);
  auto seen = session.buffer(100 * sizeof(T));
  const size_t origin = test::device_value<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  std::vector<T> memory(origin, 9);
  auto parent = session.buffer(memory.size() * sizeof(T), CL_MEM_USE_HOST_PTR, memory.data());
  const cl_buffer_region region{origin, 16};
  test::Buffer part(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  REQUIRE(part);
  test::set_arguments(up, part, seen);
  session.run(up, 100);
  test::set_arguments(up, parent, seen);
  session.run(up, 50);
  const auto values = session.read<T>(parent, memory.size());
  CHECK(values[0] == 59);
  CHECK(values[1] == 9);
  CHECK(values[origin / sizeof(T)] == 109);
  CHECK(values[origin / sizeof(T) + 1] == 9);
}

TEMPLATE_TEST_CASE("Counters: launches one after the other go on counting", "[counters]", Narrow, Wide) {
  if (!offered()) return;
  using T = typename TestType::value;
  const test::Session session;
  const auto up = kernel(session, count_up, TestType::options),
             down = kernel(session, count_down, TestType::options);
  auto counter = session.buffer(std::vector<T>{1000}), seen = session.buffer(4096 * sizeof(T));
  test::set_arguments(up, counter, seen);
  test::set_arguments(down, counter, seen);
  const size_t more = 4096, fewer = 96;
  for (int i = 0; i < 20; ++i) {
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, up, 1, nullptr, &more, nullptr, 0, nullptr, nullptr));
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, down, 1, nullptr, &fewer, nullptr, 0, nullptr, nullptr));
  }
  CHECK(session.read<T>(counter, 1)[0] == 1000 + 20 * 4000);
}

TEMPLATE_TEST_CASE("Counters: launches in flight at once behave as if one after the other", "[counters]",
                   Narrow, Wide) {
  if (!offered()) return;
  using T = typename TestType::value;
  const test::Session session(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto up = kernel(session, count_up, TestType::options);
  constexpr size_t launches = 16, items = 20000;
  auto counter = session.buffer(std::vector<T>{0});
  std::vector<test::Buffer> seen;
  for (size_t i = 0; i < launches; ++i) {
    seen.push_back(session.buffer(items * sizeof(T)));
    test::set_arguments(up, counter, seen.back());
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, up, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  }
  REQUIRE_CL(clFinish(session.queue));
  CHECK(session.read<T>(counter, 1)[0] == launches * items);
  std::vector<T> all;
  for (const test::Buffer& buffer : seen) {
    const auto values = session.read<T>(buffer, items);
    all.insert(all.end(), values.begin(), values.end());
  }
  CHECK(is_range(all, T(0)));
}

TEMPLATE_TEST_CASE(
    "Counters: launches in flight in several queues, some through a sub-buffer, count together", "[counters]",
    Narrow, Wide) {
  if (!offered()) return;
  using T = typename TestType::value;
  const test::Session session;
  const test::Queue other = test::make_queue(session.context);
  const auto up = kernel(session, count_up, TestType::options);
  constexpr size_t rounds = 10, items = 20000;
  auto counter = session.buffer(std::vector<T>{3, 8});
  const cl_buffer_region whole{0, 2 * sizeof(T)};
  test::Buffer part(clCreateSubBuffer(counter, 0, CL_BUFFER_CREATE_TYPE_REGION, &whole, nullptr));
  REQUIRE(part);
  std::vector<test::Buffer> seen;
  for (size_t i = 0; i < rounds; ++i)
    for (const auto& [queue, buffer] :
         {std::pair{session.queue.get(), counter.get()}, {other.get(), part.get()}}) {
      seen.push_back(session.buffer(items * sizeof(T)));
      REQUIRE_CL(clSetKernelArg(up, 0, sizeof buffer, &buffer));
      REQUIRE_CL(test::set_argument(up, 1, seen.back()));
      REQUIRE_CL(clEnqueueNDRangeKernel(queue, up, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
      REQUIRE_CL(clFlush(queue));
    }
  REQUIRE_CL(clFinish(session.queue));
  REQUIRE_CL(clFinish(other));
  CHECK(session.read<T>(counter, 2) == std::vector<T>{T(3 + seen.size() * items), 8});
  std::vector<T> all;
  for (const test::Buffer& buffer : seen) {
    const auto values = session.read<T>(buffer, items);
    all.insert(all.end(), values.begin(), values.end());
  }
  CHECK(is_range(all, T(3)));
}

TEST_CASE("Counters: an empty range leaves the buffer alone", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto up = kernel(session, count_up, Narrow::options);
  auto counter = session.buffer(std::vector<cl_uint>{7}), seen = session.buffer(64);
  test::set_arguments(up, counter, seen);
  session.run(up, 0);
  CHECK(session.read<cl_uint>(counter, 1)[0] == 7);
}

TEST_CASE("clSetKernelArg: a counter of a wrong size is CL_INVALID_ARG_SIZE", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto up = kernel(session, count_up, Narrow::options);
  auto counter = session.buffer(64);
  const cl_mem handle = counter;
  CHECK_STATUS(clSetKernelArg(up, 0, 4, &handle), CL_INVALID_ARG_SIZE);
}

TEST_CASE("clSetKernelArg: a NULL counter is CL_INVALID_ARG_VALUE or CL_INVALID_MEM_OBJECT", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto up = kernel(session, count_up, Narrow::options);
  const cl_mem none = nullptr;
  for (const void* value : {static_cast<const void*>(&none), static_cast<const void*>(nullptr)}) {
    const cl_int error = clSetKernelArg(up, 0, sizeof none, value);
    CHECK((error == CL_INVALID_ARG_VALUE || error == CL_INVALID_MEM_OBJECT));
  }
}

TEST_CASE("clSetKernelArg: a buffer smaller than a counter is refused", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  auto three = session.buffer(3), seven = session.buffer(7), four = session.buffer(4);
  const auto narrow = kernel(session, count_up, Narrow::options),
             wide = kernel(session, count_up, Wide::options);
  for (auto [k, buffer] : {std::pair{narrow.get(), three.get()}, {wide.get(), seven.get()}}) {
    const cl_int error = clSetKernelArg(k, 0, sizeof buffer, &buffer);
    CHECK(
        (error == CL_INVALID_ARG_VALUE || error == CL_INVALID_BUFFER_SIZE || error == CL_INVALID_MEM_OBJECT));
  }
  CHECK_CL(test::set_argument(narrow, 0, four));
}

TEST_CASE("clGetKernelArgInfo: names the counter types", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto both =
      kernel(session, "kernel void k(counter32_t a, counter64_t b) { atomic_inc(a); atomic_dec(b); }",
             "-cl-kernel-arg-info");
  const char* expected[] = {"counter32_t", "counter64_t"};
  for (cl_uint i = 0; i < 2; ++i) {
    char name[64] = {};
    CHECK_CL(clGetKernelArgInfo(both, i, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr));
    CHECK(std::string(name) == expected[i]);
  }
}

TEST_CASE("Counters: what the extension forbids is refused, with its line", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  struct Row {
    const char *name, *source; ///< what is wrong stands on line 3 of the source
  };
  const Row rows[] = {
      {"a local variable", "kernel void k(counter32_t c) {\ncounter32_t d = c; }"},
      {"a variable without a value", "kernel void k(counter32_t c) {\ncounter32_t d; }"},
      {"assignment", "kernel void k(counter32_t c, counter32_t d) {\nc = d; }"},
      {"an expression", "kernel void k(counter32_t c, global uint* v) {\n*v = c + 1; }"},
      {"a comparison", "kernel void k(counter32_t c, counter32_t d, global uint* v) {\n*v = c == d; }"},
      {"a conversion", "kernel void k(counter32_t c, global uint* v) {\n*v = (uint)c; }"},
      {"a return type", "int f(int x);\ncounter32_t f(counter32_t c) { return c; }"},
      {"a structure's member", "kernel void k(counter32_t c) {\nstruct S { counter32_t c; } s; }"},
      {"an array", "kernel void k(counter32_t c) {\ncounter32_t a[2]; }"},
      {"a pointer to one", "kernel void k(counter32_t c) {\ncounter32_t* p = &c; }"},
      {"a variable at program scope", "int f(void);\nglobal counter32_t c;"},
      {"a parameter that points to one", "int f(int x);\nvoid f(counter32_t* c) {}"},
      {"a kernel's argument that points to one", "int f(int x);\nkernel void k(global counter32_t* c) {}"},
      {"another view of one", "kernel void k(counter32_t c, global uint* v) {\n*v = *(uint*)&c; }"},
      {"an operator", "kernel void k(counter32_t c) {\nc++; }"},
      {"a condition", "kernel void k(counter32_t c, global uint* v) {\n*v = c ? 1 : 2; }"},
      {"another atomic function", "kernel void k(counter32_t c) {\natomic_add(c, 1); }"},
      {"assignment in a function", "void f(counter32_t c, counter32_t d) {\nc = d; }"},
      {"inc and dec in one kernel", "kernel void k(counter32_t c) { atomic_inc(c);\natomic_dec(c); }"},
      {"inc in a kernel and dec in a function that it calls",
       "void down(counter32_t c) { atomic_dec(c); }\nkernel void k(counter32_t c) { atomic_inc(c); down(c); "
       "}"},
      {"inc and dec in functions that a kernel calls",
       "void up(counter32_t c) { atomic_inc(c); } void down(counter32_t c) { atomic_dec(c); }\n"
       "kernel void k(counter32_t c) { up(c); down(c); }"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    std::string log;
    const std::string source =
        "#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable\n" + std::string(row.source);
    CHECK_STATUS(session.try_build(source.c_str(), "", &log), CL_BUILD_PROGRAM_FAILURE);
    CAPTURE(log);
    CHECK(std::regex_search(log, std::regex(":3:[1-9][0-9]*: error: ")));
  }
}

TEST_CASE("Counters: inc of one and dec of another are fine", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  kernel(session, "kernel void k(counter32_t c, counter32_t d) { atomic_inc(c); atomic_dec(d); }", "");
}

TEST_CASE("Counters: more of them than the device has are refused", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto most = test::device_value<cl_uint>(max_counters);
  if (most > 4096) return;
  std::string parameters, body;
  for (cl_uint i = 0; i <= most; ++i) {
    parameters += std::string(i ? ", " : "") + "counter32_t c" + std::to_string(i);
    body += "atomic_inc(c" + std::to_string(i) + ");";
  }
  const std::string source = std::string(pragmas) + "kernel void k(" + parameters + ") {" + body + "}";
  CHECK_STATUS(session.try_build(source.c_str()), CL_BUILD_PROGRAM_FAILURE);
}

TEST_CASE("Counters: work in every language version", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  for (const char* standard : {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    CAPTURE(standard);
    const auto up = kernel(session, count_up, (std::string(Narrow::options) + " " + standard).c_str());
    auto counter = session.buffer(std::vector<cl_uint>{0}), seen = session.buffer(400);
    test::set_arguments(up, counter, seen);
    session.run(up, 100);
    CHECK(session.read<cl_uint>(counter, 1)[0] == 100);
  }
}

TEST_CASE("Counters: the plain atomic_inc and atomic_dec work beside them", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  const auto both = kernel(session, R"(
    kernel void k(counter32_t c, global uint* u, global int* i, local uint* l) {
      atomic_inc(c); atomic_inc(u); atomic_dec(i);
      if (get_local_id(0) == 0) *l = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_inc(l);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == 0) atomic_add(u, *l);
    })",
                           "");
  auto counter = session.buffer(std::vector<cl_uint>{0}), u = session.buffer(std::vector<cl_uint>{0});
  auto i = session.buffer(std::vector<cl_int>{0});
  test::set_arguments(both, counter, u, i, test::Local{4});
  session.run(both, 256, 64);
  CHECK(session.read<cl_uint>(counter, 1)[0] == 256);
  CHECK(session.read<cl_uint>(u, 1)[0] == 512);
  CHECK(session.read<cl_int>(i, 1)[0] == -256);
}
