#include "process/exit/exit_ways.hpp"

#include "process/world.hpp"
#include "support/choice.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace test {

namespace {

/// A kernel that was never compiled, with attributes by lot, and the sizes of its launch.
struct Unseen {
  std::string attributes;
  cl_uint factor, dimensions;
  std::array<size_t, 3> global{1, 1, 1}, local{1, 1, 1};
  bool chooses_local; ///< whether the launch says how large a group is

  std::string source() const {
    return "kernel " + attributes +
           " void k(global uint* v) {\n"
           "  size_t i = get_global_linear_id();\n"
           "  uint x = i;\n"
           "  for (uint n = 0; n < i % 5; ++n) x = x * " +
           std::to_string(factor) +
           "u + n;\n"
           "  if (get_local_id(0) % 2) x ^= get_global_id(0); else x += get_global_id(1);\n"
           "  v[i] = x;\n"
           "}\n";
  }
  size_t items() const { return global[0] * global[1] * global[2]; }
  cl_uint expected(size_t i) const {
    auto x = static_cast<cl_uint>(i);
    for (cl_uint n = 0; n < i % 5; ++n)
      x = x * factor + n;
    const size_t column = i % global[0], row = i / global[0] % global[1];
    return column % local[0] % 2 ? x ^ static_cast<cl_uint>(column) : x + static_cast<cl_uint>(row);
  }
};

Unseen draw(std::mt19937& random) {
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  Unseen kernel{{}, static_cast<cl_uint>(random()), 1 + below(3), {1, 1, 1}, {1, 1, 1}, true};
  for (cl_uint d = 0; d < kernel.dimensions; ++d) {
    kernel.local[d] = 1 + below(7);
    kernel.global[d] = kernel.local[d] * (1 + below(9));
  }
  const auto& l = kernel.local;
  const std::string size =
      "(" + std::to_string(l[0]) + ", " + std::to_string(l[1]) + ", " + std::to_string(l[2]) + ")";
  constexpr std::array types{"char", "uint3", "double", "ushort8"};
  if (below(2)) {
    kernel.attributes += "__attribute__((reqd_work_group_size" + size + ")) ";
    kernel.chooses_local = below(2);
  } else if (below(2)) {
    kernel.attributes += "__attribute__((work_group_size_hint" + size + ")) ";
  }
  if (below(2))
    kernel.attributes += "__attribute__((vec_type_hint(" + std::string(types[below(types.size())]) + "))) ";
  if (below(2))
    kernel.attributes +=
        "__attribute__((intel_reqd_sub_group_size(" + std::to_string(4u << below(3)) + "))) ";
  return kernel;
}

struct Place {
  cl_device_id device = chosen_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
};

/// Builds the kernel, launches it and compares what it writes.
void run(const Place& place, const Unseen& kernel) {
  const cl_program program = make_program(place.context, kernel.source());
  require(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr) == CL_SUCCESS,
          "clBuildProgram");
  const cl_kernel k = clCreateKernel(program, "k", nullptr);
  std::vector<cl_uint> values(kernel.items());
  const cl_mem buffer = clCreateBuffer(place.context, CL_MEM_READ_WRITE, values.size() * 4, nullptr, nullptr);
  const cl_command_queue queue =
      clCreateCommandQueueWithProperties(place.context, place.device, nullptr, nullptr);
  clSetKernelArg(k, 0, sizeof(cl_mem), &buffer);
  const size_t* local = kernel.chooses_local ? kernel.local.data() : nullptr;
  require(clEnqueueNDRangeKernel(queue, k, kernel.dimensions, nullptr, kernel.global.data(), local, 0,
                                 nullptr, nullptr) == CL_SUCCESS,
          "clEnqueueNDRangeKernel");
  require(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, values.size() * 4, values.data(), 0, nullptr,
                              nullptr) == CL_SUCCESS,
          "clEnqueueReadBuffer");
  for (size_t i = 0; i < values.size(); ++i)
    require(values[i] == kernel.expected(i), "a value of an unseen kernel");
  clReleaseCommandQueue(queue);
  clReleaseMemObject(buffer);
  clReleaseKernel(k);
  clReleaseProgram(program);
}

/// Eight threads run unseen kernels over and over.
void begin() {
  static const Place& place = *new Place;
  for (unsigned thread = 0; thread < 8; ++thread)
    std::thread([thread] {
      std::mt19937 random(current_run.number * 8 + thread);
      for (;;)
        run(place, draw(random));
    }).detach();
  sleep_up_to(120'000);
}

int cold_return() {
  begin();
  return leave();
}
int cold_exit() {
  std::thread([] {
    begin();
    std::exit(leave());
  }).detach();
  pause();
  return 1;
}
int cold_quick_exit() {
  begin();
  std::quick_exit(leave());
}
int cold_served() {
  setenv("HOSTCL_COMPILER", "process", 1);
  return cold_return();
}
int cold_served_exit() {
  setenv("HOSTCL_COMPILER", "process", 1);
  return cold_exit();
}

constexpr Way ways[] = {
    {"cold_return", cold_return},
    {"cold_cached", cold_return, "", true},
    {"cold_tier1", cold_return, "", false, 0, "tier1"},
    {"cold_exit", cold_exit},
    {"cold_quick_exit", cold_quick_exit},
    {"cold_served", cold_served},
    {"cold_served_exit", cold_served_exit, "", true},
};

} // namespace

std::span<const Way> cold_ways() {
  return ways;
}

} // namespace test
