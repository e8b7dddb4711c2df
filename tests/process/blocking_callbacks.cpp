// Blocking calls in callbacks. OpenCL does not define what they do (3.0 API, 5.11); here they return when all
// that they wait for is done, the command whose callback makes them included. usage: test_blocking_callbacks
// [WORD]: all cases, or those whose names contain the word

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "support/choice.hpp"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace {

constexpr unsigned patience = HOSTCL_PATIENCE; ///< seconds for a case

std::string current;
int failures = 0;

void fail(const std::string& text) {
  std::fprintf(stderr, "failed: %s: %s\n", current.c_str(), text.c_str());
  ++failures;
}

void check(bool right, const std::string& text) {
  if (!right) fail(text);
}

void check_status(cl_int status, const char* call, cl_int expected = CL_SUCCESS) {
  if (status != expected) fail(call + (" gave " + std::to_string(status)));
}

void on_alarm(int) {
  constexpr const char text[] = ": hangs\n";
  (void)!::write(STDERR_FILENO, current.data(), current.size());
  (void)!::write(STDERR_FILENO, text, sizeof text - 1);
  std::_Exit(1);
}

/// Three commands after a gate, each of which adds 1 to a counter in memory, and a fourth in another queue
/// that waits for the first.
struct World {
  explicit World(cl_command_queue_properties properties) {
    for (cl_command_queue* made : {&queue, &other})
      *made = clCreateCommandQueue(context, device, properties, nullptr);
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
    clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr);
    kernel = clCreateKernel(program, "k", nullptr);
    clReleaseProgram(program);
    counter = static_cast<std::atomic<int>*>(clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
    *counter = 0;
    clSetKernelArgSVMPointer(kernel, 0, counter);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
    gate = clCreateUserEvent(context, nullptr);
    const size_t one = 1;
    for (cl_event& event : events)
      check_status(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 1, &gate, &event),
                   "launch");
    check_status(clEnqueueNDRangeKernel(other, kernel, 1, nullptr, &one, nullptr, 1, &events[0], &last),
                 "launch");
  }
  ~World() {
    check_status(clFinish(queue), "clFinish at the end");
    check_status(clFinish(other), "clFinish at the end");
    check(*counter == 4, "the counter is " + std::to_string(*counter));
    for (cl_event event : {events[0], events[1], events[2], last, gate})
      clReleaseEvent(event);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clSVMFree(context, counter);
    for (cl_command_queue made : {queue, other})
      clReleaseCommandQueue(made);
    clReleaseContext(context);
  }

  const char* source = "kernel void k(global atomic_int* v) { atomic_fetch_add(v, 1); }";
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue, other;
  cl_kernel kernel;
  cl_mem buffer;
  std::atomic<int>* counter;
  cl_event gate, events[3] = {}, last = nullptr;
};

bool is_done(cl_event event) {
  cl_int status = 1;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status == CL_COMPLETE;
}

// ---- The calls

void finish(World& w) {
  check_status(clFinish(w.queue), "clFinish");
  check(*w.counter >= 3, "clFinish returned too early");
}
void finish_both(World& w) {
  check_status(clFinish(w.other), "clFinish");
  check(is_done(w.events[0]) && is_done(w.last), "clFinish returned too early");
  finish(w);
}
void wait_for_own(World& w) {
  check_status(clWaitForEvents(1, &w.events[0]), "clWaitForEvents");
  check(is_done(w.events[0]) && *w.counter >= 1, "clWaitForEvents returned too early");
}
void wait_for_all(World& w) {
  check_status(clWaitForEvents(3, w.events), "clWaitForEvents");
  check(*w.counter >= 3, "clWaitForEvents returned too early");
}
void wait_for_other_queue(World& w) {
  check_status(clWaitForEvents(1, &w.last), "clWaitForEvents");
  check(is_done(w.last), "clWaitForEvents returned too early");
}
void transfer(World& w) {
  const int written = 5;
  int read = 0;
  // Several callbacks may do this at the same time: one buffer would be written by commands that nothing orders.
  const cl_mem buffer = clCreateBuffer(w.context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  check_status(clEnqueueWriteBuffer(w.queue, buffer, CL_TRUE, 0, 4, &written, 0, nullptr, nullptr), "write");
  check_status(clEnqueueReadBuffer(w.queue, buffer, CL_TRUE, 0, 4, &read, 0, nullptr, nullptr), "read");
  check(read == 5, "read something else than was written");
  const size_t origin[3] = {0, 0, 0}, region[3] = {4, 1, 1};
  check_status(clEnqueueReadBufferRect(w.queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0, &read, 3,
                                       w.events, nullptr),
               "read behind events");
  check(*w.counter >= 3, "a read returned too early");
  clReleaseMemObject(buffer);
}
void map(World& w) {
  cl_int error = 1;
  void* place =
      clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_READ, 0, 4, 3, w.events, nullptr, &error);
  check_status(error, "clEnqueueMapBuffer");
  check(*w.counter >= 3, "a map returned too early");
  check_status(clEnqueueUnmapMemObject(w.queue, w.buffer, place, 0, nullptr, nullptr), "unmap");
}
void svm(World& w) {
  int copy = 0;
  check_status(clEnqueueSVMMap(w.queue, CL_TRUE, CL_MAP_READ, w.counter, 4, 3, w.events, nullptr),
               "clEnqueueSVMMap");
  check(*w.counter >= 3, "clEnqueueSVMMap returned too early");
  check_status(clEnqueueSVMUnmap(w.queue, w.counter, 0, nullptr, nullptr), "clEnqueueSVMUnmap");
  check_status(clEnqueueSVMMemcpy(w.queue, CL_TRUE, &copy, w.counter, 4, 0, nullptr, nullptr),
               "clEnqueueSVMMemcpy");
  check(copy >= 3, "copied too early");
}
void blocking_free(World& w) {
  using Free = cl_int(CL_API_CALL*)(cl_context, void*);
  using Allocate = void*(CL_API_CALL*)(cl_context, const cl_ulong*, size_t, cl_uint, cl_int*);
  const auto function = [](const char* name) {
    return clGetExtensionFunctionAddressForPlatform(test::find_platform(), name);
  };
  const auto allocate = reinterpret_cast<Allocate>(function("clHostMemAllocINTEL"));
  const auto free = reinterpret_cast<Free>(function("clMemBlockingFreeINTEL"));
  if (!allocate || !free) return;
  check_status(free(w.context, allocate(w.context, nullptr, 64, 0, nullptr)), "clMemBlockingFreeINTEL");
  check(*w.counter >= 4, "clMemBlockingFreeINTEL returned too early");
}
void set_property(World& w) {
  check_status(clSetCommandQueueProperty(w.queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, nullptr),
               "clSetCommandQueueProperty");
  check(*w.counter >= 3, "clSetCommandQueueProperty returned too early");
}
void release(World& w) {
  clRetainCommandQueue(w.queue);
  clRetainContext(w.context);
  check_status(clReleaseCommandQueue(w.queue), "clReleaseCommandQueue");
  check_status(clReleaseContext(w.context), "clReleaseContext");
  void* memory = clSVMAlloc(w.context, CL_MEM_READ_WRITE, 64, 0);
  clSVMFree(w.context, memory);
  check_status(clUnloadPlatformCompiler(test::find_platform()), "clUnloadPlatformCompiler");
}
void build(World& w) {
  const char* text = "kernel void another(global int* v) { *v = 1; }";
  cl_program program = clCreateProgramWithSource(w.context, 1, &text, nullptr, nullptr);
  check_status(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  clReleaseProgram(program);
}

struct Call {
  const char* name;
  void (*make)(World&);
};
constexpr Call calls[] = {{"finish", finish},
                          {"finish_both", finish_both},
                          {"wait_for_own", wait_for_own},
                          {"wait_for_all", wait_for_all},
                          {"wait_for_other_queue", wait_for_other_queue},
                          {"transfer", transfer},
                          {"map", map},
                          {"svm", svm},
                          {"blocking_free", blocking_free},
                          {"set_property", set_property},
                          {"release", release},
                          {"build", build}};

// ---- Callbacks of events

/// Where the callback's thread comes from: the one that waits, or one of the driver's.
enum class Thread { waiting, background };

struct Pending {
  World& world;
  void (*make)(World&);
  std::atomic<bool> done = false;
};

void CL_CALLBACK make_call(cl_event, cl_int, void* data) {
  auto& pending = *static_cast<Pending*>(data);
  pending.make(pending.world);
  pending.done = true;
}

void in_event_callback(cl_command_queue_properties properties, cl_int type, const Call& call, Thread thread) {
  World world(properties);
  Pending pending{world, call.make};
  // This callback may be called by clSetEventCallback, and must not wait for what comes after.
  if (type == CL_SUBMITTED)
    check_status(clSetUserEventStatus(world.gate, CL_COMPLETE), "clSetUserEventStatus");
  check_status(clSetEventCallback(world.events[0], type, make_call, &pending), "clSetEventCallback");
  if (type != CL_SUBMITTED)
    check_status(clSetUserEventStatus(world.gate, CL_COMPLETE), "clSetUserEventStatus");
  if (thread == Thread::waiting)
    check_status(clFinish(world.queue), "clFinish of the main thread");
  else
    check_status(clFlush(world.queue), "clFlush");
  while (!pending.done)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

// ---- Other callbacks

void in_user_event_callback(cl_command_queue_properties properties, const Call& call) {
  World world(properties);
  Pending pending{world, call.make};
  check_status(clSetEventCallback(world.gate, CL_COMPLETE, make_call, &pending), "clSetEventCallback");
  check_status(clSetUserEventStatus(world.gate, CL_COMPLETE), "clSetUserEventStatus");
  check(pending.done, "no callback");
}

/// What the application has to do while a command runs.
void in_commands(cl_command_queue_properties properties, const Call& call) {
  World world(properties);
  Pending first{world, call.make}, second{world, call.make}, third{world, call.make};
  const auto native = [](void* arguments) { make_call(nullptr, 0, *static_cast<void**>(arguments)); };
  void* argument = &first;
  check_status(clEnqueueNativeKernel(world.queue, native, &argument, sizeof argument, 0, nullptr, nullptr, 1,
                                     &world.gate, nullptr),
               "clEnqueueNativeKernel");
  void* memory[] = {clSVMAlloc(world.context, CL_MEM_READ_WRITE, 64, 0)};
  const auto free = [](cl_command_queue, cl_uint, void** pointers, void* data) {
    make_call(nullptr, 0, data);
    clSVMFree(static_cast<Pending*>(data)->world.context, pointers[0]);
  };
  check_status(clEnqueueSVMFree(world.queue, 1, memory, free, &second, 1, &world.gate, nullptr),
               "clEnqueueSVMFree");
  cl_mem dying = clCreateBuffer(world.context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  clSetMemObjectDestructorCallback(dying, [](cl_mem, void* data) { make_call(nullptr, 0, data); }, &third);
  const int zero = 0;
  check_status(clEnqueueFillBuffer(world.queue, dying, &zero, 4, 0, 64, 1, &world.gate, nullptr), "fill");
  clReleaseMemObject(dying);
  check_status(clSetUserEventStatus(world.gate, CL_COMPLETE), "clSetUserEventStatus");
  check_status(clFinish(world.queue), "clFinish");
  while (!first.done || !second.done || !third.done)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// A callback on each of many commands waits for all of them.
void in_many_callbacks(cl_command_queue_properties properties) {
  constexpr int count = 20'000;
  World world(properties);
  static std::atomic<int> called;
  called = 0;
  const auto finish_queue = [](cl_event, cl_int, void* data) {
    check_status(clFinish(static_cast<World*>(data)->queue), "clFinish");
    ++called;
  };
  for (int i = 0; i < count; ++i) {
    cl_event event;
    clEnqueueMarkerWithWaitList(world.queue, 1, &world.gate, &event);
    clSetEventCallback(event, CL_COMPLETE, finish_queue, &world);
    clReleaseEvent(event);
  }
  clSetUserEventStatus(world.gate, CL_COMPLETE);
  check_status(clFinish(world.queue), "clFinish");
  while (called < count)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// Each event's callback sets the next event.
void along_a_chain() {
  constexpr size_t count = 200'000;
  World world(0);
  std::vector<cl_event> chain(count);
  for (cl_event& event : chain)
    event = clCreateUserEvent(world.context, nullptr);
  for (size_t i = 0; i + 1 < count; ++i)
    clSetEventCallback(
        chain[i], CL_COMPLETE,
        [](cl_event, cl_int, void* next) { clSetUserEventStatus(static_cast<cl_event>(next), CL_COMPLETE); },
        chain[i + 1]);
  clSetUserEventStatus(chain.front(), CL_COMPLETE);
  check_status(clWaitForEvents(1, &chain.back()), "clWaitForEvents");
  for (cl_event event : chain)
    clReleaseEvent(event);
  clSetUserEventStatus(world.gate, CL_COMPLETE);
}

template <class Case>
void run(const char* wanted, const std::string& name, Case run_case) {
  if (wanted && name.find(wanted) == name.npos) return;
  current = name;
  alarm(patience);
  run_case();
  alarm(0);
}

} // namespace

int main(int count, char** arguments) {
  std::signal(SIGALRM, on_alarm);
  const char* wanted = count > 1 ? arguments[1] : nullptr;
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const std::string order = properties ? "out_of_order" : "in_order";
    for (const Call& call : calls) {
      for (const cl_int type : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
        for (const Thread thread : {Thread::waiting, Thread::background})
          run(wanted,
              order + "/" + call.name + "/" +
                  (type == CL_COMPLETE  ? "complete"
                   : type == CL_RUNNING ? "running"
                                        : "submitted") +
                  (thread == Thread::waiting ? "/waiting" : "/background"),
              [&] { in_event_callback(properties, type, call, thread); });
      run(wanted, order + "/" + call.name + "/user_event", [&] { in_user_event_callback(properties, call); });
      run(wanted, order + "/" + call.name + "/commands", [&] { in_commands(properties, call); });
    }
    run(wanted, order + "/many", [&] { in_many_callbacks(properties); });
  }
  run(wanted, "chain", along_a_chain);
  return failures ? 1 : 0;
}
