// What kernels see of images and samplers (compiler/abi/launch.hpp).

#include "runtime/memory/image.hpp"
#include "runtime/memory/sampler.hpp"
#include "support/catch.hpp"

#include <cfloat>
#include <cmath>

using namespace hostcl;
using namespace hostcl::runtime;

namespace {

ImageLayout layout_of(cl_mem_object_type type, cl_image_format format, std::size_t width,
                      std::size_t height) {
  ImageLayout layout{.format = find_image_format(format), .type = type, .width = width};
  REQUIRE(layout.format);
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    layout.layers = height;
  else
    layout.height = height;
  layout.row_pitch = layout.format->bytes(width);
  layout.slice_pitch = layout.row_pitch * layout.height;
  return layout;
}

constexpr cl_image_format rgba8{CL_RGBA, CL_UNORM_INT8};

} // namespace

TEST_CASE("Image descriptor: sides that the type has not are 1", "[descriptors]") {
  std::byte data{};
  const abi::Image image = layout_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, rgba8, 7, 5).described(&data);
  CHECK(image.data == &data);
  CHECK(image.width == 7);
  CHECK(image.height == 1);
  CHECK(image.depth == 1);
  CHECK(image.layers == 5);
  CHECK(image.row_pitch == 28);
  CHECK(image.slice_pitch == 28);
  CHECK(image.order == CL_RGBA);
  CHECK(image.type == CL_UNORM_INT8);
  CHECK(image.texel_bytes == 4);
  CHECK(image.levels == 1);
}

TEST_CASE("Image descriptor: texels of raw formats have no bytes of their own", "[descriptors]") {
  const ImageLayout layout = layout_of(CL_MEM_OBJECT_IMAGE2D, {CL_R, CL_UNSIGNED_INT_RAW10_EXT}, 8, 2);
  CHECK(layout.described(nullptr).texel_bytes == 0);
  CHECK(layout.row_pitch == 10);
}

TEST_CASE("Image descriptor: an image is small if signed offsets of 32 bits reach all of it",
          "[descriptors]") {
  const auto is_small = [](std::size_t height) {
    return layout_of(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_FLOAT}, 32768, height).described(nullptr).is_small;
  };
  CHECK(is_small(4096) == 1);
  CHECK(is_small(4097) == 0);
}

TEST_CASE("Image layout: levels follow each other, each with half the sides", "[descriptors]") {
  ImageLayout layout = layout_of(CL_MEM_OBJECT_IMAGE2D, rgba8, 11, 5);
  layout.mip_levels = 3;
  CHECK(layout.described(nullptr).levels == 3);
  CHECK(layout.level(1).extent() == std::array<std::size_t, 3>{5, 2, 1});
  CHECK(layout.level(2).extent() == std::array<std::size_t, 3>{2, 1, 1});
  CHECK(layout.level(1).row_pitch == 20);
  CHECK(layout.bytes_before(1) == 220);
  CHECK(layout.bytes_before(2) == 260);
  CHECK(layout.bytes() == 268);
  CHECK(layout.level(1).described(nullptr).levels == 1);
}

TEST_CASE("Sampler value: bits are those of OpenCL C's constants", "[descriptors]") {
  constexpr abi::Sampler normalized = 1, clamp_to_edge = 2, clamp = 4, repeat = 6, mirrored = 8,
                         nearest = 0x10, linear = 0x20;
  const auto low = [](const SamplerSettings& settings) { return settings.value() & 0xffffffff; };
  CHECK(low({}) == (normalized | clamp | nearest));
  CHECK(low({.normalized = CL_FALSE, .addressing = CL_ADDRESS_NONE}) == nearest);
  CHECK(low({.addressing = CL_ADDRESS_CLAMP_TO_EDGE, .filter = CL_FILTER_LINEAR}) ==
        (normalized | clamp_to_edge | linear));
  CHECK(low({.addressing = CL_ADDRESS_REPEAT}) == (normalized | repeat | nearest));
  CHECK(low({.addressing = CL_ADDRESS_MIRRORED_REPEAT}) == (normalized | mirrored | nearest));
  CHECK(low({.mip_filter = CL_FILTER_LINEAR}) == (normalized | clamp | nearest | abi::sampler_is_mip_linear));
}

TEST_CASE("Sampler value: levels of detail are fixed-point numbers, and large ones no limit",
          "[descriptors]") {
  const auto lods = [](float least, float most) {
    const abi::Sampler value = SamplerSettings{.lod_min = least, .lod_max = most}.value();
    return std::pair(value >> abi::sampler_lod_min_shift & 0xffff, value >> abi::sampler_lod_max_shift);
  };
  CHECK(lods(0, FLT_MAX) == std::pair<abi::Sampler, abi::Sampler>(0, abi::sampler_lod_unlimited));
  CHECK(lods(1.5f, 4) == std::pair<abi::Sampler, abi::Sampler>(384, 1024));
  CHECK(lods(-3, INFINITY) == std::pair<abi::Sampler, abi::Sampler>(0, abi::sampler_lod_unlimited));
}
