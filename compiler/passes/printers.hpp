#pragma once

// Prints results of analyses, for developers and for tests. `hostclc --passes='function(print<values>)' FILE.ll` writes
// the results for a file of IR to standard error. `hostclc --print-values FILE.cl` writes the results for each kernel
// of a program, as it is before the vectoriser; `hostclc --print-plan FILE.cl` writes the vectoriser's plans.
//
//   print<values>       a line for each value:
//                         its shape in a vector of eight work-items, 2_vector/shapes/shapes.hpp
//                         its linear form, values/linear_forms.hpp, unless the value is a leaf
//                         its range and the low zero bits of the first lane's value, values/ranges.hpp, if known
//                         whether it is uniform over a group, values/group_uniformity.hpp
//                         whether it is read after an acquire, values/acquired_reads.hpp
//                       then the divergent branches, and whether the kernel can tell its groups,
//                       values/group_visibility.hpp
//   print<plan>         how a vector of eight work-items is written, 2_vector/plan/plan.hpp
//   print<provenance>   object bounds of accesses, checks/provenance.hpp
//
//   %i: affine 1; 4 + 1 * local_id(0); 4 to 4099; first lane a multiple of 2^2; group-divergent
//
// Tests: tests/passes/values/*.ll

namespace llvm {
class Function;
class raw_ostream;
} // namespace llvm

namespace hostcl::compiler {

/// Writes the function's name and the lines of print<values>. The function is not changed, and neither are the numbers
/// of its unnamed values.
void print_values(llvm::raw_ostream& stream, llvm::Function& function);

} // namespace hostcl::compiler
