#pragma once

// What a launch is, apart from its runs.

#include "compiler/abi.hpp"
#include "runtime/program/kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace hostcl::runtime {

/// Memory for the arguments of a kernel, as abi::Entry takes them.
class ArgumentBlock {
public:
  /// @throws std::bad_alloc
  explicit ArgumentBlock(std::size_t bytes);
  ArgumentBlock(const ArgumentBlock&) = delete;
  ~ArgumentBlock();
  std::byte* data() { return large_ ? large_ : inline_; }
  const std::byte* data() const { return large_ ? large_ : inline_; }

private:
  static constexpr std::size_t inline_bytes = 320;
  alignas(abi::scratch_alignment) std::byte inline_[inline_bytes];
  std::byte* large_ = nullptr; ///< the block if it does not fit inline
};

/// Whether a slot of the block has no value that a kernel can take before a run gives it one: an offset in
/// local memory or the cell of a counter.
bool is_placed_by_run(compiler::ArgumentKind kind);

/// A kernel, the sizes of a launch, and the arguments as they were when it was enqueued, with references to
/// the objects that they name. It does not change: run_launch() may run it any number of times, one after the
/// other or at the same time. A launch with other arguments is another record, of the same kernel
/// object or a clone of it.
class LaunchRecord {
public:
  /// @param code the kernel's code for the device
  LaunchRecord(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& range);
  LaunchRecord(const LaunchRecord&) = delete;
  ~LaunchRecord();

  /// Whether it holds all buffers: one may have been released since Kernel::check_arguments().
  bool is_valid() const { return released_argument_ == no_argument; }
  /// The error if it does not: CL_INVALID_KERNEL_ARGS.
  Error error() const { return released_argument(signature_, released_argument_); }

  LoadedKernel& kernel() const { return *kernel_; }
  const compiler::KernelSignature& signature() const { return signature_; }
  const abi::NDRange& range() const { return range_; }

  /// As abi::Entry takes them, unless has_placed_arguments(): the slot of a `local` argument has its size in
  /// bytes, and that of a counter the address of its buffer.
  const std::byte* arguments() const { return block_.data(); }
  bool has_placed_arguments() const { return has_placed_arguments_; }

private:
  static constexpr std::size_t inline_references = 16;
  static constexpr std::uint32_t no_argument = ~std::uint32_t{0};

  void copy(const Kernel::Snapshot& kernel);
  bool hold(const WeakMemory& buffer);
  Object** references() { return more_references_ ? more_references_.get() : references_; }

  // The order leaves no gaps: records lie in commands, which are small.
  abi::NDRange range_;
  std::shared_ptr<LoadedProgram> program_;
  const compiler::KernelSignature& signature_;
  [[no_unique_address]] ArgumentBlock block_; ///< what follows lies in its padding
  LoadedKernel* kernel_;
  std::uint32_t reference_count_ = 0;
  std::uint32_t released_argument_ = no_argument;
  bool has_placed_arguments_ = false;
  std::unique_ptr<Object*[]> more_references_; ///< all references if they are many
  Object* references_[inline_references];      ///< objects, each with a reference that this owns; or those in
                                               ///< the slots of objects that are gone
};

} // namespace hostcl::runtime
