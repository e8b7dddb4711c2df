#pragma once

#include "functions.hpp"

namespace maths {

/// Compares the float functions of one argument with the double functions of the same driver on all 2^32 arguments, and
/// prints the largest error in ULP of each. No reference is computed on the host, so a function takes seconds.
void sweep(const std::vector<Function>& functions);

} // namespace maths
