// The bodies of image functions, compiled for the host, against the model of images.

#include "test_image.hpp"

#include <limits>

namespace {

Colour colour_of(float4 x) {
  return {x.x, x.y, x.z, x.w};
}
Colour read_at(const TestImage& image, Sampler sampler, int4 at) {
  switch (number_of(image.model.format)) {
  case Number::signed_integer: {
    const int4 x = test_read_ati(&image.image, sampler, image.number, at);
    return {double(x.x), double(x.y), double(x.z), double(x.w)};
  }
  case Number::unsigned_integer: {
    const uint4 x = test_read_atui(&image.image, sampler, image.number, at);
    return {double(x.x), double(x.y), double(x.z), double(x.w)};
  }
  default:
    return colour_of(test_read_atf(&image.image, sampler, image.number, at));
  }
}
Colour read(const TestImage& image, Sampler sampler, float4 at) {
  switch (number_of(image.model.format)) {
  case Number::signed_integer: {
    const int4 x = test_readi(&image.image, sampler, image.number, at);
    return {double(x.x), double(x.y), double(x.z), double(x.w)};
  }
  case Number::unsigned_integer: {
    const uint4 x = test_readui(&image.image, sampler, image.number, at);
    return {double(x.x), double(x.y), double(x.z), double(x.w)};
  }
  default:
    return colour_of(test_readf(&image.image, sampler, image.number, at));
  }
}

Sampler value_of(const SamplerModel& sampler) {
  return (sampler.normalized ? hostcl::abi::sampler_is_normalized : 0) |
         static_cast<Sampler>(sampler.addressing) | (sampler.linear ? hostcl::abi::sampler_is_linear : 0x10);
}

const SamplerModel samplers[] = {
    {false, Addressing::none, false},
    {false, Addressing::clamp_to_edge, false},
    {false, Addressing::clamp, false},
    {true, Addressing::clamp_to_edge, false},
    {true, Addressing::clamp, false},
    {true, Addressing::repeat, false},
    {true, Addressing::mirrored_repeat, false},
    {false, Addressing::clamp_to_edge, true},
    {false, Addressing::clamp, true},
    {true, Addressing::clamp_to_edge, true},
    {true, Addressing::clamp, true},
    {true, Addressing::repeat, true},
    {true, Addressing::mirrored_repeat, true},
};

bool is_usable(const SamplerModel& sampler, float4 at) {
  // NONE leaves undefined what is outside.
  return sampler.addressing != Addressing::none || std::max({at.x, at.y, at.z}) < 3;
}

void check_sampling(const TestImage& image, const SamplerModel& sampler, float4 at) {
  const Colour expected = image.model.sample(sampler, std::array<float, 3>{at.x, at.y, at.z});
  const Colour result = read(image, value_of(sampler), at);
  INFO(name_of(image.model.format) << ", kind " << image.number << ", sampler " << value_of(sampler) << " at "
                                   << at.x << " " << at.y << " " << at.z << ": " << text(result) << ", not "
                                   << text(expected));
  if (!sampler.linear) {
    if (!same(result, expected, is_integer(image.model.format))) FAIL_CHECK("another texel");
    return;
  }
  for (unsigned i = 0; i < 4; ++i)
    if (!(std::fabs(result[i] - expected[i]) <= 2e-5)) FAIL_CHECK("component " << i);
}

} // namespace

TEST_CASE("Images have 111 formats of whole bytes") {
  CHECK(test::formats_with(as_any).size() == 111);
}

TEST_CASE("Reads give the rounded value of every code of 8 and 16 bits") {
  for (const ImageFormat& format : test::formats_with(as_any)) {
    const TestImage image(format, 0, {1 << 16, 1, 1}, 1);
    const auto channels = channels_of(format);
    for (int i = 0; i < 1 << 16; ++i)
      for (unsigned c = 0; c < channels.size(); ++c) {
        const auto code = static_cast<std::uint32_t>(i) * (c == 0 ? 1U : 40503U * c);
        const unsigned unused = channels[c].count == 32 ? 16 : 0;
        set_bits(image.model.texel(i, 0, 0), channels[c], code << unused);
      }
    unsigned wrong = 0;
    for (int i = 0; i < 1 << 16; ++i) {
      const Colour result = read_at(image, 0x10, int4{i, 0, 0, 0}), expected = image.model.at(i, 0, 0);
      if (!same(result, expected, is_integer(format)) && ++wrong < 3)
        UNSCOPED_INFO(name_of(format) << " " << i << ": " << text(result) << ", not " << text(expected));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("Nearest and linear filters of all kinds and addressing modes agree with the model") {
  std::mt19937 random(1);
  for (const ImageFormat& format : test::formats_with(as_any))
    for (int kind = 0; kind < 5; ++kind) {
      const TestImage image(format, kind, {5, kind < 2 ? 1 : 4, kind < 4 ? 1 : 3}, kind % 2 == 1 ? 3 : 1);
      image.fill(random);
      for (const SamplerModel& sampler : samplers) {
        if (sampler.linear && is_integer(format)) continue;
        for (int i = 0; i < 60; ++i) {
          const float range = sampler.normalized ? 4 : 16;
          const auto any = [&] { return std::uniform_real_distribution<float>(-range / 2, range)(random); };
          float4 at = {any(), any(), any(), 0};
          if (i % 4 == 0) at = __builtin_elementwise_floor(at);
          if (is_usable(sampler, at)) check_sampling(image, sampler, at);
        }
      }
    }
}

TEST_CASE("Integer coordinates outside give the edge, or with CLAMP the border") {
  std::mt19937 random(2);
  for (const ImageFormat& format : test::formats_with(as_any))
    for (int kind = 0; kind < 5; ++kind) {
      TestImage image(format, kind, {5, kind < 2 ? 1 : 4, kind < 4 ? 1 : 3}, kind % 2 == 1 ? 3 : 1);
      image.fill(random);
      image.image.is_small = kind % 2; // both ways to find a texel
      for (const SamplerModel& sampler : {samplers[1], samplers[2]})
        for (int i = 0; i < 100; ++i) {
          const auto any = [&] { return static_cast<int>(random() % 12) - 3; };
          const int4 at = {any(), any(), any(), 0};
          const Colour result = read_at(image, value_of(sampler), at);
          const Colour expected = image.model.sample(sampler, std::array<int, 3>{at.x, at.y, at.z});
          if (!same(result, expected, is_integer(format)))
            FAIL_CHECK(name_of(format)
                       << ", kind " << kind << ": " << text(result) << ", not " << text(expected));
        }
    }
}

TEST_CASE("No coordinate leads outside of an image's memory") {
  const float floats[] = {NAN,           INFINITY,       -INFINITY,  1e38f, -1e38f,
                          2147483648.0f, -2147483648.0f, 0.9999999f, 3e9f};
  const int integers[] = {INT32_MIN, INT32_MAX, -1, 7, 1 << 30};
  const ImageFormat formats[] = {
      {0x10B5, 0x10D2}, {0x10B0, 0x10D2}, {0x10B5, 0x10DE}, {0x10B5, 0x10DD}, {0x10B4, 0x10D4}};
  for (const ImageFormat& format : formats)
    for (int kind = 0; kind < 5; ++kind)
      for (const bool at_end : {false, true}) {
        const TestImage image(format, kind, {3, kind < 2 ? 1 : 3, kind < 4 ? 1 : 3}, kind % 2 == 1 ? 3 : 1,
                              at_end);
        for (unsigned bits = 0; bits < 64; bits += 1) {
          const Sampler sampler = (bits & 15) | (bits & 16 ? 0x20 : 0x10) | (bits & 32 ? 0x100 : 0);
          for (const float x : floats)
            for (const float y : floats) {
              test_readf(&image.image, sampler, kind, float4{x, y, x, 0});
              test_read_level(&image.image, sampler | 0xffffULL << 48, kind, float4{x, y, y, 0}, x);
            }
          for (const int x : integers)
            for (const int y : integers)
              test_read_atf(&image.image, sampler, kind, int4{x, y, x, 0});
        }
      }
  SUCCEED();
}
