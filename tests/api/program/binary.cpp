// CL_PROGRAM_BINARIES and clCreateProgramWithBinary (OpenCL 3.0 API, 5.8.2 and 5.8.7)

#include "support/session.hpp"

namespace {

using Bytes = std::vector<unsigned char>;

constexpr const char* source =
    "constant int table[3] = {7, 8, 9};\n"
    "kernel void k(global int* v, int i) { v[get_global_id(0)] = table[i] * 10; }\n";

Bytes binary_of(cl_program program) {
  size_t size = 0;
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  REQUIRE(size > 0);
  Bytes bytes(size);
  unsigned char* place = bytes.data();
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr));
  return bytes;
}

test::Program from(const test::Session& session, const Bytes& bytes, cl_int* error,
                   cl_int* status = nullptr) {
  const cl_device_id id = test::device();
  const size_t length = bytes.size();
  const unsigned char* data = bytes.data();
  return test::Program(clCreateProgramWithBinary(session.context, 1, &id, &length, &data, status, error));
}

int run(const test::Session& session, cl_program program) {
  const auto kernel = session.kernel(program, "k");
  auto buffer = session.buffer(4);
  test::set_arguments(kernel, buffer, cl_int(2));
  session.run(kernel, 1);
  return session.read<int>(buffer, 1)[0];
}

/// Loading these bytes fails now or when they are built, and crashes never.
bool refused(const test::Session& session, const Bytes& bytes) {
  cl_int error = 0, status = 0;
  const auto program = from(session, bytes, &error, &status);
  if (error != CL_SUCCESS) return error == CL_INVALID_BINARY && status == CL_INVALID_BINARY;
  return clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS;
}

} // namespace

TEST_CASE("clCreateProgramWithBinary: a binary builds and runs in another context", "[binary]") {
  Bytes bytes;
  {
    const test::Session session;
    bytes = binary_of(session.build(source));
  }
  const test::Session session;
  cl_int error = 1, status = 1;
  const auto program = from(session, bytes, &error, &status);
  REQUIRE_CL(error);
  CHECK_CL(status);
  REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  CHECK(run(session, program) == 90);
}

TEST_CASE("clCreateProgramWithBinary: a binary may be of a program for debuggers", "[binary]") {
  const test::Session session;
  for (const char* options : {"-g -cl-opt-disable", "-cl-hostcl-debug=k"}) {
    CAPTURE(options);
    const Bytes bytes = binary_of(session.build(source, options));
    cl_int error = 1;
    const auto program = from(session, bytes, &error);
    REQUIRE_CL(error);
    REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    CHECK(run(session, program) == 90);
  }
}

TEST_CASE("clCreateProgramWithBinary: a binary of a binary is the same program", "[binary]") {
  const test::Session session;
  cl_int error = 1;
  const auto first = from(session, binary_of(session.build(source)), &error);
  REQUIRE_CL(clBuildProgram(first, 0, nullptr, "", nullptr, nullptr));
  const auto second = from(session, binary_of(first), &error);
  REQUIRE_CL(error);
  REQUIRE_CL(clBuildProgram(second, 0, nullptr, "", nullptr, nullptr));
  CHECK(run(session, second) == 90);
}

TEST_CASE("clCreateProgramWithBinary: an object's binary links", "[binary]") {
  const test::Session session;
  const auto object = session.source(source);
  REQUIRE_CL(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  cl_int error = 1;
  const auto loaded = from(session, binary_of(object), &error);
  REQUIRE_CL(error);
  cl_program_binary_type type = 0;
  CHECK_CL(
      clGetProgramBuildInfo(loaded, test::device(), CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr));
  CHECK(type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  const cl_program input = loaded;
  test::Program program(clLinkProgram(session.context, 0, nullptr, "", 1, &input, nullptr, nullptr, &error));
  REQUIRE_CL(error);
  CHECK(run(session, program) == 90);
}

TEST_CASE("clCreateProgramWithBinary: foreign bytes are CL_INVALID_BINARY", "[binary]") {
  const test::Session session;
  const std::string_view elf("\177ELF\2\1\1\0 and so on and on and on", 32);
  CHECK(refused(session, Bytes(elf.begin(), elf.end())));
  CHECK(refused(session, Bytes(1, 0)));
  CHECK(refused(session, Bytes(100000, 0xff)));
}

TEST_CASE("clCreateProgramWithBinary: a truncated binary is CL_INVALID_BINARY at every length", "[binary]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const Bytes bytes = binary_of(session.build(source));
  for (size_t length = 1; length < bytes.size(); length += 1 + bytes.size() / 97) {
    CAPTURE(length, bytes.size());
    CHECK(refused(session, Bytes(bytes.begin(), bytes.begin() + length)));
  }
  CHECK(refused(session, Bytes(bytes.begin(), bytes.end() - 1)));
}

TEST_CASE("clCreateProgramWithBinary: a binary with any bit turned is CL_INVALID_BINARY", "[binary]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const Bytes bytes = binary_of(session.build(source));
  // The headers byte by byte, and places all over the rest.
  for (size_t i = 0; i < 200; ++i) {
    Bytes damaged = bytes;
    const size_t place = i < 64 ? i : i * bytes.size() / 200;
    damaged[place] ^= 1u << (i % 8);
    CAPTURE(place);
    CHECK(refused(session, damaged));
  }
}

TEST_CASE("clCreateProgramWithBinary: bytes after the end are CL_INVALID_BINARY", "[binary]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  Bytes bytes = binary_of(session.build(source));
  bytes.resize(bytes.size() + 100);
  CHECK(refused(session, bytes));
}

TEST_CASE("clCreateProgramWithBinary: missing lists are CL_INVALID_VALUE", "[binary]") {
  const test::Session session;
  const cl_device_id id = test::device();
  const Bytes bytes = binary_of(session.build(source));
  const size_t length = bytes.size(), zero = 0;
  const unsigned char *data = bytes.data(), *none = nullptr;
  const auto call = [&](cl_uint count, const cl_device_id* devices, const size_t* lengths,
                        const unsigned char** binaries) {
    cl_int error = 1;
    test::Program program(
        clCreateProgramWithBinary(session.context, count, devices, lengths, binaries, nullptr, &error));
    CHECK_FALSE(program);
    return error;
  };
  CHECK_STATUS(call(0, &id, &length, &data), CL_INVALID_VALUE);
  CHECK_STATUS(call(1, nullptr, &length, &data), CL_INVALID_VALUE);
  CHECK_STATUS(call(1, &id, nullptr, &data), CL_INVALID_VALUE);
  CHECK_STATUS(call(1, &id, &length, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(call(1, &id, &zero, &data), CL_INVALID_VALUE);
  CHECK_STATUS(call(1, &id, &length, &none), CL_INVALID_VALUE);
}

TEST_CASE("clCreateProgramWithBinary: a NULL device is CL_INVALID_DEVICE", "[binary]") {
  const test::Session session;
  const Bytes bytes = binary_of(session.build(source));
  const cl_device_id id = nullptr;
  const size_t length = bytes.size();
  const unsigned char* data = bytes.data();
  cl_int error = 1;
  CHECK(clCreateProgramWithBinary(session.context, 1, &id, &length, &data, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_DEVICE);
}

TEST_CASE("clBuildProgram: a program from a binary takes options of another build", "[binary]") {
  const test::Session session;
  cl_int error = 1;
  const auto program = from(session, binary_of(session.build(source)), &error);
  REQUIRE_CL(error);
  CHECK_CL(clBuildProgram(program, 0, nullptr, "-cl-fast-relaxed-math -DX=1", nullptr, nullptr));
}
