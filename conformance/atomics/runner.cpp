#include "conformance/atomics/runner.hpp"

#include <CL/cl_half.h>
#include <chrono>
#include <cstring>

namespace conformance {
namespace {

constexpr size_t bytes = groups * group_size * 8;

template <class T>
void store(std::array<std::byte, 8>& place, T value) {
  std::memcpy(place.data(), &value, sizeof value);
}

/// The initial value as the device has it.
std::array<std::byte, 8> initial_bytes(const Case& test) {
  std::array<std::byte, 8> place{};
  const std::int64_t value = initial_of(test);
  if (test.type.kind != Kind::floating)
    store(place, value); // little-endian: the low bytes are those of a smaller type
  else if (test.type.size == 8)
    store(place, static_cast<double>(value));
  else if (test.type.size == 4)
    store(place, static_cast<float>(value));
  else
    store(place, cl_half_from_float(static_cast<float>(value), CL_HALF_RTE));
  return place;
}

} // namespace

Runner::Runner(const Device& device) : device_(device) {
  for (cl_mem& buffer : buffers_) {
    cl_int error = CL_SUCCESS;
    buffer = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
    require(error, "clCreateBuffer");
  }
}

Runner::~Runner() {
  for (cl_mem buffer : buffers_)
    clReleaseMemObject(buffer);
}

std::string Runner::run(const Case& test) {
  const auto start = std::chrono::steady_clock::now();
  const Kernel kernel(device_, source_of(test), "-cl-std=" + test.standard);
  std::string wrong;
  if (kernel.status != CL_SUCCESS)
    wrong = "does not build (" + std::to_string(kernel.status) + ")\n" + kernel.log + "\n" + source_of(test);
  else
    wrong = execute(test, kernel);
  milliseconds_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return wrong;
}

std::string Runner::execute(const Case& test, const Kernel& kernel) {
  const auto initial = initial_bytes(test);
  const size_t global = groups_of(test) * group_size, local = group_size;
  const cl_int pick = 1;
  cl_int error = CL_SUCCESS;
  const auto enqueue = [&](cl_int result) { error = error == CL_SUCCESS ? result : error; };
  for (cl_uint i = 0; i < buffers_.size(); ++i)
    enqueue(clSetKernelArg(kernel.kernel, i, sizeof(cl_mem), &buffers_[i]));
  enqueue(clSetKernelArg(kernel.kernel, 5, sizeof pick, &pick));
  for (cl_mem buffer : {buffers_[0], buffers_[4]})
    enqueue(clEnqueueWriteBuffer(device_.queue, buffer, CL_FALSE, 0, 8, initial.data(), 0, nullptr, nullptr));
  enqueue(
      clEnqueueNDRangeKernel(device_.queue, kernel.kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr));

  std::vector<std::byte> returned(global * test.type.size), final(bytes);
  const cl_mem objects = test.local_object() ? buffers_[3] : buffers_[0];
  enqueue(clEnqueueReadBuffer(device_.queue, objects, CL_FALSE, 0, bytes, final.data(), 0, nullptr, nullptr));
  enqueue(clEnqueueReadBuffer(device_.queue, buffers_[2], CL_TRUE, 0, returned.size(), returned.data(), 0,
                              nullptr, nullptr));
  if (error != CL_SUCCESS) {
    clFinish(device_.queue);
    return "does not run (" + std::to_string(error) + ")";
  }
  return verify(test, returned.data(), final.data());
}

} // namespace conformance
