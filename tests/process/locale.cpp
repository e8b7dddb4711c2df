// Numbers that kernels print look the same in every locale of the application.
// usage: test_locale NAME: exits with 77 where there is no such locale

#include "support/choice.hpp"

#include <CL/cl.h>

#include <clocale>

int main(int, char** arguments) {
  if (!std::setlocale(LC_ALL, arguments[1])) return 77;
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  const char* source = R"(kernel void k(float x) { printf("%.2f %g %.1v2f\n", x, x, (float2)(x)); })";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  const cl_float x = 1.5f;
  const size_t one = 1;
  clSetKernelArg(kernel, 0, sizeof x, &x);
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
  const cl_int status = clFinish(queue);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return status == CL_SUCCESS ? 0 : 1;
}
