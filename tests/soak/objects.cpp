// Objects come and go while commands use them, and are asked about.

#include "soak/worker.hpp"
#include "support/choice.hpp"

#include <algorithm>

#include <CL/cl_ext.h>

namespace soak {

namespace {

/// The former memory goes with its commands in flight.
void renew_memory(Worker& worker) {
  worker.slot() = make_memory(worker.world, worker.random, worker.place());
}

/// Memory with commands in flight goes on to another thread, whose commands wait for this one's.
void exchange_memory(Worker& worker) {
  std::unique_ptr<Memory>& slot = worker.slot();
  slot =
      worker.world.exchange(std::move(slot), worker.random); // which is empty if there is no memory for this
  if (!slot) slot = make_memory(worker.world, worker.random, worker.place());
}

void replace_queue(Worker& worker) {
  worker.world.replace_queue(worker.random, worker.place());
}

void retain_and_release(Worker& worker) {
  World& world = worker.world;
  const test::Queue queue = world.queue(worker.random);
  for (std::size_t i = worker.random.between(1, 20); i > 0; --i) {
    worker.expect("clRetainContext", clRetainContext(world.context));
    worker.expect("clRetainCommandQueue", clRetainCommandQueue(queue));
    worker.expect("clRetainProgram", clRetainProgram(world.program));
    worker.expect("clRetainKernel", clRetainKernel(world.keeper));
    worker.expect("clRetainMemObject", clRetainMemObject(world.counters));
    worker.expect("clReleaseMemObject", clReleaseMemObject(world.counters));
    worker.expect("clReleaseKernel", clReleaseKernel(world.keeper));
    worker.expect("clReleaseProgram", clReleaseProgram(world.program));
    worker.expect("clReleaseCommandQueue", clReleaseCommandQueue(queue));
    worker.expect("clReleaseContext", clReleaseContext(world.context));
  }
}

void query(Worker& worker) {
  World& world = worker.world;
  cl_context context = nullptr;
  const test::Queue queue = world.queue(worker.random);
  worker.expect("clGetCommandQueueInfo",
                clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr));
  worker.expect_equal("CL_QUEUE_CONTEXT", context == world.context, 1);
  std::size_t size = 0;
  worker.expect("clGetMemObjectInfo",
                clGetMemObjectInfo(world.counters, CL_MEM_SIZE, sizeof size, &size, nullptr));
  worker.expect_equal("CL_MEM_SIZE", size, World::counter_count * 4);
  worker.expect("clGetProgramInfo",
                clGetProgramInfo(world.program, CL_PROGRAM_NUM_KERNELS, sizeof size, &size, nullptr));
  worker.expect_equal("CL_PROGRAM_NUM_KERNELS", size, function_count);
  worker.expect("clGetProgramInfo",
                clGetProgramInfo(world.program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  worker.expect_equal("whether CL_PROGRAM_BINARY_SIZES is positive", size > 0, 1);
  worker.expect(
      "clGetKernelWorkGroupInfo",
      clGetKernelWorkGroupInfo(worker.kernel(static_cast<Function>(worker.random.below(function_count))),
                               world.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr));
  worker.expect_equal("whether CL_KERNEL_WORK_GROUP_SIZE is positive", size > 0, 1);
  cl_uint count = 0;
  worker.expect("clGetKernelInfo",
                clGetKernelInfo(world.keeper, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
  worker.expect_equal("CL_KERNEL_NUM_ARGS", count, 3);
  if (cl_event event = worker.some_event()) {
    cl_int status = CL_QUEUED;
    worker.expect("clGetEventInfo",
                  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
    if (!shortage::is_permitted(status)) worker.expect_equal("whether the event has failed", status < 0, 0);
  }
}

/// A buffer goes while a command uses it.
void release_in_flight(Worker& worker) {
  cl_int error = CL_SUCCESS;
  test::Buffer buffer(clCreateBuffer(worker.world.context, 0, 64, nullptr, &error));
  worker.expect("clCreateBuffer", error);
  const std::uint32_t pattern = 1;
  Step step = worker.step({});
  worker.expect("clEnqueueFillBuffer", clEnqueueFillBuffer(step.queue, buffer, &pattern, 4, 0, 64,
                                                           step.count(), step.list(), step.event.address()));
  buffer.reset();
  worker.settle(step, {});
}

template <class Function>
Function extension_function(const char* name) {
  return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(test::find_platform(), name));
}

/// A blocking release of unified memory waits for a kernel that uses it, in whatever queue, flushed or not.
void blocking_free(Worker& worker) {
  static const auto allocate = extension_function<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  static const auto set =
      extension_function<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  static const auto free = extension_function<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
  if (!allocate || !set || !free) return;
  const std::size_t size = worker.random.between(1, 5000);
  cl_int error = CL_SUCCESS;
  Step step = worker.step({});
  void* memory = allocate(worker.world.context, worker.world.device, nullptr, size * 4, 0, &error);
  worker.expect("clSharedMemAllocINTEL", error);
  std::fill_n(static_cast<cl_uint*>(memory), size, 27u);
  const cl_uint iterations = 1000;
  const test::Kernel kernel(clCreateKernel(worker.world.program, "collatz", &error));
  cl_int enqueued = kernel ? set(kernel, 0, memory) : error;
  if (enqueued == CL_SUCCESS) enqueued = clSetKernelArg(kernel, 1, sizeof iterations, &iterations);
  if (enqueued == CL_SUCCESS)
    enqueued = clEnqueueNDRangeKernel(step.queue, kernel, 1, nullptr, &size, nullptr, step.count(),
                                      step.list(), step.event.address());
  worker.note("blocking release of unified memory of %zu words%s", size,
              step.fails ? ", one event fails" : "");
  worker.expect("clMemBlockingFreeINTEL", free(worker.world.context, memory));
  worker.expect("clEnqueueNDRangeKernel", enqueued);
  cl_int status = CL_QUEUED;
  worker.expect("clGetEventInfo", clGetEventInfo(step.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                                 &status, nullptr));
  worker.expect("status of a command whose memory is gone", status, step.outcome());
  worker.settle(step, {});
}

constexpr Operation table[] = {
    {"renew_memory", 6, renew_memory},
    {"exchange_memory", 8, exchange_memory},
    {"replace_queue", 3, replace_queue},
    {"retain_and_release", 3, retain_and_release},
    {"query", 4, query},
    {"release_in_flight", 4, release_in_flight},
    {"blocking_free", 2, blocking_free},
};

} // namespace

std::span<const Operation> objects() {
  return table;
}

} // namespace soak
