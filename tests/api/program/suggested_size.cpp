// clGetKernelSuggestedLocalWorkSizeKHR (OpenCL 3.0 API, 5.9.4)

#include "support/session.hpp"

#include <CL/cl_icd.h>

namespace {

struct World {
  test::SuggestLocalSize suggest =
      test::extension_function<test::SuggestLocalSize>("clGetKernelSuggestedLocalWorkSizeKHR");
  test::Session session;
  test::Buffer buffer = session.buffer(4);
  test::Program program = session.build("kernel void plain(global int* v) { atomic_add(v, 1); }"
                                        "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void "
                                        "required(global int* v) { atomic_add(v, 1); }");
  test::Kernel kernel = make("plain");
  size_t local[3] = {99, 99, 99};

  test::Kernel make(const char* name) const {
    auto made = session.kernel(program, name);
    test::set_arguments(made, buffer);
    return made;
  }
  cl_int ask(cl_uint dimensions, std::vector<size_t> global, const size_t* offset = nullptr) {
    return suggest(session.queue, kernel, dimensions, offset, global.data(), local);
  }
};

bool exists() {
  return test::has_extension("cl_khr_suggested_local_work_size");
}

} // namespace

TEST_CASE("clGetKernelSuggestedLocalWorkSize: divides the range and is not one item", "[suggested_size]") {
  if (!exists()) return;
  World w;
  REQUIRE_CL(w.ask(2, {1024, 64}));
  CHECK(w.local[0] * w.local[1] > 1);
  CHECK(1024 % w.local[0] == 0);
  CHECK(64 % w.local[1] == 0);
  CHECK(w.local[2] == 99);
}

TEST_CASE("clGetKernelSuggestedLocalWorkSize: is the required size if there is one", "[suggested_size]") {
  if (!exists()) return;
  World w;
  w.kernel = w.make("required");
  REQUIRE_CL(w.ask(2, {64, 64}));
  CHECK(w.local[0] == 8);
  CHECK(w.local[1] == 2);
}

TEST_CASE("clGetKernelSuggestedLocalWorkSize: nowhere to write to is CL_INVALID_VALUE", "[suggested_size]") {
  if (!exists()) return;
  const World w;
  const size_t global = 64;
  CHECK_STATUS(w.suggest(w.session.queue, w.kernel, 1, nullptr, &global, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetKernelSuggestedLocalWorkSize: a kernel of another context is CL_INVALID_CONTEXT",
          "[suggested_size]") {
  if (!exists()) return;
  World w;
  const test::Session other;
  const size_t global = 64;
  CHECK_STATUS(w.suggest(other.queue, w.kernel, 1, nullptr, &global, w.local), CL_INVALID_CONTEXT);
}

TEST_CASE("clGetKernelSuggestedLocalWorkSize: an argument that is not set is CL_INVALID_KERNEL_ARGS",
          "[suggested_size]") {
  if (!exists()) return;
  World w;
  w.kernel = w.session.kernel(w.program, "plain");
  CHECK_STATUS(w.ask(1, {64}), CL_INVALID_KERNEL_ARGS);
}

TEST_CASE("clGetKernelSuggestedLocalWorkSize: 0 or 4 dimensions are CL_INVALID_WORK_DIMENSION",
          "[suggested_size]") {
  if (!exists()) return;
  World w;
  CHECK_STATUS(w.ask(0, {1, 1, 1, 1}), CL_INVALID_WORK_DIMENSION);
  CHECK_STATUS(w.ask(4, {1, 1, 1, 1}), CL_INVALID_WORK_DIMENSION);
}

TEST_CASE("clGetKernelSuggestedLocalWorkSize: an offset that overflows is CL_INVALID_GLOBAL_OFFSET",
          "[suggested_size]") {
  if (!exists()) return;
  World w;
  const size_t offset = SIZE_MAX - 2;
  CHECK_STATUS(w.ask(1, {64}, &offset), CL_INVALID_GLOBAL_OFFSET);
}

TEST_CASE("clGetKernelSuggestedLocalWorkSize: no range, or a range of 0, is CL_INVALID_GLOBAL_WORK_SIZE",
          "[suggested_size]") {
  if (!exists()) return;
  World w;
  CHECK_STATUS(w.suggest(w.session.queue, w.kernel, 1, nullptr, nullptr, w.local),
               CL_INVALID_GLOBAL_WORK_SIZE);
  CHECK_STATUS(w.ask(2, {64, 0}), CL_INVALID_GLOBAL_WORK_SIZE);
  CHECK(w.local[0] == 99);
}

TEST_CASE("clGetKernelSuggestedLocalWorkSize: launches without a local size use it, from the first one on",
          "[suggested_size]") {
  if (!exists()) return;
  World w;
  // Vectors and groups lie along y, once the kernel is compiled.
  w.kernel = w.session.kernel(R"(
    kernel void k(global float* c, global const float* a, global const float* b, int n) {
      int row = get_global_id(0), column = get_global_id(1);
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + column];
      c[row * n + column] = sum;
      if (row == 0 && column == 0) { c[0] = get_local_size(0); c[1] = get_local_size(1); }
    })",
                              "k");
  constexpr size_t n = 256;
  const auto a = w.session.buffer(std::vector<float>(n * n)), b = w.session.buffer(std::vector<float>(n * n)),
             c = w.session.buffer(std::vector<float>(n * n));
  test::set_arguments(w.kernel, c, a, b, cl_int(n));
  REQUIRE_CL(w.ask(2, {n, n}));
  for (int launch = 0; launch < 3; ++launch) {
    w.session.run(w.kernel, {n, n});
    const auto used = w.session.read<float>(c, 2);
    CHECK(used[0] == float(w.local[0]));
    CHECK(used[1] == float(w.local[1]));
  }
}

#ifndef CL_VERSION_3_1
TEST_CASE("clGetKernelSuggestedLocalWorkSize: has the slot that OpenCL 3.1 appends to the dispatch table",
          "[suggested_size]") {
  if (!test::is_hostcl()) return;
  World w;
  const size_t global[1] = {1024};
  size_t by_name[1] = {}, by_slot[1] = {};
  REQUIRE_CL(w.suggest(w.session.queue, w.kernel, 1, nullptr, global, by_name));
  struct Table {
    cl_icd_dispatch older;
    test::SuggestLocalSize suggest;
  };
  const cl_device_id device = test::device();
  const Table* table = *reinterpret_cast<const Table* const*>(device);
  REQUIRE_CL(table->suggest(w.session.queue, w.kernel, 1, nullptr, global, by_slot));
  CHECK(by_slot[0] == by_name[0]);
}
#endif
