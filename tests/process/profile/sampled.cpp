// Runs a kernel under a timer of the process that notes where its threads are, until enough samples are in machine code
// that no file has: the kernel's. Prints these addresses as JSON.

#include "support/choice.hpp"

#include <CL/cl.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <csignal>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

namespace {

constexpr const char* source = R"(
float rounds(float x, int n) {
  for (int i = 0; i < n; ++i)
    x = x * 0.5f + native_sin(x);
  return x;
}
kernel void sampled(global float* a, int n) {
  int i = get_global_id(0);
  a[i] = rounds(a[i], n);
}
)";

constexpr std::size_t most = 1 << 16, enough = 150;
std::atomic<std::size_t> count;
std::uintptr_t places[most];

void note(int, siginfo_t*, void* context) {
  const auto* state = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
  const auto place = static_cast<std::uintptr_t>(state->uc_mcontext.gregs[REG_RIP]);
#else
  const auto place = static_cast<std::uintptr_t>(state->uc_mcontext.pc);
#endif
  if (const std::size_t i = count.fetch_add(1); i < most) places[i] = place;
}

/// Addresses of samples in memory that may be executed and is of no file.
std::vector<std::uintptr_t> made_code() {
  std::vector<std::uintptr_t> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, last = 0;
    char rights[8], path[8] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %7s %*s %*s %*s %7s", &first, &last, rights, path) < 3) continue;
    if (rights[2] != 'x' || path[0] == '/' || path[0] == '[') continue;
    for (std::size_t i = 0; i < std::min(most, count.load()); ++i)
      if (places[i] >= first && places[i] < last) found.push_back(places[i]);
  }
  return found;
}

} // namespace

int main() {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) return 1;
  cl_kernel kernel = clCreateKernel(program, "sampled", nullptr);
  const size_t items = 1 << 16;
  const cl_int n = 500;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, items * 4, nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clSetKernelArg(kernel, 1, sizeof n, &n);

  struct sigaction action = {};
  action.sa_sigaction = note;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  const itimerval each_millisecond = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &each_millisecond, nullptr);
  std::vector<std::uintptr_t> found;
  do {
    if (clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) !=
            CL_SUCCESS ||
        clFinish(queue) != CL_SUCCESS)
      return 1;
    found = made_code();
  } while (found.size() < enough && count < most);
  const itimerval never = {};
  setitimer(ITIMER_PROF, &never, nullptr);

  std::printf(R"({"process":%d,"samples":[)", getpid());
  for (std::size_t i = 0; i < found.size(); ++i)
    std::printf("%s%lu", i ? "," : "", found[i]);
  std::puts("]}");
  std::fflush(stdout);
  return 0;
}
