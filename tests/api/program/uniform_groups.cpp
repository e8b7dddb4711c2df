// Which programs need work-groups that divide the NDRange: those in OpenCL C 1.x, which is the default, and
// those built with -cl-uniform-work-group-size (OpenCL 3.0 API, 5.8.6.5 and 5.10).

#include "support/session.hpp"

#include <array>

namespace {

constexpr const char* source = "kernel void k(global int* v) { atomic_inc(v); }";

/// Launches 10 work-items in groups of 4.
bool takes_ragged_range(const test::Session& session, cl_program program) {
  const auto kernel = session.kernel(program, "k");
  const auto count = session.buffer(std::vector<int>{0});
  test::set_arguments(kernel, count);
  const size_t global = 10, local = 4;
  const cl_int status =
      clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
  CHECK((status == CL_SUCCESS || status == CL_INVALID_WORK_GROUP_SIZE));
  CHECK(session.read<int>(count, 1)[0] == (status == CL_SUCCESS ? 10 : 0));
  return status == CL_SUCCESS;
}

struct Case {
  const char* options;
  bool is_uniform;
};
constexpr Case cases[] = {
    {"", true},
    {"-cl-std=CL1.0", true},
    {"-cl-std=CL1.1", true},
    {"-cl-std=CL1.2", true},
    {"-cl-std=CL2.0", false},
    {"-cl-std=CL3.0", false},
    {"-cl-std=CLC++1.0", false},
    {"-cl-std=CLC++2021", false},
    {"-cl-std=CL3.0 -cl-uniform-work-group-size", true},
    {"-cl-uniform-work-group-size\n-cl-std=CL2.0", true},
    // The last version counts.
    {"-cl-std=CL1.2 -cl-std=CL3.0", false},
    {"-cl-std=CL3.0 -cl-std=CL1.2", true},
    // Words in quotes, and those that are arguments of others, are not options.
    {"-cl-std=CL3.0 -DX=\"a -cl-std=CL1.2 b\"", false},
    {"-DX=\"a -cl-std=CL3.0 b\"", true},
    {"-cl-std=CL1.2 -D 'X=a -cl-std=CL3.0'", true},
    {"-cl-std=CL3.0 -DX=' -cl-uniform-work-group-size '", false},
    {"-cl-std=CL3.0 -I -cl-uniform-work-group-size", false},
    {"-cl-std=CL3.0 -I -cl-std=CL1.2", false},
    {"-cl-std=CL3.0 -DX=\\ -cl-uniform-work-group-size\\ ", false},
    // Options may be quoted, or separated by other white space.
    {"'-cl-std=CL3.0'", false},
    {"-cl-std=\"CL3.0\"", false},
    {"-cl-std=CL3.0 \"-cl-uniform-work-group-size\"", true},
    {"-cl-std=CL3.0\f-cl-uniform-work-group-size\r", true},
};

test::Program compiled(const test::Session& session, const char* text, const char* options) {
  test::Program program = session.source(text);
  REQUIRE_CL(clCompileProgram(program, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr));
  return program;
}

test::Program linked(const test::Session& session, std::vector<cl_program> inputs, const char* options = "") {
  cl_int error = 1;
  test::Program program(clLinkProgram(session.context, 0, nullptr, options,
                                      static_cast<cl_uint>(inputs.size()), inputs.data(), nullptr, nullptr,
                                      &error));
  REQUIRE_CL(error);
  return program;
}

test::Program reloaded(const test::Session& session, cl_program program) {
  size_t size = 0;
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  std::vector<unsigned char> bytes(size);
  unsigned char* place = bytes.data();
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr));
  const cl_device_id id = test::device();
  const unsigned char* data = bytes.data();
  cl_int error = 1;
  test::Program loaded(clCreateProgramWithBinary(session.context, 1, &id, &size, &data, nullptr, &error));
  REQUIRE_CL(error);
  return loaded;
}

} // namespace

TEST_CASE("A ragged range is refused exactly where groups must be uniform", "[uniform_groups]") {
  const test::Session session;
  for (const auto& [options, is_uniform] : cases) {
    CAPTURE(options);
    CHECK(takes_ragged_range(session, session.build(source, options)) == !is_uniform);
  }
}

TEST_CASE("A binary knows whether groups must be uniform", "[uniform_groups]") {
  const test::Session session;
  for (const auto& [options, is_uniform] : cases) {
    CAPTURE(options);
    const auto executable = reloaded(session, session.build(source, options));
    REQUIRE_CL(clBuildProgram(executable, 0, nullptr, "-cl-std=CL2.0", nullptr, nullptr));
    CHECK(takes_ragged_range(session, executable) == !is_uniform);
    const auto object = reloaded(session, compiled(session, source, options));
    CHECK(takes_ragged_range(session, linked(session, {object})) == !is_uniform);
    REQUIRE_CL(clBuildProgram(object, 0, nullptr, "-cl-std=CL2.0", nullptr, nullptr));
    CHECK(takes_ragged_range(session, object) == !is_uniform);
  }
}

TEST_CASE("Groups of a linked program must be uniform if those of a part must", "[uniform_groups]") {
  const test::Session session;
  constexpr const char *new_options = "-cl-std=CL3.0 -DX=\"a -cl-std=CL1.2 b\"",
                       *old_options = "-cl-std=CL1.2 -DX=\"a -cl-std=CL3.0 b\"", *other = "void f() {}";
  for (const std::array<const char*, 2>& options :
       {std::array{new_options, new_options}, {new_options, old_options}, {old_options, new_options}}) {
    const auto first = compiled(session, source, options[0]), second = compiled(session, other, options[1]);
    const bool is_ragged = options[0] == new_options && options[1] == new_options;
    CHECK(takes_ragged_range(session, linked(session, {first, second})) == is_ragged);
    const auto library = linked(session, {first, second}, "-create-library");
    CHECK(takes_ragged_range(session, linked(session, {library})) == is_ragged);
    CHECK(takes_ragged_range(session, linked(session, {reloaded(session, library)})) == is_ragged);
  }
}
