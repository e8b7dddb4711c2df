#pragma once

// What buffers of the survey hold before a launch, and whether two results of it agree.

#include "bench/survey/kernel.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench::survey {

using Bytes = std::vector<std::byte>;

/// What the buffer holds before a launch, the same in every run: random floats are in [0, 1), a permutation is one of
/// 32-bit numbers, ascending ones reach from 0 to the largest of 32 bits.
Bytes contents(const Argument& argument);

/// The first element that differs, in words, or an empty string. Integers must be equal; floats may be rounded
/// otherwise.
std::string difference(const Argument& argument, const Bytes& actual, const Bytes& expected);

} // namespace bench::survey
