#pragma once

#include <array>
#include <cstdint>
#include <string>

/// Frequencies of the 256 byte values.
using Histogram = std::array<std::uint32_t, 256>;

/// A picture of 64 columns for a terminal: four byte values a column, heights on a square-root scale so that
/// rare bytes can be seen beside frequent ones.
std::string bar_chart(const Histogram& histogram);
