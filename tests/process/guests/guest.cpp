// An application that uses most of what a host may, on several threads, with callbacks and native kernels, and releases all
// of it. check_guest builds it with a sanitizer, or runs it under valgrind: neither has anything to say.
// Exit status: 0 if all is right

#include <CL/cl.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace {

std::atomic<int> failures = 0;
void check(bool right) {
  failures += !right;
}

cl_platform_id find_platform() {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  check(clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS);
  for (cl_uint i = 0; i < count; ++i) {
    char name[100] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (std::strstr(name, "hostcl")) return platforms[i];
  }
  return nullptr;
}

/// What a callback and the host hand over to each other, without atomic operations: the calls order them.
struct Handed {
  cl_event user_event = nullptr;
  int by_host = 0, by_callback = 0, by_native_kernel = 0;
};

void CL_CALLBACK at_end(cl_event, cl_int status, void* data) {
  auto& handed = *static_cast<Handed*>(data);
  handed.by_callback = status == CL_COMPLETE ? handed.by_host + 1 : -1;
  clSetUserEventStatus(handed.user_event, CL_COMPLETE);
}

void CL_CALLBACK native(void* arguments) {
  Handed* handed;
  std::memcpy(&handed, arguments, sizeof handed);
  handed->by_native_kernel = handed->by_host + 2;
}

constexpr size_t items = 100'000;

const char* const source = R"(
  kernel void sum(global int* to, global const int* from, local int* part) {
    size_t i = get_global_id(0), l = get_local_id(0);
    part[l] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[i] = part[l] + part[l ^ 1];
  }
  kernel void slow(global int* to) {
    size_t i = get_global_id(0);
    int x = to[i];
    for (int k = 0; k < 300; k++) x = x * 1103515245 + 12345;
    to[i] = x;
  }
)";

struct Host {
  cl_device_id device;
  cl_context context;
  cl_program program;
};

/// A command that a callback tells of, and what the host learns of it.
void hand_over(const Host& host, cl_command_queue queue) {
  Handed handed;
  cl_int code = 0;
  handed.user_event = clCreateUserEvent(host.context, &code);
  handed.by_host = 1;
  cl_event marker = nullptr;
  Handed* const argument = &handed;
  check(clEnqueueNativeKernel(queue, native, const_cast<Handed**>(&argument), sizeof argument, 0, nullptr,
                              nullptr, 0, nullptr, &marker) == CL_SUCCESS);
  check(clSetEventCallback(marker, CL_COMPLETE, at_end, &handed) == CL_SUCCESS);
  check(clFlush(queue) == CL_SUCCESS);
  check(clWaitForEvents(1, &handed.user_event) == CL_SUCCESS);
  check(handed.by_callback == 2 && handed.by_native_kernel == 3);
  clReleaseEvent(marker);
  clReleaseEvent(handed.user_event);
}

void run_kernels(const Host& host, cl_command_queue queue) {
  std::vector<int> numbers(items, 7);
  cl_int code = 0;
  cl_mem from = clCreateBuffer(host.context, CL_MEM_READ_ONLY, items * sizeof(int), nullptr, &code);
  cl_mem to = clCreateBuffer(host.context, CL_MEM_READ_WRITE, items * sizeof(int), nullptr, &code);
  cl_kernel sum = clCreateKernel(host.program, "sum", &code),
            slow = clCreateKernel(host.program, "slow", &code);
  const size_t local = 32;
  clSetKernelArg(sum, 0, sizeof to, &to);
  clSetKernelArg(sum, 1, sizeof from, &from);
  clSetKernelArg(sum, 2, local * sizeof(int), nullptr);
  clSetKernelArg(slow, 0, sizeof to, &to);
  for (int& number : numbers)
    number += static_cast<int>(&number - numbers.data());
  // None of these blocks: threads of the driver read and write the host's memory.
  clEnqueueWriteBuffer(queue, from, CL_FALSE, 0, items * sizeof(int), numbers.data(), 0, nullptr, nullptr);
  check(clEnqueueNDRangeKernel(queue, sum, 1, nullptr, &items, &local, 0, nullptr, nullptr) == CL_SUCCESS);
  clEnqueueReadBuffer(queue, to, CL_FALSE, 0, items * sizeof(int), numbers.data(), 0, nullptr, nullptr);
  check(clEnqueueNDRangeKernel(queue, slow, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) == CL_SUCCESS);
  clFlush(queue);
  check(clFinish(queue) == CL_SUCCESS);
  for (size_t i = 0; i < items; ++i)
    check(numbers[i] == 14 + static_cast<int>(i + (i ^ 1)));
  clReleaseKernel(sum);
  clReleaseKernel(slow);
  clReleaseMemObject(from);
  clReleaseMemObject(to);
}

void run_thread(const Host& host) {
  cl_int code = 0;
  cl_command_queue queue = clCreateCommandQueueWithProperties(host.context, host.device, nullptr, &code);
  check(code == CL_SUCCESS);
  for (int iteration = 0; iteration < 3; ++iteration) {
    run_kernels(host, queue);
    hand_over(host, queue);
  }
  clReleaseCommandQueue(queue);
}

} // namespace

int main() {
  const cl_platform_id platform = find_platform();
  if (!platform) return 1;
  Host host{};
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &host.device, nullptr);
  check(code == CL_SUCCESS);
  host.context = clCreateContext(nullptr, 1, &host.device, nullptr, nullptr, &code);
  host.program =
      clCreateProgramWithSource(host.context, 1, const_cast<const char**>(&source), nullptr, &code);
  check(clBuildProgram(host.program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  std::vector<std::thread> threads;
  run_thread(host);
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] { run_thread(host); });
  for (std::thread& thread : threads)
    thread.join();
  clReleaseProgram(host.program);
  clReleaseContext(host.context);
  return failures != 0;
}
