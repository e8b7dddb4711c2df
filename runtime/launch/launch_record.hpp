#pragma once

// A launch as it was enqueued. A run of a launch is in launch_run.hpp.

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"
#include "runtime/checks/checked_objects.hpp"
#include "runtime/context/device_queue.hpp"
#include "runtime/launch/overlap.hpp"
#include "runtime/program/kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace hostcl::runtime {

/// Memory for the argument block of a kernel, as abi::Entry takes it.
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
  std::byte* large_ = nullptr; ///< the block, if it does not fit into inline_
};

/// Whether each run of a launch has to set this argument's slot before a kernel can use it: to an offset in
/// local memory, or to the address of a counter's cell.
bool is_placed_by_run(compiler::ArgumentKind kind);

/// What run_launch() runs: a kernel with sizes and arguments. None of them changes, so several threads may
/// run it at the same time.
class RunnableLaunch {
public:
  RunnableLaunch(const RunnableLaunch&) = delete;

  LoadedKernel& kernel() const { return *kernel_; }
  const compiler::KernelSignature& signature() const { return kernel_->signature(); }
  const abi::NDRange& range() const { return range_; }

  /// The argument block that abi::Entry takes. If has_placed_arguments(), some slots have to be replaced in a
  /// copy of the block: the slot of a `local` argument has its size in bytes, and the slot of a counter the
  /// address of its buffer.
  const std::byte* arguments() const { return arguments_; }
  bool has_placed_arguments() const { return has_placed_arguments_; }
  /// The objects that the pointers of the arguments point into, for checks; see abi::Launch.
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

/// A launch record: a kernel, the sizes of a launch, and a copy of the arguments as they were when the launch
/// was enqueued, with references to the objects that they name. A record never changes: run_launch() may run
/// it any number of times, also at the same time. If a command buffer needs other arguments, it makes another
/// record, from the same kernel object or from a clone.
class LaunchRecord : public RunnableLaunch {
public:
  /// @param code the kernel's code for the device
  LaunchRecord(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& range,
               Replay replay = Replay::never);
  /// The same launch with other sizes, or for another device.
  /// @param code code of the same kernel for the device
  LaunchRecord(const LaunchRecord& other, const Kernel::Code& code, const abi::NDRange& range);
  ~LaunchRecord();

  /// Whether the record holds all memory objects that it needs. One may have been released since
  /// Kernel::check_arguments().
  bool is_valid() const { return released_argument_ == no_argument; }
  /// The error if is_valid() is false: CL_INVALID_KERNEL_ARGS.
  Error error() const { return released_argument(signature(), released_argument_); }

  LoadedProgram& program() const { return *program_; }
  /// Checks that the device supports the memory objects of the launch. Errors: those of validate::usable_on().
  Status check_memory(const Device& device) const;
  /// The objects that the launch uses, in the order of the arguments that name them; then buffers that no argument names.
  std::span<Object* const> objects_held() const { return {references(), reference_count_}; }
  /// Bytes of local memory of a group, variables and arguments, as known before the kernel is compiled.
  std::uint64_t local_bytes() const;

private:
  static constexpr std::size_t inline_references = 16;
  static constexpr std::uint32_t no_argument = ~std::uint32_t{0};

  /// Makes a record without arguments. Other constructors delegate to this one, so that the destructor
  /// releases the references even if such a constructor throws later.
  LaunchRecord(const Kernel::Code& code, const abi::NDRange& range, Kernel& owner);

  void copy(const Kernel::Snapshot& kernel, Replay replay);
  void note_buffers(std::span<const Kernel::Argument> arguments);
  bool hold(const WeakMemory& buffer);
  bool hold(DeviceQueue& queue);
  Object** references() { return more_references_ ? more_references_.get() : references_; }
  Object* const* references() const { return more_references_ ? more_references_.get() : references_; }

  // The order leaves no padding, because records are parts of commands, whose size is limited.
  [[no_unique_address]] ArgumentBlock block_; ///< the following member is in its padding
  Ref<Kernel> owner_;                         ///< keeps the program loaded
  LoadedProgram* program_;
  std::uint32_t reference_count_ = 0;
  std::uint32_t released_argument_ = no_argument;
  std::unique_ptr<Object*[]> more_references_; ///< all references, if references_ is too small
  /// The objects that the launch uses, each with a reference. If an object had been released, it is the object
  /// that now has its slot of the handle arena.
  Object* references_[inline_references];
};

} // namespace hostcl::runtime
