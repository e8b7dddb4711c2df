// Writes of image functions, compiled for the host: rounding, saturation, what is outside.

#include "test_image.hpp"

#include <limits>

namespace {

const std::vector<Number> as_normalized = {Number::unorm, Number::snorm};

void write(const TestImage& image, int4 at, float x) {
  test_writef(&image.image, image.number, at, float4(x));
}

/// Writes 1 in each channel.
void write_one(const TestImage& image, int4 at) {
  if (number_of(image.model.format) == Number::signed_integer)
    test_writei(&image.image, image.number, at, int4(1));
  else if (number_of(image.model.format) == Number::unsigned_integer)
    test_writeui(&image.image, image.number, at, uint4(1));
  else
    write(image, at, 1.0f);
}

/// The signed code of a channel of texel 0.
double code_of(const TestImage& image, test::ChannelBits channel) {
  const std::uint32_t bits = test::bits_of(image.model.data, channel);
  if (number_of(image.model.format) != Number::snorm) return bits;
  return static_cast<std::int32_t>(bits << (32 - channel.count)) >> (32 - channel.count);
}

/// Writes x and compares all channels with the code before it is rounded.
void check_rounding(const TestImage& image, float x, unsigned& wrong) {
  write(image, int4{0, 0, 0, 0}, x);
  const auto channels = channels_of(image.model.format);
  for (unsigned i = 0; i < channels.size(); ++i) {
    const bool is_colour = component_of(image.model.format, i) < 3;
    const double exact = exact_code(image.model.format, x, channels[i].count, is_colour);
    const double limit =
        is_srgb(image.model.format) && is_colour ? 0.505 : 0.5 + std::fabs(exact) * 0x1p-23 + 1e-9;
    if (!(std::fabs(code_of(image, channels[i]) - exact) <= limit) && ++wrong < 3)
      UNSCOPED_INFO(name_of(image.model.format) << " channel " << i << " of " << x << ": "
                                                << code_of(image, channels[i]) << ", not " << exact);
  }
}

} // namespace

TEST_CASE("Writes of normalised formats round to nearest at every border, and saturate") {
  for (const ImageFormat& format : test::formats_with(as_normalized)) {
    const TestImage image(format, 0, {1, 1, 1}, 1);
    unsigned wrong = 0;
    for (const test::ChannelBits channel : channels_of(format)) {
      const double greatest = exact_code(format, 1, channel.count, false);
      for (double code = number_of(format) == Number::snorm ? -greatest : 0; code < greatest; ++code) {
        const auto border = static_cast<float>((code + 0.5) / greatest);
        for (const float x : {std::nextafter(border, -2.0f), border, std::nextafter(border, 2.0f)})
          check_rounding(image, x, wrong);
      }
    }
    for (const float x : {-0.0f, 1e-40f, 1.0f, -1.0f, 1.5f, -1.5f, 1e38f, -1e38f, INFINITY, -INFINITY})
      check_rounding(image, x, wrong);
    CHECK(wrong == 0);
  }
}

TEST_CASE("What is written of a code's value is the code") {
  for (const ImageFormat& format : test::formats_with(as_any)) {
    const TestImage image(format, 0, {2, 1, 1}, 1);
    std::mt19937 random(3);
    unsigned wrong = 0;
    for (int i = 0; i < 4096; ++i) {
      image.fill(random);
      const int4 from = {1, 0, 0, 0}, to = {0, 0, 0, 0};
      if (number_of(format) == Number::signed_integer)
        test_writei(&image.image, 0, to, test_read_ati(&image.image, 0, 0, from));
      else if (number_of(format) == Number::unsigned_integer)
        test_writeui(&image.image, 0, to, test_read_atui(&image.image, 0, 0, from));
      else
        test_writef(&image.image, 0, to, test_read_atf(&image.image, 0, 0, from));
      const Colour first = image.model.at(0, 0, 0), second = image.model.at(1, 0, 0);
      wrong += first != second;
    }
    INFO(name_of(format));
    CHECK(wrong == 0);
  }
}

TEST_CASE("Writes of integer formats saturate") {
  for (const ImageFormat& format : test::formats_with({Number::signed_integer, Number::unsigned_integer})) {
    const TestImage image(format, 0, {1, 1, 1}, 1);
    const bool is_signed = number_of(format) == Number::signed_integer;
    const auto channels = channels_of(format);
    for (const std::int64_t x : {0L,     1L,      -1L,     127L,   128L,   -128L,       -129L,       255L,
                                 256L,   1023L,   1024L,   4095L,  4096L,  16383L,      16384L,      32767L,
                                 32768L, -32768L, -32769L, 65535L, 65536L, 2147483647L, -2147483648L}) {
      const auto bits = static_cast<int>(x);
      if (is_signed)
        test_writei(&image.image, 0, int4{0, 0, 0, 0}, int4(bits));
      else
        test_writeui(&image.image, 0, int4{0, 0, 0, 0}, uint4(static_cast<unsigned>(bits)));
      const double written =
          is_signed ? static_cast<double>(bits) : static_cast<double>(static_cast<unsigned>(bits));
      for (unsigned i = 0; i < channels.size(); ++i) {
        const double expected = exact_code(format, written, channels[i].count, false);
        const std::uint32_t code = test::bits_of(image.model.data, channels[i]);
        INFO(name_of(format) << " " << written);
        CHECK(test::value_of(format, code, channels[i].count, false) == expected);
      }
    }
  }
}

TEST_CASE("Half channels are rounded to nearest even") {
  const TestImage image({0x10B0, 0x10DD}, 0, {1, 1, 1}, 1);
  std::mt19937 random(4);
  for (int i = 0; i < 100'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    float x;
    std::memcpy(&x, &bits, sizeof x);
    if (std::isnan(x)) continue;
    write(image, int4{0, 0, 0, 0}, x);
    const double expected = static_cast<double>(static_cast<_Float16>(x));
    if (image.model.at(0, 0, 0)[0] != expected) FAIL_CHECK(x);
  }
}

TEST_CASE("Writes outside change nothing, and those inside one texel") {
  for (const ImageFormat& format : test::formats_with(as_any))
    for (int kind = 0; kind < 5; ++kind) {
      const std::array<int, 3> size = {3, kind < 2 ? 1 : 4, kind < 4 ? 1 : 2};
      const TestImage image(format, kind, size, kind % 2 == 1 ? 2 : 1, true);
      const int counts[] = {3, kind == 1 ? 2 : kind < 2 ? 1 : 4, kind < 3 ? 1 : 2};
      std::vector<std::byte> before(image.bytes()), after(image.bytes());
      for (const int x : {INT32_MIN, -1, 0, 2, 3, INT32_MAX})
        for (const int y : {INT32_MIN, -1, 0, counts[1] - 1, counts[1], INT32_MAX})
          for (const int z : {INT32_MIN, -1, 0, counts[2] - 1, counts[2], INT32_MAX}) {
            const unsigned components = image.model.axes + (image.model.is_array ? 1 : 0);
            const int at[] = {x, y, z};
            bool inside = true;
            for (unsigned i = 0; i < components; ++i)
              inside &= at[i] >= 0 && at[i] < counts[i];
            std::fill_n(image.model.data, image.bytes(), std::byte{0x55});
            std::memcpy(before.data(), image.model.data, before.size());
            const int4 place = {x, y, z, 0};
            write_one(image, place);
            std::memcpy(after.data(), image.model.data, after.size());
            if (inside) {
              const int row = kind == 1        ? 0
                              : components > 1 ? y
                                               : 0,
                        slice = kind == 1        ? y
                                : components > 2 ? z
                                                 : 0;
              std::byte* texel = image.model.texel(x, row, slice);
              CHECK(test::decode(format, texel) != test::decode(format, before.data()));
              std::memcpy(texel, before.data(), texel_bytes(format));
              std::memcpy(after.data(), image.model.data, after.size());
            }
            if (before != after)
              FAIL_CHECK(name_of(format) << ", kind " << kind << " at " << x << " " << y << " " << z);
          }
    }
}
