/* A program in C loads a library with an allocator of its own, then the driver, and runs a kernel.
   usage: test_other_allocator LIBRARY */

#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}

/* The driver's platform, or null. */
static cl_platform_id find_platform(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  require(clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS, "clGetPlatformIDs");
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    char name[64] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (strcmp(name, "hostcl") == 0) return platforms[i];
  }
  return NULL;
}

static void run_kernel(cl_device_id device) {
  const char* source = "kernel void k(global int* v) { v[get_global_id(0)] += get_global_id(0); }";
  cl_int error = 0, values[256];
  const size_t items = 256;
  for (int i = 0; i < 256; ++i)
    values[i] = i;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  require(clBuildProgram(program, 1, &device, "-Werror", NULL, NULL) == CL_SUCCESS, "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL) == CL_SUCCESS, "a launch");
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
  for (int i = 0; i < 256; ++i)
    require(values[i] == 2 * i, "the kernel's results");
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

int main(int count, char** arguments) {
  require(count == 2, "usage: test_other_allocator LIBRARY");
  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) fprintf(stderr, "%s\n", dlerror());
  require(library != NULL, "the library is loaded");
  int (*uses_its_allocator)(void) = (int (*)(void))dlsym(library, "uses_its_allocator");
  require(uses_its_allocator && uses_its_allocator(), "the C++ library uses its allocator");
  cl_platform_id platform = find_platform();
  if (!platform) {
    printf("another platform is tested\n");
    return 77;
  }
  cl_device_id device = NULL;
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "clGetDeviceIDs");
  run_kernel(device);
  require(uses_its_allocator(), "the library goes on using its allocator");
  printf("the driver takes and gives back memory of its own\n");
  return 0;
}
