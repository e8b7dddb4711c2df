#pragma once

// An image for tests of bodies on the host: its texels between pages without access, as the model and as kernels
// have it.

#include "compiler/abi/image.hpp"
#include "support/catch.hpp"
#include "support/image_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

using float4 = float __attribute__((ext_vector_type(4)));
using int4 = int __attribute__((ext_vector_type(4)));
using uint4 = unsigned __attribute__((ext_vector_type(4)));
using hostcl::abi::Image;
using hostcl::abi::Sampler;

extern "C" {
float4 test_readf(const Image*, Sampler, int kind, float4);
int4 test_readi(const Image*, Sampler, int kind, float4);
uint4 test_readui(const Image*, Sampler, int kind, float4);
float4 test_read_atf(const Image*, Sampler, int kind, int4);
int4 test_read_ati(const Image*, Sampler, int kind, int4);
uint4 test_read_atui(const Image*, Sampler, int kind, int4);
void test_writef(const Image*, int kind, int4, float4);
void test_writei(const Image*, int kind, int4, int4);
void test_writeui(const Image*, int kind, int4, uint4);
float4 test_read_level(const Image*, Sampler, int kind, float4, float lod);
float test_lod(const Image*, Sampler, int kind, float4, float4);
}

namespace {

using test::Addressing, test::Colour, test::ImageFormat, test::ImageModel, test::Number, test::SamplerModel;

inline const std::vector<Number> as_floats = {Number::unorm, Number::snorm, Number::half, Number::single};
inline const std::vector<Number> as_any = {Number::unorm,  Number::snorm,          Number::half,
                                           Number::single, Number::signed_integer, Number::unsigned_integer};

/// Pages without access around a block, which begins or ends at one of them.
class Guarded {
public:
  Guarded(std::size_t bytes, bool at_end) : room_((bytes + page - 1) / page * page) {
    base_ = static_cast<std::byte*>(
        mmap(nullptr, room_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(mprotect(base_ + page, room_, PROT_READ | PROT_WRITE) == 0);
    data_ = base_ + page + (at_end ? room_ - bytes : 0);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(base_, room_ + 2 * page); }

  std::byte* data() const { return data_; }

private:
  static inline const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t room_;
  std::byte *base_, *data_;
};

/// An image, as the model and as kernels have it. Rows and slices lie without gaps.
struct TestImage {
  TestImage(const ImageFormat& format, int kind, std::array<int, 3> size, int layers, bool at_end = false)
      : number(kind), memory(bytes_of(format, size, layers), at_end) {
    const std::size_t row = texel_bytes(format) * static_cast<std::size_t>(size[0]);
    const bool is_array = kind == 1 || kind == 3;
    const unsigned axes = kind < 2 ? 1 : kind < 4 ? 2 : 3;
    model = {format,       axes, is_array, size, layers, row, row * static_cast<std::size_t>(size[1]),
             memory.data()};
    image = {memory.data(),
             model.row_pitch,
             model.slice_pitch,
             size[0],
             size[1],
             size[2],
             layers,
             static_cast<std::uint16_t>(format.order),
             static_cast<std::uint16_t>(format.type),
             texel_bytes(format),
             1,
             1,
             &image};
  }
  TestImage(const TestImage&) = delete;
  TestImage& operator=(const TestImage&) = delete;

  static std::size_t bytes_of(const ImageFormat& format, std::array<int, 3> size, int layers) {
    return texel_bytes(format) * static_cast<std::size_t>(size[0] * size[1] * size[2] * layers);
  }
  std::size_t bytes() const { return bytes_of(model.format, model.size, model.layers); }

  /// Random codes; of half and float no NaN and nothing that is large.
  void fill(std::mt19937& random) const {
    const unsigned step = texel_bytes(model.format);
    for (std::size_t at = 0; at < bytes(); at += step)
      for (const test::ChannelBits channel : channels_of(model.format)) {
        std::uint32_t bits = static_cast<std::uint32_t>(random());
        if (number_of(model.format) == Number::half) bits = (bits & 0x83ff) | 0x3800;
        if (number_of(model.format) == Number::single) bits = (bits & 0x807fffff) | 0x3f000000;
        set_bits(memory.data() + at, channel, bits);
      }
  }

  int number;
  Guarded memory;
  ImageModel model;
  Image image;
};

/// Whether the components are the same, but for the sign of zero and bits of NaN; integers and quotients are
/// exact.
inline bool same(const Colour& x, const Colour& expected, bool is_integer) {
  return std::equal(x.begin(), x.end(), expected.begin(), [&](double a, double b) {
    const double rounded = is_integer ? b : static_cast<double>(static_cast<float>(b));
    return a == rounded || (std::isnan(a) && std::isnan(b));
  });
}

inline bool is_integer(const ImageFormat& format) {
  return number_of(format) == Number::signed_integer || number_of(format) == Number::unsigned_integer;
}

inline std::string text(const Colour& x) {
  return std::to_string(x[0]) + " " + std::to_string(x[1]) + " " + std::to_string(x[2]) + " " +
         std::to_string(x[3]);
}

} // namespace
