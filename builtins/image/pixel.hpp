#pragma once

// The layout of texels: the bits in which the channels of a format lie, and which channels are the components of a
// colour. Channels are numbered in the order of memory; the parameter c below is always a number from 0 to 3.
//
// All functions are chains of selections by channel order and channel type. If these are constants, the selections are
// folded, and straight-line code is left. Code for all formats is not much longer.

#include "image.hpp"

namespace {
HOSTCL_INLINE_BEGIN

/// The memory of a texel of at most two words, or of four bytes, as little-endian words. The channels are extracted one
/// by one, so that code for several work-items has one vector per channel.
struct Narrow {
  uint x, y;
};
/// The memory of each channel, for texels with four channels of 16 or 32 bits.
using Wide = uint4;

/// Sets all channels to 0, the value of the border colour's channels, if the condition is false.
Narrow only_if(bool condition, Narrow texel) {
  return {condition ? texel.x : 0, condition ? texel.y : 0};
}
Wide only_if(bool condition, Wide texel) {
  return condition ? texel : (uint4)(0);
}

bool has_bytes(uint type) {
  return type == snorm_int8 || type == unorm_int8 || type == signed_int8 || type == unsigned_int8;
}
bool has_words(uint type) {
  return type == signed_int32 || type == unsigned_int32 || type == single_float;
}
/// Whether a texel is one integer of 2 or 4 bytes with all channels.
bool is_packed_short(uint type) {
  return type == unorm_short_565 || type == unorm_short_555;
}
bool is_packed_word(uint type) {
  return type == unorm_int_101010 || type == unorm_int_101010_2 || type == unorm_int_2_101010;
}

uint channels_of(uint order) {
  bool one = order == order_r || order == order_a || order == order_intensity || order == order_luminance ||
             order == order_depth;
  bool two = order == order_rg || order == order_ra;
  return one ? 1 : two ? 2 : 4;
}

/// Formats whose texels share bytes, so that whole ones may only be read as if they had 8 bits.
bool is_raw(uint type) {
  return type == unsigned_int_raw10 || type == unsigned_int_raw12;
}

/// The alignment of texels in bytes: the size of a channel, or of the integer into which the channels are packed.
uint unit_bytes(uint type) {
  return has_bytes(type) || is_raw(type) ? 1 : has_words(type) || is_packed_word(type) ? 4 : 2;
}

uint texel_bytes(uint order, uint type) {
  bool packed = is_packed_short(type) || is_packed_word(type);
  return packed ? unit_bytes(type) : channels_of(order) * unit_bytes(type);
}

bool is_wide(uint order, uint type) {
  return channels_of(order) == 4 && !has_bytes(type) && !is_packed_short(type) && !is_packed_word(type);
}

/// The position of a channel's bits in its word; for wide texels, in the channel's own memory.
struct Field {
  uint shift, bits;
};

struct Fields {
  uchar shift[4], bits[4];
};
#define EVERY_BYTE {{0, 8, 16, 24}, {8, 8, 8, 8}}
#define EVERY_SHORT(bits)                                                                                    \
  {                                                                                                          \
    {16 - bits, 32 - bits, 16 - bits, 32 - bits}, {                                                          \
      bits, bits, bits, bits                                                                                 \
    }                                                                                                        \
  }
#define EVERY_WORD {{0, 0, 0, 0}, {32, 32, 32, 32}}
/// By type, from CL_SNORM_INT8 to CL_UNORM_INT14X2_EXT.
inline constexpr __constant Fields fields[32] = {
    EVERY_BYTE,
    EVERY_SHORT(16),
    EVERY_BYTE,
    EVERY_SHORT(16),
    {{11, 5, 0, 0}, {5, 6, 5, 5}},
    {{10, 5, 0, 0}, {5, 5, 5, 5}},
    {{20, 10, 0, 0}, {10, 10, 10, 10}},
    EVERY_BYTE,
    EVERY_SHORT(16),
    EVERY_WORD,
    EVERY_BYTE,
    EVERY_SHORT(16),
    EVERY_WORD,
    EVERY_SHORT(16),
    EVERY_WORD,
    EVERY_WORD, // CL_UNORM_INT24, which no image has
    {{22, 12, 2, 0}, {10, 10, 10, 2}},
    EVERY_SHORT(10),
    EVERY_WORD,      // no type
    EVERY_SHORT(16), // RAW10 and RAW12 after they are put together
    EVERY_SHORT(16),
    {{30, 20, 10, 0}, {2, 10, 10, 10}},
    EVERY_SHORT(10),
    EVERY_SHORT(12),
    EVERY_SHORT(14),
    EVERY_SHORT(12),
    EVERY_SHORT(14),
};
#undef EVERY_BYTE
#undef EVERY_SHORT
#undef EVERY_WORD

template <int c>
Field field_of(uint type) {
  uint row = (type - snorm_int8) & 31;
  return {fields[row].shift[c], fields[row].bits[c]};
}

template <int c>
uint word_of(Narrow texel, uint type) {
  return c == 1 && has_words(type) ? texel.y : texel.x;
}

/// The bits of a field as a number. V is a scalar or a vector of such words.
template <class V>
V unsigned_field(V word, Field field) {
  return (word >> field.shift) & (~0u >> (32 - field.bits));
}
template <class V>
int_of<V> signed_field(V word, Field field) {
  return bits_as<int_of<V>>(V(word << (32 - field.shift - field.bits))) >> (int)(32 - field.bits);
}

uint4 unsigned_channels(Wide texel, uint type) {
  return unsigned_field(texel, field_of<0>(type));
}
uint4 unsigned_channels(Narrow texel, uint type) {
  return {unsigned_field(word_of<0>(texel, type), field_of<0>(type)),
          unsigned_field(word_of<1>(texel, type), field_of<1>(type)),
          unsigned_field(word_of<2>(texel, type), field_of<2>(type)),
          unsigned_field(word_of<3>(texel, type), field_of<3>(type))};
}

int4 signed_channels(Wide texel, uint type) {
  return signed_field(texel, field_of<0>(type));
}
int4 signed_channels(Narrow texel, uint type) {
  return {signed_field(word_of<0>(texel, type), field_of<0>(type)),
          signed_field(word_of<1>(texel, type), field_of<1>(type)),
          signed_field(word_of<2>(texel, type), field_of<2>(type)),
          signed_field(word_of<3>(texel, type), field_of<3>(type))};
}

/// A narrow texel with these codes. A code has no bits set outside of its field.
Narrow pack(uint4 code, uint type) {
  uint first = code.x << field_of<0>(type).shift, second = code.y << field_of<1>(type).shift,
       third = code.z << field_of<2>(type).shift, fourth = code.w << field_of<3>(type).shift;
  if (has_words(type)) return {first, second};
  bool has_third = is_packed_word(type) || is_packed_short(type) || has_bytes(type);
  bool has_fourth = has_bytes(type) || type == unorm_int_101010_2 || type == unorm_int_2_101010;
  return {first | second | (has_third ? third : 0) | (has_fourth ? fourth : 0), 0};
}

/// The colour for the stored channels. Components that the channel order lacks are 0, but a missing alpha is 1.
template <class V>
V colour_of(V stored, uint order) {
  using E = element_of<V>;
  bool reversed = order == order_bgra || order == order_sbgra;
  bool one = channels_of(order) == 1, grey = order == order_intensity || order == order_luminance;
  V result = stored;
  if (order == order_argb) result = stored.yzwx;
  if (order == order_abgr) result = stored.wzyx;
  if (reversed) result = stored.zyxw;
  if (one)
    result = V{order == order_a ? E(0) : stored.x, grey ? stored.x : E(0), grey ? stored.x : E(0), E(1)};
  if (order == order_a || order == order_intensity) result.w = stored.x;
  if (order == order_rg) result = V{stored.x, stored.y, E(0), E(1)};
  if (order == order_ra) result = V{stored.x, E(0), E(0), stored.y};
  if (order == order_rgb) result.w = E(1);
  return result;
}

/// The stored channels for a colour. Channels that the channel order lacks have unspecified values.
template <class V>
V stored_of(V colour, uint order) {
  if (order == order_a) return colour.wwww;
  if (order == order_ra) return colour.xwww;
  if (order == order_argb) return colour.wxyz;
  if (order == order_abgr) return colour.wzyx;
  if (order == order_bgra || order == order_sbgra) return colour.zyxw;
  return colour;
}

HOSTCL_INLINE_END
} // namespace
