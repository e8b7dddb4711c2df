// Splits the device by each affinity domain that it names, runs a kernel on every part, and prints one line
// for each domain: its bit, the compute units of the parts, and the first processors that the parts' threads
// may use. usage: test_sub_devices, with $HWLOC_SYNTHETIC for machines that are not there

#include "support/choice.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <string>
#include <vector>

namespace {

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::exit(1);
}

std::vector<cl_device_id> parts_of(cl_device_id device, cl_device_partition_property domain) {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, domain, 0};
  cl_uint count = 0;
  expect(clCreateSubDevices(device, properties, 0, nullptr, &count) == CL_SUCCESS, "counting parts");
  std::vector<cl_device_id> parts(count);
  expect(clCreateSubDevices(device, properties, count, parts.data(), nullptr) == CL_SUCCESS, "partition");
  return parts;
}

/// The processors on which commands of the device run, as a list.
std::string processors(cl_context context, cl_device_id part) {
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, part, nullptr, nullptr);
  cpu_set_t set;
  CPU_ZERO(&set);
  cpu_set_t* address = &set;
  expect(clEnqueueNativeKernel(
             queue,
             [](void* argument) { sched_getaffinity(0, sizeof set, *static_cast<cpu_set_t**>(argument)); },
             &address, sizeof address, 0, nullptr, nullptr, 0, nullptr, nullptr) == CL_SUCCESS,
         "native kernel");
  clFinish(queue);
  clReleaseCommandQueue(queue);
  std::string list;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) list += (list.empty() ? "" : ",") + std::to_string(i);
  return list;
}

void run_kernel(cl_context context, cl_device_id part) {
  const char* source = "kernel void k(global int* v) { v[get_global_id(0)] = get_global_id(0); }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  expect(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "build");
  cl_kernel kernel = clCreateKernel(program, "k", nullptr);
  const size_t items = 1 << 16;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, items * 4, nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, part, nullptr, nullptr);
  std::vector<int> values(items);
  for (int iteration = 0; iteration < 4; ++iteration)
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, items * 4, values.data(), 0, nullptr, nullptr);
  for (size_t i = 0; i < items; ++i)
    expect(values[i] == static_cast<int>(i), "a wrong value");
  clReleaseCommandQueue(queue);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

void show(cl_device_id device, cl_device_affinity_domain domain) {
  std::vector<cl_device_id> parts = parts_of(device, static_cast<cl_device_partition_property>(domain));
  std::string line = "domain " + std::to_string(domain) + " units";
  std::string places = " on";
  for (cl_device_id part : parts) {
    cl_uint units = 0;
    clGetDeviceInfo(part, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
    cl_context context = clCreateContext(nullptr, 1, &part, nullptr, nullptr, nullptr);
    run_kernel(context, part);
    line += ' ' + std::to_string(units);
    places += ' ' + processors(context, part);
    clReleaseContext(context);
  }
  cl_device_partition_property type[3] = {};
  clGetDeviceInfo(parts[0], CL_DEVICE_PARTITION_TYPE, sizeof type, type, nullptr);
  std::printf("%s type %d%s\n", line.c_str(), static_cast<int>(type[1]), places.c_str());
  for (cl_device_id part : parts)
    clReleaseDevice(part);
}

} // namespace

int main() {
  cl_device_id device = test::chosen_device();
  cl_device_affinity_domain domains = 0;
  clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains, &domains, nullptr);
  for (cl_device_affinity_domain bit = 1; bit <= CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE; bit <<= 1)
    if (domains & bit) show(device, bit);
  return 0;
}
