// What takes stack: kernels with private arrays, which run on the thread that waits for them.

#include "soak/worker.hpp"

#include <algorithm>

namespace soak {

namespace {

enum class Form { loops, functions, calls };
constexpr const char* form_names[] = {"loops", "functions", "calls"};

/// A kernel that writes an array and reads it in another order after a barrier: in loops of its own, in functions that
/// are inlined, or in calls.
std::string arrays_source(std::size_t length, Form form) {
  std::string text = "#define N " + std::to_string(length) + "\n";
  if (form == Form::loops)
    return text + R"(
kernel void arrays(global uint* v, uint s) {
  uint i = get_global_linear_id(), a[N];
  for (uint j = 0; j < N; ++j) a[j] = i * j + s;
  barrier(CLK_GLOBAL_MEM_FENCE);
  uint sum = 0;
  for (uint j = 0; j < N; ++j) sum += a[(j * 7 + v[i & 15]) % N];
  v[16 + i] = sum;
}
)";
  text += form == Form::calls ? "#define FUNCTION __attribute__((noinline))\n" : "#define FUNCTION inline\n";
  return text + R"(
FUNCTION void write(uint* a, uint i, uint s) {
  for (uint j = 0; j < N; ++j) a[j] = i * j + s;
}
FUNCTION uint read(const uint* a, uint x) {
  uint sum = 0;
  for (uint j = 0; j < N; ++j) sum += a[(j * 7 + x) % N];
  return sum;
}
kernel void arrays(global uint* v, uint s) {
  uint i = get_global_linear_id(), a[N];
  write(a, i, s);
  barrier(CLK_GLOBAL_MEM_FENCE);
  v[16 + i] = read(a, v[i & 15]);
}
)";
}

std::uint32_t value_of(std::size_t length, std::uint32_t i, std::uint32_t s, std::uint32_t x) {
  const auto n = static_cast<std::uint32_t>(length);
  std::uint32_t sum = 0;
  for (std::uint32_t j = 0; j < n; ++j)
    sum += i * ((j * 7 + x) % n) + s;
  return sum;
}

struct ArrayKernel {
  test::Program program;
  test::Kernel kernel;
  std::size_t length = 0;
  const char* form = nullptr;
};

ArrayKernel build_arrays(Worker& worker) {
  ArrayKernel made;
  made.length = (worker.random.chance(50) ? worker.random.between(4'000, 66'000)
                                          : worker.random.between(66'000, 280'000)) /
                4;
  const auto form = static_cast<Form>(worker.random.below(3));
  made.form = form_names[static_cast<unsigned>(form)];
  worker.note("build of a kernel with an array of %zu words, %s", made.length, made.form);
  const std::string source = arrays_source(made.length, form);
  const char* text = source.c_str();
  cl_int error = CL_SUCCESS;
  made.program.reset(clCreateProgramWithSource(worker.world.context, 1, &text, nullptr, &error));
  worker.expect("clCreateProgramWithSource", error);
  worker.expect("clBuildProgram",
                clBuildProgram(made.program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
  made.kernel.reset(clCreateKernel(made.program, "arrays", &error));
  worker.expect("clCreateKernel", error);
  return made;
}

void launch_arrays(Worker& worker, const ArrayKernel& made, Memory& memory) {
  cl_mem buffer = memory.buffer;
  const std::uint32_t s = worker.random.word();
  worker.expect("clSetKernelArg", memory.svm ? clSetKernelArgSVMPointer(made.kernel, 0, memory.svm)
                                             : clSetKernelArg(made.kernel, 0, sizeof buffer, &buffer));
  worker.expect("clSetKernelArg", clSetKernelArg(made.kernel, 1, sizeof s, &s));
  const std::size_t group = worker.random.chance(30) ? 1 : worker.random.between(1, 64);
  const std::size_t size = std::min<std::size_t>(memory.words() - 16, group * worker.random.between(1, 4));
  Step step = worker.step({&memory});
  worker.note("kernel with an array of %zu words, %s, %zu work-items in groups of %zu%s", made.length,
              made.form, size, group, step.fails ? ", one event fails" : "");
  worker.expect("clEnqueueNDRangeKernel",
                clEnqueueNDRangeKernel(step.queue, made.kernel, 1, nullptr, &size, &group, step.count(),
                                       step.list(), step.event.address()));
  for (std::size_t i = 0; i < size && !step.fails; ++i)
    memory.model[16 + i] = value_of(made.length, static_cast<std::uint32_t>(i), s, memory.model[i & 15]);
  worker.settle(step, {&memory});
  // The thread that waits runs the kernel, if no other one has begun to.
  if (worker.random.chance(70)) worker.expect("clFinish", clFinish(step.queue));
}

/// Later launches run other code than the first ones.
void private_arrays(Worker& worker) {
  Memory& memory = worker.memory();
  if (memory.words() < 32) return;
  const ArrayKernel made = build_arrays(worker);
  for (std::size_t launches = worker.random.between(1, 5); launches > 0; --launches)
    launch_arrays(worker, made, memory);
}

constexpr Operation table[] = {{"private_arrays", 20, private_arrays}};

} // namespace

std::span<const Operation> stacks() {
  return table;
}

} // namespace soak
