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
#include "runtime/support/options.hpp"

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
  void* failing;              ///< the function of failing.hpp that takes its place with HOSTCL_FAIL
  std::string_view extension; ///< "always": no device needs an extension for the function
};

#define EXTENSION(extension, name, function)                                                                 \
  {#name, address(thunk<#name, function>), address(failing<#name, function>), #extension}
// NOLINTNEXTLINE(bugprone-throwing-static-initialization): only addresses
const NamedFunction extension_functions[] = {
    EXTENSION(cl_khr_suggested_local_work_size, clGetKernelSuggestedLocalWorkSizeKHR,
              get_kernel_suggested_local_work_size),
    EXTENSION(cl_khr_il_program, clCreateProgramWithILKHR, create_program_with_il),
    // A function of OpenCL 3.1, which loaders of OpenCL 3.0 do not export, and the older name of a function of 2.1
    EXTENSION(always, clGetKernelSuggestedLocalWorkSize, get_kernel_suggested_local_work_size),
    EXTENSION(always, clGetKernelSubGroupInfoKHR, get_kernel_sub_group_info),
    EXTENSION(cl_ext_device_fission, clCreateSubDevicesEXT, create_sub_devices_ext),
    EXTENSION(cl_ext_device_fission, clRetainDeviceEXT, retain_device),
    EXTENSION(cl_ext_device_fission, clReleaseDeviceEXT, release_device),
    EXTENSION(cl_ext_buffer_device_address, clSetKernelArgDevicePointerEXT, set_kernel_arg_device_pointer),
    EXTENSION(cl_intel_create_buffer_with_properties, clCreateBufferWithPropertiesINTEL,
              create_buffer_with_properties_intel),
    EXTENSION(cl_arm_import_memory, clImportMemoryARM, import_memory_arm),
    EXTENSION(cl_ext_image_requirements_info, clGetImageRequirementsInfoEXT, get_image_requirements_info),
    EXTENSION(cl_khr_terminate_context, clTerminateContextKHR, terminate_context),
    EXTENSION(cl_img_cancel_command, clCancelCommandsIMG, cancel_commands),
    EXTENSION(cl_khr_semaphore, clCreateSemaphoreWithPropertiesKHR, create_semaphore_with_properties),
    EXTENSION(cl_khr_semaphore, clEnqueueWaitSemaphoresKHR, enqueue_wait_semaphores),
    EXTENSION(cl_khr_semaphore, clEnqueueSignalSemaphoresKHR, enqueue_signal_semaphores),
    EXTENSION(cl_khr_semaphore, clGetSemaphoreInfoKHR, get_semaphore_info),
    EXTENSION(cl_khr_semaphore, clRetainSemaphoreKHR, retain_handle<Semaphore>),
    EXTENSION(cl_khr_semaphore, clReleaseSemaphoreKHR, release_handle<Semaphore>),
    EXTENSION(cl_khr_external_semaphore, clGetSemaphoreHandleForTypeKHR, get_semaphore_handle_for_type),
    EXTENSION(cl_khr_external_semaphore_sync_fd, clReImportSemaphoreSyncFdKHR, reimport_semaphore_sync_fd),
    EXTENSION(cl_khr_external_memory, clEnqueueAcquireExternalMemObjectsKHR,
              enqueue_acquire_external_mem_objects),
    EXTENSION(cl_khr_external_memory, clEnqueueReleaseExternalMemObjectsKHR,
              enqueue_release_external_mem_objects),
    EXTENSION(cl_khr_command_buffer, clCreateCommandBufferKHR, create_command_buffer),
    EXTENSION(cl_khr_command_buffer, clRetainCommandBufferKHR, retain_handle<CommandBuffer>),
    EXTENSION(cl_khr_command_buffer, clReleaseCommandBufferKHR, release_handle<CommandBuffer>),
    EXTENSION(cl_khr_command_buffer, clFinalizeCommandBufferKHR, finalize_command_buffer),
    EXTENSION(cl_khr_command_buffer, clEnqueueCommandBufferKHR, enqueue_command_buffer),
    EXTENSION(cl_khr_command_buffer, clCommandBarrierWithWaitListKHR, command_barrier),
    EXTENSION(cl_khr_command_buffer, clCommandCopyBufferKHR, command_copy_buffer),
    EXTENSION(cl_khr_command_buffer, clCommandCopyBufferRectKHR, command_copy_buffer_rect),
    EXTENSION(cl_khr_command_buffer, clCommandCopyBufferToImageKHR, command_copy_buffer_to_image),
    EXTENSION(cl_khr_command_buffer, clCommandCopyImageKHR, command_copy_image),
    EXTENSION(cl_khr_command_buffer, clCommandCopyImageToBufferKHR, command_copy_image_to_buffer),
    EXTENSION(cl_khr_command_buffer, clCommandFillBufferKHR, command_fill_buffer),
    EXTENSION(cl_khr_command_buffer, clCommandFillImageKHR, command_fill_image),
    EXTENSION(cl_khr_command_buffer, clCommandNDRangeKernelKHR, command_nd_range_kernel),
    EXTENSION(cl_khr_command_buffer, clCommandSVMMemcpyKHR, command_svm_memcpy),
    EXTENSION(cl_khr_command_buffer, clCommandSVMMemFillKHR, command_svm_mem_fill),
    EXTENSION(cl_khr_command_buffer, clGetCommandBufferInfoKHR, get_command_buffer_info),
    EXTENSION(cl_khr_command_buffer_multi_device, clRemapCommandBufferKHR, remap_command_buffer),
    EXTENSION(cl_khr_command_buffer_mutable_dispatch, clUpdateMutableCommandsKHR, update_mutable_commands),
    EXTENSION(cl_khr_command_buffer_mutable_dispatch, clGetMutableCommandInfoKHR, get_mutable_command_info),
    EXTENSION(cl_khr_unified_svm, clSVMAllocWithPropertiesKHR, svm_alloc_with_properties),
    EXTENSION(cl_khr_unified_svm, clSVMFreeWithPropertiesKHR, svm_free_with_properties),
    EXTENSION(cl_khr_unified_svm, clGetSVMPointerInfoKHR, get_svm_pointer_info),
    EXTENSION(cl_khr_unified_svm, clGetSVMSuggestedTypeIndexKHR, get_svm_suggested_type_index),
    EXTENSION(cl_intel_unified_shared_memory, clHostMemAllocINTEL, host_mem_alloc),
    EXTENSION(cl_intel_unified_shared_memory, clDeviceMemAllocINTEL, device_mem_alloc),
    EXTENSION(cl_intel_unified_shared_memory, clSharedMemAllocINTEL, shared_mem_alloc),
    EXTENSION(cl_intel_unified_shared_memory, clMemFreeINTEL, mem_free),
    EXTENSION(cl_intel_unified_shared_memory, clMemBlockingFreeINTEL, mem_blocking_free),
    EXTENSION(cl_intel_unified_shared_memory, clGetMemAllocInfoINTEL, get_mem_alloc_info),
    EXTENSION(cl_intel_unified_shared_memory, clSetKernelArgMemPointerINTEL, set_kernel_arg_svm_pointer),
    EXTENSION(cl_intel_unified_shared_memory, clEnqueueMemFillINTEL, enqueue_mem_fill),
    EXTENSION(cl_intel_unified_shared_memory, clEnqueueMemsetINTEL, enqueue_memset),
    EXTENSION(cl_intel_unified_shared_memory, clEnqueueMemcpyINTEL, enqueue_memcpy),
    EXTENSION(cl_intel_unified_shared_memory, clEnqueueMigrateMemINTEL, enqueue_migrate_mem),
    EXTENSION(cl_intel_unified_shared_memory, clEnqueueMemAdviseINTEL, enqueue_mem_advise),
    EXTENSION(cl_intel_global_variable_access, clEnqueueReadGlobalVariableINTEL,
              enqueue_read_global_variable),
    EXTENSION(cl_intel_global_variable_access, clEnqueueWriteGlobalVariableINTEL,
              enqueue_write_global_variable),
    // The loader's own
    {"clIcdGetPlatformIDsKHR", address(&clIcdGetPlatformIDsKHR), address(&clIcdGetPlatformIDsKHR), "always"},
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

/// The argument of VERSION() as an integer: 21 for "2.1".
consteval unsigned tenfold(const char* version) {
  return 10 * static_cast<unsigned>(version[0] - '0') + static_cast<unsigned>(version[2] - '0');
}

void limit_table(cl_version newest) {
  const unsigned most = 10 * CL_VERSION_MAJOR(newest) + CL_VERSION_MINOR(newest);
  unsigned version = 10;
#define ENTRY(name, function)                                                                                \
  if (version > most) dispatch.table.name = absent<decltype(cl_icd_dispatch::name)>;
#define SHARED(name, function) ENTRY(name, function)
#define PLAIN(name, function) ENTRY(name, function)
#define ABSENT(name)
#define EMPTY(name)
#define VERSION(number) version = tenfold(#number);
#include "runtime/api/entry_points.inc"
#undef ENTRY
#undef SHARED
#undef PLAIN
#undef ABSENT
#undef EMPTY
#undef VERSION
}

void register_dispatch() noexcept {
  faults::start(functions_that_fail);
  if (faults::has_rules) dispatch = failing_dispatch;
  dispatch_table = &dispatch.table;
  limit_dispatch_table = limit_table;
}

[[maybe_unused]] const bool registered = (register_dispatch(), true);

} // namespace

void* extension_function_address(std::string_view name) {
  const auto* found = std::ranges::find(extension_functions, name, &NamedFunction::name);
  if (found == std::end(extension_functions)) return nullptr;
  // The host's device has all extensions.
  const bool is_there = options().device.empty() || found->extension == "always" ||
                        Platform::instance().has_extension(found->extension);
  if (!is_there) return nullptr;
  return faults::has_rules ? found->failing : found->address;
}

} // namespace hostcl::icd
