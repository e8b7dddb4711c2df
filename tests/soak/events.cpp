// Events: callbacks that enqueue and release, chains that fail, markers and barriers, semaphores, flush and finish.

#include "soak/worker.hpp"
#include "support/choice.hpp"

#include <CL/cl_ext.h>

namespace soak {

namespace {

/// What a callback does, once. It may be called on any thread.
struct Callback {
  World& world;
  Place place;
  cl_int expected; ///< status that it is called with
  test::Queue queue;
  test::Kernel kernel; ///< with its arguments set; null if nothing is enqueued
  test::Buffer buffer; ///< released by the callback
  std::uint32_t first = 0, x = 0;
};

void enqueue_count(Callback& self) {
  const std::size_t size = 64;
  test::Event event;
  expect(self.place, "clEnqueueNDRangeKernel in a callback",
         clEnqueueNDRangeKernel(self.queue, self.kernel, 1, nullptr, &size, nullptr, 0, nullptr,
                                event.address()));
  ++counts.commands;
  for (std::atomic<std::uint32_t>& counter : self.world.expected_counters)
    counter += self.x;
  self.world.keep(std::move(event));
  expect(self.place, "clFlush in a callback", clFlush(self.queue));
}

void CL_CALLBACK call(cl_event, cl_int status, void* data) {
  std::unique_ptr<Callback> self(static_cast<Callback*>(data));
  try {
    expect(self->place, "status of a callback", status, self->expected);
    if (self->kernel) enqueue_count(*self);
  } catch (const Shortage&) {
    ++counts.shortages;
  } catch (const std::bad_alloc&) {
    ++counts.shortages;
    self->world.has_lost_counts = true; // the event of a command is gone, so nothing tells whether it failed
  }
  World& world = self->world;
  self.reset();
  --world.outstanding_callbacks;
}

std::unique_ptr<Callback> make_callback(Worker& worker, cl_int expected) {
  auto made = std::make_unique<Callback>(worker.world, worker.place(), expected);
  made->queue = worker.world.queue(worker.random);
  cl_int error = CL_SUCCESS;
  if (worker.random.chance(50)) {
    made->kernel.reset(clCreateKernel(worker.world.program, "count", &error));
    worker.expect("clCreateKernel", error);
    made->x = worker.random.word();
    cl_mem counters = worker.world.counters;
    worker.expect("clSetKernelArg", clSetKernelArg(made->kernel, 0, sizeof counters, &counters));
    worker.expect("clSetKernelArg", clSetKernelArg(made->kernel, 1, sizeof made->first, &made->first));
    worker.expect("clSetKernelArg", clSetKernelArg(made->kernel, 2, sizeof made->x, &made->x));
  }
  if (worker.random.chance(50)) {
    made->buffer.reset(clCreateBuffer(worker.world.context, 0, 256, nullptr, &error));
    worker.expect("clCreateBuffer", error);
  }
  return made;
}

/// A marker with callbacks for several of its states.
void callback(Worker& worker) {
  Memory& memory = worker.memory();
  Step step = worker.step({&memory});
  worker.note("callbacks of a marker%s", step.fails ? ", one event fails" : "");
  if (step.waits.empty())
    step.waits.push_back((step.owned.emplace_back(worker.late_event(CL_COMPLETE))).get());
  worker.expect("clEnqueueMarkerWithWaitList",
                clEnqueueMarkerWithWaitList(step.queue, step.count(), step.list(), step.event.address()));
  for (std::size_t i = worker.random.between(1, 3); i > 0; --i) {
    static constexpr cl_int types[] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED};
    const cl_int type = types[worker.random.below(3)];
    if (step.fails && type == CL_SUBMITTED) continue; // which the command may reach before it fails
    auto data = make_callback(worker, step.fails ? step.outcome() : type);
    ++worker.world.outstanding_callbacks;
    const cl_int error = clSetEventCallback(step.event, type, call, data.get());
    if (error == CL_SUCCESS)
      static_cast<void>(data.release());
    else
      --worker.world.outstanding_callbacks;
    worker.expect("clSetEventCallback", error);
  }
  worker.settle(step, {&memory});
}

/// Commands that wait for each other, on several queues, and for a user event that fails.
void failing_chain(Worker& worker) {
  Memory& memory = worker.memory();
  test::Event first = worker.late_event(-1 - static_cast<cl_int>(worker.random.below(100)));
  cl_event before = first;
  const std::uint32_t pattern = worker.random.word();
  const std::size_t length = worker.random.between(1, 5);
  worker.note("chain of %zu commands that fails", length);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < length; ++i) {
    Step& step = steps.emplace_back();
    step.queue = worker.world.queue(worker.random);
    step.waits = {before};
    step.fails = true;
    worker.expect("the fill",
                  memory.svm ? clEnqueueSVMMemFill(step.queue, memory.svm, &pattern, 4, memory.words() * 4, 1,
                                                   &before, step.event.address())
                             : clEnqueueFillBuffer(step.queue, memory.buffer, &pattern, 4, 0,
                                                   memory.words() * 4, 1, &before, step.event.address()));
    before = step.event;
    first.reset(); // the command keeps what it waits for
  }
  for (Step& step : steps)
    worker.settle(step, {});
}

void marker_or_barrier(Worker& worker) {
  Memory& memory = worker.memory();
  Step step = worker.step({&memory});
  const bool barrier = worker.random.chance(50);
  worker.note("%s after %u events%s", barrier ? "barrier" : "marker", step.count(),
              step.fails ? ", one fails" : "");
  if (step.waits.empty()) return;
  worker.expect("the marker or barrier",
                (barrier ? clEnqueueBarrierWithWaitList : clEnqueueMarkerWithWaitList)(
                    step.queue, step.count(), step.list(), step.event.address()));
  worker.settle(step, {&memory});
}

template <class Function>
Function extension_function(const char* name) {
  return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(test::find_platform(), name));
}

struct ReleasedSemaphore {
  Worker& worker;
  cl_semaphore_khr semaphore;
  clReleaseSemaphoreKHR_fn release;
  ~ReleasedSemaphore() { release(semaphore); }
};

/// One queue signals a semaphore for another one, and the application forgets it.
void semaphore(Worker& worker) {
  static const auto create =
      extension_function<clCreateSemaphoreWithPropertiesKHR_fn>("clCreateSemaphoreWithPropertiesKHR");
  static const auto signal =
      extension_function<clEnqueueSignalSemaphoresKHR_fn>("clEnqueueSignalSemaphoresKHR");
  static const auto wait = extension_function<clEnqueueWaitSemaphoresKHR_fn>("clEnqueueWaitSemaphoresKHR");
  static const auto release = extension_function<clReleaseSemaphoreKHR_fn>("clReleaseSemaphoreKHR");
  Memory& memory = worker.memory();
  Step step = worker.step({&memory});
  if (!create || step.fails) return;
  const bool is_shared = worker.random.chance(50);
  worker.note("%s semaphore after %u events", is_shared ? "shared" : "plain", step.count());
  const cl_semaphore_properties_khr plain[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
  const cl_semaphore_properties_khr shared[] = {CL_SEMAPHORE_TYPE_KHR,
                                                CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                                                CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
                                                0,
                                                0};
  cl_int error = CL_SUCCESS;
  const cl_semaphore_khr made = create(worker.world.context, is_shared ? shared : plain, &error);
  worker.expect("clCreateSemaphoreWithPropertiesKHR", error);
  const ReleasedSemaphore released{worker, made, release};
  test::Event signalled;
  worker.expect("clEnqueueSignalSemaphoresKHR",
                signal(step.queue, 1, &made, nullptr, step.count(), step.list(), signalled.address()));
  // A wait for a signal that has failed fails in its turn or never ends.
  if (axes.limits) worker.expect("status of the signal", wait_surely(signalled));
  step.queue = worker.world.queue(worker.random);
  worker.expect("clEnqueueWaitSemaphoresKHR",
                wait(step.queue, 1, &made, nullptr, 0, nullptr, step.event.address()));
  worker.settle(step, {&memory});
}

void flush(Worker& worker) {
  const test::Queue queue = worker.world.queue(worker.random);
  worker.expect("clFlush", clFlush(queue));
}

void finish(Worker& worker) {
  const test::Queue queue = worker.world.queue(worker.random);
  worker.expect("clFinish", clFinish(queue));
}

/// Times of a complete command are in order.
void profile(Worker& worker) {
  cl_event event = worker.some_event();
  if (!event) return;
  worker.expect("clWaitForEvents", clWaitForEvents(1, &event));
  cl_ulong times[4] = {};
  static constexpr cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                                CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
  cl_command_queue queue = nullptr;
  worker.expect("clGetEventInfo",
                clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr));
  if (!queue) return; // of a command buffer in several queues, some of which may be profiled
  cl_command_queue_properties properties = 0;
  worker.expect("clGetCommandQueueInfo",
                clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr));
  const bool profiled = properties & CL_QUEUE_PROFILING_ENABLE;
  for (int i = 0; i < 4; ++i)
    worker.expect("clGetEventProfilingInfo",
                  clGetEventProfilingInfo(event, names[i], sizeof times[i], &times[i], nullptr),
                  profiled ? CL_SUCCESS : CL_PROFILING_INFO_NOT_AVAILABLE);
  for (int i = 0; i < 3 && profiled; ++i)
    worker.expect_equal("order of profiling times", times[i] <= times[i + 1], 1);
}

constexpr Operation table[] = {
    {"callback", 8, callback},
    {"failing_chain", 3, failing_chain},
    {"marker_or_barrier", 3, marker_or_barrier},
    {"semaphore", 6, semaphore},
    {"flush", 3, flush},
    {"finish", 2, finish},
    {"profile", 4, profile},
};

} // namespace

std::span<const Operation> events() {
  return table;
}

} // namespace soak
