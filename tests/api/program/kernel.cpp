// Kernel objects and their queries (OpenCL 3.0 API, 5.9)

#include "support/session.hpp"

namespace {

constexpr const char* source = R"(
kernel void plain(global int* v, int x) { *v = x; }
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void required(global int* v) { *v = 1; }
kernel __attribute__((work_group_size_hint(16, 1, 1))) __attribute__((vec_type_hint(float4)))
void hinted(global int* v) { *v = 1; }
kernel void locals(global int* v, local int* a) {
  local int fixed[100];
  fixed[get_local_id(0)] = a[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  *v = fixed[0];
}
)";

template <class T>
T ask(cl_kernel kernel, cl_kernel_work_group_info query) {
  T value{};
  REQUIRE_CL(clGetKernelWorkGroupInfo(kernel, test::device(), query, sizeof value, &value, nullptr));
  return value;
}

std::string text(cl_kernel kernel, cl_kernel_info query) {
  size_t bytes = 0;
  REQUIRE_CL(clGetKernelInfo(kernel, query, 0, nullptr, &bytes));
  std::string result(bytes, '\0');
  REQUIRE_CL(clGetKernelInfo(kernel, query, bytes, result.data(), nullptr));
  if (!result.empty()) result.pop_back();
  return result;
}

struct Sizes {
  size_t value[3];
};

} // namespace

TEST_CASE("clCreateKernel: an unknown name is CL_INVALID_KERNEL_NAME", "[kernel]") {
  const test::Session session;
  const auto program = session.build(source);
  cl_int error = 1;
  CHECK(clCreateKernel(program, "no_such_kernel", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_KERNEL_NAME);
  CHECK(clCreateKernel(program, "", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_KERNEL_NAME);
}

TEST_CASE("clCreateKernel: no name is CL_INVALID_VALUE", "[kernel]") {
  const test::Session session;
  const auto program = session.build(source);
  cl_int error = 1;
  CHECK(clCreateKernel(program, nullptr, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_VALUE);
}

TEST_CASE("clCreateKernel: an unbuilt program is CL_INVALID_PROGRAM_EXECUTABLE", "[kernel]") {
  const test::Session session;
  const auto program = session.source(source);
  cl_int error = 1;
  CHECK(clCreateKernel(program, "plain", &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_CASE("clGetKernelInfo: answers every query of the table", "[kernel]") {
  const test::Session session;
  const auto program = session.build(source);
  const auto kernel = session.kernel(program, "plain");
  cl_uint arguments = 0, references = 0;
  cl_context context = nullptr;
  cl_program owner = nullptr;
  CHECK(text(kernel, CL_KERNEL_FUNCTION_NAME) == "plain");
  CHECK(text(kernel, CL_KERNEL_ATTRIBUTES).empty());
  CHECK_CL(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr));
  CHECK_CL(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, nullptr));
  CHECK_CL(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, nullptr));
  CHECK_CL(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof owner, &owner, nullptr));
  CHECK(arguments == 2);
  CHECK(references == 1);
  CHECK(context == session.context.get());
  CHECK(owner == program.get());
}

TEST_CASE("clGetKernelInfo: attributes are those of the source", "[kernel]") {
  const test::Session session;
  const auto program = session.build(source);
  CHECK(text(session.kernel(program, "required"), CL_KERNEL_ATTRIBUTES) == "reqd_work_group_size(8,2,1)");
  const auto hints = text(session.kernel(program, "hinted"), CL_KERNEL_ATTRIBUTES);
  CHECK(hints.find("work_group_size_hint(16,1,1)") != std::string::npos);
  CHECK(hints.find("vec_type_hint(float4)") != std::string::npos);
}

TEST_CASE("clGetKernelInfo: an unknown query is CL_INVALID_VALUE", "[kernel]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "plain");
  CHECK_STATUS(clGetKernelInfo(kernel, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetKernelInfo: a too small value is CL_INVALID_VALUE", "[kernel]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "plain");
  char byte;
  CHECK_STATUS(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 1, &byte, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clGetKernelWorkGroupInfo: answers every query of the table", "[kernel]") {
  const test::Session session;
  const auto program = session.build(source);
  const auto plain = session.kernel(program, "plain"), required = session.kernel(program, "required");
  CHECK(ask<size_t>(plain, CL_KERNEL_WORK_GROUP_SIZE) >= 1);
  CHECK(ask<size_t>(plain, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE) >= 1);
  CHECK(ask<cl_ulong>(plain, CL_KERNEL_LOCAL_MEM_SIZE) == 0);
  ask<cl_ulong>(plain, CL_KERNEL_PRIVATE_MEM_SIZE);
  const auto none = ask<Sizes>(plain, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  CHECK((none.value[0] == 0 && none.value[1] == 0 && none.value[2] == 0));
  const auto some = ask<Sizes>(required, CL_KERNEL_COMPILE_WORK_GROUP_SIZE);
  CHECK((some.value[0] == 8 && some.value[1] == 2 && some.value[2] == 1));
}

TEST_CASE("clGetKernelWorkGroupInfo: local memory counts variables and arguments", "[kernel]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "locals");
  REQUIRE_CL(test::set_argument(kernel, 1, test::Local{4000}));
  const auto bytes = ask<cl_ulong>(kernel, CL_KERNEL_LOCAL_MEM_SIZE);
  CHECK(bytes >= 4400);
  CHECK(bytes < 5000);
}

TEST_CASE("clGetKernelWorkGroupInfo: the one device may be NULL", "[kernel]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "plain");
  size_t size = 0;
  CHECK_CL(clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr));
}

TEST_CASE("clGetKernelWorkGroupInfo: the global size of a kernel that is not built in is CL_INVALID_VALUE",
          "[kernel]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "plain");
  Sizes sizes;
  CHECK_STATUS(clGetKernelWorkGroupInfo(kernel, test::device(), CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes,
                                        &sizes, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clGetKernelWorkGroupInfo: an unknown query is CL_INVALID_VALUE", "[kernel]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "plain");
  CHECK_STATUS(clGetKernelWorkGroupInfo(kernel, test::device(), 0x1234, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clGetKernelWorkGroupInfo: a too small value is CL_INVALID_VALUE", "[kernel]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "plain");
  char byte;
  CHECK_STATUS(clGetKernelWorkGroupInfo(kernel, test::device(), CL_KERNEL_WORK_GROUP_SIZE, 1, &byte, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clGetKernelSubGroupInfo: launches have the sub-groups that it tells of", "[kernel]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const auto kernel = session.kernel(
      "kernel void k(global uint* o) { o[0] = get_max_sub_group_size(); o[1] = get_num_sub_groups(); }", "k",
      "-cl-std=CL3.0");
  const auto out = session.buffer(2 * sizeof(cl_uint));
  test::set_arguments(kernel, out);
  for (const test::Range local : {test::Range(20, 1), {100, 1}, {6, 1}, {64, 1}, {1, 20}, {24, 4}, {20, 4}}) {
    const auto query = [&](cl_kernel_sub_group_info name) {
      size_t value = 0;
      CHECK_CL(clGetKernelSubGroupInfo(kernel, test::device(), name, 2 * sizeof(size_t), local.size.data(),
                                       sizeof value, &value, nullptr));
      return value;
    };
    for (const size_t groups : {1, 3}) {
      CAPTURE(local.size[0], local.size[1], groups);
      session.run(kernel, test::Range(groups * local.size[0], groups * local.size[1]), local);
      const auto seen = session.read<cl_uint>(out, 2);
      CHECK(seen[0] == query(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE));
      CHECK(seen[1] == query(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE));
    }
  }
}

TEST_CASE("clGetKernelSubGroupInfo: size and count fit the group", "[kernel]") {
  const test::Session session;
  if (test::device_value<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0) return;
  const auto kernel = session.kernel(source, "plain");
  const size_t local[2] = {24, 4};
  size_t size = 0, count = 0;
  const auto query = [&](cl_kernel_sub_group_info name, size_t* value) {
    return clGetKernelSubGroupInfo(kernel, test::device(), name, sizeof local, local, sizeof *value, value,
                                   nullptr);
  };
  REQUIRE_CL(query(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, &size));
  REQUIRE_CL(query(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, &count));
  REQUIRE(size >= 1);
  CHECK(count == (96 + size - 1) / size);
  size_t most = 0;
  CHECK_CL(clGetKernelSubGroupInfo(kernel, test::device(), CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr,
                                   sizeof most, &most, nullptr));
  CHECK(most >= count);
  CHECK_STATUS(clGetKernelSubGroupInfo(kernel, test::device(), 0x1234, 0, nullptr, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(clGetKernelSubGroupInfo(kernel, test::device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 0,
                                       nullptr, sizeof size, &size, nullptr),
               CL_INVALID_VALUE);
}

TEST_CASE("clGetKernelSubGroupInfo: local sizes that no launch may have are answered, too", "[kernel]") {
  const test::Session session;
  if (test::device_value<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0) return;
  const auto kernel = session.kernel(
      "kernel void k(global uint* o) { o[get_global_id(0)] = get_sub_group_size(); }", "k", "-cl-std=CL3.0");
  constexpr size_t wide = size_t{1} << 32;
  constexpr size_t sizes[][3] = {
      {wide, 2, 1}, {wide, 1, 1}, {2, wide, 1}, {1, 1, 3 * wide}, {~size_t{0}, 3, 3}};
  for (const auto& local : sizes) {
    CAPTURE(local[0], local[1], local[2]);
    size_t size = 0;
    CHECK_CL(clGetKernelSubGroupInfo(kernel, test::device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                     sizeof local, local, sizeof size, &size, nullptr));
    CHECK(size >= 1);
  }
}

TEST_CASE("clCloneKernel: the copy has the arguments, and its own from then on", "[kernel]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "plain");
  auto first = session.buffer(4), second = session.buffer(4);
  test::set_arguments(kernel, first, cl_int(5));
  cl_int error = 1;
  test::Kernel copy(clCloneKernel(kernel, &error));
  REQUIRE_CL(error);
  REQUIRE_CL(test::set_argument(copy, 0, second));
  REQUIRE_CL(test::set_argument(kernel, 1, cl_int(6)));
  session.run(kernel, 1);
  session.run(copy, 1);
  CHECK(session.read<int>(first, 1)[0] == 6);
  CHECK(session.read<int>(second, 1)[0] == 5);
}

TEST_CASE("clRetainKernel and clReleaseKernel count", "[kernel]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "plain");
  cl_uint references = 0;
  CHECK_CL(clRetainKernel(kernel));
  CHECK_CL(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, nullptr));
  CHECK(references == 2);
  CHECK_CL(clReleaseKernel(kernel));
}
