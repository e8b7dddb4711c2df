// An application that does not look at errors: WAY says what it does if the first call of clCreateBuffer,
// clEnqueueMapBuffer or clWaitForEvents fails. It ends with status 0 if no call fails.
// usage: test_mishandles crash|copy|driver|kernel|abort|hang|ignore|message|silent

#include "support/choice.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <unistd.h>

namespace {

/// Runs a kernel that writes to the address.
void write_by_kernel(cl_context context, cl_command_queue queue, void* address) {
  const char* source = "kernel void k(global int* v) { v[get_global_id(0)] = 1; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  clSetKernelArgSVMPointer(kernel, 0, address);
  const size_t size = 64;
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr);
  clFinish(queue);
}

} // namespace

int main(int count, char** arguments) {
  const std::string_view way = count > 1 ? arguments[1] : "";
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  cl_int code = CL_SUCCESS;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &code);
  if (!buffer) {
    if (way == "message") std::fprintf(stderr, "no memory for a buffer: error %d\n\n", code);
    if (way == "message" || way == "silent") return 3;
    if (way == "ignore") return 0;
    if (way == "abort") std::abort();
    while (way == "hang")
      pause();
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &code);
    void* const nowhere = reinterpret_cast<void*>(64);
    if (way == "kernel") write_by_kernel(context, queue, nowhere);
    if (way == "driver") // which copies from the address that the application gives
      clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, nowhere, 0, nullptr, nullptr);
  }
  auto* mapped = static_cast<volatile int*>(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, nullptr, nullptr, &code));
  if (way == "copy")
    std::memset(const_cast<int*>(mapped), 1, 4096);
  else
    *mapped = 1;
  clEnqueueUnmapMemObject(queue, buffer, const_cast<int*>(mapped), 0, nullptr, nullptr);
  return clFinish(queue) == CL_SUCCESS ? 0 : 3;
}
