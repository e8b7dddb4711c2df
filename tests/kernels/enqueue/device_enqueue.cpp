// Kernels that enqueue kernels: forms, blocks, ndranges, errors (OpenCL C 3.0, 6.15.17)

#include "support/device_queue.hpp"

#include <numeric>

namespace {

using Ints = std::vector<cl_int>;

constexpr const char* standards[] = {"-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CLC++1.0",
                                     "-cl-std=CLC++2021"};

} // namespace

TEST_CASE("enqueue_kernel: all four forms, in all versions of the language", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const char* source = R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      ndrange_t n = ndrange_1D(4);
      clk_event_t first, second;
      o[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, n, ^{ o[8 + get_global_id(0)] = 1; });
      o[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, n, 0, 0, &first,
                            ^{ o[12 + get_global_id(0)] = 2; });
      o[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, n,
                            ^(local void* l) {
                              local int* own = (local int*)l + get_local_id(0);
                              *own = 3;
                              o[16 + get_global_id(0)] = *own;
                            }, (uint)16);
      o[3] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, n, 1, &first, &second,
                            ^(local void* l, local void* m) {
                              ((local int*)l)[get_local_id(0)] = o[12 + get_global_id(0)];
                              ((local int*)m)[get_local_id(0)] = 2;
                              o[20 + get_global_id(0)] = ((local int*)l)[get_local_id(0)] +
                                                         ((local int*)m)[get_local_id(0)];
                            }, (uint)16, (uint)32);
      release_event(first);
      release_event(second);
    })";
  for (const char* standard : standards) {
    CAPTURE(standard);
    CHECK(session.results(source, 24, 1, standard) ==
          Ints{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4});
  }
}

TEST_CASE("ndrange_t: all overloads give the sizes, offsets and dimensions of the child",
          "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto results = session.results(R"(
    #define SHOW(place, range)                                                                   \
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, ^{                                 \
        if (get_global_linear_id() == get_global_size(0) * get_global_size(1) * get_global_size(2) - 1) { \
          global int* at = o + 12 * place;                                                       \
          at[0] = get_work_dim();                                                                \
          for (int d = 0; d < 3; ++d) {                                                          \
            at[1 + d] = get_global_size(d);                                                      \
            at[4 + d] = get_global_offset(d);                                                    \
            at[7 + d] = get_enqueued_local_size(d);                                              \
          }                                                                                      \
          at[10] = get_global_id(0);                                                             \
        }                                                                                        \
      })
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      size_t offset[3] = {1, 2, 3}, global_size[3] = {6, 4, 2}, group[3] = {3, 2, 1};
      SHOW(0, ndrange_1D(6));
      SHOW(1, ndrange_1D(6, 3));
      SHOW(2, ndrange_1D(1, 6, 3));
      SHOW(3, ndrange_2D(global_size));
      SHOW(4, ndrange_2D(global_size, group));
      SHOW(5, ndrange_2D(offset, global_size, group));
      SHOW(6, ndrange_3D(global_size));
      SHOW(7, ndrange_3D(global_size, group));
      SHOW(8, ndrange_3D(offset, global_size, group));
    })",
                                       9 * 12);
  for (int i = 0; i < 9; ++i) {
    CAPTURE(i);
    const int* at = results.data() + 12 * i;
    const int dimensions = i / 3 + 1, sizes[] = {6, 4, 2}, groups[] = {3, 2, 1};
    CHECK(at[0] == dimensions);
    for (int d = 0; d < 3; ++d) {
      CHECK(at[1 + d] == (d < dimensions ? sizes[d] : 1));
      CHECK(at[4 + d] == (i % 3 == 2 && d < dimensions ? d + 1 : 0));
      if (i % 3 > 0) CHECK(at[7 + d] == (d < dimensions ? groups[d] : 1));
    }
    CHECK(at[10] == 5 + (i % 3 == 2));
  }
}

TEST_CASE("ndrange_t: a child without work-items is complete at once, and groups may be of several sizes",
          "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t none;
      o[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(0), 0, 0, &none, ^{ o[1] = 1; });
      o[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10, 4), 1, &none, 0, ^{
        atomic_inc((volatile global int*)o + 3 + get_local_size(0));
      });
      release_event(none);
    })",
                        8) == Ints{0, 0, 0, 0, 0, 2, 0, 8});
}

TEST_CASE("enqueue_kernel: work-items enqueue one by one where their ways part", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  constexpr size_t items = 1000;
  const test::EnqueueSession session;
  const auto results = session.results(R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      const int i = get_global_id(0);
      int times = i % 7;
      long big = i * 1000000007L;
      float4 v = (float4)(i, i + 1, i + 2, i + 3);
      int private_array[4] = {i, 2 * i, 3 * i, 4 * i};
      int index = private_array[i & 3];
      if (i % 3 == 0)
        for (int t = 0; t < times; ++t)
          o[1000 + i] += enqueue_kernel(q, t & 1 ? CLK_ENQUEUE_FLAGS_NO_WAIT : CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP,
                                        ndrange_1D(1 + t), ^{
            atomic_add((volatile global int*)o + i, (int)(big % 1000) + (int)v.z + index + t);
          });
      else if (i % 5 == 0)
        enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(i), ^{
          atomic_inc((volatile global int*)o + i);
        });
    })",
                                       2 * items, items);
  size_t wrong = 0;
  for (size_t i = 0; i < items; ++i) {
    cl_int expected = i % 3 && i % 5 == 0 ? cl_int(i) : 0;
    if (i % 3 == 0)
      for (size_t t = 0; t < i % 7; ++t)
        expected += cl_int(1 + t) * cl_int(i * 1000000007 % 1000 + i + 2 + (1 + (i & 3)) * i + t);
    wrong += results[i] != expected || results[items + i] != 0;
  }
  CHECK(wrong == 0);
}

TEST_CASE("enqueue_kernel: 64 levels of blocks that a helper enqueues again", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  for (const char* flags :
       {"CLK_ENQUEUE_FLAGS_NO_WAIT", "CLK_ENQUEUE_FLAGS_WAIT_KERNEL", "CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP"}) {
    const std::string source = std::string(R"(
      void deeper(global int* o, int depth) {
        o[depth] = depth;
        if (depth < 64 && get_global_id(0) == 0)
          enqueue_kernel(get_default_queue(), )") +
                               flags + R"(, ndrange_1D(8), ^{ deeper(o, depth + 1); });
      }
      kernel void k(global int* o) { deeper(o, 0); })";
    Ints expected(65);
    std::iota(expected.begin(), expected.end(), 0);
    CHECK(session.results(source.c_str(), 65) == expected);
  }
}

TEST_CASE("enqueue_kernel: blocks in blocks", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    kernel void k(global int* o) {
      int a = 1;
      void (^outer)(void) = ^{
        int b = a + 1;
        void (^inner)(void) = ^{
          int c = a + b;
          enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                         ^{ o[0] = a; o[1] = b; o[2] = c; });
        };
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), inner);
      };
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), outer);
    })",
                        3) == Ints{1, 2, 3});
}

TEST_CASE("enqueue_kernel: CLK_ENQUEUE_FLAGS_WAIT_KERNEL and _WORK_GROUP make writes visible",
          "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  constexpr size_t items = 4096;
  const test::EnqueueSession session;
  const auto results = session.results(R"(
    kernel void k(global int* o) {
      const int i = get_global_id(0), first = i - get_local_id(0), size = get_local_size(0);
      if (i == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4096), ^{
          if (o[get_global_id(0)] != 1) atomic_inc((volatile global int*)o + 4096);
        });
      if (get_local_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(size), ^{
          if (o[first + get_global_id(0)] != 1) atomic_inc((volatile global int*)o + 4097);
        });
      o[i] = 1;
    })",
                                       items + 2, items);
  CHECK(results[items] == 0);
  CHECK(results[items + 1] == 0);
}

TEST_CASE("get_kernel_*: the sizes are those that the host is told", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto results = session.results(R"(
    kernel void plain(global int* o) { o[sub_group_reduce_max((int)get_global_id(0))] = 1; }
    kernel void k(global int* o) {
      void (^block)(void) = ^{ plain(o + 100); };
      o[0] = get_kernel_work_group_size(block);
      o[1] = get_kernel_preferred_work_group_size_multiple(block);
      o[2] = get_kernel_work_group_size(^(local void* l) { *(local int*)l = 0; });
      o[3] = get_kernel_preferred_work_group_size_multiple(^(local void* l) { *(local int*)l = 0; });
      o[4] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(256, 64), block);
      o[5] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(256, 64), block);
      o[6] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(1, 1), block);
      o[7] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(1, 1), block);
    })",
                                       8);
  const auto kernel = session.kernel(
      "kernel void plain(global int* o) { o[sub_group_reduce_max((int)get_global_id(0))] = 1; }", "plain",
      "-cl-std=CL3.0");
  size_t size = 0, multiple = 0, width = 0;
  const size_t local = 64;
  REQUIRE_CL(clGetKernelWorkGroupInfo(kernel, test::device(), CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size,
                                      nullptr));
  REQUIRE_CL(clGetKernelWorkGroupInfo(kernel, test::device(), CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                      sizeof multiple, &multiple, nullptr));
  REQUIRE_CL(clGetKernelSubGroupInfo(kernel, test::device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                     sizeof local, &local, sizeof width, &width, nullptr));
  const auto number = [](size_t value) { return static_cast<cl_int>(value); };
  CHECK(results == Ints{number(size), number(multiple), number(size), number(multiple), number(64 / width),
                        number(width), 1, 1});
}

TEST_CASE("queue_t: arguments, comparisons, and no default queue", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(queue_t given, global int* o) {
      queue_t q = get_default_queue();
      o[0] = q == CLK_NULL_QUEUE;
      o[1] = given == CLK_NULL_QUEUE;
      o[2] = q != given;
      queue_t other = get_global_id(0) > 5 ? q : given;
      o[3] = other == given;
      o[4] = enqueue_kernel(given, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        o[5] = enqueue_kernel(given, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[6] = 1; });
        o[7] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[8] = 1; });
      });
    })",
                                     "k", "-cl-std=CL3.0");
  auto queue = test::make_device_queue(session.context);
  const auto out = session.buffer(Ints(9));
  test::set_arguments(kernel, queue.get(), out);
  const size_t one = 1;
  const auto start = test::user_event(session.context);
  const cl_event wait = start;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 1, &wait, nullptr));
  queue.reset(); // the launch holds it
  REQUIRE_CL(clSetUserEventStatus(start, CL_COMPLETE));
  CHECK(session.read<cl_int>(out, 9) == Ints{1, 0, 1, 1, 0, 0, 1, -101, 0});
}

TEST_CASE("enqueue_kernel: errors have names in programs compiled with -g", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const char* source = R"(
    kernel void k(global int* o) {
      queue_t q = get_default_queue(), none = CLK_NULL_QUEUE;
      clk_event_t good = create_user_event(), bad = CLK_NULL_EVENT, returned;
      void (^block)(void) = ^{ o[20] = 1; };
      void (^with_local)(local void*) = ^(local void* l) { *(local int*)l = o[20] = 1; };
      size_t huge[3] = {1UL << 63, 2, 1}, one[3] = {1, 1, 1}, odd[3] = {1, 0, 1};
      o[0] = enqueue_kernel(none, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), block);
      o[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1UL << 40, 1UL << 30), block);
      o[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(huge), block);
      o[3] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(one, odd), block);
      o[4] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, 0, &returned, block);
      o[5] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, &good, &returned, block);
      o[6] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &bad, &returned, block);
      o[7] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), with_local, 0u);
      o[8] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), with_local, 0xffffffffu);
      o[9] = enqueue_marker(none, 1, &good, &returned);
      o[10] = enqueue_marker(q, 0, &good, &returned);
      o[11] = enqueue_marker(q, 1, 0, &returned);
      o[12] = enqueue_marker(q, 1, &bad, &returned);
      release_event(good);
    })";
  Ints named{-102, -160, -160, -160, -57, -57, -57, -51, -5, -102, -57, -57, -57};
  named.resize(21);
  CHECK(session.results(source, 21, 1, "-cl-std=CL3.0 -g") == named);
  Ints unnamed(13, -101);
  unnamed.resize(21);
  CHECK(session.results(source, 21, 1, "-cl-std=CL3.0") == unnamed);
  CHECK(session.results(R"(
    kernel void k(global int* o) {
      o[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10, 4), ^{ o[1] = 1; });
    })",
                        2, 1, "-cl-std=CL3.0 -g -cl-uniform-work-group-size") == Ints{-160, 0});
}

TEST_CASE("enqueue_kernel: a full queue takes no more, and takes more again", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session(0, 16 << 10);
  const char* source = R"(
    kernel void k(global int* o) {
      int taken = 0, status;
      do {
        status = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
          atomic_inc((volatile global int*)o);
        });
        taken += status == CLK_SUCCESS;
      } while (status == CLK_SUCCESS && taken < 100000);
      o[1] = taken;
      o[2] = status;
    })";
  for (int iteration = 0; iteration < 3; ++iteration) {
    const auto results = session.results(source, 3, 1, "-cl-std=CL3.0 -g");
    CHECK(results[0] == results[1]);
    CHECK(results[1] > 10);
    CHECK(results[1] < 1000);
    CHECK(results[2] == -161);
  }
}
