// Devices that HOSTCL_DEVICE describes: each limit of a description is enforced, with the error code that the
// specification gives, and several descriptions are several devices. Each case runs in a process of its own, because a
// process reads the variable once.

#include "process/described_devices/described.hpp"
#include "support/catch.hpp"

#include <CL/cl_ext.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

using namespace test;

namespace {

cl_int local_argument(size_t bytes) {
  const Described d;
  return clSetKernelArg(d.kernel("kernel void k(local int* a) { *a = 1; }"), 0, bytes, nullptr);
}

cl_int constant_argument(size_t bytes) {
  const Described d;
  cl_mem buffer = nullptr;
  require(d.buffer(bytes, &buffer) == CL_SUCCESS, "a buffer");
  return clSetKernelArg(d.kernel("kernel void k(constant int* a, global int* b) { *b = *a; }"), 0,
                        sizeof buffer, &buffer);
}

/// Launches a kernel with this many constant arguments.
cl_int constant_arguments(int count) {
  const Described d;
  std::string source = "kernel void k(global int* a";
  for (int i = 0; i < count; ++i)
    source += ", constant int* c" + std::to_string(i);
  cl_kernel kernel = d.kernel((source + ") { *a = 1; }").c_str());
  cl_mem buffer = nullptr;
  require(d.buffer(64, &buffer) == CL_SUCCESS, "a buffer");
  for (int i = 0; i <= count; ++i)
    clSetKernelArg(kernel, static_cast<cl_uint>(i), sizeof buffer, &buffer);
  return d.launch(kernel, {1}, {1});
}

/// Launches a kernel with arguments of more than 256 bytes.
cl_int large_argument() {
  const Described d;
  cl_kernel kernel =
      d.kernel("struct S { int i[64]; }; kernel void k(global int* a, struct S s) { *a = s.i[0]; }");
  cl_mem buffer = nullptr;
  require(d.buffer(64, &buffer) == CL_SUCCESS, "a buffer");
  const char value[256] = {};
  require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS &&
              clSetKernelArg(kernel, 1, sizeof value, value) == CL_SUCCESS,
          "arguments");
  return d.launch(kernel, {1}, {1});
}

/// Allocates buffers of 16 MiB. @returns the code of the last one
cl_int buffers(int count) {
  const Described d;
  cl_int code = CL_SUCCESS;
  for (int i = 0; i < count && code == CL_SUCCESS; ++i)
    code = d.buffer(16 << 20);
  return code;
}

cl_int sub_buffer(size_t origin) {
  const Described d;
  cl_mem buffer = nullptr;
  require(d.buffer(1 << 16, &buffer) == CL_SUCCESS, "a buffer");
  const cl_buffer_region region = {origin, 64};
  cl_int code = 0;
  clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  return code;
}

/// A 2D image of 8 x 8 texels in a buffer of the application's memory.
/// @param offset of that memory, which is otherwise aligned to 4096 bytes
cl_int image_of_buffer(size_t row_pitch, size_t offset = 0) {
  alignas(4096) static char memory[8192];
  const Described d;
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 8;
  description.image_row_pitch = row_pitch;
  cl_int code = 0;
  description.buffer = clCreateBuffer(d.context, CL_MEM_USE_HOST_PTR, 4096, memory + offset, &code);
  require(code == CL_SUCCESS, "a buffer");
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  clCreateImage(d.context, 0, &format, &description, nullptr, &code);
  return code;
}

/// A 1D image of a buffer.
cl_int texels_of_buffer(size_t width) {
  const Described d;
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  description.image_width = width;
  require(d.buffer(4 * width, &description.buffer) == CL_SUCCESS, "a buffer");
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_int code = 0;
  clCreateImage(d.context, 0, &format, &description, nullptr, &code);
  return code;
}

cl_int sub_devices() {
  setenv("HOSTCL_THREADS", "2", 1);
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2];
  return clCreateSubDevices(chosen_device(), equally, 2, parts, nullptr);
}

/// CL_INVALID_VALUE for an allocation that fails: clSVMAlloc() has no error code.
cl_int svm(cl_svm_mem_flags flags, size_t bytes = 64) {
  return clSVMAlloc(Described().context, flags, bytes, 0) ? CL_SUCCESS : CL_INVALID_VALUE;
}
void* function(const char* name) {
  return clGetExtensionFunctionAddressForPlatform(test::find_platform(), name);
}

/// Allocates for the device with this name, or for all devices if the name is empty.
cl_int usm(size_t bytes, const std::string& name) {
  const Described d;
  const auto for_all = reinterpret_cast<clHostMemAllocINTEL_fn>(function("clHostMemAllocINTEL"));
  const auto for_one = reinterpret_cast<clDeviceMemAllocINTEL_fn>(function("clDeviceMemAllocINTEL"));
  cl_int code = 0;
  if (name.empty())
    for_all(d.context, nullptr, bytes, 0, &code);
  else
    for_one(d.context, d.named(name), nullptr, bytes, 0, &code);
  return code;
}
cl_int unified_svm(size_t bytes, const std::string& name) {
  using Alloc = void*(CL_API_CALL*)(cl_context, const cl_properties*, cl_uint, size_t, cl_int*);
  const Described d;
  constexpr cl_properties associated_device = 0x2078; // of cl_khr_unified_svm; Debian's headers are older
  const cl_properties list[] = {associated_device, reinterpret_cast<cl_properties>(d.named(name)), 0};
  cl_int code = 0;
  reinterpret_cast<Alloc>(function("clSVMAllocWithPropertiesKHR"))(d.context, name.empty() ? nullptr : list,
                                                                   0, bytes, &code);
  return code;
}
cl_int svm_copy() {
  const Described d;
  char from[16] = {}, to[16] = {};
  return clEnqueueSVMMemcpy(d.queue, CL_TRUE, to, from, sizeof to, 0, nullptr, nullptr);
}

cl_int queue(cl_command_queue_properties properties) {
  const Described d;
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int code = 0;
  clCreateCommandQueueWithProperties(d.context, d.device, list, &code);
  return code;
}

cl_int pipe(cl_uint packet) {
  cl_int code = 0;
  clCreatePipe(Described().context, 0, packet, 4, nullptr, &code);
  return code;
}

cl_int sampler() {
  cl_int code = 0;
  clCreateSampler(Described().context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code);
  return code;
}

cl_int native_kernel() {
  const Described d;
  return clEnqueueNativeKernel(d.queue, [](void*) {}, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr);
}

cl_int compile() {
  cl_program program = test::make_program(Described().context, nothing);
  return clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
}
cl_int build() {
  return clBuildProgram(test::make_program(Described().context, nothing), 0, nullptr, "", nullptr, nullptr);
}
cl_int link() {
  const Described d;
  cl_program program = test::make_program(d.context, nothing);
  require(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS,
          "compiled");
  cl_int code = 0;
  clLinkProgram(d.context, 0, nullptr, "", 1, &program, nullptr, nullptr, &code);
  return code;
}
cl_int context() {
  cl_device_id device = chosen_device();
  cl_int code = 0;
  clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  return code;
}

cl_int svm_pointers() {
  const Described d;
  return clSetKernelExecInfo(d.kernel(nothing), CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr);
}
/// Makes the queue on the device the default; without such queues, passes an ordinary one.
cl_int default_queue() {
  const Described d;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue made = clCreateCommandQueueWithProperties(d.context, d.device, properties, nullptr);
  return clSetDefaultDeviceCommandQueue(d.context, d.device, made ? made : d.queue);
}

cl_int named_sub_device() {
  setenv("HOSTCL_THREADS", "2", 1);
  const cl_device_partition_property first[] = {CL_DEVICE_PARTITION_BY_NAMES_INTEL, 0,
                                                CL_PARTITION_BY_NAMES_LIST_END_INTEL, 0};
  cl_device_id part = nullptr;
  return clCreateSubDevices(chosen_device(), first, 1, &part, nullptr);
}
cl_int terminable_context() {
  cl_device_id device = chosen_device();
  const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  cl_int code = 0;
  clCreateContext(list, 1, &device, nullptr, nullptr, &code);
  return code;
}

cl_int query(cl_device_info name) {
  char value[4096];
  return clGetDeviceInfo(chosen_device(), name, sizeof value, value, nullptr);
}

struct Case {
  const char* name;
  const char* device; ///< answers of the description
  cl_int (*call)();
  cl_int code; ///< with the description; without it, the call succeeds
};

#define CALL(...) [] { return __VA_ARGS__; }
const Case limit_cases[] = {
    {"work-items of a group", "'CL_DEVICE_MAX_WORK_GROUP_SIZE': 64", CALL(launch_of({128}, {128})),
     CL_INVALID_WORK_GROUP_SIZE},
    {"work-items along x", "'CL_DEVICE_MAX_WORK_ITEM_SIZES': [64, 64, 64]", CALL(launch_of({128}, {128})),
     CL_INVALID_WORK_ITEM_SIZE},
    {"partial groups", "'CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT': false", CALL(launch_of({100}, {64})),
     CL_INVALID_WORK_GROUP_SIZE},
    {"local memory of variables", "'CL_DEVICE_LOCAL_MEM_SIZE': 16384",
     CALL(
         launch_of({1}, {1}, "kernel void k(global int* a) { local int t[8192]; t[*a] = 1; *a = t[a[1]]; }")),
     CL_OUT_OF_RESOURCES},
    {"local memory of arguments", "'CL_DEVICE_LOCAL_MEM_SIZE': 16384", CALL(local_argument(16385)),
     CL_OUT_OF_RESOURCES},
    {"local arguments of no bytes", "'CL_DEVICE_VERSION': 'OpenCL 3.0 old'", CALL(local_argument(0)),
     CL_INVALID_ARG_SIZE},
    {"bytes of a constant argument", "'CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE': 65536",
     CALL(constant_argument(65537)), CL_OUT_OF_RESOURCES},
    {"number of constant arguments", "'CL_DEVICE_MAX_CONSTANT_ARGS': 4", CALL(constant_arguments(5)),
     CL_OUT_OF_RESOURCES},
    {"bytes of all arguments", "'CL_DEVICE_MAX_PARAMETER_SIZE': 256", CALL(large_argument()),
     CL_OUT_OF_RESOURCES},
    {"bytes of a buffer", "'CL_DEVICE_MAX_MEM_ALLOC_SIZE': 33554432", CALL(Described().buffer(33554433)),
     CL_INVALID_BUFFER_SIZE},
    {"bytes of all buffers", "'CL_DEVICE_GLOBAL_MEM_SIZE': 67108864", CALL(buffers(5)),
     CL_MEM_OBJECT_ALLOCATION_FAILURE},
    {"bytes of a buffer in a small memory", "'CL_DEVICE_GLOBAL_MEM_SIZE': 33554432",
     CALL(Described().buffer(33554433)), CL_INVALID_BUFFER_SIZE},
    {"alignment of sub-buffers", "'CL_DEVICE_MEM_BASE_ADDR_ALIGN': 4096", CALL(sub_buffer(128)),
     CL_MISALIGNED_SUB_BUFFER_OFFSET},
    {"width of images", "'CL_DEVICE_IMAGE2D_MAX_WIDTH': 256",
     CALL(Described().image(CL_MEM_OBJECT_IMAGE2D, 257, 1, 0)), CL_INVALID_IMAGE_SIZE},
    {"height of images", "'CL_DEVICE_IMAGE2D_MAX_HEIGHT': 256",
     CALL(Described().image(CL_MEM_OBJECT_IMAGE2D, 1, 257, 0)), CL_INVALID_IMAGE_SIZE},
    {"depth of images", "'CL_DEVICE_IMAGE3D_MAX_DEPTH': 256",
     CALL(Described().image(CL_MEM_OBJECT_IMAGE3D, 1, 1, 257)), CL_INVALID_IMAGE_SIZE},
    {"layers of images", "'CL_DEVICE_IMAGE_MAX_ARRAY_SIZE': 256",
     CALL(Described().image(CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, 257)), CL_INVALID_IMAGE_SIZE},
    {"row pitch of images of buffers", "'CL_DEVICE_IMAGE_PITCH_ALIGNMENT': 64", CALL(image_of_buffer(32)),
     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {"images of buffers", "'CL_DEVICE_IMAGE_PITCH_ALIGNMENT': 0", CALL(image_of_buffer(32)),
     CL_INVALID_IMAGE_DESCRIPTOR},
    {"images of buffers before OpenCL 2.0",
     "'CL_DEVICE_VERSION': 'OpenCL 1.2 old', 'CL_DEVICE_EXTENSIONS': []", CALL(image_of_buffer(32)),
     CL_INVALID_IMAGE_DESCRIPTOR},
    {"computed row pitch of images of buffers", "'CL_DEVICE_IMAGE_PITCH_ALIGNMENT': 64",
     CALL(image_of_buffer(0)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {"address of images of buffers", "'CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT': 64",
     CALL(image_of_buffer(32, 128)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    {"sub-devices", "'CL_DEVICE_PARTITION_PROPERTIES': []", CALL(sub_devices()), CL_INVALID_VALUE},
    {"images", "'CL_DEVICE_IMAGE_SUPPORT': false", CALL(Described().image(CL_MEM_OBJECT_IMAGE2D, 1, 1, 0)),
     CL_INVALID_OPERATION},
    {"samplers", "'CL_DEVICE_IMAGE_SUPPORT': false", CALL(sampler()), CL_INVALID_OPERATION},
    {"SVM", "'CL_DEVICE_SVM_CAPABILITIES': []", CALL(svm(0)), CL_INVALID_VALUE},
    {"fine-grained SVM", "'CL_DEVICE_SVM_CAPABILITIES': ['CL_DEVICE_SVM_COARSE_GRAIN_BUFFER']",
     CALL(svm(CL_MEM_SVM_FINE_GRAIN_BUFFER)), CL_INVALID_VALUE},
    {"commands for SVM", "'CL_DEVICE_SVM_CAPABILITIES': []", CALL(svm_copy()), CL_INVALID_OPERATION},
    {"SVM pointers of a kernel", "'CL_DEVICE_SVM_CAPABILITIES': []", CALL(svm_pointers()),
     CL_INVALID_OPERATION},
    {"order of queues", "'CL_DEVICE_QUEUE_ON_HOST_PROPERTIES': ['CL_QUEUE_PROFILING_ENABLE']",
     CALL(queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)), CL_INVALID_QUEUE_PROPERTIES},
    {"queues on the device", "'CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES': []",
     CALL(queue(CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)), CL_INVALID_QUEUE_PROPERTIES},
    {"the default queue on the device", "'CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES': []", CALL(default_queue()),
     CL_INVALID_OPERATION},
    {"pipes", "'CL_DEVICE_PIPE_SUPPORT': false", CALL(pipe(4)), CL_INVALID_OPERATION},
    {"bytes of packets", "'CL_DEVICE_PIPE_MAX_PACKET_SIZE': 1024", CALL(pipe(1025)), CL_INVALID_PIPE_SIZE},
    {"native kernels", "'CL_DEVICE_EXECUTION_CAPABILITIES': ['CL_EXEC_KERNEL']", CALL(native_kernel()),
     CL_INVALID_OPERATION},
    {"the device", "'CL_DEVICE_AVAILABLE': false", CALL(context()), CL_DEVICE_NOT_AVAILABLE},
    {"builds", "'CL_DEVICE_COMPILER_AVAILABLE': false", CALL(build()), CL_COMPILER_NOT_AVAILABLE},
    {"compilations", "'CL_DEVICE_COMPILER_AVAILABLE': false", CALL(compile()), CL_COMPILER_NOT_AVAILABLE},
    {"links", "'CL_DEVICE_LINKER_AVAILABLE': false", CALL(link()), CL_LINKER_NOT_AVAILABLE},
    {"functions of OpenCL 2.0", "'CL_DEVICE_VERSION': 'OpenCL 1.2 old'", CALL(queue(0)),
     CL_INVALID_OPERATION},
    {"queries of OpenCL 2.0", "'CL_DEVICE_VERSION': 'OpenCL 1.2 old'",
     CALL(query(CL_DEVICE_SVM_CAPABILITIES)), CL_INVALID_VALUE},
    {"queries of an extension", "'CL_DEVICE_EXTENSIONS': []", CALL(query(CL_DEVICE_UUID_KHR)),
     CL_INVALID_VALUE},
    {"termination of contexts", "'CL_DEVICE_VENDOR': 'any'", CALL(terminable_context()), CL_INVALID_PROPERTY},
    {"the query of termination", "'CL_DEVICE_VENDOR': 'any'", CALL(query(CL_DEVICE_TERMINATE_CAPABILITY_KHR)),
     CL_INVALID_VALUE},
    {"sub-devices by names", "'CL_DEVICE_EXTENSIONS': []", CALL(named_sub_device()), CL_INVALID_VALUE},
    {"image formats of OpenCL 2.0", "'CL_DEVICE_VERSION': 'OpenCL 1.2 old'",
     CALL(Described().image(CL_MEM_OBJECT_IMAGE2D, 1, 1, 0, {CL_sRGBA, CL_UNORM_INT8}, CL_MEM_READ_ONLY)),
     CL_IMAGE_FORMAT_NOT_SUPPORTED},
    {"image formats of an extension", "'CL_DEVICE_VERSION': 'OpenCL 1.2 old', 'CL_DEVICE_EXTENSIONS': []",
     CALL(Described().image(CL_MEM_OBJECT_IMAGE2D, 1, 1, 0, {CL_DEPTH, CL_FLOAT}, CL_MEM_READ_ONLY)),
     CL_IMAGE_FORMAT_NOT_SUPPORTED},
};

/// Runs the kernel on one device of a context with several devices. @returns the first error
cl_int runs_on(cl_context context, cl_device_id device, cl_kernel kernel) {
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  cl_mem buffer = clCreateBuffer(context, 0, 4, nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  const size_t one = 1;
  cl_int value = 0;
  const cl_int code = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  if (code != CL_SUCCESS) return code;
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr);
  return value == 1 ? CL_SUCCESS : CL_INVALID_VALUE;
}

} // namespace

TEST_CASE("HOSTCL_DEVICE: limits are enforced", "[described_devices]") {
  for (const Case& one : limit_cases) {
    const DescriptionFile file(one.device);
    INFO(one.name);
    CHECK(code_of(file.name(), one.call) == -one.code);
    CHECK(code_of("", one.call) == CL_SUCCESS);
  }
}

TEST_CASE("HOSTCL_DEVICE: a size that the driver chooses keeps to the limits", "[described_devices]") {
  const DescriptionFile file(
      "'CL_DEVICE_MAX_WORK_GROUP_SIZE': 8, 'CL_DEVICE_MAX_WORK_ITEM_SIZES': [8, 8, 2]");
  CHECK(code_of(file.name(), CALL(launch_of({4096}, {}))) == CL_SUCCESS);
  const DescriptionFile zero(
      "'CL_DEVICE_MAX_WORK_GROUP_SIZE': 0, 'CL_DEVICE_MAX_WORK_ITEM_SIZES': [0, 0, 0]");
  CHECK(code_of(zero.name(), CALL(launch_of({4096}, {}))) == CL_SUCCESS);
  const auto largest = [] {
    const Described d;
    const char* source =
        "kernel void k(global int* a) { if (get_local_id(2) == 0) atomic_max(a, (int)(get_local_size(0) * "
        "get_local_size(1) * get_local_size(2))); atomic_max(a + 1, (int)get_local_size(2)); }";
    cl_kernel kernel = d.kernel(source);
    cl_mem buffer = nullptr;
    require(d.buffer(64, &buffer) == CL_SUCCESS, "a buffer");
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    require(d.launch(kernel, {1, 1, 64}, {}) == CL_SUCCESS, "a launch");
    cl_int sizes[2] = {};
    clEnqueueReadBuffer(d.queue, buffer, CL_TRUE, 0, sizeof sizes, sizes, 0, nullptr, nullptr);
    return sizes[0] <= 8 && sizes[1] <= 2 ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
  };
  CHECK(code_of(file.name(), largest) == CL_SUCCESS);
}

TEST_CASE("HOSTCL_DEVICE: image formats are those of the description", "[described_devices]") {
  const DescriptionFile file(
      "'CL_DEVICE_IMAGE2D_MAX_WIDTH': 4096",
      R"(, "image_formats": [{"type": "CL_MEM_OBJECT_IMAGE2D", "flags": "CL_MEM_READ_ONLY",
                                 "formats": ["CL_RGBA CL_UNORM_INT8", "CL_R CL_FLOAT"]}])");
  CHECK(code_of(file.name(), CALL(Described().image(CL_MEM_OBJECT_IMAGE2D, 1, 1, 0, {CL_R, CL_FLOAT},
                                                    CL_MEM_READ_ONLY))) == CL_SUCCESS);
  CHECK(code_of(file.name(), CALL(Described().image(CL_MEM_OBJECT_IMAGE2D, 1, 1, 0, {CL_R, CL_FLOAT}))) ==
        -CL_IMAGE_FORMAT_NOT_SUPPORTED);
  CHECK(code_of(file.name(), CALL(Described().image(CL_MEM_OBJECT_IMAGE3D, 1, 1, 1, {CL_R, CL_FLOAT},
                                                    CL_MEM_READ_ONLY))) == -CL_IMAGE_FORMAT_NOT_SUPPORTED);
  const auto count = [] {
    cl_uint formats = 0;
    clGetSupportedImageFormats(Described().context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                               &formats);
    return -static_cast<cl_int>(formats);
  };
  CHECK(code_of(file.name(), count) == 2);
}

TEST_CASE("HOSTCL_DEVICE: a device without an intermediate language refuses programs in one",
          "[described_devices]") {
  const DescriptionFile file("'CL_DEVICE_ILS_WITH_VERSION': []");
  const auto create = [] {
    cl_int code = 0;
    clCreateProgramWithIL(Described().context, "none", 4, &code);
    return code;
  };
  CHECK(code_of(file.name(), create) == -CL_INVALID_OPERATION);
  CHECK(code_of("", create) == -CL_INVALID_VALUE);
}

TEST_CASE("HOSTCL_DEVICE: functions of an extension that no device has are not found",
          "[described_devices]") {
  const DescriptionFile without("'CL_DEVICE_EXTENSIONS': ['cl_khr_fp16']");
  const DescriptionFile with("'CL_DEVICE_EXTENSIONS': ['cl_khr_command_buffer']");
  const auto found = [] {
    return clGetExtensionFunctionAddressForPlatform(test::find_platform(), "clCreateCommandBufferKHR")
               ? CL_SUCCESS
               : CL_INVALID_VALUE;
  };
  CHECK(code_of(without.name(), found) == -CL_INVALID_VALUE);
  CHECK(code_of(with.name(), found) == CL_SUCCESS);
  CHECK(code_of(without.name() + "," + with.name(), found) == CL_SUCCESS);
}

TEST_CASE("HOSTCL_DEVICE: several descriptions are several devices", "[described_devices]") {
  const DescriptionFile first(
      "'CL_DEVICE_NAME': 'first', 'CL_DEVICE_MAX_WORK_GROUP_SIZE': 64, "
      "'CL_DEVICE_TYPE': ['CL_DEVICE_TYPE_GPU'], 'CL_DEVICE_GLOBAL_MEM_SIZE': 67108864");
  const DescriptionFile second("'CL_DEVICE_NAME': 'second', 'CL_DEVICE_MAX_WORK_GROUP_SIZE': 32, "
                               "'CL_DEVICE_VERSION': 'OpenCL 1.2 old', 'CL_DEVICE_EXTENSIONS': []");
  const std::string both = first.name() + "," + second.name();
  const auto answers = [] {
    const auto list = devices();
    require(list.size() == 2, "two devices");
    require(text_of(list[0], CL_DEVICE_NAME) == "first" && text_of(list[1], CL_DEVICE_NAME) == "second",
            "names");
    require(text_of(list[1], CL_DEVICE_VERSION) == "OpenCL 1.2 old", "a version");
    cl_uint gpus = 0;
    clGetDeviceIDs(test::find_platform(), CL_DEVICE_TYPE_GPU, 0, nullptr, &gpus);
    require(gpus == 1, "one GPU");
    return CL_SUCCESS;
  };
  CHECK(code_of(both, answers) == CL_SUCCESS);
  const auto contexts = [] {
    const auto list = devices();
    cl_context context = clCreateContext(nullptr, 2, list.data(), nullptr, nullptr, nullptr);
    // The first device alone has the extension.
    cl_program program =
        test::make_program(context, "#ifdef cl_khr_fp64\nkernel void k(global int* a) { *a = 1; }\n"
                                    "#else\nkernel void k(global int* a) { *a = 1 + 0; }\n#endif\n");
    require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "a build");
    cl_kernel kernel = clCreateKernel(program, "k", nullptr);
    size_t sizes[2] = {};
    for (int i = 0; i < 2; ++i) {
      if (const cl_int code = runs_on(context, list[i], kernel)) return code;
      clGetKernelWorkGroupInfo(kernel, list[i], CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t), &sizes[i],
                               nullptr);
    }
    require(sizes[0] == 64 && sizes[1] == 32, "sizes of groups");
    return CL_SUCCESS;
  };
  CHECK(code_of(both, contexts) == CL_SUCCESS);
}

TEST_CASE("HOSTCL_DEVICE: limits of a context do not depend on the order of its devices",
          "[described_devices]") {
  const DescriptionFile small(
      "'CL_DEVICE_NAME': 'small', 'CL_DEVICE_GLOBAL_MEM_SIZE': 67108864, "
      "'CL_DEVICE_MAX_MEM_ALLOC_SIZE': 33554432, 'CL_DEVICE_LOCAL_MEM_SIZE': 16384, "
      "'CL_DEVICE_IMAGE_MAX_BUFFER_SIZE': 65536, 'CL_DEVICE_IMAGE_PITCH_ALIGNMENT': 64, "
      "'CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT': 64");
  const DescriptionFile large("'CL_DEVICE_NAME': 'large'");
  constexpr size_t above = 33554433;
  const Case cases[] = {
      {"bytes of all buffers", "", CALL(buffers(5)), CL_SUCCESS},
      {"bytes of an image", "", CALL(Described().image(CL_MEM_OBJECT_IMAGE2D, 4096, 4096, 0)), CL_SUCCESS},
      {"local arguments", "", CALL(local_argument(16385)), CL_SUCCESS},
      {"texels of a buffer", "", CALL(texels_of_buffer(65537)), CL_SUCCESS},
      {"row pitch", "", CALL(image_of_buffer(32)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
      {"address", "", CALL(image_of_buffer(256, 128)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
      {"SVM", "", CALL(svm(0, above)), CL_INVALID_VALUE},
      {"SVM of a type", "", CALL(unified_svm(above, "")), CL_INVALID_BUFFER_SIZE},
      {"SVM of the small device", "", CALL(unified_svm(above, "small")), CL_INVALID_BUFFER_SIZE},
      {"SVM of the large device", "", CALL(unified_svm(above, "large")), CL_SUCCESS},
      {"USM on the host", "", CALL(usm(above, "")), CL_INVALID_BUFFER_SIZE},
      {"USM on the small device", "", CALL(usm(above, "small")), CL_INVALID_BUFFER_SIZE},
      {"USM on the large device", "", CALL(usm(above, "large")), CL_SUCCESS},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    CHECK(code_of(small.name() + "," + large.name(), one.call) == -one.code);
    CHECK(code_of(large.name() + "," + small.name(), one.call) == -one.code);
  }
}

TEST_CASE("HOSTCL_DEVICE: a context of a type has the available devices", "[described_devices]") {
  const DescriptionFile absent("'CL_DEVICE_AVAILABLE': false"), present("'CL_DEVICE_NAME': 'present'");
  // The number of devices, or the error code.
  const auto create = [] {
    cl_int code = 0;
    cl_context context = clCreateContextFromType(nullptr, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &code);
    cl_uint count = 0;
    if (context) clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr);
    return code == CL_SUCCESS ? -100 - static_cast<cl_int>(count) : code;
  };
  CHECK(code_of(absent.name() + "," + present.name(), create) == 101);
  CHECK(code_of(present.name() + "," + absent.name(), create) == 101);
  CHECK(code_of(absent.name() + "," + absent.name(), create) == -CL_DEVICE_NOT_AVAILABLE);
}

TEST_CASE("HOSTCL_DEVICE: the platform has the profile and the version of its devices",
          "[described_devices]") {
  const DescriptionFile file(
      "'CL_DEVICE_PROFILE': 'EMBEDDED_PROFILE', 'CL_DEVICE_VERSION': 'OpenCL 2.0 small'");
  const auto embedded = [] {
    char profile[64] = {}, version[64] = {};
    clGetPlatformInfo(test::find_platform(), CL_PLATFORM_PROFILE, sizeof profile, profile, nullptr);
    clGetPlatformInfo(test::find_platform(), CL_PLATFORM_VERSION, sizeof version, version, nullptr);
    return std::string(profile) == "EMBEDDED_PROFILE" && std::string(version).starts_with("OpenCL 2.0 ")
               ? CL_SUCCESS
               : CL_INVALID_VALUE;
  };
  CHECK(code_of(file.name(), embedded) == CL_SUCCESS);
  CHECK(code_of("", embedded) == -CL_INVALID_VALUE);
}

TEST_CASE("HOSTCL_DEVICE: a query that fails says whether the device or the description lacks it",
          "[described_devices]") {
  const DescriptionFile unlisted("", R"(, "unlisted": "absent")");
  const DescriptionFile old("'CL_DEVICE_VERSION': 'OpenCL 1.0 old'");
  const auto says = [](const char* sentence) {
    return [sentence] {
      char log[] = "/tmp/hostcl-log-XXXXXX";
      const int file = mkstemp(log);
      require(file >= 0 && dup2(file, STDERR_FILENO) >= 0, "a file for messages");
      setenv("HOSTCL_LOG", "info", 1);
      size_t bytes = 0;
      require(clGetDeviceInfo(chosen_device(), CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof bytes, &bytes, nullptr) ==
                  CL_INVALID_VALUE,
              "a query that fails");
      std::ifstream messages(log);
      const std::string text(std::istreambuf_iterator<char>(messages), {});
      unlink(log);
      return text.find(sentence) == std::string::npos ? CL_INVALID_VALUE : CL_SUCCESS;
    };
  };
  CHECK(code_of(unlisted.name(), says("which the description of the device small does not list")) ==
        CL_SUCCESS);
  CHECK(code_of(old.name(), says("a query of 1.2; the device small has none of these")) == CL_SUCCESS);
}

TEST_CASE("HOSTCL_DEVICE: names of neither a shipped description nor a file are ignored",
          "[described_devices]") {
  CHECK(code_of("least-3.0", CALL(launch_of({2}, {2}))) == -CL_INVALID_WORK_ITEM_SIZE);
  CHECK(code_of("no such device", CALL(launch_of({2}, {2}))) == CL_SUCCESS);
}
