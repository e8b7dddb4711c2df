// Images: filters in kernels, and transfers.

#include "bench/reference/images.hpp"
#include "bench/device.hpp"

#include <array>
#include <cstring>

namespace bench {
namespace {

using reference::Picture, reference::Rgba;

constexpr Unit pixels{"Mpixel/s", 1e6}, bandwidth{"GB/s", 1e9};

/// A picture as the texels of a format: RGBA8, sRGBA8, R8 or RGBA of floats.
struct Format {
  cl_channel_order order;
  cl_channel_type type;
  std::size_t bytes;
  double tolerance; ///< of a channel of the result
  cl::ImageFormat cl() const { return {order, type}; }
};
constexpr double code = 1.0 / 255;
constexpr Format rgba8{CL_RGBA, CL_UNORM_INT8, 4, 1.1 * code}, r8{CL_R, CL_UNORM_INT8, 1, 1.1 * code},
    srgba8{CL_sRGBA, CL_UNORM_INT8, 4, 4 * code}, rgba_float{CL_RGBA, CL_FLOAT, 16, 1e-4};

void require_format(const Device& device, const cl::ImageFormat& format, cl_mem_object_type type) {
  std::vector<cl::ImageFormat> formats;
  device.context().getSupportedImageFormats(CL_MEM_READ_WRITE, type, &formats);
  for (const cl::ImageFormat& known : formats)
    if (known.image_channel_order == format.image_channel_order &&
        known.image_channel_data_type == format.image_channel_data_type)
      return;
  throw Unsupported("no such images");
}

/// Random texels, and the picture that they stand for. Linear values of sRGB are the device's affair.
std::vector<std::uint8_t> random_texels(const Format& format, Picture& picture) {
  std::vector<std::uint8_t> texels(picture.pixels.size() * format.bytes);
  Random random;
  for (std::size_t i = 0; i < picture.pixels.size(); ++i)
    for (std::size_t c = 0; c < (format.bytes == 1 ? 1 : 4); ++c) {
      const auto byte = static_cast<std::uint8_t>(random.bits());
      const float value = static_cast<float>(byte) / 255.0f;
      picture.pixels[i][c] = value;
      if (format.bytes == 16)
        std::memcpy(&texels[i * 16 + c * 4], &value, sizeof(value));
      else
        texels[i * format.bytes + c] = byte;
    }
  return texels;
}

float channel(const Format& format, const std::vector<std::uint8_t>& texels, std::size_t pixel,
              std::size_t c) {
  float value;
  if (format.bytes != 16) return static_cast<float>(texels[pixel * format.bytes + c]) / 255.0f;
  std::memcpy(&value, &texels[pixel * 16 + c * 4], sizeof(value));
  return value;
}

using Filter = Rgba (*)(const Picture&, int x, int y);

/// Compares every 61st pixel.
void check_picture(const Format& format, const std::vector<std::uint8_t>& texels, const Picture& in,
                   Filter filter) {
  for (std::size_t i = 0; i < in.pixels.size(); i += 61) {
    const Rgba expected = filter(in, static_cast<int>(i) % in.width, static_cast<int>(i) / in.width);
    for (std::size_t c = 0; c < (format.bytes == 1 ? 1 : 4); ++c)
      check(std::abs(channel(format, texels, i, c) - expected[c]) <= format.tolerance,
            "a pixel of a picture");
  }
}

template <class... Arguments>
Measurement filtered(const Device& device, const char* name, const Format& format, int width, int height,
                     Filter filter, const Arguments&... arguments) {
  require_format(device, format.cl(), CL_MEM_OBJECT_IMAGE2D);
  Picture in(width, height);
  auto texels = random_texels(format, in);
  const cl::Image2D from(device.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format.cl(), width,
                         height, 0, texels.data()),
      to(device.context(), CL_MEM_WRITE_ONLY, format.cl(), width, height);
  const auto kernel = device.kernel("images.cl", name, "", from, to, arguments...);
  const Measurement measured = device.time(double(width) * height, kernel, cl::NDRange(width, height));
  device.queue().enqueueReadImage(to, CL_TRUE, {0, 0, 0},
                                  {static_cast<std::size_t>(width), static_cast<std::size_t>(height), 1}, 0,
                                  0, texels.data());
  check_picture(format, texels, in, filter);
  return measured;
}

constexpr int size = 1024;

Measurement copy(const Device& device) {
  return filtered(device, "copy", rgba8, size, size, reference::same);
}
Measurement blur(const Device& device) {
  return filtered(device, "blur", rgba8, size, size, reference::mean5);
}
Measurement blur_sampler(const Device& device) {
  const cl::Sampler sampler(device.context(), CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
  return filtered(device, "blur_sampler", rgba8, size, size, reference::mean5, sampler);
}
Measurement blur_floats(const Device& device) {
  return filtered(device, "blur", rgba_float, size, size, reference::mean5);
}
Measurement blur_at_floats(const Device& device) {
  return filtered(device, "blur_at_floats", rgba8, size, size, reference::mean5);
}
Measurement unsharp(const Device& device) {
  return filtered(device, "unsharp", r8, 1920, 1080, reference::unsharp);
}
Measurement exposure(const Device& device) {
  return filtered(device, "exposure", rgba_float, 6000, 4000, reference::exposure);
}
Measurement rotation(const Device& device) {
  const cl_float2 direction{{reference::direction[0], reference::direction[1]}};
  return filtered(device, "rotate_by", rgba8, size, size, reference::rotated, direction);
}
Measurement tiles(const Device& device) {
  return filtered(device, "tile", rgba8, size, size, reference::tiled);
}
Measurement half_size(const Device& device) {
  return filtered(device, "halve", rgba8, size, size, reference::halved);
}
Measurement tone(const Device& device) {
  return filtered(device, "tone", srgba8, size, size, reference::toned);
}

Measurement mean_of_cubes(const Device& device) {
  constexpr std::size_t width = 512, height = 512, depth = 128;
  const cl::ImageFormat format{CL_R, CL_UNSIGNED_INT16};
  require_format(device, format, CL_MEM_OBJECT_IMAGE3D);
  std::vector<std::uint16_t> texels(width * height * depth);
  Random random;
  for (std::uint16_t& texel : texels)
    texel = static_cast<std::uint16_t>(random.bits());
  const std::vector<std::uint16_t> in = texels;
  const cl::Image3D from(device.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, width, height,
                         depth, 0, 0, texels.data()),
      to(device.context(), CL_MEM_WRITE_ONLY, format, width, height, depth);
  const auto kernel = device.kernel("images.cl", "mean_of_cubes", "", from, to);
  const Measurement measured = device.time(double(texels.size()), kernel, cl::NDRange(width, height, depth));
  device.queue().enqueueReadImage(to, CL_TRUE, {0, 0, 0}, {width, height, depth}, 0, 0, texels.data());
  for (std::size_t i = 0; i < texels.size(); i += 9973)
    check(std::abs(texels[i] - reference::mean_of_cube(in, {width, height, depth}, i)) <= 1,
          "a mean of a cube");
  return measured;
}

/// RGBA8 of 4096 x 4096.
struct Large {
  static constexpr std::size_t side = 4096;
  explicit Large(const Device& device) : image(device.context(), CL_MEM_READ_WRITE, rgba8.cl(), side, side) {
    require_format(device, rgba8.cl(), CL_MEM_OBJECT_IMAGE2D);
    for (std::size_t i = 0; i < texels.size(); ++i)
      texels[i] = static_cast<std::uint32_t>(i * 2654435761u);
  }
  std::array<std::size_t, 3> region() const { return {side, side, 1}; }
  double bytes() const { return 4.0 * side * side; }
  std::vector<std::uint32_t> read(const Device& device) const {
    std::vector<std::uint32_t> result(texels.size());
    device.queue().enqueueReadImage(image, CL_TRUE, {0, 0, 0}, region(), 0, 0, result.data());
    return result;
  }

  cl::Image2D image;
  std::vector<std::uint32_t> texels = std::vector<std::uint32_t>(side * side);
};

Measurement write_image(const Device& device) {
  const Large large(device);
  const Measurement measured = median(large.bytes(), [&] {
    device.queue().enqueueWriteImage(large.image, CL_TRUE, {0, 0, 0}, large.region(), 0, 0,
                                     large.texels.data());
  });
  check(large.read(device) == large.texels, "an image that was written");
  return measured;
}

Measurement read_image(const Device& device) {
  const Large large(device);
  device.queue().enqueueWriteImage(large.image, CL_TRUE, {0, 0, 0}, large.region(), 0, 0,
                                   large.texels.data());
  std::vector<std::uint32_t> result(large.texels.size());
  const Measurement measured = median(large.bytes(), [&] {
    device.queue().enqueueReadImage(large.image, CL_TRUE, {0, 0, 0}, large.region(), 0, 0, result.data());
  });
  check(result == large.texels, "an image that was read");
  return measured;
}

Measurement fill_image(const Device& device) {
  const Large large(device);
  const cl_float4 colour{{0, 1, 0, 1}};
  const Measurement measured = median(large.bytes(), [&] {
    device.queue().enqueueFillImage(large.image, colour, {0, 0, 0}, large.region());
    device.queue().finish();
  });
  for (const std::uint32_t texel : large.read(device))
    check(texel == 0xff00ff00u, "a texel of an image that was filled");
  return measured;
}

Measurement copy_in_cpp() {
  return reference::time_copy(4 * Large::side * Large::side);
}
Measurement blur_in_cpp() {
  return reference::time_blur(size, size);
}
Measurement exposure_in_cpp() {
  return reference::time_exposure(6000, 4000);
}

constexpr Case cases[] = {
    {"image_copy", "image copy, RGBA8", pixels, copy},
    {"image_blur", "5×5 mean of an image, RGBA8", pixels, blur, blur_in_cpp},
    {"image_blur_sampler", "the same, sampler argument", pixels, blur_sampler},
    {"image_blur_floats", "the same, RGBA float", pixels, blur_floats},
    {"image_blur_at_floats", "the same, RGBA8, float coordinates", pixels, blur_at_floats},
    {"image_unsharp", "unsharp mask, R8, 1080p", pixels, unsharp},
    {"image_exposure", "point operation, RGBA float, 24 MP", pixels, exposure, exposure_in_cpp},
    {"image_rotation", "bilinear rotation, RGBA8", pixels, rotation},
    {"image_tiles", "bilinear, repeated, normalised", pixels, tiles},
    {"image_half", "bilinear half size", pixels, half_size},
    {"image_tone", "tone curve, sRGBA8", pixels, tone},
    {"image_mean_3d", "3×3×3 mean, R16", {"Mvoxel/s", 1e6}, mean_of_cubes},
    {"image_write", "clEnqueueWriteImage, 64 MiB", bandwidth, write_image, copy_in_cpp},
    {"image_read", "clEnqueueReadImage, 64 MiB", bandwidth, read_image, copy_in_cpp},
    {"image_fill", "clEnqueueFillImage, 64 MiB", bandwidth, fill_image},
};

} // namespace

std::span<const Case> image_cases() {
  return cases;
}

} // namespace bench
