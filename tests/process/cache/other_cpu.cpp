// Kernels with results that every CPU computes alike, from source or from a program binary.
// usage: test_other_cpu save FILE [KERNEL...]  builds from source, runs, and writes the binary
//        test_other_cpu run FILE [KERNEL...]   builds from the binary, and runs
//        test_other_cpu source FILE            writes the source
// The first two print a checksum of what each kernel wrote: all of them, or those that are named.

#include "support/choice.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr size_t items = 1000;
constexpr const char* kernels[] = {"integers", "conversions", "floats", "groups", "atomics", "scattered"};
constexpr const char* source = R"(
#pragma OPENCL FP_CONTRACT OFF
kernel void integers(global uint* v) {
  size_t i = get_global_id(0);
  ulong x = i * 0x9e3779b97f4a7c15ul;
  v[i] = popcount(x) + clz((uint)x) + (uint)rotate(x, (ulong)i) + mul_hi((uint)x, 77u) + add_sat((uint)x, 0x80000000u)
       + (uint)(x / (i + 1)) + (uint)(x % 1000003ul) + abs_diff((int)x, (int)i) + (uint)mad_hi(x, x, x);
}
kernel void conversions(global uint* v) {
  size_t i = get_global_id(0);
  float x = (float)i * 1.37f - 300.0f;
  half h[1];
  vstore_half(x, 0, h);
  v[i] = as_uint(vload_half(0, h)) + convert_uchar_sat(x) + convert_int_rte(x) + (uint)convert_short_sat_rtp(x * 99)
       + as_uint(convert_float_rtz(i * 0x123456789ul)) + (uint)as_ulong((double)x);
}
kernel void floats(global uint* v) {
  size_t i = get_global_id(0);
  float x = (float)i / 8;
  v[i] = as_uint(fma(x, x, -x)) + as_uint(sqrt(x)) + as_uint(floor(x)) + as_uint(rint(x)) + as_uint(fmod(x, 1.5f))
       + as_uint(ldexp(x, 3)) + as_uint(copysign(x, -1.0f)) + (uint)as_ulong(fma((double)x, 3.0, 1e-9));
}
kernel void groups(global uint* v) {
  local uint shared_sum[64];
  size_t i = get_global_id(0), l = get_local_id(0) % 64;
  shared_sum[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&shared_sum[(l * 7) % 64], (uint)l);
  barrier(CLK_LOCAL_MEM_FENCE);
  v[i] = shared_sum[l] + work_group_scan_inclusive_add((uint)i) + work_group_reduce_max((uint)i);
}
kernel void atomics(global uint* v) {
  size_t i = get_global_id(0);
  atomic_add(&v[i % 10], (uint)i);
  atomic_max(&v[10 + i % 10], (uint)i);
  atomic_xor(&v[20 + i % 10], (uint)i * 3);
}
kernel void scattered(global uint* v) {
  size_t i = get_global_id(0);
  uint sum = 0;
  for (size_t n = i % 9; n < 20 && sum < 5000; ++n) sum += n * (i & n ? 3 : 5);
  v[(i * 377) % 1000] = sum;
}
)";

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::_Exit(1);
}

struct Device {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
};

cl_program from_source(const Device& d) {
  const char* text = source;
  return clCreateProgramWithSource(d.context, 1, &text, nullptr, nullptr);
}

cl_program from_binary(const Device& d, const char* file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string binary((std::istreambuf_iterator<char>(stream)), {});
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  return clCreateProgramWithBinary(d.context, 1, &d.device, &size, &bytes, nullptr, nullptr);
}

void save(cl_program program, const char* file) {
  size_t size = 0;
  clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
  std::vector<char> binary(size);
  char* place = binary.data();
  require(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr) == CL_SUCCESS,
          "CL_PROGRAM_BINARIES");
  std::ofstream(file, std::ios::binary).write(place, static_cast<std::streamsize>(size));
}

/// Prints a checksum of what the kernel writes.
void run(const Device& d, cl_program program, const char* name) {
  std::vector<cl_uint> values(items);
  cl_mem buffer = clCreateBuffer(d.context, CL_MEM_COPY_HOST_PTR, items * 4, values.data(), nullptr);
  cl_kernel kernel = clCreateKernel(program, name, nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  const size_t global = items, local = 100;
  require(clEnqueueNDRangeKernel(d.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr) ==
              CL_SUCCESS,
          name);
  require(clEnqueueReadBuffer(d.queue, buffer, CL_TRUE, 0, items * 4, values.data(), 0, nullptr, nullptr) ==
              CL_SUCCESS,
          name);
  cl_ulong sum = 0;
  for (const cl_uint value : values)
    sum = sum * 6364136223846793005u + value;
  std::printf("%s %016lx\n", name, static_cast<unsigned long>(sum));
  clReleaseKernel(kernel);
  clReleaseMemObject(buffer);
}

} // namespace

int main(int count, char** arguments) {
  require(count >= 3, "usage: test_other_cpu save|run|source FILE [KERNEL...]");
  if (std::strcmp(arguments[1], "source") == 0) {
    std::ofstream(arguments[2], std::ios::binary) << source;
    return 0;
  }
  const bool saves = std::strcmp(arguments[1], "save") == 0;
  const Device device;
  cl_program program = saves ? from_source(device) : from_binary(device, arguments[2]);
  require(program, "a program");
  require(clBuildProgram(program, 0, nullptr, saves ? "-cl-std=CL3.0" : "", nullptr, nullptr) == CL_SUCCESS,
          "clBuildProgram");
  const std::vector<const char*> named(arguments + 3, arguments + count);
  for (const char* name : named.empty() ? std::vector(std::begin(kernels), std::end(kernels)) : named)
    run(device, program, name);
  if (saves) save(program, arguments[2]);
  clReleaseProgram(program);
  clReleaseCommandQueue(device.queue);
  clReleaseContext(device.context);
}
