#pragma once

// The worker's side of a case: builds the program and launches its kernel as the case wants it.

#include "differential/buffers.hpp"

#include <CL/cl.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace differential {

/// An error status of what has to succeed.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The device lacks what the kernel needs, or clang cannot translate it to SPIR-V.
struct Unsupported {};

void check(cl_int status, const std::string& what);

template <class Handle, cl_int(CL_API_CALL* release)(Handle)>
struct Release {
  using pointer = Handle;
  void operator()(Handle handle) const { release(handle); }
};
template <class Handle, cl_int(CL_API_CALL* release)(Handle)>
using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, Release<Handle, release>>;
using ProgramOwner = Owner<cl_program, clReleaseProgram>;
using KernelOwner = Owner<cl_kernel, clReleaseKernel>;
using BufferOwner = Owner<cl_mem, clReleaseMemObject>;
using EventOwner = Owner<cl_event, clReleaseEvent>;

class Device {
public:
  /// @param platform part of the platform's name
  explicit Device(const std::string& platform);

  ProgramOwner build(const std::string& source, const std::string& options);

  /// Launches the kernel and returns the results of each launch, in the order of the ranges. Each range is launched `times`
  /// times in a row; where the case wants its launches at once, twice.
  std::vector<Results> run(cl_program program, const std::string& source, const Launches& launches,
                           unsigned times);

private:
  struct Launch;
  ProgramOwner create(const std::string& source);
  ProgramOwner create_from_il(const std::string& source, const std::string& options);
  bool has(const char* extension) const { return extensions_.find(extension) != std::string::npos; }
  void check_support(const std::string& source) const;
  void check_support(const Launches& launches) const;
  Launch prepare(const std::vector<std::string>& parameters, const Range& range, std::string name);
  void enqueue(Launch& launch, cl_command_queue queue, cl_kernel kernel);
  void fill_pipes(Launch& launch, cl_program program);
  std::vector<Results> run_at_once(cl_program program, const std::vector<std::string>& parameters,
                                   const Launches& launches);
  void set_arguments(const Launch& launch, cl_kernel kernel);
  Results read(Launch& launch, cl_program program);
  void launch_at_once(cl_program program, std::vector<Launch>& all, const Launches& launches);

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  std::string kernel_name_; ///< of the program that was built last
  bool has_device_queue_ = false;
  std::vector<cl_command_queue> queues_;
  std::string extensions_;
};

} // namespace differential
