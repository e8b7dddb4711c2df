// HOSTCL_DEVICE: queries of the platform and of objects need the version or the extension that defines them.

#include "process/described_devices/described.hpp"
#include "support/catch.hpp"

#include <string>

using namespace test;

namespace {

/// A query of an object, the version that defines the query, and the version before that one.
struct NewerQuery {
  const char* name;
  cl_int (*call)();
  const char *since, *before;
};

constexpr cl_uint capacity = 4096;
char value[capacity];

template <class Get, class Object>
cl_int answer(Get get, Object object, cl_uint name) {
  return get(object, name, capacity, value, nullptr);
}
cl_int platform_query(cl_platform_info name) {
  return answer(clGetPlatformInfo, test::find_platform(), name);
}
cl_int queue_query(cl_command_queue_info name) {
  return answer(clGetCommandQueueInfo, Described().queue, name);
}
cl_int memory_query(cl_mem_info name) {
  const Described d;
  cl_mem buffer = nullptr;
  require(d.buffer(64, &buffer) == CL_SUCCESS, "a buffer");
  return answer(clGetMemObjectInfo, buffer, name);
}
cl_int sampler_query(cl_sampler_info name) {
  return answer(clGetSamplerInfo,
                clCreateSampler(Described().context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr),
                name);
}
cl_int program_query(cl_program_info name) {
  cl_program program = test::make_program(Described().context, nothing);
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "a build");
  return answer(clGetProgramInfo, program, name);
}
cl_int build_query(cl_program_build_info name) {
  const Described d;
  return clGetProgramBuildInfo(test::make_program(d.context, nothing), d.device, name, capacity, value,
                               nullptr);
}
cl_int profiling_query(cl_profiling_info name) {
  const Described d;
  cl_command_queue queue = clCreateCommandQueue(d.context, d.device, CL_QUEUE_PROFILING_ENABLE, nullptr);
  cl_event event = nullptr;
  require(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event) == CL_SUCCESS &&
              clWaitForEvents(1, &event) == CL_SUCCESS,
          "a marker");
  return answer(clGetEventProfilingInfo, event, name);
}

#define CALL(...) [] { return __VA_ARGS__; }
const NewerQuery newer_queries[] = {
    {"CL_PLATFORM_HOST_TIMER_RESOLUTION", CALL(platform_query(CL_PLATFORM_HOST_TIMER_RESOLUTION)), "2.1",
     "2.0"},
    {"CL_PLATFORM_NUMERIC_VERSION", CALL(platform_query(CL_PLATFORM_NUMERIC_VERSION)), "3.0", "2.2"},
    {"CL_PLATFORM_EXTENSIONS_WITH_VERSION", CALL(platform_query(CL_PLATFORM_EXTENSIONS_WITH_VERSION)), "3.0",
     "2.2"},
    {"CL_QUEUE_DEVICE_DEFAULT", CALL(queue_query(CL_QUEUE_DEVICE_DEFAULT)), "2.1", "2.0"},
    {"CL_QUEUE_PROPERTIES_ARRAY", CALL(queue_query(CL_QUEUE_PROPERTIES_ARRAY)), "3.0", "2.2"},
    {"CL_MEM_USES_SVM_POINTER", CALL(memory_query(CL_MEM_USES_SVM_POINTER)), "2.0", "1.2"},
    {"CL_MEM_PROPERTIES", CALL(memory_query(CL_MEM_PROPERTIES)), "3.0", "2.2"},
    {"CL_SAMPLER_MIP_FILTER_MODE", CALL(sampler_query(CL_SAMPLER_MIP_FILTER_MODE)), "2.0", "1.2"},
    {"CL_SAMPLER_PROPERTIES", CALL(sampler_query(CL_SAMPLER_PROPERTIES)), "3.0", "2.2"},
    {"CL_PROGRAM_IL", CALL(program_query(CL_PROGRAM_IL)), "2.1", "2.0"},
    {"CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT", CALL(program_query(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT)),
     "2.2", "2.1"},
    {"CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE",
     CALL(build_query(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE)), "2.0", "1.2"},
    {"CL_PROFILING_COMMAND_COMPLETE", CALL(profiling_query(CL_PROFILING_COMMAND_COMPLETE)), "2.0", "1.2"},
};

std::string version_without_extensions(const char* version) {
  return std::string("'CL_DEVICE_EXTENSIONS': [], 'CL_DEVICE_VERSION': 'OpenCL ") + version + " old'";
}

} // namespace

TEST_CASE("HOSTCL_DEVICE: queries of objects begin with the version that defines them",
          "[described_devices]") {
  for (const NewerQuery& query : newer_queries) {
    INFO(query.name);
    const DescriptionFile since(version_without_extensions(query.since));
    const DescriptionFile before(version_without_extensions(query.before));
    CHECK(code_of(since.name(), query.call) == CL_SUCCESS);
    CHECK(code_of(before.name(), query.call) == -CL_INVALID_VALUE);
    CHECK(code_of(before.name() + "," + since.name(), query.call) == CL_SUCCESS);
  }
  const DescriptionFile extension(
      "'CL_DEVICE_VERSION': 'OpenCL 1.2 old', 'CL_DEVICE_EXTENSIONS': ['cl_khr_il_program']");
  CHECK(code_of(extension.name(), CALL(program_query(CL_PROGRAM_IL))) == CL_SUCCESS);
}
