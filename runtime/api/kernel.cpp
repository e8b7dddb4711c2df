// Kernels and their launches (OpenCL 3.0 API, 5.9 and 5.10). Declared in runtime/api/api.hpp.

#include "runtime/program/kernel.hpp"
#include "runtime/api/api.hpp"
#include "runtime/api/destination.hpp"
#include "runtime/checks/shadow.hpp"
#include "runtime/launch/launch_geometry.hpp"
#include "runtime/memory/buffer.hpp"
#include "runtime/memory/svm.hpp"
#include "runtime/queue/kernel_work.hpp"
#include "runtime/queue/transfer.hpp"
#include "runtime/support/application_code.hpp"

#include <algorithm>
#include <cstring>

namespace hostcl::runtime {

Result<cl_kernel> create_kernel(cl_program handle, const char* name) {
  TRY(Program & program, object_cast<Program>(handle));
  TRY(program.context().check_not_terminated());
  if (!name) return fail(CL_INVALID_VALUE, "kernel_name is NULL");
  TRY(auto codes, Kernel::find(program, name));
  Ref<Kernel> kernel = make_object<Kernel>(program, std::move(codes));
  kernel->compile_ahead();
  return expose(std::move(kernel));
}

Status create_kernels_in_program(cl_program handle, cl_uint entries, cl_kernel* kernels, cl_uint* count) {
  TRY(Program & program, object_cast<Program>(handle));
  TRY(program.context().check_not_terminated());
  TRY(std::shared_ptr<LoadedProgram> loaded, program.loaded());
  std::vector<Ref<Kernel>> made;
  for (const compiler::KernelSignature& signature : loaded->signatures())
    // Kernels whose definitions differ between devices are left out, as the specification asks for.
    if (auto codes = Kernel::find(program, signature.name); codes.ok())
      made.push_back(make_object<Kernel>(program, std::move(codes).value()));
  if (kernels && entries < made.size())
    return fail(CL_INVALID_VALUE, "num_kernels is ", entries, "; the program has ", made.size(), " kernels");
  if (count) *count = static_cast<cl_uint>(made.size());
  if (!kernels) return {};
  for (Ref<Kernel>& kernel : made)
    kernel->compile_ahead();
  for (Ref<Kernel>& kernel : made)
    *kernels++ = expose(std::move(kernel));
  return {};
}

Result<cl_kernel> clone_kernel(cl_kernel handle) {
  TRY(Kernel & kernel, object_cast<Kernel>(handle));
  TRY(kernel.context().check_not_terminated());
  return expose(make_object<Kernel>(kernel));
}

Status set_kernel_arg(cl_kernel handle, cl_uint index, size_t size, const void* value) {
  TRY(Kernel & kernel, object_cast<Kernel>(handle));
  return kernel.set_argument(index, size, value);
}

Status set_kernel_arg_svm_pointer(cl_kernel handle, cl_uint index, const void* pointer) {
  TRY(Kernel & kernel, object_cast<Kernel>(handle));
  const Context& context = kernel.context();
  const auto allows = [](const auto& device) { return validate::has_kernel_pointers(*device).ok(); };
  if (std::ranges::none_of(context.devices(), allows))
    return validate::has_kernel_pointers(context.first_device());
  return kernel.set_svm_argument(index, pointer);
}

Status set_kernel_arg_device_pointer(cl_kernel handle, cl_uint index, cl_mem_device_address_ext address) {
  TRY(Kernel & kernel, object_cast<Kernel>(handle));
  return kernel.set_device_address(index, address);
}

Status set_kernel_exec_info(cl_kernel handle, cl_kernel_exec_info name, size_t size, const void* value) {
  TRY(Kernel & kernel, object_cast<Kernel>(handle));
  return kernel.set_exec_info(name, size, value);
}

namespace {

/// The device of a query. It may be omitted if the kernel's program has a single device.
Result<Device&> device_of(const Kernel& kernel, cl_device_id handle) {
  const auto& devices = kernel.program().devices();
  if (!handle && devices.size() == 1) return *devices.front();
  for (const auto& device : devices)
    if (device->handle() == handle) return *device;
  return fail(CL_INVALID_DEVICE, "device ", handle, " is not one of the ", devices.size(),
              " devices of the kernel's program");
}

} // namespace

Status get_kernel_info(cl_kernel handle, cl_kernel_info name, size_t size, void* value, size_t* size_ret) {
  TRY(Kernel & kernel, object_cast<Kernel>(handle));
  return kernel.info(name, Answer(size, value, size_ret));
}

Status get_kernel_arg_info(cl_kernel handle, cl_uint index, cl_kernel_arg_info name, size_t size, void* value,
                           size_t* size_ret) {
  TRY(Kernel & kernel, object_cast<Kernel>(handle));
  return kernel.argument_info(index, name, Answer(size, value, size_ret));
}

Status get_kernel_work_group_info(cl_kernel handle, cl_device_id device_handle,
                                  cl_kernel_work_group_info name, size_t size, void* value,
                                  size_t* size_ret) {
  TRY(Kernel & kernel, object_cast<Kernel>(handle));
  TRY(Device & device, device_of(kernel, device_handle));
  return kernel.work_group_info(device, name, Answer(size, value, size_ret));
}

Status get_kernel_sub_group_info(cl_kernel handle, cl_device_id device_handle, cl_kernel_sub_group_info name,
                                 size_t input_size, const void* input, size_t size, void* value,
                                 size_t* size_ret) {
  TRY(Kernel & kernel, object_cast<Kernel>(handle));
  TRY(Device & device, device_of(kernel, device_handle));
  if (!device.has_sub_groups() || device.limits().sub_groups == 0)
    return fail(CL_INVALID_OPERATION, "the device has no sub-groups");
  return kernel.sub_group_info(device, name, input_size, input, Answer(size, value, size_ret));
}

Status get_kernel_suggested_local_work_size(cl_command_queue queue_handle, cl_kernel kernel_handle,
                                            cl_uint work_dim, const size_t* global_offset,
                                            const size_t* global_size, size_t* suggested) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Kernel & kernel, object_cast<Kernel>(kernel_handle));
  TRY(const Kernel::Code& code, code_for(queue, kernel));
  TRY(kernel.check_arguments(queue.device()));
  const auto chosen = [&] {
    return checked_nd_range(queue.device(), kernel, kernel.local_bytes(), code.uniform_groups, work_dim,
                            global_offset, global_size, nullptr);
  };
  TRY(abi::NDRange range, chosen());
  if (!global_size) return fail(CL_INVALID_GLOBAL_WORK_SIZE, "global_work_size is NULL");
  for (cl_uint i = 0; i < work_dim; ++i)
    if (global_size[i] == 0) return fail(CL_INVALID_GLOBAL_WORK_SIZE, "global_work_size[", i, "] is 0");
  if (!suggested) return fail(CL_INVALID_VALUE, "suggested_local_work_size is NULL");
  // The kernel is compiled now, because the compiler must analyse it to find the dimension along which groups should be
  // long. Later launches choose their local size by this dimension as well.
  if (work_dim > 1) {
    code.kernel->code(range);
    TRY(range, chosen());
  }
  std::copy_n(range.local_size, work_dim, suggested);
  return {};
}

// ---- Launches

namespace {

Status enqueue(cl_command_queue queue_handle, cl_kernel kernel_handle, cl_command_type type, cl_uint work_dim,
               const size_t* global_offset, const size_t* global_size, const size_t* local_size,
               cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  TRY(Kernel & kernel, object_cast<Kernel>(kernel_handle));
  TRY(const Kernel::Code& code, code_for(queue, kernel));
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  // The launch record finds out whether the objects of the arguments have been released.
  if (!kernel.has_all_arguments() || queue.device().description()) [[unlikely]]
    TRY(kernel.check_arguments(queue.device()));
  TRY(abi::NDRange range, checked_nd_range(queue.device(), kernel, kernel.local_bytes(), code.uniform_groups,
                                           work_dim, global_offset, global_size, local_size));
  const bool enqueues = code.kernel->signature().enqueues;
  // Children of the launch may wait for commands that the application has not enqueued yet. So a thread that
  // waits for another event must not begin the launch.
  const std::uint64_t estimate =
      enqueues && !queue.is_in_order() ? Queue::unknown : KernelWork::estimate(*code.kernel, range);
  return queue.submit<KernelWork>(
      {.type = type, .waits = list, .event = event, .estimate = estimate}, kernel, code, range,
      enqueues ? queue.context().device_queues().default_for(queue.device()) : Ref<DeviceQueue>());
}

/// clEnqueueNativeKernel(): calls a function of the application with a copy of its arguments, in which
/// handles of buffers have been replaced by addresses.
class NativeKernelWork final : public Work {
public:
  using Function = void(CL_CALLBACK*)(void*);
  NativeKernelWork(Function function, std::vector<std::byte> arguments, std::vector<Ref<Memory>> keep)
      : function_(function), arguments_(std::move(arguments)), keep_(std::move(keep)) {}
  cl_int run(Queue&) override {
    const ApplicationCode scope(mask_);
    function_(arguments_.empty() ? nullptr : arguments_.data());
    return CL_COMPLETE;
  }

private:
  Function function_;
  std::vector<std::byte> arguments_;
  std::vector<Ref<Memory>> keep_;
  SignalMask mask_ = SignalMask::of_this_thread(); ///< signal mask of the thread that enqueues the command
};

} // namespace

Status enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint work_dim,
                               const size_t* global_offset, const size_t* global_size,
                               const size_t* local_size, cl_uint count, const cl_event* waits,
                               cl_event* event) {
  return enqueue(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, work_dim, global_offset, global_size, local_size,
                 count, waits, event);
}

Status command_nd_range_kernel(cl_command_buffer_khr buffer, cl_command_queue queue,
                               const cl_command_properties_khr* properties, cl_kernel kernel_handle,
                               cl_uint work_dim, const size_t* global_offset, const size_t* global_size,
                               const size_t* local_size, cl_uint count, const cl_sync_point_khr* waits,
                               cl_sync_point_khr* sync_point, cl_mutable_command_khr* handle) {
  ToCommandBuffer destination(buffer, queue, properties, count, waits, sync_point, handle);
  TRY(destination.resolve_launch());
  TRY(DispatchProperties parsed, DispatchProperties::parsed(properties));
  TRY(Kernel & kernel, object_cast<Kernel>(kernel_handle));
  TRY(const Kernel::Code& code, code_for(destination.queue(), kernel));
  TRY(destination.check_waits());
  const bool may_lack_arguments = parsed.may_lack_arguments && destination.buffer().is_mutable();
  if (!may_lack_arguments || kernel.has_all_arguments())
    TRY(kernel.check_arguments(destination.queue().device()));
  TRY(abi::NDRange range,
      checked_nd_range(destination.queue().device(), kernel, kernel.local_bytes(), code.uniform_groups,
                       work_dim, global_offset, global_size, local_size));
  if (!local_size && (parsed.asserts_groups || destination.buffer().asserts_groups()))
    return fail(CL_INVALID_VALUE, "local_work_size is NULL; it must be given with "
                                  "CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR");
  return destination.take_launch(kernel, code, range, local_size, std::move(parsed));
}

Status enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event* waits,
                    cl_event* event) {
  std::size_t one = 1;
  return enqueue(queue, kernel, CL_COMMAND_TASK, 1, nullptr, &one, &one, count, waits, event);
}

Status enqueue_native_kernel(cl_command_queue queue_handle, void(CL_CALLBACK* function)(void*),
                             void* arguments, size_t bytes, cl_uint memory_count, const cl_mem* handles,
                             const void** locations, cl_uint count, const cl_event* waits, cl_event* event) {
  TRY(Queue & queue, object_cast<Queue>(queue_handle));
  if (!(queue.device().limits().execution & CL_EXEC_NATIVE_KERNEL))
    return fail(CL_INVALID_OPERATION,
                "the device does not run native kernels (CL_DEVICE_EXECUTION_CAPABILITIES)");
  if (!function) return fail(CL_INVALID_VALUE, "user_func is NULL");
  if (!arguments != !bytes)
    return fail(CL_INVALID_VALUE, "args is ", arguments, " and cb_args is ", bytes,
                "; either both or none must be given");
  if ((!arguments && memory_count) || !memory_count != !handles || !memory_count != !locations)
    return fail(CL_INVALID_VALUE, "num_mem_objects is ", memory_count, ", mem_list is ",
                static_cast<const void*>(handles), ", args_mem_loc is ", static_cast<const void*>(locations),
                ", args is ", arguments, "; memory objects need all of them");
  TRY(WaitList list, WaitList::checked(queue.context(), count, waits));
  auto* first = static_cast<std::byte*>(arguments);
  std::vector<std::byte> copy(first, first + bytes);
  std::vector<Ref<Memory>> keep;
  for (cl_uint i = 0; i < memory_count; ++i) {
    TRY(Buffer & buffer, object_cast<Buffer>(handles[i]));
    TRY(validate::usable_on(queue.device(), buffer));
    keep.push_back(Ref<Memory>(buffer));
    checks::note_written(buffer.data(), buffer.size());
    auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(locations[i]) - first);
    if (offset > bytes || bytes - offset < sizeof(void*))
      return fail(CL_INVALID_VALUE, "args_mem_loc[", i, "] does not point into args");
    std::byte* address = buffer.data();
    std::memcpy(copy.data() + offset, &address, sizeof(address));
  }
  return queue.submit<NativeKernelWork>(
      {.type = CL_COMMAND_NATIVE_KERNEL, .waits = list, .event = event, .estimate = Queue::unknown}, function,
      std::move(copy), std::move(keep));
}

} // namespace hostcl::runtime
