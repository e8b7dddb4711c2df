#include "runtime/memory/image_format.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>

namespace hostcl::runtime {

namespace {

enum class Encoding : std::uint8_t { unorm, snorm, signed_integer, unsigned_integer, half, single };

/// How the channels of a channel type are stored. Either each channel is in the upper bits of a word of its
/// own, or the type is packed: all channels are in the lower bits of one word, with the last channel in the
/// lowest bits.
struct ChannelType {
  cl_channel_type name;
  Encoding encoding;
  std::uint8_t word_bytes;
  std::array<std::uint8_t, 4> bits; ///< bits of each channel (one entry), or of each packed channel
  bool is_packed = false;
};

constexpr ChannelType channel_types[] = {
    {CL_SNORM_INT8, Encoding::snorm, 1, {8}},
    {CL_SNORM_INT16, Encoding::snorm, 2, {16}},
    {CL_UNORM_INT8, Encoding::unorm, 1, {8}},
    {CL_UNORM_INT16, Encoding::unorm, 2, {16}},
    {CL_SIGNED_INT8, Encoding::signed_integer, 1, {8}},
    {CL_SIGNED_INT16, Encoding::signed_integer, 2, {16}},
    {CL_SIGNED_INT32, Encoding::signed_integer, 4, {32}},
    {CL_UNSIGNED_INT8, Encoding::unsigned_integer, 1, {8}},
    {CL_UNSIGNED_INT16, Encoding::unsigned_integer, 2, {16}},
    {CL_UNSIGNED_INT32, Encoding::unsigned_integer, 4, {32}},
    {CL_HALF_FLOAT, Encoding::half, 2, {16}},
    {CL_FLOAT, Encoding::single, 4, {32}},
    {CL_UNORM_INT10X6_EXT, Encoding::unorm, 2, {10}},
    {CL_UNORM_INT12X4_EXT, Encoding::unorm, 2, {12}},
    {CL_UNORM_INT14X2_EXT, Encoding::unorm, 2, {14}},
    {CL_UNSIGNED_INT10X6_EXT, Encoding::unsigned_integer, 2, {10}},
    {CL_UNSIGNED_INT12X4_EXT, Encoding::unsigned_integer, 2, {12}},
    {CL_UNSIGNED_INT14X2_EXT, Encoding::unsigned_integer, 2, {14}},
    {CL_UNORM_SHORT_565, Encoding::unorm, 2, {5, 6, 5}, true},
    {CL_UNORM_SHORT_555, Encoding::unorm, 2, {5, 5, 5}, true},
    {CL_UNORM_INT_101010, Encoding::unorm, 4, {10, 10, 10}, true},
    {CL_UNORM_INT_101010_2, Encoding::unorm, 4, {10, 10, 10, 2}, true},
    {CL_UNORM_INT_2_101010_EXT, Encoding::unorm, 4, {2, 10, 10, 10}, true},
    {CL_UNSIGNED_INT_RAW10_EXT, Encoding::unsigned_integer, 5, {10}},
    {CL_UNSIGNED_INT_RAW12_EXT, Encoding::unsigned_integer, 3, {12}},
};

constexpr const ChannelType& channel_type(cl_channel_type name) {
  return *std::ranges::find(channel_types, name, &ChannelType::name);
}

/// The component of a colour, 0 to 3 for R to A, that each channel of a channel order has.
struct ChannelOrder {
  cl_channel_order name;
  std::uint8_t channels;
  std::array<std::uint8_t, 4> component;
};

constexpr ChannelOrder channel_orders[] = {
    {CL_R, 1, {0}},
    {CL_A, 1, {3}},
    {CL_RG, 2, {0, 1}},
    {CL_RA, 2, {0, 3}},
    {CL_RGB, 3, {0, 1, 2}},
    {CL_RGBA, 4, {0, 1, 2, 3}},
    {CL_BGRA, 4, {2, 1, 0, 3}},
    {CL_ARGB, 4, {3, 0, 1, 2}},
    {CL_ABGR, 4, {3, 2, 1, 0}},
    {CL_INTENSITY, 1, {0}},
    {CL_LUMINANCE, 1, {0}},
    {CL_DEPTH, 1, {0}},
    {CL_sRGBA, 4, {0, 1, 2, 3}},
    {CL_sBGRA, 4, {2, 1, 0, 3}},
};

constexpr const ChannelOrder& channel_order(cl_channel_order name) {
  return *std::ranges::find(channel_orders, name, &ChannelOrder::name);
}

constexpr std::uint8_t all_types = 0x3f;
constexpr std::uint8_t two_dimensional = image_type_bit(CL_MEM_OBJECT_IMAGE2D);
constexpr std::uint8_t depth_types = two_dimensional | image_type_bit(CL_MEM_OBJECT_IMAGE2D_ARRAY);

constexpr ImageFormat format_of(cl_channel_order order, cl_channel_type type, std::uint8_t image_types) {
  const ChannelType& channel = channel_type(type);
  const bool is_raw10 = type == CL_UNSIGNED_INT_RAW10_EXT, is_raw12 = type == CL_UNSIGNED_INT_RAW12_EXT;
  const int words = channel.is_packed ? 1 : channel_order(order).channels;
  return {{order, type},
          image_types,
          !is_raw10 && !is_raw12,
          static_cast<std::uint8_t>(is_raw10   ? 4
                                    : is_raw12 ? 2
                                               : 1),
          static_cast<std::uint8_t>(channel.word_bytes * words)};
}

struct FormatList {
  std::array<ImageFormat, 113> formats{};
  std::size_t count = 0;

  /// Adds all combinations of the orders and types.
  template <std::size_t types_count>
  constexpr void add(std::initializer_list<int> orders, const int (&types)[types_count],
                     std::uint8_t image_types = all_types) {
    for (int order : orders)
      for (int type : types)
        formats[count++] =
            format_of(static_cast<cl_channel_order>(order), static_cast<cl_channel_type>(type), image_types);
  }
};

consteval FormatList all_formats() {
  FormatList list;
  constexpr int general[] = {CL_UNORM_INT8,     CL_UNORM_INT16,    CL_SNORM_INT8,   CL_SNORM_INT16,
                             CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
                             CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
  constexpr int of_bytes[] = {CL_UNORM_INT8, CL_SNORM_INT8, CL_SIGNED_INT8, CL_UNSIGNED_INT8};
  constexpr int fractional[] = {CL_UNORM_INT8,  CL_UNORM_INT16, CL_SNORM_INT8,
                                CL_SNORM_INT16, CL_HALF_FLOAT,  CL_FLOAT};
  constexpr int upper_bits[] = {CL_UNORM_INT10X6_EXT,    CL_UNORM_INT12X4_EXT,    CL_UNORM_INT14X2_EXT,
                                CL_UNSIGNED_INT10X6_EXT, CL_UNSIGNED_INT12X4_EXT, CL_UNSIGNED_INT14X2_EXT};
  list.add({CL_RGBA}, general);
  list.add({CL_BGRA, CL_ARGB, CL_ABGR}, of_bytes);
  list.add({CL_R, CL_RG, CL_A, CL_RA}, general);
  list.add({CL_INTENSITY, CL_LUMINANCE}, fractional);
  list.add({CL_RGB}, {CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010});
  list.add({CL_RGBA}, {CL_UNORM_INT_101010_2});
  list.add({CL_ABGR}, {CL_UNORM_INT_2_101010_EXT});
  list.add({CL_sRGBA, CL_sBGRA}, {CL_UNORM_INT8});
  list.add({CL_DEPTH}, {CL_UNORM_INT16, CL_FLOAT}, depth_types);
  list.add({CL_R, CL_RG, CL_RGBA}, upper_bits);
  list.add({CL_R}, {CL_UNSIGNED_INT_RAW10_EXT, CL_UNSIGNED_INT_RAW12_EXT}, two_dimensional);
  return list;
}

constexpr FormatList list = all_formats();
static_assert(list.count == list.formats.size());

/// The order without the channels that are ignored or padding: formats with both share their support.
cl_channel_order without_ignored(cl_channel_order order) {
  switch (order) {
  case CL_Rx:
    return CL_R;
  case CL_RGx:
    return CL_RG;
  case CL_RGBx:
    return CL_RGB;
  case CL_sRGB:
  case CL_sRGBx:
    return CL_sRGBA;
  default:
    return order;
  }
}

bool is_srgb(cl_channel_order order) {
  return order == CL_sRGBA || order == CL_sBGRA;
}

float srgb_of_linear(float c) {
  if (!(c > 0)) return 0;
  if (c >= 1) return 1;
  const double x = c;
  return static_cast<float>(x < 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 5.0 / 12.0) - 0.055);
}

/// A normalised value as a fixed-point number with the largest code `most`, rounded to nearest even. NaN
/// becomes 0.
std::int32_t normalised(float value, float least, float most) {
  if (std::isnan(value)) return 0;
  return static_cast<std::int32_t>(std::nearbyint(std::clamp(value, least, 1.0f) * most));
}

/// The bits of one channel, in the lower end of the result.
std::uint32_t encoded(Encoding encoding, unsigned bits, const std::byte* component) {
  float real = 0;
  std::int32_t integer = 0;
  std::uint32_t natural = 0;
  std::memcpy(&real, component, 4);
  std::memcpy(&integer, component, 4);
  std::memcpy(&natural, component, 4);
  const std::uint32_t mask = ~std::uint32_t{0} >> (32 - bits);
  const auto most_signed = static_cast<std::int32_t>(mask >> 1);
  switch (encoding) {
  case Encoding::unorm:
    return static_cast<std::uint32_t>(normalised(real, 0, static_cast<float>(mask)));
  case Encoding::snorm:
    return static_cast<std::uint32_t>(normalised(real, -1, static_cast<float>(most_signed))) & mask;
  case Encoding::signed_integer:
    return static_cast<std::uint32_t>(std::clamp(integer, -most_signed - 1, most_signed)) & mask;
  case Encoding::unsigned_integer:
    return std::min(natural, mask);
  case Encoding::half: {
    const auto rounded = static_cast<_Float16>(real);
    std::uint16_t code = 0;
    std::memcpy(&code, &rounded, sizeof(code));
    return code;
  }
  case Encoding::single:
    return natural;
  }
  return 0;
}

void store(TexelBlock& block, std::size_t offset, std::uint32_t word, std::size_t bytes) {
  std::memcpy(block.data() + offset, &word, bytes);
}

/// A block of RAW10 or RAW12: the upper eight bits of each texel, followed by the lower bits of all texels.
TexelBlock raw_block(const ImageFormat& format, std::uint32_t code, unsigned bits) {
  TexelBlock block{};
  const unsigned low_bits = bits - 8;
  std::uint32_t low = 0;
  for (unsigned i = 0; i < format.block_texels; ++i) {
    store(block, i, code >> low_bits, 1);
    low |= (code & ((1u << low_bits) - 1)) << (i * low_bits);
  }
  store(block, format.block_texels, low, 1);
  return block;
}

} // namespace

bool ImageFormat::supports(cl_mem_object_type type, cl_mem_flags flags) const {
  if (!(image_types & image_type_bit(type))) return false;
  return is_writable || (flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT));
}

std::span<const ImageFormat> image_formats() {
  return list.formats;
}

const ImageFormat* find_image_format(const cl_image_format& name) {
  for (const ImageFormat& format : list.formats)
    if (format.name.image_channel_order == name.image_channel_order &&
        format.name.image_channel_data_type == name.image_channel_data_type)
      return &format;
  return nullptr;
}

bool is_valid_image_format(const cl_image_format& name) {
  return find_image_format({without_ignored(name.image_channel_order), name.image_channel_data_type});
}

std::size_t fill_color_bytes(const ImageFormat& format) {
  return format.name.image_channel_order == CL_DEPTH ? sizeof(cl_float) : sizeof(cl_float4);
}

TexelBlock pack_color(const ImageFormat& format, const void* color) {
  std::array<std::byte, sizeof(cl_float4)> components{};
  std::memcpy(components.data(), color, fill_color_bytes(format));
  const ChannelType& type = channel_type(format.name.image_channel_data_type);
  const ChannelOrder& order = channel_order(format.name.image_channel_order);
  if (is_srgb(order.name)) {
    std::array<float, 3> linear{};
    std::memcpy(linear.data(), components.data(), sizeof(linear));
    std::ranges::transform(linear, linear.begin(), srgb_of_linear);
    std::memcpy(components.data(), linear.data(), sizeof(linear));
  }
  TexelBlock block{};
  std::uint32_t packed = 0;
  for (std::size_t i = 0; i < order.channels; ++i) {
    const unsigned bits = type.bits[type.is_packed ? i : 0];
    const std::uint32_t code =
        encoded(type.encoding, bits, components.data() + std::size_t{4} * order.component[i]);
    if (format.block_texels > 1) return raw_block(format, code, bits);
    if (type.is_packed)
      packed = packed << bits | code;
    else
      store(block, i * type.word_bytes, code << (8 * type.word_bytes - bits), type.word_bytes);
  }
  if (type.is_packed) store(block, 0, packed, type.word_bytes);
  return block;
}

} // namespace hostcl::runtime
