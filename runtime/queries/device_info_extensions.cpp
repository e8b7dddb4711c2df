// Answers of clGetDeviceInfo() about extensions, except those for sub-devices. Declared in
// runtime/queries/device_info.hpp.

#include "runtime/queries/device_info.hpp"

#include "compiler/compiler.hpp"
#include "runtime/command_buffer/command_buffer.hpp"
#include "runtime/memory/external_memory.hpp"
#include "runtime/memory/svm.hpp"
#include "runtime/queries/platform.hpp"
#include "runtime/semaphore/semaphore.hpp"
#include "runtime/threads/cpu_identity.hpp"
#include "runtime/threads/machine.hpp"

#include <array>
#include <vector>

namespace hostcl::runtime {

namespace {

using D = Rows<Device>;

// All allocations are ordinary memory, and so is any other memory of the process, which kernels reach if they run in it.
constexpr cl_device_unified_shared_memory_capabilities_intel unified =
    CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
constexpr Row<Device> unified_row(cl_device_info name) {
  return D::constant<cl_device_unified_shared_memory_capabilities_intel, unified>(name);
}

cl_device_unified_shared_memory_capabilities_intel unified_system(const Device&) {
  return Device::shares_all_memory() ? unified : 0;
}

std::span<const std::uint8_t, 16> uuid(const Device&) {
  return machine().uuid;
}
std::array<std::uint8_t, 8> luid(const Device&) {
  return {};
}

/// The sizes that intel_reqd_sub_group_size may ask for.
std::array<std::size_t, 4> sub_group_sizes(const Device&) {
  return {4, 8, 16, 32};
}

std::uint32_t cpu_model(const Device&) {
  static const std::uint32_t model = cpu_identity().model;
  return model;
}

std::span<const char* const> spirv_instruction_sets(const Device&) {
  return compiler::spirv_extended_instruction_sets();
}
std::span<const char* const> spirv_extensions(const Device&) {
  return compiler::spirv_extensions();
}
std::vector<std::uint32_t> spirv_capabilities(const Device& device) {
  return compiler::spirv_capabilities(device.settings()->language);
}

const auto& semaphore_type_list(const Device&) {
  return semaphore_types;
}
const auto& semaphore_handle_type_list(const Device&) {
  return semaphore_handle_types;
}
auto memory_handle_type_list(const Device&) {
  return external_memory_handle_types();
}
auto svm_capability_list(const Device&) {
  return svm_capabilities();
}

// Devices of a context synchronise with each other, sub-devices by way of their root device.
constexpr cl_uint sync_device_count = 1;
std::array<cl_device_id, sync_device_count> sync_devices(const Device& device) {
  return {const_cast<Device&>(device.root()).handle()};
}

// Rows of extensions exist only while the compiler reports the extension.
Status cxx_version(const Device&, Answer& answer) {
  for (const auto& extension : compiler::language_extensions())
    if (std::string_view(extension.name) == "cl_ext_cxx_for_opencl") {
      // What -cl-std=CLC++ selects: the year of the newer version does not fit ten bits.
      cl_version version = CL_MAKE_VERSION(1, 0, 0);
      return answer.bytes(&version, sizeof(version));
    }
  return fail(CL_INVALID_VALUE, "cl_ext_cxx_for_opencl is not supported");
}

Status dot_product_capabilities(const Device&, Answer& answer) {
  if (!has_language_extension("cl_khr_integer_dot_product"))
    return fail(CL_INVALID_VALUE, "cl_khr_integer_dot_product is not supported");
  cl_device_integer_dot_product_capabilities_khr capabilities =
      CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR;
  return answer.bytes(&capabilities, sizeof(capabilities));
}

Status dot_product_acceleration(const Device&, Answer& answer) {
  if (!has_language_extension("cl_khr_integer_dot_product"))
    return fail(CL_INVALID_VALUE, "cl_khr_integer_dot_product is not supported");
  cl_device_integer_dot_product_acceleration_properties_khr properties{};
  return answer.bytes(&properties, sizeof(properties));
}

Status clock_capabilities(const Device&, Answer& answer) {
  if (!has_language_extension("cl_khr_kernel_clock"))
    return fail(CL_INVALID_VALUE, "cl_khr_kernel_clock is not supported");
  cl_device_kernel_clock_capabilities_khr capabilities = 0;
  if (has_language_feature("__opencl_c_kernel_clock_scope_device"))
    capabilities |= CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR;
  if (has_language_feature("__opencl_c_kernel_clock_scope_work_group"))
    capabilities |= CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR;
  if (has_language_feature("__opencl_c_kernel_clock_scope_sub_group"))
    capabilities |= CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR;
  return answer.bytes(&capabilities, sizeof(capabilities));
}

template <unsigned bits>
Status float_atomics(const Device&, Answer& answer) {
  if (!has_language_extension("cl_ext_float_atomics"))
    return fail(CL_INVALID_VALUE, "cl_ext_float_atomics is not supported");
  static constexpr const char* names[] = {"fp16", "fp32", "fp64"};
  auto has = [](std::string_view space, std::string_view what) {
    return has_language_feature(text("__opencl_c_ext_", names[bits / 32], "_", space, "_atomic_", what));
  };
  // float and double are loaded, stored and exchanged by the core language, without a feature.
  constexpr bool is_core = bits > 16;
  cl_device_fp_atomic_capabilities_ext capabilities = 0;
  if (is_core || has("global", "load_store")) capabilities |= CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT;
  if (has("global", "add")) capabilities |= CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT;
  if (has("global", "min_max")) capabilities |= CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT;
  if (is_core || has("local", "load_store")) capabilities |= CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT;
  if (has("local", "add")) capabilities |= CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT;
  if (has("local", "min_max")) capabilities |= CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT;
  return answer.bytes(&capabilities, sizeof(capabilities));
}

constexpr Row<Device> rows[] = {
    D::array<uuid>(CL_DEVICE_UUID_KHR),
    D::array<uuid>(CL_DRIVER_UUID_KHR),
    D::constant<cl_bool, CL_FALSE>(CL_DEVICE_LUID_VALID_KHR),
    D::array<luid>(CL_DEVICE_LUID_KHR),
    D::constant<cl_uint, 0>(CL_DEVICE_NODE_MASK_KHR),
    D::constant<cl_uint, compiler::max_atomic_counters>(CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT),
    D::array<sub_group_sizes>(CL_DEVICE_SUB_GROUP_SIZES_INTEL),
    // A slice is a compute unit, which is one execution unit with one thread.
    D::value<cl_version, cpu_model>(CL_DEVICE_IP_VERSION_INTEL),
    D::value<cl_uint, cpu_model>(CL_DEVICE_ID_INTEL),
    D::value<cl_uint, &Device::compute_units>(CL_DEVICE_NUM_SLICES_INTEL),
    D::constant<cl_uint, 1>(CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL),
    D::constant<cl_uint, 1>(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL),
    D::constant<cl_uint, 1>(CL_DEVICE_NUM_THREADS_PER_EU_INTEL),
    D::constant<cl_device_feature_capabilities_intel, 0>(CL_DEVICE_FEATURE_CAPABILITIES_INTEL),
    unified_row(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL),
    unified_row(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL),
    unified_row(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL),
    unified_row(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL),
    D::value<cl_device_unified_shared_memory_capabilities_intel, unified_system>(
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL),
    D::constant<cl_device_terminate_capability_khr, CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR>(
        CL_DEVICE_TERMINATE_CAPABILITY_KHR),
    D::array<svm_capability_list>(CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR),
    D::array<spirv_instruction_sets>(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR),
    D::array<spirv_extensions>(CL_DEVICE_SPIRV_EXTENSIONS_KHR),
    D::array<spirv_capabilities>(CL_DEVICE_SPIRV_CAPABILITIES_KHR),
    D::array<semaphore_type_list>(CL_DEVICE_SEMAPHORE_TYPES_KHR),
    D::array<semaphore_handle_type_list>(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR),
    D::array<semaphore_handle_type_list>(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR),
    D::array<memory_handle_type_list>(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR),
    D::array<memory_handle_type_list>(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR),
    D::constant<cl_device_command_buffer_capabilities_khr,
                CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                    CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR |
                    CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
                    CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR>(
        CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR),
    D::constant<cl_command_queue_properties, 0>(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR),
    D::constant<cl_command_queue_properties, CommandBuffer::supported_queue_properties>(
        CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR),
    D::constant<cl_uint, sync_device_count>(CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR),
    D::array<sync_devices>(CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR),
    D::constant<cl_mutable_dispatch_fields_khr, all_mutable_fields>(
        CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR),
    {CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, cxx_version},
    {CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, clock_capabilities},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, dot_product_capabilities},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, dot_product_acceleration},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR, dot_product_acceleration},
    {CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, float_atomics<16>},
    {CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, float_atomics<32>},
    {CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, float_atomics<64>},
};

} // namespace

std::span<const Row<Device>> extension_rows() {
  return rows;
}

} // namespace hostcl::runtime
