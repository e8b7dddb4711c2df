#pragma once

// Queues of several devices for command buffers (cl_khr_command_buffer_multi_device)

#include "support/command_buffer.hpp"

#include <memory>
#include <random>
#include <thread>

namespace cb = test::cb;

namespace test::several_queues {

inline constexpr cl_command_queue_properties out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

inline constexpr const char* source = R"(
  kernel void step(global uint* p, uint x) { *p = *p * 3 + x; }
  kernel void sum(global const uint* a, global const uint* b, global uint* out) { *out = *a * 5 + *b; })";

/// A context with its devices: the whole one and one of its parts, or the whole one alone where it has none.
struct World {
  std::vector<test::Device> parts;
  std::vector<cl_device_id> devices{test::device()};
  test::Context context;
  test::Program program;
  test::Kernel step, sum;

  World() {
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_uint count = 0;
    if (clCreateSubDevices(test::device(), equally, 0, nullptr, &count) == CL_SUCCESS) {
      std::vector<cl_device_id> made(count);
      REQUIRE_CL(clCreateSubDevices(test::device(), equally, count, made.data(), nullptr));
      parts.reserve(count);
      for (cl_device_id part : made)
        parts.emplace_back(part);
      devices.insert(devices.end(), made.begin(), made.end());
    }
    cl_int error = CL_SUCCESS;
    context.reset(
        clCreateContext(nullptr, cl_uint(devices.size()), devices.data(), nullptr, nullptr, &error));
    REQUIRE_CL(error);
    const char* text = source;
    program.reset(clCreateProgramWithSource(context, 1, &text, nullptr, &error));
    REQUIRE_CL(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    step.reset(clCreateKernel(program, "step", &error));
    sum.reset(clCreateKernel(program, "sum", &error));
    REQUIRE_CL(error);
  }
  test::Queue queue(size_t device, cl_command_queue_properties properties = 0) const {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int error = CL_SUCCESS;
    test::Queue made(
        clCreateCommandQueueWithProperties(context, devices[device % devices.size()], list, &error));
    REQUIRE_CL(error);
    return made;
  }
  test::Buffer zero() const {
    cl_int error = CL_SUCCESS;
    cl_uint value = 0;
    test::Buffer made(
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof value, &value, &error));
    REQUIRE_CL(error);
    return made;
  }
};

inline cl_uint number(cl_command_queue queue, cl_mem buffer) {
  cl_uint value = 0;
  REQUIRE_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr));
  return value;
}

} // namespace test::several_queues
