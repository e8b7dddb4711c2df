// Errors of clEnqueueNDRangeKernel and clEnqueueTask (OpenCL 3.0 API, 5.10)

#include "support/session.hpp"

namespace {

constexpr const char* source = R"(
kernel void plain(global int* v) { atomic_add(v, 1); }
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void required(global int* v) { atomic_add(v, 1); }
)";

struct World {
  test::Session session;
  test::Program program = session.build(source);
  test::Kernel plain = session.kernel(program, "plain"), required = session.kernel(program, "required");
  test::Buffer buffer = session.buffer(std::vector<int>(1, 0));
  World() {
    test::set_arguments(plain, buffer);
    test::set_arguments(required, buffer);
  }
  cl_int enqueue(cl_kernel kernel, cl_uint dimensions, const size_t* global, const size_t* local = nullptr,
                 const size_t* offset = nullptr) {
    return clEnqueueNDRangeKernel(session.queue, kernel, dimensions, offset, global, local, 0, nullptr,
                                  nullptr);
  }
};

constexpr size_t ones[3] = {1, 1, 1};

} // namespace

TEST_CASE("clEnqueueNDRangeKernel: an argument that is not set is CL_INVALID_KERNEL_ARGS", "[enqueue]") {
  World w;
  const auto kernel = w.session.kernel(w.program, "plain");
  CHECK_STATUS(w.enqueue(kernel, 1, ones), CL_INVALID_KERNEL_ARGS);
  CHECK_STATUS(clEnqueueTask(w.session.queue, kernel, 0, nullptr, nullptr), CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("clEnqueueNDRangeKernel: 0 or 4 dimensions are CL_INVALID_WORK_DIMENSION", "[enqueue]") {
  World w;
  const size_t four[4] = {1, 1, 1, 1};
  CHECK_STATUS(w.enqueue(w.plain, 0, four), CL_INVALID_WORK_DIMENSION);
  CHECK_STATUS(w.enqueue(w.plain, 4, four), CL_INVALID_WORK_DIMENSION);
}

TEST_CASE("clEnqueueNDRangeKernel: an offset that overflows is CL_INVALID_GLOBAL_OFFSET", "[enqueue]") {
  World w;
  const size_t offset = SIZE_MAX - 2, global = 16;
  CHECK_STATUS(w.enqueue(w.plain, 1, &global, nullptr, &offset), CL_INVALID_GLOBAL_OFFSET);
}

TEST_CASE("clEnqueueNDRangeKernel: more work-items than can be counted are CL_INVALID_GLOBAL_WORK_SIZE",
          "[enqueue]") {
  World w;
  const size_t global[3] = {SIZE_MAX / 2, 2, 2};
  CHECK_STATUS(w.enqueue(w.plain, 3, global), CL_INVALID_GLOBAL_WORK_SIZE);
}

TEST_CASE("clEnqueueNDRangeKernel: a buffer that has been released is CL_INVALID_KERNEL_ARGS", "[enqueue]") {
  World w;
  w.buffer.reset();
  CHECK_STATUS(w.enqueue(w.plain, 1, ones), CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("clEnqueueNDRangeKernel: no work-items run nothing and succeed", "[enqueue]") {
  World w;
  const size_t zero[3] = {0, 0, 0}, part[3] = {4, 0, 4};
  CHECK_CL(w.enqueue(w.plain, 1, zero));
  CHECK_CL(w.enqueue(w.plain, 3, part));
  test::Event event;
  CHECK_CL(clEnqueueNDRangeKernel(w.session.queue, w.plain, 1, nullptr, zero, nullptr, 0, nullptr,
                                  event.address()));
  const cl_event handle = event;
  CHECK_CL(clWaitForEvents(1, &handle));
  CHECK(w.session.read<int>(w.buffer, 1)[0] == 0);
}

TEST_CASE("clEnqueueNDRangeKernel: a NULL global size is an empty range", "[enqueue]") {
  World w;
  const cl_int status = w.enqueue(w.plain, 1, nullptr);
  CHECK((status == CL_SUCCESS || status == CL_INVALID_GLOBAL_WORK_SIZE));
  CHECK(w.session.read<int>(w.buffer, 1)[0] == 0);
}

TEST_CASE("clEnqueueNDRangeKernel: a local size with a 0 is CL_INVALID_WORK_GROUP_SIZE", "[enqueue]") {
  World w;
  const size_t global[2] = {16, 16}, local[2] = {4, 0};
  CHECK_STATUS(w.enqueue(w.plain, 2, global, local), CL_INVALID_WORK_GROUP_SIZE);
}

TEST_CASE("clEnqueueNDRangeKernel: a group larger than possible is CL_INVALID_WORK_GROUP_SIZE", "[enqueue]") {
  World w;
  const auto most = test::device_value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  size_t sizes[3] = {};
  REQUIRE_CL(clGetDeviceInfo(test::device(), CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, nullptr));
  const size_t global[2] = {most * 2, 2};
  const size_t local[2] = {std::min(most, sizes[0]), 2};
  CHECK_STATUS(w.enqueue(w.plain, 2, global, local), CL_INVALID_WORK_GROUP_SIZE);
}

TEST_CASE("clEnqueueNDRangeKernel: more items in a dimension than possible are CL_INVALID_WORK_ITEM_SIZE",
          "[enqueue]") {
  World w;
  size_t sizes[3] = {};
  REQUIRE_CL(clGetDeviceInfo(test::device(), CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, nullptr));
  for (int i = 0; i < 3; ++i) {
    size_t local[3] = {1, 1, 1}, global[3] = {1, 1, 1};
    local[i] = sizes[i] + 1;
    global[i] = local[i] * 2;
    CHECK_STATUS(w.enqueue(w.plain, 3, global, local), CL_INVALID_WORK_ITEM_SIZE);
  }
}

TEST_CASE("clEnqueueNDRangeKernel: another size than required is CL_INVALID_WORK_GROUP_SIZE", "[enqueue]") {
  World w;
  const size_t global[2] = {16, 16}, right[2] = {8, 2}, wrong[2] = {2, 8};
  CHECK_STATUS(w.enqueue(w.required, 2, global, wrong), CL_INVALID_WORK_GROUP_SIZE);
  CHECK_CL(w.enqueue(w.required, 2, global, right));
  CHECK_CL(clFinish(w.session.queue));
  CHECK(w.session.read<int>(w.buffer, 1)[0] == 256);
}

TEST_CASE("clEnqueueNDRangeKernel: no local size uses the required one", "[enqueue]") {
  World w;
  const size_t global[2] = {16, 16};
  CHECK_CL(w.enqueue(w.required, 2, global));
  CHECK(w.session.read<int>(w.buffer, 1)[0] == 256);
}

TEST_CASE("clEnqueueNDRangeKernel: more local memory than there is is CL_OUT_OF_RESOURCES", "[enqueue]") {
  const test::Session session;
  const auto most = test::device_value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  const auto kernel = session.kernel("kernel void k(local int* a, local int* b) { a[0] = b[0] = 1; }", "k");
  test::set_arguments(kernel, test::Local{most}, test::Local{16});
  CHECK_STATUS(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, ones, nullptr, 0, nullptr, nullptr),
               CL_OUT_OF_RESOURCES);
  test::set_arguments(kernel, test::Local{most - 16}, test::Local{16});
  session.run(kernel, 1);
}

TEST_CASE("clEnqueueNDRangeKernel: sizes of local arguments that add up to little modulo 2^64 are refused",
          "[enqueue]") {
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(local int* a, local int* b) { a[0] = b[0] = 1; }", "k");
  const size_t sizes[][2] = {{SIZE_MAX - 127, 256},
                             {256, SIZE_MAX - 127},
                             {SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1},
                             {SIZE_MAX, 1},
                             {SIZE_MAX, SIZE_MAX}};
  for (const auto& [a, b] : sizes) {
    CAPTURE(a, b);
    cl_int status = clSetKernelArg(kernel, 0, a, nullptr);
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, 1, b, nullptr);
    if (status == CL_SUCCESS)
      status = clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, ones, nullptr, 0, nullptr, nullptr);
    CHECK_STATUS(status, CL_OUT_OF_RESOURCES);
  }
}

TEST_CASE("clEnqueueNDRangeKernel: local variables that add up to little modulo 2^64 are refused",
          "[enqueue]") {
  if (!test::is_hostcl()) return; // others may refuse to build it
  const test::Session session;
  std::string text = "kernel void k(global int* v) {\n";
  for (char name = 'a'; name < 'a' + 16; ++name)
    text += std::string("local char ") + name + "[1ul << 60]; " + name + "[get_global_id(0)] = *v;\n";
  const auto kernel = session.kernel((text + "}").c_str(), "k");
  const auto buffer = session.buffer(4);
  test::set_arguments(kernel, buffer);
  CHECK_STATUS(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, ones, nullptr, 0, nullptr, nullptr),
               CL_OUT_OF_RESOURCES);
}

TEST_CASE("clEnqueueTask: runs one work-item", "[enqueue]") {
  World w;
  CHECK_CL(clEnqueueTask(w.session.queue, w.plain, 0, nullptr, nullptr));
  CHECK(w.session.read<int>(w.buffer, 1)[0] == 1);
}

TEST_CASE("clEnqueueTask: a kernel with another required size is CL_INVALID_WORK_GROUP_SIZE", "[enqueue]") {
  World w;
  CHECK_STATUS(clEnqueueTask(w.session.queue, w.required, 0, nullptr, nullptr), CL_INVALID_WORK_GROUP_SIZE);
}
