#pragma once

// Evaluates the kernel statistics for launches with certain sizes and arguments: trip counts of loops, and
// how much each work-item reads, writes and computes.

#include "compiler/kernel_statistics.hpp"
#include "runtime/profile/records.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hostcl::runtime::profile {

/// A memory access, in launches of one kind.
struct AccessFigures {
  const compiler::AccessStatistics* access = nullptr;
  double runs = 0;                           ///< number of executions for each work-item
  std::optional<double> strides[2];          ///< bytes between neighbouring work-items along x and y
  std::optional<double> step;                ///< bytes between iterations
  double iterations = 1;                     ///< trip count of its loop
  std::optional<double> along_lanes() const; ///< stride between the work-items of a vector
  unsigned lane_dimension = 0;
};

/// The work of one launch.
struct Workload {
  double items = 0;
  /// Global and constant memory. Each access counts, even if the same bytes are accessed again.
  double read_bytes = 0, written_bytes = 0;
  double local_bytes = 0;
  double floats = 0, doubles = 0, divisions = 0, integers = 0;
  bool is_counted = true; ///< false if some trip count depends on data, so that it is estimated
  std::vector<AccessFigures> accesses;

  double bytes() const { return read_bytes + written_bytes; }
  double operations() const { return floats + doubles; }
};

Workload workload_of(const KernelFigures& kernel, const LaunchKind& kind);

} // namespace hostcl::runtime::profile
