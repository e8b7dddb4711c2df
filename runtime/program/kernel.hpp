#pragma once

// Kernel objects: a loaded kernel and the arguments set for it.

#include "runtime/memory/memory.hpp"
#include "runtime/object/info.hpp"
#include "runtime/object/object.hpp"
#include "runtime/program/program.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace hostcl::runtime {

class DeviceQueue;

class Kernel : public HandleObject<_cl_kernel, Kind::kernel, CL_INVALID_KERNEL> {
public:
  /// The kernel as it was built for one device; its pointers are null if it was not.
  struct Code {
    std::shared_ptr<LoadedProgram> program;
    LoadedKernel* kernel = nullptr;
    bool uniform_groups = false; ///< as its signature says
  };
  /// The kernel's code for each device of the program. The errors are those of clCreateKernel.
  static Result<std::vector<Code>> find(const Program& program, std::string_view name);

  /// @param codes the result of find()
  Kernel(Program& program, std::vector<Code> codes);
  /// clCloneKernel: the same arguments.
  explicit Kernel(Kernel& original);
  ~Kernel();

  Context& context() const { return program_->context(); }
  Program& program() const { return *program_; }
  /// Null if the program has no executable for the device.
  const Code* code_for(const Device& device) const;
  /// The same for all devices.
  const compiler::KernelSignature& signature() const { return signature_; }

  /// Has the kernel compiled by background threads; waits for it where that takes long, so that it does not
  /// count as time of the first launch.
  void compile_ahead();

  /// clSetKernelArg, with the errors of its list.
  Status set_argument(cl_uint index, std::size_t size, const void* value);
  /// clSetKernelArgSVMPointer.
  Status set_svm_argument(cl_uint index, const void* pointer);
  /// clSetKernelArgDevicePointerEXT.
  Status set_device_address(cl_uint index, std::uint64_t address);
  /// clSetKernelExecInfo.
  Status set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value);

  /// The arguments that a launch copies from the kernel. The vectors are the kernel's; they are used under
  /// the lock only.
  struct Argument {
    bool is_set = false;
    /// Setting an argument must not keep a memory object alive (OpenCL 3.0 API, 5.9.2).
    WeakMemory memory;
    DeviceQueue* queue = nullptr; ///< likewise; there may be another object in its slot
    bool may_be_gone = false;     ///< the memory was found by an address, which kernels need not use
    std::size_t local_bytes = 0;
  };
  struct Snapshot {
    std::span<const std::byte> block;
    std::span<const Argument> arguments;
    std::span<const WeakMemory> reached; ///< by way of CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT
  };
  Lock& lock() { return lock_; } ///< guards the arguments
  Snapshot arguments() const { return {block_, arguments_, reached_}; }
  /// Whether a launch can have the arguments: CL_INVALID_KERNEL_ARGS if one is not set or its buffer is gone.
  /// It may still be released until the launch holds it.
  Status check_arguments() const;
  /// Whether each has been set.
  bool has_all_arguments() const;

  /// Bytes of local memory: variables and arguments as set; 2^64 - 1 if there are more.
  std::uint64_t local_bytes() const;

  Status info(cl_kernel_info name, Answer answer) const;
  Status argument_info(cl_uint index, cl_kernel_arg_info name, Answer answer) const;
  Status work_group_info(const Device& device, cl_kernel_work_group_info name, Answer answer) const;
  Status sub_group_info(const Device& device, cl_kernel_sub_group_info name, std::size_t input_size,
                        const void* input, Answer answer) const;

private:
  /// CL_INVALID_ARG_INDEX if there is none.
  Result<const compiler::KernelArgument&> argument(cl_uint index) const;
  void set_address(cl_uint index, std::uint64_t address, WeakMemory memory);
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
  std::vector<std::byte> block_; ///< packed as compiler::KernelArgument::offset says
  std::vector<Argument> arguments_;
  std::vector<WeakMemory> reached_;
};

/// CL_INVALID_KERNEL_ARGS for an argument whose buffer is gone.
Error released_argument(const compiler::KernelSignature& signature, std::size_t index);

} // namespace hostcl::runtime
