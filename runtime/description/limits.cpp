// Part of described_device.hpp: the limits of a device from its answers.

#include "runtime/description/answer_encoding.hpp"
#include "runtime/description/described_device.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace hostcl::runtime {

namespace {

struct Row {
  cl_device_info query;
  void (*set)(Limits& limits, std::uint64_t value);
};

template <auto member>
constexpr Row row(cl_device_info query) {
  return {query, [](Limits& limits, std::uint64_t value) {
            using Member = std::remove_reference_t<decltype(limits.*member)>;
            limits.*member = static_cast<Member>(value);
          }};
}

constexpr Row rows[] = {
    row<&Limits::is_available>(CL_DEVICE_AVAILABLE),
    row<&Limits::has_compiler>(CL_DEVICE_COMPILER_AVAILABLE),
    row<&Limits::has_linker>(CL_DEVICE_LINKER_AVAILABLE),
    row<&Limits::work_group_size>(CL_DEVICE_MAX_WORK_GROUP_SIZE),
    row<&Limits::sub_groups>(CL_DEVICE_MAX_NUM_SUB_GROUPS),
    row<&Limits::has_non_uniform_groups>(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT),
    row<&Limits::parameter_bytes>(CL_DEVICE_MAX_PARAMETER_SIZE),
    row<&Limits::constant_arguments>(CL_DEVICE_MAX_CONSTANT_ARGS),
    row<&Limits::constant_bytes>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
    row<&Limits::memory_bytes>(CL_DEVICE_GLOBAL_MEM_SIZE),
    row<&Limits::allocation_bytes>(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
    row<&Limits::local_bytes>(CL_DEVICE_LOCAL_MEM_SIZE),
    row<&Limits::printf_bytes>(CL_DEVICE_PRINTF_BUFFER_SIZE),
    row<&Limits::base_address_bits>(CL_DEVICE_MEM_BASE_ADDR_ALIGN),
    row<&Limits::has_images>(CL_DEVICE_IMAGE_SUPPORT),
    row<&Limits::image_2d_width>(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    row<&Limits::image_2d_height>(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    row<&Limits::image_3d_width>(CL_DEVICE_IMAGE3D_MAX_WIDTH),
    row<&Limits::image_3d_height>(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
    row<&Limits::image_3d_depth>(CL_DEVICE_IMAGE3D_MAX_DEPTH),
    row<&Limits::image_layers>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
    row<&Limits::image_buffer_texels>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE),
    row<&Limits::image_pitch_alignment>(CL_DEVICE_IMAGE_PITCH_ALIGNMENT),
    row<&Limits::image_base_alignment>(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT),
    row<&Limits::read_image_arguments>(CL_DEVICE_MAX_READ_IMAGE_ARGS),
    row<&Limits::write_image_arguments>(CL_DEVICE_MAX_WRITE_IMAGE_ARGS),
    row<&Limits::read_write_image_arguments>(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS),
    row<&Limits::samplers>(CL_DEVICE_MAX_SAMPLERS),
    row<&Limits::has_pipes>(CL_DEVICE_PIPE_SUPPORT),
    row<&Limits::pipe_arguments>(CL_DEVICE_MAX_PIPE_ARGS),
    row<&Limits::pipe_packet_bytes>(CL_DEVICE_PIPE_MAX_PACKET_SIZE),
    row<&Limits::pipe_reservations>(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS),
    row<&Limits::queue_properties>(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES),
    row<&Limits::has_device_queues>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES),
    row<&Limits::device_queue_bytes>(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE),
    row<&Limits::device_queues>(CL_DEVICE_MAX_ON_DEVICE_QUEUES),
    row<&Limits::svm>(CL_DEVICE_SVM_CAPABILITIES),
    row<&Limits::execution>(CL_DEVICE_EXECUTION_CAPABILITIES),
};

} // namespace

Limits limits_of(const DeviceAnswers& answers) {
  Limits limits;
  for (const Row& row : rows)
    if (const AnswerBytes* answer = find_answer(answers, row.query)) row.set(limits, number_in(*answer));
  if (const AnswerBytes* answer = find_answer(answers, CL_DEVICE_MAX_WORK_ITEM_SIZES)) {
    const auto sizes = list_in<std::size_t>(*answer);
    std::ranges::copy_n(sizes.begin(), std::min<std::ptrdiff_t>(std::ssize(sizes), 3),
                        limits.work_item_sizes.begin());
  }
  return limits;
}

} // namespace hostcl::runtime
