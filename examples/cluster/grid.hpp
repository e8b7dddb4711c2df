#pragma once

// The grid of the heat equation, and what one thread of C++ makes of it.

#include <cstddef>
#include <vector>

namespace cluster {

using Grid = std::vector<float>;

inline Grid first_grid(std::size_t width, std::size_t height) {
  Grid grid(width * height);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      grid[y * width + x] = static_cast<float>((x * 7 + y * 13) % 101) + (y == 0 ? 500.0F : 0.0F);
  return grid;
}

inline Grid expected_grid(Grid now, std::size_t width, std::size_t height, std::size_t steps) {
  Grid next = now;
  for (std::size_t step = 0; step < steps; ++step, now.swap(next))
    for (std::size_t y = 1; y + 1 < height; ++y)
      for (std::size_t x = 1; x + 1 < width; ++x) {
        const float* at = &now[y * width + x];
        const float sum = at[-1] + at[1] + at[-static_cast<std::ptrdiff_t>(width)] + at[width];
        next[y * width + x] = *at + 0.2F * (sum - 4.0F * *at);
      }
  return now;
}

} // namespace cluster
