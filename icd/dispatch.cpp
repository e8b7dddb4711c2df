#include "icd/dispatch.hpp"

#include "icd/failing.hpp"
#include "icd/thunk.hpp"
#include "runtime/api/global_variable.hpp"
#include "runtime/command_buffer/command_buffer.hpp"
#include "runtime/faults/faults.hpp"
#include "runtime/program/kernel.hpp"
#include "runtime/queries/platform.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/semaphore/semaphore.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace hostcl::icd {

using namespace runtime;

namespace {

void* CL_API_CALL extension_function(const char* name) noexcept {
  return name ? extension_function_address(name) : nullptr;
}

void* CL_API_CALL extension_function_for_platform(cl_platform_id platform, const char* name) noexcept {
  return name && object_cast<Platform>(platform).ok() ? extension_function_address(name) : nullptr;
}

void CL_API_CALL svm_free_noexcept(cl_context context, void* pointer) noexcept {
  const runtime::CancellationDelay uncancelled;
  svm_free(context, pointer);
}

Status unload_compiler() {
  return {};
}

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

struct NamedFunction {
  std::string_view name;
  void* address;
  void* failing; ///< the same function, which fails as HOSTCL_FAIL says
};

#define EXTENSION(name, function) {#name, address(thunk<#name, function>), address(failing<#name, function>)}
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): only addresses
const NamedFunction extension_functions[] = {
    EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR, get_kernel_suggested_local_work_size),
    EXTENSION(clCreateProgramWithILKHR, create_program_with_il),
    // The core function of OpenCL 3.1, which loaders of 3.0 do not export
    EXTENSION(clGetKernelSuggestedLocalWorkSize, get_kernel_suggested_local_work_size),
    EXTENSION(clGetKernelSubGroupInfoKHR, get_kernel_sub_group_info),
    EXTENSION(clCreateSubDevicesEXT, create_sub_devices_ext),
    EXTENSION(clRetainDeviceEXT, retain_device),
    EXTENSION(clReleaseDeviceEXT, release_device),
    EXTENSION(clSetKernelArgDevicePointerEXT, set_kernel_arg_device_pointer),
    EXTENSION(clCreateBufferWithPropertiesINTEL, create_buffer_with_properties_intel),
    EXTENSION(clImportMemoryARM, import_memory_arm),
    EXTENSION(clGetImageRequirementsInfoEXT, get_image_requirements_info),
    EXTENSION(clTerminateContextKHR, terminate_context),
    EXTENSION(clCancelCommandsIMG, cancel_commands),
    // cl_khr_semaphore, cl_khr_external_semaphore, cl_khr_external_semaphore_sync_fd
    EXTENSION(clCreateSemaphoreWithPropertiesKHR, create_semaphore_with_properties),
    EXTENSION(clEnqueueWaitSemaphoresKHR, enqueue_wait_semaphores),
    EXTENSION(clEnqueueSignalSemaphoresKHR, enqueue_signal_semaphores),
    EXTENSION(clGetSemaphoreInfoKHR, get_semaphore_info),
    EXTENSION(clRetainSemaphoreKHR, retain_handle<Semaphore>),
    EXTENSION(clReleaseSemaphoreKHR, release_handle<Semaphore>),
    EXTENSION(clGetSemaphoreHandleForTypeKHR, get_semaphore_handle_for_type),
    EXTENSION(clReImportSemaphoreSyncFdKHR, reimport_semaphore_sync_fd),
    // cl_khr_external_memory
    EXTENSION(clEnqueueAcquireExternalMemObjectsKHR, enqueue_acquire_external_mem_objects),
    EXTENSION(clEnqueueReleaseExternalMemObjectsKHR, enqueue_release_external_mem_objects),
    // cl_khr_command_buffer
    EXTENSION(clCreateCommandBufferKHR, create_command_buffer),
    EXTENSION(clRetainCommandBufferKHR, retain_handle<CommandBuffer>),
    EXTENSION(clReleaseCommandBufferKHR, release_handle<CommandBuffer>),
    EXTENSION(clFinalizeCommandBufferKHR, finalize_command_buffer),
    EXTENSION(clEnqueueCommandBufferKHR, enqueue_command_buffer),
    EXTENSION(clCommandBarrierWithWaitListKHR, command_barrier),
    EXTENSION(clCommandCopyBufferKHR, command_copy_buffer),
    EXTENSION(clCommandCopyBufferRectKHR, command_copy_buffer_rect),
    EXTENSION(clCommandCopyBufferToImageKHR, command_copy_buffer_to_image),
    EXTENSION(clCommandCopyImageKHR, command_copy_image),
    EXTENSION(clCommandCopyImageToBufferKHR, command_copy_image_to_buffer),
    EXTENSION(clCommandFillBufferKHR, command_fill_buffer),
    EXTENSION(clCommandFillImageKHR, command_fill_image),
    EXTENSION(clCommandNDRangeKernelKHR, command_nd_range_kernel),
    EXTENSION(clCommandSVMMemcpyKHR, command_svm_memcpy),
    EXTENSION(clCommandSVMMemFillKHR, command_svm_mem_fill),
    EXTENSION(clGetCommandBufferInfoKHR, get_command_buffer_info),
    // cl_khr_command_buffer_multi_device
    EXTENSION(clRemapCommandBufferKHR, remap_command_buffer),
    // cl_khr_command_buffer_mutable_dispatch
    EXTENSION(clUpdateMutableCommandsKHR, update_mutable_commands),
    EXTENSION(clGetMutableCommandInfoKHR, get_mutable_command_info),
    // cl_khr_unified_svm
    EXTENSION(clSVMAllocWithPropertiesKHR, svm_alloc_with_properties),
    EXTENSION(clSVMFreeWithPropertiesKHR, svm_free_with_properties),
    EXTENSION(clGetSVMPointerInfoKHR, get_svm_pointer_info),
    EXTENSION(clGetSVMSuggestedTypeIndexKHR, get_svm_suggested_type_index),
    // cl_intel_unified_shared_memory
    EXTENSION(clHostMemAllocINTEL, host_mem_alloc),
    EXTENSION(clDeviceMemAllocINTEL, device_mem_alloc),
    EXTENSION(clSharedMemAllocINTEL, shared_mem_alloc),
    EXTENSION(clMemFreeINTEL, mem_free),
    EXTENSION(clMemBlockingFreeINTEL, mem_blocking_free),
    EXTENSION(clGetMemAllocInfoINTEL, get_mem_alloc_info),
    EXTENSION(clSetKernelArgMemPointerINTEL, set_kernel_arg_svm_pointer),
    EXTENSION(clEnqueueMemFillINTEL, enqueue_mem_fill),
    EXTENSION(clEnqueueMemsetINTEL, enqueue_memset),
    EXTENSION(clEnqueueMemcpyINTEL, enqueue_memcpy),
    EXTENSION(clEnqueueMigrateMemINTEL, enqueue_migrate_mem),
    EXTENSION(clEnqueueMemAdviseINTEL, enqueue_mem_advise),
    // cl_intel_global_variable_access
    EXTENSION(clEnqueueReadGlobalVariableINTEL, enqueue_read_global_variable),
    EXTENSION(clEnqueueWriteGlobalVariableINTEL, enqueue_write_global_variable),
    // The loader's own
    {"clIcdGetPlatformIDsKHR", address(&clIcdGetPlatformIDsKHR), address(&clIcdGetPlatformIDsKHR)},
};
#undef EXTENSION

} // namespace

#define ENTRY(name, function) .name = thunk<#name, function>,
#define SHARED(name, function) ENTRY(name, function)
#define PLAIN(name, function) .name = function,
#define ABSENT(name) .name = absent<decltype(cl_icd_dispatch::name)>,
#define EMPTY(name) .name = nullptr,
#define VERSION(number)
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): only addresses
Dispatch dispatch = {
    {
#include "runtime/api/entry_points.inc"
    },
#ifndef CL_VERSION_3_1
    thunk<"clGetKernelSuggestedLocalWorkSize", get_kernel_suggested_local_work_size>,
#endif
};
#undef ENTRY
#undef PLAIN

namespace {

#define ENTRY(name, function) .name = failing<#name, function>,
#define PLAIN(name, function) .name = failing_plain<#name, function>,
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): only addresses
const Dispatch failing_dispatch = {
    {
#include "runtime/api/entry_points.inc"
    },
#ifndef CL_VERSION_3_1
    failing<"clGetKernelSuggestedLocalWorkSize", get_kernel_suggested_local_work_size>,
#endif
};
#undef ENTRY
#undef PLAIN
#undef ABSENT
#undef EMPTY

/// The names of all functions that HOSTCL_FAIL can make fail.
std::vector<std::string_view> functions_that_fail() {
  std::vector<std::string_view> names = {
#define ENTRY(name, function) #name,
#define PLAIN(name, function) #name,
#define ABSENT(name)
#define EMPTY(name)
#include "runtime/api/entry_points.inc"
#undef ENTRY
#undef PLAIN
#undef ABSENT
#undef EMPTY
  };
  for (const NamedFunction& function : extension_functions)
    if (function.failing != function.address) names.push_back(function.name);
  std::erase(names, "clSVMFree"); // it returns nothing
  return names;
}
#undef SHARED
#undef VERSION

void register_dispatch() noexcept {
  faults::start(functions_that_fail);
  if (faults::has_rules) dispatch = failing_dispatch;
  dispatch_table = &dispatch.table;
}

[[maybe_unused]] const bool registered = (register_dispatch(), true);

} // namespace

void* extension_function_address(std::string_view name) {
  const auto* found = std::ranges::find(extension_functions, name, &NamedFunction::name);
  if (found == std::end(extension_functions)) return nullptr;
  return faults::has_rules ? found->failing : found->address;
}

} // namespace hostcl::icd
