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

TEST_CASE("Blocks: capture numbers, vectors, structures, arrays in them, and pointers as they are then",
          "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    typedef struct { char c; float4 v; int a[3]; } S;
    kernel void k(global int* o) {
      char c = 1;
      long l = 1L << 33;
      double16 d = (double16)(7.5);
      S s = {2, (float4)(3), {4, 5, 6}};
      global int* p = o + 1;
      void (^block)(void) = ^{
        o[0] = c;
        p[0] = (int)(l >> 30);
        p[1] = (int)(d.sf * 2);
        p[2] = s.c + (int)s.v.w + s.a[2];
      };
      c = 9; l = 0; d = 0; s.a[2] = 0; p = o;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), block);
    })",
                        4) == Ints{1, 8, 15, 11});
}

TEST_CASE("Blocks: capture queues, events, images and samplers", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto kernel = session.kernel(R"(
    typedef struct { int value; queue_t queue; } S;
    kernel void k(global int* o, read_only image2d_t image, sampler_t sampler) {
      S s = {5, get_default_queue()};
      clk_event_t before;
      enqueue_kernel(s.queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &before, ^{
        o[0] = read_imagei(image, sampler, (int2)(1, 0)).x;
      });
      enqueue_kernel(s.queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        clk_event_t first = before;
        enqueue_kernel(s.queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, 0, ^{
          o[1] = o[0] + s.value + get_image_width(image);
          release_event(before);
        });
      });
    })",
                                     "k", "-cl-std=CL3.0");
  const cl_image_format format = {CL_R, CL_SIGNED_INT32};
  const cl_image_desc description = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 1};
  cl_int texels[] = {3, 4}, error = 1;
  const test::Buffer image(
      clCreateImage(session.context, CL_MEM_COPY_HOST_PTR, &format, &description, texels, &error));
  REQUIRE_CL(error);
  const test::Sampler sampler(
      clCreateSampler(session.context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error));
  REQUIRE_CL(error);
  const auto out = session.buffer(Ints(2));
  test::set_arguments(kernel, out, image, sampler.get());
  session.run(kernel, 1);
  CHECK(session.read<cl_int>(out, 2) == Ints{4, 11});
}

TEST_CASE("Blocks: in templates and methods of C++ for OpenCL", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    template <class T> void store(queue_t q, global int* o, T v) {
      if (q != get_default_queue()) return;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ *o = static_cast<int>(v * 2); });
    }
    struct Adder {
      int step;
      void run(global int* o) const {
        const int s = step;
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ *o += s; });
      }
    };
    kernel void k(global int* o) {
      store<int>(get_default_queue(), o, 3);
      store<float>(get_default_queue(), o + 1, 2.5f);
      Adder{7}.run(o + 2);
    })",
                        3, 1, "-cl-std=CLC++2021") == Ints{6, 5, 7});
}

TEST_CASE("Blocks: programs from binaries have them", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto program = session.build(R"(
    kernel void k(global int* o) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{ o[get_global_id(0)] = 4; });
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{ o[2 + get_global_id(0)] = 5; });
    })",
                                     "-cl-std=CL3.0");
  size_t size = 0;
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  std::vector<unsigned char> binary(size);
  unsigned char* place = binary.data();
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr));
  const cl_device_id device = test::device();
  const unsigned char* bytes = binary.data();
  cl_int error = 1;
  const test::Program copy(
      clCreateProgramWithBinary(session.context, 1, &device, &size, &bytes, nullptr, &error));
  REQUIRE_CL(error);
  REQUIRE_CL(clBuildProgram(copy, 0, nullptr, nullptr, nullptr, nullptr));
  const auto kernel = session.kernel(copy, "k");
  const auto out = session.buffer(Ints(4));
  test::set_arguments(kernel, out);
  session.run(kernel, 1);
  CHECK(session.read<cl_int>(out, 4) == Ints{4, 4, 5, 5});
}

TEST_CASE("Blocks: what the compiler has no literal for is an error of the build", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::Session session;
  std::string log;
  CHECK_STATUS(session.try_build(R"(
    kernel void k(global int* o) {
      void (^block)(void) = o[0] ? ^{ o[0] = 1; } : ^{ o[1] = 1; };
      block();
    })",
                                 "-cl-std=CL3.0", &log),
               CL_BUILD_PROGRAM_FAILURE);
  CHECK(log.find("must be a literal") != log.npos);
  CHECK_STATUS(session.try_build("kernel void k() { queue_t q; }", "-cl-std=CL1.2", &log),
               CL_BUILD_PROGRAM_FAILURE);
}

TEST_CASE("Blocks: without captures, at program scope, in parentheses, in helpers, called directly",
          "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const char* source = R"(
    global int cell;
    void (^const everywhere)(void) = ^{ atomic_inc((volatile global int*)&cell); };
    int (^const twice)(int) = ^(int x) { return 2 * x; };
    void helper(queue_t q, global int* o, int value) {
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ o[value] = value; });
    }
    kernel void add(global int* o, int x) { o[0] += x; }
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      clk_event_t first, second;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(5), 0, 0, &first, everywhere);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, &second, ^{ o[1] = cell; cell = 0; });
      helper(q, o, 2);
      helper(q, o, twice(2));
      void (^const block)(void) = (^{ o[3] += 3; });
      void (^const same)(void) = (block);
      (block)();
      same();
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), (same));
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &second, 0, ^{ add(o, 7); });
    })";
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    CAPTURE(options);
    CHECK(session.results(source, 5, 1, options) == Ints{7, 5, 2, 9, 4});
  }
}

TEST_CASE("Blocks: functions with barriers, local memory and sub-groups", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  CHECK(session.results(R"(
    int sum_of_group(local int* scratch, int value) {
      const int i = get_local_id(0), n = get_local_size(0);
      scratch[i] = value;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int step = n / 2; step > 0; step /= 2) {
        if (i < step) scratch[i] += scratch[i + step];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      return scratch[0];
    }
    kernel void in_kernel(global int* o) {
      local int cell;
      if (get_local_id(0) == 0) cell = get_group_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      o[16 + get_global_id(0)] = cell;
    }
    kernel void k(global int* o) {
      queue_t q = get_default_queue();
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64, 16), ^(local void* l) {
        int sum = sum_of_group((local int*)l, get_global_id(0));
        if (get_local_id(0) == 0) o[get_group_id(0)] = sum;
      }, 64u);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(32, 32), ^{
        int sum = work_group_reduce_add((int)get_local_id(0));
        int all = sub_group_reduce_add(1);
        int leaders = work_group_reduce_add(get_sub_group_local_id() == 0 ? all : 0);
        if (get_local_id(0) == 0) { o[4] = sum; o[5] = leaders; }
      });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4, 2), ^{ in_kernel(o); });
    })",
                        20) == Ints{120, 376, 632, 888, 496, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1});
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
  for (int round = 0; round < 3; ++round) {
    const auto results = session.results(source, 3, 1, "-cl-std=CL3.0 -g");
    CHECK(results[0] == results[1]);
    CHECK(results[1] > 10);
    CHECK(results[1] < 1000);
    CHECK(results[2] == -161);
  }
}

TEST_CASE("Blocks: programs that are linked from parts with functions of one name", "[device_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::EnqueueSession session;
  const auto part = [&](const char* text) {
    auto program = session.source(text);
    REQUIRE_CL(clCompileProgram(program, 0, nullptr, "-cl-std=CL3.0", 0, nullptr, nullptr, nullptr, nullptr));
    return program;
  };
  const auto first = part(R"(
    static void helper(global int* o) { enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[0] = 1; }); }
    void other(global int* o);
    kernel void k(global int* o) { helper(o); other(o); })");
  const auto second = part(R"(
    static void helper(global int* o) { enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[1] = 2; }); }
    void other(global int* o) { helper(o); })");
  const cl_program parts[] = {first, second};
  cl_int error = 1;
  const test::Program linked(
      clLinkProgram(session.context, 0, nullptr, nullptr, 2, parts, nullptr, nullptr, &error));
  REQUIRE_CL(error);
  const auto kernel = session.kernel(linked, "k");
  const auto out = session.buffer(Ints(2));
  test::set_arguments(kernel, out);
  session.run(kernel, 1);
  CHECK(session.read<cl_int>(out, 2) == Ints{1, 2});
}
