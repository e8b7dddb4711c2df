#pragma once

// Runs functions in OpenCL kernels and measures the errors of their results.

#include "batch.hpp"

#include "opencl.hpp"

#include <map>
#include <span>
#include <tuple>

namespace maths {

/// Which vector types a function is tested with; the scalar type has width 1.
struct Widths {
  std::vector<int> list;  ///< ascending
  bool alternate = false; ///< each function is tested with the first width and, by turns, one of the others
  /// The widths for the function of this index.
  std::vector<int> of(std::size_t function) const;
};

/// The type of an argument or a result in a kernel, and its size. Kernels have a floating-point array for Kind::none.
std::string type_of(Kind kind, const Format& format);
std::size_t size_of(Kind kind, const Format& format);
/// Writes the values to memory in the device's format.
void encode(Kind kind, const Format& format, std::span<const Real> values, unsigned char* bytes);

class Device {
public:
  /// @param flush whether programs are built with -cl-denorms-are-zero
  Device(const std::vector<Function>& functions, const Widths& widths, bool flush = false,
         const cl::Context& context = cl::Context(CL_DEVICE_TYPE_ALL));
  /// The largest error over the batch, for all widths.
  Worst test(const Batch& batch);

private:
  cl::Kernel& kernel(std::size_t function, std::size_t format, int width);
  const cl::Program& program(std::size_t format, int width, const char* options);
  void write_arguments(const Batch& batch);
  void run(const Batch& batch, int width);
  Worst compare(const Batch& batch, int width) const;

  const std::vector<Function>& functions_;
  Widths widths_;
  bool flush_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Buffer x_, y_, first_, second_;
  std::vector<unsigned char> host_; ///< arguments in the device's format
  std::vector<unsigned char> first_results_, second_results_;
  std::vector<unsigned char> scalar_first_, scalar_second_; ///< results of width 1
  std::map<std::tuple<std::size_t, int, std::string>, cl::Program> programs_;
  std::map<std::tuple<std::size_t, std::size_t, int>, cl::Kernel> kernels_;
};

} // namespace maths
