// Sums the squares of the first numbers, on hostcl, which the program is linked with in the place of an ICD loader.
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

static void check(cl_int status, const char* call) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s failed with %d\n", call, status);
  exit(1);
}

static const char* const source = "kernel void sum_of_squares(global atomic_uint* sum) {\n"
                                  "  uint i = get_global_id(0) + 1;\n"
                                  "  atomic_fetch_add(sum, i * i);\n"
                                  "}\n";

int main(void) {
  cl_platform_id platform;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  cl_device_id device;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "clGetDeviceIDs");
  cl_int status;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
  check(status, "clCreateCommandQueueWithProperties");

  cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "sum_of_squares", &status);
  check(status, "clCreateKernel");

  cl_uint sum = 0;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof sum, &sum, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  const size_t count = 1000;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL), "clEnqueueReadBuffer");
  printf("1 + 4 + ... + %zu = %u\n", count * count, sum);

  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return sum == count * (count + 1) * (2 * count + 1) / 6 ? 0 : 1;
}
