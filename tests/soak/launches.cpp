// Launches of the shared program's kernels, each thread with kernel objects of its own.

#include "soak/shape.hpp"
#include "soak/worker.hpp"
#include "support/command_buffer_api.hpp"

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
  const std::uint32_t iterations = static_cast<std::uint32_t>(worker.random.below(40));
  cl_kernel kernel = worker.kernel(Function::collatz);
  set_argument(worker, kernel, 0, memory);
  set_argument(worker, kernel, 1, iterations);
  Step step = worker.step({&memory});
  launch(worker, shape, Function::collatz, step);
  for (std::size_t i = 0; i < shape.size() && !step.fails; ++i)
    for (std::uint32_t k = 0, &x = memory.model[i]; k < iterations && x != 1; ++k)
      x = x & 1 ? 3 * x + 1 : x / 2;
  worker.settle(step, {&memory});
}

/// Another object takes a kernel's place: a new one, or a copy. What is in flight keeps the former one.
void renew_kernel(Worker& worker) {
  const auto function = static_cast<Function>(worker.random.below(function_count));
  test::Kernel& kernel = worker.kernel(function);
  cl_int error = CL_SUCCESS;
  test::Kernel made(
      worker.random.chance(50)
          ? clCloneKernel(kernel, &error)
          : clCreateKernel(worker.world.program, function_names[static_cast<unsigned>(function)], &error));
  worker.expect("clCloneKernel or clCreateKernel", error);
  kernel = std::move(made);
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

// ---- Command buffers

namespace cb = test::cb;

const cb::Functions& functions(const World& world) {
  static const cb::Functions all = cb::functions_of(world.device);
  return all;
}

struct ReleasedAtEnd {
  Worker& worker;
  cb::Handle buffer;
  ~ReleasedAtEnd() { functions(worker.world).release(buffer); }
};

/// A launch of mix_ids that has been recorded.
struct Recorded {
  Shape shape;
  std::uint32_t a = 0, b = 0;
  cb::Command command = nullptr;
};

/// Records launches that follow each other, in one queue or in two.
std::vector<Recorded> record(Worker& worker, cb::Handle buffer, std::span<const cl_command_queue> queues,
                             const Memory& memory) {
  std::vector<Recorded> recorded(worker.random.between(1, 12));
  cl_kernel kernel = worker.kernel(Function::mix_ids);
  set_argument(worker, kernel, 0, memory);
  cb::Point last = 0;
  for (Recorded& r : recorded) {
    r = {random_shape(worker.random, memory.words()), worker.random.word(), worker.random.word()};
    set_argument(worker, kernel, 1, r.a);
    set_argument(worker, kernel, 2, r.b);
    const Shape& shape = r.shape;
    worker.expect("clCommandNDRangeKernelKHR",
                  functions(worker.world)
                      .launch(buffer, queues[worker.random.below(queues.size())], nullptr, kernel,
                              shape.dimensions, shape.has_offset ? shape.offset : nullptr, shape.global,
                              shape.has_local ? shape.local : nullptr, last != 0, last ? &last : nullptr,
                              &last, &r.command));
  }
  return recorded;
}

void update(Worker& worker, const cb::Functions& f, cb::Handle buffer, Recorded& changed) {
  changed.b = worker.random.word();
  const cb::Argument argument{2, sizeof changed.b, &changed.b};
  cb::Config config;
  config.command = changed.command;
  config.argument_count = 1;
  config.arguments = &argument;
  const cl_uint type = 0;
  const void* list = &config;
  worker.expect("clUpdateMutableCommandsKHR", f.update(buffer, 1, &type, &list));
}

/// Enqueues a command buffer some times, with changes between, and releases it at once.
void replay(Worker& worker) {
  Memory& memory = worker.memory();
  Step step = worker.step({&memory});
  cl_int error = CL_SUCCESS;
  const test::Queue other(
      clCreateCommandQueueWithProperties(worker.world.context, worker.world.device, nullptr, &error));
  worker.expect("clCreateCommandQueueWithProperties", error);
  const cl_command_queue queues[] = {step.queue, other};
  const std::size_t queue_count = worker.random.between(1, 2);
  const cb::Functions& f = functions(worker.world);
  const cb::Property properties[] = {cb::flags, cb::mutable_commands | cb::simultaneous_use, 0};
  cb::Handle buffer = f.create(static_cast<cl_uint>(queue_count), queues, properties, &error);
  worker.expect("clCreateCommandBufferKHR", error);
  const ReleasedAtEnd release{worker, buffer};
  std::vector<Recorded> recorded = record(worker, buffer, std::span(queues).first(queue_count), memory);
  worker.expect("clFinalizeCommandBufferKHR", f.finalize(buffer));
  const std::size_t runs = worker.random.between(1, 3);
  worker.note("command buffer with %zu launches and %zu queues, enqueued %zu times%s", recorded.size(),
              queue_count, runs, step.fails ? ", one event fails" : "");
  for (std::size_t run = 0; run < runs; ++run) {
    if (worker.random.chance(50)) update(worker, f, buffer, recorded[worker.random.below(recorded.size())]);
    const test::Event before = std::move(step.event);
    const cl_event after = before;
    worker.expect("clEnqueueCommandBufferKHR", f.enqueue(0, nullptr, buffer, after ? 1 : step.count(),
                                                         after ? &after : step.list(), step.event.address()));
    for (const Recorded& r : recorded)
      if (!step.fails) mix(memory, r.shape, r.a, r.b);
  }
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
    {"replay", 6, replay},
};

} // namespace

std::span<const Operation> launches() {
  return table;
}

} // namespace soak
