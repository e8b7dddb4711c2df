// What takes stack: kernels with private arrays, which run on the thread that waits for them.

#include "soak/worker.hpp"

#include <algorithm>

namespace soak {

namespace {

/// Writes an array and reads it in another order after a barrier, in the kernel itself or in functions that it calls.
std::string arrays_source(std::size_t length, bool has_functions) {
  std::string text = "#define N " + std::to_string(length) + "\n";
  text += has_functions ? "__attribute__((noinline)) " : "inline ";
  text += "void write(uint* a, uint i, uint s) { for (uint j = 0; j < N; ++j) a[j] = i * j + s; }\n";
  text += has_functions ? "__attribute__((noinline)) " : "inline ";
  text += R"(uint read(const uint* a, uint x) {
  uint sum = 0;
  for (uint j = 0; j < N; ++j) sum += a[(j * 7 + x) % N];
  return sum;
}
kernel void arrays(global uint* v, uint s) {
  uint i = get_global_linear_id(), a[N];
  write(a, i, s);
  barrier(CLK_GLOBAL_MEM_FENCE);
  v[i] = read(a, v[i]);
}
)";
  return text;
}

std::uint32_t value_of(std::size_t length, std::uint32_t i, std::uint32_t s, std::uint32_t x) {
  const auto n = static_cast<std::uint32_t>(length);
  std::uint32_t sum = 0;
  for (std::uint32_t j = 0; j < n; ++j)
    sum += i * ((j * 7 + x) % n) + s;
  return sum;
}

void private_arrays(Worker& worker) {
  Memory& memory = worker.memory();
  const std::size_t bytes = worker.random.chance(50) ? worker.random.between(4'000, 66'000)
                                                     : worker.random.between(66'000, 280'000);
  const std::size_t length = bytes / 4;
  const bool has_functions = worker.random.chance(50);
  worker.note("build of a kernel with an array of %zu words%s", length, has_functions ? ", functions" : "");
  const std::string source = arrays_source(length, has_functions);
  const char* text = source.c_str();
  cl_int error = CL_SUCCESS;
  const test::Program program(clCreateProgramWithSource(worker.world.context, 1, &text, nullptr, &error));
  worker.expect("clCreateProgramWithSource", error);
  worker.expect("clBuildProgram", clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
  const test::Kernel kernel(clCreateKernel(program, "arrays", &error));
  worker.expect("clCreateKernel", error);
  cl_mem buffer = memory.buffer;
  const std::uint32_t s = worker.random.word();
  worker.expect("clSetKernelArg", memory.svm ? clSetKernelArgSVMPointer(kernel, 0, memory.svm)
                                             : clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  worker.expect("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof s, &s));
  const std::size_t group = worker.random.between(1, 16);
  const std::size_t size = std::min<std::size_t>(memory.words(), group * worker.random.between(1, 4));
  Step step = worker.step({&memory});
  worker.note("kernel with an array of %zu words%s, %zu work-items in groups of %zu%s", length,
              has_functions ? ", functions" : "", size, group, step.fails ? ", one event fails" : "");
  worker.expect("clEnqueueNDRangeKernel",
                clEnqueueNDRangeKernel(step.queue, kernel, 1, nullptr, &size, &group, step.count(),
                                       step.list(), step.event.address()));
  for (std::size_t i = 0; i < size && !step.fails; ++i)
    memory.model[i] = value_of(length, static_cast<std::uint32_t>(i), s, memory.model[i]);
  worker.settle(step, {&memory});
}

constexpr Operation table[] = {{"private_arrays", 6, private_arrays}};

} // namespace

std::span<const Operation> stacks() {
  return table;
}

} // namespace soak
