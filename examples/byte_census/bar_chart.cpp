#include "bar_chart.hpp"

#include <algorithm>
#include <cmath>

namespace {

constexpr int columns = 64;
constexpr int rows = 8;
constexpr int eighths = 8; // heights of the block characters
constexpr std::array<const char*, eighths + 1> blocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

std::array<int, columns> bar_heights(const Histogram& histogram) {
  constexpr int values_per_column = 256 / columns;
  std::array<double, columns> sums{};
  for (int value = 0; value < 256; ++value)
    sums[value / values_per_column] += histogram[value];

  const double highest = std::max(1.0, *std::max_element(sums.begin(), sums.end()));
  std::array<int, columns> heights{};
  for (int column = 0; column < columns; ++column)
    heights[column] = int(std::ceil(std::sqrt(sums[column] / highest) * rows * eighths));
  return heights;
}

} // namespace

std::string bar_chart(const Histogram& histogram) {
  const auto heights = bar_heights(histogram);
  std::string picture;
  for (int row = rows - 1; row >= 0; --row) {
    picture += "  ";
    for (const int height : heights)
      picture += blocks[std::clamp(height - row * eighths, 0, eighths)];
    picture += '\n';
  }
  return picture + "  00      20 ␣     40 @     60 `     80      a0      c0      e0    ff\n";
}
