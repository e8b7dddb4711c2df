// Answers of clGetDeviceInfo() about memory, images and pipes. Declared in runtime/queries/device_info.hpp.

#include "runtime/queries/device_info.hpp"

#include "runtime/memory/image.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>

namespace hostcl::runtime {

namespace {

using D = Rows<Device>;

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

bool has_global_variables() {
  return has_language_feature("__opencl_c_program_scope_global_variables");
}
constexpr std::size_t global_variable_bytes = std::size_t{64} << 10;
std::size_t max_global_variable(const Device&) {
  return has_global_variables() ? global_variable_bytes : 0;
}

constexpr cl_device_atomic_capabilities atomic_memory =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
    CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
constexpr cl_device_atomic_capabilities atomic_fences = atomic_memory | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;

cl_device_svm_capabilities svm(const Device&) {
  constexpr cl_device_svm_capabilities allocations =
      CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
  return Device::shares_all_memory() ? allocations | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM : allocations;
}

constexpr Row<Device> rows[] = {
    D::constant<cl_uint, 8 * sizeof(void*)>(CL_DEVICE_ADDRESS_BITS),
    D::value<cl_ulong, &Device::max_allocation_bytes>(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
    D::value<std::size_t, limit<&Limits::parameter_bytes>>(CL_DEVICE_MAX_PARAMETER_SIZE),
    D::value<cl_uint, limit<&Limits::base_address_bits>>(CL_DEVICE_MEM_BASE_ADDR_ALIGN),
    D::constant<cl_uint, Device::base_address_alignment>(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE),
    D::constant<cl_device_mem_cache_type, CL_READ_WRITE_CACHE>(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE),
    D::value<cl_uint, cache_line>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE),
    D::value<cl_ulong, cache_bytes>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE),
    D::value<cl_ulong, &Device::memory_bytes>(CL_DEVICE_GLOBAL_MEM_SIZE),
    D::value<cl_ulong, constant_bytes>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
    D::value<cl_uint, limit<&Limits::constant_arguments>>(CL_DEVICE_MAX_CONSTANT_ARGS),
    D::value<std::size_t, max_global_variable>(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE),
    D::value<std::size_t, max_global_variable>(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE),
    D::constant<cl_device_local_mem_type, CL_GLOBAL>(CL_DEVICE_LOCAL_MEM_TYPE),
    D::value<cl_ulong, &Device::local_memory_bytes>(CL_DEVICE_LOCAL_MEM_SIZE),
    D::constant<cl_bool, CL_FALSE>(CL_DEVICE_ERROR_CORRECTION_SUPPORT),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_HOST_UNIFIED_MEMORY),
    D::value<cl_device_svm_capabilities, svm>(CL_DEVICE_SVM_CAPABILITIES),
    D::constant<cl_device_atomic_capabilities, atomic_memory>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES),
    D::constant<cl_device_atomic_capabilities, atomic_fences>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES),
    // 0: the natural alignment of the type
    D::constant<cl_uint, 0>(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT),
    D::constant<cl_uint, 0>(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT),
    D::constant<cl_uint, 0>(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT),

    // Images
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_IMAGE_SUPPORT),
    D::value<cl_uint, limit<&Limits::read_image_arguments>>(CL_DEVICE_MAX_READ_IMAGE_ARGS),
    D::value<cl_uint, limit<&Limits::write_image_arguments>>(CL_DEVICE_MAX_WRITE_IMAGE_ARGS),
    D::value<cl_uint, limit<&Limits::read_write_image_arguments>>(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS),
    D::value<std::size_t, limit<&Limits::image_2d_width>>(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    D::value<std::size_t, limit<&Limits::image_2d_height>>(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    D::value<std::size_t, limit<&Limits::image_3d_width>>(CL_DEVICE_IMAGE3D_MAX_WIDTH),
    D::value<std::size_t, limit<&Limits::image_3d_height>>(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
    D::value<std::size_t, limit<&Limits::image_3d_depth>>(CL_DEVICE_IMAGE3D_MAX_DEPTH),
    D::value<std::size_t, max_image_buffer_texels>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE),
    D::value<std::size_t, limit<&Limits::image_layers>>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
    D::value<cl_uint, limit<&Limits::samplers>>(CL_DEVICE_MAX_SAMPLERS),
    // In texels
    D::value<cl_uint, limit<&Limits::image_pitch_alignment>>(CL_DEVICE_IMAGE_PITCH_ALIGNMENT),
    D::value<cl_uint, limit<&Limits::image_base_alignment>>(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT),

    // Pipes
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_PIPE_SUPPORT),
    D::value<cl_uint, limit<&Limits::pipe_arguments>>(CL_DEVICE_MAX_PIPE_ARGS),
    D::value<cl_uint, limit<&Limits::pipe_reservations>>(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS),
    D::value<cl_uint, limit<&Limits::pipe_packet_bytes>>(CL_DEVICE_PIPE_MAX_PACKET_SIZE),
};

} // namespace

std::span<const Row<Device>> memory_rows() {
  return rows;
}

} // namespace hostcl::runtime
