// An application that uses most of what a host may, on several threads, with callbacks and native kernels, and releases all
// of it. check_guest builds it with a sanitizer, or runs it under valgrind: neither has anything to say.
// guest frames: a thread with a small stack runs a kernel that needs more than it has, and that traps in the end.
// Exit status: 0 if all is right

#include <CL/cl.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

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

void run_threads(const Host& host) {
  std::vector<std::thread> threads;
  run_thread(host);
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] { run_thread(host); });
  for (std::thread& thread : threads)
    thread.join();
}

/// A kernel in which 1,000 vectors of 128 bytes are live at once.
std::string large_frame_source() {
  constexpr int vectors = 1000;
  std::string text = "kernel void large(global ulong* o, int traps) {\n";
  const auto each = [&](auto&& line) {
    for (int i = 0; i < vectors; ++i)
      text += line("v" + std::to_string(i), "v" + std::to_string((i + 333) % vectors), std::to_string(i));
  };
  each([](auto v, auto, auto i) { return "ulong16 " + v + " = vload16(0, o + " + i + ");\n"; });
  for (int iteration = 0; iteration < 3; ++iteration)
    each([](auto v, auto other, auto) { return v + " = (" + v + " << 1) + " + other + ";\n"; });
  text += "if (traps) __builtin_trap();\nulong16 t = 0;\n";
  each([](auto v, auto, auto) { return "t = t * 3 + " + v + ";\n"; });
  return text + "o[0] = t.s0;\n}\n";
}

/// The frame is left by longjmp() where the kernel traps.
void run_large_frames(const Host& host, cl_program program) {
  cl_int code = 0;
  cl_command_queue queue = clCreateCommandQueueWithProperties(host.context, host.device, nullptr, &code);
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_READ_WRITE, 1016 * sizeof(cl_ulong), nullptr, &code);
  cl_kernel large = clCreateKernel(program, "large", &code);
  const size_t one = 1;
  clSetKernelArg(large, 0, sizeof buffer, &buffer);
  for (const cl_int traps : {0, 1}) {
    clSetKernelArg(large, 1, sizeof traps, &traps);
    check(clEnqueueNDRangeKernel(queue, large, 1, nullptr, &one, &one, 0, nullptr, nullptr) == CL_SUCCESS);
    check(clFinish(queue) == (traps ? CL_OUT_OF_RESOURCES : CL_SUCCESS));
  }
  clReleaseKernel(large);
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
}

void run_on_small_stack(const Host& host) {
  const std::string source = large_frame_source();
  const char* text = source.c_str();
  cl_program program = clCreateProgramWithSource(host.context, 1, &text, nullptr, nullptr);
  check(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  struct Call {
    const Host& host;
    cl_program program;
  } call{host, program};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 100 << 10);
  pthread_t thread;
  const auto main = [](void* argument) -> void* {
    const auto& [host, program] = *static_cast<Call*>(argument);
    run_large_frames(host, program);
    return nullptr;
  };
  check(pthread_create(&thread, &attributes, main, &call) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  clReleaseProgram(program);
}

} // namespace

int main(int count, char**) {
  const cl_platform_id platform = find_platform();
  if (!platform) return 1;
  Host host{};
  cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &host.device, nullptr);
  check(code == CL_SUCCESS);
  host.context = clCreateContext(nullptr, 1, &host.device, nullptr, nullptr, &code);
  host.program =
      clCreateProgramWithSource(host.context, 1, const_cast<const char**>(&source), nullptr, &code);
  check(clBuildProgram(host.program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  if (count > 1)
    run_on_small_stack(host);
  else
    run_threads(host);
  clReleaseProgram(host.program);
  clReleaseContext(host.context);
  return failures != 0;
}
