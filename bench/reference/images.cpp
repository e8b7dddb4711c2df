#include "bench/reference/images.hpp"

#include "bench/reference/parallel.hpp"

#include <cmath>
#include <cstring>

namespace bench::reference {

namespace {

template <class F>
Rgba each_channel(F f) {
  return {f(0), f(1), f(2), f(3)};
}

float saturated(float x) {
  return std::clamp(x, 0.0f, 1.0f);
}

/// The mean of four pixels, weighted by the distance from their centres; `pixel` gives one.
template <class Pixel>
Rgba bilinear(float u, float v, Pixel pixel) {
  const float left = std::floor(u - 0.5f), top = std::floor(v - 0.5f);
  const float a = u - 0.5f - left, b = v - 0.5f - top;
  const int x = static_cast<int>(left), y = static_cast<int>(top);
  return each_channel([&](int c) {
    return (1 - b) * ((1 - a) * pixel(x, y)[c] + a * pixel(x + 1, y)[c]) +
           b * ((1 - a) * pixel(x, y + 1)[c] + a * pixel(x + 1, y + 1)[c]);
  });
}

float linear_of_srgb(float x) {
  return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
}
float srgb_of_linear(float x) {
  return x <= 0.0031308f ? x * 12.92f : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
}

} // namespace

Rgba same(const Picture& in, int x, int y) {
  return in.at(x, y);
}

Rgba mean5(const Picture& in, int x, int y) {
  return each_channel([&](int c) {
    float sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
      for (int dx = -2; dx <= 2; ++dx)
        sum += in.at(x + dx, y + dy)[c];
    return sum / 25;
  });
}

Rgba unsharp(const Picture& in, int x, int y) {
  const Rgba pixel = in.at(x, y), mean = mean5(in, x, y);
  return each_channel([&](int c) { return saturated(pixel[c] + (pixel[c] - mean[c]) * 0.75f); });
}

Rgba exposure(const Picture& in, int x, int y) {
  const Rgba& pixel = in.at(x, y);
  return {pixel[0] * 1.5f + 0.1f, pixel[1] * 1.5f + 0.1f, pixel[2] * 1.5f + 0.1f, pixel[3]};
}

Rgba rotated(const Picture& in, int x, int y) {
  const float middle[2] = {static_cast<float>(in.width) / 2, static_cast<float>(in.height) / 2};
  const float dx = static_cast<float>(x) - middle[0], dy = static_cast<float>(y) - middle[1];
  const float u = direction[0] * dx - direction[1] * dy + middle[0];
  const float v = direction[1] * dx + direction[0] * dy + middle[1];
  return bilinear(u, v, [&](int i, int j) { return in.at(i, j); });
}

Rgba tiled(const Picture& in, int x, int y) {
  auto wrapped = [](int i, int size) { return (i % size + size) % size; };
  return bilinear((static_cast<float>(x) + 0.3f) * 1.3f, (static_cast<float>(y) + 0.3f) * 1.3f,
                  [&](int i, int j) { return in.at(wrapped(i, in.width), wrapped(j, in.height)); });
}

Rgba halved(const Picture& in, int x, int y) {
  return bilinear(static_cast<float>(2 * x + 1), static_cast<float>(2 * y + 1),
                  [&](int i, int j) { return in.at(i, j); });
}

Rgba toned(const Picture& in, int x, int y) {
  const Rgba& pixel = in.at(x, y);
  auto tone = [](float stored) {
    const float value = linear_of_srgb(stored);
    return srgb_of_linear(value / (value + 0.5f));
  };
  return {tone(pixel[0]), tone(pixel[1]), tone(pixel[2]), pixel[3]};
}

double mean_of_cube(const std::vector<std::uint16_t>& in, const std::array<std::size_t, 3>& size,
                    std::size_t at) {
  const std::array<std::size_t, 3> place = {at % size[0], at / size[0] % size[1], at / size[0] / size[1]};
  double sum = 0;
  auto neighbour = [&](unsigned axis, int distance) {
    const auto moved = static_cast<std::ptrdiff_t>(place[axis]) + distance;
    return static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(moved, 0, static_cast<std::ptrdiff_t>(size[axis]) - 1));
  };
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += in[neighbour(0, dx) + size[0] * (neighbour(1, dy) + size[1] * neighbour(2, dz))];
  return sum / 27;
}

// ---- Whole pictures

namespace {

/// A row of mean5() for RGBA8, with integers, which are exact.
void blur_row(const std::uint8_t* in, std::uint8_t* out, int width, int height, int y) {
  const std::uint8_t* rows[5];
  for (int dy = -2; dy <= 2; ++dy)
    rows[dy + 2] = in + std::size_t(std::clamp(y + dy, 0, height - 1)) * width * 4;
  auto mean = [&](auto byte_of) {
    int sum = 0;
    for (const std::uint8_t* row : rows)
      for (int dx = -2; dx <= 2; ++dx)
        sum += row[byte_of(dx)];
    return static_cast<std::uint8_t>((sum + 12) / 25);
  };
  std::uint8_t* to = out + std::size_t(y) * width * 4;
  for (int i = 0; i < 8; ++i)
    to[i] = mean([&](int dx) { return std::max(i / 4 + dx, 0) * 4 + i % 4; });
  for (int i = 8; i < width * 4 - 8; ++i)
    to[i] = mean([&](int dx) { return i + 4 * dx; });
  for (int i = width * 4 - 8; i < width * 4; ++i)
    to[i] = mean([&](int dx) { return std::min(i / 4 + dx, width - 1) * 4 + i % 4; });
}

} // namespace

Measurement time_blur(int width, int height) {
  std::vector<std::uint8_t> in(std::size_t(width) * height * 4), out(in.size());
  Random random;
  for (std::uint8_t& byte : in)
    byte = static_cast<std::uint8_t>(random.bits());
  return median(double(width) * height, [&] {
    parallel_for(height, 16, [&](std::size_t first, std::size_t last) {
      for (std::size_t y = first; y < last; ++y)
        blur_row(in.data(), out.data(), width, height, static_cast<int>(y));
    });
  });
}

Measurement time_exposure(int width, int height) {
  std::vector<Rgba> in(std::size_t(width) * height, Rgba{0.1f, 0.2f, 0.3f, 1}), out(in.size());
  return median(double(width) * height, [&] {
    parallel_for(in.size(), 1 << 16, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        out[i] = {in[i][0] * 1.5f + 0.1f, in[i][1] * 1.5f + 0.1f, in[i][2] * 1.5f + 0.1f, in[i][3]};
    });
  });
}

Measurement time_copy(std::size_t bytes) {
  std::vector<std::uint8_t> from(bytes, 1), to(bytes);
  const Measurement measured = median(double(bytes), [&] { std::memcpy(to.data(), from.data(), bytes); });
  check(to == from, "copied bytes");
  return measured;
}

} // namespace bench::reference
