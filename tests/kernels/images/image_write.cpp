// Writes of images in kernels: codes, rounding, and what is outside.

#include "support/image_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace {

using test::Bits, test::ImageFormat, test::ImageKind, test::KernelImage, test::Number;

const std::vector<ImageFormat> all_formats =
    test::formats_with({Number::unorm, Number::snorm, Number::half, Number::single, Number::signed_integer,
                        Number::unsigned_integer});

const ImageKind& kind_for(const ImageFormat& format) {
  return test::has_depth(format) ? test::image_2d_depth : test::image_2d;
}

/// Writes colour[g] at at[g].
std::string source_of(const KernelImage& image, const std::string& access) {
  const auto [suffix, colour] = test::access_of(image.model.format);
  const std::string value =
      std::string("as_") + colour + "(x[g])" + (test::has_depth(image.model.format) ? ".x" : "");
  return "kernel void k(" + access + " " + image.kind->type +
         " i, global const int4* at, global const uint4* x) {"
         " size_t g = get_global_id(0); write_image" +
         suffix + "(i, at[g]" + test::coordinates_of(*image.kind) + ", " + value + "); }";
}

void write_all(const test::Session& session, KernelImage& image,
               const std::vector<std::array<cl_int, 4>>& places, const std::vector<Bits>& colours,
               const std::string& access = "write_only") {
  const auto kernel = session.kernel(source_of(image, access).c_str(), "k", "-cl-std=CL3.0");
  const auto object = image.object(session);
  const auto at = session.buffer(places), values = session.buffer(colours);
  test::set_arguments(kernel, object, at, values);
  session.run(kernel, places.size());
  image.fetch(session, object);
}

Bits bits_of(float x) {
  cl_uint bits;
  std::memcpy(&bits, &x, sizeof bits);
  return {bits, bits, bits, bits};
}

/// The values that lie in the middle of two codes of a channel, the next ones on both sides, and some that are outside.
std::vector<float> values_around(const ImageFormat& format) {
  std::vector<float> values = {-0.0f, 1e-40f, 1.0f, -1.0f, 1.5f, -1.5f, 1e38f, -1e38f, INFINITY, -INFINITY};
  for (const test::ChannelBits channel : channels_of(format)) {
    const double greatest = exact_code(format, 1, channel.count, false);
    const double step = std::max(1.0, greatest / 4096);
    for (double code = number_of(format) == Number::snorm ? -greatest : 0; code < greatest; code += step) {
      const auto border = static_cast<float>((std::floor(code) + 0.5) / greatest);
      values.insert(values.end(), {std::nextafter(border, -2.0f), border, std::nextafter(border, 2.0f)});
    }
  }
  return values;
}

/// The distance of a channel's code from what is to be written, in codes.
double error_of(const ImageFormat& format, const std::byte* texel, unsigned number, double value) {
  const test::ChannelBits channel = channels_of(format)[number];
  const bool is_colour = component_of(format, number) < 3;
  const std::uint32_t bits = test::bits_of(texel, channel);
  const double code = number_of(format) == Number::snorm
                          ? static_cast<std::int32_t>(bits << (32 - channel.count)) >> (32 - channel.count)
                          : static_cast<double>(bits);
  return std::fabs(code - exact_code(format, value, channel.count, is_colour));
}

} // namespace

TEST_CASE("Kernels write normalised values rounded to the nearest code", "[image_write]") {
  const test::Session session;
  for (const ImageFormat& format : test::formats_with({Number::unorm, Number::snorm})) {
    const std::vector<float> values = values_around(format);
    const auto height = static_cast<int>((values.size() + 255) / 256);
    KernelImage image(session, kind_for(format), format, {256, height, 1});
    std::vector<std::array<cl_int, 4>> places;
    std::vector<Bits> colours;
    for (std::size_t i = 0; i < values.size(); ++i) {
      places.push_back({static_cast<cl_int>(i % 256), static_cast<cl_int>(i / 256), 0, 0});
      colours.push_back(bits_of(values[i]));
    }
    write_all(session, image, places, colours);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      for (unsigned c = 0; c < channels_of(format).size(); ++c)
        wrong += !(error_of(format, image.model.texel(places[i][0], places[i][1], 0), c, values[i]) <= 0.51);
    INFO(name_of(format));
    CHECK(wrong == 0);
  }
}

TEST_CASE("Kernels write and read back what they read, in every format", "[image_write]") {
  const test::Session session;
  for (const ImageFormat& format : all_formats) {
    KernelImage image(session, kind_for(format), format, {37, 11, 1});
    const auto [suffix, colour] = test::access_of(format);
    const std::string read = std::string("read_image") + suffix, write = std::string("write_image") + suffix;
    const std::string source = std::string("kernel void k(read_only ") + image.kind->type +
                               " i, write_only " + image.kind->type +
                               " o) { int2 c = (int2)(get_global_id(0), get_global_id(1)); " + write +
                               "(o, c, " + read + "(i, c)); }";
    const auto kernel = session.kernel(source.c_str(), "k", "-cl-std=CL3.0");
    KernelImage copy(session, kind_for(format), format, {37, 11, 1});
    std::fill(copy.texels().begin(), copy.texels().end(), std::byte{0});
    const auto from = image.object(session), to = copy.object(session);
    test::set_arguments(kernel, from, to);
    session.run(kernel, {37, 11});
    copy.fetch(session, to);
    std::size_t wrong = 0;
    for (int y = 0; y < 11; ++y)
      for (int x = 0; x < 37; ++x)
        wrong += image.model.at(x, y, 0) != copy.model.at(x, y, 0);
    INFO(name_of(format));
    CHECK(wrong == 0);
  }
}

TEST_CASE("Kernels write integers saturated", "[image_write]") {
  const test::Session session;
  const std::vector<cl_uint> values = {0,          1,          127,        128,        255,        256,
                                       1023,       1024,       4095,       4096,       16383,      16384,
                                       32767,      32768,      65535,      65536,      0x7fffffff, 0x80000000,
                                       0xffff7fff, 0xffff8000, 0xffffff7f, 0xffffff80, 0xffffffff};
  for (const ImageFormat& format : test::formats_with({Number::signed_integer, Number::unsigned_integer})) {
    KernelImage image(session, test::image_2d, format, {static_cast<int>(values.size()), 1, 1});
    std::vector<std::array<cl_int, 4>> places;
    std::vector<Bits> colours;
    for (const cl_uint value : values) {
      places.push_back({static_cast<cl_int>(places.size()), 0, 0, 0});
      colours.push_back({value, value, value, value});
    }
    write_all(session, image, places, colours);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool is_signed = number_of(format) == Number::signed_integer;
      const double written =
          is_signed ? static_cast<double>(static_cast<cl_int>(values[i])) : static_cast<double>(values[i]);
      for (const test::ChannelBits channel : channels_of(format)) {
        const std::uint32_t bits = test::bits_of(image.model.texel(static_cast<int>(i), 0, 0), channel);
        INFO(name_of(format) << " " << written);
        CHECK(test::value_of(format, bits, channel.count, false) ==
              exact_code(format, written, channel.count, false));
      }
    }
  }
}

TEST_CASE("Writes outside of an image vanish, in all kinds", "[image_write]") {
  const test::Session session;
  std::vector<std::array<cl_int, 4>> places;
  const cl_int values[] = {CL_INT_MIN, -1, 0, 2, 3, 4, 9, 1 << 30, CL_INT_MAX};
  for (const cl_int x : values)
    for (const cl_int y : values)
      for (const cl_int z : values)
        places.push_back({x, y, z, 0});
  for (const ImageKind& kind : test::image_kinds)
    for (const std::string access : {"write_only", "read_write"}) {
      const bool depth = std::string(kind.type).find("depth") != std::string::npos;
      const ImageFormat format =
          depth ? ImageFormat{CL_DEPTH, CL_FLOAT} : ImageFormat{CL_RGBA, CL_UNORM_INT8};
      KernelImage image(session, kind, format, {5, kind.axes > 1 ? 4 : 1, kind.axes > 2 ? 3 : 1},
                        kind.is_array ? 3 : 1);
      std::fill(image.texels().begin(), image.texels().end(), std::byte{0});
      write_all(session, image, places, std::vector<Bits>(places.size(), bits_of(1)), access);
      std::size_t expected = 0, ones = 0;
      const unsigned components = kind.axes + (kind.is_array ? 1 : 0);
      const int counts[] = {5, kind.axes == 1 && kind.is_array ? 3 : 4, 3};
      for (std::size_t i = 0; i < places.size(); ++i) {
        bool inside = true;
        for (unsigned c = 0; c < 3; ++c)
          inside &= c < components ? places[i][c] >= 0 && places[i][c] < counts[c] : places[i][c] == 0;
        expected += inside;
      }
      for (std::size_t at = 0; at < image.texels().size(); at += texel_bytes(format))
        ones += test::decode(format, image.texels().data() + at)[0] == 1;
      INFO(kind.type << " " << access);
      CHECK(ones == expected);
    }
}

TEST_CASE("write_imageh writes what write_imagef writes of the same numbers", "[image_write]") {
  const test::Session session;
  const auto write = [&](const ImageFormat& format, const std::string& call) {
    KernelImage image(session, test::image_2d, format, {256, 16, 1});
    std::fill(image.texels().begin(), image.texels().end(), std::byte{0});
    const std::string source =
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "kernel void k(write_only image2d_t i) { int2 c = (int2)(get_global_id(0), get_global_id(1));"
        " float f = (c.y * 256 + c.x) / 2048.0f - 1; half4 x = convert_half4((float4)(f, -f, f / 2, 1)); " +
        call + "; }";
    const auto kernel = session.kernel(source.c_str(), "k", "-cl-std=CL3.0");
    const auto object = image.object(session);
    test::set_arguments(kernel, object);
    session.run(kernel, {256, 16});
    image.fetch(session, object);
    return image.texels();
  };
  for (const ImageFormat format :
       {ImageFormat{CL_RGBA, CL_UNORM_INT8}, {CL_RG, CL_SNORM_INT16}, {CL_RGBA, CL_HALF_FLOAT}}) {
    const auto halves = write(format, "write_imageh(i, c, x)");
    INFO(name_of(format));
    CHECK(halves == write(format, "write_imagef(i, c, convert_float4(x))"));
    CHECK(std::count(halves.begin(), halves.end(), std::byte{0}) <
          static_cast<std::ptrdiff_t>(halves.size() / 2));
  }
}
