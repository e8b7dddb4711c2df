// Programs from SPIR-V: building, compiling, linking with others, specialisation (OpenCL 3.0 API, 5.8.4 to 5.8.7)

#include "support/il.hpp"

#include <array>
#include <condition_variable>
#include <mutex>

using namespace test::spirv;

namespace {

using Values = std::array<cl_ulong, 5>;

constexpr Values defaults = {1, 3, 5, 7, 0x3ff8000000000000};

constexpr const char* caller_source =
    "uint helper(uint x); kernel void k(global uint* v) { *v = helper(20); }";
constexpr const char* helper_source = "uint helper(uint x) { return x + x + 2; }";

cl_int build(cl_program program, const char* options = "") {
  return clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
}
cl_int compile(cl_program program, const char* options = "") {
  return clCompileProgram(program, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr);
}

test::Program built(const test::Session& session, const Words& words, const char* options = "") {
  auto program = test::il_program(session, words);
  const cl_int error = build(program, options);
  CAPTURE(test::build_log(program));
  REQUIRE_CL(error);
  return program;
}
test::Program compiled(test::Program program) {
  const cl_int error = compile(program);
  CAPTURE(test::build_log(program));
  REQUIRE_CL(error);
  return program;
}
test::Program linked(const test::Session& session, const std::vector<cl_program>& inputs,
                     const char* options = "") {
  cl_int error = 1;
  test::Program program(clLinkProgram(session.context, 0, nullptr, options, cl_uint(inputs.size()),
                                      inputs.data(), nullptr, nullptr, &error));
  REQUIRE_CL(error);
  return program;
}

/// What specialised_kernel() stores.
Values values_of(const test::Session& session, cl_kernel kernel) {
  const auto buffer = session.buffer(sizeof(Values));
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1);
  const auto read = session.read<cl_ulong>(buffer, 5);
  Values values{};
  std::copy(read.begin(), read.end(), values.begin());
  return values;
}
Values values_of(const test::Session& session, cl_program program) {
  return values_of(session, session.kernel(program, "k").get());
}

/// What the kernel of a caller stores.
cl_uint number_of(const test::Session& session, cl_program program) {
  const auto kernel = session.kernel(program, "k");
  const auto buffer = session.buffer(sizeof(cl_uint));
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1);
  return session.read<cl_uint>(buffer, 1)[0];
}

template <class T>
T ask(cl_program program, cl_program_build_info query) {
  T value{};
  REQUIRE_CL(clGetProgramBuildInfo(program, test::device(), query, sizeof value, &value, nullptr));
  return value;
}

std::string names_of(cl_program program) {
  char names[100] = {};
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr));
  return names;
}

template <class T>
void set(cl_program program, cl_uint id, T value) {
  REQUIRE_CL(clSetProgramSpecializationConstant(program, id, sizeof value, &value));
}

/// Waits for a callback.
struct Call {
  static void CL_CALLBACK notify(cl_program program, void* data) {
    auto& call = *static_cast<Call*>(data);
    const std::scoped_lock guard(call.mutex);
    call.program = program;
    call.called.notify_all();
  }
  cl_program wait() {
    std::unique_lock guard(mutex);
    called.wait(guard, [&] { return program; });
    return program;
  }
  std::mutex mutex;
  std::condition_variable called;
  cl_program program = nullptr;
};

} // namespace

// ---- Building

TEST_CASE("clBuildProgram: a kernel from IL runs", "[il_build]") {
  const test::Session session;
  const auto program = built(session, specialised_kernel());
  CHECK(ask<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_SUCCESS);
  CHECK(ask<cl_program_binary_type>(program, CL_PROGRAM_BINARY_TYPE) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  CHECK(names_of(program) == "k");
  CHECK(values_of(session, program) == defaults);
}

TEST_CASE("clBuildProgram: big-endian IL is the same program", "[il_build]") {
  const test::Session session;
  CHECK(values_of(session, built(session, test::swapped(specialised_kernel()))) == defaults);
}

TEST_CASE("clBuildProgram: options that only OpenCL C has meaning for are taken with IL", "[il_build]") {
  const test::Session session;
  const auto program = built(session, specialised_kernel(), "-cl-std=CL3.0 -DX=1 -I. -cl-mad-enable -w");
  CHECK(values_of(session, program) == defaults);
}

TEST_CASE("clBuildProgram: IL with a callback, which sees the result", "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  Call call;
  REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", Call::notify, &call));
  CHECK(call.wait() == program.get());
  CHECK(ask<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_SUCCESS);
  CHECK(values_of(session, program) == defaults);
}

TEST_CASE("clBuildProgram: a failure of IL with a callback is told by the status and the log", "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, Module({spv::CapabilityShader}).words());
  Call call;
  REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", Call::notify, &call));
  call.wait();
  CHECK(ask<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_ERROR);
  CHECK_FALSE(test::build_log(program).empty());
}

TEST_CASE("clBuildProgram: the log names a capability that is not supported", "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, Module({spv::CapabilityNamedBarrier}).words());
  CHECK_STATUS(build(program), CL_BUILD_PROGRAM_FAILURE);
  CHECK(test::build_log(program).find("NamedBarrier") != std::string::npos);
}

TEST_CASE("clBuildProgram: IL whose function is nowhere fails, and the log names it", "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, caller());
  CHECK_STATUS(build(program), CL_BUILD_PROGRAM_FAILURE);
  CHECK(test::build_log(program).find("helper") != std::string::npos);
}

TEST_CASE("clCloneKernel: a kernel from IL keeps its arguments", "[il_build]") {
  const test::Session session;
  const auto program = built(session, specialised_kernel());
  const auto kernel = session.kernel(program, "k");
  const auto buffer = session.buffer(sizeof(Values));
  test::set_arguments(kernel, buffer);
  cl_int error = 1;
  const test::Kernel copy(clCloneKernel(kernel, &error));
  REQUIRE_CL(error);
  session.run(copy, 1);
  CHECK(session.read<cl_ulong>(buffer, 5)[2] == defaults[2]);
}

TEST_CASE("CL_PROGRAM_BINARIES: the binary of a program from IL builds and runs", "[il_build]") {
  const test::Session session;
  const auto program = test::from_binary_of(session, built(session, specialised_kernel()));
  REQUIRE_CL(build(program));
  CHECK(values_of(session, program) == defaults);
  size_t bytes = 99;
  CHECK_CL(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &bytes));
  CHECK(bytes == 0);
}

// ---- Specialisation

TEST_CASE("clSetProgramSpecializationConstant: the next build has the values, all others keep their own",
          "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  set<cl_uint>(program, spec_uint, 0xfffffff0);
  set<cl_double>(program, spec_double, -2.0);
  REQUIRE_CL(build(program));
  CHECK(values_of(session, program) == Values{1, 3, 0xfffffff0, 7, 0xc000000000000000});
}

TEST_CASE("clSetProgramSpecializationConstant: every type of constant", "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  set<cl_uchar>(program, spec_bool, 0);
  set<cl_uchar>(program, spec_uchar, 0xfe);
  set<cl_uint>(program, spec_uint, 0x80000001);
  set<cl_ulong>(program, spec_ulong, 0x8000000100000002);
  set<cl_double>(program, spec_double, 1.0);
  REQUIRE_CL(build(program));
  CHECK(values_of(session, program) == Values{0, 0xfe, 0x80000001, 0x8000000100000002, 0x3ff0000000000000});
}

TEST_CASE("clSetProgramSpecializationConstant: any value but 0 is true", "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  for (const cl_uchar value : {0, 1, 2, 0x80, 0xff}) {
    set<cl_uchar>(program, spec_bool, value);
    REQUIRE_CL(build(program));
    CHECK(values_of(session, program)[0] == (value != 0));
  }
}

TEST_CASE("clSetProgramSpecializationConstant: the last value counts, and stays for later builds",
          "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  set<cl_uint>(program, spec_uint, 8);
  set<cl_uint>(program, spec_uint, 9);
  for (int i = 0; i < 2; ++i) {
    REQUIRE_CL(build(program));
    CHECK(values_of(session, program)[2] == 9);
  }
}

TEST_CASE("clSetProgramSpecializationConstant: what has been built does not change", "[il_build]") {
  const test::Session session;
  const auto program = built(session, specialised_kernel());
  set<cl_uint>(program, spec_uint, 8);
  CHECK(values_of(session, program)[2] == defaults[2]);
  REQUIRE_CL(build(program));
  CHECK(values_of(session, program)[2] == 8);
}

TEST_CASE("clSetProgramSpecializationConstant: constants of big-endian IL", "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, test::swapped(specialised_kernel()));
  set<cl_ulong>(program, spec_ulong, 0x0123456789abcdef);
  REQUIRE_CL(build(program));
  CHECK(values_of(session, program)[3] == 0x0123456789abcdef);
}

TEST_CASE("clSetProgramSpecializationConstant: clCompileProgram has the values as well", "[il_build]") {
  const test::Session session;
  auto program = test::il_program(session, helper());
  set<cl_uint>(program, spec_uint, 100);
  const auto object = compiled(std::move(program)), user = compiled(session.source(caller_source));
  CHECK(number_of(session, linked(session, {object, user})) == 140);
}

// ---- Compiling and linking

TEST_CASE("clCompileProgram: IL becomes an object", "[il_build]") {
  const test::Session session;
  const auto object = compiled(test::il_program(session, specialised_kernel()));
  CHECK(ask<cl_program_binary_type>(object, CL_PROGRAM_BINARY_TYPE) ==
        CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  CHECK(values_of(session, linked(session, {object})) == defaults);
}

TEST_CASE("clCompileProgram: headers are ignored with IL", "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  const auto header = session.source("#error not ignored");
  const cl_program headers[] = {header};
  const char* name = "header.h";
  CHECK_CL(clCompileProgram(program, 0, nullptr, "", 1, headers, &name, nullptr, nullptr));
  CHECK_CL(clCompileProgram(program, 0, nullptr, "", 1, nullptr, nullptr, nullptr, nullptr));
}

TEST_CASE("clCompileProgram: IL with a callback", "[il_build]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  Call call;
  REQUIRE_CL(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, Call::notify, &call));
  call.wait();
  CHECK(values_of(session, linked(session, {program})) == defaults);
}

TEST_CASE("clLinkProgram: a kernel from IL and a function from IL", "[il_build]") {
  const test::Session session;
  const auto a = compiled(test::il_program(session, caller())),
             b = compiled(test::il_program(session, helper()));
  CHECK(number_of(session, linked(session, {a, b})) == 42);
}

TEST_CASE("clLinkProgram: a kernel from IL and a function from OpenCL C", "[il_build]") {
  const test::Session session;
  const auto a = compiled(test::il_program(session, caller())), b = compiled(session.source(helper_source));
  CHECK(number_of(session, linked(session, {a, b})) == 42);
  CHECK(number_of(session, linked(session, {b, a})) == 42);
}

TEST_CASE("clLinkProgram: a kernel from OpenCL C and a function from IL", "[il_build]") {
  const test::Session session;
  const auto a = compiled(session.source(caller_source)), b = compiled(test::il_program(session, helper()));
  CHECK(number_of(session, linked(session, {a, b})) == 42);
  CHECK(number_of(session, linked(session, {b, a})) == 42);
}

TEST_CASE("clLinkProgram: objects from IL that were binaries in between", "[il_build]") {
  const test::Session session;
  const auto a = compiled(test::il_program(session, caller())),
             b = test::from_binary_of(session, compiled(session.source(helper_source)));
  CHECK(number_of(session, linked(session, {a, b})) == 42);
  const auto c = test::from_binary_of(session, a), d = compiled(test::il_program(session, helper()));
  CHECK(number_of(session, linked(session, {c, d})) == 42);
}

TEST_CASE("clLinkProgram: a library from IL", "[il_build]") {
  const test::Session session;
  const auto object = compiled(test::il_program(session, helper()));
  const auto library = linked(session, {object}, "-create-library");
  CHECK(ask<cl_program_binary_type>(library, CL_PROGRAM_BINARY_TYPE) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
  CHECK(number_of(session, linked(session, {compiled(session.source(caller_source)), library})) == 42);
}

TEST_CASE("clSetProgramSpecializationConstant: a program that was linked from IL is CL_INVALID_PROGRAM",
          "[il_build]") {
  const test::Session session;
  const auto object = compiled(test::il_program(session, specialised_kernel()));
  const auto program = linked(session, {object});
  const cl_uint value = 1;
  CHECK_STATUS(clSetProgramSpecializationConstant(program, spec_uint, sizeof value, &value),
               CL_INVALID_PROGRAM);
}
