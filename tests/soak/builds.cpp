// Programs: random ones that are valid, invalid ones, programs that are built again.

#include "soak/shape.hpp"
#include "soak/worker.hpp"

#include <bit>
#include <cstdio>

namespace soak {

namespace {

/// A function of a word and its position, as source and in C++.
struct Instruction {
  unsigned kind;
  std::uint32_t constant;
};
using Recipe = std::vector<Instruction>;

Recipe random_recipe(Random& random) {
  Recipe recipe(random.between(1, 8));
  for (Instruction& step : recipe)
    step = {static_cast<unsigned>(random.below(7)), random.word() % 1'000'000};
  return recipe;
}

std::string source_of(const Recipe& recipe) {
  static constexpr const char* forms[] = {"x += K;",
                                          "x ^= K;",
                                          "x *= K | 1;",
                                          "x = rotate(x, K % 32);",
                                          "if (x & 1) x += i * K; else x -= i;",
                                          "for (uint k = 0; k < (x & 7); ++k) x = x * 5 + K;",
                                          "x ^= x >> (K % 31 + 1);"};
  std::string text = "kernel void generated(global uint* v) {\n"
                     "  uint i = get_global_linear_id(), x = v[i];\n";
  for (const Instruction& step : recipe) {
    text += "  {\n    const uint K = " + std::to_string(step.constant) + "u;\n    ";
    text += forms[step.kind];
    text += "\n  }\n";
  }
  return text + "  v[i] = x;\n}\n";
}

std::uint32_t value_of(const Recipe& recipe, std::uint32_t x, std::uint32_t i) {
  for (const auto& [kind, constant] : recipe) {
    switch (kind) {
    case 0:
      x += constant;
      break;
    case 1:
      x ^= constant;
      break;
    case 2:
      x *= constant | 1;
      break;
    case 3:
      x = std::rotl(x, static_cast<int>(constant % 32));
      break;
    case 4:
      x = x & 1 ? x + i * constant : x - i;
      break;
    case 5:
      for (std::uint32_t k = 0; k < (x & 7); ++k)
        x = x * 5 + constant;
      break;
    default:
      x ^= x >> (constant % 31 + 1);
    }
  }
  return x;
}

test::Program make_program(Worker& worker, const std::string& source) {
  const char* text = source.c_str();
  cl_int error = CL_SUCCESS;
  test::Program program(clCreateProgramWithSource(worker.world.context, 1, &text, nullptr, &error));
  worker.expect("clCreateProgramWithSource", error);
  return program;
}

cl_int build(cl_program program) {
  return clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr);
}

void build_valid(Worker& worker, cl_program program) {
  const cl_int error = build(program);
  if (error == CL_BUILD_PROGRAM_FAILURE) {
    char text[4096] = "";
    clGetProgramBuildInfo(program, worker.world.device, CL_PROGRAM_BUILD_LOG, sizeof text, text, nullptr);
    std::fprintf(stderr, "the build log of a valid program: %s\n", text);
  }
  worker.expect("clBuildProgram", error);
}

void launch_generated(Worker& worker, cl_kernel kernel, const Recipe& recipe) {
  Memory& memory = worker.memory();
  const Shape shape = random_shape(worker.random, memory.words());
  cl_mem buffer = memory.buffer;
  worker.expect("clSetKernelArg", memory.svm ? clSetKernelArgSVMPointer(kernel, 0, memory.svm)
                                             : clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  Step step = worker.step({&memory});
  worker.note("launch of a random program with %zu steps, %zu work-items%s", recipe.size(), shape.size(),
              step.fails ? ", one event fails" : "");
  worker.expect("clEnqueueNDRangeKernel",
                shape.enqueue(step.queue, kernel, step.count(), step.list(), step.event.address()));
  for (std::size_t i = 0; i < shape.size() && !step.fails; ++i)
    memory.model[i] = value_of(recipe, memory.model[i], static_cast<std::uint32_t>(i));
  worker.settle(step, {&memory});
}

/// Program and kernel are released while the first, cold launch is in flight.
void build_and_launch(Worker& worker) {
  const Recipe recipe = random_recipe(worker.random);
  const test::Program program = make_program(worker, source_of(recipe));
  worker.note("build of a random program with %zu steps", recipe.size());
  build_valid(worker, program);
  cl_int error = CL_SUCCESS;
  const test::Kernel kernel(clCreateKernel(program, "generated", &error));
  worker.expect("clCreateKernel", error);
  for (std::size_t launches = worker.random.between(1, 3); launches > 0; --launches)
    launch_generated(worker, kernel, recipe);
}

void build_invalid(Worker& worker) {
  static constexpr const char* errors[] = {"undeclared = 1;", "v[0] = ;", "v[0] = \"text\" * 2;", "}",
                                           "goto nowhere;"};
  const char* error = errors[worker.random.below(std::size(errors))];
  const test::Program program =
      make_program(worker, std::string("kernel void k(global uint* v) { ") + error + " }");
  worker.note("build of invalid source: %s", error);
  worker.expect("clBuildProgram", build(program), CL_BUILD_PROGRAM_FAILURE);
  cl_build_status status = CL_BUILD_NONE;
  worker.expect("clGetProgramBuildInfo",
                clGetProgramBuildInfo(program, worker.world.device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                      &status, nullptr));
  worker.expect("CL_PROGRAM_BUILD_STATUS", status, CL_BUILD_ERROR);
  cl_int code = CL_SUCCESS;
  clCreateKernel(program, "k", &code);
  worker.expect("clCreateKernel of it", code, CL_INVALID_PROGRAM_EXECUTABLE);
}

void build_again(Worker& worker) {
  const test::Program program = make_program(worker, source_of(random_recipe(worker.random)));
  cl_int error = CL_SUCCESS;
  for (int iteration = 0; iteration < 2; ++iteration) {
    worker.note("build %d of one program", iteration);
    build_valid(worker, program);
    test::Kernel kernel(clCreateKernel(program, "generated", &error));
    worker.expect("clCreateKernel", error);
    worker.expect("clBuildProgram with a kernel", build(program), CL_INVALID_OPERATION);
  }
}

/// Threads build one program at the same time: those that come too late are refused, and while it is being
/// built it gives no kernels.
void build_together(Worker& worker) {
  const SharedBuild shared = worker.world.shared_build(worker.random, worker.place());
  worker.note("build of a program by several threads");
  const cl_int built = build(shared.program);
  if (built != CL_INVALID_OPERATION) worker.expect("clBuildProgram", built);
  cl_int error = CL_SUCCESS;
  const test::Kernel kernel(clCreateKernel(shared.program, "generated", &error));
  if (error == CL_INVALID_PROGRAM_EXECUTABLE) return;
  worker.expect("clCreateKernel", error);
  launch_generated(worker, kernel, {{0, shared.number}});
}

/// The shared program has kernels of all threads.
void build_shared(Worker& worker) {
  worker.expect("clBuildProgram of the shared program", build(worker.world.program), CL_INVALID_OPERATION);
}

constexpr Operation table[] = {
    {"build_and_launch", 5, build_and_launch}, {"build_invalid", 2, build_invalid},
    {"build_again", 1, build_again},           {"build_together", 4, build_together},
    {"build_shared", 2, build_shared},
};

} // namespace

std::span<const Operation> builds() {
  return table;
}

} // namespace soak
