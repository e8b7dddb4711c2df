// A command buffer of 10,000 commands is enqueued and runs without an allocation by any thread, after the
// first time. Kernels are compiled once (HOSTCL_CODE=tier1), so that no thread makes tier 1 code meanwhile.

#include "failing_allocator.hpp"
#include "support/choice.hpp"
#include "support/command_buffer_api.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace {

using failing_allocator::Scope;
using failing_allocator::state;

constexpr cl_uint command_count = 10'000, items = 64;
const char* source = R"(
kernel void add(global uint* p, uint x) { p[get_global_id(0)] += x; }
kernel void reverse(global uint* p, local uint* t) {
  const uint i = get_local_id(0);
  t[i] = p[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[i] = t[get_local_size(0) - 1 - i];
})";

void check(bool holds, const char* what) {
  if (holds) return;
  failing_allocator::end();
  std::fprintf(stderr, "failed: %s\n", what);
  std::_Exit(1);
}

const test::cb::Functions& functions() {
  static const test::cb::Functions all = test::cb::functions_of(test::chosen_device());
  return all;
}

/// Launches of two kernels and a fill.
void record(test::cb::Handle buffer, cl_kernel add, cl_kernel reverse, cl_mem numbers) {
  const size_t global = items;
  const cl_uint zero = 0;
  for (cl_uint i = 0; i < command_count; ++i) {
    cl_int code;
    if (i == 0)
      code = functions().fill_buffer(buffer, nullptr, nullptr, numbers, &zero, sizeof zero, 0,
                                     items * sizeof zero, 0, nullptr, nullptr, nullptr);
    else
      code = functions().launch(buffer, nullptr, nullptr, i % 10 ? add : reverse, 1, nullptr, &global,
                                &global, 0, nullptr, nullptr, nullptr);
    check(code == CL_SUCCESS, "a command is recorded");
  }
}

/// Enqueues the command buffer and waits for it.
void run(cl_command_queue queue, test::cb::Handle buffer, bool with_event) {
  cl_event event = nullptr;
  check(functions().enqueue(0, nullptr, buffer, 0, nullptr, with_event ? &event : nullptr) == CL_SUCCESS,
        "enqueued");
  check(clFinish(queue) == CL_SUCCESS, "finished");
  if (event) clReleaseEvent(event);
}

} // namespace

int main() {
  cl_device_id device = test::chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  check(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "the build");
  cl_kernel add = clCreateKernel(program, "add", nullptr),
            reverse = clCreateKernel(program, "reverse", nullptr);
  cl_mem numbers = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_uint), nullptr, nullptr);
  const cl_uint one = 1;
  clSetKernelArg(add, 0, sizeof numbers, &numbers);
  clSetKernelArg(add, 1, sizeof one, &one);
  clSetKernelArg(reverse, 0, sizeof numbers, &numbers);
  clSetKernelArg(reverse, 1, items * sizeof(cl_uint), nullptr);

  for (const cl_command_queue_properties flags : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, flags, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, nullptr);
    test::cb::Handle buffer = functions().create(1, &queue, nullptr, nullptr);
    record(buffer, add, reverse, numbers);
    check(functions().finalize(buffer) == CL_SUCCESS, "finalised");
    run(queue, buffer, false);
    run(queue, buffer, true);
    constexpr int runs = 40;
    int without = 0;
    for (int i = 0; i < runs; ++i) {
      failing_allocator::begin(Scope::all_threads, -1, -1);
      run(queue, buffer, i % 2);
      failing_allocator::end();
      without += state.counted == 0;
      check(state.counted < 50, "a replay allocates for its commands");
    }
    // A thread that is started in the background meanwhile has allocations of its own.
    check(without > runs / 2, "a replay allocates");
    cl_uint values[items];
    clEnqueueReadBuffer(queue, numbers, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr);
    for (cl_uint value : values)
      check(value == command_count - command_count / 10, "the numbers");
    check(functions().release(buffer) == CL_SUCCESS && clReleaseCommandQueue(queue) == CL_SUCCESS,
          "released");
  }
  clReleaseMemObject(numbers);
  clReleaseKernel(add);
  clReleaseKernel(reverse);
  clReleaseProgram(program);
  clReleaseContext(context);
  return 0;
}
