#pragma once

// NDRange commands: geometry, the choice of a local size, and running the work-groups.

#include "compiler/abi.hpp"
#include "runtime/program/kernel.hpp"
#include "runtime/queue/command.hpp"
#include "runtime/queue/queue.hpp"

#include <array>
#include <cstddef>
#include <memory>

namespace hostcl::runtime {

class GroupRanges;

/// The geometry of an NDRange command, checked in the order of clEnqueueNDRangeKernel's errors.
/// @param uniform_groups whether work-groups must divide the NDRange
Result<abi::NDRange> checked_launch(const Queue& queue, const Kernel& kernel, bool uniform_groups,
                                    cl_uint work_dim, const std::size_t* global_offset,
                                    const std::size_t* global_size, const std::size_t* local_size);

/// A local size for a launch whose other members are set. `uniform`: it must divide the global size.
std::array<std::uint64_t, 3> suggested_local_size(const abi::NDRange& launch, const Kernel& kernel,
                                                  const Device& device, bool uniform);

/// One group of this size, for questions about machine code.
abi::NDRange single_group_launch(std::array<std::size_t, 3> local_size);

/// Runs a kernel. Holds the arguments as they were when it was enqueued.
class KernelWork final : public Work {
public:
  KernelWork(const KernelWork&) = delete;
  /// @param code the kernel's code for the queue's device
  KernelWork(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& launch);
  ~KernelWork() override;

  cl_int prepare(Queue& queue) override;
  /// Whether it holds all buffers: one may have been released since Kernel::check_arguments().
  bool is_valid() const { return released_argument_ == no_argument; }
  /// The error if it does not: CL_INVALID_KERNEL_ARGS.
  Error error() const { return released_argument(signature_, released_argument_); }
  cl_int run(Queue& queue) override;
  std::string_view title() const override { return signature_.name; }
  void describe(timeline::Span& span) const override;

  /// Expected nanoseconds, Queue::unknown before the first run.
  static std::uint64_t estimate(const LoadedKernel& kernel, const abi::NDRange& launch);

private:
  static constexpr std::size_t inline_bytes = 320;
  static constexpr std::size_t inline_references = 16;
  static constexpr std::uint32_t no_argument = ~std::uint32_t{0};

  std::byte* block() { return large_block_ ? large_block_ : inline_block_; }
  void copy_arguments(Kernel& kernel);
  void note_first_launch();
  void forget_first_launch();
  void begin_counters();
  void end_counters();
  std::uint64_t place_local_arguments(std::uint64_t used);
  void run_groups(Workers& workers, const abi::Services& services);
  std::uint64_t run_serially(Workers& workers, GroupRanges& groups);

  abi::NDRange launch_;
  std::shared_ptr<LoadedProgram> loaded_;
  LoadedKernel& code_;
  const compiler::KernelSignature& signature_;
  compiler::KernelChoice choice_; ///< set by prepare()
  std::uint32_t reference_count_ = 0;
  std::uint32_t released_argument_ = no_argument;
  bool is_first_ = false; ///< counted among the launches of kernels without machine code
  bool has_counters_ = false;
  bool has_local_arguments_ = false;
  std::byte* large_block_ = nullptr;           ///< the argument block if it does not fit inline
  std::unique_ptr<Memory*[]> more_references_; ///< all references if they are many
  Memory* references_[inline_references];      ///< buffers, each with a reference that this owns; or
                                               ///< the objects in the slots of buffers that are gone
  alignas(Command::work_alignment) std::byte inline_block_[inline_bytes];

  std::unique_ptr<std::byte*[]> counters_; ///< buffers whose cells this launch counts in
  std::uint32_t counter_count_ = 0;
};

} // namespace hostcl::runtime
