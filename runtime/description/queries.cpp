#include "runtime/description/queries.hpp"

#include <algorithm>
#include <iterator>

namespace hostcl::runtime {

namespace {

#define NAMED(name) {#name, static_cast<std::uint64_t>(name)}

constexpr NamedValue device_types[] = {
    NAMED(CL_DEVICE_TYPE_DEFAULT),     NAMED(CL_DEVICE_TYPE_CPU),    NAMED(CL_DEVICE_TYPE_GPU),
    NAMED(CL_DEVICE_TYPE_ACCELERATOR), NAMED(CL_DEVICE_TYPE_CUSTOM),
};
constexpr NamedValue fp_config[] = {
    NAMED(CL_FP_DENORM),           NAMED(CL_FP_INF_NAN),
    NAMED(CL_FP_ROUND_TO_NEAREST), NAMED(CL_FP_ROUND_TO_ZERO),
    NAMED(CL_FP_ROUND_TO_INF),     NAMED(CL_FP_FMA),
    NAMED(CL_FP_SOFT_FLOAT),       NAMED(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
};
constexpr NamedValue execution[] = {NAMED(CL_EXEC_KERNEL), NAMED(CL_EXEC_NATIVE_KERNEL)};
constexpr NamedValue queue_properties[] = {
    NAMED(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
    NAMED(CL_QUEUE_PROFILING_ENABLE),
    NAMED(CL_QUEUE_ON_DEVICE),
    NAMED(CL_QUEUE_ON_DEVICE_DEFAULT),
};
constexpr NamedValue affinity_domains[] = {
    NAMED(CL_DEVICE_AFFINITY_DOMAIN_NUMA),     NAMED(CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE),
    NAMED(CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE), NAMED(CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE),
    NAMED(CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE), NAMED(CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE),
};
constexpr NamedValue svm_capabilities[] = {
    NAMED(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
    NAMED(CL_DEVICE_SVM_FINE_GRAIN_BUFFER),
    NAMED(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM),
    NAMED(CL_DEVICE_SVM_ATOMICS),
};
constexpr NamedValue atomic_capabilities[] = {
    NAMED(CL_DEVICE_ATOMIC_ORDER_RELAXED),     NAMED(CL_DEVICE_ATOMIC_ORDER_ACQ_REL),
    NAMED(CL_DEVICE_ATOMIC_ORDER_SEQ_CST),     NAMED(CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM),
    NAMED(CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP),  NAMED(CL_DEVICE_ATOMIC_SCOPE_DEVICE),
    NAMED(CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES),
};
constexpr NamedValue enqueue_capabilities[] = {
    NAMED(CL_DEVICE_QUEUE_SUPPORTED),
    NAMED(CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT),
};
constexpr NamedValue dot_product[] = {
    NAMED(CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR),
    NAMED(CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR),
};
constexpr NamedValue clock_capabilities[] = {
    NAMED(CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR),
    NAMED(CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR),
    NAMED(CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR),
};
constexpr NamedValue command_buffer[] = {
    NAMED(CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR),
    NAMED(CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR),
    NAMED(CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR),
    {"CL_COMMAND_BUFFER_CAPABILITY_OUT_OF_ORDER_KHR", 1 << 3},
    NAMED(CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR),
};
constexpr NamedValue mutable_dispatch[] = {
    NAMED(CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR), NAMED(CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR),
    NAMED(CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR),    NAMED(CL_MUTABLE_DISPATCH_ARGUMENTS_KHR),
    NAMED(CL_MUTABLE_DISPATCH_EXEC_INFO_KHR),
};
constexpr NamedValue unified_memory[] = {
    NAMED(CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL),
    NAMED(CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL),
    NAMED(CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL),
    NAMED(CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL),
};
constexpr NamedValue float_atomics[] = {
    NAMED(CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT), NAMED(CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT),
    NAMED(CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT),    NAMED(CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT),
    NAMED(CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT),         NAMED(CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT),
};
constexpr NamedValue cache_types[] = {NAMED(CL_NONE), NAMED(CL_READ_ONLY_CACHE), NAMED(CL_READ_WRITE_CACHE)};
constexpr NamedValue local_memory_types[] = {NAMED(CL_NONE), NAMED(CL_LOCAL), NAMED(CL_GLOBAL)};
constexpr NamedValue partition_types[] = {
    NAMED(CL_DEVICE_PARTITION_EQUALLY),
    NAMED(CL_DEVICE_PARTITION_BY_COUNTS),
    NAMED(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN),
    NAMED(CL_DEVICE_PARTITION_BY_NAMES_INTEL),
};

constexpr NamedValue orders[] = {
    NAMED(CL_R),     NAMED(CL_A),     NAMED(CL_RG),    NAMED(CL_RA),        NAMED(CL_RGB),
    NAMED(CL_RGBA),  NAMED(CL_BGRA),  NAMED(CL_ARGB),  NAMED(CL_INTENSITY), NAMED(CL_LUMINANCE),
    NAMED(CL_Rx),    NAMED(CL_RGx),   NAMED(CL_RGBx),  NAMED(CL_DEPTH),     NAMED(CL_sRGB),
    NAMED(CL_sRGBx), NAMED(CL_sRGBA), NAMED(CL_sBGRA), NAMED(CL_ABGR),      {"CL_DEPTH_STENCIL", 0x10BE},
};
constexpr NamedValue types[] = {
    NAMED(CL_SNORM_INT8),
    NAMED(CL_SNORM_INT16),
    NAMED(CL_UNORM_INT8),
    NAMED(CL_UNORM_INT16),
    NAMED(CL_UNORM_SHORT_565),
    NAMED(CL_UNORM_SHORT_555),
    NAMED(CL_UNORM_INT_101010),
    NAMED(CL_SIGNED_INT8),
    NAMED(CL_SIGNED_INT16),
    NAMED(CL_SIGNED_INT32),
    NAMED(CL_UNSIGNED_INT8),
    NAMED(CL_UNSIGNED_INT16),
    NAMED(CL_UNSIGNED_INT32),
    NAMED(CL_HALF_FLOAT),
    NAMED(CL_FLOAT),
    {"CL_UNORM_INT24", 0x10DF},
    NAMED(CL_UNORM_INT_101010_2),
    NAMED(CL_UNORM_INT_2_101010_EXT),
    NAMED(CL_UNORM_INT10X6_EXT),
    NAMED(CL_UNORM_INT12X4_EXT),
    NAMED(CL_UNORM_INT14X2_EXT),
    NAMED(CL_UNSIGNED_INT10X6_EXT),
    NAMED(CL_UNSIGNED_INT12X4_EXT),
    NAMED(CL_UNSIGNED_INT14X2_EXT),
    NAMED(CL_UNSIGNED_INT_RAW10_EXT),
    NAMED(CL_UNSIGNED_INT_RAW12_EXT),
};
constexpr NamedValue memory_types[] = {
    NAMED(CL_MEM_OBJECT_IMAGE1D), NAMED(CL_MEM_OBJECT_IMAGE1D_ARRAY), NAMED(CL_MEM_OBJECT_IMAGE1D_BUFFER),
    NAMED(CL_MEM_OBJECT_IMAGE2D), NAMED(CL_MEM_OBJECT_IMAGE2D_ARRAY), NAMED(CL_MEM_OBJECT_IMAGE3D),
};
constexpr NamedValue flags[] = {
    NAMED(CL_MEM_READ_WRITE),
    NAMED(CL_MEM_WRITE_ONLY),
    NAMED(CL_MEM_READ_ONLY),
    NAMED(CL_MEM_KERNEL_READ_AND_WRITE),
};
#undef NAMED

consteval std::span<const NamedValue> values_of(AnswerType type) {
  switch (type) {
  case AnswerType::cache_type:
    return cache_types;
  case AnswerType::local_memory_type:
    return local_memory_types;
  case AnswerType::partition_types:
    return partition_types;
  default:
    return {};
  }
}

constexpr DeviceQuery queries[] = {
#define QUERY(name, type, rule, since)                                                                       \
  {#name, name, AnswerType::type, AnswerRule::rule, since, values_of(AnswerType::type)},
#define BITS(name, list, rule, since) {#name, name, AnswerType::bits, AnswerRule::rule, since, list},
#include "runtime/description/queries.inc"
#undef QUERY
#undef BITS
};

} // namespace

std::span<const DeviceQuery> device_queries() {
  return queries;
}

const DeviceQuery* find_device_query(std::string_view name) {
  const auto* found = std::ranges::find(queries, name, &DeviceQuery::name);
  if (found == std::end(queries) && name.ends_with("_KHR"))
    found = std::ranges::find(queries, name.substr(0, name.size() - 4), &DeviceQuery::name);
  return found == std::end(queries) ? nullptr : found;
}

const DeviceQuery* find_device_query(cl_device_info number) {
  const auto* found = std::ranges::find(queries, number, &DeviceQuery::number);
  return found == std::end(queries) ? nullptr : found;
}

std::span<const NamedValue> channel_orders() {
  return orders;
}
std::span<const NamedValue> channel_types() {
  return types;
}
std::span<const NamedValue> image_types() {
  return memory_types;
}
std::span<const NamedValue> image_flags() {
  return flags;
}

} // namespace hostcl::runtime
