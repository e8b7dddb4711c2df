// Launches of all kinds, which check_capture captures and repeats.
// usage: test_capture KIND...: a name of the table at the end, or "all" for all whose kernels have no mistake

#include "support/choice.hpp"
#include "support/command_buffer_api.hpp"
#include "support/spirv_kernels.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

constexpr size_t items = 64;

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s fails with error %d\n", what, code);
  std::exit(3);
}

/// A context with a queue. Objects are not released: the process ends soon.
struct Application {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);

  cl_kernel kernel(const char* source, const char* name, const char* options = "-cl-std=CL2.0") const {
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    check(clBuildProgram(program, 1, &device, options, nullptr, nullptr), "clBuildProgram");
    return clCreateKernel(program, name, nullptr);
  }
  cl_mem buffer(size_t count = items) const {
    std::vector<cl_int> numbers(count);
    for (size_t i = 0; i < count; ++i)
      numbers[i] = static_cast<cl_int>(i * 7 % 31);
    return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof(cl_int), numbers.data(), nullptr);
  }
  template <class... Values>
  void set(cl_kernel kernel, const Values&... values) const {
    cl_uint index = 0;
    (check(clSetKernelArg(kernel, index++, sizeof(values), &values), "clSetKernelArg"), ...);
  }
  void launch(cl_kernel kernel, size_t global = items, size_t local = 16, size_t offset = 0) const {
    check(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &global, &local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    clFinish(queue);
  }
};

void run_buffers(const Application& a) {
  cl_kernel kernel = a.kernel("kernel void buffers(global const int* in, global float* out, float factor) {\n"
                              "  size_t i = get_global_id(0);\n"
                              "  out[i] = in[i] * factor;\n"
                              "}\n",
                              "buffers");
  cl_mem in = a.buffer(), out = a.buffer();
  for (const cl_float factor : {1.5f, 2.5f, 3.5f}) {
    a.set(kernel, in, out, factor);
    a.launch(kernel);
  }
}

/// The second argument is a sub-buffer of the first one.
void run_sub_buffers(const Application& a) {
  cl_kernel kernel = a.kernel("kernel void sub_buffers(global int* whole, global int* half_of_it) {\n"
                              "  size_t i = get_global_id(0);\n"
                              "  whole[i] += 100;\n"
                              "  half_of_it[i] += 1000;\n"
                              "}\n",
                              "sub_buffers");
  cl_mem whole = a.buffer(4 * items);
  const cl_buffer_region region = {2 * items * sizeof(cl_int), items * sizeof(cl_int)};
  cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  a.set(kernel, whole, part);
  a.launch(kernel);
}

void run_images(const Application& a) {
  cl_kernel kernel =
      a.kernel("kernel void images(read_only image2d_t in, write_only image2d_array_t out, sampler_t s,\n"
               "                   read_only image1d_buffer_t table) {\n"
               "  int2 p = {get_global_id(0), get_global_id(1)};\n"
               "  float4 texel = read_imagef(in, s, (float2)(p.x + 0.9f, p.y - 0.2f));\n"
               "  write_imagef(out, (int4)(p, 1, 0), texel + read_imagef(table, p.x));\n"
               "}\n",
               "images");
  const cl_image_format bytes = {CL_RGBA, CL_UNORM_INT8}, floats = {CL_R, CL_FLOAT};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = 13, shape.image_height = 5;
  std::vector<cl_uchar> texels(4 * 13 * 5);
  for (size_t i = 0; i < texels.size(); ++i)
    texels[i] = static_cast<cl_uchar>(i * 37);
  cl_mem in = clCreateImage(a.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &bytes, &shape, texels.data(),
                            nullptr);
  shape.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, shape.image_array_size = 3;
  cl_mem out = clCreateImage(a.context, CL_MEM_WRITE_ONLY, &floats, &shape, nullptr, nullptr);
  const cl_float zeros[4] = {};
  const size_t origin[3] = {}, region[3] = {13, 5, 3};
  check(clEnqueueFillImage(a.queue, out, zeros, origin, region, 0, nullptr, nullptr), "clEnqueueFillImage");
  shape = {};
  shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, shape.image_width = items, shape.buffer = a.buffer();
  cl_mem table = clCreateImage(a.context, CL_MEM_READ_ONLY, &floats, &shape, nullptr, nullptr);
  cl_sampler sampler = clCreateSampler(a.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, nullptr);
  a.set(kernel, in, out, sampler, table);
  const size_t global[] = {13, 5}, local[] = {13, 1};
  check(clEnqueueNDRangeKernel(a.queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  clFinish(a.queue);
}

/// A local argument, a constant argument and an offset.
void run_local(const Application& a) {
  cl_kernel kernel =
      a.kernel("kernel void local_sums(constant int* in, global int* out, local int* shared) {\n"
               "  size_t l = get_local_id(0);\n"
               "  shared[l] = in[get_global_id(0)];\n"
               "  barrier(CLK_LOCAL_MEM_FENCE);\n"
               "  int sum = 0;\n"
               "  for (size_t i = 0; i < get_local_size(0); ++i) sum += shared[i];\n"
               "  out[get_global_id(0)] = sum;\n"
               "}\n",
               "local_sums");
  a.set(kernel, a.buffer(2 * items), a.buffer(2 * items));
  check(clSetKernelArg(kernel, 2, 16 * sizeof(cl_int), nullptr), "clSetKernelArg");
  a.launch(kernel, items, 16, 48);
}

void run_struct(const Application& a) {
  struct Pair {
    cl_int count;
    cl_double scale;
  };
  cl_kernel kernel =
      a.kernel("typedef struct { int count; double scale; } Pair;\n"
               "kernel void takes_struct(global double* out, Pair pair, int3 more, global int* none) {\n"
               "  out[get_global_id(0)] = pair.count * pair.scale + more.z + (none ? 1 : 0);\n"
               "}\n",
               "takes_struct");
  cl_mem none = nullptr;
  a.set(kernel, a.buffer(2 * items), Pair{3, 0.25}, cl_int3{{1, 2, 3}}, none);
  a.launch(kernel);
}

/// The kernel gets the address of the 8th element of an allocation.
void run_svm(const Application& a) {
  cl_kernel kernel = a.kernel("kernel void svm(global int* p) { p[get_global_id(0)] += p[-8]; }\n", "svm");
  auto* numbers =
      static_cast<cl_int*>(clSVMAlloc(a.context, CL_MEM_READ_WRITE, (items + 8) * sizeof(cl_int), 0));
  for (size_t i = 0; i < items + 8; ++i)
    numbers[i] = static_cast<cl_int>(i) + 5;
  check(clSetKernelArgSVMPointer(kernel, 0, numbers + 8), "clSetKernelArgSVMPointer");
  a.launch(kernel);
}

/// An address within an allocation whose beginning is also a buffer, which is another argument.
void run_shared(const Application& a) {
  cl_kernel kernel = a.kernel("kernel void shared_svm(global int* p, global int* buffer) {\n"
                              "  p[get_global_id(0)] += 3;\n"
                              "}\n",
                              "shared_svm");
  auto* numbers =
      static_cast<cl_int*>(clSVMAlloc(a.context, CL_MEM_READ_WRITE, 2 * items * sizeof(cl_int), 0));
  std::memset(numbers, 1, 2 * items * sizeof(cl_int));
  cl_mem buffer = clCreateBuffer(a.context, CL_MEM_USE_HOST_PTR, items * sizeof(cl_int), numbers, nullptr);
  check(clSetKernelArgSVMPointer(kernel, 0, numbers + 16), "clSetKernelArgSVMPointer");
  check(clSetKernelArg(kernel, 1, sizeof(buffer), &buffer), "clSetKernelArg");
  a.launch(kernel);
}

/// A device address within a buffer (cl_ext_buffer_device_address).
void run_device_address(const Application& a) {
  constexpr cl_mem_properties private_address = 0x5000;
  constexpr cl_mem_info device_address = 0x5001;
  const cl_mem_properties properties[] = {private_address, CL_TRUE, 0};
  cl_mem buffer = clCreateBufferWithProperties(a.context, properties, CL_MEM_READ_WRITE,
                                               2 * items * sizeof(cl_int), nullptr, nullptr);
  const cl_int five = 5;
  check(clEnqueueFillBuffer(a.queue, buffer, &five, sizeof(five), 0, 2 * items * sizeof(cl_int), 0, nullptr,
                            nullptr),
        "clEnqueueFillBuffer");
  cl_ulong address = 0;
  check(clGetMemObjectInfo(buffer, device_address, sizeof(address), &address, nullptr), "the address");
  cl_platform_id platform = nullptr;
  check(clGetDeviceInfo(a.device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, nullptr), "the platform");
  const auto set = reinterpret_cast<cl_int (*)(cl_kernel, cl_uint, cl_ulong)>(
      clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgDevicePointerEXT"));
  cl_kernel kernel =
      a.kernel("kernel void device_address(global int* p) { p[get_global_id(0)] += 4; }\n", "device_address");
  check(set(kernel, 0, address + items / 2 * sizeof(cl_int)), "clSetKernelArgDevicePointerEXT");
  a.launch(kernel);
}

/// The argument's memory contains a pointer to another allocation.
void run_pointers(const Application& a) {
  cl_kernel kernel =
      a.kernel("kernel void pointers(global ulong* p) { p[1] = *(global int*)p[0]; }\n", "pointers");
  auto* list = static_cast<cl_ulong*>(clSVMAlloc(a.context, CL_MEM_READ_WRITE, 16 * sizeof(cl_ulong), 0));
  auto* number = static_cast<cl_int*>(clSVMAlloc(a.context, CL_MEM_READ_WRITE, sizeof(cl_int), 0));
  std::memset(list, 0, 16 * sizeof(cl_ulong));
  list[0] = reinterpret_cast<cl_ulong>(number);
  *number = 17;
  check(clSetKernelArgSVMPointer(kernel, 0, list), "clSetKernelArgSVMPointer");
  a.launch(kernel, 1, 1);
}

void run_command_buffer(const Application& a) {
  const test::cb::Functions f = test::cb::functions_of(a.device);
  cl_kernel kernel = a.kernel("kernel void recorded(global int* p) { p[get_global_id(0)] *= 3; }\n",
                              "recorded", "-cl-std=CL1.2");
  a.set(kernel, a.buffer());
  cl_int code = CL_SUCCESS;
  test::cb::Handle recorded = f.create(1, &a.queue, nullptr, &code);
  const size_t global = items, local = 8;
  check(
      f.launch(recorded, nullptr, nullptr, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr, nullptr),
      "clCommandNDRangeKernelKHR");
  check(f.finalize(recorded), "clFinalizeCommandBufferKHR");
  for (int run = 0; run < 2; ++run)
    check(f.enqueue(0, nullptr, recorded, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
  clFinish(a.queue);
}

void run_device_enqueue(const Application& a) {
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  cl_int code = CL_SUCCESS;
  clCreateCommandQueueWithProperties(a.context, a.device, on_device, &code);
  check(code, "clCreateCommandQueueWithProperties");
  cl_kernel kernel =
      a.kernel("kernel void parent(global int* p) {\n"
               "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
               "                 ndrange_1D(get_global_size(0)), ^{ p[get_global_id(0)] += 9; });\n"
               "}\n",
               "parent");
  a.set(kernel, a.buffer());
  a.launch(kernel, 1, 1);
}

/// A program of two parts, one of which includes a header that clCompileProgram() gets.
void run_linked(const Application& a) {
  const char* caller =
      "#include \"step.h\"\n"
      "kernel void linked(global int* p) { p[get_global_id(0)] = stepped(p[get_global_id(0)]); }";
  const char* texts[] = {"#define STEP 11\nint stepped(int x);\n",
                         "#include \"step.h\"\nint stepped(int x) { return x + STEP; }", caller};
  cl_program parts[3];
  for (size_t i = 0; i < 3; ++i)
    parts[i] = clCreateProgramWithSource(a.context, 1, &texts[i], nullptr, nullptr);
  const char* name = "step.h";
  for (size_t i = 1; i < 3; ++i)
    check(clCompileProgram(parts[i], 1, &a.device, "", 1, &parts[0], &name, nullptr, nullptr),
          "clCompileProgram");
  cl_int code = CL_SUCCESS;
  cl_program program = clLinkProgram(a.context, 1, &a.device, "", 2, &parts[1], nullptr, nullptr, &code);
  check(code, "clLinkProgram");
  cl_kernel kernel = clCreateKernel(program, "linked", nullptr);
  a.set(kernel, a.buffer());
  a.launch(kernel);
}

void run_binary(const Application& a) {
  cl_kernel first =
      a.kernel("kernel void of_binary(global int* p) { p[get_global_id(0)] -= 2; }\n", "of_binary");
  cl_program source = nullptr;
  clGetKernelInfo(first, CL_KERNEL_PROGRAM, sizeof(source), &source, nullptr);
  size_t size = 0;
  clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr);
  std::vector<unsigned char> binary(size);
  unsigned char* to = binary.data();
  clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof(to), &to, nullptr);
  const unsigned char* from = binary.data();
  cl_program program = clCreateProgramWithBinary(a.context, 1, &a.device, &size, &from, nullptr, nullptr);
  check(clBuildProgram(program, 1, &a.device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "of_binary", nullptr);
  a.set(kernel, a.buffer());
  a.launch(kernel);
}

/// A SPIR-V module with two constants that have other values than in the module.
void run_il(const Application& a) {
  const test::spirv::Words words = test::spirv::specialised_kernel();
  cl_program program =
      clCreateProgramWithIL(a.context, words.data(), words.size() * sizeof words[0], nullptr);
  const cl_uchar byte = 200;
  const cl_double real = 2.75;
  check(clSetProgramSpecializationConstant(program, test::spirv::spec_uchar, sizeof byte, &byte),
        "a constant");
  check(clSetProgramSpecializationConstant(program, test::spirv::spec_double, sizeof real, &real),
        "a constant");
  check(clBuildProgram(program, 1, &a.device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  a.set(kernel, a.buffer());
  a.launch(kernel, 1, 1);
}

void run_crash(const Application& a) {
  cl_kernel kernel = a.kernel("int square(int x) {\n"
                              "  return x * x;\n"
                              "}\n"
                              "kernel void crash(global int* p, ulong far) {\n"
                              "  size_t i = get_global_id(0);\n"
                              "  p[i] = square(p[i]);\n"
                              "  if (i == 3) p[i] = 7;\n"
                              "  p[i + far] = 1;\n"
                              "}\n",
                              "crash");
  a.set(kernel, a.buffer(), cl_ulong{1} << 44);
  a.launch(kernel);
}

/// A long source with one mistake: swapped() lacks a barrier after its first store.
constexpr const char* faulty_source = R"(
#define GROUP 64
#define STEPS 6
typedef struct {
  float sum;
  float least;
  float most;
  int count;
} Summary;

float weight(int distance, float sharpness) {
  float x = distance * sharpness;
  return 1.0f / (1.0f + x * x);
}

float smoothed(constant float* weights, global const float* in, int at, int count) {
  float sum = 0;
  for (int d = -2; d <= 2; ++d) {
    int i = clamp(at + d, 0, count - 1);
    sum += in[i] * weights[d + 2];
  }
  return sum;
}

Summary merged(Summary a, Summary b) {
  Summary result;
  result.sum = a.sum + b.sum;
  result.least = fmin(a.least, b.least);
  result.most = fmax(a.most, b.most);
  result.count = a.count + b.count;
  return result;
}

void swapped(local float* values, int item) {
  float mine = values[item];
  barrier(CLK_LOCAL_MEM_FENCE);
  values[item] = mine + 1;
  float other = values[item ^ 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  values[item] = other;
}

void bitonic(local float* values, int item) {
  for (int size = 2; size <= GROUP; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int partner = item ^ stride;
      float a = values[item], b = values[partner];
      barrier(CLK_LOCAL_MEM_FENCE);
      bool ascending = (item & size) == 0;
      bool takes_least = ascending == (item < partner);
      values[item] = takes_least ? fmin(a, b) : fmax(a, b);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void faulty(global const float* in, constant float* weights, global float* out,
                   global Summary* summaries, int count, float sharpness) {
  local float values[GROUP];
  local Summary partial[GROUP];
  int item = get_local_id(0), at = get_global_id(0);
  float value = in[at];
  value = smoothed(weights, in, at, count);
  value *= weight(item, sharpness);
  values[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  swapped(values, item);
  bitonic(values, item);
  Summary mine = {values[item], values[item], values[item], 1};
  partial[item] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = GROUP / 2; step > 0; step /= 2) {
    if (item < step) partial[item] = merged(partial[item], partial[item + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) summaries[get_group_id(0)] = partial[0];
  out[at] = values[item];
  if (partial[0].sum > 1) out[at] /= partial[0].sum;
  if (at >= count) out[at] = 0;
}
)";

void run_faulty(const Application& a) {
  constexpr cl_int count = 1024;
  cl_kernel kernel = a.kernel(faulty_source, "faulty");
  std::vector<cl_float> numbers(count);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<cl_float>(i * 37 % 101);
  cl_float weights[] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
  cl_mem in =
      clCreateBuffer(a.context, CL_MEM_COPY_HOST_PTR, count * sizeof(cl_float), numbers.data(), nullptr);
  cl_mem of_weights = clCreateBuffer(a.context, CL_MEM_COPY_HOST_PTR, sizeof(weights), weights, nullptr);
  a.set(kernel, in, of_weights, a.buffer(count), a.buffer(count), count, 0.125f);
  a.launch(kernel, count, 64);
}

struct Kind {
  std::string_view name;
  void (*run)(const Application&);
  bool is_right = true;
};
constexpr Kind kinds[] = {
    {"buffers", run_buffers},
    {"sub_buffers", run_sub_buffers},
    {"images", run_images},
    {"local", run_local},
    {"struct", run_struct},
    {"svm", run_svm},
    {"shared", run_shared},
    {"device_address", run_device_address},
    {"pointers", run_pointers},
    {"command_buffer", run_command_buffer},
    {"device_enqueue", run_device_enqueue},
    {"linked", run_linked},
    {"binary", run_binary},
    {"il", run_il},
    {"crash", run_crash, /*is_right=*/false},
    {"faulty", run_faulty, /*is_right=*/false},
};

} // namespace

int main(int count, char** arguments) {
  const Application application;
  for (int i = 1; i < count; ++i)
    for (const Kind& kind : kinds)
      if (kind.name == arguments[i] || (kind.is_right && std::string_view("all") == arguments[i]))
        kind.run(application);
}
