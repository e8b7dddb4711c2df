// A process that may have only few threads: limits of users, of address space and of containers. Commands run
// on those that there are. usage: test_few_threads MORE: how many threads can be started once the first
// kernel has run

#include "support/choice.hpp"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <pthread.h>
#include <string>
#include <vector>

namespace {

/// How many of the threads started since `has_limit` live, and how many may. Threads of before do not count: those that
/// compiled the first kernel may end at any time.
std::atomic<int> living = 0;
std::atomic<bool> has_limit = false;
int limit = 0;

struct Start {
  void* (*function)(void*);
  void* argument;
};

void* run_and_count(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  void* result = start->function(start->argument);
  --living;
  return result;
}

} // namespace

/// What the driver and its libraries call instead of the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                              void* argument) noexcept {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (!has_limit) return create(thread, attributes, function, argument);
  if (++living > limit) {
    --living;
    return EAGAIN;
  }
  auto start = std::make_unique<Start>(function, argument);
  const int status = create(thread, attributes, run_and_count, start.get());
  if (status == 0)
    static_cast<void>(start.release());
  else
    --living;
  return status;
}

namespace {

constexpr const char* source = R"(
kernel void count(global uint* v, uint n) {
  const uint i = get_global_id(0);
  uint x = i;
  for (uint k = 0; k < n; ++k) x = x * 1664525u + 1013904223u;
  v[i] += x;
})";

cl_uint expected(cl_uint item, cl_uint iterations) {
  for (; iterations; --iterations)
    item = item * 1664525u + 1013904223u;
  return item;
}

/// Twice, for what the first launch finds out. @returns whether each work-item has run exactly as often
bool runs_whole(cl_context context, cl_command_queue queue, cl_kernel kernel) {
  const size_t items = 1 << 16, local = 64;
  const cl_uint iterations = 1000;
  std::vector<cl_uint> values(items);
  cl_mem buffer =
      clCreateBuffer(context, CL_MEM_USE_HOST_PTR, items * sizeof(cl_uint), values.data(), nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clSetKernelArg(kernel, 1, sizeof iterations, &iterations);
  for (int launch = 0; launch < 2; ++launch)
    if (clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr) != CL_SUCCESS)
      return false;
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, items * sizeof(cl_uint), values.data(), 0, nullptr, nullptr);
  clReleaseMemObject(buffer);
  for (cl_uint item = 0; item < items; ++item)
    if (values[item] != 2 * expected(item, iterations)) {
      std::fprintf(stderr, "item %u: %u instead of %u\n", item, values[item], 2 * expected(item, iterations));
      return false;
    }
  return true;
}

cl_int build(cl_context context, const std::string& code, cl_program& program) {
  const char* text = code.c_str();
  program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  return clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
}

/// Where the compiler can have no thread, it works on the one that calls it, and its crashes are a build's failure still.
bool compiles(cl_context context, cl_command_queue queue) {
  std::string deep = "kernel void k(global int* p) { p[0] = p[1]";
  for (int i = 0; i < 600'000; ++i)
    deep += "+1";
  cl_program program;
  if (build(context, deep + "; }", program) != CL_BUILD_PROGRAM_FAILURE) return false;
  clReleaseProgram(program);
  if (build(context, std::string(source) + "// another one", program) != CL_SUCCESS) return false;
  cl_kernel kernel = clCreateKernel(program, "count", nullptr);
  const bool whole = runs_whole(context, queue, kernel);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return whole;
}

template <class Function>
Function extension(const char* name) {
  return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(test::find_platform(), name));
}

/// A semaphore of several processes needs a thread for its waits: without one they are refused, and those of others
/// need none.
bool waits_or_refuses(cl_context context, cl_command_queue queue, bool has_threads) {
  const auto create = extension<clCreateSemaphoreWithPropertiesKHR_fn>("clCreateSemaphoreWithPropertiesKHR");
  const auto signal = extension<clEnqueueSignalSemaphoresKHR_fn>("clEnqueueSignalSemaphoresKHR");
  const auto wait = extension<clEnqueueWaitSemaphoresKHR_fn>("clEnqueueWaitSemaphoresKHR");
  const auto release = extension<clReleaseSemaphoreKHR_fn>("clReleaseSemaphoreKHR");
  const cl_semaphore_properties_khr plain[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0},
                                    shared[] = {CL_SEMAPHORE_TYPE_KHR,
                                                CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                0,
                                                0};
  for (const auto* properties : {plain, shared}) {
    const cl_semaphore_khr semaphore = create(context, properties, nullptr);
    if (!semaphore || signal(queue, 1, &semaphore, nullptr, 0, nullptr, nullptr) != CL_SUCCESS) return false;
    const cl_int waited = wait(queue, 1, &semaphore, nullptr, 0, nullptr, nullptr);
    const cl_int expected = properties == plain || has_threads ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
    if (waited != expected && !(has_threads && waited == CL_OUT_OF_RESOURCES)) return false;
    if (clFinish(queue) != CL_SUCCESS || release(semaphore) != CL_SUCCESS) return false;
  }
  return true;
}

/// Callbacks, each of which calls the next one by a user event until so many are nested that the driver defers further
/// ones. The last one waits for a command that another callback lets go on.
struct Nested {
  cl_command_queue queue;
  std::vector<cl_event> events;
  std::size_t reached = 0;
  cl_event gate;
  cl_int waited = 1;
};

void CL_CALLBACK open_gate(cl_event, cl_int, void* gate) {
  clSetUserEventStatus(static_cast<cl_event>(gate), CL_COMPLETE);
}

void CL_CALLBACK nest(cl_event, cl_int, void* argument) {
  Nested& nested = *static_cast<Nested*>(argument);
  if (++nested.reached < nested.events.size()) {
    clSetUserEventStatus(nested.events[nested.reached], CL_COMPLETE);
    return;
  }
  cl_event first, second;
  clEnqueueMarkerWithWaitList(nested.queue, 0, nullptr, &first);
  clSetEventCallback(first, CL_COMPLETE, open_gate, nested.gate);
  clEnqueueMarkerWithWaitList(nested.queue, 1, &nested.gate, &second);
  nested.waited = clWaitForEvents(1, &second);
  clReleaseEvent(first);
  clReleaseEvent(second);
}

bool waits_in_nested_callbacks(cl_context context, cl_command_queue queue) {
  constexpr std::size_t most = 64; // of the driver
  Nested nested{queue, std::vector<cl_event>(most), 0, clCreateUserEvent(context, nullptr)};
  for (cl_event& event : nested.events) {
    event = clCreateUserEvent(context, nullptr);
    clSetEventCallback(event, CL_COMPLETE, nest, &nested);
  }
  clSetUserEventStatus(nested.events.front(), CL_COMPLETE);
  for (cl_event event : nested.events)
    clReleaseEvent(event);
  clReleaseEvent(nested.gate);
  return nested.waited == CL_SUCCESS;
}

} // namespace

int main(int, char** arguments) {
  setenv("HOSTCL_THREADS", "8", 1);
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program, "count", nullptr);

  // One group: compiled, and run on this thread alone.
  cl_uint first = 0;
  const cl_uint iterations = 1;
  const size_t items = 64;
  cl_mem small = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_uint), nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof small, &small);
  clSetKernelArg(kernel, 1, sizeof iterations, &iterations);
  clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr);
  clEnqueueReadBuffer(queue, small, CL_TRUE, 0, sizeof first, &first, 0, nullptr, nullptr);

  limit = std::atoi(arguments[1]);
  has_limit = true;
  const bool whole = runs_whole(context, queue, kernel) && compiles(context, queue) &&
                     waits_or_refuses(context, queue, limit > 0) && waits_in_nested_callbacks(context, queue);

  clReleaseMemObject(small);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return whole ? 0 : 1;
}
