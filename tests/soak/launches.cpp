// Launches of the shared program's kernels, each thread with kernel objects of its own.

#include "soak/shape.hpp"
#include "soak/worker.hpp"

#include <algorithm>
#include <numeric>

namespace soak {

namespace {

void set_argument(Worker& worker, cl_kernel kernel, cl_uint index, const Memory& memory) {
  cl_mem buffer = memory.buffer;
  if (memory.svm)
    worker.expect("clSetKernelArgSVMPointer", clSetKernelArgSVMPointer(kernel, index, memory.svm));
  else
    worker.expect("clSetKernelArg", clSetKernelArg(kernel, index, sizeof buffer, &buffer));
}

void set_argument(Worker& worker, cl_kernel kernel, cl_uint index, std::uint32_t value) {
  worker.expect("clSetKernelArg", clSetKernelArg(kernel, index, sizeof value, &value));
}

void launch(Worker& worker, const Shape& shape, Function function, Step& step) {
  worker.note(
      "%s, %u dimensions, %zu+%zu x %zu+%zu x %zu+%zu, local %zu x %zu x %zu%s, %u events waited for%s",
      function_names[static_cast<unsigned>(function)], shape.dimensions, shape.offset[0], shape.global[0],
      shape.offset[1], shape.global[1], shape.offset[2], shape.global[2], shape.local[0], shape.local[1],
      shape.local[2], shape.has_local ? "" : " (null)", step.count(), step.fails ? ", one fails" : "");
  worker.expect("clEnqueueNDRangeKernel", shape.enqueue(step.queue, worker.kernel(function), step.count(),
                                                        step.list(), step.event.address()));
}

void mix(Memory& memory, const Shape& shape, std::uint32_t a, std::uint32_t b) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t x = i % shape.global[0] + shape.offset[0];
    const std::size_t y = i / shape.global[0] % shape.global[1] + shape.offset[1];
    const std::size_t z = i / shape.global[0] / shape.global[1] + shape.offset[2];
    memory.model[i] = memory.model[i] * a + b + static_cast<std::uint32_t>(x + 3 * y + 7 * z);
  }
}

void mix_ids(Worker& worker) {
  Memory& memory = worker.memory();
  const Shape shape = random_shape(worker.random, memory.words());
  const std::uint32_t a = worker.random.word(), b = worker.random.word();
  cl_kernel kernel = worker.kernel(Function::mix_ids);
  set_argument(worker, kernel, 0, memory);
  set_argument(worker, kernel, 1, a);
  set_argument(worker, kernel, 2, b);
  Step step = worker.step({&memory});
  launch(worker, shape, Function::mix_ids, step);
  if (!step.fails) mix(memory, shape, a, b);
  worker.settle(step, {&memory});
}

void turn_groups(Worker& worker) {
  Memory& memory = worker.memory();
  Shape shape;
  shape.global[0] = worker.random.between(1, memory.words());
  shape.local[0] = worker.random.between(1, std::min<std::size_t>(shape.global[0], 300));
  shape.has_local = true;
  cl_kernel kernel = worker.kernel(Function::turn_groups);
  set_argument(worker, kernel, 0, memory);
  worker.expect("clSetKernelArg", clSetKernelArg(kernel, 1, shape.local[0] * 4, nullptr));
  Step step = worker.step({&memory});
  launch(worker, shape, Function::turn_groups, step);
  for (std::size_t i = 0; i < shape.size() && !step.fails; i += shape.local[0])
    std::reverse(memory.model.data() + i, memory.model.data() + std::min(i + shape.local[0], shape.size()));
  worker.settle(step, {&memory});
}

void sums(Worker& worker, Function function) {
  Memory& memory = worker.memory();
  Memory& total = worker.memory_beside(memory);
  const Shape shape = random_shape(worker.random, memory.words());
  cl_kernel kernel = worker.kernel(function);
  set_argument(worker, kernel, 0, memory);
  set_argument(worker, kernel, 1, total);
  Step step = worker.step({&memory, &total});
  launch(worker, shape, function, step);
  if (!step.fails)
    total.model[0] = std::accumulate(memory.model.data(), memory.model.data() + shape.size(), total.model[0]);
  worker.settle(step, {&memory, &total});
}

void group_sums(Worker& worker) {
  sums(worker, Function::group_sums);
}

void sub_group_sums(Worker& worker) {
  sums(worker, Function::sub_group_sums);
}

/// Threads add to the same counters without waiting for each other.
void count(Worker& worker) {
  const Shape shape = random_shape(worker.random, worker.random.chance(5) ? 100'000 : 300);
  const std::uint32_t first = worker.random.word() % 1000, x = worker.random.word();
  cl_kernel kernel = worker.kernel(Function::count);
  cl_mem counters = worker.world.counters;
  worker.expect("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof counters, &counters));
  set_argument(worker, kernel, 1, first);
  set_argument(worker, kernel, 2, x);
  Step step = worker.step({});
  launch(worker, shape, Function::count, step);
  for (std::size_t i = 0; i < shape.size() && !step.fails; ++i)
    worker.world.expected_counters[(first + i) % World::counter_count] += x;
  worker.settle(step, {});
}

void collatz(Worker& worker) {
  Memory& memory = worker.memory();
  const Shape shape = random_shape(worker.random, memory.words());
  const std::uint32_t rounds = static_cast<std::uint32_t>(worker.random.below(40));
  cl_kernel kernel = worker.kernel(Function::collatz);
  set_argument(worker, kernel, 0, memory);
  set_argument(worker, kernel, 1, rounds);
  Step step = worker.step({&memory});
  launch(worker, shape, Function::collatz, step);
  for (std::size_t i = 0; i < shape.size() && !step.fails; ++i)
    for (std::uint32_t k = 0, &x = memory.model[i]; k < rounds && x != 1; ++k)
      x = x & 1 ? 3 * x + 1 : x / 2;
  worker.settle(step, {&memory});
}

/// Another object takes a kernel's place: a new one, or a copy. What is in flight keeps the former one.
void renew_kernel(Worker& worker) {
  const auto function = static_cast<Function>(worker.random.below(function_count));
  test::Kernel& kernel = worker.kernel(function);
  cl_int error = CL_SUCCESS;
  if (worker.random.chance(50))
    kernel.reset(clCloneKernel(kernel, &error));
  else
    kernel.reset(
        clCreateKernel(worker.world.program, function_names[static_cast<unsigned>(function)], &error));
  worker.expect("clCloneKernel or clCreateKernel", error);
}

/// The copy keeps the arguments that the original had, and is released while its launch is in flight.
void launch_clone(Worker& worker) {
  Memory& memory = worker.memory();
  const Shape shape = random_shape(worker.random, memory.words());
  test::Kernel& original = worker.kernel(Function::mix_ids);
  set_argument(worker, original, 0, memory);
  set_argument(worker, original, 1, 1);
  set_argument(worker, original, 2, 17);
  cl_int error = CL_SUCCESS;
  test::Kernel clone(clCloneKernel(original, &error));
  worker.expect("clCloneKernel", error);
  set_argument(worker, original, 1, worker.random.word());
  Step step = worker.step({&memory});
  worker.note("launch of a copy, %zu work-items%s", shape.size(), step.fails ? ", one event fails" : "");
  worker.expect("clEnqueueNDRangeKernel",
                shape.enqueue(step.queue, clone, step.count(), step.list(), step.event.address()));
  if (!step.fails) mix(memory, shape, 1, 17);
  worker.settle(step, {&memory});
}

constexpr Operation table[] = {
    {"mix_ids", 12, mix_ids},
    {"turn_groups", 8, turn_groups},
    {"group_sums", 8, group_sums},
    {"sub_group_sums", 6, sub_group_sums},
    {"count", 10, count},
    {"collatz", 6, collatz},
    {"renew_kernel", 4, renew_kernel},
    {"launch_clone", 4, launch_clone},
};

} // namespace

std::span<const Operation> launches() {
  return table;
}

} // namespace soak
