// What an error says to the context's callback: the call, the argument, its value and what is wrong with it.

#include "support/images.hpp"
#include "support/spirv_kernels.hpp"

#include <functional>

namespace {

/// A context that writes down what its callback is told.
struct World {
  std::string said;
  test::Context context = make_context(said);
  test::Queue queue = test::make_queue(context);
  test::Buffer buffer = make_buffer(CL_MEM_READ_WRITE), secret = make_buffer(CL_MEM_HOST_NO_ACCESS);
  test::Buffer image = test::make_image(context, test::rgba8, test::image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4));
  test::Program program = build("kernel void k(global int* values, int n, local int* scratch) {}"
                                "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight() {}");
  test::Kernel kernel{clCreateKernel(program, "k", nullptr)},
      eight{clCreateKernel(program, "eight", nullptr)};
  test::Program il = make_il();
  char host[64] = {};

  static test::Context make_context(std::string& said) {
    const cl_device_id id = test::device();
    return test::Context(clCreateContext(
        nullptr, 1, &id,
        [](const char* text, const void*, size_t, void* data) {
          *static_cast<std::string*>(data) += std::string(text) + "\n";
        },
        &said, nullptr));
  }
  test::Buffer make_buffer(cl_mem_flags flags) const {
    return test::Buffer(clCreateBuffer(context, flags, 64, nullptr, nullptr));
  }
  test::Program build(const char* text) const {
    test::Program made(clCreateProgramWithSource(context, 1, &text, nullptr, nullptr));
    REQUIRE_CL(clBuildProgram(made, 0, nullptr, "", nullptr, nullptr));
    return made;
  }
  test::Program make_il() const {
    const auto words = test::spirv::specialised_kernel();
    return test::Program(
        clCreateProgramWithIL(context, words.data(), words.size() * sizeof words[0], nullptr));
  }
};

struct Mistake {
  cl_int error;
  std::vector<const char*> words;
  std::function<cl_int(World&)> make;
};

/// For calls with errcode_ret.
template <class Call>
cl_int code_of(Call call) {
  cl_int error = CL_SUCCESS;
  call(&error);
  return error;
}

cl_mem make_image(cl_context context, const cl_image_format& format, const cl_image_desc& description,
                  cl_int* error) {
  return clCreateImage(context, 0, &format, &description, nullptr, error);
}

/// The first version's binaries begin like this.
cl_program load_earlier_binary(cl_context context, cl_int* error) {
  const cl_device_id id = test::device();
  unsigned char bytes[100] = "HOSTCLB\n\1\0\0\0\0\0\0\0hostcl\r\n\1";
  const unsigned char* data = bytes;
  const size_t size = sizeof bytes;
  return clCreateProgramWithBinary(context, 1, &id, &size, &data, nullptr, error);
}

cl_mem import_memory(cl_context context, cl_mem_properties descriptor, cl_int* error) {
  const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, descriptor, 0};
  return clCreateBufferWithProperties(context, list, 0, 64, nullptr, error);
}
cl_semaphore_khr make_semaphore(cl_context context, cl_semaphore_properties_khr type, cl_int* error) {
  const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, type, 0};
  return test::extension_function<clCreateSemaphoreWithPropertiesKHR_fn>(
      "clCreateSemaphoreWithPropertiesKHR")(context, list, error);
}

constexpr size_t origin[3] = {0, 0, 0}, box[3] = {4, 4, 4}, flat[3] = {4, 0, 1}, sixteen = 16, seven = 7;

#define MISTAKE(error, call, ...) {error, {__VA_ARGS__}, [](World& w) -> cl_int { return call; }}
#define CREATING(error, call, ...)                                                                           \
  {error, {__VA_ARGS__}, [](World& w) { return code_of([&](cl_int* e) { call; }); }}

const std::vector<Mistake> mistakes = {
    CREATING(CL_INVALID_BUFFER_SIZE, clCreateBuffer(w.context, 0, 0, nullptr, e), "clCreateBuffer", "size",
             "0"),
    CREATING(CL_INVALID_VALUE, clCreateBuffer(w.context, cl_mem_flags{1} << 40, 64, nullptr, e), "flags",
             "0x10000000000"),
    CREATING(CL_INVALID_HOST_PTR, clCreateBuffer(w.context, CL_MEM_COPY_HOST_PTR, 64, nullptr, e),
             "host_ptr"),
    CREATING(CL_INVALID_PROPERTY, import_memory(w.context, 765432, e), "clCreateBufferWithProperties",
             "765432", "file descriptor"),
    CREATING(CL_INVALID_PROPERTY, make_semaphore(w.context, 4321, e), "clCreateSemaphoreWithPropertiesKHR",
             "CL_SEMAPHORE_TYPE_KHR is 4321"),
    CREATING(CL_INVALID_VALUE, clCreateSubBuffer(w.buffer, 0, 0x4321, origin, e), "buffer_create_type",
             "0x4321"),
    CREATING(CL_INVALID_VALUE,
             clCreateCommandQueue(w.context, test::device(), cl_command_queue_properties{1} << 20, e),
             "properties", "0x100000"),
    CREATING(CL_INVALID_KERNEL_NAME, clCreateKernel(w.program, "nothing", e), "clCreateKernel", "'nothing'"),
    CREATING(CL_INVALID_VALUE, clCreateProgramWithSource(w.context, 0, nullptr, nullptr, e), "count",
             "strings"),
    CREATING(CL_INVALID_VALUE, clCreateProgramWithIL(w.context, w.host, sizeof w.host, e),
             "clCreateProgramWithIL", "SPIR-V", "magic number"),
    CREATING(CL_INVALID_VALUE, clCreateProgramWithIL(w.context, w.host, 0, e), "il is NULL", "length is 0"),
    MISTAKE(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(w.program, 7, 4, w.host),
            "intermediate language"),
    MISTAKE(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant(w.il, 7, 4, w.host), "spec_id is 7"),
    MISTAKE(CL_INVALID_VALUE, clSetProgramSpecializationConstant(w.il, test::spirv::spec_ulong, 4, w.host),
            "spec_size is 4", "8 bytes"),
    MISTAKE(CL_INVALID_VALUE, clSetProgramSpecializationConstant(w.il, test::spirv::spec_ulong, 8, nullptr),
            "spec_value"),
    CREATING(CL_INVALID_BINARY, load_earlier_binary(w.context, e), "clCreateProgramWithBinary",
             "written by another version of hostcl; build the program from its source again"),
    CREATING(CL_INVALID_OPERATION,
             clEnqueueMapBuffer(w.queue, w.secret, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, e),
             "clEnqueueMapBuffer", "host"),
    CREATING(
        CL_INVALID_VALUE,
        clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, cl_map_flags{1} << 10, 0, 64, 0, nullptr, nullptr, e),
        "map_flags", "0x400"),
    CREATING(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             make_image(w.context, {CL_RGB, CL_UNORM_INT8}, test::image_of(CL_MEM_OBJECT_IMAGE2D, 8, 4), e),
             "clCreateImage", "0x10b4", "0x10d2"),
    CREATING(CL_INVALID_IMAGE_SIZE,
             make_image(w.context, test::rgba8, test::image_of(CL_MEM_OBJECT_IMAGE2D, 8, 0), e),
             "image_height", "0"),
    CREATING(CL_INVALID_VALUE, clCreateSampler(w.context, CL_TRUE, 0x4321, CL_FILTER_NEAREST, e),
             "clCreateSampler", "addressing_mode", "0x4321"),
    MISTAKE(CL_INVALID_VALUE,
            clEnqueueReadImage(w.queue, w.image, CL_TRUE, origin, flat, 0, 0, w.host, 0, nullptr, nullptr),
            "clEnqueueReadImage", "region[1]", "0"),
    MISTAKE(CL_INVALID_VALUE,
            clEnqueueWriteImage(w.queue, w.image, CL_TRUE, origin, box, 0, 0, w.host, 0, nullptr, nullptr),
            "origin[2]", "region[2]", "4", "2 dimensions"),
    MISTAKE(CL_INVALID_MEM_OBJECT, clGetImageInfo(w.buffer, CL_IMAGE_WIDTH, 0, nullptr, nullptr),
            "clGetImageInfo", "not the image"),
    MISTAKE(CL_INVALID_VALUE,
            clEnqueueReadBuffer(w.queue, w.buffer, CL_TRUE, 60, 5, w.host, 0, nullptr, nullptr),
            "clEnqueueReadBuffer", "offset", "60", "5", "64"),
    MISTAKE(CL_INVALID_VALUE,
            clEnqueueWriteBuffer(w.queue, w.buffer, CL_TRUE, 0, 4, nullptr, 0, nullptr, nullptr), "ptr",
            "NULL"),
    MISTAKE(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueReadBuffer(w.queue, w.buffer, CL_TRUE, 0, 4, w.host, 3, nullptr, nullptr),
            "num_events_in_wait_list", "3", "event_wait_list"),
    MISTAKE(CL_INVALID_VALUE,
            clEnqueueReadBufferRect(w.queue, w.buffer, CL_TRUE, origin, origin, flat, 0, 0, 0, 0, w.host, 0,
                                    nullptr, nullptr),
            "region[1]", "0"),
    MISTAKE(CL_INVALID_VALUE,
            clEnqueueWriteBufferRect(w.queue, w.buffer, CL_TRUE, origin, origin, box, 0, 0, 3, 0, w.host, 0,
                                     nullptr, nullptr),
            "host_row_pitch", "3", "region[0]", "4"),
    MISTAKE(CL_MEM_COPY_OVERLAP,
            clEnqueueCopyBuffer(w.queue, w.buffer, w.buffer, 0, 8, 16, 0, nullptr, nullptr), "src_offset",
            "dst_offset", "8", "16"),
    MISTAKE(CL_INVALID_VALUE, clEnqueueFillBuffer(w.queue, w.buffer, w.host, 3, 0, 63, 0, nullptr, nullptr),
            "pattern", "3"),
    MISTAKE(CL_INVALID_VALUE, clEnqueueUnmapMemObject(w.queue, w.buffer, w.host, 0, nullptr, nullptr),
            "mapped_ptr"),
    MISTAKE(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(w.queue, 0, nullptr, 0, 0, nullptr, nullptr),
            "num_mem_objects"),
    MISTAKE(CL_INVALID_ARG_INDEX, clSetKernelArg(w.kernel, 7, 4, w.host), "arg_index", "7", "'k'", "3"),
    MISTAKE(CL_INVALID_ARG_SIZE, clSetKernelArg(w.kernel, 1, 8, w.host), "arg_size", "8", "'n'", "4"),
    MISTAKE(CL_INVALID_ARG_VALUE, clSetKernelArg(w.kernel, 2, 4, w.host), "arg_value", "'scratch'"),
    MISTAKE(CL_OUT_OF_RESOURCES, clSetKernelArg(w.kernel, 2, SIZE_MAX - 127, nullptr), "arg_size",
            "18446744073709551488", "'scratch'", "local memory"),
    MISTAKE(CL_INVALID_MEM_OBJECT, clSetKernelArg(w.kernel, 0, sizeof(cl_mem), w.eight.address()), "memory"),
    MISTAKE(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(w.kernel, 1, w.host), "'n'"),
    MISTAKE(CL_INVALID_KERNEL_ARGS,
            clEnqueueNDRangeKernel(w.queue, w.kernel, 1, nullptr, &sixteen, nullptr, 0, nullptr, nullptr),
            "'values'", "'k'", "not been set"),
    MISTAKE(CL_INVALID_WORK_DIMENSION,
            clEnqueueNDRangeKernel(w.queue, w.eight, 4, nullptr, &sixteen, nullptr, 0, nullptr, nullptr),
            "work_dim", "4"),
    MISTAKE(CL_INVALID_WORK_GROUP_SIZE,
            clEnqueueNDRangeKernel(w.queue, w.eight, 1, nullptr, &sixteen, &seven, 0, nullptr, nullptr),
            "local_work_size[0]", "7", "'eight'", "8"),
    MISTAKE(CL_INVALID_VALUE,
            clEnqueueNativeKernel(w.queue, nullptr, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr),
            "user_func"),
    MISTAKE(CL_INVALID_VALUE, clEnqueueSVMMap(w.queue, CL_TRUE, CL_MAP_READ, nullptr, 8, 0, nullptr, nullptr),
            "svm_ptr"),
    MISTAKE(CL_INVALID_BUILD_OPTIONS,
            clBuildProgram(w.build("kernel void b() {}"), 0, nullptr, "-no-such-option", nullptr, nullptr),
            "clBuildProgram", "-no-such-option"),
    MISTAKE(CL_INVALID_OPERATION, clBuildProgram(w.program, 0, nullptr, "", nullptr, nullptr), "kernel"),
    MISTAKE(CL_INVALID_VALUE, clGetMemObjectInfo(w.buffer, 0x4321, 0, nullptr, nullptr), "param_name",
            "0x4321"),
    MISTAKE(CL_INVALID_VALUE, clGetContextInfo(w.context, CL_CONTEXT_DEVICES, 3, w.host, nullptr),
            "param_value_size", "3", "8"),
};

} // namespace

TEST_CASE("The context callback is told the call, the argument and its value", "[message]") {
  if (!test::is_hostcl()) return;
  World world;
  for (const Mistake& mistake : mistakes) {
    world.said.clear();
    CAPTURE(mistake.words.front());
    CHECK_STATUS(mistake.make(world), mistake.error);
    CHECK(world.said.compare(0, 2, "cl") == 0);
    for (const char* word : mistake.words)
      CHECK_THAT(world.said, Catch::Matchers::ContainsSubstring(word));
  }
}

TEST_CASE("The context callback is told of errors of lists of events", "[message]") {
  if (!test::is_hostcl()) return;
  World world;
  const auto event = test::user_event(world.context);
  CHECK_CL(clSetUserEventStatus(event, -1));
  const cl_event list[] = {event, nullptr};
  CHECK_STATUS(clWaitForEvents(2, list), CL_INVALID_EVENT);
  CHECK_THAT(world.said, Catch::Matchers::ContainsSubstring("clWaitForEvents"));
  CHECK_STATUS(clSetUserEventStatus(event, 5), CL_INVALID_VALUE);
  CHECK_THAT(world.said, Catch::Matchers::ContainsSubstring("execution_status is 5"));
}

TEST_CASE("The context callback hears nothing of calls that succeed", "[message]") {
  World world;
  CHECK_CL(clEnqueueWriteBuffer(world.queue, world.buffer, CL_TRUE, 0, 64, world.host, 0, nullptr, nullptr));
  CHECK_CL(clFinish(world.queue));
  CHECK(world.said.empty());
}
