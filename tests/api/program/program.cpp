// Program objects and their queries (OpenCL 3.0 API, 5.8)

#include "support/session.hpp"

#include <cstring>

namespace {

constexpr const char* two_kernels = "kernel void first(global int* v) { *v = 1; }\n"
                                    "kernel void second(global int* v, int x) { *v = x; }\n";

template <class T>
T ask(cl_program program, cl_program_info query) {
  T value{};
  REQUIRE_CL(clGetProgramInfo(program, query, sizeof value, &value, nullptr));
  return value;
}

std::string text(cl_program program, cl_program_info query) {
  size_t bytes = 0;
  REQUIRE_CL(clGetProgramInfo(program, query, 0, nullptr, &bytes));
  std::string result(bytes, '\0');
  REQUIRE_CL(clGetProgramInfo(program, query, bytes, result.data(), nullptr));
  if (!result.empty() && result.back() == '\0') result.pop_back();
  return result;
}

} // namespace

TEST_CASE("clCreateProgramWithSource: joins strings, with and without lengths", "[program]") {
  const test::Session session;
  const char* strings[] = {"kernel void first", "(){}GARBAGE", "/**/ kernel void second() {}"};
  const size_t lengths[] = {0, 4, 0};
  cl_int error = 1;
  test::Program program(clCreateProgramWithSource(session.context, 3, strings, lengths, &error));
  REQUIRE_CL(error);
  CHECK(text(program, CL_PROGRAM_SOURCE) == "kernel void first(){}/**/ kernel void second() {}");
  CHECK_CL(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
}

TEST_CASE("clCreateProgramWithSource: lengths may count the terminator and what follows it", "[program]") {
  const test::Session session;
  constexpr char padded[32] = "kernel void first() {}", terminated[] = "kernel void second() {}";
  const char* strings[] = {padded, terminated};
  const size_t lengths[] = {sizeof padded, sizeof terminated};
  cl_int error = 1;
  test::Program program(clCreateProgramWithSource(session.context, 2, strings, lengths, &error));
  REQUIRE_CL(error);
  CHECK(text(program, CL_PROGRAM_SOURCE) == "kernel void first() {}kernel void second() {}");
  CHECK_CL(clBuildProgram(program, 0, nullptr, "-Werror", nullptr, nullptr));
}

TEST_CASE("clCreateProgramWithSource: no strings are CL_INVALID_VALUE", "[program]") {
  const test::Session session;
  const char* strings[] = {"", nullptr};
  cl_int error = 1;
  CHECK(clCreateProgramWithSource(session.context, 0, strings, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  CHECK(clCreateProgramWithSource(session.context, 1, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  CHECK(clCreateProgramWithSource(session.context, 2, strings, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
}

TEST_CASE("clCreateProgramWithBuiltInKernels: an unknown name is CL_INVALID_VALUE", "[program]") {
  const test::Session session;
  const cl_device_id id = test::device();
  cl_int error = 1;
  CHECK(clCreateProgramWithBuiltInKernels(session.context, 1, &id, "no_such_kernel", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  CHECK(clCreateProgramWithBuiltInKernels(session.context, 1, &id, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  CHECK(clCreateProgramWithBuiltInKernels(session.context, 0, &id, "x", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
}

TEST_CASE("clGetProgramInfo: answers every query of the table", "[program]") {
  const test::Session session;
  const auto program = session.build(two_kernels);
  CHECK(ask<cl_uint>(program, CL_PROGRAM_REFERENCE_COUNT) == 1);
  CHECK(ask<cl_context>(program, CL_PROGRAM_CONTEXT) == session.context.get());
  CHECK(ask<cl_uint>(program, CL_PROGRAM_NUM_DEVICES) == 1);
  CHECK(ask<cl_device_id>(program, CL_PROGRAM_DEVICES) == test::device());
  CHECK(ask<size_t>(program, CL_PROGRAM_NUM_KERNELS) == 2);
  CHECK(ask<size_t>(program, CL_PROGRAM_BINARY_SIZES) > 0);
  CHECK(text(program, CL_PROGRAM_SOURCE) == two_kernels);
  CHECK(text(program, CL_PROGRAM_KERNEL_NAMES) == "first;second");
  CHECK(text(program, CL_PROGRAM_IL).empty());
  CHECK(ask<cl_bool>(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT) == CL_FALSE);
  CHECK(ask<cl_bool>(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT) == CL_FALSE);
}

TEST_CASE("clGetProgramInfo: kernels of a program that is not built are CL_INVALID_PROGRAM_EXECUTABLE",
          "[program]") {
  const test::Session session;
  const auto program = session.source(two_kernels);
  size_t value = 0;
  CHECK_STATUS(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof value, &value, nullptr),
               CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK_STATUS(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &value),
               CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_CASE("clSetProgramReleaseCallback: callbacks come when the program goes, the last one first",
          "[program]") {
  const test::Session session;
  static std::vector<int> calls;
  static cl_program told;
  static int two = 2;
  calls.clear();
  auto program = session.source("kernel void k() {}");
  const cl_int error =
      clSetProgramReleaseCallback(program, [](cl_program, void*) { calls.push_back(1); }, nullptr);
  if (error == CL_INVALID_OPERATION && !test::is_hostcl()) return; // a device without destructors
  REQUIRE_CL(error);
  CHECK_CL(clSetProgramReleaseCallback(
      program,
      [](cl_program handle, void* data) {
        told = handle;
        calls.push_back(*static_cast<int*>(data));
      },
      &two));
  const cl_program handle = program;
  CHECK_CL(clRetainProgram(program));
  CHECK_CL(clReleaseProgram(program));
  CHECK(calls.empty());
  program.reset();
  CHECK(calls == std::vector<int>{2, 1});
  CHECK(told == handle);
}

TEST_CASE("clSetProgramReleaseCallback: a program without destructors is CL_INVALID_OPERATION", "[program]") {
  const test::Session session;
  CHECK_STATUS(clSetProgramReleaseCallback(
                   session.build("kernel void k() {}"), [](cl_program, void*) {}, nullptr),
               CL_INVALID_OPERATION);
}

TEST_CASE("clSetProgramReleaseCallback: wrong programs and no callback are refused", "[program]") {
  const test::Session session;
  const auto program = session.source("kernel void k() {}");
  const auto nothing = [](cl_program, void*) {};
  CHECK_STATUS(clSetProgramReleaseCallback(nullptr, nothing, nullptr), CL_INVALID_PROGRAM);
  if (test::is_hostcl())
    CHECK_STATUS(clSetProgramReleaseCallback(program, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetProgramInfo: an unknown query is CL_INVALID_VALUE", "[program]") {
  const test::Session session;
  const auto program = session.source(two_kernels);
  CHECK_STATUS(clGetProgramInfo(program, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetProgramInfo: a too small value is CL_INVALID_VALUE", "[program]") {
  const test::Session session;
  const auto program = session.source(two_kernels);
  char byte;
  CHECK_STATUS(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 1, &byte, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetProgramBuildInfo: tells status, options, log and kind of binary", "[program]") {
  const test::Session session;
  const auto program = session.source(two_kernels);
  const auto state = [&] {
    cl_build_status value = 99;
    CHECK_CL(clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BUILD_STATUS, sizeof value, &value,
                                   nullptr));
    return value;
  };
  const auto kind = [&] {
    cl_program_binary_type value = 99;
    CHECK_CL(clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BINARY_TYPE, sizeof value, &value,
                                   nullptr));
    return value;
  };
  CHECK(state() == CL_BUILD_NONE);
  CHECK(kind() == CL_PROGRAM_BINARY_TYPE_NONE);
  REQUIRE_CL(clBuildProgram(program, 0, nullptr, "-DX=1 -cl-mad-enable", nullptr, nullptr));
  CHECK(state() == CL_BUILD_SUCCESS);
  CHECK(kind() == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  char options[100] = {};
  CHECK_CL(clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BUILD_OPTIONS, sizeof options, options,
                                 nullptr));
  CHECK(std::string(options) == "-DX=1 -cl-mad-enable");
  size_t bytes = 99;
  CHECK_CL(clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                 sizeof bytes, &bytes, nullptr));
  CHECK(bytes == 0);
}

TEST_CASE("clGetProgramBuildInfo: an unknown query is CL_INVALID_VALUE", "[program]") {
  const test::Session session;
  const auto program = session.source(two_kernels);
  CHECK_STATUS(clGetProgramBuildInfo(program, test::device(), 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetProgramBuildInfo: a too small value is CL_INVALID_VALUE", "[program]") {
  const test::Session session;
  const auto program = session.source(two_kernels);
  char byte;
  CHECK_STATUS(clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BUILD_STATUS, 1, &byte, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clGetProgramBuildInfo: a NULL device is CL_INVALID_DEVICE", "[program]") {
  const test::Session session;
  const auto program = session.source(two_kernels);
  CHECK_STATUS(clGetProgramBuildInfo(program, nullptr, CL_PROGRAM_BUILD_STATUS, 0, nullptr, nullptr),
               CL_INVALID_DEVICE);
}

TEST_CASE("clRetainProgram and clReleaseProgram count", "[program]") {
  const test::Session session;
  const auto program = session.source(two_kernels);
  CHECK_CL(clRetainProgram(program));
  CHECK(ask<cl_uint>(program, CL_PROGRAM_REFERENCE_COUNT) == 2);
  CHECK_CL(clReleaseProgram(program));
}

TEST_CASE("clCreateKernelsInProgram: makes all kernels", "[program]") {
  const test::Session session;
  const auto program = session.build(two_kernels);
  cl_uint count = 0;
  REQUIRE_CL(clCreateKernelsInProgram(program, 0, nullptr, &count));
  REQUIRE(count == 2);
  cl_kernel kernels[2] = {};
  REQUIRE_CL(clCreateKernelsInProgram(program, 2, kernels, nullptr));
  CHECK(ask<size_t>(program, CL_PROGRAM_NUM_KERNELS) == 2);
  for (cl_kernel kernel : kernels)
    CHECK_CL(clReleaseKernel(kernel));
}

TEST_CASE("clCreateKernelsInProgram: too little room is CL_INVALID_VALUE", "[program]") {
  const test::Session session;
  const auto program = session.build(two_kernels);
  cl_kernel kernel = nullptr;
  CHECK_STATUS(clCreateKernelsInProgram(program, 1, &kernel, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clCreateKernelsInProgram: an unbuilt program is CL_INVALID_PROGRAM_EXECUTABLE", "[program]") {
  const test::Session session;
  const auto program = session.source(two_kernels);
  cl_uint count = 0;
  CHECK_STATUS(clCreateKernelsInProgram(program, 0, nullptr, &count), CL_INVALID_PROGRAM_EXECUTABLE);
}
