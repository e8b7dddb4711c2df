// Program-scope variables that the host reads and writes by name (cl_intel_global_variable_access)

#include "support/il.hpp"

#include <array>

using namespace test::spirv;

namespace {

constexpr cl_command_type read_type = 0x418E, write_type = 0x418F;

using Read = cl_int(CL_API_CALL*)(cl_command_queue, cl_program, const char*, cl_bool, size_t, size_t, void*,
                                  cl_uint, const cl_event*, cl_event*);
using Write = cl_int(CL_API_CALL*)(cl_command_queue, cl_program, const char*, cl_bool, size_t, size_t,
                                   const void*, cl_uint, const cl_event*, cl_event*);

struct Access {
  Read read = test::extension_function<Read>("clEnqueueReadGlobalVariableINTEL");
  Write write = test::extension_function<Write>("clEnqueueWriteGlobalVariableINTEL");
};

constexpr const char* source = "global uint numbers[4] = {1, 2, 3, 4};\n"
                               "kernel void k(global uint* v) { *v = numbers[2]; numbers[3] = *v + 1; }";

constexpr std::uint32_t host_access_capability = 6187, host_access = 6188;

/// Variables of a module: "exported", 7, and one that the host knows by `name` and may access as `access` says, 8.
Words module_of(const char* name, std::uint32_t access) {
  Module m({spv::CapabilityLinkage, host_access_capability});
  const std::uint32_t exported = m.new_id(), named = m.new_id();
  m.append(spv::OpDecorate, joined(joined({exported, spv::DecorationLinkageAttributes}, string("exported")),
                                   {spv::LinkageTypeExport}));
  m.append(spv::OpDecorate, joined({named, host_access, access}, string(name)));
  const std::uint32_t number = m.declare(spv::OpTypeInt, {32, 0}),
                      pointer = m.declare(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, number}),
                      seven = m.make(spv::OpConstant, number, {7}),
                      eight = m.make(spv::OpConstant, number, {8});
  m.append(spv::OpVariable, {pointer, exported, spv::StorageClassCrossWorkgroup, seven});
  m.append(spv::OpVariable, {pointer, named, spv::StorageClassCrossWorkgroup, eight});
  return m.words();
}

test::Program built(const test::Session& session, const Words& words) {
  auto program = test::il_program(session, words);
  const cl_int status = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  CAPTURE(test::build_log(program));
  REQUIRE_CL(status);
  return program;
}

cl_command_type type_of(cl_event event) {
  cl_command_type type = 0;
  REQUIRE_CL(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr));
  return type;
}

} // namespace

TEST_CASE("clEnqueueReadGlobalVariableINTEL and its kin copy what kernels see of a variable",
          "[global_variable]") {
  const Access access;
  if (!access.read) return;
  const test::Session session;
  const auto program = session.build(source, "-cl-std=CL3.0");
  const auto kernel = session.kernel(program, "k");
  const auto buffer = session.buffer(sizeof(cl_uint));
  test::set_arguments(kernel, buffer);
  const cl_uint nine = 9;
  test::Event written, read;
  REQUIRE_CL(
      access.write(session.queue, program, "numbers", CL_FALSE, 4, 8, &nine, 0, nullptr, written.address()));
  CHECK(type_of(written) == write_type);
  session.run(kernel, 1);
  CHECK(session.read<cl_uint>(buffer, 1)[0] == 9);
  std::array<cl_uint, 4> all{};
  REQUIRE_CL(access.read(session.queue, program, "numbers", CL_TRUE, sizeof all, 0, all.data(), 1,
                         written.address(), read.address()));
  CHECK(type_of(read) == read_type);
  CHECK(all == std::array<cl_uint, 4>{1, 2, 9, 10});
  const auto loaded = test::from_binary_of(session, program); // with variables of its own
  REQUIRE_CL(clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr));
  REQUIRE_CL(
      access.read(session.queue, loaded, "numbers", CL_TRUE, sizeof all, 0, all.data(), 0, nullptr, nullptr));
  CHECK(all == std::array<cl_uint, 4>{1, 2, 3, 4});
}

TEST_CASE("cl_intel_global_variable_access: HostAccessINTEL gives a name and says what the host may do",
          "[global_variable]") {
  const Access access;
  if (!access.read) return;
  const test::Session session;
  for (std::uint32_t allowed = 0; allowed < 4; ++allowed) {
    CAPTURE(allowed);
    const auto program = built(session, module_of("known to the host", allowed));
    cl_uint value = 0;
    REQUIRE_CL(access.read(session.queue, program, "exported", CL_TRUE, 4, 0, &value, 0, nullptr, nullptr));
    CHECK(value == 7);
    CHECK_STATUS(
        access.read(session.queue, program, "known to the host", CL_TRUE, 4, 0, &value, 0, nullptr, nullptr),
        allowed & 1 ? CL_SUCCESS : CL_INVALID_OPERATION);
    CHECK(value == (allowed & 1 ? 8 : 7));
    CHECK_STATUS(
        access.write(session.queue, program, "known to the host", CL_TRUE, 4, 0, &value, 0, nullptr, nullptr),
        allowed & 2 ? CL_SUCCESS : CL_INVALID_OPERATION);
  }
}

TEST_CASE("cl_intel_global_variable_access: errors", "[global_variable]") {
  const Access access;
  if (!access.read) return;
  const test::Session session, other;
  const auto program = session.build(source, "-cl-std=CL3.0");
  std::array<cl_uint, 4> all{};
  const auto read = [&](cl_command_queue queue, cl_program from, const char* name, size_t size, size_t offset,
                        void* to, cl_uint count = 0) {
    return access.read(queue, from, name, CL_TRUE, size, offset, to, count, nullptr, nullptr);
  };
  const auto write = [&](cl_command_queue queue, cl_program to, const char* name, size_t size, size_t offset,
                         const void* from, cl_uint count = 0) {
    return access.write(queue, to, name, CL_TRUE, size, offset, from, count, nullptr, nullptr);
  };
  const auto unbuilt = test::il_program(session, module_of("x", 3));
  const auto check = [&](const auto& call) {
    CHECK_STATUS(call(nullptr, program, "numbers", 4, 0, all.data()), CL_INVALID_COMMAND_QUEUE);
    CHECK_STATUS(call(session.queue, nullptr, "numbers", 4, 0, all.data()), CL_INVALID_PROGRAM);
    CHECK_STATUS(call(other.queue, program, "numbers", 4, 0, all.data()), CL_INVALID_CONTEXT);
    CHECK_STATUS(call(session.queue, unbuilt, "x", 4, 0, all.data()), CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK_STATUS(call(session.queue, program, nullptr, 4, 0, all.data()), CL_INVALID_VALUE);
    CHECK_STATUS(call(session.queue, program, "numbers", 4, 0, nullptr), CL_INVALID_VALUE);
    CHECK_STATUS(call(session.queue, program, "letters", 4, 0, all.data()), CL_INVALID_ARG_VALUE);
    CHECK_STATUS(call(session.queue, program, "numbers", 17, 0, all.data()), CL_INVALID_VALUE);
    CHECK_STATUS(call(session.queue, program, "numbers", 4, 13, all.data()), CL_INVALID_VALUE);
    CHECK_STATUS(call(session.queue, program, "numbers", 4, SIZE_MAX, all.data()), CL_INVALID_VALUE);
    CHECK_STATUS(call(session.queue, program, "numbers", 0, 16, all.data()), CL_SUCCESS);
    CHECK_STATUS(call(session.queue, program, "numbers", 4, 0, all.data(), 1), CL_INVALID_EVENT_WAIT_LIST);
  };
  check(read);
  check(write);
}
