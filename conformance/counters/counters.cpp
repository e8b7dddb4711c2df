// cl_ext_atomic_counters_32 and cl_ext_atomic_counters_64: what counters do

#include "conformance/counters/support.hpp"

#include <algorithm>

using namespace counters;

namespace {

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

TEST_CASE("Counters: inc of one and dec of another are fine", "[counters]") {
  if (!offered()) return;
  const test::Session session;
  kernel(session, "kernel void k(counter32_t c, counter32_t d) { atomic_inc(c); atomic_dec(d); }", "");
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
