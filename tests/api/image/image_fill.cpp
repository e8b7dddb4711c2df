// clEnqueueFillImage (OpenCL 3.0 API, 5.3.4): colours in all formats

#include "support/images.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace {

using Bytes = std::vector<unsigned char>;

// Names of newer headers
constexpr cl_channel_type raw10 = 0x10E3, raw12 = 0x10E4, unorm_2_101010 = 0x10E5, uint10 = 0x10E6,
                          uint12 = 0x10E7, uint14 = 0x10E8, unorm10 = 0x10E1, unorm12 = 0x10E9,
                          unorm14 = 0x10EA;

enum class Kind { unorm, snorm, signed_integer, unsigned_integer, half, single };

/// Where a channel has its bits: at `shift` in the i-th word of `word` bits, or in the texel if that is 0.
struct Type {
  Kind kind;
  unsigned word;
  std::array<unsigned, 4> bits, shift;
};

constexpr Type words(Kind kind, unsigned bits, unsigned shift = 0) {
  return {kind, bits + shift, {bits, bits, bits, bits}, {shift, shift, shift, shift}};
}

struct NamedType {
  cl_channel_type name;
  Type type;
};

constexpr NamedType types[] = {
    {CL_SNORM_INT8, words(Kind::snorm, 8)},
    {CL_SNORM_INT16, words(Kind::snorm, 16)},
    {CL_UNORM_INT8, words(Kind::unorm, 8)},
    {CL_UNORM_INT16, words(Kind::unorm, 16)},
    {CL_SIGNED_INT8, words(Kind::signed_integer, 8)},
    {CL_SIGNED_INT16, words(Kind::signed_integer, 16)},
    {CL_SIGNED_INT32, words(Kind::signed_integer, 32)},
    {CL_UNSIGNED_INT8, words(Kind::unsigned_integer, 8)},
    {CL_UNSIGNED_INT16, words(Kind::unsigned_integer, 16)},
    {CL_UNSIGNED_INT32, words(Kind::unsigned_integer, 32)},
    {CL_HALF_FLOAT, words(Kind::half, 16)},
    {CL_FLOAT, words(Kind::single, 32)},
    {unorm10, words(Kind::unorm, 10, 6)},
    {unorm12, words(Kind::unorm, 12, 4)},
    {unorm14, words(Kind::unorm, 14, 2)},
    {uint10, words(Kind::unsigned_integer, 10, 6)},
    {uint12, words(Kind::unsigned_integer, 12, 4)},
    {uint14, words(Kind::unsigned_integer, 14, 2)},
    {CL_UNORM_SHORT_565, {Kind::unorm, 0, {5, 6, 5, 0}, {11, 5, 0, 0}}},
    {CL_UNORM_SHORT_555, {Kind::unorm, 0, {5, 5, 5, 0}, {10, 5, 0, 0}}},
    {CL_UNORM_INT_101010, {Kind::unorm, 0, {10, 10, 10, 0}, {20, 10, 0, 0}}},
    {CL_UNORM_INT_101010_2, {Kind::unorm, 0, {10, 10, 10, 2}, {22, 12, 2, 0}}},
    {unorm_2_101010, {Kind::unorm, 0, {2, 10, 10, 10}, {30, 20, 10, 0}}},
};

const Type& type_of(cl_channel_type name) {
  const auto* const found = std::ranges::find(types, name, &NamedType::name);
  REQUIRE(found != std::end(types));
  return found->type;
}

/// The components of the channels.
std::string components(cl_channel_order order) {
  switch (order) {
  case CL_A:
    return "a";
  case CL_RG:
    return "rg";
  case CL_RA:
    return "ra";
  case CL_RGB:
    return "rgb";
  case CL_RGBA:
  case CL_sRGBA:
    return "rgba";
  case CL_BGRA:
  case CL_sBGRA:
    return "bgra";
  case CL_ARGB:
    return "argb";
  case CL_ABGR:
    return "abgr";
  default: // R, INTENSITY, LUMINANCE, DEPTH
    return "r";
  }
}

double value_of(const Type& type, const unsigned char* texel, size_t channel) {
  unsigned long long bits = 0;
  const size_t first = type.word / 8 * channel;
  std::memcpy(&bits, texel + first, type.word ? type.word / 8 : 4);
  const unsigned count = type.bits[channel];
  const unsigned long long code = bits >> type.shift[channel] & ((1ull << count) - 1);
  const auto as_signed = static_cast<double>(static_cast<long long>(code << (64 - count)) >> (64 - count));
  switch (type.kind) {
  case Kind::unorm:
    return static_cast<double>(code) / static_cast<double>((1ull << count) - 1);
  case Kind::snorm:
    return std::max(as_signed / static_cast<double>((1ull << (count - 1)) - 1), -1.0);
  case Kind::signed_integer:
    return as_signed;
  case Kind::half: {
    _Float16 half = 0;
    std::memcpy(&half, &code, sizeof(half));
    return static_cast<double>(half);
  }
  case Kind::single: {
    float single = 0;
    std::memcpy(&single, &code, sizeof(single));
    return single;
  }
  default:
    return static_cast<double>(code);
  }
}

double srgb(double c) {
  return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

/// The value that a channel should have, and how far from it the nearest one may be.
std::pair<double, double> expected(const Type& type, bool is_srgb, char component, size_t channel,
                                   double value) {
  const auto most = static_cast<double>((1ull << type.bits[channel]) - 1);
  switch (type.kind) {
  case Kind::unorm:
    value = std::clamp(value, 0.0, 1.0);
    return {is_srgb && component != 'a' ? srgb(value) : value, 0.5001 / most};
  case Kind::snorm:
    return {std::clamp(value, -1.0, 1.0), 1.0001 / (most - 1)};
  case Kind::signed_integer:
    return {std::clamp(value, -(most + 1) / 2, (most - 1) / 2), 0};
  case Kind::unsigned_integer:
    return {std::min(value, most), 0};
  case Kind::half:
    return {value, std::abs(value) / 2048};
  default:
    return {static_cast<float>(value), 0};
  }
}

Bytes filled_texel(const test::Session& s, const cl_image_format& format, const void* color) {
  const auto image =
      test::make_image(s.context, format, test::image_of(CL_MEM_OBJECT_IMAGE2D, 1, 1), CL_MEM_READ_WRITE);
  const size_t origin[3] = {}, region[3] = {1, 1, 1};
  Bytes texel(20, 0);
  REQUIRE_CL(clEnqueueFillImage(s.queue, image, color, origin, region, 0, nullptr, nullptr));
  REQUIRE_CL(
      clEnqueueReadImage(s.queue, image, CL_TRUE, origin, region, 0, 0, texel.data(), 0, nullptr, nullptr));
  return texel;
}

void check_color(const test::Session& s, const cl_image_format& format, const std::array<double, 4>& color) {
  const Type type = type_of(format.image_channel_data_type);
  std::array<cl_uint, 4> bits{};
  for (size_t i = 0; i < 4; ++i) {
    const auto real = static_cast<float>(color[i]);
    const auto integer = static_cast<cl_uint>(static_cast<long long>(color[i]));
    std::memcpy(&bits[i], &real, 4);
    if (type.kind == Kind::signed_integer || type.kind == Kind::unsigned_integer) bits[i] = integer;
  }
  const Bytes texel = filled_texel(s, format, bits.data());
  const bool is_srgb = format.image_channel_order == CL_sRGBA || format.image_channel_order == CL_sBGRA;
  const std::string channels = components(format.image_channel_order);
  for (size_t i = 0; i < channels.size(); ++i) {
    CAPTURE(format.image_channel_order, format.image_channel_data_type, i);
    const double given = color[std::string("rgba").find(channels[i])];
    const auto [value, distance] = expected(type, is_srgb, channels[i], i, given);
    CHECK(std::abs(value_of(type, texel.data(), i) - value) <= distance);
  }
}

Bytes first_bytes(const test::Session& s, cl_channel_order order, cl_channel_type type,
                  std::array<float, 4> color, size_t count) {
  Bytes texel = filled_texel(s, {order, type}, color.data());
  texel.resize(count);
  return texel;
}

} // namespace

TEST_CASE("clEnqueueFillImage: every format gets the nearest value of each component, in its place",
          "[image_fill]") {
  const test::Session s;
  const std::array<double, 4> fractions[] = {
      {0, 1, 0.25, 0.75}, {0.1, 0.9, 0.0005, 0.3333}, {-0.5, 1.5, 0.002, -2}, {1, 0.5, 0.5019, 0}};
  const std::array<double, 4> naturals[] = {{0, 1, 200, 255}, {70000, 3, 4000000000.0, 1023}};
  const std::array<double, 4> integers[] = {{0, -1, 100, -128}, {-2000000000, 40000, -40000, 7}};
  for (const cl_image_format& format :
       test::image_formats(s.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D)) {
    switch (type_of(format.image_channel_data_type).kind) {
    case Kind::signed_integer:
      for (const auto& color : integers)
        check_color(s, format, color);
      break;
    case Kind::unsigned_integer:
      for (const auto& color : naturals)
        check_color(s, format, color);
      break;
    default:
      for (const auto& color : fractions)
        check_color(s, format, color);
    }
  }
}

TEST_CASE("clEnqueueFillImage: fractions are rounded to the nearest even code", "[image_fill]") {
  const test::Session s;
  const auto code = [](double c) { return static_cast<float>(c / 255); };
  CHECK(first_bytes(s, CL_RGBA, CL_UNORM_INT8, {code(1.5), code(2.5), code(2.51), code(254.5)}, 4) ==
        Bytes{2, 2, 3, 254});
  CHECK(first_bytes(s, CL_RGBA, CL_SNORM_INT8, {-1, 1, -0.5f, 0}, 4) == Bytes{0x81, 0x7f, 0xc0, 0});
  CHECK(first_bytes(s, CL_BGRA, CL_UNORM_INT8, {1, 0, 0, 1}, 4) == Bytes{0, 0, 255, 255});
  CHECK(first_bytes(s, CL_RGB, CL_UNORM_SHORT_565, {1, 0, 0, 1}, 2) == Bytes{0, 0xf8});
  CHECK(first_bytes(s, CL_RGBA, CL_UNORM_INT8, {NAN, INFINITY, -INFINITY, 0}, 4) == Bytes{0, 255, 0, 0});
}

TEST_CASE("clEnqueueFillImage: the colour of a depth image is one number", "[image_fill]") {
  const test::Session s;
  const cl_image_format format{CL_DEPTH, CL_FLOAT};
  // The memory ends after it, which AddressSanitizer watches.
  const std::vector<float> color{0.625f};
  float depth = 0;
  std::memcpy(&depth, filled_texel(s, format, color.data()).data(), sizeof(depth));
  CHECK(depth == 0.625f);
}

TEST_CASE("clEnqueueFillImage: raw formats get the number in every texel of a block", "[image_fill]") {
  if (!test::is_hostcl()) return;
  const test::Session s;
  const size_t origin[3] = {}, region[3] = {4, 1, 1};
  const cl_uint color[4] = {0x2b7, 0, 0, 0};
  const auto filled = [&](cl_channel_type type, size_t bytes) {
    const auto image = test::make_image(s.context, {CL_R, type}, test::image_of(CL_MEM_OBJECT_IMAGE2D, 4, 1),
                                        CL_MEM_READ_ONLY);
    Bytes row(bytes);
    REQUIRE_CL(clEnqueueFillImage(s.queue, image, color, origin, region, 0, nullptr, nullptr));
    REQUIRE_CL(
        clEnqueueReadImage(s.queue, image, CL_TRUE, origin, region, 0, 0, row.data(), 0, nullptr, nullptr));
    return row;
  };
  CHECK(filled(raw10, 5) == Bytes{0xad, 0xad, 0xad, 0xad, 0xff});
  CHECK(filled(raw12, 6) == Bytes{0x2b, 0x2b, 0x77, 0x2b, 0x2b, 0x77});
}

TEST_CASE("clEnqueueFillImage: fills the region and nothing else", "[image_fill]") {
  const test::Session s;
  const size_t zero[3] = {}, all[3] = {7, 6, 5}, origin[3] = {2, 1, 3}, region[3] = {4, 5, 2};
  const cl_uint color[4] = {0x01020304, 5, 6, 7};
  for (cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY}) {
    std::vector<cl_uint> texels(7 * 6 * 5);
    for (size_t i = 0; i < texels.size(); ++i)
      texels[i] = static_cast<cl_uint>(i);
    const auto image = test::make_image(s.context, {CL_R, CL_UNSIGNED_INT32}, test::image_of(type, 7, 6, 5),
                                        CL_MEM_COPY_HOST_PTR, texels.data());
    REQUIRE_CL(clEnqueueFillImage(s.queue, image, color, origin, region, 0, nullptr, nullptr));
    for (size_t z = 3; z < 5; ++z)
      for (size_t y = 1; y < 6; ++y)
        std::fill_n(texels.begin() + (z * 6 + y) * 7 + 2, 4, color[0]);
    std::vector<cl_uint> read(texels.size());
    REQUIRE_CL(
        clEnqueueReadImage(s.queue, image, CL_TRUE, zero, all, 0, 0, read.data(), 0, nullptr, nullptr));
    CHECK(read == texels);
  }
}

TEST_CASE("clEnqueueFillImage: large images are filled by several threads, with gaps between rows or without",
          "[image_fill]") {
  const test::Session s;
  constexpr size_t width = 1000, height = 1200;
  const size_t zero[3] = {}, all[3] = {width, height, 1}, origin[3] = {1, 0, 0},
               inner[3] = {width - 2, height, 1};
  const auto image = test::make_image(s.context, {CL_RGBA, CL_UNSIGNED_INT8},
                                      test::image_of(CL_MEM_OBJECT_IMAGE2D, width, height));
  const cl_uint outside[4] = {1, 2, 3, 4}, inside[4] = {5, 6, 7, 8};
  REQUIRE_CL(clEnqueueFillImage(s.queue, image, outside, zero, all, 0, nullptr, nullptr));
  REQUIRE_CL(clEnqueueFillImage(s.queue, image, inside, origin, inner, 0, nullptr, nullptr));
  std::vector<cl_uint> read(width * height), expected(width * height, 0x08070605);
  for (size_t y = 0; y < height; ++y)
    expected[y * width] = expected[y * width + width - 1] = 0x04030201;
  REQUIRE_CL(clEnqueueReadImage(s.queue, image, CL_TRUE, zero, all, 0, 0, read.data(), 0, nullptr, nullptr));
  CHECK(read == expected);
}

TEST_CASE("clEnqueueFillImage: the colour is copied before the call returns", "[image_fill]") {
  const test::Session s;
  const size_t origin[3] = {}, region[3] = {1, 1, 1};
  const auto image =
      test::make_image(s.context, {CL_R, CL_UNSIGNED_INT32}, test::image_of(CL_MEM_OBJECT_IMAGE2D, 1, 1));
  const auto gate = test::user_event(s.context);
  const cl_event wait = gate;
  cl_uint color[4] = {17, 0, 0, 0}, read = 0;
  REQUIRE_CL(clEnqueueFillImage(s.queue, image, color, origin, region, 1, &wait, nullptr));
  color[0] = 99;
  REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  REQUIRE_CL(clEnqueueReadImage(s.queue, image, CL_TRUE, origin, region, 0, 0, &read, 0, nullptr, nullptr));
  CHECK(read == 17);
}
