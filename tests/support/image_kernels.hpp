#pragma once

// Images of the model as OpenCL objects, for kernels that read and write them.

#include "support/image_model.hpp"
#include "support/images.hpp"

#include <cmath>
#include <cstring>
#include <random>

namespace test {

/// A kind of images as kernels declare it.
struct ImageKind {
  const char* type; ///< image2d_t
  cl_mem_object_type object;
  unsigned axes;
  bool is_array;
};

inline constexpr ImageKind image_kinds[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, 1, false},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, true},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, 2, false},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, true},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, 3, false},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, false},
    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, 2, false},
    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, true},
};
inline constexpr const ImageKind &image_2d = image_kinds[2], &image_buffer = image_kinds[5],
                                 &image_2d_depth = image_kinds[6], &image_2d_array_depth = image_kinds[7];

/// The suffix of the functions for a format's colours, and their type.
struct Access {
  const char *suffix, *colour;
};
inline Access access_of(const ImageFormat& format) {
  switch (number_of(format)) {
  case Number::signed_integer:
    return {"i", "int4"};
  case Number::unsigned_integer:
    return {"ui", "uint4"};
  default:
    return {"f", "float4"};
  }
}

/// An image with texels in memory of the test, and its model.
class KernelImage {
public:
  KernelImage(const Session& session, const ImageKind& kind, const ImageFormat& format,
              std::array<int, 3> size, int layers = 1)
      : texels_(texel_bytes(format) * static_cast<std::size_t>(size[0] * size[1] * size[2] * layers)) {
    const std::size_t row = texel_bytes(format) * static_cast<std::size_t>(size[0]);
    model = {
        format,        kind.axes, kind.is_array, size, layers, row, row * static_cast<std::size_t>(size[1]),
        texels_.data()};
    this->kind = &kind;
    std::mt19937 random(1);
    for (std::size_t at = 0; at < texels_.size(); at += texel_bytes(format))
      for (const ChannelBits channel : channels_of(format)) {
        auto bits = static_cast<std::uint32_t>(random());
        if (number_of(format) == Number::half) bits = (bits & 0x83ff) | 0x3800;
        if (number_of(format) == Number::single) bits = (bits & 0x807fffff) | 0x3f000000;
        set_bits(texels_.data() + at, channel, bits);
      }
    if (kind.object == CL_MEM_OBJECT_IMAGE1D_BUFFER) storage_ = session.buffer(texels_);
  }

  /// The object for the texels as they are now.
  Buffer object(const Session& session) {
    const auto [width, height, depth] = model.size;
    const std::array<size_t, 3> sides = {static_cast<size_t>(width),
                                         static_cast<size_t>(kind->axes == 1 ? model.layers : height),
                                         static_cast<size_t>(kind->is_array ? model.layers : depth)};
    cl_image_desc description = image_of(kind->object, sides[0], sides[1], sides[2]);
    const cl_image_format format = {model.format.order, model.format.type};
    if (storage_) {
      description.buffer = storage_;
      REQUIRE_CL(clEnqueueWriteBuffer(session.queue, storage_, CL_TRUE, 0, texels_.size(), texels_.data(), 0,
                                      nullptr, nullptr));
      return make_image(session.context, format, description, CL_MEM_READ_WRITE);
    }
    return make_image(session.context, format, description, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                      texels_.data());
  }

  /// Brings the texels of an object here.
  void fetch(const Session& session, cl_mem image) {
    const auto [width, height, depth] = model.size;
    const size_t origin[3] = {};
    const size_t region[3] = {static_cast<size_t>(width),
                              static_cast<size_t>(kind->is_array && kind->axes == 1 ? model.layers : height),
                              static_cast<size_t>(kind->is_array && kind->axes == 2 ? model.layers : depth)};
    REQUIRE_CL(clEnqueueReadImage(session.queue, image, CL_TRUE, origin, region, 0, 0, texels_.data(), 0,
                                  nullptr, nullptr));
  }

  std::vector<std::byte>& texels() { return texels_; }

  ImageModel model;
  const ImageKind* kind;

private:
  std::vector<std::byte> texels_;
  Buffer storage_;
};

/// The components of a four-component coordinate that a kind takes.
inline std::string coordinates_of(const ImageKind& kind) {
  const unsigned count = kind.axes + (kind.is_array ? 1 : 0);
  return count == 1 ? ".x" : count == 2 ? ".xy" : "";
}

inline bool has_depth(const ImageFormat& format) {
  return format.order == CL_DEPTH;
}

/// A colour as a kernel has it: floats, ints or uints, which `bits` holds.
using Bits = std::array<cl_uint, 4>;
inline Colour colour_of(const ImageFormat& format, const Bits& bits) {
  Colour colour;
  for (unsigned i = 0; i < 4; ++i) {
    const auto number = number_of(format);
    float x;
    std::memcpy(&x, &bits[i], sizeof x);
    colour[i] = number == Number::signed_integer     ? static_cast<cl_int>(bits[i])
                : number == Number::unsigned_integer ? static_cast<double>(bits[i])
                                                     : static_cast<double>(x);
  }
  return colour;
}

/// Whether a kernel's colour is the model's, rounded to float; NaN is NaN.
inline bool is_same(const ImageFormat& format, const Bits& bits, const Colour& expected) {
  const Colour colour = colour_of(format, bits);
  const bool is_integer = access_of(format).suffix[0] != 'f';
  for (unsigned i = 0; i < (has_depth(format) ? 1U : 4U); ++i) {
    const double rounded = is_integer ? expected[i] : static_cast<double>(static_cast<float>(expected[i]));
    if (colour[i] != rounded && !(std::isnan(colour[i]) && std::isnan(rounded))) return false;
  }
  return true;
}

} // namespace test
