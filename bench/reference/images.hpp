#pragma once

// Filters of pictures in plain C++: one pixel at a time to check results, and whole pictures to compare times.

#include "bench/measure.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace bench::reference {

using Rgba = std::array<float, 4>;

/// Reads outside of the picture give the nearest pixel.
struct Picture {
  Picture(int w, int h) : width(w), height(h), pixels(std::size_t(w) * h, Rgba{0, 0, 0, 1}) {}
  const Rgba& at(int x, int y) const {
    return pixels[std::size_t(std::clamp(y, 0, height - 1)) * width + std::clamp(x, 0, width - 1)];
  }
  int width, height;
  std::vector<Rgba> pixels;
};

/// Cosine and sine of the angle of rotated().
inline constexpr float direction[2] = {0.8f, 0.6f};

// A pixel of each case's result.
Rgba same(const Picture& in, int x, int y);
Rgba mean5(const Picture& in, int x, int y);
Rgba unsharp(const Picture& in, int x, int y);
Rgba exposure(const Picture& in, int x, int y);
Rgba rotated(const Picture& in, int x, int y);
Rgba tiled(const Picture& in, int x, int y);
Rgba halved(const Picture& in, int x, int y);
/// Tone mapping of values in the sRGB curve, computed in linear ones.
Rgba toned(const Picture& in, int x, int y);
double mean_of_cube(const std::vector<std::uint16_t>& in, const std::array<std::size_t, 3>& size,
                    std::size_t at);

/// mean5() of RGBA8, and exposure() of RGBA floats, on all cores.
Measurement time_blur(int width, int height);
Measurement time_exposure(int width, int height);
/// memcpy() on one thread.
Measurement time_copy(std::size_t bytes);

} // namespace bench::reference
