// Kernels that would be huge if all calls were inlined: their functions stay calls and ask for ids all the same.

#include "support/trap_session.hpp"

namespace {

constexpr int steps = 400, calls = 60, width = 8, height = 6;

/// A function of `steps` statements that begins with `value`, in the names x (unsigned) and k (its parameter).
std::string large_function(const std::string& value) {
  std::string text = "uint leaf(uint x, int k, global uint* p) { x += " + value + ";";
  for (int i = 0; i < steps; ++i)
    text += "x = x * " + std::to_string(2 * i + 3) + "u + (x >> " + std::to_string(i % 13 + 1) + ") + p[" +
            std::to_string(i % 4) + "];";
  return text + "return x; }";
}

cl_uint leaf(cl_uint x, cl_uint value) {
  x += value;
  for (int i = 0; i < steps; ++i)
    x = x * cl_uint(2 * i + 3) + (x >> (i % 13 + 1)) + cl_uint(i % 4);
  return x;
}

std::string kernel_of(const std::string& value) {
  std::string text = large_function(value) + "kernel void k(global uint* out, global uint* p) { uint x = 0;";
  for (int i = 0; i < calls; ++i)
    text += "x = leaf(x, " + std::to_string(i % 3) + ", p);";
  return text + "out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = x; }";
}

struct Item {
  cl_uint x, y, local_x, local_y, group_x, group_y;
};

} // namespace

TEST_CASE("Large calls: functions ask for ids and sizes, also of dimensions that are variables",
          "[large_calls]") {
  const test::Session session;
  constexpr cl_uint local_width = 4, local_height = 3;
  struct Case {
    const char* value;
    cl_uint (*of)(const Item&, int k);
  };
  const Case cases[] = {
      {"get_global_id(0) + 10 * get_local_id(1)", [](const Item& i, int) { return i.x + 10 * i.local_y; }},
      {"get_global_id(k)", [](const Item& i, int k) { return k == 0   ? i.x
                                                             : k == 1 ? i.y
                                                                      : 0; }},
      {"get_group_id(k) * 7 + get_local_size(k)",
       [](const Item& i, int k) {
         return k == 0 ? i.group_x * 7 + local_width : k == 1 ? i.group_y * 7 + local_height : 1;
       }},
      {"get_work_dim() + get_num_groups(1) * get_global_size(k)",
       [](const Item&, int k) {
         const cl_uint sizes[] = {width, height, 1};
         return 2 + height / local_height * sizes[k];
       }},
  };
  for (const Case& each : cases) {
    CAPTURE(each.value);
    const auto kernel = session.kernel(kernel_of(each.value).c_str(), "k");
    auto out = session.buffer(width * height * sizeof(cl_uint)),
         p = session.buffer(std::vector<cl_uint>{0, 1, 2, 3});
    test::set_arguments(kernel, out, p);
    session.run(kernel, {width, height}, {local_width, local_height});
    std::vector<cl_uint> expected;
    for (cl_uint y = 0; y < height; ++y)
      for (cl_uint x = 0; x < width; ++x) {
        const Item item{x, y, x % local_width, y % local_height, x / local_width, y / local_height};
        cl_uint value = 0;
        for (int i = 0; i < calls; ++i)
          value = leaf(value, each.of(item, i % 3));
        expected.push_back(value);
      }
    CHECK(session.read<cl_uint>(out, expected.size()) == expected);
  }
}

TEST_CASE("Large calls: a trap in a function that stays a call ends the launch", "[large_calls]") {
  if (!test::is_hostcl()) return;
  test::TrapSession session;
  const auto kernel = session.kernel(kernel_of("(p[3] == 9u ? (__builtin_trap(), 0u) : 1u)").c_str(), "k");
  const auto out = session.buffer(64);
  for (const cl_uint last : {3u, 9u, 3u}) {
    CAPTURE(last);
    const auto p = session.buffer(std::vector<cl_uint>{0, 1, 2, last});
    test::set_arguments(kernel, out, p);
    const std::size_t items = 16;
    session.sentences.clear();
    REQUIRE_CL(
        clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    CHECK_STATUS(clFinish(session.queue), last == 9 ? test::trapped : CL_SUCCESS);
    CHECK(session.sentences.have({"kernel 'k' ended by a trap"}) == (last == 9));
  }
}
