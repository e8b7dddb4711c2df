// The worker's side: OpenCL.

#include "differential/case.hpp"
#include "differential/worker.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>

#include <unistd.h>

namespace differential {

namespace {

/// A buffer of the kernels' fixed list of parameters.
struct BufferPlan {
  enum class Fill : std::uint8_t { integers, floats, zeros, cells } fill;
  std::size_t bytes;
  bool is_result;
};

std::vector<BufferPlan> plan(const Geometry& geometry) {
  using Fill = BufferPlan::Fill;
  const std::size_t items = geometry.items(), inputs = 4 * items + 128;
  return {{Fill::integers, inputs * 4, false}, {Fill::integers, inputs, false},
          {Fill::integers, inputs * 8, false}, {Fill::floats, inputs * 4, false},
          {Fill::integers, items * 32, true},  {Fill::integers, items * 8, true},
          {Fill::integers, items * 32, true},  {Fill::zeros, items * 16, true},
          {Fill::cells, 1024, true},           {Fill::cells, 64, true},
          {Fill::zeros, items * 8, true}};
}

std::vector<unsigned char> contents(const BufferPlan& buffer, std::uint32_t seed) {
  std::vector<unsigned char> bytes(buffer.bytes);
  auto next = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  using Fill = BufferPlan::Fill;
  if (buffer.fill == Fill::zeros) return bytes;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t value = next();
    if (buffer.fill == Fill::floats) {
      float number = static_cast<float>(static_cast<int>(value % 512) - 256) * 0.25f;
      std::memcpy(&value, &number, 4);
    } else if (value % 3 == 0) {
      value = next() % 16;
    } else {
      value = value << 12 ^ next();
    }
    std::memcpy(&bytes[at], &value, 4);
  }
  // A sum of floats that starts exact stays exact.
  if (buffer.fill == Fill::cells && bytes.size() >= 512) std::memset(&bytes[12 * 32], 0, 32);
  return bytes;
}

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Unsupported {};

void check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) throw Failure(std::string(what) + " failed with " + std::to_string(status));
}

class Platform {
public:
  explicit Platform(const std::string& name) {
    cl_uint count = 0;
    check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
    std::vector<cl_platform_id> platforms(count);
    clGetPlatformIDs(count, platforms.data(), nullptr);
    for (cl_platform_id platform : platforms) {
      char text[256] = {};
      clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text - 1, text, nullptr);
      if (!std::strstr(text, name.c_str())) continue;
      check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
      break;
    }
    if (!device_) throw Failure("no platform is called \"" + name + "\"");
    cl_int status = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, &status);
    check(status, "clCreateCommandQueueWithProperties");
    std::size_t bytes = 0;
    clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, 0, nullptr, &bytes);
    extensions_.resize(bytes);
    clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, bytes, extensions_.data(), nullptr);
  }

  std::string run(const std::string& source, const std::string& options) {
    std::optional<Geometry> geometry = geometry_of(source);
    if (!geometry) throw Failure("the first line does not give the range");
    check_support(source, *geometry);
    cl_program program = build(source, options);
    cl_int status = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, "test", &status);
    std::string results;
    std::vector<cl_mem> buffers;
    try {
      check(status, "clCreateKernel");
      buffers = make_buffers(*geometry, kernel);
      results = launch(*geometry, kernel, buffers);
    } catch (...) {
      release(program, kernel, buffers);
      throw;
    }
    release(program, kernel, buffers);
    return results;
  }

private:
  bool has(const char* extension) const { return extensions_.find(extension) != std::string::npos; }

  void check_support(const std::string& source, const Geometry& geometry) {
    auto mentions = [&](const char* word) { return source.find(word) != std::string::npos; };
    if (mentions("cl_khr_fp16") && !has("cl_khr_fp16")) throw Unsupported();
    if (mentions("atom_add") && !has("cl_khr_int64_base_atomics")) throw Unsupported();
    if (mentions("sub_group_rotate") && !has("cl_khr_subgroup_rotate")) throw Unsupported();
    if (geometry.is_uniform()) return;
    cl_bool non_uniform = CL_FALSE;
    clGetDeviceInfo(device_, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof non_uniform, &non_uniform,
                    nullptr);
    if (!non_uniform) throw Unsupported();
  }

  cl_program build(const std::string& source, const std::string& options) {
    const char* text = source.c_str();
    cl_int status = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    std::string all = "-cl-std=CL3.0 -w " + options;
    cl_device_fp_config config = 0;
    clGetDeviceInfo(device_, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr);
    if (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) all += " -cl-fp32-correctly-rounded-divide-sqrt";
    status = clBuildProgram(program, 1, &device_, all.c_str(), nullptr, nullptr);
    if (status == CL_SUCCESS) return program;
    std::size_t bytes = 0;
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    clReleaseProgram(program);
    throw Failure("does not build: " + log);
  }

  std::vector<cl_mem> make_buffers(const Geometry& geometry, cl_kernel kernel) {
    std::vector<cl_mem> buffers;
    cl_uint argument = 0;
    for (const BufferPlan& buffer : plan(geometry)) {
      std::vector<unsigned char> bytes = contents(buffer, 77 + argument);
      cl_int status = CL_SUCCESS;
      buffers.push_back(clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), &status));
      check(status, "clCreateBuffer");
      check(clSetKernelArg(kernel, argument++, sizeof(cl_mem), &buffers.back()), "clSetKernelArg");
    }
    const auto n = static_cast<cl_int>(geometry.items());
    const cl_uint m = static_cast<cl_uint>(geometry.items() % 4);
    check(clSetKernelArg(kernel, argument++, geometry.group_items() * sizeof(cl_uint), nullptr),
          "clSetKernelArg");
    check(clSetKernelArg(kernel, argument++, sizeof n, &n), "clSetKernelArg");
    check(clSetKernelArg(kernel, argument++, sizeof m, &m), "clSetKernelArg");
    return buffers;
  }

  std::string launch(const Geometry& geometry, cl_kernel kernel, const std::vector<cl_mem>& buffers) {
    check(clEnqueueNDRangeKernel(queue_, kernel, geometry.dimensions, geometry.offset.data(),
                                 geometry.global.data(), geometry.local.data(), 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue_), "clFinish");
    std::string results;
    std::vector<BufferPlan> plans = plan(geometry);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (!plans[i].is_result) continue;
      std::size_t at = results.size();
      results.resize(at + plans[i].bytes);
      check(clEnqueueReadBuffer(queue_, buffers[i], CL_TRUE, 0, plans[i].bytes, &results[at], 0, nullptr,
                                nullptr),
            "clEnqueueReadBuffer");
    }
    return results;
  }

  static void release(cl_program program, cl_kernel kernel, const std::vector<cl_mem>& buffers) {
    for (cl_mem buffer : buffers)
      clReleaseMemObject(buffer);
    if (kernel) clReleaseKernel(kernel);
    clReleaseProgram(program);
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::string extensions_;
};

bool read_exactly(int file, void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    ssize_t done = ::read(file, at, bytes);
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<std::size_t>(done);
  }
  return true;
}

std::string answer_to(Platform& platform, const std::string& request) {
  try {
    std::size_t end = request.find('\0');
    return 'r' + platform.run(request.substr(end + 1), request.substr(0, end));
  } catch (const Unsupported&) {
    return "u";
  } catch (const std::exception& error) {
    return std::string("f") + error.what();
  }
}

} // namespace

int serve(const std::string& name) {
  // Drivers print to the standard output, which is the way to the parent.
  int out = dup(1);
  dup2(2, 1);
  std::optional<Platform> platform;
  try {
    platform.emplace(name);
  } catch (const Failure& failure) {
    std::fprintf(stderr, "differential: %s\n", failure.what());
    _exit(no_platform);
  }
  for (std::uint32_t length = 0; read_exactly(0, &length, sizeof length);) {
    std::string request(length, '\0');
    if (!read_exactly(0, request.data(), length)) break;
    std::string answer = answer_to(*platform, request);
    length = static_cast<std::uint32_t>(answer.size());
    if (::write(out, &length, sizeof length) != sizeof length) break;
    for (std::size_t done = 0; done < answer.size();) {
      ssize_t written = ::write(out, answer.data() + done, answer.size() - done);
      if (written <= 0) return 1;
      done += static_cast<std::size_t>(written);
    }
  }
  _exit(0);
}

} // namespace differential
