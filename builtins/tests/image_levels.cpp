// Levels of detail of image functions, and the formats whose texels are not whole bytes, compiled for the host.

#include "test_image.hpp"

#include <memory>

namespace {

/// A mipmap of R FLOAT whose level l has l in every texel, from 8 x 8 texels to one.
struct Mipmap {
  Mipmap() {
    for (int level = 0; level < 4; ++level) {
      const int size = 8 >> level;
      levels.push_back(
          std::make_unique<TestImage>(ImageFormat{0x10B0, 0x10DE}, 2, std::array{size, size, 1}, 1));
      const auto value = static_cast<float>(level);
      for (std::size_t at = 0; at < levels.back()->bytes(); at += sizeof value)
        std::memcpy(levels.back()->model.data + at, &value, sizeof value);
      table.push_back(levels.back()->image);
    }
    base = table.front();
    base.levels = 4;
    base.level_table = table.data();
  }

  float at(float lod, Sampler sampler) const {
    return test_read_level(&base, sampler, 2, float4{0.4f, 0.6f, 0, 0}, lod).x;
  }

  std::vector<std::unique_ptr<TestImage>> levels;
  std::vector<Image> table;
  Image base;
};

constexpr Sampler unlimited = 0xffffULL << hostcl::abi::sampler_lod_max_shift;
constexpr Sampler nearest = unlimited | 0x12 | hostcl::abi::sampler_is_normalized;
constexpr Sampler linear = nearest | hostcl::abi::sampler_is_mip_linear;

Sampler limited(Sampler sampler, double low, double high) {
  const auto bits = [](double lod) { return static_cast<Sampler>(lod * hostcl::abi::sampler_lod_unit); };
  return (sampler & 0xffff'ffff) | bits(low) << hostcl::abi::sampler_lod_min_shift |
         bits(high) << hostcl::abi::sampler_lod_max_shift;
}

} // namespace

TEST_CASE("The nearest level of an image is the rounded one, and halves go down") {
  const Mipmap mipmap;
  const std::pair<float, float> cases[] = {{-INFINITY, 0}, {-3, 0},    {0, 0},        {0.5f, 0},
                                           {0.51f, 1},     {1.5f, 1},  {1.6f, 2},     {3, 3},
                                           {3.4f, 3},      {1e38f, 3}, {INFINITY, 3}, {NAN, 0}};
  for (const auto& [lod, level] : cases) {
    INFO(lod);
    CHECK(mipmap.at(lod, nearest) == level);
  }
}

TEST_CASE("Linear filters between levels weigh both") {
  const Mipmap mipmap;
  for (const float lod : {0.0f, 0.25f, 1.5f, 2.75f, 3.0f})
    CHECK(mipmap.at(lod, linear) == lod);
  CHECK(mipmap.at(17, linear) == 3);
  CHECK(mipmap.at(-1, linear) == 0);
}

TEST_CASE("The sampler limits the level of detail") {
  const Mipmap mipmap;
  CHECK(mipmap.at(0, limited(linear, 1.25, 2.5)) == 1.25f);
  CHECK(mipmap.at(2, limited(linear, 1.25, 2.5)) == 2.0f);
  CHECK(mipmap.at(3, limited(linear, 1.25, 2.5)) == 2.5f);
  CHECK(mipmap.at(3, limited(nearest, 0, 1)) == 1.0f);
}

TEST_CASE("Gradients give the logarithm of the longer step in texels") {
  const Mipmap mipmap;
  const auto lod = [&](float4 x, float4 y) { return test_lod(&mipmap.base, nearest, 2, x, y); };
  CHECK(lod(float4{0.25f, 0, 0, 0}, float4{0, 0.125f, 0, 0}) == 1.0f);
  CHECK(lod(float4{0.125f, 0, 0, 0}, float4{0, -0.5f, 0, 0}) == 2.0f);
  CHECK(lod(float4{0.375f, 0.5f, 0, 0}, float4(0)) == Approx(std::log2(5.0)));
  CHECK(lod(float4(0), float4(0)) == -INFINITY);
}

TEST_CASE("RAW10 and RAW12 hold the lowest bits after those of a group's texels") {
  std::mt19937 random(5);
  for (const unsigned count : {4U, 2U}) {
    const unsigned bits = 8 + 8 / count, texels = 16, row = texels / count * (count + 1);
    const Guarded memory(std::size_t{row} * 3, true);
    std::vector<unsigned> expected;
    for (unsigned i = 0; i < texels * 3; ++i) {
      expected.push_back(static_cast<unsigned>(random()) & ((1U << bits) - 1));
      std::byte* group = memory.data() + i / count * (count + 1);
      group[i % count] = static_cast<std::byte>(expected.back() >> (bits - 8));
      group[count] |=
          static_cast<std::byte>((expected.back() & ((1U << (bits - 8)) - 1)) << i % count * (bits - 8));
    }
    Image image = {memory.data(), row, std::uint64_t{row} * 3, texels, 3, 1, 1, 0x10B0, 0x10E3, 0, 1, 1,
                   nullptr};
    if (count == 2) image.type = 0x10E4;
    for (int i = 0; i < static_cast<int>(texels) * 3; ++i) {
      const int x = i % 16, y = i / 16;
      CHECK(test_read_atui(&image, 0x10, 2, int4{x, y, 0, 0}).x == expected[static_cast<unsigned>(i)]);
      const float4 normalized = {(static_cast<float>(x) + 0.5f) / 16, (static_cast<float>(y) + 0.5f) / 3, 0,
                                 0};
      CHECK(test_readui(&image, 0x17, 2, normalized).x == expected[static_cast<unsigned>(i)]);
    }
    // Undefined, but within the image.
    test_read_atf(&image, 0x10, 2, int4{15, 2, 0, 0});
    const uint4 border = test_read_atui(&image, 0x14, 2, int4{-1, 0, 0, 0});
    CHECK((border.x == 0 && border.w == 1));
  }
}
