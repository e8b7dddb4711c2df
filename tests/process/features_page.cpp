// Prints docs/features.md from what the device says of itself.
// usage: test_features_page > docs/features.md

#include "support/choice.hpp"

#include <CL/cl_ext.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

/// Queries of cl_khr_spirv_queries, which older headers lack.
constexpr cl_device_info spirv_instruction_sets = 0x12B9, spirv_extensions = 0x12BA;

template <class T>
std::vector<T> list(cl_device_info query) {
  std::size_t bytes = 0;
  clGetDeviceInfo(test::chosen_device(), query, 0, nullptr, &bytes);
  std::vector<T> values(bytes / sizeof(T));
  clGetDeviceInfo(test::chosen_device(), query, bytes, values.data(), nullptr);
  return values;
}

std::string version_text(cl_version version) {
  return std::to_string(CL_VERSION_MAJOR(version)) + "." + std::to_string(CL_VERSION_MINOR(version)) + "." +
         std::to_string(CL_VERSION_PATCH(version));
}

std::string versions_of(cl_device_info query) {
  std::string text;
  for (const cl_name_version& entry : list<cl_name_version>(query))
    text += (text.empty() ? "" : ", ") + std::to_string(CL_VERSION_MAJOR(entry.version)) + "." +
            std::to_string(CL_VERSION_MINOR(entry.version));
  return text;
}

void print_named(const char* title, const char* column, cl_device_info query) {
  std::printf("\n## %s\n| %s | version |\n|---|---|\n", title, column);
  for (const cl_name_version& entry : list<cl_name_version>(query))
    std::printf("| `%s` | %s |\n", entry.name, version_text(entry.version).c_str());
}

/// Names that a query of cl_khr_spirv_queries lists.
void print_names(const char* title, cl_device_info query) {
  std::printf("\n## %s\n", title);
  for (const char* name : list<const char*>(query))
    std::printf("- `%s`\n", name);
}

struct Optional {
  const char* feature;
  const char* query;
  cl_device_info value;
};

#define OPTIONAL(feature, query) {feature, #query, query}
constexpr Optional optional_features[] = {
    OPTIONAL("Shared virtual memory", CL_DEVICE_SVM_CAPABILITIES),
    OPTIONAL("Orders and scopes of atomics", CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES),
    OPTIONAL("Orders and scopes of fences", CL_DEVICE_ATOMIC_FENCE_CAPABILITIES),
    OPTIONAL("Generic address space", CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT),
    OPTIONAL("Work-group collective functions", CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT),
    OPTIONAL("Non-uniform work-groups", CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT),
    OPTIONAL("Program-scope variables, bytes", CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE),
    OPTIONAL("Images", CL_DEVICE_IMAGE_SUPPORT),
    OPTIONAL("Images that kernels read and write", CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS),
    OPTIONAL("Images on buffers, alignment in texels", CL_DEVICE_IMAGE_PITCH_ALIGNMENT),
    OPTIONAL("Pipes", CL_DEVICE_PIPE_SUPPORT),
    OPTIONAL("Enqueueing from kernels", CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES),
    OPTIONAL("Double precision", CL_DEVICE_DOUBLE_FP_CONFIG),
    OPTIONAL("Half precision", CL_DEVICE_HALF_FP_CONFIG),
    OPTIONAL("Properties of queues", CL_DEVICE_QUEUE_ON_HOST_PROPERTIES),
};

/// Up to eight bytes, as a number.
cl_ulong number(cl_device_info query) {
  cl_ulong value = 0;
  std::size_t bytes = 0;
  if (clGetDeviceInfo(test::chosen_device(), query, sizeof value, &value, &bytes) != CL_SUCCESS) return 0;
  return value;
}

void print_optional() {
  std::printf("\n## Optional features of the core\n| feature | query | value |\n|---|---|---|\n");
  for (const Optional& optional : optional_features)
    std::printf("| %s | `%s` | %#llx |\n", optional.feature, optional.query,
                static_cast<unsigned long long>(number(optional.value)));
}

struct Absent {
  const char* name;
  const char* reason;
};

constexpr Absent absent[] = {
    {"`cl_khr_gl_sharing`, `cl_khr_gl_event`, `cl_khr_gl_depth_images`, `cl_khr_gl_msaa_sharing`, "
     "`cl_khr_egl_image`, `cl_khr_egl_event`, `cl_khr_d3d10_sharing`, `cl_khr_d3d11_sharing`, "
     "`cl_khr_dx9_media_sharing`, `cl_intel_dx9_media_sharing`, `cl_intel_egl_image_yuv`, "
     "`cl_intel_va_api_media_sharing`, `cl_intel_simultaneous_sharing`, `cl_intel_sharing_format_query`, "
     "`cl_intel_sharing_format_query_d3d10`, `cl_intel_sharing_format_query_d3d11`, "
     "`cl_intel_sharing_format_query_dx9`, `cl_intel_sharing_format_query_gl`, "
     "`cl_intel_sharing_format_query_va_api`",
     "memory of a GPU's other interfaces, which a CPU has not"},
    {"`cl_khr_external_memory_android_hardware_buffer`, `cl_khr_external_memory_win32`, "
     "`cl_khr_external_semaphore_win32`, `cl_khr_external_semaphore_dx_fence`, "
     "`cl_arm_import_memory_android_hardware_buffer`, `cl_qcom_android_native_buffer_host_ptr`, "
     "`cl_qcom_ion_host_ptr`, `cl_qcom_ext_host_ptr`, `cl_qcom_ext_host_ptr_iocoherent`, "
     "`cl_img_use_gralloc_ptr`, `cl_APPLE_SetMemObjectDestructor`, `cl_APPLE_ContextLoggingFunctions`",
     "of other operating systems"},
    {"`cl_loader_info`, `cl_loader_layers`", "of the loader, not of drivers"},
    {"`cl_khr_icd_unloadable`",
     "the driver's threads, and machine code that they run, live as long as the process"},
    {"`cl_khr_spir`", "SPIR 1.2, which nothing produces any more; SPIR-V has taken its place"},
    {"`cl_khr_subgroups`, `cl_khr_subgroup_named_barrier`",
     "promise that the sub-groups of a group progress independently; `__opencl_c_subgroups` is the first "
     "without that"},
    {"`cl_khr_work_group_uniform_arithmetic`, `cl_khr_async_work_group_copy_fence`, "
     "`cl_khr_spirv_extended_debug_info`",
     "not in the list of extensions that Khronos's conformance tests accept; the functions of the first and "
     "the instructions of the last are there"},
    {"`cl_khr_pci_bus_info`", "a CPU is on no such bus"},
    {"`cl_khr_select_fprounding_mode`", "withdrawn in OpenCL 1.1"},
    {"`cl_khr_terminate_context`, `cl_img_cancel_command`, `cl_arm_controlled_kernel_termination`",
     "not built: a launch that has begun runs to its end"},
    {"`cl_khr_initialize_memory`", "private variables are registers, which code would have to be compiled "
                                   "for; `HOSTCL_CLEAR=1` clears memory, and "
                                   "`HOSTCL_CHECK=uninitialised` finds what reads it"},
    {"`cl_khr_device_enqueue_local_arg_types`",
     "clang takes blocks with parameters of other types for errors"},
    {"`cl_intel_planar_yuv`, `cl_intel_packed_yuv`, `cl_img_yuv_image`, `cl_intel_accelerator`, "
     "`cl_intel_motion_estimation`, `cl_intel_advanced_motion_estimation`, "
     "`cl_intel_device_side_avc_motion_estimation`",
     "the media units of a GPU"},
    {"`cl_amd_device_attribute_query`, `cl_nv_device_attribute_query`, `cl_arm_core_id`",
     "numbers of these vendors' GPUs"},
    {"`cl_intel_mem_channel_property`, `cl_intel_mem_alloc_buffer_location`, "
     "`cl_intel_program_scope_host_pipe`",
     "memory and pipes of FPGAs"},
    {"`cl_intel_command_queue_families`, `cl_arm_job_slot_selection`, `cl_arm_scheduling_controls`, "
     "`cl_img_scheduling_controls`, `cl_qcom_perf_hint`",
     "choices that a CPU has not: all queues share its threads"},
    {"`cl_arm_protected_memory_allocation`, `cl_arm_import_memory_protected`, `cl_img_safety_mechanisms`",
     "memory and checks that these vendors' hardware has"},
    {"`cl_img_cached_allocations`, `cl_img_mem_properties`",
     "memory is the host's, always cached, and there is one kind"},
    {"`cl_img_unified_svm_external_memory_dma_buf`",
     "no specification of it has been published; buffers of `cl_khr_external_memory_dma_buf` share the same "
     "memory"},
    {"`cl_arm_shared_virtual_memory`, `cl_arm_non_uniform_work_group_size`, "
     "`cl_arm_integer_dot_product_int8`, `cl_arm_integer_dot_product_accumulate_int8`, "
     "`cl_arm_integer_dot_product_accumulate_int16`, `cl_arm_integer_dot_product_accumulate_saturate_int8`",
     "the core and `cl_khr_integer_dot_product` have the same"},
    {"`cl_ext_migrate_memobject`, `cl_khr_create_command_queue`, `cl_khr_extended_versioning`, "
     "`cl_khr_spirv_no_integer_wrap_decoration`",
     "the core has the same; the list is short enough for applications that read it into 2,048 bytes"},
    {"`cl_arm_import_memory_dma_buf`, `cl_arm_import_memory_host`, `cl_intel_mem_force_host_memory`",
     "there, but left out of the list for the same reason"},
    {"`cl_img_generate_mipmap`",
     "not built; images have levels (`cl_khr_mipmap_image`), which applications fill"},
    {"`cl_arm_printf`", "discards what kernels print where a context has none of its callbacks"},
    {"`cl_intel_driver_diagnostics`", "not built; messages go to the context's callback and to the log"},
    {"`cl_intel_exec_by_local_thread`", "queues share the device's threads, of which a thread that waits is "
                                        "one; `HOSTCL_THREADS=1` has no other"},
    {"`cl_intel_concurrent_dispatch`",
     "a thread runs work-groups one after the other, so that none may wait for another one"},
    {"`cl_intel_vec_len_hint`",
     "clang does not know its attribute; how many work-items a vector has is chosen for each launch"},
    {"`cl_intel_bfloat16`, `cl_intel_sigmoid`, `cl_intel_queue_no_sync_operations`, "
     "`cl_intel_create_mem_object_properties`",
     "no specification of them has been published"},
    {"`cl_pocl_content_size`", "a hint for transfers to another memory; there is one"},
    {"`cl_intel_kernel_allocations_info`", "ranges of a GPU's memory"},
    {"`SPV_INTEL_bindless_images`", "no function of OpenCL makes the handles that it converts to images"},
};

void print_absent() {
  std::printf("\n## Not there, and why\n| extension | reason |\n|---|---|\n");
  for (const Absent& one : absent)
    std::printf("| %s | %s |\n", one.name, one.reason);
}

} // namespace

int main() {
  const auto version = list<char>(CL_DRIVER_VERSION);
  std::printf("# Features\n\nWhat the device of hostcl %s says of itself. "
              "`build/tests/process/test_features_page` prints\n"
              "this page, and a test compares the two.\n",
              version.data());
  std::printf("\n| | |\n|---|---|\n");
  std::printf("| OpenCL | %s |\n",
              version_text(static_cast<cl_version>(number(CL_DEVICE_NUMERIC_VERSION))).c_str());
  std::printf("| OpenCL C | %s |\n", versions_of(CL_DEVICE_OPENCL_C_ALL_VERSIONS).c_str());
  std::printf("| C++ for OpenCL | 1.0, 2021 |\n");
  std::printf("| SPIR-V | %s |\n", versions_of(CL_DEVICE_ILS_WITH_VERSION).c_str());
  print_optional();
  print_named("Optional features of OpenCL C", "feature", CL_DEVICE_OPENCL_C_FEATURES);
  print_named("Extensions", "extension", CL_DEVICE_EXTENSIONS_WITH_VERSION);
  print_names("Extensions of SPIR-V", spirv_extensions);
  print_names("Sets of extended instructions of SPIR-V", spirv_instruction_sets);
  print_absent();
}
