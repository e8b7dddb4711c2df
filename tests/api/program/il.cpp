// Programs from SPIR-V, before they are built (OpenCL 3.0 API, 5.8.1 and 5.8.4), and the queries about it

#include "support/il.hpp"
#include "support/il_programs.hpp"

#include <algorithm>
#include <cstring>

using namespace test::spirv;

namespace {

using namespace test::il_programs;

cl_int creation_error(const test::Session& session, const void* il, size_t length) {
  cl_int error = 1;
  const test::Program program(clCreateProgramWithIL(session.context, il, length, &error));
  CHECK(bool(program) == (error == CL_SUCCESS));
  return error;
}
cl_int creation_error(const test::Session& session, const Words& words) {
  return creation_error(session, words.data(), words.size() * sizeof words[0]);
}

/// The answer to a query of a program, byte for byte.
std::vector<unsigned char> answer(cl_program program, cl_program_info query) {
  size_t bytes = 0;
  REQUIRE_CL(clGetProgramInfo(program, query, 0, nullptr, &bytes));
  std::vector<unsigned char> result(bytes);
  REQUIRE_CL(clGetProgramInfo(program, query, bytes, result.data(), nullptr));
  return result;
}

std::vector<unsigned char> bytes_of(const Words& words) {
  std::vector<unsigned char> bytes(words.size() * sizeof words[0]);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

/// The words at which an instruction begins, and the end.
std::vector<size_t> boundaries(const Words& words) {
  std::vector<size_t> list;
  for (size_t at = 5; at < words.size(); at += words[at] >> spv::WordCountShift)
    list.push_back(at);
  list.push_back(words.size());
  return list;
}

} // namespace

// ---- clCreateProgramWithIL

TEST_CASE("clCreateProgramWithIL: takes SPIR-V and keeps it byte for byte", "[il]") {
  const test::Session session;
  const Words words = specialised_kernel();
  const auto program = test::il_program(session, words);
  CHECK(answer(program, CL_PROGRAM_IL) == bytes_of(words));
  CHECK(answer(program, CL_PROGRAM_SOURCE) == std::vector<unsigned char>{0});
}

TEST_CASE("clCreateProgramWithIL: its devices are those of the context", "[il]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  const auto bytes = answer(program, CL_PROGRAM_DEVICES);
  const cl_device_id id = test::device();
  REQUIRE(bytes.size() == sizeof id);
  CHECK(std::memcmp(bytes.data(), &id, sizeof id) == 0);
}

TEST_CASE("clCreateProgramWithIL: the words may be changed once it has returned", "[il]") {
  const test::Session session;
  Words words = specialised_kernel();
  const auto expected = bytes_of(words);
  const auto program = test::il_program(session, words);
  std::fill(words.begin(), words.end(), 0);
  CHECK(answer(program, CL_PROGRAM_IL) == expected);
}

TEST_CASE("clCreateProgramWithIL: words that are not aligned are taken", "[il]") {
  const test::Session session;
  const auto bytes = bytes_of(specialised_kernel());
  std::vector<unsigned char> shifted(bytes.size() + 1);
  std::copy(bytes.begin(), bytes.end(), shifted.begin() + 1);
  CHECK_CL(creation_error(session, shifted.data() + 1, bytes.size()));
}

TEST_CASE("clCreateProgramWithIL: big-endian words are taken, and returned as they were", "[il]") {
  const test::Session session;
  const Words words = test::swapped(specialised_kernel());
  const auto program = test::il_program(session, words);
  CHECK(answer(program, CL_PROGRAM_IL) == bytes_of(words));
  const cl_uint value = 1;
  CHECK_CL(set(program, spec_uint, sizeof value, &value));
}

TEST_CASE("clCreateProgramWithIL: NULL and no bytes are CL_INVALID_VALUE", "[il]") {
  const test::Session session;
  const Words words = specialised_kernel();
  CHECK_STATUS(creation_error(session, nullptr, 0), CL_INVALID_VALUE);
  CHECK_STATUS(creation_error(session, nullptr, 4 * words.size()), CL_INVALID_VALUE);
  CHECK_STATUS(creation_error(session, words.data(), 0), CL_INVALID_VALUE);
  CHECK(clCreateProgramWithIL(session.context, nullptr, 0, nullptr) == nullptr);
}

TEST_CASE("clCreateProgramWithIL: what is no SPIR-V is CL_INVALID_VALUE", "[il]") {
  const test::Session session;
  const char text[] = "this is not SPIR-V at all";
  CHECK_STATUS(creation_error(session, text, sizeof text), CL_INVALID_VALUE);
  const char bitcode[] = "BC\xc0\xde and what follows";
  CHECK_STATUS(creation_error(session, bitcode, 20), CL_INVALID_VALUE);
}

TEST_CASE("clCreateProgramWithIL: a number of bytes that is no multiple of 4 is CL_INVALID_VALUE", "[il]") {
  const test::Session session;
  const Words words = specialised_kernel();
  for (size_t less = 1; less < 4; ++less)
    CHECK_STATUS(creation_error(session, words.data(), 4 * words.size() - less), CL_INVALID_VALUE);
}

TEST_CASE("clCreateProgramWithIL: versions before 1.0 and after 1.6 are CL_INVALID_VALUE", "[il]") {
  const test::Session session;
  Words words = specialised_kernel();
  for (const std::uint32_t version :
       {0x00010000u, 0x00010100u, 0x00010200u, 0x00010300u, 0x00010400u, 0x00010500u, 0x00010600u}) {
    CAPTURE(version);
    words[1] = version;
    CHECK_CL(creation_error(session, words));
  }
  for (const std::uint32_t version :
       {0u, 99u, 0x00000900u, 0x00010700u, 0x00020000u, 0x01010000u, 0x00010001u}) {
    CAPTURE(version);
    words[1] = version;
    CHECK_STATUS(creation_error(session, words), CL_INVALID_VALUE);
  }
}

TEST_CASE("clCreateProgramWithIL: a bound of ids that is 0 or beyond the limit is CL_INVALID_VALUE", "[il]") {
  const test::Session session;
  Words words = specialised_kernel();
  words[3] = 0x3FFFFF;
  CHECK_CL(creation_error(session, words));
  for (const std::uint32_t bound : {0u, 0x400000u, ~0u}) {
    words[3] = bound;
    CHECK_STATUS(creation_error(session, words), CL_INVALID_VALUE);
  }
}

TEST_CASE("clCreateProgramWithIL: a module that ends within an instruction is CL_INVALID_VALUE", "[il]") {
  const test::Session session;
  const Words words = specialised_kernel();
  const auto ends = boundaries(words);
  for (size_t count = 1; count < words.size(); ++count) {
    if (std::count(ends.begin(), ends.end(), count)) continue;
    CAPTURE(count);
    CHECK_STATUS(creation_error(session, words.data(), 4 * count), CL_INVALID_VALUE);
  }
}

TEST_CASE("clBuildProgram: a module that ends within its function fails", "[il]") {
  const test::Session session;
  const Words words = specialised_kernel();
  for (const size_t count : boundaries(words)) {
    CAPTURE(count);
    const bool in_function = std::any_of(words.begin() + 5, words.begin() + count, [](std::uint32_t word) {
      return word == (5u << spv::WordCountShift | spv::OpFunction);
    });
    if (!in_function || count == words.size()) continue;
    const auto program = test::il_program(session, Words(words.begin(), words.begin() + count));
    CHECK_STATUS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  }
}

TEST_CASE("clCreateProgramWithIL: an instruction of no words or of too many is CL_INVALID_VALUE", "[il]") {
  const test::Session session;
  const Words words = specialised_kernel();
  for (const size_t at : boundaries(words)) {
    if (at == words.size()) continue;
    CAPTURE(at);
    Words changed = words;
    changed[at] &= spv::OpCodeMask;
    CHECK_STATUS(creation_error(session, changed), CL_INVALID_VALUE);
    changed[at] |= 0xffffu << spv::WordCountShift;
    CHECK_STATUS(creation_error(session, changed), CL_INVALID_VALUE);
  }
}

TEST_CASE("clCreateProgramWithILKHR: does the same", "[il]") {
  const auto create = test::extension_function<clCreateProgramWithILKHR_fn>("clCreateProgramWithILKHR");
  if (!create && !test::has_extension("cl_khr_il_program")) return;
  REQUIRE(create);
  const test::Session session;
  const Words words = specialised_kernel();
  cl_int error = 1;
  const test::Program program(create(session.context, words.data(), 4 * words.size(), &error));
  REQUIRE_CL(error);
  CHECK(answer(program, CL_PROGRAM_IL_KHR) == bytes_of(words));
  CHECK(create(session.context, words.data(), 0, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
  CHECK(create(nullptr, words.data(), 4 * words.size(), &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
}

// ---- Programs that are not built

TEST_CASE("clGetProgramInfo: CL_PROGRAM_IL of a program from source has no bytes and changes none", "[il]") {
  const test::Session session;
  const auto program = session.source("kernel void k() {}");
  unsigned char byte = 0x5a;
  size_t bytes = 99;
  CHECK_CL(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof byte, &byte, &bytes));
  CHECK(bytes == 0);
  CHECK(byte == 0x5a);
}

TEST_CASE("clGetProgramInfo: too little room for CL_PROGRAM_IL is CL_INVALID_VALUE", "[il]") {
  const test::Session session;
  const Words words = specialised_kernel();
  const auto program = test::il_program(session, words);
  Words room(words.size());
  CHECK_STATUS(clGetProgramInfo(program, CL_PROGRAM_IL, 4 * words.size() - 1, room.data(), nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("A program from IL that is not built has no executable, binary, object or log", "[il]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  cl_int error = 1;
  CHECK(clCreateKernel(program, "k", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PROGRAM_EXECUTABLE);
  size_t bytes = 99;
  CHECK_STATUS(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &bytes),
               CL_INVALID_PROGRAM_EXECUTABLE);
  CHECK_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr));
  CHECK(bytes == 0);
  const cl_program input = program;
  CHECK(clLinkProgram(session.context, 0, nullptr, "", 1, &input, nullptr, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
  cl_build_status status = 99;
  CHECK_CL(clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                                 nullptr));
  CHECK(status == CL_BUILD_NONE);
  CHECK(test::build_log(program).empty());
}

TEST_CASE("Options of IL that do not exist are CL_INVALID_BUILD_OPTIONS and CL_INVALID_COMPILER_OPTIONS",
          "[il]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  CHECK_STATUS(clBuildProgram(program, 0, nullptr, "-no-such-option", nullptr, nullptr),
               CL_INVALID_BUILD_OPTIONS);
  CHECK_STATUS(
      clCompileProgram(program, 0, nullptr, "-no-such-option", 0, nullptr, nullptr, nullptr, nullptr),
      CL_INVALID_COMPILER_OPTIONS);
}

TEST_CASE("clBuildProgram: IL with a capability that is not supported is CL_BUILD_PROGRAM_FAILURE", "[il]") {
  const test::Session session;
  const auto program = test::il_program(session, Module({spv::CapabilityShader}).words());
  CHECK_STATUS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  CHECK_FALSE(test::build_log(program).empty());
  CHECK_STATUS(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
               CL_COMPILE_PROGRAM_FAILURE);
}

// ---- clSetProgramSpecializationConstant
