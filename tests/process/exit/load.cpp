// Opens the driver's library without any loader, finds the device through the ICD entry points, and runs a
// kernel through the dispatch table of the objects: what a loader does.
// usage: test_load LIBRARY

#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <iterator>

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

const cl_icd_dispatch& dispatch(void* object) {
  return **static_cast<cl_icd_dispatch**>(object);
}

/// Every slot of the 3.0 table is filled, also those of calls that are not supported. Only for Direct3D's
/// slots the header has no type on this system, and nothing could call them.
void check_table(const cl_icd_dispatch& t) {
  const void* const direct3d[] = {
      &t.clGetDeviceIDsFromD3D10KHR,          &t.clCreateFromD3D10BufferKHR,
      &t.clCreateFromD3D10Texture2DKHR,       &t.clCreateFromD3D10Texture3DKHR,
      &t.clEnqueueAcquireD3D10ObjectsKHR,     &t.clEnqueueReleaseD3D10ObjectsKHR,
      &t.clGetDeviceIDsFromD3D11KHR,          &t.clCreateFromD3D11BufferKHR,
      &t.clCreateFromD3D11Texture2DKHR,       &t.clCreateFromD3D11Texture3DKHR,
      &t.clCreateFromDX9MediaSurfaceKHR,      &t.clEnqueueAcquireD3D11ObjectsKHR,
      &t.clEnqueueReleaseD3D11ObjectsKHR,     &t.clGetDeviceIDsFromDX9MediaAdapterKHR,
      &t.clEnqueueAcquireDX9MediaSurfacesKHR, &t.clEnqueueReleaseDX9MediaSurfacesKHR,
  };
  const auto* first = reinterpret_cast<void* const*>(&t);
  const auto* last = reinterpret_cast<void* const*>(&t.clSetContextDestructorCallback);
  int empty = 0;
  for (const auto* slot = first; slot <= last; ++slot) {
    if (*slot || std::find(std::begin(direct3d), std::end(direct3d), slot) != std::end(direct3d)) continue;
    std::fprintf(stderr, "slot %td is empty\n", slot - first);
    ++empty;
  }
  require(empty == 0, "no slot of the dispatch table is empty");
}

void run_kernel(cl_platform_id platform, const cl_icd_dispatch& cl) {
  cl_device_id device = nullptr;
  require(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) == CL_SUCCESS,
          "clGetDeviceIDs");
  cl_int error = CL_SUCCESS;
  cl_context context = cl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  require(error == CL_SUCCESS, "clCreateContext");
  cl_command_queue queue = cl.clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  const char* source = "kernel void k(global int* v) { v[get_global_id(0)] = get_global_id(0) * 3; }";
  cl_program program = cl.clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  require(cl.clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "clBuildProgram");
  cl_kernel kernel = cl.clCreateKernel(program, "k", &error);
  cl_mem buffer = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, 400, nullptr, &error);
  cl.clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  const size_t size = 100;
  require(cl.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr) ==
              CL_SUCCESS,
          "clEnqueueNDRangeKernel");
  int values[100] = {};
  require(cl.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 400, values, 0, nullptr, nullptr) == CL_SUCCESS,
          "clEnqueueReadBuffer");
  for (int i = 0; i < 100; ++i)
    require(values[i] == i * 3, "the kernel's values");
  cl.clReleaseMemObject(buffer);
  cl.clReleaseKernel(kernel);
  cl.clReleaseProgram(program);
  cl.clReleaseCommandQueue(queue);
  cl.clReleaseContext(context);
}

} // namespace

int main(int count, char** arguments) {
  require(count == 2, "one argument, the library");
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  const std::chrono::duration<double, std::milli> opened = clock::now() - start;
  if (!library) std::fprintf(stderr, "%s\n", dlerror());
  require(library, "dlopen");

  const auto address =
      reinterpret_cast<void* (*)(const char*)>(dlsym(library, "clGetExtensionFunctionAddress"));
  require(address, "clGetExtensionFunctionAddress is exported");
  const auto platforms =
      reinterpret_cast<cl_int (*)(cl_uint, cl_platform_id*, cl_uint*)>(address("clIcdGetPlatformIDsKHR"));
  require(platforms, "clIcdGetPlatformIDsKHR has an address");
  cl_uint number = 0;
  cl_platform_id platform = nullptr;
  require(platforms(1, &platform, &number) == CL_SUCCESS && number == 1, "there is one platform");
  require(platforms(0, &platform, &number) == CL_INVALID_VALUE, "room for 0 platforms is CL_INVALID_VALUE");
  require(platforms(0, nullptr, nullptr) == CL_INVALID_VALUE, "neither list nor count is CL_INVALID_VALUE");

  const cl_icd_dispatch& cl = dispatch(platform);
  check_table(cl);
  char suffix[32] = {};
  require(cl.clGetPlatformInfo(platform, CL_PLATFORM_ICD_SUFFIX_KHR, sizeof suffix, suffix, nullptr) ==
              CL_SUCCESS,
          "the ICD suffix");
  require(suffix[0] != '\0', "the ICD suffix is not empty");
  run_kernel(platform, cl);
  std::printf("dlopen took %.1f ms, suffix %s, a kernel ran\n", opened.count(), suffix);
  return 0;
}
