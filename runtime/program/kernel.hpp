#pragma once

// Kernel objects: a kernel of a program, and the arguments that have been set for it.

#include "runtime/memory/memory.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/program/program.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hostcl::runtime {

class DeviceQueue;

/// A cl_kernel, owned by the application. A launch copies the kernel's arguments with the kernel's lock held, so the
/// kernel may be changed or released while launches run.
class Kernel : public HandleObject<_cl_kernel, Kind::kernel, CL_INVALID_KERNEL> {
public:
  /// The kernel as built for one device. The pointers are null if the program has no executable for the
  /// device.
  struct Code {
    std::shared_ptr<LoadedProgram> program;
    LoadedKernel* kernel = nullptr;
    bool uniform_groups = false; ///< whether the local size must divide the global size, from its signature
  };
  /// The kernel as built for each device of the program. Fails with the errors of clCreateKernel().
  static Result<std::vector<Code>> find(const Program& program, std::string_view name);

  /// @param codes the result of find()
  Kernel(Program& program, std::vector<Code> codes);
  /// clCloneKernel(): a kernel with the same arguments.
  explicit Kernel(Kernel& original);
  ~Kernel();

  Context& context() const { return program_->context(); }
  Program& program() const { return *program_; }
  /// The kernel as built for the device or for the nearest parent of the device; null if the program has an executable
  /// for none of them.
  const Code* code_for(const Device& device) const;
  /// The signature of the first device's kernel. The kernels of the other devices have the same arguments and the same
  /// required sizes; only Code::uniform_groups may differ.
  const compiler::KernelSignature& signature() const { return signature_; }

  /// The program can be built again from now on, although launches may still hold the kernel.
  void released_by_application() { detach(); }

  /// Compiles the kernel before its first launch: in the background, or on the calling thread if the kernel is large
  /// (LoadedKernel::is_expensive()). A launch that follows at once would have to wait for the background compilation of
  /// a large kernel, and applications would count the wait as time of the launch.
  void compile_ahead();

  /// clSetKernelArg(), with the errors that its specification lists.
  Status set_argument(cl_uint index, std::size_t size, const void* value);
  /// clSetKernelArgSVMPointer.
  Status set_svm_argument(cl_uint index, const void* pointer);
  /// clSetKernelArgDevicePointerEXT.
  Status set_device_address(cl_uint index, std::uint64_t address);
  /// clSetKernelExecInfo.
  Status set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value);

  /// An argument, beside its bytes in the argument block.
  struct Argument {
    bool is_set = false;
    /// Weak, because setting an argument must not keep a memory object alive (OpenCL 3.0 API, 5.9.2).
    WeakMemory memory = {};
    /// A plain pointer that does not keep the queue alive, for the same reason. The queue may have been released, and
    /// its slot of the handle arena may hold another object, so is_live() must be asked before the queue is used.
    DeviceQueue* queue = nullptr;
    /// The memory object was found by an address, so a launch may run although the object has been released.
    bool may_be_gone = false;
    bool is_svm_pointer = false;
    std::size_t local_bytes = 0;
  };
  /// Views of the arguments, which may be used only while lock() is held.
  struct Snapshot {
    std::span<const std::byte> block;
    std::span<const Argument> arguments;
    std::span<const WeakMemory> reached; ///< buffers of CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT
  };
  Lock& lock() { return lock_; } ///< guards the arguments
  Snapshot arguments() const { return {block_, arguments_, reached_}; }
  /// Checks that a launch on the device can use the arguments: CL_INVALID_KERNEL_ARGS if an argument is not set or its
  /// object has been released; CL_INVALID_OPERATION, CL_OUT_OF_RESOURCES and the errors of validate::usable_on() if the
  /// device does not support an argument. An object may still be released between this call and the launch's own
  /// reference.
  Status check_arguments(const Device& device) const;
  /// Whether all arguments have been set. An argument that has been set stays set.
  bool has_all_arguments() const;

  /// Bytes of local memory of a group, variables and arguments as they are set; 2^64 - 1 if the sum
  /// overflows.
  std::uint64_t local_bytes() const { return local_bytes_.load(std::memory_order_relaxed); }

  Status info(cl_kernel_info name, Answer answer) const;
  Status argument_info(cl_uint index, cl_kernel_arg_info name, Answer answer) const;
  Status work_group_info(const Device& device, cl_kernel_work_group_info name, Answer answer) const;
  Status sub_group_info(const Device& device, cl_kernel_sub_group_info name, std::size_t input_size,
                        const void* input, Answer answer) const;

private:
  void detach();
  Status check_set() const;
  /// The argument's description, or CL_INVALID_ARG_INDEX.
  Result<const compiler::KernelArgument&> argument(cl_uint index) const;
  void set_address(cl_uint index, std::uint64_t address, const Argument& made);
  void set_device_pointers(std::span<const std::uint64_t> addresses);
  Status set_value(std::size_t index, std::size_t size, const void* value);
  Status set_pointer(std::size_t index, std::size_t size, const void* value);
  Status set_local(std::size_t index, std::size_t size, const void* value);
  Status set_image(std::size_t index, std::size_t size, const void* value);
  Status set_pipe(std::size_t index, std::size_t size, const void* value);
  Status set_queue(std::size_t index, std::size_t size, const void* value);
  Status set_sampler(std::size_t index, std::size_t size, const void* value);

  Ref<Program> program_;
  std::vector<Code> codes_; ///< one for each device of the program
  const compiler::KernelSignature& signature_;
  mutable Lock lock_;
  std::vector<std::byte> block_; ///< argument block, with the offsets of compiler::KernelArgument::offset
  std::vector<Argument> arguments_;
  std::vector<WeakMemory> reached_;
  std::atomic<bool> is_attached_{
      true}; ///< whether the program counts the kernel as one that keeps it from being built
  // The following are read without the lock.
  std::atomic<std::uint64_t> local_bytes_;
  mutable std::atomic<bool> has_all_arguments_{false}; ///< false until has_all_arguments() has found it out
};

/// CL_INVALID_KERNEL_ARGS for an argument whose memory object or queue has been released.
Error released_argument(const compiler::KernelSignature& signature, std::size_t index);

} // namespace hostcl::runtime
