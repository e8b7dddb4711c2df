#pragma once

// What a launch is, apart from its runs.

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"
#include "runtime/checks/checked_objects.hpp"
#include "runtime/context/device_queue.hpp"
#include "runtime/launch/overlap.hpp"
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

/// What run_launch() runs: a kernel, sizes and arguments, which do not change.
class RunnableLaunch {
public:
  RunnableLaunch(const RunnableLaunch&) = delete;

  LoadedKernel& kernel() const { return *kernel_; }
  const compiler::KernelSignature& signature() const { return kernel_->signature(); }
  const abi::NDRange& range() const { return range_; }

  /// As abi::Entry takes them, unless has_placed_arguments(): the slot of a `local` argument has its size in
  /// bytes, and that of a counter the address of its buffer.
  const std::byte* arguments() const { return arguments_; }
  bool has_placed_arguments() const { return has_placed_arguments_; }
  /// As abi::Launch has them.
  const abi::CheckedObject* objects() const {
    return checks::objects_in(const_cast<std::byte*>(arguments_), signature().argument_bytes);
  }

protected:
  RunnableLaunch(LoadedKernel* kernel, const abi::NDRange& range) : range_(range), kernel_(kernel) {}
  ~RunnableLaunch() = default;

  abi::NDRange range_;
  LoadedKernel* kernel_;
  const std::byte* arguments_ = nullptr;
  bool has_placed_arguments_ = false;
};

/// A kernel, the sizes of a launch, and the arguments as they were when it was enqueued, with references to
/// the objects that they name. It does not change: run_launch() may run it any number of times, one after the
/// other or at the same time. A launch with other arguments is another record, of the same kernel
/// object or a clone of it.
class LaunchRecord : public RunnableLaunch {
public:
  /// @param code the kernel's code for the device
  LaunchRecord(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& range,
               Replay replay = Replay::never);
  /// The same launch with other sizes, or of another device.
  /// @param code the code of the same kernel for the device
  LaunchRecord(const LaunchRecord& other, const Kernel::Code& code, const abi::NDRange& range);
  ~LaunchRecord();

  /// Whether it holds all buffers: one may have been released since Kernel::check_arguments().
  bool is_valid() const { return released_argument_ == no_argument; }
  /// The error if it does not: CL_INVALID_KERNEL_ARGS.
  Error error() const { return released_argument(signature(), released_argument_); }

  LoadedProgram& program() const { return *program_; }
  /// Bytes of local memory of a group, before the kernel is compiled: variables and arguments.
  std::uint64_t local_bytes() const;

private:
  static constexpr std::size_t inline_references = 16;
  static constexpr std::uint32_t no_argument = ~std::uint32_t{0};

  /// Without arguments. Once it has returned, the destructor releases what is held, also if the constructor that
  /// goes on from here throws.
  LaunchRecord(const Kernel::Code& code, const abi::NDRange& range);

  void copy(const Kernel::Snapshot& kernel, Replay replay);
  void note_buffers(std::span<const Kernel::Argument> arguments);
  bool hold(const WeakMemory& buffer);
  bool hold(DeviceQueue& queue);
  Object** references() { return more_references_ ? more_references_.get() : references_; }
  Object* const* references() const { return more_references_ ? more_references_.get() : references_; }

  // The order leaves no gaps: records lie in commands, which are small.
  [[no_unique_address]] ArgumentBlock block_; ///< what follows lies in its padding
  std::shared_ptr<LoadedProgram> program_;
  std::uint32_t reference_count_ = 0;
  std::uint32_t released_argument_ = no_argument;
  std::unique_ptr<Object*[]> more_references_; ///< all references if they are many
  Object* references_[inline_references];      ///< objects, each with a reference that this owns; or those in
                                               ///< the slots of objects that are gone
};

} // namespace hostcl::runtime
