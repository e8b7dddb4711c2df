#pragma once

// Commands that run a kernel.

#include "compiler/abi.hpp"
#include "runtime/queue/command.hpp"
#include "runtime/queue/launch_record.hpp"

#include <cstdint>
#include <string_view>

namespace hostcl::runtime {

/// Runs a launch once.
class KernelWork final : public Work {
public:
  /// @param code the kernel's code for the queue's device
  /// @param default_queue as LaunchRecord takes it
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
  void describe(timeline::Span& span) const override;

  /// Expected nanoseconds, Queue::unknown before the first run.
  static std::uint64_t estimate(const LoadedKernel& kernel, const abi::NDRange& range);

private:
  void note_first_launch();
  void forget_first_launch();

  compiler::KernelChoice choice_; ///< set by prepare()
  std::uint64_t own_end_ = 0;
  bool is_first_ = false; ///< counted among the launches of kernels without machine code
  LaunchRecord record_;
};

} // namespace hostcl::runtime
