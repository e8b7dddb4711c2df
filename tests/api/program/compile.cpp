// clCompileProgram, clLinkProgram (OpenCL 3.0 API, 5.8.5)

#include "support/session.hpp"

#include <atomic>
#include <thread>

namespace {

constexpr const char* caller = "int helper(int x); kernel void k(global int* v) { *v = helper(20); }";
constexpr const char* helper = "int helper(int x) { return x * 2 + 2; }";

cl_int compile(cl_program program, const char* options = "") {
  return clCompileProgram(program, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr);
}

test::Program compiled(const test::Session& session, const char* text) {
  auto program = session.source(text);
  REQUIRE_CL(compile(program));
  return program;
}

test::Program link(const test::Session& session, std::vector<cl_program> inputs, const char* options = "",
                   cl_int* error = nullptr) {
  cl_int status = 1;
  test::Program program(clLinkProgram(session.context, 0, nullptr, options, cl_uint(inputs.size()),
                                      inputs.data(), nullptr, nullptr, &status));
  if (error)
    *error = status;
  else
    REQUIRE_CL(status);
  return program;
}

cl_program_binary_type kind(cl_program program) {
  cl_program_binary_type type = 99;
  REQUIRE_CL(
      clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr));
  return type;
}

int run(const test::Session& session, cl_program program) {
  const auto kernel = session.kernel(program, "k");
  auto buffer = session.buffer(4);
  test::set_arguments(kernel, buffer);
  session.run(kernel, 1);
  return session.read<int>(buffer, 1)[0];
}

} // namespace

TEST_CASE("clLinkProgram: two objects make an executable", "[compile]") {
  const test::Session session;
  const auto a = compiled(session, caller), b = compiled(session, helper);
  CHECK(kind(a) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  const auto program = link(session, {a, b});
  CHECK(kind(program) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  CHECK(run(session, program) == 42);
}

TEST_CASE("clLinkProgram: an object and a library make an executable", "[compile]") {
  const test::Session session;
  const auto a = compiled(session, caller), b = compiled(session, helper);
  const auto library = link(session, {b}, "-create-library");
  CHECK(kind(library) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
  CHECK(run(session, link(session, {a, library})) == 42);
}

TEST_CASE("clLinkProgram: objects go away, the executable stays", "[compile]") {
  const test::Session session;
  test::Program program;
  {
    const auto a = compiled(session, caller), b = compiled(session, helper);
    program = link(session, {a, b});
  }
  CHECK(run(session, program) == 42);
}

TEST_CASE("clLinkProgram: program-scope variables are shared between objects", "[compile]") {
  const test::Session session;
  const char* user = "extern constant int table[4]; kernel void k(global int* v) { *v = table[2]; }";
  const auto a = compiled(session, user);
  const auto b = compiled(session, "constant int table[4] = {1, 2, 33, 4};");
  CHECK(run(session, link(session, {a, b})) == 33);
}

TEST_CASE("clLinkProgram: an undefined function is CL_LINK_PROGRAM_FAILURE, and the program has a log that "
          "names it",
          "[compile]") {
  const test::Session session;
  const auto a = compiled(session, caller);
  cl_int error = 0;
  const auto program = link(session, {a}, "", &error);
  CHECK_STATUS(error, CL_LINK_PROGRAM_FAILURE);
  REQUIRE(program);
  CHECK(test::build_log(program).find("helper") != std::string::npos);
  cl_build_status status = CL_BUILD_SUCCESS;
  REQUIRE_CL(clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                                   nullptr));
  CHECK(status == CL_BUILD_ERROR);
  CHECK(kind(program) == CL_PROGRAM_BINARY_TYPE_NONE);
  CHECK(clCreateKernel(program, "k", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_CASE("clLinkProgram: a function defined twice is CL_LINK_PROGRAM_FAILURE", "[compile]") {
  const test::Session session;
  const auto a = compiled(session, caller), b = compiled(session, helper), c = compiled(session, helper);
  cl_int error = 0;
  link(session, {a, b, c}, "", &error);
  CHECK_STATUS(error, CL_LINK_PROGRAM_FAILURE);
}

TEST_CASE("clLinkProgram: with a callback, a failure is the program's, not the call's", "[compile]") {
  const test::Session session;
  const auto a = compiled(session, caller);
  const cl_program input = a;
  const auto done = test::user_event(session.context);
  cl_int error = 1;
  test::Program program(clLinkProgram(
      session.context, 0, nullptr, "", 1, &input,
      [](cl_program, void* event) { clSetUserEventStatus(static_cast<cl_event>(event), CL_COMPLETE); },
      done.get(), &error));
  CHECK_CL(error);
  REQUIRE(program);
  const cl_event wait = done;
  REQUIRE_CL(clWaitForEvents(1, &wait));
  CHECK(test::build_log(program).find("helper") != std::string::npos);
}

TEST_CASE("clLinkProgram: a program that is not compiled is CL_INVALID_OPERATION", "[compile]") {
  const test::Session session;
  const auto a = session.source(caller);
  cl_int error = 0;
  link(session, {a}, "", &error);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}

TEST_CASE("clLinkProgram: lists, counts and data that do not fit are errors", "[compile]") {
  const test::Session session;
  const auto a = compiled(session, helper);
  const cl_program input = a, none = nullptr;
  const cl_device_id id = test::device();
  int data = 0;
  struct Row {
    const char* fact;
    cl_uint devices;
    const cl_device_id* device_list;
    cl_uint programs;
    const cl_program* program_list;
    void* data;
    cl_int expected;
  };
  for (const Row& row :
       {Row{"programs without a count", 0, nullptr, 0, &input, nullptr, CL_INVALID_VALUE},
        {"a count without programs", 0, nullptr, 1, nullptr, nullptr, CL_INVALID_VALUE},
        {"no programs", 0, nullptr, 0, nullptr, nullptr, CL_INVALID_VALUE},
        {"a count of devices without a list", 1, nullptr, 1, &input, nullptr, CL_INVALID_VALUE},
        {"a list of devices without a count", 0, &id, 1, &input, nullptr, CL_INVALID_VALUE},
        {"data without a callback", 0, nullptr, 1, &input, &data, CL_INVALID_VALUE},
        {"NULL among the programs", 0, nullptr, 1, &none, nullptr, CL_INVALID_PROGRAM}})
    DYNAMIC_SECTION(row.fact) {
      cl_int error = 1;
      CHECK(clLinkProgram(session.context, row.devices, row.device_list, "", row.programs, row.program_list,
                          nullptr, row.data, &error) == nullptr);
      CHECK_STATUS(error, row.expected);
    }
}

TEST_CASE("clLinkProgram: a program of another context is CL_INVALID_CONTEXT", "[compile]") {
  const test::Session session, other;
  const auto a = compiled(other, helper);
  cl_int error = 1;
  link(session, {a}, "-create-library", &error);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
}

TEST_CASE("clLinkProgram: an unknown option is CL_INVALID_LINKER_OPTIONS", "[compile]") {
  const test::Session session;
  const auto a = compiled(session, helper);
  cl_int error = 1;
  link(session, {a}, "-no-such-option", &error);
  CHECK_STATUS(error, CL_INVALID_LINKER_OPTIONS);
}

TEST_CASE("clLinkProgram: -enable-link-options is for libraries only", "[compile]") {
  const test::Session session;
  const auto a = compiled(session, "kernel void k(global int* v) { *v = 42; }"),
             b = compiled(session, helper);
  for (const auto& inputs : {std::vector<cl_program>{a}, std::vector<cl_program>{a, b}}) {
    CAPTURE(inputs.size());
    cl_int error = 1;
    link(session, inputs, "-enable-link-options", &error);
    CHECK_STATUS(error, CL_INVALID_LINKER_OPTIONS);
  }
  // Some applications relax the maths of a library without the option.
  for (const char* options : {"-create-library -enable-link-options -cl-fast-relaxed-math",
                              "-create-library -cl-fast-relaxed-math"}) {
    CAPTURE(options);
    const auto library = link(session, {a}, options);
    CHECK(run(session, link(session, {library}, "-cl-fast-relaxed-math")) == 42);
  }
}

TEST_CASE("clCompileProgram: headers come from programs, by name", "[compile]") {
  const test::Session session;
  const auto source = session.source("#include \"one.h\"\n#include <sub/two.h>\n"
                                     "kernel void k(global int* v) { *v = ONE + TWO; }");
  const auto one = session.source("#define ONE 40\n"), two = session.source("#define TWO 2\n");
  const cl_program headers[] = {one, two};
  const char* names[] = {"one.h", "sub/two.h"};
  REQUIRE_CL(clCompileProgram(source, 0, nullptr, "", 2, headers, names, nullptr, nullptr));
  CHECK(run(session, link(session, {source})) == 42);
}

TEST_CASE("clCompileProgram: a header includes another", "[compile]") {
  const test::Session session;
  const auto source = session.source("#include \"one.h\"\nkernel void k(global int* v) { *v = ONE; }");
  const auto one = session.source("#include \"two.h\"\n#define ONE (TWO + 1)\n");
  const auto two = session.source("#define TWO 41\n");
  const cl_program headers[] = {one, two};
  const char* names[] = {"one.h", "two.h"};
  REQUIRE_CL(clCompileProgram(source, 0, nullptr, "", 2, headers, names, nullptr, nullptr));
  CHECK(run(session, link(session, {source})) == 42);
}

TEST_CASE("clCompileProgram: an error in a header is reported in the header", "[compile]") {
  const test::Session session;
  const auto source = session.source("#include \"one.h\"\nkernel void k(global int* v) { *v = 1; }");
  const auto one = session.source("\n\nint broken(;\n");
  const cl_program header = one;
  const char* name = "one.h";
  CHECK_STATUS(clCompileProgram(source, 0, nullptr, "", 1, &header, &name, nullptr, nullptr),
               CL_COMPILE_PROGRAM_FAILURE);
  CHECK(test::build_log(source).find("one.h:3") != std::string::npos);
}

TEST_CASE("clCompileProgram: an error is CL_COMPILE_PROGRAM_FAILURE with a log", "[compile]") {
  const test::Session session;
  const auto program = session.source("kernel void k() { nonsense; }");
  CHECK_STATUS(compile(program), CL_COMPILE_PROGRAM_FAILURE);
  CHECK(test::build_log(program).find("nonsense") != std::string::npos);
}

TEST_CASE("clCompileProgram: lists and counts of headers that do not fit are CL_INVALID_VALUE", "[compile]") {
  const test::Session session;
  const auto source = session.source(helper), header = session.source("");
  const cl_program headers[] = {header};
  const char* names[] = {"one.h"};
  const auto call = [&](cl_uint n, const cl_program* programs, const char** n_list) {
    return clCompileProgram(source, 0, nullptr, "", n, programs, n_list, nullptr, nullptr);
  };
  CHECK_STATUS(call(0, headers, names), CL_INVALID_VALUE);
  CHECK_STATUS(call(0, nullptr, names), CL_INVALID_VALUE);
  CHECK_STATUS(call(1, nullptr, names), CL_INVALID_VALUE);
  CHECK_STATUS(call(1, headers, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clCompileProgram: lists and counts of devices that do not fit are CL_INVALID_VALUE", "[compile]") {
  const test::Session session;
  const auto source = session.source(helper);
  const cl_device_id id = test::device();
  CHECK_STATUS(clCompileProgram(source, 1, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clCompileProgram(source, 0, &id, "", 0, nullptr, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clCompileProgram: data without a callback are CL_INVALID_VALUE", "[compile]") {
  const test::Session session;
  const auto source = session.source(helper);
  int data = 0;
  CHECK_STATUS(clCompileProgram(source, 0, nullptr, "", 0, nullptr, nullptr, nullptr, &data),
               CL_INVALID_VALUE);
}

TEST_CASE("clCompileProgram: a NULL device is CL_INVALID_DEVICE", "[compile]") {
  const test::Session session;
  const auto source = session.source(helper);
  const cl_device_id id = nullptr;
  CHECK_STATUS(clCompileProgram(source, 1, &id, "", 0, nullptr, nullptr, nullptr, nullptr),
               CL_INVALID_DEVICE);
}

TEST_CASE("clCompileProgram: an unknown option is CL_INVALID_COMPILER_OPTIONS", "[compile]") {
  const test::Session session;
  CHECK_STATUS(compile(session.source(helper), "-cl-no-such-option"), CL_INVALID_COMPILER_OPTIONS);
}

TEST_CASE("clCompileProgram: a program with kernels is CL_INVALID_OPERATION", "[compile]") {
  const test::Session session;
  const auto program = session.build("kernel void k() {}");
  const auto kernel = session.kernel(program, "k");
  CHECK_STATUS(compile(program), CL_INVALID_OPERATION);
}

TEST_CASE("clCompileProgram: a header of another context is CL_INVALID_CONTEXT", "[compile]") {
  const test::Session session, other;
  const auto program = session.source("#include <h>\n");
  const auto header = other.source("// empty\n");
  const cl_program handle = header;
  const char* name = "h";
  CHECK_STATUS(clCompileProgram(program, 0, nullptr, "", 1, &handle, &name, nullptr, nullptr),
               CL_INVALID_CONTEXT);
}

TEST_CASE("clCompileProgram: a header without a name is CL_INVALID_VALUE", "[compile]") {
  const test::Session session;
  const auto program = session.source("kernel void k() {}"), header = session.source("// empty\n");
  const cl_program handle = header;
  const char* name = nullptr;
  CHECK_STATUS(clCompileProgram(program, 0, nullptr, "", 1, &handle, &name, nullptr, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clCompileProgram, clBuildProgram: a linked program has nothing to build, CL_INVALID_OPERATION",
          "[compile]") {
  const test::Session session;
  const auto object = session.source("kernel void k() {}");
  REQUIRE_CL(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  const cl_program input = object;
  cl_int error = 1;
  const test::Program linked(
      clLinkProgram(session.context, 0, nullptr, "", 1, &input, nullptr, nullptr, &error));
  REQUIRE_CL(error);
  CHECK_STATUS(clBuildProgram(linked, 0, nullptr, "", nullptr, nullptr), CL_INVALID_OPERATION);
  CHECK_STATUS(clCompileProgram(linked, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
               CL_INVALID_OPERATION);
}

TEST_CASE("clBuildProgram, clCompileProgram, clLinkProgram: during a build of the program it is "
          "CL_INVALID_OPERATION",
          "[compile]") {
  const test::Session session;
  std::string source;
  for (int i = 0; i < 400; ++i)
    source +=
        "kernel void k" + std::to_string(i) + "(global float* v) { v[0] = sin(v[1]) + pow(v[2], v[3]); }\n";
  const auto program = session.source(source.c_str());
  std::atomic<bool> done = false;
  REQUIRE_CL(clBuildProgram(
      program, 0, nullptr, "", [](cl_program, void* data) { *static_cast<std::atomic<bool>*>(data) = true; },
      &done));
  const cl_program input = program;
  cl_int error = CL_SUCCESS;
  const cl_int build = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  const cl_int compile = clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
  test::Program linked(clLinkProgram(session.context, 0, nullptr, "", 1, &input, nullptr, nullptr, &error));
  const bool was_done = done;
  while (!done)
    std::this_thread::yield();
  if (was_done) return; // too fast to see
  CHECK_STATUS(build, CL_INVALID_OPERATION);
  CHECK_STATUS(compile, CL_INVALID_OPERATION);
  CHECK_STATUS(error, CL_INVALID_OPERATION);
}
