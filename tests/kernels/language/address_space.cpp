// Generic pointers, the functions that ask where they point (OpenCL C 3.0, 6.15.10), and asynchronous copies
// (6.15.11)

#include "support/session.hpp"

#include <numeric>

namespace {

std::vector<cl_int> run(const char* text, size_t items) {
  const test::Session session;
  const auto kernel = session.kernel(text, "k", "-cl-std=CL3.0");
  std::vector<cl_int> values(64);
  std::iota(values.begin(), values.end(), 0);
  auto buffer = session.buffer(values);
  test::set_arguments(kernel, buffer, test::Local{256});
  session.run(kernel, items, items);
  return session.read<cl_int>(buffer, values.size());
}

} // namespace

TEST_CASE("Generic pointers: to_global, to_local, to_private and get_fence know the space",
          "[address_space]") {
  const auto values = run(R"(
    int space_of(int* p) { return (to_global(p) != 0) | (to_local(p) != 0) << 1 | (to_private(p) != 0) << 2; }
    kernel void k(global int* g, local int* l) {
      int x;
      int* either = g[5] == 5 ? (int*)l : (int*)g;
      for (int i = 0; i < g[3]; ++i) ++either;
      g[0] = space_of(either);
      g[1] = space_of(g) | space_of(l) << 4 | space_of(&x) << 8;
      g[2] = get_fence(l) == CLK_LOCAL_MEM_FENCE && get_fence(g) == CLK_GLOBAL_MEM_FENCE;
    })",
                          1);
  CHECK(values[0] == 2);
  CHECK(values[1] == 0x421);
  CHECK(values[2] == 1);
}

TEST_CASE("Asynchronous copies have arrived after wait_group_events", "[address_space]") {
  const auto values = run(R"(
    kernel void k(global int* g, local int* l) {
      event_t events[2];
      events[0] = async_work_group_copy(l, g, 32, 0);
      events[1] = async_work_group_copy(l + 32, g + 32, 32, 0);
      wait_group_events(2, events);
      g[get_local_id(0)] = l[63 - get_local_id(0)];
    })",
                          64);
  for (int i = 0; i < 64; ++i)
    CHECK(values[i] == 63 - i);
}

TEST_CASE("Asynchronous copies: vectors of three are copied as vectors of four", "[address_space]") {
  const auto values = run(R"(
    kernel void k(global int* g, local int* l) {
      event_t event = async_work_group_copy((local int3*)l, (global int3*)g, 4, 0);
      event = async_work_group_strided_copy((local int3*)l + 4, (global int3*)g, 2, 3, event);
      wait_group_events(1, &event);
      event = async_work_group_copy((global int3*)g + 4, (local int3*)l + 4, 2, 0);
      event = async_work_group_strided_copy((global int3*)g + 6, (local int3*)l, 2, 1, event);
      wait_group_events(1, &event);
    })",
                          32);
  CHECK(std::vector<cl_int>(values.begin() + 16, values.begin() + 32) ==
        std::vector<cl_int>{0, 1, 2, 3, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("Asynchronous copies: strides and rectangles", "[address_space]") {
  const auto values = run(R"(
    kernel void k(global int* g, local int* l) {
      event_t event = async_work_group_strided_copy(l, g, 8, 3, 0);
      event = async_work_group_copy_2D2D(l, 8, g, 1, 4, 2, 3, 10, 2, event);
      wait_group_events(1, &event);
      event = async_work_group_copy(g, l, 14, 0);
      wait_group_events(1, &event);
    })",
                          16);
  CHECK(std::vector<cl_int>(values.begin(), values.begin() + 14) ==
        std::vector<cl_int>{0, 3, 6, 9, 12, 15, 18, 21, 1, 2, 11, 12, 21, 22});
}
