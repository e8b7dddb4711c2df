// Prints docs/features.md: lists from the device's answers, and a table of missing extensions.
// usage: test_features_page > docs/features.md

#include "support/choice.hpp"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
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

std::vector<cl_name_version> platform_extensions() {
  std::size_t bytes = 0;
  clGetPlatformInfo(test::find_platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes);
  std::vector<cl_name_version> values(bytes / sizeof(cl_name_version));
  clGetPlatformInfo(test::find_platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION, bytes, values.data(),
                    nullptr);
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

/// The extensions that the platform lists and the device does not.
void print_extensions_of_platform() {
  std::printf("\n## Extensions of the platform alone\n"
              "The device supports these extensions as well, but its own list has no room for them: some "
              "applications "
              "read that list\ninto a buffer of 2,048 bytes.\n\n| extension | version |\n|---|---|\n");
  const auto of_device = list<cl_name_version>(CL_DEVICE_EXTENSIONS_WITH_VERSION);
  for (const cl_name_version& entry : platform_extensions())
    if (std::ranges::none_of(of_device,
                             [&](const auto& e) { return std::string_view(e.name) == entry.name; }))
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
     "they share memory with graphics and media interfaces of GPUs"},
    {"`cl_khr_external_memory_android_hardware_buffer`, `cl_khr_external_memory_win32`, "
     "`cl_khr_external_semaphore_win32`, `cl_khr_external_semaphore_dx_fence`, "
     "`cl_arm_import_memory_android_hardware_buffer`, `cl_qcom_android_native_buffer_host_ptr`, "
     "`cl_qcom_ion_host_ptr`, `cl_qcom_ext_host_ptr`, `cl_qcom_ext_host_ptr_iocoherent`, "
     "`cl_img_use_gralloc_ptr`, `cl_APPLE_SetMemObjectDestructor`, `cl_APPLE_ContextLoggingFunctions`",
     "they belong to other operating systems"},
    {"`cl_loader_info`, `cl_loader_layers`", "the loader implements them, not the drivers"},
    {"`cl_khr_icd_unloadable`", "the driver cannot be unloaded: its threads, and the machine code that they "
                                "run, live as long as the process"},
    {"`cl_khr_spir`", "SPIR 1.2 has been replaced by SPIR-V, and no tool produces it any more"},
    {"`cl_khr_subgroups`",
     "it guarantees independent forward progress of the sub-groups of a work-group. `__opencl_c_subgroups` "
     "has the same functions without this guarantee"},
    {"`cl_khr_subgroup_named_barrier`",
     "not implemented: sub-groups that wait for each other need independent forward progress"},
    {"`cl_khr_work_group_uniform_arithmetic`, `cl_khr_async_work_group_copy_fence`, "
     "`cl_khr_spirv_extended_debug_info`",
     "Khronos's conformance tests fail if a device reports a name that they do not know. The functions of "
     "`cl_khr_work_group_uniform_arithmetic` and the instructions of `cl_khr_spirv_extended_debug_info` work "
     "nevertheless"},
    {"`cl_khr_pci_bus_info`", "a CPU is not on a PCI bus"},
    {"`cl_khr_select_fprounding_mode`", "withdrawn in OpenCL 1.1"},
    {"`cl_arm_controlled_kernel_termination`", "not implemented: a kernel cannot end its launch"},
    {"`cl_khr_initialize_memory`",
     "not implemented: private variables are in registers, so each kernel would need additional code that "
     "initialises them. `HOSTCL_CLEAR=1` clears buffers, SVM and the memory of work-groups, and "
     "`HOSTCL_CHECK=uninitialised` finds reads of values that were never written"},
    {"`cl_khr_device_enqueue_local_arg_types`",
     "clang rejects blocks whose parameters have other types than `local void *`"},
    {"`cl_intel_planar_yuv`, `cl_intel_packed_yuv`, `cl_img_yuv_image`, `cl_intel_accelerator`, "
     "`cl_intel_motion_estimation`, `cl_intel_advanced_motion_estimation`, "
     "`cl_intel_device_side_avc_motion_estimation`",
     "they need the media units of a GPU"},
    {"`cl_amd_device_attribute_query`, `cl_nv_device_attribute_query`, `cl_arm_core_id`",
     "they report properties of these vendors' GPUs"},
    {"`cl_intel_mem_channel_property`, `cl_intel_mem_alloc_buffer_location`, "
     "`cl_intel_program_scope_host_pipe`",
     "they describe memory and pipes of FPGAs"},
    {"`cl_intel_command_queue_families`, `cl_arm_job_slot_selection`, `cl_arm_scheduling_controls`, "
     "`cl_img_scheduling_controls`, `cl_qcom_perf_hint`",
     "they choose between hardware queues; on a CPU all queues share the same threads"},
    {"`cl_arm_protected_memory_allocation`, `cl_arm_import_memory_protected`, `cl_img_safety_mechanisms`",
     "they need memory and checks of these vendors' hardware"},
    {"`cl_img_cached_allocations`, `cl_img_mem_properties`",
     "they choose kinds of memory; a CPU has one kind, which is always cached"},
    {"`cl_img_unified_svm_external_memory_dma_buf`",
     "its specification has not been published. Buffers of `cl_khr_external_memory_dma_buf` share the same "
     "memory"},
    {"`cl_arm_shared_virtual_memory`, `cl_arm_non_uniform_work_group_size`, "
     "`cl_arm_integer_dot_product_int8`, `cl_arm_integer_dot_product_accumulate_int8`, "
     "`cl_arm_integer_dot_product_accumulate_int16`, `cl_arm_integer_dot_product_accumulate_saturate_int8`",
     "core OpenCL and `cl_khr_integer_dot_product` have the same functions"},
    {"`cl_ext_migrate_memobject`, `cl_khr_create_command_queue`, `cl_khr_extended_versioning`, "
     "`cl_khr_spirv_no_integer_wrap_decoration`",
     "core OpenCL has the same functions. Without these names the list of extensions fits the 2,048 bytes "
     "that some applications read"},
    {"`cl_arm_import_memory_dma_buf`, `cl_arm_import_memory_host`, `cl_intel_mem_force_host_memory`",
     "supported, but left out of the list, which has to fit 2,048 bytes"},
    {"`cl_img_generate_mipmap`",
     "not implemented. Images have levels (`cl_khr_mipmap_image`), which applications fill"},
    {"`cl_arm_printf`",
     "with this extension, a driver must discard the output of `printf` if the context has no callback for "
     "it. hostcl prints the output"},
    {"`cl_intel_driver_diagnostics`",
     "not implemented. Messages go to the context's callback and to the log"},
    {"`cl_intel_exec_by_local_thread`",
     "not needed: a thread that waits for a queue runs the queue's commands itself, and with "
     "`HOSTCL_THREADS=1` each launch runs on one thread"},
    {"`cl_intel_concurrent_dispatch`",
     "it guarantees that work-groups run at the same time, so that they may wait for each other. Here a "
     "thread runs its work-groups one after the other"},
    {"`cl_intel_vec_len_hint`", "clang does not know the extension's attribute. The compiler chooses the "
                                "number of work-items per vector for each launch"},
    {"`cl_intel_bfloat16`, `cl_intel_sigmoid`, `cl_intel_queue_no_sync_operations`, "
     "`cl_intel_create_mem_object_properties`",
     "their specifications have not been published"},
    {"`cl_pocl_content_size`",
     "it is a hint for transfers between memories; the device uses the host's memory"},
    {"`cl_intel_kernel_allocations_info`", "it reports address ranges of a GPU's memory"},
    {"`SPV_INTEL_bindless_images`",
     "no function of OpenCL makes the handles that this extension converts to images"},
};

void print_absent() {
  std::printf("\n## Missing extensions\n| extension | reason |\n|---|---|\n");
  for (const Absent& one : absent)
    std::printf("| %s | %s |\n", one.name, one.reason);
}

} // namespace

int main() {
  const auto version = list<char>(CL_DRIVER_VERSION);
  std::printf(
      "# Features\n\nThis page lists what the device of hostcl %s reports, and which extensions the device "
      "lacks.\n"
      "`build/tests/process/test_features_page` prints the page: the lists from the device's answers, "
      "the missing extensions\n"
      "from a table in the program's source. A test compares the page with this output.\n",
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
  print_extensions_of_platform();
  print_names("Extensions of SPIR-V", spirv_extensions);
  print_names("Sets of extended instructions of SPIR-V", spirv_instruction_sets);
  print_absent();
}
