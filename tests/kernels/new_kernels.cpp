// Many kernels that are enqueued before the first one has been compiled

#include "support/session.hpp"

#include <algorithm>
#include <string>

namespace {

constexpr cl_uint kernel_count = 24;

/// Kernel number i multiplies by 3 and adds i, so that order matters.
std::string source_of_kernels() {
  std::string source;
  for (cl_uint i = 0; i < kernel_count; ++i)
    source += "kernel void k" + std::to_string(i) +
              "(global uint* v, local uint* t) { size_t x = get_local_id(0), n = get_local_size(0);"
              "  t[x] = v[x]; barrier(CLK_LOCAL_MEM_FENCE); v[x] = t[n - 1 - x] * 3 + " +
              std::to_string(i) + "; }\n";
  return source;
}

} // namespace

TEST_CASE("New kernels: enqueued all at once, they run in order", "[new_kernels]") {
  const test::Session session;
  constexpr size_t items = 32;
  std::vector<cl_uint> expected(items);
  for (cl_uint x = 0; x < items; ++x)
    expected[x] = x;
  const auto buffer = session.buffer(expected);
  const auto program = session.build(source_of_kernels().c_str());
  std::vector<test::Kernel> kernels;
  for (cl_uint i = 0; i < kernel_count; ++i) {
    kernels.push_back(session.kernel(program, ("k" + std::to_string(i)).c_str()));
    test::set_arguments(kernels.back(), buffer, test::Local{items * sizeof(cl_uint)});
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernels.back(), 1, nullptr, &items, &items, 0, nullptr,
                                      nullptr));
    std::reverse(expected.begin(), expected.end());
    for (cl_uint& value : expected)
      value = value * 3 + i;
  }
  CHECK(session.read<cl_uint>(buffer, items) == expected);
}

TEST_CASE("New kernels: everything may be released while they are compiled", "[new_kernels]") {
  test::Event last;
  {
    const test::Session session;
    const auto buffer = session.buffer(std::vector<cl_uint>(32));
    const auto program = session.build(source_of_kernels().c_str());
    for (cl_uint i = 0; i < kernel_count; ++i) {
      const auto kernel = session.kernel(program, ("k" + std::to_string(i)).c_str());
      const size_t items = 32;
      test::set_arguments(kernel, buffer, test::Local{items * sizeof(cl_uint)});
      REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, &items, 0, nullptr,
                                        i + 1 == kernel_count ? last.address() : nullptr));
    }
    REQUIRE_CL(clFlush(session.queue));
  }
  const cl_event handle = last;
  REQUIRE_CL(clWaitForEvents(1, &handle));
}
