// clSetKernelArg and clGetKernelArgInfo (OpenCL 3.0 API, 5.9.2 and 5.9.4)

#include "support/session.hpp"

#include <cstring>

namespace {

constexpr const char* source = R"(
typedef struct { char c; double d; short s[3]; } Mixed;
kernel void everything(global const int* restrict in, constant float* table, local int* scratch, char c, long l,
                float3 f3, volatile global Mixed* out, Mixed m, const uint4 u4) {
  scratch[0] = in[0];
  out->c = c;
  out->d = m.d + l + f3.z + table[1] + u4.w + scratch[0];
  out->s[1] = m.s[1];
}
)";

struct Mixed {
  cl_char c;
  cl_double d;
  cl_short s[3];
};

std::string text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info query) {
  size_t bytes = 0;
  REQUIRE_CL(clGetKernelArgInfo(kernel, index, query, 0, nullptr, &bytes));
  std::string result(bytes, '\0');
  REQUIRE_CL(clGetKernelArgInfo(kernel, index, query, bytes, result.data(), nullptr));
  REQUIRE(!result.empty());
  result.pop_back();
  return result;
}

template <class T>
T ask(cl_kernel kernel, cl_uint index, cl_kernel_arg_info query) {
  T value{};
  REQUIRE_CL(clGetKernelArgInfo(kernel, index, query, sizeof value, &value, nullptr));
  return value;
}

} // namespace

TEST_CASE("clSetKernelArg: all kinds of arguments arrive", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything");
  auto in = session.buffer(std::vector<int>{100}), out = session.buffer(sizeof(Mixed));
  auto table = session.buffer(std::vector<float>{1, 0.25f});
  test::set_arguments(kernel, in, table, test::Local{64}, cl_char(-3), cl_long(1) << 40,
                      cl_float3{{1, 2, 0.5f, 0}}, out, Mixed{1, 0.125, {4, 5, 6}}, cl_uint4{{1, 2, 3, 1000}});
  session.run(kernel, 1);
  const auto result = session.read<Mixed>(out, 1)[0];
  CHECK(result.c == -3);
  CHECK(result.d == double(cl_long(1) << 40) + 0.125 + 0.5 + 0.25 + 1000 + 100);
  CHECK(result.s[1] == 5);
}

TEST_CASE("clSetKernelArg: values are copied by the call and kept by the launch", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(global int* v, int i, int x) { v[i] = x; }", "k");
  auto buffer = session.buffer(std::vector<int>(100, 0));
  REQUIRE_CL(test::set_argument(kernel, 0, buffer));
  const size_t one = 1;
  for (int i = 0; i < 100; ++i) {
    REQUIRE_CL(test::set_argument(kernel, 1, i));
    REQUIRE_CL(test::set_argument(kernel, 2, i * i));
    REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  }
  const auto values = session.read<int>(buffer, 100);
  for (int i = 0; i < 100; ++i)
    REQUIRE(values[i] == i * i);
}

TEST_CASE("clSetKernelArg: a NULL buffer arrives as NULL", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(
      "kernel void k(global int* v, global int* a, constant int* b) { *v = (a == 0) + 2 * (b == 0); }", "k");
  auto buffer = session.buffer(4);
  REQUIRE_CL(test::set_argument(kernel, 0, buffer));
  const cl_mem null = nullptr;
  REQUIRE_CL(clSetKernelArg(kernel, 1, sizeof null, &null));
  REQUIRE_CL(clSetKernelArg(kernel, 2, sizeof null, nullptr));
  session.run(kernel, 1);
  CHECK(session.read<int>(buffer, 1)[0] == 3);
}

TEST_CASE("clSetKernelArg: a thousand bytes of arguments arrive", "[argument]") {
  const test::Session session;
  std::string text = "kernel void k(global ulong* v";
  for (int i = 0; i < 120; ++i)
    text += ", ulong a" + std::to_string(i);
  text += ") { ulong s = 0;\n";
  for (int i = 0; i < 120; ++i)
    text += "s = s * 3 + a" + std::to_string(i) + ";";
  text += "*v = s; }";
  const auto kernel = session.kernel(text.c_str(), "k");
  auto buffer = session.buffer(8);
  REQUIRE_CL(test::set_argument(kernel, 0, buffer));
  cl_ulong expected = 0;
  for (cl_uint i = 0; i < 120; ++i) {
    const cl_ulong value = cl_ulong{i} * 7 + 1;
    REQUIRE_CL(test::set_argument(kernel, i + 1, value));
    expected = expected * 3 + value;
  }
  session.run(kernel, 1);
  CHECK(session.read<cl_ulong>(buffer, 1)[0] == expected);
}

TEST_CASE("clSetKernelArg: an index past the end is CL_INVALID_ARG_INDEX", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(int a) {}", "k");
  CHECK_STATUS(test::set_argument(kernel, 1, cl_int(0)), CL_INVALID_ARG_INDEX);
}

TEST_CASE("clSetKernelArg: a value of another size is CL_INVALID_ARG_SIZE", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything");
  CHECK_STATUS(test::set_argument(kernel, 3, cl_int(0)), CL_INVALID_ARG_SIZE);
  CHECK_STATUS(test::set_argument(kernel, 4, cl_int(0)), CL_INVALID_ARG_SIZE);
  CHECK_STATUS(test::set_argument(kernel, 7, cl_int(0)), CL_INVALID_ARG_SIZE);
}

TEST_CASE("clSetKernelArg: a buffer of another size than a handle is CL_INVALID_ARG_SIZE", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything");
  auto buffer = session.buffer(64);
  const cl_mem handle = buffer;
  CHECK_STATUS(clSetKernelArg(kernel, 0, 4, &handle), CL_INVALID_ARG_SIZE);
  CHECK_STATUS(clSetKernelArg(kernel, 1, 16, &handle), CL_INVALID_ARG_SIZE);
}

TEST_CASE("clSetKernelArg: local memory of size 0 is memory that the kernel does not use", "[argument]") {
  const test::Session session;
  const auto kernel =
      session.kernel("kernel void k(local int* before, local long16* none, local int* after,\n"
                     "              int use, global int* out) {\n"
                     "  const int i = get_local_id(0);\n"
                     "  before[i] = i;\n"
                     "  after[i] = 100 + i;\n"
                     "  if (use) none[i] = i;\n"
                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "  out[get_global_id(0)] = before[7 - i] + after[i];\n"
                     "}",
                     "k");
  auto out = session.buffer(64 * sizeof(cl_int));
  REQUIRE_CL(clSetKernelArg(kernel, 0, 8 * sizeof(cl_int), nullptr));
  REQUIRE_CL(clSetKernelArg(kernel, 1, 0, nullptr));
  REQUIRE_CL(clSetKernelArg(kernel, 2, 8 * sizeof(cl_int), nullptr));
  REQUIRE_CL(test::set_argument(kernel, 3, cl_int(0)));
  const cl_mem handle = out;
  REQUIRE_CL(test::set_argument(kernel, 4, handle));
  session.run(kernel, 64, 8);
  CHECK(session.read<cl_int>(out, 64) == std::vector<cl_int>(64, 107));
}

TEST_CASE("clSetKernelArg: local memory larger than the device's is CL_OUT_OF_RESOURCES", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything");
  const size_t most = test::device_value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  for (const size_t bytes : {most + 1, SIZE_MAX / 2 + 1, SIZE_MAX - 127, SIZE_MAX})
    CHECK_STATUS(clSetKernelArg(kernel, 2, bytes, nullptr), CL_OUT_OF_RESOURCES);
  CHECK_CL(clSetKernelArg(kernel, 2, most, nullptr));
}

TEST_CASE("clSetKernelArg: local memory with a value is CL_INVALID_ARG_VALUE", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything");
  int value = 0;
  CHECK_STATUS(clSetKernelArg(kernel, 2, 64, &value), CL_INVALID_ARG_VALUE);
}

TEST_CASE("clSetKernelArg: a missing value is CL_INVALID_ARG_VALUE", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything");
  CHECK_STATUS(clSetKernelArg(kernel, 3, 1, nullptr), CL_INVALID_ARG_VALUE);
}

TEST_CASE("clSetKernelArg: a kernel handle as buffer is CL_INVALID_MEM_OBJECT", "[argument]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto kernel = session.kernel(source, "everything");
  const cl_kernel handle = kernel;
  CHECK_STATUS(clSetKernelArg(kernel, 0, sizeof handle, &handle), CL_INVALID_MEM_OBJECT);
}

TEST_CASE("clSetKernelArg: a buffer of another context is CL_INVALID_CONTEXT", "[argument]") {
  const test::Session session, other;
  const auto kernel = session.kernel(source, "everything");
  CHECK_STATUS(test::set_argument(kernel, 0, other.buffer(64)), CL_INVALID_CONTEXT);
}

TEST_CASE("clSetKernelArg: after an error the argument is the one set before", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel("kernel void k(global int* v, int x) { *v = x; }", "k");
  const auto buffer = session.buffer(4);
  test::set_arguments(kernel, buffer, 7);
  CHECK_STATUS(test::set_argument(kernel, 1, cl_long(9)), CL_INVALID_ARG_SIZE);
  CHECK_STATUS(clSetKernelArg(kernel, 0, 4, nullptr), CL_INVALID_ARG_SIZE);
  session.run(kernel, 1);
  CHECK(session.read<int>(buffer, 1)[0] == 7);
}

TEST_CASE("clGetKernelArgInfo: names, types and qualifiers are those of the source", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything", "-cl-kernel-arg-info");
  struct Row {
    const char *name, *type;
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_type_qualifier qualifier;
  };
  constexpr auto global = CL_KERNEL_ARG_ADDRESS_GLOBAL, none = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  const Row rows[] = {
      {"in", "int*", global, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
      {"table", "float*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
      {"scratch", "int*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE},
      {"c", "char", none, CL_KERNEL_ARG_TYPE_NONE},
      {"l", "long", none, CL_KERNEL_ARG_TYPE_NONE},
      {"f3", "float3", none, CL_KERNEL_ARG_TYPE_NONE},
      {"out", "Mixed*", global, CL_KERNEL_ARG_TYPE_VOLATILE},
      {"m", "Mixed", none, CL_KERNEL_ARG_TYPE_NONE},
      {"u4", "uint4", none, CL_KERNEL_ARG_TYPE_NONE},
  };
  for (cl_uint i = 0; i < std::size(rows); ++i) {
    CAPTURE(rows[i].name);
    CHECK(text(kernel, i, CL_KERNEL_ARG_NAME) == rows[i].name);
    CHECK(text(kernel, i, CL_KERNEL_ARG_TYPE_NAME) == rows[i].type);
    CHECK(ask<cl_kernel_arg_address_qualifier>(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER) ==
          rows[i].address);
    CHECK(ask<cl_kernel_arg_access_qualifier>(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER) ==
          CL_KERNEL_ARG_ACCESS_NONE);
    CHECK(ask<cl_kernel_arg_type_qualifier>(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER) == rows[i].qualifier);
  }
}

TEST_CASE("clGetKernelArgInfo: an index past the end is CL_INVALID_ARG_INDEX", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything", "-cl-kernel-arg-info");
  CHECK_STATUS(clGetKernelArgInfo(kernel, 9, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr), CL_INVALID_ARG_INDEX);
}

TEST_CASE("clGetKernelArgInfo: an unknown query is CL_INVALID_VALUE", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything", "-cl-kernel-arg-info");
  CHECK_STATUS(clGetKernelArgInfo(kernel, 0, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetKernelArgInfo: a too small value is CL_INVALID_VALUE", "[argument]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "everything", "-cl-kernel-arg-info");
  char byte;
  CHECK_STATUS(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 1, &byte, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetKernelArgInfo: a binary without the information is CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
          "[argument]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto built = session.build(source);
  size_t size = 0;
  REQUIRE_CL(clGetProgramInfo(built, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  std::vector<unsigned char> bytes(size);
  unsigned char* place = bytes.data();
  REQUIRE_CL(clGetProgramInfo(built, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr));
  const cl_device_id id = test::device();
  const unsigned char* data = bytes.data();
  cl_int error = 1;
  test::Program program(clCreateProgramWithBinary(session.context, 1, &id, &size, &data, nullptr, &error));
  REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  const auto kernel = session.kernel(program, "everything");
  const cl_int status = clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr);
  CHECK((status == CL_KERNEL_ARG_INFO_NOT_AVAILABLE || status == CL_SUCCESS));
}
