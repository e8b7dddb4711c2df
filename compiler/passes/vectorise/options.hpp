#pragma once

// What the vectoriser is told of the launch and the host.

#include "compiler/settings/capabilities.hpp"

namespace hostcl::compiler {

struct VectoriseOptions {
  /// Work-items per vector, a power of two from 2 to 64; 0 has VectorisePass call choose_width.
  unsigned width = 0;
  Capabilities cpu = {};
  /// The dimension that lanes will lie along, for choose_width.
  unsigned dimension = 0;
  /// Some groups run one work-item per vector, as KernelShape has it: the first lane's id may be any.
  bool split_rows = false;
  /// Global ids, offset included, are below 2^31, so that `int i = get_global_id(0)` is consecutive.
  /// Launches that do not fit need a form that was vectorised without this option.
  bool ids_fit_31_bits = true;
  /// Refuses kernels that are likely to be faster without vectors.
  bool only_if_faster = false;
};

} // namespace hostcl::compiler
