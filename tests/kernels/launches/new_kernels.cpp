// Many kernels that are enqueued before the first one has been compiled

#include "support/session.hpp"

#include <algorithm>
#include <bit>
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

TEST_CASE(
    "New kernels: functions that would be hundreds of thousands of instructions inside each other run soon",
    "[new_kernels]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    #define TEN(x) x x x x x x x x x x
    uint a(uint v, global const uint* t) { TEN(v = rotate(v ^ t[v % 16], v % 31) * 5 + 1;) return v; }
    uint b(uint v, global const uint* t) { TEN(v = a(v, t) + 1;) return v; }
    uint c(uint v, global const uint* t) { TEN(v = b(v, t) + 2;) return v; }
    uint d(uint v, global const uint* t) { TEN(v = c(v, t) + 3;) return v; }
    kernel void k(global uint* o, global const uint* t) {
      uint i = get_global_id(0);
      o[i] = i % 2 ? d(i, t) : b(i, t);
    })",
                                     "k");
  std::vector<cl_uint> table(16);
  for (size_t i = 0; i < 16; ++i)
    table[i] = cl_uint(i * 2654435761u);
  const auto a = [&](cl_uint v) {
    for (int i = 0; i < 10; ++i)
      v = std::rotl(v ^ table[v % 16], int(v % 31)) * 5 + 1;
    return v;
  };
  const auto ten = [](auto function, cl_uint more) {
    return [=](cl_uint v) {
      for (int i = 0; i < 10; ++i)
        v = function(v) + more;
      return v;
    };
  };
  const auto b = ten(a, 1);
  const auto d = ten(ten(b, 2), 3);
  auto output = session.buffer(40 * 4), input = session.buffer(table);
  test::set_arguments(kernel, output, input);
  session.run(kernel, 40);
  const auto values = session.read<cl_uint>(output, 40);
  size_t wrong = 0;
  for (cl_uint i = 0; i < 40; ++i)
    wrong += values[i] != (i % 2 ? d(i) : b(i));
  CHECK(wrong == 0);
}
