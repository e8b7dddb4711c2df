#include "bench/device.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace bench {

Device::Device(const cl::Device& device) : device_(device), context_(device), queue_(context_, device) {}

bool Device::has_extension(const char* name) const {
  return (" " + device_.getInfo<CL_DEVICE_EXTENSIONS>() + " ").find(" " + std::string(name) + " ") !=
         std::string::npos;
}

bool Device::has_pipes() const {
  cl_bool value = CL_FALSE;
  return clGetDeviceInfo(device_(), CL_DEVICE_PIPE_SUPPORT, sizeof value, &value, nullptr) == CL_SUCCESS &&
         value;
}

cl::Program Device::build_source(const std::string& source, const char* options) const {
  cl::Program program(context_, source);
  try {
    program.build(device_, options);
  } catch (const cl::BuildError& error) {
    throw std::runtime_error("build error: " + error.getBuildLog().at(0).second);
  }
  return program;
}

std::filesystem::path data_folder(const char* name) {
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
  return std::filesystem::is_directory(beside) ? beside : std::filesystem::path(BENCH_SOURCE) / name;
}

cl::Program Device::build_file(const std::filesystem::path& path, const char* options) const {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  return build_source({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}, options);
}

cl::CommandQueue Device::make_device_queue() const {
  cl_uint most = 0; // older devices do not know the query
  clGetDeviceInfo(device_(), CL_DEVICE_MAX_ON_DEVICE_QUEUES, sizeof most, &most, nullptr);
  if (most == 0) throw Unsupported("no queues on the device");
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error = CL_SUCCESS;
  const cl_command_queue queue =
      clCreateCommandQueueWithProperties(context_(), device_(), properties, &error);
  if (error != CL_SUCCESS) throw Unsupported("no queue on the device");
  return cl::CommandQueue(queue);
}

template <class Prepare>
Measurement Device::time_rounds(double amount, const cl::Kernel& kernel, const cl::NDRange& global,
                                const cl::NDRange& local, Prepare&& prepare) const {
  const auto work = [&] {
    launch(kernel, global, local);
    queue_.finish();
  };
  return first_launch_seconds > 0 ? first_launches(kernel_seconds_, work, prepare)
                                  : median(amount, work, prepare);
}

Measurement Device::time(double amount, const cl::Kernel& kernel, const cl::NDRange& global,
                         const cl::NDRange& local) const {
  return time_rounds(amount, kernel, global, local, [] {});
}

Measurement Device::time_from_zero(const cl::Buffer& zeroed, std::size_t bytes, double amount,
                                   const cl::Kernel& kernel, const cl::NDRange& global,
                                   const cl::NDRange& local) const {
  return time_rounds(amount, kernel, global, local, [&] {
    queue_.enqueueFillBuffer(zeroed, cl_uchar(0), 0, bytes);
    queue_.finish();
  });
}

cl::Device find_device(const std::string& platform_name) {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  for (const cl::Platform& platform : platforms) {
    if (platform.getInfo<CL_PLATFORM_NAME>().find(platform_name) == std::string::npos) continue;
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    return devices.at(0);
  }
  throw std::runtime_error("no OpenCL platform is called " + platform_name);
}

} // namespace bench
