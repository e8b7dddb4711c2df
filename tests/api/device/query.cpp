// What all clGet*Info calls have in common: sizes, NULL, values that are too small, names that are unknown.
// The values themselves are checked next to what they are about.

#include "support/images.hpp"

#include <algorithm>
#include <functional>

namespace {

using Ask = std::function<cl_int(cl_uint name, size_t size, void* value, size_t* size_ret)>;

/// A query and the bytes of its answer; 0 where they depend on the object.
struct Row {
  const char* text;
  cl_uint name;
  size_t bytes;
};
#define ROW(name, type) {#name, name, sizeof(type)}
#define LIST(name) {#name, name, 0}

void check_one(const Ask& ask, const Row& row) {
  CAPTURE(row.text);
  size_t bytes = 0, again = 0;
  REQUIRE_CL(ask(row.name, 0, nullptr, &bytes));
  if (row.bytes) CHECK(bytes == row.bytes);
  CHECK_CL(ask(row.name, 0, nullptr, nullptr));
  // Pointers that an answer holds are the application's (CL_PROGRAM_BINARIES): NULL, so that nothing is
  // written.
  const unsigned char filler = row.name == CL_PROGRAM_BINARIES ? 0 : 0xab;
  const std::vector<unsigned char> untouched(bytes + 64, filler);
  auto value = untouched;
  if (bytes) {
    CHECK_STATUS(ask(row.name, bytes - 1, value.data(), nullptr), CL_INVALID_VALUE);
    CHECK(value == untouched);
  }
  CHECK_CL(ask(row.name, bytes, value.data(), nullptr));
  CHECK_CL(ask(row.name, value.size(), value.data(), &again));
  CHECK(again == bytes);
  CHECK(std::equal(value.begin() + ptrdiff_t(bytes), value.end(), untouched.begin()));
}

void check(const Ask& ask, const std::vector<Row>& rows) {
  for (const Row& row : rows)
    check_one(ask, row);
  char room[64];
  for (cl_uint unknown : {0u, 0x0fffu, 0xffffffffu}) {
    CHECK_STATUS(ask(unknown, sizeof room, room, nullptr), CL_INVALID_VALUE);
    CHECK_STATUS(ask(unknown, 0, nullptr, nullptr), CL_INVALID_VALUE);
  }
}

/// A query function with its leading arguments.
template <class... Leading>
Ask about(cl_int(CL_API_CALL* function)(Leading..., cl_uint, size_t, void*, size_t*),
          std::type_identity_t<Leading>... leading) {
  return [=](cl_uint name, size_t size, void* value, size_t* size_ret) {
    return function(leading..., name, size, value, size_ret);
  };
}

constexpr const char* source = "kernel void k(const global int* a, float4 b) {}";

} // namespace

TEST_CASE("clGetPlatformInfo: every query", "[query]") {
  check(about<cl_platform_id>(clGetPlatformInfo, test::platform()),
        {LIST(CL_PLATFORM_PROFILE), LIST(CL_PLATFORM_VERSION), ROW(CL_PLATFORM_NUMERIC_VERSION, cl_version),
         LIST(CL_PLATFORM_NAME), LIST(CL_PLATFORM_VENDOR), LIST(CL_PLATFORM_EXTENSIONS),
         LIST(CL_PLATFORM_EXTENSIONS_WITH_VERSION), ROW(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong),
         LIST(CL_PLATFORM_ICD_SUFFIX_KHR)});
}

TEST_CASE("clGetDeviceInfo: every query whose answer is a list", "[query]") {
  check(about<cl_device_id>(clGetDeviceInfo, test::device()),
        {{"CL_DEVICE_MAX_WORK_ITEM_SIZES", CL_DEVICE_MAX_WORK_ITEM_SIZES, 3 * sizeof(size_t)},
         LIST(CL_DEVICE_NAME),
         LIST(CL_DEVICE_VENDOR),
         LIST(CL_DRIVER_VERSION),
         LIST(CL_DEVICE_PROFILE),
         LIST(CL_DEVICE_VERSION),
         LIST(CL_DEVICE_OPENCL_C_VERSION),
         LIST(CL_DEVICE_OPENCL_C_ALL_VERSIONS),
         LIST(CL_DEVICE_OPENCL_C_FEATURES),
         LIST(CL_DEVICE_EXTENSIONS),
         LIST(CL_DEVICE_EXTENSIONS_WITH_VERSION),
         LIST(CL_DEVICE_IL_VERSION),
         LIST(CL_DEVICE_ILS_WITH_VERSION),
         LIST(CL_DEVICE_BUILT_IN_KERNELS),
         LIST(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),
         LIST(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED),
         LIST(CL_DEVICE_PARTITION_PROPERTIES),
         LIST(CL_DEVICE_PARTITION_TYPE)});
}

TEST_CASE("clGetContextInfo: every query", "[query]") {
  const test::Session session;
  check(about<cl_context>(clGetContextInfo, session.context.get()),
        {ROW(CL_CONTEXT_REFERENCE_COUNT, cl_uint), ROW(CL_CONTEXT_NUM_DEVICES, cl_uint),
         ROW(CL_CONTEXT_DEVICES, cl_device_id), LIST(CL_CONTEXT_PROPERTIES)});
}

TEST_CASE("clGetCommandQueueInfo: every query", "[query]") {
  const test::Session session;
  const auto ask = about<cl_command_queue>(clGetCommandQueueInfo, session.queue.get());
  check(ask, {ROW(CL_QUEUE_CONTEXT, cl_context), ROW(CL_QUEUE_DEVICE, cl_device_id),
              ROW(CL_QUEUE_REFERENCE_COUNT, cl_uint), ROW(CL_QUEUE_PROPERTIES, cl_command_queue_properties),
              LIST(CL_QUEUE_PROPERTIES_ARRAY), ROW(CL_QUEUE_DEVICE_DEFAULT, cl_command_queue)});
  CHECK_STATUS(ask(CL_QUEUE_SIZE, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("clGetMemObjectInfo: every query, of a buffer and of a part of it", "[query]") {
  const test::Session session;
  const auto buffer = session.buffer(4096);
  const cl_buffer_region region{1024, 512};
  const test::Buffer part(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  for (cl_mem handle : {buffer.get(), part.get()})
    check(about<cl_mem>(clGetMemObjectInfo, handle),
          {ROW(CL_MEM_TYPE, cl_mem_object_type), ROW(CL_MEM_FLAGS, cl_mem_flags), ROW(CL_MEM_SIZE, size_t),
           ROW(CL_MEM_HOST_PTR, void*), ROW(CL_MEM_MAP_COUNT, cl_uint), ROW(CL_MEM_REFERENCE_COUNT, cl_uint),
           ROW(CL_MEM_CONTEXT, cl_context), ROW(CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem),
           ROW(CL_MEM_OFFSET, size_t), ROW(CL_MEM_USES_SVM_POINTER, cl_bool), LIST(CL_MEM_PROPERTIES)});
}

TEST_CASE("clGetImageInfo: every query", "[query]") {
  const test::Session session;
  const auto image =
      test::make_image(session.context, test::rgba8, test::image_of(CL_MEM_OBJECT_IMAGE3D, 4, 3, 2));
  check(about<cl_mem>(clGetImageInfo, image.get()),
        {ROW(CL_IMAGE_FORMAT, cl_image_format), ROW(CL_IMAGE_ELEMENT_SIZE, size_t),
         ROW(CL_IMAGE_ROW_PITCH, size_t), ROW(CL_IMAGE_SLICE_PITCH, size_t), ROW(CL_IMAGE_WIDTH, size_t),
         ROW(CL_IMAGE_HEIGHT, size_t), ROW(CL_IMAGE_DEPTH, size_t), ROW(CL_IMAGE_ARRAY_SIZE, size_t),
         ROW(CL_IMAGE_BUFFER, cl_mem), ROW(CL_IMAGE_NUM_MIP_LEVELS, cl_uint),
         ROW(CL_IMAGE_NUM_SAMPLES, cl_uint)});
}

TEST_CASE("clGetSamplerInfo: every query", "[query]") {
  const test::Session session;
  const test::Sampler sampler(clCreateSamplerWithProperties(session.context, nullptr, nullptr));
  check(about<cl_sampler>(clGetSamplerInfo, sampler.get()),
        {ROW(CL_SAMPLER_REFERENCE_COUNT, cl_uint), ROW(CL_SAMPLER_CONTEXT, cl_context),
         ROW(CL_SAMPLER_NORMALIZED_COORDS, cl_bool), ROW(CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode),
         ROW(CL_SAMPLER_FILTER_MODE, cl_filter_mode), LIST(CL_SAMPLER_PROPERTIES)});
}

TEST_CASE("clGetProgramInfo: every query", "[query]") {
  const test::Session session;
  const auto program = session.build(source);
  check(about<cl_program>(clGetProgramInfo, program.get()),
        {ROW(CL_PROGRAM_REFERENCE_COUNT, cl_uint), ROW(CL_PROGRAM_CONTEXT, cl_context),
         ROW(CL_PROGRAM_NUM_DEVICES, cl_uint), ROW(CL_PROGRAM_DEVICES, cl_device_id), LIST(CL_PROGRAM_SOURCE),
         LIST(CL_PROGRAM_IL), ROW(CL_PROGRAM_BINARY_SIZES, size_t), ROW(CL_PROGRAM_BINARIES, unsigned char*),
         ROW(CL_PROGRAM_NUM_KERNELS, size_t), LIST(CL_PROGRAM_KERNEL_NAMES),
         ROW(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, cl_bool),
         ROW(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, cl_bool)});
}

TEST_CASE("clGetProgramInfo: what only an executable has is CL_INVALID_PROGRAM_EXECUTABLE without one",
          "[query]") {
  const test::Session session;
  const auto program = session.source(source);
  for (cl_program_info name : {CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES,
                               CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT})
    CHECK_STATUS(clGetProgramInfo(program, name, 0, nullptr, nullptr), CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_CASE("clGetProgramBuildInfo: every query, before and after the build", "[query]") {
  const test::Session session;
  const auto before = session.source(source), after = session.build(source);
  for (cl_program program : {before.get(), after.get()})
    check(about<cl_program, cl_device_id>(clGetProgramBuildInfo, program, test::device()),
          {ROW(CL_PROGRAM_BUILD_STATUS, cl_build_status), LIST(CL_PROGRAM_BUILD_OPTIONS),
           LIST(CL_PROGRAM_BUILD_LOG), ROW(CL_PROGRAM_BINARY_TYPE, cl_program_binary_type),
           ROW(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, size_t)});
}

TEST_CASE("clGetKernelInfo: every query", "[query]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  check(about<cl_kernel>(clGetKernelInfo, kernel.get()),
        {LIST(CL_KERNEL_FUNCTION_NAME), ROW(CL_KERNEL_NUM_ARGS, cl_uint),
         ROW(CL_KERNEL_REFERENCE_COUNT, cl_uint), ROW(CL_KERNEL_CONTEXT, cl_context),
         ROW(CL_KERNEL_PROGRAM, cl_program), LIST(CL_KERNEL_ATTRIBUTES)});
}

TEST_CASE("clGetKernelArgInfo: every query", "[query]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k", "-cl-kernel-arg-info");
  for (cl_uint index : {0, 1})
    check(about<cl_kernel, cl_uint>(clGetKernelArgInfo, kernel.get(), index),
          {ROW(CL_KERNEL_ARG_ADDRESS_QUALIFIER, cl_kernel_arg_address_qualifier),
           ROW(CL_KERNEL_ARG_ACCESS_QUALIFIER, cl_kernel_arg_access_qualifier), LIST(CL_KERNEL_ARG_TYPE_NAME),
           ROW(CL_KERNEL_ARG_TYPE_QUALIFIER, cl_kernel_arg_type_qualifier), LIST(CL_KERNEL_ARG_NAME)});
}

TEST_CASE("clGetKernelWorkGroupInfo: every query", "[query]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  check(about<cl_kernel, cl_device_id>(clGetKernelWorkGroupInfo, kernel.get(), test::device()),
        {ROW(CL_KERNEL_WORK_GROUP_SIZE, size_t),
         {"CL_KERNEL_COMPILE_WORK_GROUP_SIZE", CL_KERNEL_COMPILE_WORK_GROUP_SIZE, 3 * sizeof(size_t)},
         ROW(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong),
         ROW(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t),
         ROW(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong)});
  if (test::has_extension("cl_intel_required_subgroup_size"))
    check_one(about<cl_kernel, cl_device_id>(clGetKernelWorkGroupInfo, kernel.get(), test::device()),
              {"CL_KERNEL_SPILL_MEM_SIZE_INTEL", 0x4109, sizeof(cl_ulong)});
}

TEST_CASE("clGetKernelSubGroupInfo: every query", "[query]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  const size_t local[3] = {8, 4, 2};
  const auto with_input = [&](size_t bytes, const void* input) -> Ask {
    return [=, &kernel](cl_uint name, size_t size, void* value, size_t* size_ret) {
      return clGetKernelSubGroupInfo(kernel, test::device(), name, bytes, input, size, value, size_ret);
    };
  };
  check(with_input(sizeof local, local), {ROW(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, size_t),
                                          ROW(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, size_t)});
  check(with_input(0, nullptr),
        {ROW(CL_KERNEL_MAX_NUM_SUB_GROUPS, size_t), ROW(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, size_t)});
}

TEST_CASE("clGetKernelSubGroupInfo: inputs that are missing or of a wrong size are CL_INVALID_VALUE",
          "[query]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  const size_t local[4] = {8, 4, 2, 1};
  size_t answer[3] = {};
  for (cl_kernel_sub_group_info name :
       {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
        CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT}) {
    const auto ask = [&](size_t bytes, const void* input) {
      return clGetKernelSubGroupInfo(kernel, test::device(), name, bytes, input, sizeof answer, answer,
                                     nullptr);
    };
    CAPTURE(name);
    CHECK_STATUS(ask(sizeof(size_t), nullptr), CL_INVALID_VALUE);
    CHECK_STATUS(ask(0, local), CL_INVALID_VALUE);
    CHECK_STATUS(ask(7, local), CL_INVALID_VALUE);
    CHECK_STATUS(ask(sizeof local, local), CL_INVALID_VALUE);
    CHECK_CL(ask(sizeof(size_t), local));
  }
}

TEST_CASE("clGetKernelSubGroupInfo: a local size for a count has one to three dimensions", "[query]") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  const size_t count = 2;
  for (size_t dimensions : {1, 2, 3}) {
    size_t local[3] = {99, 99, 99}, bytes = 0;
    CHECK_CL(clGetKernelSubGroupInfo(kernel, test::device(), CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                     sizeof count, &count, dimensions * sizeof(size_t), local, &bytes));
    CHECK(bytes == dimensions * sizeof(size_t));
    CHECK(local[0] > 0);
    for (size_t i = 1; i < 3; ++i)
      CHECK(local[i] == (i < dimensions ? 1 : 99));
  }
}

TEST_CASE("clGetEventInfo: every query", "[query]") {
  const test::Session session;
  test::Event command;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, command.address()));
  const auto user = test::user_event(session.context);
  for (cl_event event : {command.get(), user.get()})
    check(about<cl_event>(clGetEventInfo, event),
          {ROW(CL_EVENT_COMMAND_QUEUE, cl_command_queue), ROW(CL_EVENT_CONTEXT, cl_context),
           ROW(CL_EVENT_COMMAND_TYPE, cl_command_type), ROW(CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int),
           ROW(CL_EVENT_REFERENCE_COUNT, cl_uint)});
  CHECK_CL(clSetUserEventStatus(user, CL_COMPLETE));
  CHECK_CL(clFinish(session.queue));
}

TEST_CASE("clGetEventProfilingInfo: every query", "[query]") {
  const test::Session session(CL_QUEUE_PROFILING_ENABLE);
  test::Event event;
  REQUIRE_CL(clEnqueueMarkerWithWaitList(session.queue, 0, nullptr, event.address()));
  REQUIRE_CL(clFinish(session.queue));
  check(about<cl_event>(clGetEventProfilingInfo, event.get()),
        {ROW(CL_PROFILING_COMMAND_QUEUED, cl_ulong), ROW(CL_PROFILING_COMMAND_SUBMIT, cl_ulong),
         ROW(CL_PROFILING_COMMAND_START, cl_ulong), ROW(CL_PROFILING_COMMAND_END, cl_ulong),
         ROW(CL_PROFILING_COMMAND_COMPLETE, cl_ulong)});
}
