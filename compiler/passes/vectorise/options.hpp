#pragma once

// What the vectoriser is asked for, and its text as parameters of the pass:
//
//   vectorise<width=16;cpu=avx512;no-permutes;only-if-faster>
//
// Test: tests/passes/vectorise/parameters.ll

#include "compiler/settings/capabilities.hpp"

#include "llvm/Support/Error.h"

#include <limits>
#include <string>

namespace hostcl::compiler {

struct VectoriseOptions {
  /// Work-items per vector, a power of two from 2 to 64; 1 leaves the kernel as it is, and 0 has VectorisePass call
  /// choose_width.
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
  /// Refuses kernels with more accesses of single lanes, which are much code and take long to compile.
  unsigned most_accesses = std::numeric_limits<unsigned>::max();
};

/// The parameters that differ from the defaults, with semicolons between them.
std::string text_of(const VectoriseOptions& options);

/// Reads what text_of() writes. `cpu=avx512` stands for what all CPUs with AVX-512 can do.
llvm::Expected<VectoriseOptions> parse_vectorise_options(llvm::StringRef text);

} // namespace hostcl::compiler
