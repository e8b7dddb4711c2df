// Launches that a profile of the process has to have, and prints them as JSON: kernels with launches, work-items, bytes and
// operations that follow from their source.
// usage: test_profile WAY: once; threads, the same from several threads; child, from a child of fork() as well; kinds, often,
// each third launch of half as many work-items; namesakes, and kernels called "put" of two programs, one with a number more

#include "support/choice.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr const char* source = R"(
kernel void add(global float* a, global const float* b, int n) {
  int i = get_global_id(0);
  if (i < n)
    a[i] += b[i];
}
kernel void rows(global float* m, global float* sums, int n) {
  int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    m[row * n + k] = sum += m[row * n + k] * 2.0f;
  sums[row] = sum;
}
kernel void pairs(global float2* p, double scale) {
  int i = get_global_id(0);
  p[i].x = p[i].x * scale;
}
)";

constexpr size_t items = 4096;
constexpr cl_int columns = 96;

struct Session {
  Session();
  cl_kernel kernel(const char* name) const;
  void launch(cl_kernel kernel, int times, size_t number = items) const;

  cl_device_id device = test::chosen_device();
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_mem large, small;
};

Session::Session() {
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  program = clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, nullptr);
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) std::exit(1);
  large = clCreateBuffer(context, CL_MEM_READ_WRITE, items * columns * sizeof(float), nullptr, nullptr);
  small = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(float), nullptr, nullptr);
  const float zero = 0;
  clEnqueueFillBuffer(queue, large, &zero, sizeof zero, 0, items * columns * sizeof(float), 0, nullptr,
                      nullptr);
  clEnqueueFillBuffer(queue, small, &zero, sizeof zero, 0, items * sizeof(float), 0, nullptr, nullptr);
}

cl_kernel Session::kernel(const char* name) const {
  cl_kernel made = clCreateKernel(program, name, nullptr);
  const cl_int n = std::strcmp(name, "rows") == 0 ? columns : static_cast<cl_int>(items);
  const double scale = 1.5;
  clSetKernelArg(made, 0, sizeof large, &large);
  if (std::strcmp(name, "pairs") == 0) {
    clSetKernelArg(made, 1, sizeof scale, &scale);
    return made;
  }
  clSetKernelArg(made, 1, sizeof small, &small);
  clSetKernelArg(made, 2, sizeof n, &n);
  return made;
}

void Session::launch(cl_kernel kernel, int times, size_t number) const {
  for (int i = 0; i < times; ++i)
    if (clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &number, nullptr, 0, nullptr, nullptr) !=
        CL_SUCCESS)
      std::exit(1);
  if (clFinish(queue) != CL_SUCCESS) std::exit(1);
}

/// @returns launches of each kernel
int run_all(const Session& session, int times) {
  for (const char* name : {"add", "rows", "pairs"}) {
    cl_kernel kernel = session.kernel(name);
    session.launch(kernel, times);
    clReleaseKernel(kernel);
  }
  std::vector<float> read(items);
  clEnqueueReadBuffer(session.queue, session.small, CL_TRUE, 0, items * sizeof(float), read.data(), 0,
                      nullptr, nullptr);
  return times;
}

/// @returns launches of each kernel
int run_kinds(const Session& session, int times) {
  for (const char* name : {"add", "rows", "pairs"}) {
    cl_kernel kernel = session.kernel(name);
    for (int i = 0; i < times; ++i)
      session.launch(kernel, 1, i % 3 == 0 ? items / 2 : items);
    clReleaseKernel(kernel);
  }
  return times;
}

/// Launches kernels that differ in a number alone, which they do not use.
void run_namesakes(const Session& session) {
  const cl_long number = 7;
  for (const char* parameters : {"global float* a, long n", "global float* a"}) {
    const std::string text =
        "kernel void put(" + std::string(parameters) + ") {\n a[get_global_id(0)] = 1;\n}";
    const char* lines = text.c_str();
    cl_program program = clCreateProgramWithSource(session.context, 1, &lines, nullptr, nullptr);
    if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) std::exit(1);
    cl_kernel kernel = clCreateKernel(program, "put", nullptr);
    clSetKernelArg(kernel, 0, sizeof session.small, &session.small);
    if (text.find("long") != text.npos) clSetKernelArg(kernel, 1, sizeof number, &number);
    session.launch(kernel, 5);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }
}

} // namespace

int main(int, char** arguments) {
  const std::string way = arguments[1];
  const Session session;
  int launches = run_all(session, 7);
  if (way == "namesakes") run_namesakes(session);
  if (way == "kinds") launches += run_kinds(session, 900);
  int threads = 0;
  if (way == "threads") {
    std::vector<std::thread> all;
    for (threads = 0; threads < 8; ++threads)
      all.emplace_back([&] { run_all(session, 50); });
    for (std::thread& thread : all)
      thread.join();
    launches += threads * 50;
  }
  if (way == "child") {
    const pid_t child = fork();
    if (child == 0) {
      run_all(session, 3);
      std::exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    if (status != 0) return 1;
  }
  std::printf(R"({"process":%d,"launches":%d,"reads":%d,"items":%zu,"columns":%d})", getpid(), launches,
              1 + threads, items, columns);
  return 0;
}
