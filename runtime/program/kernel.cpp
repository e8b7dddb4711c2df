#include "runtime/program/kernel.hpp"

#include "runtime/context/device_queue.hpp"
#include "runtime/memory/buffer.hpp"
#include "runtime/memory/device_addresses.hpp"
#include "runtime/memory/image.hpp"
#include "runtime/memory/pipe.hpp"
#include "runtime/memory/sampler.hpp"
#include "runtime/memory/svm.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

/// The signature of the kernel for the first device that the program was built for.
const compiler::KernelSignature* first_signature(const std::vector<Kernel::Code>& codes) {
  auto found = std::ranges::find_if(codes, [](const auto& code) { return code.kernel != nullptr; });
  return found == codes.end() ? nullptr : &found->kernel->signature();
}

/// Whether the kernels of two devices have the same arguments (kind, layout, type, access) and the same required sizes.
bool same_definition(const compiler::KernelSignature& a, const compiler::KernelSignature& b) {
  auto same_argument = [](const compiler::KernelArgument& x, const compiler::KernelArgument& y) {
    return x.kind == y.kind && x.offset == y.offset && x.size == y.size && x.type_name == y.type_name &&
           x.access_qualifier == y.access_qualifier;
  };
  return &a == &b || (std::ranges::equal(a.arguments, b.arguments, same_argument) &&
                      a.required_local_size == b.required_local_size &&
                      a.required_sub_group_size == b.required_sub_group_size);
}

} // namespace

Result<std::vector<Kernel::Code>> Kernel::find(const Program& program, std::string_view name) {
  TRY(auto executables, program.executables());
  std::vector<Code> codes;
  bool missing = false;
  for (const auto& executable : executables) {
    LoadedKernel* kernel = executable ? executable->find(name) : nullptr;
    missing |= executable && !kernel;
    codes.push_back(kernel ? Code{executable, kernel, kernel->signature().uniform_groups} : Code{});
  }
  const compiler::KernelSignature* first = first_signature(codes);
  if (!first) return fail(CL_INVALID_KERNEL_NAME, "the program has no kernel '", name, "'");
  auto fits = [&](const Code& c) { return !c.kernel || same_definition(c.kernel->signature(), *first); };
  if (missing || !std::ranges::all_of(codes, fits))
    return fail(CL_INVALID_KERNEL_DEFINITION, "kernel '", name,
                "' is not the same in the executables for all devices");
  return codes;
}

Kernel::Kernel(Program& program, std::vector<Code> codes)
    : HandleObject(destroy_object<Kernel>),
      program_(Ref<Program>(program)),
      codes_(std::move(codes)),
      signature_(*first_signature(codes_)),
      block_(signature_.argument_bytes),
      arguments_(signature_.arguments.size()),
      local_bytes_(signature_.static_local_bytes) {
  program_->attach_kernel();
}

Kernel::Kernel(Kernel& original) : Kernel(*original.program_, original.codes_) {
  std::scoped_lock guard(original.lock_);
  block_ = original.block_;
  arguments_ = original.arguments_;
  reached_ = original.reached_;
  local_bytes_ = original.local_bytes();
}

Kernel::~Kernel() {
  detach();
}

void Kernel::detach() {
  if (is_attached_.exchange(false, std::memory_order_relaxed)) program_->detach_kernel();
}

void Kernel::compile_ahead() {
  for (const Code& code : codes_)
    if (code.kernel && code.kernel->is_expensive())
      code.kernel->compile_ahead();
    else if (code.kernel)
      code.kernel->compile_ahead_in_background();
}

const Kernel::Code* Kernel::code_for(const Device& device) const {
  const auto& devices = program_->devices();
  for (const Device* wanted = &device; wanted;
       wanted = wanted->parent()) // a program that was built for a device is also built for its sub-devices
    for (std::size_t i = 0; i < devices.size(); ++i)
      if (devices[i].get() == wanted && codes_[i].kernel) return &codes_[i];
  return nullptr;
}

namespace {

Status wrong_size(const compiler::KernelArgument& argument, std::size_t size, std::size_t expected) {
  return fail(CL_INVALID_ARG_SIZE, "arg_size is ", size, "; argument '", argument.name, "' takes ", expected,
              " bytes");
}

} // namespace

Status Kernel::set_argument(cl_uint index, std::size_t size, const void* value) {
  TRY(const compiler::KernelArgument& target, argument(index));
  switch (target.kind) {
  case ArgumentKind::value:
    TRY(set_value(index, size, value));
    break;
  case ArgumentKind::local_pointer:
    TRY(set_local(index, size, value));
    break;
  case ArgumentKind::global_pointer:
  case ArgumentKind::constant_pointer:
  case ArgumentKind::counter32:
  case ArgumentKind::counter64:
    TRY(set_pointer(index, size, value));
    break;
  case ArgumentKind::sampler:
    TRY(set_sampler(index, size, value));
    break;
  case ArgumentKind::image:
    TRY(set_image(index, size, value));
    break;
  case ArgumentKind::pipe:
    TRY(set_pipe(index, size, value));
    break;
  case ArgumentKind::queue:
    TRY(set_queue(index, size, value));
    break;
  case ArgumentKind::opaque:
    return fail(CL_INVALID_ARG_VALUE, "argument '", target.name, "' is of the type ", target.type_name,
                ", which the host cannot set");
  }
  return {};
}

Status Kernel::set_value(std::size_t index, std::size_t size, const void* value) {
  const compiler::KernelArgument& argument = signature_.arguments[index];
  if (!value) return fail(CL_INVALID_ARG_VALUE, "arg_value is NULL for argument '", argument.name, "'");
  if (size != argument.size) return wrong_size(argument, size, argument.size);
  std::scoped_lock guard(lock_);
  std::memcpy(block_.data() + argument.offset, value, size);
  arguments_[index].is_set = true;
  return {};
}

Status Kernel::set_local(std::size_t index, std::size_t size, const void* value) {
  const compiler::KernelArgument& argument = signature_.arguments[index];
  if (value)
    return fail(CL_INVALID_ARG_VALUE, "arg_value is not NULL for local argument '", argument.name, "'");
  constexpr cl_version first_with_nothing = CL_MAKE_VERSION(3, 1, 0);
  const auto is_older = [](const auto& device) { return device->version() < first_with_nothing; };
  if (size == 0 && std::ranges::all_of(context().devices(), is_older))
    return fail(CL_INVALID_ARG_SIZE, "arg_size is 0 for local argument '", argument.name,
                "', which OpenCL allows from version 3.1 on");
  // No launch can have a larger argument. The sum of all arguments is checked when a launch is enqueued.
  if (std::uint64_t most = context().most(&Device::local_memory_bytes); size > most)
    return fail(CL_OUT_OF_RESOURCES, "arg_size is ", size, " for local argument '", argument.name,
                "'; the device has ", most, " bytes of local memory (CL_DEVICE_LOCAL_MEM_SIZE)");
  std::scoped_lock guard(lock_);
  arguments_[index].local_bytes = size;
  arguments_[index].is_set = true;
  std::uint64_t bytes = signature_.static_local_bytes;
  for (const Argument& each : arguments_)
    if (__builtin_add_overflow(bytes, each.local_bytes, &bytes)) bytes = ~std::uint64_t{0};
  local_bytes_.store(bytes, std::memory_order_relaxed);
  return {};
}

Status Kernel::set_pointer(std::size_t index, std::size_t size, const void* value) {
  const compiler::KernelArgument& argument = signature_.arguments[index];
  if (size != sizeof(cl_mem)) return wrong_size(argument, size, sizeof(cl_mem));
  cl_mem handle = value ? *static_cast<const cl_mem*>(value) : nullptr;
  WeakMemory memory;
  std::byte* address = nullptr;
  std::size_t buffer_bytes = 0;
  if (handle) {
    TRY(Buffer & buffer, object_cast<Buffer>(handle));
    if (&buffer.context() != &context())
      return fail(CL_INVALID_CONTEXT, "the buffer for argument '", argument.name,
                  "' belongs to another context");
    if ((buffer.flags() & CL_MEM_IMMUTABLE_EXT) && !(argument.type_qualifier & CL_KERNEL_ARG_TYPE_CONST))
      return fail(CL_INVALID_ARG_VALUE, "argument '", argument.name,
                  "' is not const, and its buffer was created with CL_MEM_IMMUTABLE_EXT");
    if (const std::uint64_t most = context().most(&Limits::constant_bytes);
        argument.kind == ArgumentKind::constant_pointer && buffer.size() > most)
      return fail(CL_OUT_OF_RESOURCES, "the buffer for constant argument '", argument.name, "' has ",
                  buffer.size(), " bytes; CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE is ", most);
    memory = WeakMemory(buffer);
    address = buffer.data();
    buffer_bytes = buffer.size();
  }
  std::size_t cell = argument.kind == ArgumentKind::counter32   ? 4
                     : argument.kind == ArgumentKind::counter64 ? 8
                                                                : 0;
  if (buffer_bytes < cell)
    return fail(CL_INVALID_ARG_VALUE, "counter '", argument.name, "' needs a buffer of at least ", cell,
                " bytes");
  std::scoped_lock guard(lock_);
  std::memcpy(block_.data() + argument.offset, &address, sizeof(address));
  arguments_[index] = {.is_set = true, .memory = memory};
  return {};
}

namespace {

/// Checks that the image may be used for the argument.
Status image_fits(const compiler::KernelArgument& argument, const Image& image) {
  const bool is_depth = image.format().name.image_channel_order == CL_DEPTH;
  if (image.type() != argument.image_type || is_depth != argument.is_depth_image)
    return fail(CL_INVALID_MEM_OBJECT, "the image for argument '", argument.name, "', a ", argument.type_name,
                ", has the CL_MEM_TYPE 0x", std::hex, image.type(), " and the order 0x",
                image.format().name.image_channel_order);
  const auto access = argument.access_qualifier;
  if (access != CL_KERNEL_ARG_ACCESS_WRITE_ONLY && (image.flags() & CL_MEM_WRITE_ONLY))
    return fail(CL_INVALID_ARG_VALUE, "argument '", argument.name,
                "' is read, and its image was created with CL_MEM_WRITE_ONLY");
  if (access != CL_KERNEL_ARG_ACCESS_READ_ONLY && (image.flags() & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT)))
    return fail(CL_INVALID_ARG_VALUE, "argument '", argument.name,
                "' is written, and its image was created with CL_MEM_READ_ONLY or CL_MEM_IMMUTABLE_EXT");
  return {};
}

} // namespace

Status Kernel::set_image(std::size_t index, std::size_t size, const void* value) {
  const compiler::KernelArgument& argument = signature_.arguments[index];
  if (size != sizeof(cl_mem)) return wrong_size(argument, size, sizeof(cl_mem));
  if (!value) return fail(CL_INVALID_MEM_OBJECT, "arg_value is NULL for image '", argument.name, "'");
  TRY(Image & image, object_cast<Image>(*static_cast<const cl_mem*>(value)));
  if (&image.context() != &context())
    return fail(CL_INVALID_CONTEXT, "the image for argument '", argument.name,
                "' belongs to another context");
  TRY(image_fits(argument, image));
  const abi::Image* descriptor = &image.descriptor();
  std::scoped_lock guard(lock_);
  std::memcpy(block_.data() + argument.offset, &descriptor, sizeof(descriptor));
  arguments_[index] = {.is_set = true, .memory = WeakMemory(image)};
  return {};
}

Status Kernel::set_pipe(std::size_t index, std::size_t size, const void* value) {
  const compiler::KernelArgument& argument = signature_.arguments[index];
  if (size != sizeof(cl_mem)) return wrong_size(argument, size, sizeof(cl_mem));
  if (!value) return fail(CL_INVALID_MEM_OBJECT, "arg_value is NULL for pipe '", argument.name, "'");
  TRY(Pipe & pipe, object_cast<Pipe>(*static_cast<const cl_mem*>(value)));
  if (&pipe.context() != &context())
    return fail(CL_INVALID_CONTEXT, "the pipe for argument '", argument.name, "' belongs to another context");
  const std::byte* address = pipe.data();
  std::scoped_lock guard(lock_);
  std::memcpy(block_.data() + argument.offset, &address, sizeof(address));
  arguments_[index] = {.is_set = true, .memory = WeakMemory(pipe)};
  return {};
}

Status Kernel::set_sampler(std::size_t index, std::size_t size, const void* value) {
  const compiler::KernelArgument& argument = signature_.arguments[index];
  if (size != sizeof(cl_sampler)) return wrong_size(argument, size, sizeof(cl_sampler));
  if (!value) return fail(CL_INVALID_SAMPLER, "arg_value is NULL for sampler '", argument.name, "'");
  TRY(Sampler & sampler, object_cast<Sampler>(*static_cast<const cl_sampler*>(value)));
  if (&sampler.context() != &context())
    return fail(CL_INVALID_CONTEXT, "the sampler for argument '", argument.name,
                "' belongs to another context");
  const abi::Sampler bits = sampler.settings().value();
  std::scoped_lock guard(lock_);
  std::memcpy(block_.data() + argument.offset, &bits, sizeof(bits));
  arguments_[index].is_set = true;
  return {};
}

Status Kernel::set_queue(std::size_t index, std::size_t size, const void* value) {
  const compiler::KernelArgument& argument = signature_.arguments[index];
  if (!value) return fail(CL_INVALID_DEVICE_QUEUE, "arg_value is NULL for queue '", argument.name, "'");
  if (size != sizeof(cl_command_queue)) return wrong_size(argument, size, sizeof(cl_command_queue));
  const cl_command_queue handle = *static_cast<const cl_command_queue*>(value);
  auto found = object_cast<DeviceQueue>(handle);
  if (!found.ok())
    return fail(CL_INVALID_DEVICE_QUEUE, "the value of argument '", argument.name, "', ",
                static_cast<const void*>(handle), ", is not a queue on the device");
  DeviceQueue& queue = std::move(found).value();
  if (&queue.context() != &context())
    return fail(CL_INVALID_DEVICE_QUEUE, "the queue for argument '", argument.name,
                "' belongs to another context");
  std::scoped_lock guard(lock_);
  std::memcpy(block_.data() + argument.offset, &handle, sizeof(handle));
  arguments_[index] = {.is_set = true, .memory = {}, .queue = &queue};
  return {};
}

Result<const compiler::KernelArgument&> Kernel::argument(cl_uint index) const {
  if (index < arguments_.size()) return signature_.arguments[index];
  return fail(CL_INVALID_ARG_INDEX, "arg_index is ", index, "; kernel '", signature_.name, "' has ",
              arguments_.size(), " arguments");
}

Status Kernel::set_svm_argument(cl_uint index, const void* pointer) {
  TRY(const compiler::KernelArgument& target, argument(index));
  if (target.kind != ArgumentKind::global_pointer && target.kind != ArgumentKind::constant_pointer)
    return fail(CL_INVALID_ARG_VALUE, "argument '", target.name, "' is not a global or constant pointer");
  set_address(index, reinterpret_cast<std::uintptr_t>(pointer), {.is_set = true, .is_svm_pointer = true});
  return {};
}

Status Kernel::set_device_address(cl_uint index, std::uint64_t address) {
  TRY(const compiler::KernelArgument& target, argument(index));
  if (target.kind != ArgumentKind::global_pointer)
    return fail(CL_INVALID_ARG_INDEX, "argument '", target.name, "' is not a global pointer");
  set_address(index, address,
              {.is_set = true, .memory = DeviceAddresses::instance().find(address), .may_be_gone = true});
  return {};
}

void Kernel::set_address(cl_uint index, std::uint64_t address, const Argument& made) {
  std::scoped_lock guard(lock_);
  std::memcpy(block_.data() + signature_.arguments[index].offset, &address, sizeof(address));
  arguments_[index] = made;
}

// Kernels can follow any pointer, because all memory is the host's. The lists of pointers that the application sets
// here are needed for buffers with device addresses only, because a launch must keep these buffers alive. OpenCL
// forbids applications to free other memory before the launch is complete.
Status Kernel::set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value) {
  const bool is_of_svm =
      name == CL_KERNEL_EXEC_INFO_SVM_PTRS || name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
  if (is_of_svm && !context().has_svm(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
    return fail(CL_INVALID_OPERATION, "no device of the context has SVM (CL_DEVICE_SVM_CAPABILITIES is 0)");
  switch (name) {
  case CL_KERNEL_EXEC_INFO_SVM_PTRS:
  case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
  case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
    if (size % sizeof(void*))
      return fail(CL_INVALID_VALUE, "param_value_size is ", size, "; it must be a multiple of an address's ",
                  sizeof(void*));
    break;
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
  case CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR:
  case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
    if (size != sizeof(cl_bool))
      return fail(CL_INVALID_VALUE, "param_value_size is ", size, "; it must be that of a cl_bool, ",
                  sizeof(cl_bool));
    break;
  default:
    return fail(CL_INVALID_VALUE, "param_name 0x", std::hex, name, " is not known");
  }
  // An empty list replaces the list that was set before.
  if (!value && size) return fail(CL_INVALID_VALUE, "param_value is NULL");
  if (name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM && *static_cast<const cl_bool*>(value) &&
      !context().has_svm(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
    return fail(CL_INVALID_OPERATION,
                "CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM is CL_TRUE; the device lacks "
                "CL_DEVICE_SVM_FINE_GRAIN_SYSTEM");
  if (name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM && *static_cast<const cl_bool*>(value) &&
      !Device::shares_all_memory())
    return fail(CL_INVALID_OPERATION,
                "CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM is CL_TRUE; kernels run in another "
                "process (HOSTCL_GUEST), which cannot reach the application's memory");
  if (name == CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT)
    set_device_pointers({static_cast<const cl_mem_device_address_ext*>(value), size / sizeof(void*)});
  return {};
}

/// CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT: addresses of buffers to which other buffers have pointers.
void Kernel::set_device_pointers(std::span<const std::uint64_t> addresses) {
  std::vector<WeakMemory> reached;
  for (std::uint64_t address : addresses)
    if (WeakMemory memory = DeviceAddresses::instance().find(address)) reached.push_back(memory);
  std::scoped_lock guard(lock_);
  reached_.swap(reached);
}

Error released_argument(const compiler::KernelSignature& signature, std::size_t index) {
  return fail(CL_INVALID_KERNEL_ARGS, "argument ", index, " ('", signature.arguments[index].name,
              "') of kernel '", signature.name, "' is an object that has been released");
}

namespace {

/// Checks an argument against the limits of a described device.
Status fits_device(const Device& device, const compiler::KernelArgument& declared,
                   const Kernel::Argument& argument) {
  if (argument.is_svm_pointer) return validate::has_kernel_pointers(device);
  if (!argument.memory) return {};
  const auto held = Ref<Memory>::adopt(argument.memory.hold_slot());
  if (!held || !argument.memory.is_live()) return {};
  const std::uint64_t most = device.limits().constant_bytes;
  if (declared.kind == ArgumentKind::constant_pointer && held->size() > most)
    return fail(CL_OUT_OF_RESOURCES, "the buffer for constant argument '", declared.name, "' has ",
                held->size(), " bytes; CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE of the queue's device is ", most);
  return validate::usable_on(device, *held);
}

} // namespace

Status Kernel::check_arguments(const Device& device) const {
  TRY(check_set());
  if (!device.description()) [[likely]]
    return {};
  std::vector<Argument>
      arguments; // a copy, because memory objects must not be released while the lock is held
  {
    std::scoped_lock guard(lock_);
    arguments = arguments_;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    TRY(fits_device(device, signature_.arguments[i], arguments[i]));
  return {};
}

Status Kernel::check_set() const {
  std::scoped_lock guard(lock_);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& argument = arguments_[i];
    if (!argument.is_set)
      return fail(CL_INVALID_KERNEL_ARGS, "argument ", i, " ('", signature_.arguments[i].name,
                  "') of kernel '", signature_.name, "' has not been set");
    if (argument.memory && !argument.may_be_gone && !argument.memory.is_live())
      return released_argument(signature_, i);
    if (argument.queue && !argument.queue->is_live(DeviceQueue::kind))
      return released_argument(signature_, i);
  }
  return {};
}

bool Kernel::has_all_arguments() const {
  if (has_all_arguments_.load(std::memory_order_relaxed)) [[likely]]
    return true;
  std::scoped_lock guard(lock_);
  const bool has_all = std::ranges::all_of(arguments_, &Argument::is_set);
  has_all_arguments_.store(has_all, std::memory_order_relaxed);
  return has_all;
}

} // namespace hostcl::runtime
