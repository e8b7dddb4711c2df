#include "runtime/memory/image_layout.hpp"

#include <algorithm>

namespace hostcl::runtime {

namespace {

std::size_t bytes_of_first_level(const ImageLayout& layout) {
  if (has_slices(layout.type)) return layout.slice_pitch * layout.depth * layout.layers;
  return layout.row_pitch * layout.height;
}

} // namespace

unsigned ImageLayout::dimensions() const {
  return 1u + has_height(type) + has_slices(type);
}

std::array<std::size_t, 3> ImageLayout::extent() const {
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY) return {width, layers, 1};
  return {width, height, depth * layers};
}

ImageLayout ImageLayout::level(cl_uint number) const {
  ImageLayout result = *this;
  result.mip_levels = 0;
  if (number == 0) return result;
  for (std::size_t* size : {&result.width, &result.height, &result.depth})
    *size = std::max<std::size_t>(*size >> number, 1);
  result.row_pitch = format->bytes(result.width);
  result.slice_pitch = result.row_pitch * result.height;
  return result;
}

std::size_t ImageLayout::bytes_before(cl_uint end) const {
  std::size_t bytes = 0;
  for (cl_uint number = 0; number < end; ++number)
    bytes += bytes_of_first_level(level(number));
  return bytes;
}

Rect ImageLayout::rect(const ImageRegion& region) const {
  const ImageLayout in = level(region.level);
  const bool rows_are_layers = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const std::size_t row = rows_are_layers ? in.slice_pitch : in.row_pitch;
  const std::size_t slice = rows_are_layers ? in.slice_pitch * in.layers : in.slice_pitch;
  const auto& [x, y, z] = region.origin;
  return {bytes_before(region.level) + format->bytes(x) + y * row + z * slice,
          region.extent_in_bytes(*format), row, slice};
}

Rect ImageLayout::rect_of_level(cl_uint number) const {
  return rect({{}, level(number).extent(), number});
}

abi::Image ImageLayout::described(std::byte* data) const {
  constexpr std::size_t small_bytes = std::size_t{1} << 31;
  return {.data = data,
          .row_pitch = row_pitch,
          .slice_pitch = slice_pitch,
          .width = static_cast<std::int32_t>(width),
          .height = static_cast<std::int32_t>(height),
          .depth = static_cast<std::int32_t>(depth),
          .layers = static_cast<std::int32_t>(layers),
          .order = static_cast<std::uint16_t>(format->name.image_channel_order),
          .type = static_cast<std::uint16_t>(format->name.image_channel_data_type),
          .texel_bytes = static_cast<std::uint32_t>(format->texel_bytes()),
          .levels = levels(),
          .is_small = bytes() <= small_bytes,
          .level_table = nullptr};
}

} // namespace hostcl::runtime
