#pragma once

// The OpenCL side of a case: one device, one in-order queue, and kernels from bench/kernels.

#include "bench/measure.hpp"

#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bench {

/// A folder of kernels: the one beside the program, so that a copy of both runs anywhere, or else that of bench/.
std::filesystem::path data_folder(const char* name);

class Device {
public:
  explicit Device(const cl::Device& device);

  const cl::Context& context() const { return context_; }
  const cl::CommandQueue& queue() const { return queue_; }
  std::string name() const { return device_.getInfo<CL_DEVICE_NAME>(); }
  bool has_extension(const char* name) const;
  bool has_pipes() const;

  /// A build error is thrown as std::runtime_error with the log.
  cl::Program build_source(const std::string& source, const char* options = "") const;
  cl::Program build_file(const std::filesystem::path& path, const char* options = "") const;

  /// A kernel of a file in bench/kernels with its arguments set; values, buffers, cl::Local. For --first-launches, the
  /// time that this takes is part of the times of the launches that time() or time_from_zero() makes next.
  template <class... Arguments>
  cl::Kernel kernel(const char* file, const char* name, const char* options,
                    const Arguments&... arguments) const {
    const auto start = Clock::now();
    cl::Kernel kernel(build_file(data_folder("kernels") / file, options), name);
    cl_uint index = 0;
    (kernel.setArg(index++, arguments), ...);
    kernel_seconds_ = seconds_since(start);
    return kernel;
  }

  template <class T>
  cl::Buffer buffer(const std::vector<T>& contents) const {
    return {context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, contents.size() * sizeof(T),
            const_cast<T*>(contents.data())};
  }

  template <class T>
  cl::Buffer empty_buffer(std::size_t count) const {
    cl::Buffer result(context_, CL_MEM_READ_WRITE, count * sizeof(T));
    queue_.enqueueFillBuffer(result, cl_uchar(0), 0, count * sizeof(T));
    queue_.finish();
    return result;
  }

  template <class T>
  std::vector<T> read(const cl::Buffer& buffer, std::size_t count) const {
    std::vector<T> result(count);
    queue_.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), result.data());
    return result;
  }

  /// The default queue on the device. Unsupported if there are none.
  cl::CommandQueue make_device_queue() const;

  void launch(const cl::Kernel& kernel, const cl::NDRange& global,
              const cl::NDRange& local = cl::NullRange) const {
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
  }

  /// Median time from enqueueing the kernel to the end of clFinish, or the kernel's first launches.
  Measurement time(double amount, const cl::Kernel& kernel, const cl::NDRange& global,
                   const cl::NDRange& local = cl::NullRange) const;

  /// As above, with the given buffer's first `bytes` set to zero before each round.
  Measurement time_from_zero(const cl::Buffer& zeroed, std::size_t bytes, double amount,
                             const cl::Kernel& kernel, const cl::NDRange& global,
                             const cl::NDRange& local = cl::NullRange) const;

private:
  template <class Prepare>
  Measurement time_rounds(double amount, const cl::Kernel& kernel, const cl::NDRange& global,
                          const cl::NDRange& local, Prepare&& prepare) const;

  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
  mutable double kernel_seconds_ = 0; ///< that the latest kernel() took
};

/// The first device of the first platform whose name contains `platform_name`.
cl::Device find_device(const std::string& platform_name);

/// A row of the table.
struct Case {
  const char* name;
  const char* title;
  Unit unit;
  Measurement (*run)(const Device&);
  Measurement (*run_reference)() = nullptr; ///< the same work in plain C++, where that says something
};

// One table per file in cases/, in the order of the printed table.
std::span<const Case> host_cases();
std::span<const Case> memory_cases();
std::span<const Case> arithmetic_cases();
std::span<const Case> atomic_cases();
std::span<const Case> group_cases();
std::span<const Case> pipe_cases();
std::span<const Case> image_cases();

} // namespace bench
