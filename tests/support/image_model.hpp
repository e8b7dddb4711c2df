#pragma once

// What images are by the specification: formats, filters and addressing modes in plain C++ and double precision.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace test {

/// Red, green, blue, alpha. Integers are exact.
using Colour = std::array<double, 4>;

struct ImageFormat {
  unsigned order, type; ///< cl_channel_order, cl_channel_type
};

enum class Number { unorm, snorm, signed_integer, unsigned_integer, half, single };

/// The bits of a channel, counted from the texel's first byte.
struct ChannelBits {
  unsigned first, count;
};

Number number_of(const ImageFormat& format);
std::span<const ChannelBits> channels_of(const ImageFormat& format);
unsigned texel_bytes(const ImageFormat& format);
bool is_srgb(const ImageFormat& format);
std::string name_of(const ImageFormat& format);

std::uint32_t bits_of(const std::byte* texel, ChannelBits channel);
void set_bits(std::byte* texel, ChannelBits channel, std::uint32_t bits);

/// A channel's value, with sRGB's curve where `is_colour`; and the code that a value has before it is rounded.
double value_of(const ImageFormat& format, std::uint32_t bits, unsigned count, bool is_colour);
double exact_code(const ImageFormat& format, double value, unsigned count, bool is_colour);

/// The component of a colour that a channel stores: 0 to 3.
unsigned component_of(const ImageFormat& format, unsigned channel);

Colour decode(const ImageFormat& format, const std::byte* texel);
Colour border(const ImageFormat& format);
/// The formats of an image that can be read and written with float, int or unsigned colours.
std::vector<ImageFormat> formats_with(const std::vector<Number>& numbers);

/// CLK_ADDRESS_*.
enum class Addressing : unsigned { none = 0, clamp_to_edge = 2, clamp = 4, repeat = 6, mirrored_repeat = 8 };

struct SamplerModel {
  bool normalized;
  Addressing addressing;
  bool linear;
};

/// Texels of `size`, the last of which counts layers if there are `axes` sizes before it.
struct ImageModel {
  ImageFormat format;
  unsigned axes;
  bool is_array;
  std::array<int, 3> size; ///< width, height, depth; 1 where there is none
  int layers;
  std::size_t row_pitch, slice_pitch;
  std::byte* data;

  std::byte* texel(int x, int y, int z) const;
  /// The texel, or the border's colour outside.
  Colour at(int x, int y, int z) const;
  /// Coordinates are floats, as nearest filters need them; what follows from them is not rounded.
  Colour sample(const SamplerModel& sampler, const std::array<float, 3>& coordinates) const;
  Colour sample(const SamplerModel& sampler, const std::array<int, 3>& coordinates) const;
};

} // namespace test
