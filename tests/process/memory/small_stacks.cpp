// Kernels with private arrays of all sizes, launched and waited for by threads with small stacks, as coroutines and other
// C libraries make them: a blocking call runs the kernel on its thread. Programs are built there as well.
// usage: test_small_stacks [BYTES]...: sizes of the private arrays

#include "support/choice.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <pthread.h>

namespace {

using uint = cl_uint;

// N is the number of elements.
const char* source = R"(
#define FILL(a, n, x) for (uint j = 0; j < (n); j++) (a)[j] = (x) * j + s
#define SUM(a, n, x) for (uint j = 0; j < (n); j++) t += (a)[(j * 7 + (x)) % (n)]

kernel void barriers(global uint* o, uint s) {
  uint i = get_global_id(0), t = 0, a[N];
  FILL(a, N, i);
  barrier(CLK_GLOBAL_MEM_FENCE);
  SUM(a, N, i);
  barrier(CLK_LOCAL_MEM_FENCE);
  SUM(a, N, i + 1);
  o[i] = t;
}
kernel void plain(global uint* o, uint s) {
  uint i = get_global_id(0), t = 0, a[N];
  FILL(a, N, i);
  SUM(a, N, i);
  SUM(a, N, i + 1);
  o[i] = t;
}
__attribute__((noinline)) uint leaf(uint i, uint s, uint t) {
  uint a[N / 2];
  FILL(a, N / 2, i);
  SUM(a, N / 2, i);
  return t;
}
__attribute__((noinline)) uint middle(uint i, uint s, uint t) {
  uint a[N / 2];
  FILL(a, N / 2, i);
  t = leaf(i, s, t);
  SUM(a, N / 2, i);
  return t;
}
kernel void calls(global uint* o, uint s) {
  uint i = get_global_id(0);
  o[i] = leaf(i, s, middle(i, s, 0));
}
struct Block { uint v[N / 2]; };
__attribute__((noinline)) uint of_block(struct Block b, uint i, uint t) {
  b.v[1] += 1;
  SUM(b.v, N / 2, i);
  return t;
}
kernel void values(global uint* o, uint s) {
  uint i = get_global_id(0);
  struct Block b;
  FILL(b.v, N / 2, i);
  o[i] = of_block(b, i, of_block(b, i, 0));
}
kernel void cases(global uint* o, uint s) {
  uint i = get_global_id(0), t = 0, a[N / 2], b[N / 2];
  switch (i % 3) {
  case 0: FILL(a, N / 2, i); SUM(a, N / 2, i); break;
  case 1: FILL(b, N / 2, i); SUM(b, N / 2, i); break;
  default: FILL(a, N / 2, i); FILL(b, N / 2, i + 1); SUM(a, N / 2, i); SUM(b, N / 2, i);
  }
  o[i] = t;
}
// Registers for 20 vectors of 16 numbers are spilled, for many work-items at once.
kernel void spills(global uint* o, uint s) {
  uint i = get_global_id(0);
  float16 v[20];
  for (uint j = 0; j < 20; j++) v[j] = (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + i * j + s;
  for (uint k = 0; k < 50; k++) {
    for (uint j = 0; j < 20; j++) v[j] = v[(j + 7) % 20] * 1.01f + sin(v[j]);
  }
  float16 t = 0;
  for (uint j = 0; j < 20; j++) t += v[j];
  o[i] = any(isnan(t)) ? 0 : s + i;
}
kernel void prints(global uint* o, uint s) {
  uint i = get_global_id(0), t = 0, a[N];
  FILL(a, N, i);
  SUM(a, N, i);
  if (i == 0) printf("%d %f %v4hld %s %.200f %a\n", (int)t, 1e300, (int4)(1, 2, 3, 4), "text", 1e308, 1.0);
  o[i] = t;
}
)";

uint sum(uint n, uint fill, uint s, uint at, uint plus = 0) {
  uint t = 0;
  for (uint j = 0; j < n; ++j) {
    const uint index = (j * 7 + at) % n;
    t += fill * index + s + (index == 1 ? plus : 0);
  }
  return t;
}

struct Case {
  const char* kernel;
  uint (*expected)(uint n, uint i, uint s);
};

constexpr Case cases[] = {
    {"barriers", [](uint n, uint i, uint s) { return sum(n, i, s, i) + sum(n, i, s, i + 1); }},
    {"plain", [](uint n, uint i, uint s) { return sum(n, i, s, i) + sum(n, i, s, i + 1); }},
    {"calls", [](uint n, uint i, uint s) { return 3 * sum(n / 2, i, s, i); }},
    {"values", [](uint n, uint i, uint s) { return 2 * sum(n / 2, i, s, i, 1); }},
    {"cases",
     [](uint n, uint i, uint s) {
       return i % 3 < 2 ? sum(n / 2, i, s, i) : sum(n / 2, i, s, i) + sum(n / 2, i + 1, s, i);
     }},
    {"spills", [](uint, uint i, uint s) { return s + i; }},
    {"prints", [](uint n, uint i, uint s) { return sum(n, i, s, i); }},
};

constexpr size_t items = 64;
cl_device_id device;
cl_context context;
cl_command_queue queue;
int failures = 0;

void check(bool right, const std::string& what, cl_int code) {
  if (right) return;
  std::fprintf(stderr, "failed: %s: %d\n", what.c_str(), code);
  ++failures;
}

/// Calls the function on a thread with such a stack.
void on_stack(size_t kilobytes, std::function<void()> function) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kilobytes << 10);
  pthread_t thread;
  const auto main = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, main, &function) != 0) std::abort();
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

/// Launches with groups of one work-item and of several, and waits.
void launch(cl_kernel kernel, cl_mem buffer, uint s, std::vector<uint>& results, cl_int& code) {
  code = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  if (!code) code = clSetKernelArg(kernel, 1, sizeof s, &s);
  for (const size_t local : {1, 8, 64}) {
    if (!code) code = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr);
    if (!code) code = clFinish(queue);
  }
  // Once more on a thread of the driver.
  cl_event event = nullptr;
  const size_t most = 64;
  if (!code) code = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &most, 0, nullptr, &event);
  if (!code) code = clFlush(queue);
  for (cl_int status = CL_QUEUED; !code && status > CL_COMPLETE;)
    code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  if (event) clReleaseEvent(event);
  if (!code)
    code =
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, items * sizeof s, results.data(), 0, nullptr, nullptr);
}

void run(const Case& which, cl_program program, cl_mem buffer, uint n, size_t kilobytes) {
  constexpr uint s = 5;
  const std::string what = std::string(which.kernel) + " of " + std::to_string(4 * n) + " bytes, stack of " +
                           std::to_string(kilobytes) + " KB";
  std::vector<uint> results(items);
  cl_int code = 1;
  on_stack(kilobytes, [&] {
    cl_kernel kernel = clCreateKernel(program, which.kernel, &code);
    if (!code) launch(kernel, buffer, s, results, code);
    if (kernel) clReleaseKernel(kernel);
  });
  check(code == CL_SUCCESS, what, code);
  if (code) return;
  for (uint i = 0; i < items; ++i)
    if (results[i] != which.expected(n, i, s))
      return check(false, what + ": the result", static_cast<cl_int>(i));
}

void run_all(uint bytes) {
  const uint n = bytes / sizeof(uint);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(uint), nullptr, nullptr);
  const std::string options = "-cl-std=CL3.0 -DN=" + std::to_string(n);
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  cl_int code = 1;
  on_stack(16, [&] { code = clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr); });
  check(code == CL_SUCCESS, "the build", code);
  for (const Case& each : cases)
    for (const size_t kilobytes : {16, 64, 128, 224})
      run(each, program, buffer, n, kilobytes);
  clReleaseProgram(program);
  clReleaseMemObject(buffer);
}

} // namespace

int main(int count, char** arguments) {
  if (!std::freopen("/dev/null", "w", stdout)) return 1; // what kernels print
  device = test::chosen_device();
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  std::vector<uint> sizes;
  for (int i = 1; i < count; ++i)
    sizes.push_back(static_cast<uint>(std::atol(arguments[i])));
  if (sizes.empty()) sizes = {1000, 14000, 50000, 65536, 100000, 262000, 300000, 1000000};
  for (const uint bytes : sizes)
    run_all(bytes);
  return failures;
}
