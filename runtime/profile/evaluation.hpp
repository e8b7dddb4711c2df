#pragma once

// What a kernel's insight says of launches with certain sizes and arguments: how often loops run, and how much work-items
// read, write and compute.

#include "compiler/insight.hpp"
#include "runtime/profile/records.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hostcl::runtime::profile {

/// An access in launches of one kind.
struct AccessFigures {
  const compiler::AccessInsight* access = nullptr;
  double runs = 0;                           ///< for each work-item
  std::optional<double> strides[2];          ///< bytes between neighbours along x and y
  std::optional<double> step;                ///< bytes between iterations
  double iterations = 1;                     ///< of its loop, each time that it is entered
  std::optional<double> along_lanes() const; ///< the stride that work-items of a vector have
  unsigned lane_dimension = 0;
};

/// One launch.
struct Workload {
  double items = 0;
  double read_bytes = 0, written_bytes = 0; ///< of global and constant memory, each access for itself
  double local_bytes = 0;
  double floats = 0, doubles = 0, divisions = 0, integers = 0;
  bool is_counted = true; ///< false if the data decides how often something runs: then it is estimated
  std::vector<AccessFigures> accesses;

  double bytes() const { return read_bytes + written_bytes; }
  double operations() const { return floats + doubles; }
};

Workload workload_of(const KernelFigures& kernel, const LaunchKind& kind);

} // namespace hostcl::runtime::profile
