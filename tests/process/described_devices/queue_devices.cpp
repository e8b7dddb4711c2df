// HOSTCL_DEVICE: contexts with a small and a large device. An object that only the large device supports can be created;
// a command on the object fails on a queue of the small device.

#include "process/described_devices/described.hpp"
#include "support/catch.hpp"
#include "support/command_buffer_api.hpp"

#include <functional>
#include <string>
#include <vector>

namespace {

using namespace test;

const DescriptionFile& small_device() {
  static const DescriptionFile file(
      "'CL_DEVICE_NAME': 'small', 'CL_DEVICE_MAX_MEM_ALLOC_SIZE': 1048576, "
      "'CL_DEVICE_MEM_BASE_ADDR_ALIGN': 8192, 'CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE': 1024, "
      "'CL_DEVICE_IMAGE2D_MAX_WIDTH': 2048, 'CL_DEVICE_IMAGE2D_MAX_HEIGHT': 2048, "
      "'CL_DEVICE_SVM_CAPABILITIES': [], 'CL_DEVICE_EXTENSIONS': ['cl_khr_command_buffer', "
      "'cl_ext_buffer_device_address']",
      R"(, "image_formats": [{"type": "CL_MEM_OBJECT_IMAGE2D",
          "flags": "CL_MEM_READ_WRITE", "formats": ["CL_RGBA CL_UNORM_INT8"]}])");
  return file;
}
const DescriptionFile& large_device() {
  static const DescriptionFile file("'CL_DEVICE_NAME': 'large'");
  return file;
}
const DescriptionFile& no_images() {
  static const DescriptionFile file("'CL_DEVICE_NAME': 'small', 'CL_DEVICE_IMAGE_SUPPORT': false");
  return file;
}

/// A context of both devices, with a queue on one of them.
struct OnDevice : Described {
  explicit OnDevice(const std::string& name) : queue(clCreateCommandQueue(context, named(name), 0, nullptr)) {
    require(queue, "a queue");
  }
  cl_mem buffer(size_t bytes) const {
    cl_mem made = nullptr;
    require(Described::buffer(bytes, &made) == CL_SUCCESS, "a buffer");
    return made;
  }
  cl_mem sub_buffer(size_t origin) const {
    const cl_buffer_region region = {origin, 64};
    cl_int code = 0;
    cl_mem part = clCreateSubBuffer(buffer(1 << 16), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    require(code == CL_SUCCESS, "a sub-buffer");
    return part;
  }
  cl_mem image(size_t width, cl_image_format format) const {
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = width;
    description.image_height = 4;
    cl_int code = 0;
    cl_mem made = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &code);
    require(code == CL_SUCCESS, "an image");
    return made;
  }
  cl_int launch(const char* source, cl_mem argument) const {
    cl_program program = test::make_program(context, source);
    cl_device_id device = nullptr;
    clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
    require(clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS, "a build");
    cl_kernel kernel = clCreateKernel(program, "k", nullptr);
    require(clSetKernelArg(kernel, 0, sizeof argument, &argument) == CL_SUCCESS, "an argument");
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr);
  }

  cl_command_queue queue; ///< in place of the queue on the first device
};

using Command = std::function<cl_int(const OnDevice&)>;

struct Case {
  const char* name;
  Command command;
  cl_int on_small;
};

void check(const std::string& devices, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    INFO(one.name);
    CHECK(code_of(devices, [&] { return one.command(OnDevice("small")); }) == -one.on_small);
    CHECK(code_of(devices, [&] { return one.command(OnDevice("large")); }) == CL_SUCCESS);
  }
}

std::string both() {
  return small_device().name() + "," + large_device().name();
}

constexpr cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8}, red = {CL_R, CL_FLOAT};
constexpr size_t large = 1048577; ///< bytes of a buffer that the small device does not support
constexpr size_t origin[3] = {0, 0, 0}, region[3] = {1, 1, 1};
char host[64];

cl_int read(const OnDevice& d, cl_mem buffer) {
  return clEnqueueReadBuffer(d.queue, buffer, CL_TRUE, 0, 4, host, 0, nullptr, nullptr);
}
cl_int read_image(const OnDevice& d, cl_mem image) {
  return clEnqueueReadImage(d.queue, image, CL_TRUE, origin, region, 0, 0, host, 0, nullptr, nullptr);
}
cl_int fill_image(const OnDevice& d, cl_mem image) {
  const cl_float color[4] = {};
  return clEnqueueFillImage(d.queue, image, color, origin, region, 0, nullptr, nullptr);
}
cl_int map(const OnDevice& d, cl_mem buffer) {
  cl_int code = 0;
  clEnqueueMapBuffer(d.queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &code);
  return code;
}
cl_int svm_argument(const OnDevice& d) {
  void* pointer = clSVMAlloc(d.context, 0, 64, 0);
  require(pointer, "SVM");
  cl_program program = test::make_program(d.context, nothing);
  require(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "a build");
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  require(clSetKernelArgSVMPointer(kernel, 0, pointer) == CL_SUCCESS, "an argument");
  const size_t one = 1;
  return clEnqueueNDRangeKernel(d.queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr);
}

/// An address that no buffer has, and that the kernel does not use.
cl_int address_argument(const OnDevice& d) {
  const auto set = reinterpret_cast<cl_int (*)(cl_kernel, cl_uint, cl_ulong)>(
      clGetExtensionFunctionAddressForPlatform(find_platform(), "clSetKernelArgDevicePointerEXT"));
  cl_kernel kernel = d.kernel("kernel void k(global int* a) {}");
  require(set(kernel, 0, 8) == CL_SUCCESS, "an argument");
  const size_t one = 1;
  return clEnqueueNDRangeKernel(d.queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr);
}

/// Records a command on the large device, and maps the command buffer to the queue.
template <class Record>
cl_int remap(const OnDevice& d, Record record) {
  cl_command_queue recorded = clCreateCommandQueue(d.context, d.named("large"), 0, nullptr);
  const auto functions = cb::functions_of(d.device);
  cl_int code = 0;
  const cb::Handle commands = functions.create(1, &recorded, nullptr, &code);
  require(record(functions, commands) == CL_SUCCESS && functions.finalize(commands) == CL_SUCCESS,
          "a command buffer");
  functions.remap(commands, CL_FALSE, 1, &d.queue, 0, nullptr, nullptr, &code);
  return code;
}
cl_int remap_launch(const OnDevice& d) {
  cl_kernel kernel = d.kernel(nothing);
  cl_mem buffer = d.buffer(large);
  require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS, "an argument");
  return remap(d, [&](const auto& functions, cb::Handle commands) {
    const size_t one = 1;
    return functions.launch(commands, nullptr, nullptr, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr,
                            nullptr);
  });
}
cl_int remap_fill(const OnDevice& d) {
  return remap(d, [&](const auto& functions, cb::Handle commands) {
    return functions.fill_buffer(commands, nullptr, nullptr, d.buffer(large), host, 1, 0, 1, 0, nullptr,
                                 nullptr, nullptr);
  });
}

constexpr const char* of_image = "kernel void k(read_only image2d_t i) {}";
constexpr const char* of_constant = "kernel void k(constant int* c) {}";

} // namespace

TEST_CASE("HOSTCL_DEVICE: buffers of commands fit the device of the queue", "[described_devices]") {
  check(both(),
        {
            {"read", [](const OnDevice& d) { return read(d, d.buffer(large)); },
             CL_MEM_OBJECT_ALLOCATION_FAILURE},
            {"map", [](const OnDevice& d) { return map(d, d.buffer(large)); },
             CL_MEM_OBJECT_ALLOCATION_FAILURE},
            {"argument", [](const OnDevice& d) { return d.launch(nothing, d.buffer(large)); },
             CL_MEM_OBJECT_ALLOCATION_FAILURE},
            {"constant argument", [](const OnDevice& d) { return d.launch(of_constant, d.buffer(1025)); },
             CL_OUT_OF_RESOURCES},
            {"read of a sub-buffer", [](const OnDevice& d) { return read(d, d.sub_buffer(512)); },
             CL_MISALIGNED_SUB_BUFFER_OFFSET},
            {"sub-buffer as an argument",
             [](const OnDevice& d) { return d.launch(nothing, d.sub_buffer(512)); },
             CL_MISALIGNED_SUB_BUFFER_OFFSET},
            {"remapped launch", remap_launch, CL_MEM_OBJECT_ALLOCATION_FAILURE},
            {"remapped fill", remap_fill, CL_MEM_OBJECT_ALLOCATION_FAILURE},
            {"SVM pointer as an argument", svm_argument, CL_INVALID_OPERATION},
            {"device address as an argument", address_argument, CL_SUCCESS},
            {"what the small device supports",
             [](const OnDevice& d) {
               return read(d, d.sub_buffer(1024)) + d.launch(of_constant, d.buffer(1024));
             },
             CL_SUCCESS},
        });
}

TEST_CASE("HOSTCL_DEVICE: images of commands fit the device of the queue", "[described_devices]") {
  check(both(),
        {
            {"read", [](const OnDevice& d) { return read_image(d, d.image(2049, rgba)); },
             CL_INVALID_IMAGE_SIZE},
            {"fill", [](const OnDevice& d) { return fill_image(d, d.image(2049, rgba)); },
             CL_INVALID_IMAGE_SIZE},
            {"argument", [](const OnDevice& d) { return d.launch(of_image, d.image(2049, rgba)); },
             CL_INVALID_IMAGE_SIZE},
            {"format", [](const OnDevice& d) { return read_image(d, d.image(16, red)); },
             CL_IMAGE_FORMAT_NOT_SUPPORTED},
            {"format of an argument", [](const OnDevice& d) { return d.launch(of_image, d.image(16, red)); },
             CL_IMAGE_FORMAT_NOT_SUPPORTED},
            {"what the small device supports",
             [](const OnDevice& d) { return read_image(d, d.image(2048, rgba)); }, CL_SUCCESS},
        });
  check(no_images().name() + "," + large_device().name(),
        {{"no images", [](const OnDevice& d) { return read_image(d, d.image(16, rgba)); },
          CL_INVALID_OPERATION}});
}
