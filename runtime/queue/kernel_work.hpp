#pragma once

// Commands that run a kernel.

#include "compiler/abi/launch.hpp"
#include "runtime/launch/launch_record.hpp"
#include "runtime/queue/command.hpp"

#include <cstdint>
#include <string_view>

namespace hostcl::runtime {

/// The kernel as built for the queue's device; its machine code may not have been compiled yet. Errors:
/// CL_INVALID_CONTEXT, CL_INVALID_PROGRAM_EXECUTABLE.
Result<const Kernel::Code&> code_for(const Queue& queue, const Kernel& kernel);
/// Finds the machine code for a launch, or compiles it. If the compiler fails, the context's callback receives the
/// reason.
/// @returns CL_SUCCESS or CL_OUT_OF_RESOURCES
cl_int find_code(const LaunchRecord& record, const Context& context, compiler::KernelChoice& choice);
/// Adds the sizes of a launch to a span of the timeline.
void describe_launch(const LaunchRecord& record, timeline::Span& span);

/// Launches a kernel once.
class KernelWork final : public Work {
public:
  /// @param code the result of code_for() for the command's queue
  /// @param default_queue see run_family()
  KernelWork(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& range,
             Ref<DeviceQueue> default_queue = {});
  KernelWork(const KernelWork&) = delete;
  ~KernelWork() override;

  cl_int prepare(Queue& queue) override;
  bool is_valid() const { return record_.is_valid(); }
  Error error() const { return record_.error(); }
  cl_int run(Queue& queue) override;
  std::uint64_t own_end() const override { return own_end_; }
  std::string_view title() const override { return record_.signature().name; }
  void describe(timeline::Span& span) const override { describe_launch(record_, span); }

  /// Expected nanoseconds of the launch. Queue::unknown until a launch of the kernel has run, because the estimate is
  /// based on the measured times of work-groups.
  static std::uint64_t estimate(const LoadedKernel& kernel, const abi::NDRange& range);

private:
  cl_int run_groups(Queue& queue);
  void note_first_launch();
  void forget_first_launch();

  compiler::KernelChoice choice_; ///< set by prepare()
  std::uint64_t own_end_ = 0;
  bool is_first_ = false; ///< whether it is counted in new_launches
  Ref<DeviceQueue> default_queue_;
  LaunchRecord record_; ///< last: the other members fill the space that its alignment needs before it
};

} // namespace hostcl::runtime
