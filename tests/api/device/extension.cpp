// The extensions that are listed are those that are there, with their functions and queries.

#include "support/choice.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <map>

namespace {

struct Extension {
  std::vector<const char*> functions;
  std::vector<cl_device_info> queries;
};

// Names that older headers lack
constexpr cl_device_info command_buffer_capabilities = 0x12A9, command_buffer_supported_queues = 0x129A,
                         command_buffer_required_queues = 0x12AA, command_buffer_sync_count = 0x12AB,
                         command_buffer_sync_devices = 0x12AC, mutable_dispatch_capabilities = 0x12B0;
constexpr cl_device_info kernel_clock_capabilities = 0x1076, svm_type_capabilities = 0x1077,
                         max_atomic_counters = 0x4032, sub_group_sizes = 0x4108,
                         float_atomics_single = 0x4231, spirv_instruction_sets = 0x12B9,
                         spirv_extensions = 0x12BA, spirv_capabilities = 0x12BB,
                         linear_image_handle_types = 0x2052;

const std::map<std::string, Extension> known = {
    {"cl_arm_import_memory", {{"clImportMemoryARM"}, {}}},
    {"cl_ext_atomic_counters_32", {{}, {max_atomic_counters}}},
    {"cl_ext_atomic_counters_64", {{}, {max_atomic_counters}}},
    {"cl_ext_buffer_device_address", {{"clSetKernelArgDevicePointerEXT"}, {}}},
    {"cl_ext_cxx_for_opencl", {{}, {CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT}}},
    {"cl_ext_device_fission",
     {{"clCreateSubDevicesEXT", "clRetainDeviceEXT", "clReleaseDeviceEXT"},
      {CL_DEVICE_PARENT_DEVICE_EXT, CL_DEVICE_PARTITION_TYPES_EXT, CL_DEVICE_AFFINITY_DOMAINS_EXT,
       CL_DEVICE_REFERENCE_COUNT_EXT, CL_DEVICE_PARTITION_STYLE_EXT}}},
    {"cl_ext_float_atomics",
     {{}, {float_atomics_single, float_atomics_single + 1, float_atomics_single + 2}}},
    {"cl_ext_image_from_buffer", {}},
    {"cl_ext_image_raw10_raw12", {}},
    {"cl_ext_image_requirements_info", {{"clGetImageRequirementsInfoEXT"}, {}}},
    {"cl_ext_image_unorm_int_2_101010", {}},
    {"cl_ext_image_unsigned_10x6_12x4_14x2", {}},
    {"cl_ext_immutable_memory_objects", {}},
    {"cl_intel_bfloat16_conversions", {}},
    {"cl_intel_create_buffer_with_properties", {{"clCreateBufferWithPropertiesINTEL"}, {}}},
    {"cl_intel_device_attribute_query",
     {{},
      {CL_DEVICE_IP_VERSION_INTEL, CL_DEVICE_ID_INTEL, CL_DEVICE_NUM_SLICES_INTEL,
       CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL,
       CL_DEVICE_NUM_THREADS_PER_EU_INTEL, CL_DEVICE_FEATURE_CAPABILITIES_INTEL}}},
    {"cl_intel_devicelib_assert", {}},
    {"cl_intel_device_partition_by_names", {{}, {CL_DEVICE_PARTITION_PROPERTIES}}},
    {"cl_intel_global_variable_access",
     {{"clEnqueueReadGlobalVariableINTEL", "clEnqueueWriteGlobalVariableINTEL"}, {}}},
    {"cl_intel_required_subgroup_size", {{}, {sub_group_sizes}}},
    {"cl_intel_split_work_group_barrier", {}},
    {"cl_intel_subgroup_buffer_prefetch", {}},
    {"cl_intel_subgroup_local_block_io", {}},
    {"cl_intel_subgroups", {{"clGetKernelSubGroupInfoKHR"}, {}}},
    {"cl_intel_subgroups_char", {}},
    {"cl_intel_subgroups_long", {}},
    {"cl_intel_subgroups_short", {}},
    {"cl_intel_unified_shared_memory",
     {{"clHostMemAllocINTEL", "clDeviceMemAllocINTEL", "clSharedMemAllocINTEL", "clMemFreeINTEL",
       "clMemBlockingFreeINTEL", "clGetMemAllocInfoINTEL", "clSetKernelArgMemPointerINTEL",
       "clEnqueueMemFillINTEL", "clEnqueueMemsetINTEL", "clEnqueueMemcpyINTEL", "clEnqueueMigrateMemINTEL",
       "clEnqueueMemAdviseINTEL"},
      {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
       CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
       CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
       CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL}}},
    {"cl_khr_3d_image_writes", {}},
    {"cl_khr_byte_addressable_store", {}},
    {"cl_khr_command_buffer",
     {{"clCreateCommandBufferKHR", "clRetainCommandBufferKHR", "clReleaseCommandBufferKHR",
       "clFinalizeCommandBufferKHR", "clEnqueueCommandBufferKHR", "clCommandBarrierWithWaitListKHR",
       "clCommandCopyBufferKHR", "clCommandCopyBufferRectKHR", "clCommandCopyBufferToImageKHR",
       "clCommandCopyImageKHR", "clCommandCopyImageToBufferKHR", "clCommandFillBufferKHR",
       "clCommandFillImageKHR", "clCommandNDRangeKernelKHR", "clCommandSVMMemcpyKHR",
       "clCommandSVMMemFillKHR", "clGetCommandBufferInfoKHR"},
      {command_buffer_capabilities, command_buffer_supported_queues, command_buffer_required_queues}}},
    {"cl_khr_command_buffer_multi_device",
     {{"clRemapCommandBufferKHR"}, {command_buffer_sync_count, command_buffer_sync_devices}}},
    {"cl_khr_command_buffer_mutable_dispatch",
     {{"clUpdateMutableCommandsKHR", "clGetMutableCommandInfoKHR"}, {mutable_dispatch_capabilities}}},
    {"cl_khr_depth_images", {}},
    {"cl_khr_device_uuid",
     {{},
      {CL_DEVICE_UUID_KHR, CL_DRIVER_UUID_KHR, CL_DEVICE_LUID_VALID_KHR, CL_DEVICE_LUID_KHR,
       CL_DEVICE_NODE_MASK_KHR}}},
    {"cl_khr_expect_assume", {}},
    {"cl_khr_extended_async_copies", {}},
    {"cl_khr_extended_bit_ops", {}},
    {"cl_khr_external_memory",
     {{"clEnqueueAcquireExternalMemObjectsKHR", "clEnqueueReleaseExternalMemObjectsKHR"},
      {CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, linear_image_handle_types}}},
    {"cl_khr_external_memory_dma_buf", {}},
    {"cl_khr_external_memory_opaque_fd", {}},
    {"cl_khr_external_semaphore",
     {{"clGetSemaphoreHandleForTypeKHR"},
      {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR}}},
    {"cl_khr_external_semaphore_opaque_fd", {}},
    {"cl_khr_external_semaphore_sync_fd", {{"clReImportSemaphoreSyncFdKHR"}, {}}},
    {"cl_khr_fp16", {{}, {CL_DEVICE_HALF_FP_CONFIG}}},
    {"cl_khr_fp64", {{}, {CL_DEVICE_DOUBLE_FP_CONFIG}}},
    {"cl_khr_global_int32_base_atomics", {}},
    {"cl_khr_global_int32_extended_atomics", {}},
    {"cl_khr_il_program", {{"clCreateProgramWithILKHR"}, {CL_DEVICE_IL_VERSION_KHR}}},
    {"cl_khr_image2d_from_buffer",
     {{}, {CL_DEVICE_IMAGE_PITCH_ALIGNMENT_KHR, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT_KHR}}},
    {"cl_khr_int64_base_atomics", {}},
    {"cl_khr_int64_extended_atomics", {}},
    {"cl_khr_integer_dot_product",
     {{},
      {CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
       CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
       CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR}}},
    {"cl_khr_kernel_clock", {{}, {kernel_clock_capabilities}}},
    {"cl_khr_local_int32_base_atomics", {}},
    {"cl_khr_local_int32_extended_atomics", {}},
    {"cl_khr_mipmap_image", {}},
    {"cl_khr_mipmap_image_writes", {}},
    {"cl_khr_priority_hints", {}},
    {"cl_khr_semaphore",
     {{"clCreateSemaphoreWithPropertiesKHR", "clEnqueueWaitSemaphoresKHR", "clEnqueueSignalSemaphoresKHR",
       "clGetSemaphoreInfoKHR", "clRetainSemaphoreKHR", "clReleaseSemaphoreKHR"},
      {CL_DEVICE_SEMAPHORE_TYPES_KHR}}},
    {"cl_khr_spirv_linkonce_odr", {}},
    {"cl_khr_spirv_queries", {{}, {spirv_instruction_sets, spirv_extensions, spirv_capabilities}}},
    {"cl_khr_srgb_image_writes", {}},
    {"cl_khr_subgroup_ballot", {}},
    {"cl_khr_subgroup_clustered_reduce", {}},
    {"cl_khr_subgroup_extended_types", {}},
    {"cl_khr_subgroup_non_uniform_arithmetic", {}},
    {"cl_khr_subgroup_non_uniform_vote", {}},
    {"cl_khr_subgroup_rotate", {}},
    {"cl_khr_subgroup_shuffle", {}},
    {"cl_khr_subgroup_shuffle_relative", {}},
    {"cl_khr_suggested_local_work_size", {{"clGetKernelSuggestedLocalWorkSizeKHR"}, {}}},
    {"cl_khr_throttle_hints", {}},
    {"cl_khr_unified_svm",
     {{"clSVMAllocWithPropertiesKHR", "clSVMFreeWithPropertiesKHR", "clGetSVMPointerInfoKHR",
       "clGetSVMSuggestedTypeIndexKHR"},
      {svm_type_capabilities}}},
};

std::vector<std::string> listed() {
  size_t bytes = 0;
  REQUIRE_CL(clGetDeviceInfo(test::device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes));
  std::vector<cl_name_version> list(bytes / sizeof(cl_name_version));
  REQUIRE_CL(clGetDeviceInfo(test::device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, bytes, list.data(), nullptr));
  std::vector<std::string> names;
  for (const cl_name_version& entry : list)
    names.emplace_back(entry.name);
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace

TEST_CASE("The extensions of the device are those known here, each once", "[extension]") {
  if (!test::is_hostcl()) return;
  std::vector<std::string> expected;
  for (const auto& [name, extension] : known) {
    const bool imports_memory =
        name == "cl_arm_import_memory" || std::string_view(name).starts_with("cl_khr_external_memory");
    if (!imports_memory || !test::has_guests()) expected.push_back(name);
  }
  CHECK(listed() == expected);
}

TEST_CASE("The list of extensions fits 2,048 bytes, into which applications read it", "[extension]") {
  if (!test::is_hostcl()) return;
  char list[2048] = {};
  CHECK_CL(clGetDeviceInfo(test::device(), CL_DEVICE_EXTENSIONS, sizeof list, list, nullptr));
  CHECK(std::string_view(list).find("cl_khr_fp64") != std::string_view::npos);
}

TEST_CASE("A listed extension has its functions and its queries", "[extension]") {
  for (const std::string& name : listed()) {
    const auto found = known.find(name);
    if (found == known.end()) continue;
    CAPTURE(name);
    for (const char* function : found->second.functions) {
      CAPTURE(function);
      CHECK(clGetExtensionFunctionAddressForPlatform(test::platform(), function));
    }
    for (cl_device_info query : found->second.queries) {
      CAPTURE(query);
      size_t bytes = 0;
      CHECK_CL(clGetDeviceInfo(test::device(), query, 0, nullptr, &bytes));
      std::vector<unsigned char> answer(bytes);
      CHECK_CL(clGetDeviceInfo(test::device(), query, bytes, answer.data(), nullptr));
      if (bytes)
        CHECK_STATUS(clGetDeviceInfo(test::device(), query, bytes - 1, answer.data(), nullptr),
                     CL_INVALID_VALUE);
    }
  }
}

TEST_CASE("Functions of extensions that are not listed have no address, nor have core functions",
          "[extension]") {
  if (!test::is_hostcl()) return;
  // Without what ocl-icd finds in itself.
  for (const char* name :
       {"clSetPerfHintQCOM", "clCreateAcceleratorINTEL", "clCreateBuffer", "clFinish", ""}) {
    CAPTURE(name);
    CHECK(clGetExtensionFunctionAddressForPlatform(test::platform(), name) == nullptr);
  }
}
