#pragma once

// Parameters of the vectoriser, and their textual form as parameters of the pass:
//
//   vectorise<width=16;cpu=avx512;no-permutes;only-if-faster;no-records>
//
// Test: tests/passes/2_vector/parameters.ll

#include "compiler/settings/capabilities.hpp"
#include "compiler/settings/switches.hpp"

#include "llvm/Support/Error.h"

#include <limits>
#include <string>

namespace hostcl::compiler {

struct VectoriseOptions {
  /// Work-items per vector: a power of two from 2 to 64. With 1 the kernel stays as it is; with 0 VectorisePass calls
  /// choose_width().
  unsigned width = 0;
  Capabilities cpu = {};
  Switches switches = {};
  /// The dimension along which the work-items of a vector are consecutive, for choose_width().
  unsigned dimension = 0;
  /// Some groups run one work-item per vector (KernelShape::partial_sub_groups). The first lane's id is then not always
  /// a multiple of the width.
  bool partial_sub_groups = false;
  /// All global ids, offset included, are below 2^31, so that the lanes' values of `int i = get_global_id(0)` are
  /// consecutive. Launches with larger ids need a variant that was vectorised without this option.
  bool ids_fit_31_bits = true;
  /// Refuses kernels that are likely to be faster without vectors.
  bool only_if_faster = false;
  /// The limit for the scalar accesses into which LLVM would split gathers and scatters. Kernels that exceed the limit
  /// are refused, because their vector form would be much code and take long to compile.
  unsigned most_accesses = std::numeric_limits<unsigned>::max();
  /// Writes the plan (plan/plan.hpp) to standard error.
  bool print_plan = false;
};

/// The parameters that differ from the defaults, with semicolons between them.
std::string text_of(const VectoriseOptions& options);

/// Parses the text that text_of() writes. `cpu=avx512` is short for the capabilities that all CPUs with AVX-512 have.
llvm::Expected<VectoriseOptions> parse_vectorise_options(llvm::StringRef text);

} // namespace hostcl::compiler
