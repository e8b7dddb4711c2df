// Kernels whose code spills more registers than the stack of the thread has room for: they run on another stack, and need no
// thread for it. Where a kernel ran is told by the address of one of its variables.
// usage: test_large_frames VECTORS: how many vectors of 128 bytes are live at once in each work-item

#include "support/choice.hpp"

#include <CL/cl.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <pthread.h>

namespace {

std::atomic<bool> refuses_threads = false;

} // namespace

/// What the driver and its libraries call instead of the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                              void* argument) noexcept {
  static const auto create = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return refuses_threads ? EAGAIN : create(thread, attributes, function, argument);
}

namespace {

constexpr size_t items = 16;
int failures = 0;

void check(bool right, const std::string& what, cl_int code = 0) {
  if (right) return;
  std::fprintf(stderr, "failed: %s (%d)\n", what.c_str(), code);
  ++failures;
}

/// Mixes each vector with two others, several times: all are live until the end.
std::string source_of(unsigned vectors) {
  const auto v = [&](unsigned i) { return "v" + std::to_string(i % vectors); };
  std::string text = "kernel void small(global ulong* o, global const ulong16* x) {\n"
                     "  volatile int place = 0;\n  o[get_global_id(0)] = (ulong)&place;\n}\n"
                     "kernel void large(global ulong* o, global const ulong16* x) {\n"
                     "  volatile int place = 0;\n  const size_t id = get_global_id(0);\n";
  for (unsigned i = 0; i < vectors; ++i)
    text += "  ulong16 " + v(i) + " = x[" + std::to_string(i) + "] ^ id;\n";
  for (const unsigned step : {vectors / 2, vectors / 3, 1u})
    for (unsigned i = 0; i < vectors; ++i)
      text += "  " + v(i) + " = (" + v(i) + " << 1 | " + v(i) + " >> 63) + (" + v(i + step) + " ^ " +
              v(i + 2 * step) + ");\n";
  text += "  ulong16 t = 0;\n";
  for (unsigned i = 0; i < vectors; ++i)
    text += "  t = t * 3 + " + v(i) + ";\n";
  return text + "  o[id] = (ulong)&place;\n  o[" + std::to_string(items) + " + id] = t.s0 + t.sf;\n}\n";
}

/// What `large` computes of one lane.
cl_ulong expected_lane(std::vector<cl_ulong> v, cl_ulong id) {
  const size_t count = v.size();
  for (cl_ulong& x : v)
    x ^= id;
  for (const size_t step : {count / 2, count / 3, size_t{1}})
    for (size_t i = 0; i < count; ++i)
      v[i] = (v[i] << 1 | v[i] >> 63) + (v[(i + step) % count] ^ v[(i + 2 * step) % count]);
  cl_ulong t = 0;
  for (const cl_ulong x : v)
    t = t * 3 + x;
  return t;
}

struct Stack {
  std::uintptr_t lowest = 0;
  size_t bytes = 0;
  bool has(cl_ulong address) const { return address - lowest < bytes; }
};

Stack own_stack() {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  Stack stack;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) std::abort();
  pthread_attr_getstack(&attributes, &lowest, &stack.bytes);
  pthread_attr_destroy(&attributes);
  stack.lowest = reinterpret_cast<std::uintptr_t>(lowest);
  return stack;
}

/// Calls the function on a thread with such a stack, from which no other threads can be started if told so.
void on_thread(size_t kilobytes, bool may_start_threads, const std::function<void()>& function) {
  struct Call {
    const std::function<void()>& function;
    bool refuses;
  } call{function, !may_start_threads};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kilobytes << 10);
  pthread_t thread;
  const auto main = [](void* argument) -> void* {
    const Call& called = *static_cast<Call*>(argument);
    refuses_threads = called.refuses;
    called.function();
    refuses_threads = false;
    return nullptr;
  };
  if (pthread_create(&thread, &attributes, main, &call) != 0) std::abort();
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

size_t count_mappings() {
  std::ifstream mappings("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(mappings, line);)
    ++count;
  return count;
}

class World {
public:
  explicit World(unsigned vectors) : lanes_(16, std::vector<cl_ulong>(vectors)) {
    cl_device_id device = test::chosen_device();
    context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, nullptr);
    const std::string source = source_of(vectors);
    const char* text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    const cl_int code = clBuildProgram(program_, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr);
    check(code == CL_SUCCESS, "the build", code);
    std::vector<cl_ulong> values(vectors * size_t{16});
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = i * 0x9e3779b97f4a7c15;
      lanes_[i % 16][i / 16] = values[i];
    }
    input_ = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, values.size() * sizeof values[0], values.data(),
                            nullptr);
    output_ = clCreateBuffer(context_, 0, 2 * items * sizeof(cl_ulong), nullptr, nullptr);
  }
  World(const World&) = delete;
  ~World() {
    clReleaseMemObject(output_);
    clReleaseMemObject(input_);
    clReleaseProgram(program_);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  /// Runs one work-group, on the calling thread or on one of the driver's. @returns where a variable of it was
  cl_ulong run(const char* name, bool blocks, const std::string& where) {
    const std::string what = std::string(name) + " " + where;
    cl_int code = 0;
    cl_kernel kernel = clCreateKernel(program_, name, &code);
    if (!code) code = clSetKernelArg(kernel, 0, sizeof output_, &output_);
    if (!code) code = clSetKernelArg(kernel, 1, sizeof input_, &input_);
    cl_event event = nullptr;
    if (!code) code = clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &items, 0, nullptr, &event);
    if (!code) code = blocks ? clWaitForEvents(1, &event) : clFlush(queue_);
    for (cl_int status = CL_QUEUED; !code && status != CL_COMPLETE;) {
      code = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
      if (!code && status < 0) code = status;
    }
    if (event) clReleaseEvent(event);
    if (kernel) clReleaseKernel(kernel);
    std::vector<cl_ulong> results(2 * items);
    if (!code)
      code = clEnqueueReadBuffer(queue_, output_, CL_TRUE, 0, results.size() * sizeof results[0],
                                 results.data(), 0, nullptr, nullptr);
    check(code == CL_SUCCESS, what, code);
    for (size_t id = 0; !code && name == std::string("large") && id < items; ++id)
      check(results[items + id] == expected_lane(lanes_[0], id) + expected_lane(lanes_[15], id),
            what + ": the result", static_cast<cl_int>(id));
    return results[0];
  }

private:
  std::vector<std::vector<cl_ulong>> lanes_; ///< of the input
  cl_context context_;
  cl_command_queue queue_;
  cl_program program_;
  cl_mem input_, output_;
};

/// Whether the kernel runs on the stack. A thread of the driver may take a command before the calling thread waits for it,
/// so the kernel runs until it has been there, a thousand times at most.
bool runs_on(const Stack& stack, World& world, const char* name, const std::string& where) {
  for (int i = 0; i < 1000; ++i)
    if (stack.has(world.run(name, true, where))) return true;
  return false;
}

} // namespace

int main(int, char** arguments) {
  const auto vectors = static_cast<unsigned>(std::atoi(arguments[1]));
  World world(vectors);
  // Compiled by now: which stack the compiler has is not asked here.
  for (const char* name : {"small", "large"})
    world.run(name, true, "on the first thread");
  const size_t little = 80, much = 16 << 10;
  for (const bool may_start_threads : {true, false}) {
    const std::string where = may_start_threads ? "" : ", where no thread can be started";
    on_thread(little, may_start_threads, [&] {
      const Stack stack = own_stack();
      check(runs_on(stack, world, "small", "on a small stack" + where), "small ran elsewhere" + where);
      check(!stack.has(world.run("large", true, "on a small stack" + where)),
            "large ran on the small stack" + where);
      check(runs_on(stack, world, "small", "on a small stack again" + where),
            "small ran elsewhere afterwards" + where);
    });
    on_thread(much, may_start_threads, [&] {
      check(runs_on(own_stack(), world, "large", "on a large stack" + where),
            "large ran elsewhere than on a large stack" + where);
    });
  }
  world.run("large", false, "on a thread of the driver");
  const size_t threads = 50, before = count_mappings();
  for (size_t i = 0; i < threads; ++i)
    on_thread(little, true, [&] { world.run("large", true, "on one of many small stacks"); });
  check(count_mappings() < before + threads, "threads that have ended leave no stack");
  // On the least stack that POSIX allows the driver needs another one for itself as well.
  for (const bool may_start_threads : {true, false})
    on_thread(16, may_start_threads, [&] { world.run("large", true, "on a stack of 16 KB"); });
  return failures;
}
