#pragma once

// The cases in plain C++, on all cores, compiled with -O3 -march=native.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bench::reference {

struct Body {
  float x, y, z, mass;
};

/// a = b + factor * c
void triad(std::span<float> a, std::span<const float> b, std::span<const float> c, float factor);

/// Accelerations of all bodies by all bodies, softened; relaxed maths.
void nbody(std::span<Body> acceleration, std::span<const Body> bodies, float softening);

/// c = a * b for square row-major matrices of the given size.
void sgemm(std::span<float> c, std::span<const float> a, std::span<const float> b, std::size_t size);

/// Iterations until escape, at most `limit`, for a square picture of the usual section of the complex plane.
void mandelbrot(std::span<std::uint32_t> iterations, std::size_t size, std::uint32_t limit);

/// A private histogram for each range of bytes, added to the result at its end.
std::vector<std::uint32_t> histogram(std::span<const std::uint8_t> bytes);

/// All threads add to the same 256 atomic cells.
std::vector<std::uint32_t> histogram_atomic(std::span<const std::uint8_t> bytes);

} // namespace bench::reference
