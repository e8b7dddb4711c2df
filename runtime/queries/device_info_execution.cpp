// Answers of clGetDeviceInfo() about arithmetic and about how kernels run. Declared in runtime/queries/device_info.hpp.

#include "runtime/queries/device_info.hpp"

#include "compiler/compiler.hpp"
#include "runtime/context/device_queue.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <array>

namespace hostcl::runtime {

namespace {

using D = Rows<Device>;

template <class Element>
cl_uint native_width(const Device& device) {
  return std::max<cl_uint>(1, device.settings()->cpu.capabilities.vector_bits / 8 / sizeof(Element));
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

std::size_t timer_resolution(const Device&) {
  return resolution_ns();
}
cl_uint clock_mhz(const Device&) {
  return static_cast<cl_uint>(machine().clock_mhz);
}
const auto& max_item_sizes(const Device& d) {
  return d.limits().work_item_sizes;
}

cl_uint max_sub_groups(const Device& d) {
  return Device::has_sub_groups() ? d.limits().sub_groups : 0;
}
cl_bool has_generic(const Device&) {
  return has_language_feature("__opencl_c_generic_address_space");
}
cl_bool has_collectives(const Device&) {
  return has_language_feature("__opencl_c_work_group_collective_functions");
}

constexpr Row<Device> rows[] = {
    D::value<cl_uint, &Device::compute_units>(CL_DEVICE_MAX_COMPUTE_UNITS),
    D::constant<cl_uint, Device::max_dimensions>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS),
    D::array<max_item_sizes>(CL_DEVICE_MAX_WORK_ITEM_SIZES),
    D::value<std::size_t, limit<&Limits::work_group_size>>(CL_DEVICE_MAX_WORK_GROUP_SIZE),
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

    D::value<std::size_t, timer_resolution>(CL_DEVICE_PROFILING_TIMER_RESOLUTION),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_AVAILABLE),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_COMPILER_AVAILABLE),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_LINKER_AVAILABLE),
    D::value<cl_device_exec_capabilities, limit<&Limits::execution>>(CL_DEVICE_EXECUTION_CAPABILITIES),
    D::value<cl_command_queue_properties, limit<&Limits::queue_properties>>(
        CL_DEVICE_QUEUE_ON_HOST_PROPERTIES),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC),
    // The driver does not collect the output of printf() in a buffer. It reports the least size that the specification
    // allows.
    D::value<std::size_t, limit<&Limits::printf_bytes>>(CL_DEVICE_PRINTF_BUFFER_SIZE),
    D::value<cl_uint, max_sub_groups>(CL_DEVICE_MAX_NUM_SUB_GROUPS),
    D::constant<cl_bool, CL_FALSE>(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT),
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
     [](const Device& device, Answer& answer) {
       std::size_t width = device.vector_width();
       return answer.bytes(&width, sizeof(width));
     }},
    D::value<cl_bool, has_collectives>(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT),
    D::value<cl_bool, has_generic>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT),

    // Arithmetic
    D::constant<cl_device_fp_config, float_config>(CL_DEVICE_SINGLE_FP_CONFIG),
    D::value<cl_device_fp_config, double_config>(CL_DEVICE_DOUBLE_FP_CONFIG),
    D::value<cl_device_fp_config, half_config>(CL_DEVICE_HALF_FP_CONFIG),
    D::constant<cl_bool, CL_TRUE>(CL_DEVICE_ENDIAN_LITTLE),

    // Queues on the device
    D::constant<cl_device_device_enqueue_capabilities,
                CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT>(
        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES),
    D::constant<cl_command_queue_properties,
                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE>(
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES),
    D::constant<cl_uint, DeviceQueue::preferred_bytes>(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE),
    D::value<cl_uint, limit<&Limits::device_queue_bytes>>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE),
    D::value<cl_uint, limit<&Limits::device_queues>>(CL_DEVICE_MAX_ON_DEVICE_QUEUES),
    D::constant<cl_uint, DeviceQueue::max_events>(CL_DEVICE_MAX_ON_DEVICE_EVENTS),
};

} // namespace

std::span<const Row<Device>> execution_rows() {
  return rows;
}

} // namespace hostcl::runtime
