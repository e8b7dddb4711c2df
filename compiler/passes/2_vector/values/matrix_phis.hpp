#pragma once

// Makes each phi of cooperative matrices uniform. Lanes may reach the phi from different predecessors, or leave a loop
// after different iterations; all lanes then get the matrix of the first active lane. The phi becomes a variable, and
// all lanes use the variable of the first active lane:
//
//   %m = phi <256 x float> [ %a, %left ], [ %b, %right ]
// becomes
//   in %left    store <256 x float> %a, ptr (the first active lane's %variable)
//   in %right   store <256 x float> %b, ptr (the first active lane's %variable)
//   here        %m = load <256 x float>, ptr (the first active lane's %variable)
//
// LLVM may turn such a phi into a select. The select then uses the condition of the first active lane.
//
// Without this change, each lane would have its own matrix: a vector with lanes x components elements.
//
// Test: tests/passes/2_vector/values/matrix_phis.ll

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

class Shapes;

/// @returns whether anything changed; the shapes must then be computed again
bool share_matrix_phis(llvm::Function& function, const Shapes& shapes);

} // namespace hostcl::compiler
