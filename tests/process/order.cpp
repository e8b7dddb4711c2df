// HOSTCL_CHECK=order: what depends on the order of work-groups is found, and right kernels have no finding and their
// results. The findings come from the file HOSTCL_CHECK_REPORT, which CTest sets.

#include "support/catch.hpp"
#include "support/findings.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace {

using test::new_findings;

constexpr size_t items = 64, group = 16;

struct Case {
  const char* name;
  const char* source; ///< kernel void k(global uint* a, global const float* f, local uint* t)
  /// The line of the last write, and the place, of a kernel whose result depends on the order.
  const char* line = "";
  const char* place = "";
};

const Case dependent[] = {
    {"a list is in the order in which groups append to it",
     R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  a[1 + atomic_inc(a)] = get_group_id(0);
})",
     R"("line":2,)", R"("place":"at byte 4")"},
    {"the last group that writes wins",
     R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  if (get_local_id(0) == 0)
    atomic_xchg(a + 3, get_group_id(0));
})",
     R"("line":3,)", R"("place":"at byte 12")"},
    {"a recurrence over atomic exchanges",
     R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  uint seen; float next;
  do {
    seen = atomic_or(a, 0u);
    next = as_float(seen) * 0.5f + f[get_global_id(0)];
  } while (atomic_cmpxchg(a, seen, as_uint(next)) != seen);
})",
     R"("line":6,)", R"("object":"argument 0, 'a', of 1024 bytes")"},
    {"a group reads what an earlier one has written",
     R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  size_t i = get_global_id(0);
  a[i + 16] = a[i] + 1;
})",
     R"("line":3,)", R"("object":"argument 0, 'a', of 1024 bytes")"},
    {"the same by memory of the kernel's own",
     R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  uint row[2] = {1, 2};
  size_t i = get_global_id(0);
  t[get_local_id(0)] = a[i] + row[i & 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i + 16] = t[get_local_id(0)];
})",
     R"("line":6,)", R"("order":"reversed")"},
};

const Case independent[] = {
    {"work-items write their own elements",
     R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  a[get_global_id(0)] = 3 * f[get_global_id(0)];
})"},
    {"a counter", R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  atomic_inc(a);
})"},
    {"a histogram", R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  atomic_add(a + get_global_id(0) % 7, 2);
})"},
    {"minima and maxima", R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  atomic_max(a + 1, get_global_id(0));
  atomic_min(a + 2, get_global_id(0));
})"},
    {"a sum in local memory", R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  if (get_local_id(0) == 0) *t = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(t, get_global_id(0));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) a[get_group_id(0)] = *t;
})"},
    {"all write the same", R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  a[2] = 7;
})"},
    {"what was there is read", R"(kernel void k(global uint* a, global const float* f, local uint* t) {
  a[get_global_id(0)] += 1;
})"},
};

/// Runs the kernel. @returns what `a` has then
std::vector<unsigned> result_of(const Case& test) {
  const test::Session session;
  const test::Kernel kernel = session.kernel(test.source, "k", "-cl-std=CL3.0");
  const test::Buffer a = session.buffer(std::vector<unsigned>(256));
  std::vector<float> numbers(items);
  for (size_t i = 0; i < items; ++i)
    numbers[i] = 1 + static_cast<float>(i);
  const test::Buffer f = session.buffer(numbers);
  test::set_arguments(kernel, a, f, test::Local{group * sizeof(unsigned)});
  session.run(kernel, items, group);
  return session.read<unsigned>(a, 256);
}

} // namespace

TEST_CASE("order: results that depend on the order of groups are found at the last write", "[order]") {
  for (const Case& test : dependent) {
    CAPTURE(test.name);
    new_findings();
    result_of(test);
    const std::vector<std::string> found = new_findings();
    const auto has_all = [&](const std::string& line) {
      return line.find(R"("check":"order")") != std::string::npos &&
             line.find(test.line) != std::string::npos && line.find(test.place) != std::string::npos;
    };
    CHECK(std::ranges::any_of(found, has_all));
  }
}

TEST_CASE("order: other kernels have no finding", "[order]") {
  for (const Case& test : independent) {
    CAPTURE(test.name);
    new_findings();
    result_of(test);
    CHECK(new_findings().empty());
  }
}

TEST_CASE("order: a launch has its results, once", "[order]") {
  CHECK(result_of(independent[1])[0] == items);
  const std::vector<unsigned> list = result_of(dependent[0]);
  CHECK(list[0] == items);
  CHECK(result_of(independent[6])[items - 1] == 1);
}

TEST_CASE("order: parts of one buffer that overlap are one in a copy as well", "[order]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel("kernel void k(global int* a, global int* b) {\n"
                                             "  b[get_global_id(0)] = a[get_global_id(0)];\n}",
                                             "k");
  const test::Buffer whole = session.buffer(std::vector<int>(4096));
  const cl_buffer_region region{4096, 4096};
  cl_int status;
  const test::Buffer part(
      clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
  REQUIRE_CL(status);
  new_findings();
  // Each group writes what the one 1024 work-items after it reads.
  test::set_arguments(kernel, whole, part);
  session.run(kernel, 1024, 64);
  CHECK(new_findings().empty()); // all are zero
  const std::vector<int> one(1, 5);
  REQUIRE_CL(clEnqueueWriteBuffer(session.queue, whole, CL_TRUE, 0, 4, one.data(), 0, nullptr, nullptr));
  session.run(kernel, 1024, 64);
  CHECK(new_findings().empty());
  CHECK(session.read<int>(whole, 1, 1024) == one);
}

// Code for launches of another kind is made of the kernel as it was kept.
TEST_CASE("order: launches of one kernel in one and in two dimensions have their results", "[order]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel("kernel void k(global int* a, int x) {\n"
                                             "  a[get_global_linear_id()] += x * (int)get_global_id(1);\n}",
                                             "k", "-cl-std=CL3.0");
  const size_t sizes[] = {items, 2}, groups[] = {group, 1};
  const test::Buffer a = session.buffer(std::vector<int>(items * 2));
  test::set_arguments(kernel, a, cl_int{5});
  for (const cl_uint dimensions : {1U, 2U})
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, dimensions, nullptr, sizes, groups, 0, nullptr,
                                      nullptr));
  REQUIRE_CL(clFinish(session.queue));
  CHECK(session.read<int>(a, items) == std::vector<int>(items));
  CHECK(session.read<int>(a, items, items) == std::vector<int>(items, 5));
}

TEST_CASE("order: a kernel that prints runs once", "[order]") {
  const test::Session session;
  const test::Kernel kernel = session.kernel(
      "kernel void k(global int* a) { if (atomic_inc(a) == 0) printf(\"order once\\n\"); }", "k");
  const test::Buffer a = session.buffer(std::vector<int>(1));
  test::set_arguments(kernel, a);
  new_findings();
  session.run(kernel, items, group);
  CHECK(new_findings().empty());
  CHECK(session.read<int>(a, 1)[0] == static_cast<int>(items));
}
