// The table for clGetDeviceInfo.

#include "compiler/compiler.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_fission.hpp"
#include "runtime/device/machine.hpp"
#include "runtime/device/platform.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace hostcl::runtime {

namespace {

using D = Rows<Device>;

template <class Element>
cl_uint native_width(const Device&) {
  return std::max<cl_uint>(1, compiler::host_cpu().vector_bits / 8 / sizeof(Element));
}
// Kernels are vectorised over work-items; vector types in the source gain nothing.
constexpr cl_uint preferred_width = 1;

bool has_half() {
  return has_language_extension("cl_khr_fp16");
}
bool has_double() {
  return has_language_extension("cl_khr_fp64") || has_language_feature("__opencl_c_fp64");
}
cl_uint half_width(const Device& d) {
  return has_half() ? native_width<cl_half>(d) : 0;
}
cl_uint double_width(const Device& d) {
  return has_double() ? native_width<cl_double>(d) : 0;
}
cl_uint preferred_half(const Device&) {
  return has_half() ? preferred_width : 0;
}
cl_uint preferred_double(const Device&) {
  return has_double() ? preferred_width : 0;
}

constexpr cl_device_fp_config float_config =
    CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
cl_device_fp_config half_config(const Device&) {
  return has_half() ? CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM | CL_FP_FMA : 0;
}
cl_device_fp_config double_config(const Device&) {
  // The rounding modes that the specification demands of double; conversions have them.
  return has_double() ? CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF |
                            CL_FP_INF_NAN | CL_FP_DENORM
                      : 0;
}

cl_uint vendor_id(const Device&) {
  return machine().vendor_id;
}
cl_uint clock_mhz(const Device&) {
  return static_cast<cl_uint>(machine().clock_mhz);
}
std::string_view cpu_name(const Device&) {
  return machine().cpu_name;
}
std::string_view vendor(const Device&) {
  return "hostcl";
}
std::string_view driver_version(const Device&) {
  return HOSTCL_VERSION;
}
std::string_view device_version(const Device&) {
  return "OpenCL 3.0 hostcl " HOSTCL_VERSION;
}
// The highest version that is supported with all that was mandatory in it, as the specification defines this
// query: 2.0 and later ones ask for pipes and queues on the device. CL_DEVICE_OPENCL_C_ALL_VERSIONS names 3.0
// as well.
std::string_view language_version(const Device&) {
  return "OpenCL C 1.2 hostcl";
}
constexpr cl_version language_version_number = CL_MAKE_VERSION(1, 2, 0);
std::string_view profile(const Device&) {
  return "FULL_PROFILE";
}
std::string_view none(const Device&) {
  return "";
}
// A date, as the specification asks for, but one before any suite: there has been no submission.
std::string_view not_submitted(const Device&) {
  return "v0000-01-01-00";
}

cl_ulong cache_bytes(const Device&) {
  return caches().last_level;
}
// Constant memory is for data that stay in a cache; larger buffers work as well.
cl_ulong constant_bytes(const Device& d) {
  return std::min<cl_ulong>(d.max_allocation_bytes(), std::max<cl_ulong>(caches().last_level, 1 << 20));
}
cl_uint cache_line(const Device&) {
  return static_cast<cl_uint>(caches().line_bytes);
}

std::array<std::size_t, 3> max_item_sizes(const Device&) {
  return {Device::max_work_group_size, Device::max_work_group_size, Device::max_work_group_size};
}

cl_device_id parent(const Device& d) {
  return d.parent() ? d.parent()->handle() : nullptr;
}
cl_platform_id platform(const Device& d) {
  return d.platform().handle();
}
cl_uint reference_count(const Device& d) {
  return d.is_root() ? 1 : d.reference_count();
}

cl_uint max_sub_devices(const Device& d) {
  return d.compute_units() > 1 ? d.compute_units() : 0;
}
cl_uint max_sub_groups(const Device&) {
  return Device::has_sub_groups() ? Device::max_work_group_size : 0;
}
cl_bool has_generic(const Device&) {
  return has_language_feature("__opencl_c_generic_address_space");
}
cl_bool has_collectives(const Device&) {
  return has_language_feature("__opencl_c_work_group_collective_functions");
}
bool has_global_variables() {
  return has_language_feature("__opencl_c_program_scope_global_variables");
}
constexpr std::size_t global_variable_bytes = std::size_t{64} << 10;
std::size_t max_global_variable(const Device&) {
  return has_global_variables() ? global_variable_bytes : 0;
}

std::vector<cl_name_version> language_versions(const Device&) {
  std::vector<cl_name_version> list;
  for (cl_version version : {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
                             CL_MAKE_VERSION(3, 0, 0)})
    list.push_back(name_version("OpenCL C", version));
  return list;
}
std::vector<cl_name_version> language_features(const Device&) {
  std::vector<cl_name_version> list;
  for (const auto& feature : compiler::language_features())
    list.push_back(name_version(feature.name, feature.version));
  return list;
}
std::vector<cl_name_version> no_names(const Device&) {
  return {};
}

constexpr cl_device_atomic_capabilities atomic_memory =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
    CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
constexpr cl_device_atomic_capabilities atomic_fences = atomic_memory | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;

constexpr cl_device_svm_capabilities svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                           CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM |
                                           CL_DEVICE_SVM_ATOMICS;

// All allocations are ordinary memory, and so is any other memory of the process.
constexpr cl_device_unified_shared_memory_capabilities_intel unified =
    CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
constexpr Row<Device> unified_row(cl_device_info name) {
  return D::constant<cl_device_unified_shared_memory_capabilities_intel, unified>(name);
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

// Rows of extensions exist only while the compiler reports the extension.
Status cxx_version(const Device&, Answer& answer) {
  for (const auto& extension : compiler::language_extensions())
    if (std::string_view(extension.name) == "cl_ext_cxx_for_opencl") {
      cl_version version = CL_MAKE_VERSION(2021, 0, 0);
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
  cl_device_fp_atomic_capabilities_ext capabilities = 0;
  if (has("global", "load_store")) capabilities |= CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT;
  if (has("global", "add")) capabilities |= CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT;
  if (has("global", "min_max")) capabilities |= CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT;
  if (has("local", "load_store")) capabilities |= CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT;
  if (has("local", "add")) capabilities |= CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT;
  if (has("local", "min_max")) capabilities |= CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT;
  return answer.bytes(&capabilities, sizeof(capabilities));
}

constexpr Row<Device> rows[] = {
    D::value<cl_device_type, &Device::type>(CL_DEVICE_TYPE),
    D::value<cl_uint, vendor_id>(CL_DEVICE_VENDOR_ID),
    D::value<cl_uint, &Device::compute_units>(CL_DEVICE_MAX_COMPUTE_UNITS),
    D::constant<cl_uint, Device::max_dimensions>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS),
    D::array<max_item_sizes>(CL_DEVICE_MAX_WORK_ITEM_SIZES),
    D::constant<std::size_t, Device::max_work_group_size>(CL_DEVICE_MAX_WORK_GROUP_SIZE),
    D::constant<cl_uint, preferred_width>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR),
    D::constant<cl_uint, preferred_width>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT),
    D::constant<cl_uint, preferred_width>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT),
    D::constant<cl_uint, preferred_width>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG),
    D::constant<cl_uint, preferred_width>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT),
    D::value<cl_uint, preferred_double>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE),
    D::value<cl_uint, preferred_half>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF),
    D::value<cl_uint, native_width<cl_char>>(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR),
    D::value<cl_uint, native_width<cl_short>>(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT),
    D::value<cl_uint, native_width<cl_int>>(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT),
    D::value<cl_uint, native_width<cl_long>>(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG),
    D::value<cl_uint, native_width<cl_float>>(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT),
    D::value<cl_uint, double_width>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE),
    D::value<cl_uint, half_width>(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF),
    D::value<cl_uint, clock_mhz>(CL_DEVICE_MAX_CLOCK_FREQUENCY),
    D::constant<cl_uint, 8 * sizeof(void*)>(CL_DEVICE_ADDRESS_BITS),
    D::value<cl_ulong, &Device::max_allocation_bytes>(CL_DEVICE_MAX_MEM_ALLOC_SIZE),

    // Images
    D::constant<cl_bool, CL_FALSE>(CL_DEVICE_IMAGE_SUPPORT),
    D::constant<cl_uint, 0>(CL_DEVICE_MAX_READ_IMAGE_ARGS),
    D::constant<cl_uint, 0>(CL_DEVICE_MAX_WRITE_IMAGE_ARGS),
    D::constant<cl_uint, 0>(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS),
    D::constant<std::size_t, 0>(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    D::constant<std::size_t, 0>(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    D::constant<std::size_t, 0>(CL_DEVICE_IMAGE3D_MAX_WIDTH),
    D::constant<std::size_t, 0>(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
    D::constant<std::size_t, 0>(CL_DEVICE_IMAGE3D_MAX_DEPTH),
    D::constant<std::size_t, 0>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE),
    D::constant<std::size_t, 0>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
    D::constant<cl_uint, 0>(CL_DEVICE_MAX_SAMPLERS),
    D::constant<cl_uint, 0>(CL_DEVICE_IMAGE_PITCH_ALIGNMENT),
    D::constant<cl_uint, 0>(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT),

    // Pipes and queues on the device
    D::constant<cl_bool, CL_FALSE>(CL_DEVICE_PIPE_SUPPORT),
    D::constant<cl_uint, 0>(CL_DEVICE_MAX_PIPE_ARGS),
    D::constant<cl_uint, 0>(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS),
    D::constant<cl_uint, 0>(CL_DEVICE_PIPE_MAX_PACKET_SIZE),
    D::constant<cl_device_device_enqueue_capabilities, 0>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES),
    D::constant<cl_command_queue_properties, 0>(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES),
    D::constant<cl_uint, 0>(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE),
    D::constant<cl_uint, 0>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE),
    D::constant<cl_uint, 0>(CL_DEVICE_MAX_ON_DEVICE_QUEUES),
    D::constant<cl_uint, 0>(CL_DEVICE_MAX_ON_DEVICE_EVENTS),

    // Memory
    D::constant<std::size_t, Device::max_parameter_bytes>(CL_DEVICE_MAX_PARAMETER_SIZE),
    D::constant<cl_uint, 8 * Device::base_address_alignment>(CL_DEVICE_MEM_BASE_ADDR_ALIGN),
    D::constant<cl_uint, Device::base_address_alignment>(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE),
    D::constant<cl_device_mem_cache_type, CL_READ_WRITE_CACHE>(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE),
    D::value<cl_uint, cache_line>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE),
    D::value<cl_ulong, cache_bytes>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE),
    D::value<cl_ulong, &Device::memory_bytes>(CL_DEVICE_GLOBAL_MEM_SIZE),
    D::value<cl_ulong, constant_bytes>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
    // As many pointers as fit into the parameters.
    D::constant<cl_uint, Device::max_parameter_bytes / 8>(CL_DEVICE_MAX_CONSTANT_ARGS),
    D::value<std::size_t, max_global_variable>(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE),
    D::value<std::size_t, max_global_variable>(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE),
    D::constant<cl_device_local_mem_type, CL_GLOBAL>(CL_DEVICE_LOCAL_MEM_TYPE),
    D::value<cl_ulong, &Device::local_memory_bytes>(CL_DEVICE_LOCAL_MEM_SIZE),
    D::constant<cl_bool, CL_FALSE>(CL_DEVICE_ERROR_CORRECTION_SUPPORT),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_HOST_UNIFIED_MEMORY),
    D::constant<cl_device_svm_capabilities, svm>(CL_DEVICE_SVM_CAPABILITIES),
    D::constant<cl_device_atomic_capabilities, atomic_memory>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES),
    D::constant<cl_device_atomic_capabilities, atomic_fences>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES),
    // 0: the natural alignment of the type
    D::constant<cl_uint, 0>(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT),
    D::constant<cl_uint, 0>(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT),
    D::constant<cl_uint, 0>(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT),

    // Arithmetic
    D::constant<cl_device_fp_config, float_config>(CL_DEVICE_SINGLE_FP_CONFIG),
    D::value<cl_device_fp_config, double_config>(CL_DEVICE_DOUBLE_FP_CONFIG),
    D::value<cl_device_fp_config, half_config>(CL_DEVICE_HALF_FP_CONFIG),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_ENDIAN_LITTLE),

    // Execution
    D::constant<std::size_t, 1>(CL_DEVICE_PROFILING_TIMER_RESOLUTION),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_AVAILABLE),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_COMPILER_AVAILABLE),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_LINKER_AVAILABLE),
    D::constant<cl_device_exec_capabilities, CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL>(
        CL_DEVICE_EXECUTION_CAPABILITIES),
    D::constant<cl_command_queue_properties, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE>(
        CL_DEVICE_QUEUE_ON_HOST_PROPERTIES),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC),
    // printf writes through; this is the least that the specification allows to report.
    D::constant<std::size_t, 1024 * 1024>(CL_DEVICE_PRINTF_BUFFER_SIZE),
    D::value<cl_uint, max_sub_groups>(CL_DEVICE_MAX_NUM_SUB_GROUPS),
    D::constant<cl_bool, CL_FALSE>(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT),
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
     [](const Device&, Answer& answer) {
       std::size_t width = Device::vector_width();
       return answer.bytes(&width, sizeof(width));
     }},
    D::value<cl_bool, has_collectives>(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT),
    D::value<cl_bool, has_generic>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT),

    // Names and versions
    D::value<cl_platform_id, platform>(CL_DEVICE_PLATFORM),
    D::string<cpu_name>(CL_DEVICE_NAME),
    D::string<vendor>(CL_DEVICE_VENDOR),
    D::string<driver_version>(CL_DRIVER_VERSION),
    D::string<profile>(CL_DEVICE_PROFILE),
    D::string<device_version>(CL_DEVICE_VERSION),
    D::constant<cl_version, opencl_version>(CL_DEVICE_NUMERIC_VERSION),
    D::string<language_version>(CL_DEVICE_OPENCL_C_VERSION),
    D::array<language_versions>(CL_DEVICE_OPENCL_C_ALL_VERSIONS),
    D::constant<cl_version, language_version_number>(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR),
    D::array<language_features>(CL_DEVICE_OPENCL_C_FEATURES),
    D::string<&Device::extension_names>(CL_DEVICE_EXTENSIONS),
    D::array<&Device::extensions>(CL_DEVICE_EXTENSIONS_WITH_VERSION),
    D::string<none>(CL_DEVICE_IL_VERSION),
    D::array<no_names>(CL_DEVICE_ILS_WITH_VERSION),
    D::string<none>(CL_DEVICE_BUILT_IN_KERNELS),
    D::array<no_names>(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),
    D::string<not_submitted>(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED),

    // Sub-devices
    D::value<cl_device_id, parent>(CL_DEVICE_PARENT_DEVICE),
    D::value<cl_uint, max_sub_devices>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES),
    D::array<&Device::partition_types>(CL_DEVICE_PARTITION_PROPERTIES),
    D::value<cl_device_affinity_domain, &Device::affinity_domains>(CL_DEVICE_PARTITION_AFFINITY_DOMAIN),
    D::array<&Device::partition>(CL_DEVICE_PARTITION_TYPE),
    D::value<cl_uint, reference_count>(CL_DEVICE_REFERENCE_COUNT),

    // cl_ext_device_fission
    D::value<cl_device_id, parent>(CL_DEVICE_PARENT_DEVICE_EXT),
    D::array<fission::partition_types>(CL_DEVICE_PARTITION_TYPES_EXT),
    D::array<fission::affinity_domains>(CL_DEVICE_AFFINITY_DOMAINS_EXT),
    D::array<fission::partition_style>(CL_DEVICE_PARTITION_STYLE_EXT),
    D::value<cl_uint, reference_count>(CL_DEVICE_REFERENCE_COUNT_EXT),

    // Other extensions
    D::array<uuid>(CL_DEVICE_UUID_KHR),
    D::array<uuid>(CL_DRIVER_UUID_KHR),
    D::constant<cl_bool, CL_FALSE>(CL_DEVICE_LUID_VALID_KHR),
    D::array<luid>(CL_DEVICE_LUID_KHR),
    D::constant<cl_uint, 0>(CL_DEVICE_NODE_MASK_KHR),
    D::constant<cl_uint, compiler::max_atomic_counters>(CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT),
    D::array<sub_group_sizes>(CL_DEVICE_SUB_GROUP_SIZES_INTEL),
    unified_row(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL),
    unified_row(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL),
    unified_row(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL),
    unified_row(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL),
    unified_row(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL),
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

Status Device::info(cl_device_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
