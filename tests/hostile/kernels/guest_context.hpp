#pragma once

// A context whose kernels run in a guest process. The context launches hostile kernels, and honest kernels whose
// results are compared with the expected values.

#include "hostile/kernels/kernel.hpp"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace test {

/// Ends the process with status 1 and a message unless the condition holds.
void require(bool condition, const std::string& what);

/// How a launch ended.
struct Launched {
  bool is_built = true;
  cl_int status = CL_COMPLETE; ///< of the kernel
  cl_int waiter = CL_COMPLETE; ///< of a command that waits for the kernel
  std::string log;             ///< the build log, if the build failed
};

class GuestContext {
public:
  explicit GuestContext(cl_device_id device);
  ~GuestContext();
  GuestContext(const GuestContext&) = delete;

  /// Builds and launches the kernel, and waits until its commands have ended. If a command does not end within a
  /// minute, the process is ended.
  /// @param once_started called after the commands have been flushed; may stop the commands
  Launched launch(const HostileKernel& kernel, std::uint64_t a, std::uint64_t b,
                  const std::function<void()>& once_started);
  /// Builds a kernel without running it. @returns null if it does not build
  cl_kernel build(const HostileKernel& kernel, std::string& log);
  /// Sets the arguments and launches a kernel of build(). @returns the events of the launch, and of a command that
  /// waits for the launch; fewer if the context has been terminated
  std::vector<cl_event> enqueue(cl_kernel kernel, const Hostility& hostility, std::uint64_t a,
                                std::uint64_t b);
  /// Waits until all events have ended, and releases them. @param what names the events in messages
  /// @returns the states of the events
  static std::vector<cl_int> ended(std::vector<cl_event> events, const std::string& what);

  /// Runs the honest kernels. @returns what is wrong; empty if all results are right
  std::string honest_fault();
  /// Names a changed object of those that no kernel gets as an argument; empty if none has been changed.
  std::string changed_object();

  /// Calls clTerminateContextKHR, if the driver has this function. @returns whether the driver has it
  bool terminate();
  bool is_terminated() const { return is_terminated_; }
  /// Whether the context's callback has got a sentence with all these parts. Forgets all sentences.
  bool was_told(const std::vector<std::string>& parts);

private:
  /// The last sentence about a kernel that the context's callback has got; empty if there is none.
  std::string kernel_sentence();
  static void CL_CALLBACK tell(const char* sentence, const void*, size_t, void* self);
  cl_mem make_buffer(std::size_t bytes, cl_uint word);
  void make_extras();

  cl_device_id device_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr, device_queue_ = nullptr;
  cl_program honest_program_ = nullptr;
  std::vector<cl_kernel> honest_;
  cl_mem buffer_ = nullptr, bystander_ = nullptr, honest_in_ = nullptr, honest_out_ = nullptr,
         pipe_ = nullptr, counter_ = nullptr;
  cl_mem images_[3] = {};
  bool is_terminated_ = false;
  std::mutex mutex_; ///< guards the sentences
  std::vector<std::string> sentences_;
};

/// Whether the platform has an extension.
bool has_extension(const std::string& name);

} // namespace test
