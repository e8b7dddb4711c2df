#include "support/image_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace test {

namespace {

struct TypeRow {
  unsigned type;
  const char* name;
  Number number;
  unsigned unit_bits;                ///< of one channel, or of a texel with all of them
  std::vector<ChannelBits> channels; ///< of one unit
};

// Numbers of cl_channel_type, of which not all headers have all.
const std::vector<TypeRow>& types() {
  static const std::vector<TypeRow> rows = {
      {0x10D0, "SNORM_INT8", Number::snorm, 8, {{0, 8}}},
      {0x10D1, "SNORM_INT16", Number::snorm, 16, {{0, 16}}},
      {0x10D2, "UNORM_INT8", Number::unorm, 8, {{0, 8}}},
      {0x10D3, "UNORM_INT16", Number::unorm, 16, {{0, 16}}},
      {0x10D4, "UNORM_SHORT_565", Number::unorm, 16, {{11, 5}, {5, 6}, {0, 5}}},
      {0x10D5, "UNORM_SHORT_555", Number::unorm, 16, {{10, 5}, {5, 5}, {0, 5}}},
      {0x10D6, "UNORM_INT_101010", Number::unorm, 32, {{20, 10}, {10, 10}, {0, 10}}},
      {0x10D7, "SIGNED_INT8", Number::signed_integer, 8, {{0, 8}}},
      {0x10D8, "SIGNED_INT16", Number::signed_integer, 16, {{0, 16}}},
      {0x10D9, "SIGNED_INT32", Number::signed_integer, 32, {{0, 32}}},
      {0x10DA, "UNSIGNED_INT8", Number::unsigned_integer, 8, {{0, 8}}},
      {0x10DB, "UNSIGNED_INT16", Number::unsigned_integer, 16, {{0, 16}}},
      {0x10DC, "UNSIGNED_INT32", Number::unsigned_integer, 32, {{0, 32}}},
      {0x10DD, "HALF_FLOAT", Number::half, 16, {{0, 16}}},
      {0x10DE, "FLOAT", Number::single, 32, {{0, 32}}},
      {0x10E0, "UNORM_INT_101010_2", Number::unorm, 32, {{22, 10}, {12, 10}, {2, 10}, {0, 2}}},
      {0x10E5, "UNORM_INT_2_101010", Number::unorm, 32, {{30, 2}, {20, 10}, {10, 10}, {0, 10}}},
      {0x10E1, "UNORM_INT10X6", Number::unorm, 16, {{6, 10}}},
      {0x10E9, "UNORM_INT12X4", Number::unorm, 16, {{4, 12}}},
      {0x10EA, "UNORM_INT14X2", Number::unorm, 16, {{2, 14}}},
      {0x10E6, "UNSIGNED_INT10X6", Number::unsigned_integer, 16, {{6, 10}}},
      {0x10E7, "UNSIGNED_INT12X4", Number::unsigned_integer, 16, {{4, 12}}},
      {0x10E8, "UNSIGNED_INT14X2", Number::unsigned_integer, 16, {{2, 14}}},
  };
  return rows;
}

struct OrderRow {
  unsigned order;
  const char* channels; ///< I: all four components, L: the first three
  const char* name;
};

const OrderRow orders[] = {
    {0x10B0, "R", "R"},         {0x10B1, "A", "A"},       {0x10B2, "RG", "RG"},
    {0x10B3, "RA", "RA"},       {0x10B4, "RGB", "RGB"},   {0x10B5, "RGBA", "RGBA"},
    {0x10B6, "BGRA", "BGRA"},   {0x10B7, "ARGB", "ARGB"}, {0x10B8, "I", "INTENSITY"},
    {0x10B9, "L", "LUMINANCE"}, {0x10BD, "R", "DEPTH"},   {0x10C1, "RGBA", "sRGBA"},
    {0x10C2, "BGRA", "sBGRA"},  {0x10C3, "ABGR", "ABGR"},
};

bool has_all_channels(const TypeRow& row) {
  return row.channels.size() > 1;
}

/// Whether the tables of the specification have the pair, as far as hostcl has formats.
bool exists(const OrderRow& order, const TypeRow& row) {
  const std::string channels = order.channels, name = order.name;
  const bool wide = row.unit_bits == 32;
  if (name[0] == 's') return row.type == 0x10D2;
  if (name == "DEPTH") return row.type == 0x10D3 || row.type == 0x10DE;
  if (row.type == 0x10E0) return name == "RGBA";
  if (row.type == 0x10E5) return name == "ABGR";
  if (has_all_channels(row) || name == "RGB") return has_all_channels(row) && name == "RGB";
  if (row.channels[0].count != row.unit_bits) return name == "R" || name == "RG" || name == "RGBA";
  if (name == "BGRA" || name == "ARGB" || name == "ABGR") return row.unit_bits == 8;
  if (channels == "I" || channels == "L")
    return row.number != Number::signed_integer && row.number != Number::unsigned_integer;
  return !wide || row.number != Number::unorm;
}

/// What follows from an order and a type.
struct Layout {
  const OrderRow* order = nullptr;
  const TypeRow* type = nullptr;
  std::vector<ChannelBits> channels;
  unsigned bytes = 0; ///< of a texel
};

Layout layout_with(const OrderRow& order, const TypeRow& type) {
  if (has_all_channels(type)) return {&order, &type, type.channels, type.unit_bits / 8};
  Layout layout{&order, &type, {}, 0};
  for (unsigned i = 0; order.channels[i] != '\0'; ++i)
    layout.channels.push_back({type.channels[0].first + i * type.unit_bits, type.channels[0].count});
  layout.bytes = static_cast<unsigned>(layout.channels.size()) * type.unit_bits / 8;
  return layout;
}

constexpr unsigned first_order = 0x10B0, first_type = 0x10D0, most_orders = 32, most_types = 32;
using Layouts = std::array<std::array<Layout, most_types>, most_orders>;

/// Found by their numbers, for the model asks several times for each texel.
const Layout& layout_of(const ImageFormat& format) {
  static const Layouts all = [] {
    Layouts layouts;
    for (const OrderRow& order : orders)
      for (const TypeRow& type : types())
        layouts[order.order - first_order][type.type - first_type] = layout_with(order, type);
    return layouts;
  }();
  return all[format.order - first_order][format.type - first_type];
}

/// The bytes of a texel that a channel has bits in, at most 5.
struct Window {
  unsigned first, count, shift;
};
Window window_of(ChannelBits channel) {
  const unsigned shift = channel.first % 8;
  return {channel.first / 8, (shift + channel.count + 7) / 8, shift};
}
std::uint64_t mask_of(ChannelBits channel) {
  return (std::uint64_t{1} << channel.count) - 1;
}

double from_half(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = bits & 1023;
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

double linear_of_srgb(double x) {
  return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}
double srgb_of_linear(double x) {
  return x < 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

double greatest_code(Number number, unsigned count) {
  const bool is_signed = number == Number::snorm || number == Number::signed_integer;
  return std::ldexp(1.0, static_cast<int>(count) - (is_signed ? 1 : 0)) - 1;
}

} // namespace

Number number_of(const ImageFormat& format) {
  return layout_of(format).type->number;
}

bool is_srgb(const ImageFormat& format) {
  return layout_of(format).order->name[0] == 's';
}

std::string name_of(const ImageFormat& format) {
  return std::string(layout_of(format).order->name) + " " + layout_of(format).type->name;
}

std::span<const ChannelBits> channels_of(const ImageFormat& format) {
  return layout_of(format).channels;
}

unsigned texel_bytes(const ImageFormat& format) {
  return layout_of(format).bytes;
}

std::uint32_t bits_of(const std::byte* texel, ChannelBits channel) {
  const Window window = window_of(channel);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, texel + window.first, window.count);
  return static_cast<std::uint32_t>(bytes >> window.shift & mask_of(channel));
}

void set_bits(std::byte* texel, ChannelBits channel, std::uint32_t bits) {
  const Window window = window_of(channel);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, texel + window.first, window.count);
  bytes &= ~(mask_of(channel) << window.shift);
  bytes |= (bits & mask_of(channel)) << window.shift;
  std::memcpy(texel + window.first, &bytes, window.count);
}

double value_of(const ImageFormat& format, std::uint32_t bits, unsigned count, bool is_colour) {
  const Number number = number_of(format);
  const auto integer = static_cast<std::int32_t>(bits << (32 - count)) >> (32 - count);
  switch (number) {
  case Number::unorm: {
    const double x = bits / greatest_code(number, count);
    return is_srgb(format) && is_colour ? linear_of_srgb(x) : x;
  }
  case Number::snorm:
    return std::max(integer / greatest_code(number, count), -1.0);
  case Number::signed_integer:
    return integer;
  case Number::unsigned_integer:
    return bits;
  case Number::half:
    return from_half(bits);
  case Number::single:
    break;
  }
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

double exact_code(const ImageFormat& format, double value, unsigned count, bool is_colour) {
  const Number number = number_of(format);
  const double greatest = greatest_code(number, count);
  switch (number) {
  case Number::unorm: {
    const double x = std::clamp(value, 0.0, 1.0);
    return greatest * (is_srgb(format) && is_colour ? srgb_of_linear(x) : x);
  }
  case Number::snorm:
    return greatest * std::clamp(value, -1.0, 1.0);
  case Number::signed_integer:
    return std::clamp(value, -greatest - 1, greatest);
  case Number::unsigned_integer:
    return std::clamp(value, 0.0, greatest);
  case Number::half:
  case Number::single:
    break;
  }
  return value;
}

unsigned component_of(const ImageFormat& format, unsigned channel) {
  switch (layout_of(format).order->channels[channel]) {
  case 'G':
    return 1;
  case 'B':
    return 2;
  case 'A':
    return 3;
  default:
    return 0;
  }
}

Colour border(const ImageFormat& format) {
  const bool has_alpha = std::strpbrk(layout_of(format).order->channels, "AI") != nullptr;
  return {0, 0, 0, has_alpha ? 0.0 : 1.0};
}

Colour decode(const ImageFormat& format, const std::byte* texel) {
  Colour colour = border(format);
  const std::span<const ChannelBits> channels = channels_of(format);
  for (unsigned i = 0; i < channels.size(); ++i) {
    const unsigned component = component_of(format, i);
    colour[component] = value_of(format, bits_of(texel, channels[i]), channels[i].count, component < 3);
  }
  const char kind = layout_of(format).order->channels[0];
  if (kind == 'I' || kind == 'L') std::fill_n(colour.begin(), kind == 'I' ? 4 : 3, colour[0]);
  return colour;
}

std::vector<ImageFormat> formats_with(const std::vector<Number>& numbers) {
  std::vector<ImageFormat> formats;
  for (const TypeRow& row : types())
    for (const OrderRow& order : orders)
      if (exists(order, row) && std::find(numbers.begin(), numbers.end(), row.number) != numbers.end())
        formats.push_back({order.order, row.type});
  return formats;
}

} // namespace test
