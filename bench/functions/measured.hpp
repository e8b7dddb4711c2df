#pragma once

// Measures a row on one device: throughput, latency and the largest error.

#include "bench/device.hpp"
#include "bench/functions/row.hpp"
#include "tests/maths/batch.hpp"

namespace bench::functions {

struct Figures {
  double throughput; ///< seconds per element, of elements in the cache
  double latency; ///< seconds per call of a work-item whose arguments depend on the result of the call before
  maths::Worst error;
};

/// `format` is an index into maths::formats. Unsupported if the device does not have the type.
Figures measure(const Device& device, const Row& row, std::size_t format);

/// Cycles of a CPU per second, at the moment: one dependent addition takes one cycle.
double clock_rate();

} // namespace bench::functions
