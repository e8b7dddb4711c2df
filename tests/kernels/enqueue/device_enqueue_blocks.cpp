// Blocks that kernels enqueue: what they capture, where they stand (OpenCL C 3.0, 6.15.17)

#include "support/device_queue.hpp"

#include <numeric>

namespace {

using Ints = std::vector<cl_int>;

} // namespace

TEST_CASE("Blocks: capture numbers, vectors, structures, arrays in them, and pointers as they are then",
          "[device_enqueue_blocks]") {
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

TEST_CASE("Blocks: capture queues, events, images and samplers", "[device_enqueue_blocks]") {
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
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = 2;
  description.image_height = 1;
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

TEST_CASE("Blocks: in templates and methods of C++ for OpenCL", "[device_enqueue_blocks]") {
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

TEST_CASE("Blocks: programs from binaries have them", "[device_enqueue_blocks]") {
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

TEST_CASE("Blocks: what the compiler has no literal for is an error of the build",
          "[device_enqueue_blocks]") {
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
  CHECK(log.find("must be a block literal") != log.npos);
  CHECK_STATUS(session.try_build("kernel void k() { queue_t q; }", "-cl-std=CL1.2", &log),
               CL_BUILD_PROGRAM_FAILURE);
}

TEST_CASE("Blocks: without captures, at program scope, in parentheses, in helpers, called directly",
          "[device_enqueue_blocks]") {
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

TEST_CASE("Blocks: functions with barriers, local memory and sub-groups", "[device_enqueue_blocks]") {
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

TEST_CASE("Blocks: programs that are linked from parts with functions of one name",
          "[device_enqueue_blocks]") {
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
