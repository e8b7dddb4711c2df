#pragma once

// The devices that an example computes with, each with a queue, all in one context.

#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace cluster {

/// The first `most` devices of the first platform that has any; all of them if that is 0.
inline std::vector<cl::Device> devices(std::size_t most) {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> found;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
    if (found.empty()) continue;
    if (found.size() < most)
      throw std::runtime_error(std::to_string(most) + " devices are wanted, and " +
                               platform.getInfo<CL_PLATFORM_NAME>() + " has " + std::to_string(found.size()));
    if (most != 0) found.resize(most);
    return found;
  }
  throw std::runtime_error("there is no OpenCL device");
}

/// A context of devices, their queues, and a program that is built for all of them.
struct Devices {
  Devices(std::size_t most, const char* file, const char* build_options)
      : list(devices(most)), context(list), program(context, text_of(file)) {
    for (const cl::Device& device : list)
      queues.emplace_back(context, device);
    try {
      program.build(list, build_options);
    } catch (const cl::BuildError& error) {
      throw std::runtime_error(error.getBuildLog().front().second);
    }
  }

  static std::string text_of(const char* file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::size_t count() const { return list.size(); }

  std::vector<cl::Device> list;
  cl::Context context;
  cl::Program program;
  std::vector<cl::CommandQueue> queues;
};

} // namespace cluster
